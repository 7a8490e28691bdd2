package machines

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
	"copse/stats/recipe"
)

// incompleteGolden returns the rows of testdata/incomplete.sh, whose label +1 is class 0, and the results of
// libsvm.
func incompleteGolden(t *testing.T) (*dataset.Set, []golden.Row) {
	t.Helper()
	g := golden.Columns(t, "../testdata/incomplete.csv")
	x, y := mat.NewDense(len(g["label"]), 4, nil), make([]int, len(g["label"]))
	for j := range 4 {
		x.SetCol(j, g[fmt.Sprintf("x%d", j+1)])
	}
	for i, label := range g["label"] {
		y[i] = int(1-label) / 2
	}
	return dataset.New(x, y, 2), golden.Read(t, "../testdata/incomplete-golden.csv")
}

// fitIncomplete fits a machine to s with one cost and without standardising. It returns the hyperplane and
// the columns of the fit.
func fitIncomplete(
	t *testing.T,
	c method.Classifier,
	s *incompleteSVM,
	train *dataset.Set,
	cost float64,
) (*svm.Solution, *mat.Dense) {
	t.Helper()
	s.LogCosts, s.Standardise, s.Tolerance = []float64{math.Log2(cost)}, false, 1e-7
	numeric := columns.NewIncomplete(train, false)
	if _, means := c.(*SVMMean); means {
		if err := numeric.FillMeans(train); err != nil {
			t.Fatal(err)
		}
	}
	return planeOf(methodtest.Fit(t, c, train), train.D()), numeric.Apply(train.X)
}

// planeOf returns the hyperplane of a rule for two classes of d numeric columns that are
// not standardised, from its values at 0 and at the unit vectors.
func planeOf(rule *method.Rule, d int) *svm.Solution {
	x := mat.NewDense(d+1, d, nil)
	for j := range d {
		x.Set(j+1, j, 1)
	}
	f := rule.PairScores(x)
	h := &svm.Solution{Bias: f.At(0, 0)}
	for j := range d {
		h.W = append(h.W, f.At(j+1, 0)-h.Bias)
	}
	return h
}

// slack returns sum_i max(0, 1 - y_i (w'x_i + b)) of a set whose class 0 is y = +1.
func slack(h *svm.Solution, x *mat.Dense, y []int) (sum float64) {
	for i, label := range y {
		sum += max(0, 1-float64(1-2*label)*at(h, x.RawRowView(i)))
	}
	return sum
}

// averageNorm returns (1/n) sum_i |w^(i)|^2, row by row.
func averageNorm(h *svm.Solution, x *mat.Dense) (mean float64) {
	n, _ := x.Dims()
	for i := range n {
		for f, v := range x.RawRowView(i) {
			if !math.IsNaN(v) {
				mean += h.W[f] * h.W[f] / float64(n)
			}
		}
	}
	return mean
}

// TestIncompleteGolden compares with libsvm 3.24 (testdata/incomplete.sh). The objectives are computed by the
// papers' formulas, so the objective of avg-w does not use the scaled columns that libsvm received.
func TestIncompleteGolden(t *testing.T) {
	train, rows := incompleteGolden(t)
	for _, row := range rows {
		coding, c, wantObjective, wantBias := row.Value["coding"], row.Num("c"), -row.Num("objective"), row.Num("bias")
		var objective, bias float64
		switch coding {
		case "means":
			s := NewSVMMean()
			h, x := fitIncomplete(t, s, &s.incompleteSVM, train, c)
			objective, bias = floats.Dot(h.W, h.W)/2+c*slack(h, x, train.Y), h.Bias
		case "average":
			s := NewAvgW()
			h, x := fitIncomplete(t, s, &s.incompleteSVM, train, c)
			objective, bias = averageNorm(h, x)/2+c*slack(h, x, train.Y), h.Bias
		}
		if math.Abs(objective-wantObjective) > 1e-5*wantObjective || math.Abs(bias-wantBias) > 1e-4 {
			t.Errorf(
				"%s, C = %g: objective %.6f, bias %.6f, want %.6f, %.6f",
				coding,
				c,
				objective,
				bias,
				wantObjective,
				wantBias,
			)
		}
	}
}

