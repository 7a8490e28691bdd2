package svm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// The result is optimal for the whole kernel matrix, which LinearSolver never computes, and w is the
// combination of rows. The cases have few or many columns, more rows than a working set, duplicate rows, or
// classes with and without overlap.
func TestLinearSolverIsOptimal(t *testing.T) {
	for _, test := range []struct {
		n, d  int
		shift float64
		c     float64
	}{{2, 1, 1, 1}, {40, 2, 1, 1}, {300, 3, 0.3, 10}, {300, 20, 1, 0.01}, {100, 200, 1, 1}, {400, 5, 5, 100},
		{400, 60, 0.2, 1}, {900, 20, 0.2, 1}} {
		x, y := twoGaussians(test.n, test.d, test.shift, uint64(test.n))
		x.SetRow(test.n-2, x.RawRowView(0))
		k := linearGram(x)
		for _, tol := range []float64{1e-1, 1e-3, 1e-6} {
			t.Run(fmt.Sprintf("n=%d,d=%d,C=%g,tol=%g", test.n, test.d, test.c, tol), func(t *testing.T) {
				machine := solveLinear(t, x, y, test.c, tol, nil)
				checkOptimal(t, k, y, test.c, tol, machine.Alpha, machine.Bias)
				if w, want := machine.W,
					combination(x, y, machine.Alpha); !floats.EqualApprox(w, want, 1e-9*(1+floats.Norm(want, 2))) {
					t.Errorf("w = %v, want %v", w, want)
				}
			})
		}
	}
}

