package elasticnet

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/golden"
	"copse/internal/randtest"
)

// goldenFits are the fits of testdata/golden.R.
var goldenFits = map[string]struct {
	classes int
	alpha   float64
	raw     bool
	label   string
}{
	"lasso": {2, 1, false, "two"}, "ridge": {2, 0, false, "two"}, "net": {2, 0.4, false, "two"},
	"raw":   {2, 1, true, "two"},
	"apart": {2, 1, false, "apart"}, "lasso3": {3, 1, false, "label"}, "ridge3": {3, 0, false, "label"},
	"net3": {3, 0.4, false, "label"},
}

func goldenRows(t *testing.T) (x *mat.Dense, labels map[string][]int, fold []int) {
	rows := golden.Read(t, "testdata/rows.csv")
	x, labels = mat.NewDense(len(rows), 8, nil), map[string][]int{}
	for i, row := range rows {
		for j := range 8 {
			x.Set(i, j, row.Num(fmt.Sprintf("x%d", j+1)))
		}
		for _, name := range []string{"two", "apart", "label"} {
			labels[name] = append(labels[name], int(row.Num(name)))
		}
		fold = append(fold, int(row.Num("foldid"))-1)
	}
	return x, labels, fold
}

// TestGolden: the penalties, the end of the path and the linear functions agree with glmnet. If linear
// functions reach 36, glmnet's own subgradients differ from 0 by up to 5e-5 of the penalty even at its
// tightest threshold. The tolerance is therefore relative there.
func TestGolden(t *testing.T) {
	x, labels, _ := goldenRows(t)
	lines := golden.Read(t, "testdata/golden.csv")
	for name, fit := range goldenFits {
		t.Run(name, func(t *testing.T) {
			problem, err := New(x, labels[fit.label], ones(fit.classes), fit.alpha, !fit.raw)
			if err != nil {
				t.Fatal(err)
			}
			path, err := problem.Path(t.Context(), problem.Penalties(100, problem.DefaultRatio()), 1e-13)
			if err != nil {
				t.Fatal(err)
			}
			last, compared, worst := 0, 0, 0.0
			for _, line := range lines {
				if line.Value["fit"] != name {
					continue
				}
				if last = int(line.Num("step")); last > len(path) {
					t.Fatalf("the path has %d steps, glmnet's more", len(path))
				}
				m := &path[last-1]
				if want := line.Num("lambda"); math.Abs(m.Penalty-want) > 1e-9*want {
					t.Fatalf("step %d: penalty %v, want %v", last, m.Penalty, want)
				}
				row := int(line.Num("row"))
				for l := 0; l < 3 && row > 0; l++ {
					want := line.Num(fmt.Sprintf("link%d", l))
					if math.IsNaN(want) {
						continue
					}
					eta := m.LinearPredictors(x).RawRowView(row - 1)
					got := eta[l]
					if fit.classes == 2 {
						got = eta[1] - eta[0]
					}
					worst = max(worst, math.Abs(got-want)/max(1, math.Abs(want)))
					compared++
				}
			}
			if last != len(path) || compared == 0 || worst > 1e-5 {
				t.Errorf("%d links differ by up to %g; the path has %d steps, glmnet's %d",
					compared, worst, len(path), last)
			}
			t.Logf("%d links within %.1g", compared, worst)
		})
	}
}

// Equal numbers of errors tie, however they are distributed over folds of different sizes.
func TestErrorsTie(t *testing.T) {
	for first := range 5 {
		for second := range min(first, 3) + 1 {
			spread := []float64{float64(first - second), float64(second), 0}
			together := []float64{0, 0, float64(first)}
			c := newCurve([][]float64{
				{spread[0], together[0]}, {spread[1], together[1]}, {spread[2], together[2]},
			}, []float64{7, 6, 6})
			if c.Mean[0] != c.Mean[1] || c.Best() != 0 {
				t.Errorf("errors %v and %v of folds of 7, 6 and 6 rows: means %v", spread, together, c.Mean)
			}
		}
	}
}

// TestGoldenCurves: means, standard errors and choices agree with cv.glmnet.
func TestGoldenCurves(t *testing.T) {
	x, labels, fold := goldenRows(t)
	lines := golden.Read(t, "testdata/cv.csv")
	for measure, loss := range map[string]string{"deviance": Deviance, "class": Errors} {
		for _, name := range []string{"lasso", "ridge", "lasso3"} {
			fit := goldenFits[name]
			problem, err := New(x, labels[fit.label], ones(fit.classes), fit.alpha, true)
			if err != nil {
				t.Fatal(err)
			}
			var wanted []golden.Row
			for _, line := range lines {
				if line.Value["fit"] == name && line.Value["measure"] == measure {
					wanted = append(wanted, line)
				}
			}
			penalties := problem.Penalties(100, problem.DefaultRatio())[:len(wanted)]
			same, err := SameColumns(x)(fold, 10)
			if err != nil {
				t.Fatal(err)
			}
			selection := Selection{Alpha: fit.alpha, Standardise: true, Tolerance: 1e-11, Loss: loss,
				Weights: ones(fit.classes)}
			held := validation{selection, same, labels[fit.label], fold, 10}
			curve, err := held.curve(t.Context(), penalties)
			if err != nil {
				t.Fatal(err)
			}
			for k, line := range wanted {
				if m, s := line.Num("mean"), line.Num("se"); math.Abs(curve.Mean[k]-m) > 1e-5 ||
					math.Abs(curve.Error[k]-s) > 1e-5 {
					t.Errorf("%s, %s, step %d: %v +- %v, want %v +- %v",
						name, measure, k+1, curve.Mean[k], curve.Error[k], m, s)
				}
			}
			if best, one := int(wanted[0].Num("min")), int(wanted[0].Num("se1")); curve.Best() != best-1 ||
				curve.WithinOneError() != one-1 {
				t.Errorf("%s, %s: steps %d and %d chosen, want %d and %d",
					name, measure, curve.Best()+1, curve.WithinOneError()+1, best, one)
			}
		}
	}
}