// TestAvgWIsOptimal: no other w and b, near or far, have a smaller objective. The objective is convex.
func TestAvgWIsOptimal(t *testing.T) {
	train, _ := incompleteGolden(t)
	for _, c := range []float64{0.01, 1, 100} {
		s := NewAvgW()
		h, x := fitIncomplete(t, s, &s.incompleteSVM, train, c)
		value := func(h *svm.Solution) float64 { return averageNorm(h, x)/2 + c*slack(h, x, train.Y) }
		least, rng := value(h), randtest.New(1)
		for k := range 5000 {
			size := math.Pow(10, -float64(k%6))
			other := &svm.Solution{W: slices.Clone(h.W), Bias: h.Bias + size*rng.NormFloat64()}
			for f := range other.W {
				other.W[f] += size * rng.NormFloat64()
			}
			if v := value(other); v < least*(1-1e-6) {
				t.Fatalf("C = %g: %v has the objective %g < %g", c, other, v, least)
			}
		}
	}
}

// Without missing values, all three equal the linear machine.
func TestIncompleteSVMsOnCompleteRows(t *testing.T) {
	train := methodtest.Gaussians(60, 3, 2, 1)
	y := make([]float64, train.N())
	for i, label := range train.Y {
		y[i] = float64(1 - 2*label)
	}
	for _, c := range []float64{0.0625, 1, 16} {
		machine, err := new(svm.LinearSolver).Solve(t.Context(), train.X, y, c, 1e-7, nil)
		if err != nil {
			t.Fatal(err)
		}
		means, average, instance := NewSVMMean(), NewAvgW(), NewGeom()
		for _, m := range []struct {
			c method.Classifier
			s *incompleteSVM
		}{{means, &means.incompleteSVM}, {average, &average.incompleteSVM}, {instance, &instance.incompleteSVM}} {
			h, _ := fitIncomplete(t, m.c, m.s, train, c)
			if !floats.EqualApprox(append(h.W, h.Bias), append(slices.Clone(machine.W), machine.Bias), 1e-5) {
				t.Errorf("%T, C = %g: %v, the plain machine has %v, %g", m.c, c, h, machine.W, machine.Bias)
			}
		}
	}
}

// TestGeomMaximisesInstanceMargins: the rows are +-(1,3) and +-(4,missing). By symmetry, b = 0. The second
// pair has distance 4 from any boundary in its own space. The smallest instance margin is therefore largest,
// sqrt(10), for w along (1,3). With zeros for missing values, w = (1/4,1/4).
func TestGeomMaximisesInstanceMargins(t *testing.T) {
	nan := math.NaN()
	train := dataset.New(
		mat.NewDense(6, 2, []float64{1, 3, -1, -3, 4, nan, -4, nan, nan, nan, nan, nan}),
		[]int{0, 1, 0, 1, 0, 1},
		2,
	)
	for rounds, want := range map[int][]float64{1: {0.25, 0.25}, 8: {0.1, 0.3}} {
		s := NewGeom()
		s.Rounds, s.Folds = rounds, 2
		if h, _ := fitIncomplete(t, s, &s.incompleteSVM, train, 1000); !floats.EqualApprox(
			append(h.W, h.Bias),
			append(want, 0),
			1e-5,
		) {
			t.Errorf("%d rounds: %v, want w = %v", rounds, h, want)
		}
	}
}

// TestGeomObjective: more rounds never increase the paper's objective J, and here they decrease it.
func TestGeomObjective(t *testing.T) {
	train, _ := incompleteGolden(t)
	objective := func(h *svm.Solution, x *mat.Dense, c float64) float64 {
		j := floats.Dot(h.W, h.W) / 2
		for i, label := range train.Y {
			var square float64
			for f, v := range x.RawRowView(i) {
				if !math.IsNaN(v) {
					square += h.W[f] * h.W[f]
				}
			}
			distance := float64(1-2*label) * at(h, x.RawRowView(i)) / math.Sqrt(square)
			j += c * max(0, 1-distance*floats.Norm(h.W, 2))
		}
		return j
	}
	for _, c := range []float64{0.01, 0.1, 1, 10} {
		var values []float64
		for rounds := range 6 {
			s := NewGeom()
			s.Rounds = 1 + rounds
			h, x := fitIncomplete(t, s, &s.incompleteSVM, train, c)
			values = append(values, objective(h, x, c))
		}
		for r, v := range values[1:] {
			if v > values[r] {
				t.Errorf("C = %g: objectives %v", c, values)
			}
		}
		if !(values[5] < values[0]) {
			t.Errorf("C = %g: no improvement in %v", c, values)
		}
	}
}