func solveLinear(t *testing.T, x *mat.Dense, y []float64, c, tol float64, start *Solution) *Solution {
	t.Helper()
	machine, err := new(LinearSolver).Solve(t.Context(), x, y, c, tol, start)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

// combination returns sum_i y_i alpha_i x_i.
func combination(x *mat.Dense, y, alpha []float64) []float64 {
	_, d := x.Dims()
	w := make([]float64, d)
	for i, a := range alpha {
		floats.AddScaled(w, a*y[i], x.RawRowView(i))
	}
	return w
}

// Like SLB, the test starts problems from the solution with fewer or more columns. The result is optimal
// again, and an optimal start does not move.
func TestLinearSolverWarmStart(t *testing.T) {
	x, y := twoGaussians(300, 40, 0.5, 3)
	var start *Solution
	for _, d := range []int{2, 10, 40, 40, 5} {
		part := x.Slice(0, 300, 0, d).(*mat.Dense)
		next := solveLinear(t, part, y, 1, 1e-4, start)
		if d == 40 && slices.Equal(start.Alpha, next.Alpha) != optimal(part, y, start.Alpha, 1e-4) {
			t.Error("moved from an optimal start, or stayed at one that is not")
		}
		checkOptimal(t, linearGram(part), y, 1, 1e-4, next.Alpha, next.Bias)
		start = next
	}
}

// A problem that starts from a solution with all products computes them at once, and its result is as good.
func TestLinearSolverGoesOnWithProducts(t *testing.T) {
	const n, tol = 400, 1e-4
	x, y := twoGaussians(n, 300, 0.1, 4)
	var l LinearSolver
	l.NextRows()
	var start *Solution
	dense := 0
	for _, d := range []int{80, 120, 200, 300} {
		part := x.Slice(0, n, 0, d).(*mat.Dense)
		next, err := l.Solve(t.Context(), part, y, 1, tol, start)
		if err != nil {
			t.Fatal(err)
		}
		checkOptimal(t, linearGram(part), y, 1, tol, next.Alpha, next.Bias)
		if start = next; next.dense {
			dense++
		}
	}
	if dense < 2 {
		t.Errorf("%d of 4 problems needed all products", dense)
	}
}

// Cached products are identical to newly computed ones.
func TestKeptProductsHaveTheSameBits(t *testing.T) {
	const n = 1000
	var l LinearSolver
	for _, seed := range []uint64{1, 2} { // the next rows lie where the first ones lay
		x, _ := twoGaussians(n, 700, 0.5, seed)
		l.NextRows()
		for _, d := range []int{100, 450, 700, 700, 250} {
			part := x.Slice(0, n, 0, d).(*mat.Dense)
			got, err := l.products.dots(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			want, err := new(growingProducts).dots(t.Context(), part)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.data, want.data) {
				t.Fatalf("%d columns: products differ", d)
			}
		}
		if l.products.columns == 0 {
			t.Error("no result is kept")
		}
	}
}

// optimal reports whether the KKT gap of alpha at C = 1 is below tol.
func optimal(x *mat.Dense, y, alpha []float64, tol float64) bool {
	s := newSolver(byRow{unpack(linearGram(x))}, y, 1, tol, nil)
	for i, a := range alpha {
		s.b[i] = a * y[i]
		floats.AddScaled(s.f, -a*y[i], s.kernel.(byRow).row(i))
	}
	s.measureGap()
	return s.fUp-s.fLow < tol
}

func TestLinearSolverRefuses(t *testing.T) {
	x, y := twoGaussians(20, 2, 1, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(LinearSolver).Solve(ctx, x, y, 1, 1e-3, nil); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e200} {
		x.Set(3, 1, bad)
		if _, err := new(LinearSolver).Solve(t.Context(), x, y, 1, 1e-3, nil); err == nil {
			t.Errorf("value %g: no error", bad)
		}
	}
}

// The interior point method returns a feasible alpha with an objective close to the optimum. Rows that belong
// at a bound are exactly there.
func TestSolveInterior(t *testing.T) {
	for _, test := range []struct {
		n, d int
		c    float64
	}{{200, 3, 1}, {200, 3, 100}, {200, 3, 1e-4}, {300, 40, 1}, {50, 60, 1}} {
		x, y := twoGaussians(test.n, test.d, 0.3, 5)
		alpha, err := solveInterior(t.Context(), x, y, test.c)
		if err != nil || alpha == nil {
			t.Fatalf("n = %d, d = %d, C = %g: %v, %v", test.n, test.d, test.c, alpha, err)
		}
		if balance := floats.Dot(alpha, y); math.Abs(balance) > 1e-12*test.c*float64(test.n) {
			t.Errorf("y'alpha = %g", balance)
		}
		k := linearGram(x)
		best, _, err := solveGram(t.Context(), k, y, test.c, 1e-6, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, want := dual(k, y, alpha), dual(k, y, best)
		if got < want-1e-4*math.Abs(want) {
			t.Errorf("n = %d, d = %d, C = %g: objective %g, optimum %g", test.n, test.d, test.c, got, want)
		}
		for i, a := range alpha {
			if a < 0 || a > test.c || (best[i] == 0) != (a == 0) {
				t.Errorf("n = %d, d = %d, C = %g: alpha[%d] = %g, %g at the optimum",
					test.n, test.d, test.c, i, a, best[i])
			}
		}
	}
}

// With many rows, the solver works on the few near the margin. It starts from the solution for fewer columns,
// from 0, or from a machine with all rows on the wrong side. Alpha is feasible, and no pair of rows can
// improve the objective by more than the tolerance.
func TestLinearSolverScreens(t *testing.T) {
	const n, d, c, tol = 36_000, 12, 1.0, 1e-3
	if !new(LinearSolver).screens(n, d) {
		t.Fatalf("%d rows of %d columns are few", n, d)
	}
	x, y := twoGaussians(n, d, 0.3, 9)
	fewer := solveLinear(t, x.Slice(0, n, 0, 8).(*mat.Dense), y, c, tol, nil)
	wrong := &Solution{W: slices.Clone(fewer.W), Alpha: make([]float64, n), Bias: -fewer.Bias}
	floats.Scale(-1, wrong.W)
	for name, start := range map[string]*Solution{"nothing": nil, "fewer columns": fewer, "the wrong side": wrong} {
		s := newSolver(&linear{x: x, w: make([]float64, d)}, y, c, tol, nil)
		if done, err := s.screen(t.Context(), x, y, c, start); err != nil || !done {
			t.Errorf("from %s: screening finds no row (%v)", name, err)
		}
		machine := solveLinear(t, x, y, c, tol, start)
		w := combination(x, y, machine.Alpha)
		if balance := floats.Dot(machine.Alpha, y); math.Abs(balance) > 1e-9*n ||
			!floats.EqualApprox(w, machine.W, 1e-8) {
			t.Errorf("from %s: y'alpha = %g, w = %v, want %v", name, balance, machine.W, w)
		}
		up, low := math.Inf(-1), math.Inf(1)
		for i, a := range machine.Alpha {
			if a < 0 || a > c {
				t.Fatalf("from %s: alpha[%d] = %g", name, i, a)
			}
			f := y[i] - floats.Dot(w, x.RawRowView(i))
			if y[i] > 0 && a < c || y[i] < 0 && a > 0 {
				up = max(up, f)
			}
			if y[i] > 0 && a > 0 || y[i] < 0 && a < c {
				low = min(low, f)
			}
		}
		if up-low > tol+1e-9 {
			t.Errorf("from %s: KKT gap %g", name, up-low)
		}
	}
}

// Few rows are screened only on demand. Along increasing costs, the solutions stay the same.
func TestLinearSolverScreensOnDemand(t *testing.T) {
	const n, tol = 1500, 1e-6
	x, y := twoGaussians(n, 8, 0.3, 9)
	var screened, plain *Solution
	for _, c := range []float64{0.01, 1, 50} {
		var err error
		if screened, err = (&LinearSolver{Screens: true}).Solve(t.Context(), x, y, c, tol, screened); err != nil {
			t.Fatal(err)
		}
		plain = solveLinear(t, x, y, c, tol, plain)
		checkOptimal(t, linearGram(x), y, c, tol, screened.Alpha, screened.Bias)
		if !floats.EqualApprox(screened.W, plain.W, 1e-4) {
			t.Errorf("cost %g: w = %v, without screening %v", c, screened.W, plain.W)
		}
	}
}

// dual returns sum alpha - 1/2 alpha'Q alpha.
func dual(k *mat.SymDense, y, alpha []float64) float64 {
	b := make([]float64, len(y))
	floats.MulTo(b, alpha, y)
	v := mat.NewVecDense(len(b), b)
	return floats.Sum(alpha) - mat.Inner(v, k, v)/2
}

// newtonProblem restricts a linear problem to its first m rows. Its point is feasible and strictly between
// the bounds.
func newtonProblem(m, d int, c float64) (*solver, *pairs) {
	x, y := twoGaussians(m, d, 1, 7)
	s := newSolver(byRow{unpack(linearGram(x))}, y, c, 1e-9, nil)
	start := make([]float64, m)
	for i := range start {
		start[i] = y[i] * c / 2
	}
	s.b = start
	for i, b := range start {
		floats.AddScaled(s.f, -b, s.kernel.(byRow).row(i))
	}
	return s, s.restrict(stats.Indices(m))
}

// If no bound interferes, one Newton step makes the gradients of all free rows equal. With bounds, the step
// stays feasible and lowers the objective.
func TestNewton(t *testing.T) {
	objective := func(s *solver, p *pairs) float64 { // 1/2 b'Kb - y'b = -1/2 b'(y + f)
		value := 0.0
		for i, b := range p.b {
			y := math.Copysign(1, s.hi[i]+s.lo[i])
			value -= 0.5 * b * (y + p.f[i])
		}
		return value
	}
	_, p := newtonProblem(30, 200, 0.01)
	for i := range p.b {
		p.lo[i], p.hi[i] = -1e6, 1e6
	}
	p.newton(p.free())
	if spread := floats.Max(p.f) - floats.Min(p.f); spread > 1e-6 {
		t.Errorf("f differs by %g among the free rows", spread)
	}
	if sum := floats.Sum(p.b); math.Abs(sum) > 1e-6 {
		t.Errorf("sum b = %g", sum)
	}
	for _, d := range []int{3, 40, 200} {
		s, p := newtonProblem(30, d, 0.01)
		before := objective(s, p)
		for range 5 {
			p.newton(p.free())
			after := objective(s, p)
			if after > before+1e-12 {
				t.Errorf("d = %d: objective %g, before %g", d, after, before)
			}
			before = after
			for i, b := range p.b {
				if b < p.lo[i] || b > p.hi[i] {
					t.Errorf("d = %d: b[%d] = %g outside [%g,%g]", d, i, b, p.lo[i], p.hi[i])
				}
			}
			if sum := floats.Sum(p.b); math.Abs(sum) > 1e-12 {
				t.Errorf("d = %d: sum b = %g", d, sum)
			}
		}
	}
}

// A precise solution needs Newton steps that move all free rows: about d+1 if the classes overlap. Their
// kernel matrix has rank d, so it is singular if d+1 rows are free.
func TestPreciseSolutionsTakeFewSteps(t *testing.T) {
	const c, tol = 1.0, 1e-8
	for _, size := range [][2]int{{3000, 200}, {3000, 40}} {
		n, d := size[0], size[1]
		x, y := twoGaussians(n, d, 0.02, 6)
		s := newSolver(&linear{x: x, w: make([]float64, d)}, y, c, tol, nil)
		if err := s.settle(t.Context(), new(growingProducts), x, y, c, nil, false); err != nil {
			t.Fatal(err)
		}
		s.limit = 10_000
		s.enlargeSets(finalSet(d))
		if converged, err := s.run(t.Context(), math.MaxInt); !converged {
			t.Errorf("%d rows, %d columns: %v", n, d, err)
		}
	}
}

// Screening also needs such Newton steps.
func TestScreeningIsPrecise(t *testing.T) {
	const n, d, c, tol = 6000, 200, 1.0, 1e-8
	x, y := twoGaussians(n, d, 0.1, 6)
	s := newSolver(&linear{x: x, w: make([]float64, d)}, y, c, tol, nil)
	if done, err := s.screen(t.Context(), x, y, c, nil); err != nil || !done {
		t.Errorf("screening ends without a solution (%v)", err)
	}
	free := 0
	for i, b := range s.b {
		if b > s.lo[i] && b < s.hi[i] {
			free++
		}
	}
	if free <= linearSet {
		t.Errorf("only %d rows are free", free)
	}
}

func BenchmarkLinearSolver(b *testing.B) {
	for _, size := range [][2]int{{1000, 40}, {1000, 420}, {5000, 40}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			x, y := twoGaussians(size[0], size[1], 0.2, 1)
			for b.Loop() {
				if _, err := new(LinearSolver).Solve(b.Context(), x, y, 1, 1e-3, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