// TestOptimal: the subgradients of the whole objective contain 0 at each penalty, for both losses. The cases
// include fewer rows than columns, equal columns, separable classes, and weights that become nonzero one by
// one.
func TestOptimal(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: fits many elastic nets")
	}
	rng := randtest.New(1)
	for _, test := range []struct {
		n, p, classes int
		hinge         bool
	}{{60, 5, 2, false}, {40, 90, 2, false}, {60, 5, 4, false}, {30, 40, 3, false}, {60, 5, 2, true},
		{40, 90, 2, true}, {90, 60, 10, false}} {
		for _, alpha := range []float64{0, 0.3, 1} {
			x, y := mat.NewDense(test.n, test.p, nil), make([]int, test.n)
			for i := range y {
				y[i] = i % test.classes
				for j := range test.p {
					x.Set(i, j, rng.NormFloat64()+float64((y[i]+j)%test.classes))
				}
				x.Set(i, 1, x.At(i, 0))
				x.Set(i, 2, 7)
			}
			problem, err := New(x, y, ones(test.classes), alpha, true)
			if test.hinge {
				problem, err = newMachine(x, y, alpha)
			}
			if err != nil {
				t.Fatal(err)
			}
			path, err := problem.FullPath(t.Context(), problem.Penalties(30, 0.01), 1e-13)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range path {
				if worst := violation(problem, x, &m); worst > 1e-5 {
					t.Errorf("%+v, alpha %g, penalty %g: subgradient %g", test, alpha, m.Penalty, worst)
				}
			}
		}
	}
}

// TestNearlyCollinear: columns that are smooth functions of three variables, as log densities are, are nearly
// collinear. The quadratic approximations still converge: from the solution of one, the next does not move.
func TestNearlyCollinear(t *testing.T) {
	const n, p = 150, 60
	rng := randtest.New(2)
	x, y := mat.NewDense(n, p, nil), make([]int, n)
	for i := range y {
		for j := range p {
			if j < 3 {
				x.Set(i, j, rng.Float64())
			} else {
				x.Set(i, j, math.Log(1+x.At(i, j%3)*float64(j)/10))
			}
		}
		if rng.Float64() < 0.3+x.At(i, 0)-x.At(i, 1)*x.At(i, 2) {
			y[i] = 1
		}
	}
	for _, pose := range []func() (*Problem, error){
		func() (*Problem, error) { return New(x, y, ones(2), 1, true) },
		func() (*Problem, error) { return newMachine(x, y, 1) },
	} {
		problem, err := pose()
		if err != nil {
			t.Fatal(err)
		}
		s := newSolver(problem)
		s.lambda = problem.Penalties(2, 1e-4)[1]
		s.updateGradient()
		for s.activate(s.lambda) {
		}
		s.approximate()
		const tolerance = 1e-12
		if _, err := s.quad.solve(t.Context(), s.lambda, 1, tolerance); err != nil {
			t.Fatal(err)
		}
		copy(s.quad.start, s.quad.point)
		copy(s.quad.gradient, s.quad.slope)
		change, err := s.quad.solve(t.Context(), s.lambda, 1, tolerance)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.active) < p || change > tolerance {
			t.Errorf("hinge %v: a quadratic of %d columns still moves by %g", problem.hinge, len(s.active), change)
		}
	}
}

// violation returns the largest distance of 0 from a coordinate's subgradients, in units of the penalty, by
// the formula in the package comment.
func violation(q *Problem, x *mat.Dense, m *Model) float64 {
	eta := m.LinearPredictors(x)
	worst := 0.0
	for l := range q.k {
		for j := -1; j < q.p; j++ {
			if j >= 0 && q.scale[j] == 0 {
				continue
			}
			sum := 0.0
			for i := range q.n {
				z := 1.0
				if j >= 0 {
					z = (x.At(i, j) - q.centre[j]) * q.scale[j]
				}
				sum += z * slope(q, eta.RawRowView(i), i, l) / float64(q.n)
			}
			if j >= 0 {
				w := m.Weights.At(l, j) / q.scale[j]
				sum += m.Penalty * (1 - q.alpha) * w
				if w != 0 {
					sum += m.Penalty * q.alpha * math.Copysign(1, w)
				} else {
					sum = max(0, math.Abs(sum)-m.Penalty*q.alpha)
				}
			}
			worst = max(worst, math.Abs(sum)/m.Penalty)
		}
	}
	return worst
}