// The units of numeric attributes and the order of levels and columns do not matter.
func TestIncompleteSVMInvariances(t *testing.T) {
	holes := func(seed uint64) *dataset.Set {
		s := methodtest.Discretised(methodtest.Gaussians(90, 4, 3, seed), 1)
		rng := randtest.New(seed)
		for i := range s.N() {
			s.X.Set(i, rng.Intn(4), math.NaN())
		}
		return s
	}
	moved := func(s *dataset.Set) *dataset.Set {
		m := methodtest.WithColumn(s, 0, func(i int) float64 { return 1000 - 256*s.X.At(i, 0) })
		m = methodtest.WithColumn(m, 1, func(i int) float64 { return 3 - s.X.At(i, 1) })
		m = methodtest.WithColumn(m, 3, func(i int) float64 { return 1 - s.X.At(i, 3) })
		return m
	}
	for _, c := range []method.Classifier{NewSVMMean(), NewAvgW(), NewGeom()} {
		want := methodtest.Fit(t, c, holes(1)).Predict(holes(2).X)
		if got := methodtest.Fit(t, c, moved(holes(1))).Predict(moved(holes(2)).X); !slices.Equal(got, want) {
			t.Errorf("%T: other predictions in other units and codes", c)
		}
	}
}

// If a quarter of the training values are missing at random, each machine is nearly as good as Bayes' rule on
// complete test rows.
func TestIncompleteSVMsLearn(t *testing.T) {
	train, test := methodtest.Gaussians(200, 6, 2, 1), methodtest.Gaussians(500, 6, 2, 2)
	rng := randtest.New(3)
	for i := range train.N() {
		train.X.Set(i, rng.Intn(3), math.NaN())
		train.X.Set(i, 3+rng.Intn(3), math.NaN())
	}
	for _, c := range []method.Classifier{NewSVMMean(), NewAvgW(), NewGeom()} {
		if e := methodtest.ErrorRate(methodtest.Fit(t, c, train), test); e > 0.03 {
			t.Errorf("%T: error rate %g", c, e)
		}
	}
}

// The machines of each fold are trained only on its training rows. The chosen cost has the fewest errors over
// the folds, and is the smallest of several such costs.
func TestIncompleteSVMChoosesByCrossValidation(t *testing.T) {
	train := methodtest.Incomplete(methodtest.Gaussians(90, 8, 3, 4), 5)
	rng := randtest.New(6)
	for i := range train.N() { // labels with noise, so that costs differ
		if rng.Intn(4) == 0 {
			train.Y[i] = rng.Intn(3)
		}
	}
	average, instance := NewAvgW(), NewGeom()
	for _, m := range []struct {
		c method.Classifier
		s *incompleteSVM
	}{{average, &average.incompleteSVM}, {instance, &instance.incompleteSVM}} {
		m.s.Standardise, m.s.Tolerance = false, 1e-5
		grid := []float64{-12, -9, -6, -3, 0}
		fold := datasettest.Folds(t, train.Y, m.s.Folds, randtest.New(1))
		var wrong []float64
		for _, e := range grid {
			m.s.LogCosts = []float64{e}
			sum := 0.0
			for f := range m.s.Folds {
				in, out := dataset.SplitFold(fold, f)
				sum += math.Round(
					methodtest.ErrorRate(
						methodtest.Fit(t, m.c, train.Subset(in)),
						train.Subset(out),
					) * float64(
						len(out),
					),
				)
			}
			wrong = append(wrong, sum)
		}
		best := floats.MinIdx(wrong)
		if best == 0 || best == len(grid)-1 {
			t.Errorf("%T: the data do not tell the costs apart: errors %v", m.c, wrong)
		}
		m.s.LogCosts = []float64{grid[best]}
		want := methodtest.Fit(t, m.c, train).PairScores(train.X)
		m.s.LogCosts = grid
		if got := methodtest.Fit(t, m.c, train).PairScores(train.X); !mat.EqualApprox(got, want, 1e-2) {
			t.Errorf("%T: another machine than at the best cost, 2^%g of errors %v", m.c, grid[best], wrong)
		}
	}
}

func TestIncompleteSVMRefuses(t *testing.T) {
	s := NewAvgW()
	s.LogCosts = nil
	var mistake *recipe.Error
	if err := s.Validate(); !errors.As(err, &mistake) || mistake.Key != "log2_c" {
		t.Errorf("an empty grid: %v", err)
	}
	empty := methodtest.WithColumn(methodtest.Gaussians(20, 3, 2, 1), 1, func(int) float64 { return math.NaN() })
	_, err := NewSVMMean().Fit(t.Context(), empty, randtest.New(1))
	errtest.Case(t, "the mean of no values").Contains(err, `column "x2" has no value`)
	for _, c := range []method.Classifier{NewAvgW(), NewGeom()} {
		if w := methodtest.Fit(t, c, empty).Warnings; len(w) != 1 || !strings.Contains(w[0], `"x2"`) {
			t.Errorf("%T without any value of x2: warnings %q", c, w)
		}
	}
}