// slope is the derivative of row i's loss in eta_l.
func slope(q *Problem, eta []float64, i, l int) float64 {
	if q.hinge {
		sign := float64(2*q.y[i] - 1)
		return -sign * max(0, 1-sign*(eta[1]-eta[0]))
	}
	own, total := l, 0.0
	if q.k == 1 {
		own = 1
	}
	for _, v := range eta {
		total += math.Exp(v)
	}
	slope := math.Exp(eta[own]) / total
	if q.y[i] == own {
		slope--
	}
	return slope
}

// TestCentre compares with a search on a grid.
func TestCentre(t *testing.T) {
	rng := randtest.New(2)
	var memory []float64
	for range 200 {
		u := make([]float64, 2+rng.Intn(4))
		for i := range u {
			u[i] = float64(rng.Intn(7)-3) / 2
		}
		for _, alpha := range []float64{0, 0.2, 0.9, 1} {
			cost := func(t float64) (sum float64) {
				for _, v := range u {
					sum += (1-alpha)/2*(v-t)*(v-t) + alpha*math.Abs(v-t)
				}
				return sum
			}
			got := centre(u, alpha, &memory)
			for step := -400; step <= 400; step++ {
				if g := float64(step) / 200; cost(g) < cost(got)-1e-12 {
					t.Fatalf("u %v, alpha %g: %g costs %g, %g costs %g", u, alpha, got, cost(got), g, cost(g))
				}
			}
		}
	}
}

// The rounded sum of 13 equal weights is larger than 13 times the weight.
func TestCentreOfEqualWeights(t *testing.T) {
	const weight = 0.6124293392100718
	var memory []float64
	if got := centre(slices.Repeat([]float64{weight}, 13), 0, &memory); got != weight {
		t.Errorf("centre = %v, want %v", got, weight)
	}
}

// TestEqualClassesTie: without columns in the model, classes of equal size have exactly equal linear
// functions, so rounding errors do not decide.
func TestEqualClassesTie(t *testing.T) {
	rng := randtest.New(1)
	for _, kind := range []struct {
		classes int
		hinge   bool
	}{{2, false}, {2, true}, {3, false}} {
		classes := kind.classes
		for size := 2; size < 120; size += 7 {
			y := make([]int, classes*size)
			x := mat.NewDense(len(y), 3, randtest.Normals(rng, 3*len(y)))
			for i := range y {
				y[i] = i % classes
			}
			q, err := New(x, y, ones(classes), 1, true)
			if kind.hinge {
				q, err = newMachine(x, y, 1)
			}
			if err != nil {
				t.Fatal(err)
			}
			path, err := q.Path(t.Context(), q.Penalties(1, 0), 1e-7)
			if err != nil {
				t.Fatal(err)
			}
			if used := path[0].Used(); len(used) > 0 {
				t.Fatalf("%d classes, %d rows: columns %v at the first penalty", classes, len(y), used)
			}
			row := path[0].LinearPredictors(x).RawRowView(0)
			for _, v := range row {
				if v != row[0] {
					t.Fatalf("%d classes of %d rows: linear functions %v", classes, size, row)
				}
			}
		}
	}
}

// TestWeightsGolden: the path with class weights agrees with glmnet (testdata/weights.R).
func TestWeightsGolden(t *testing.T) {
	x, labels, _ := goldenRows(t)
	paths := map[string][]Model{}
	for label, weights := range map[string][]float64{"two": {3, 0.5}, "label": {3, 0.5, 1}} {
		problem, err := New(x, labels[label], weights, 1, true)
		if err != nil {
			t.Fatal(err)
		}
		penalties := problem.Penalties(100, problem.DefaultRatio())
		if paths[label], err = problem.Path(t.Context(), penalties, 1e-13); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range golden.Read(t, "testdata/weights.csv") {
		label, lambda, row := line.Value["label"], line.Num("lambda"), line.Int("row")
		at := slices.IndexFunc(paths[label], func(m Model) bool { return math.Abs(m.Penalty-lambda) < 1e-9*lambda })
		if at < 0 {
			t.Fatalf("%s: no penalty %v", label, lambda)
		}
		got := paths[label][at].LinearPredictors(x).RawRowView(row - 1)
		if label == "two" {
			got = []float64{got[1] - got[0]}
		}
		for l, g := range got {
			if want := line.Num(fmt.Sprintf("link%d", l)); math.Abs(g-want) > 1e-5 {
				t.Errorf("%s, penalty %v, row %d, link %d: %v, want %v", label, lambda, row, l, g, want)
			}
		}
	}
}

func ones(classes int) []float64 { return slices.Repeat([]float64{1}, classes) }

// newMachine is like New for two classes of equal weight, but uses the squared hinge loss.
func newMachine(x *mat.Dense, y []int, alpha float64) (*Problem, error) {
	machine := Selection{Alpha: alpha, Standardise: true, Loss: Hinge, Weights: ones(2)}
	return machine.problem(x, y)
}
