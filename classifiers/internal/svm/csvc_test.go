package svm

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/randtest"
)

// twoGaussians draws n rows of d standard normal values, where class +1 (every other row) is shifted by shift
// in each column.
func twoGaussians(n, d int, shift float64, seed uint64) (*mat.Dense, []float64) {
	rng := randtest.New(seed)
	x := mat.NewDense(n, d, nil)
	y := make([]float64, n)
	for i := range n {
		y[i] = float64(1 - 2*(i%2))
		for j := range d {
			x.Set(i, j, rng.NormFloat64()+shift*y[i]/2)
		}
	}
	return x, y
}

func linearGram(x *mat.Dense) *mat.SymDense {
	var k mat.SymDense
	k.SymOuterK(1, x)
	return &k
}

// checkOptimal tests feasibility, the KKT conditions with the returned bias and the duality gap, all computed
// again from k.
func checkOptimal(t *testing.T, k *mat.SymDense, y []float64, c, tol float64, alpha []float64, bias float64) {
	t.Helper()
	n := len(y)
	var balance, primal, dual float64
	for i := range n {
		if alpha[i] < 0 || alpha[i] > c {
			t.Fatalf("alpha[%d] = %g outside [0,%g]", i, alpha[i], c)
		}
		balance += alpha[i] * y[i]
	}
	if math.Abs(balance) > 1e-9*c*float64(n) {
		t.Errorf("y'alpha = %g", balance)
	}
	for i := range n {
		var g float64 // w'phi(x_i)
		for j := range n {
			g += alpha[j] * y[j] * k.At(i, j)
		}
		margin := y[i] * (g + bias)
		switch {
		case alpha[i] == 0 && margin < 1-tol:
			t.Errorf("row %d: alpha 0, margin %g", i, margin)
		case alpha[i] == c && margin > 1+tol:
			t.Errorf("row %d: alpha C, margin %g", i, margin)
		case alpha[i] > 0 && alpha[i] < c && math.Abs(margin-1) > tol:
			t.Errorf("row %d: alpha free, margin %g", i, margin)
		}
		dual += alpha[i] - alpha[i]*y[i]*g/2
		primal += alpha[i]*y[i]*g/2 + c*max(0, 1-margin)
	}
	// primal - dual = sum of C max(0,1-m_i) + a_i (m_i - 1) <= C n tol.
	if gap := primal - dual; gap < -1e-9*(1+primal) || gap > c*float64(n)*tol {
		t.Errorf("duality gap %g, primal %g", gap, primal)
	}
}

func TestSolveIsOptimal(t *testing.T) {
	for _, test := range []struct {
		n, d  int
		shift float64
		c     float64
	}{{2, 1, 1, 1}, {30, 2, 1, 1}, {60, 3, 0.3, 10}, {100, 20, 1, 0.01}, {100, 200, 1, 1}, {200, 5, 5, 100}} {
		x, y := twoGaussians(test.n, test.d, test.shift, uint64(test.n))
		k := linearGram(x)
		for _, tol := range []float64{1e-1, 1e-3, 1e-6} {
			t.Run(fmt.Sprintf("n=%d,d=%d,C=%g,tol=%g", test.n, test.d, test.c, tol), func(t *testing.T) {
				alpha, bias, err := solveGram(t.Context(), k, y, test.c, tol, nil)
				if err != nil {
					t.Fatal(err)
				}
				checkOptimal(t, k, y, test.c, tol, alpha, bias)
			})
		}
	}
}

// Two points at distance 2r on a line have the separating plane half way:
// alpha = min(C, 2/(2r)^2), w = 2r alpha.
func TestSolveTwoPoints(t *testing.T) {
	k := linearGram(mat.NewDense(2, 1, []float64{5, 1}))
	alpha, bias, err := solveGram(t.Context(), k, []float64{1, -1}, 10, 1e-9, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range []float64{alpha[0], alpha[1], bias} {
		if want := []float64{0.125, 0.125, -1.5}[i]; math.Abs(got-want) > 1e-9 {
			t.Errorf("value %d: %g, want %g", i, got, want)
		}
	}
}

func TestSolveWarmStart(t *testing.T) {
	x, y := twoGaussians(80, 4, 1, 3)
	k := linearGram(x)
	alpha, _, err := solveGram(t.Context(), k, y, 1, 1e-3, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, bias, err := solveGram(t.Context(), k, y, 1, 1e-3, alpha)
	if err != nil {
		t.Fatal(err)
	}
	for i := range alpha {
		if alpha[i] != again[i] {
			t.Fatalf("an optimal start moved: alpha[%d] %g -> %g", i, alpha[i], again[i])
		}
	}
	checkOptimal(t, k, y, 1, 1e-3, again, bias)
}

func TestSolveRefuses(t *testing.T) {
	x, y := twoGaussians(20, 2, 1, 1)
	k := linearGram(x)
	if _, _, err := solveGram(t.Context(), linearGram(mat.NewDense(2, 1, []float64{1, 2})), []float64{1, 1}, 1,
		1e-3, nil); err == nil {
		t.Error("one class: no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := solveGram(ctx, k, y, 1, 1e-3, nil); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		k.SetSym(3, 4, bad)
		if _, _, err := solveGram(t.Context(), k, y, 1, 1e-3, nil); err == nil {
			t.Errorf("kernel value %g: no error", bad)
		}
	}
}

// TestRowsOnDemand: with a cache that is too small for all rows, the machine is the same as with the whole
// matrix.
func TestRowsOnDemand(t *testing.T) {
	const n = mostRows + 200
	x, y := twoGaussians(n, 2, 0.5, 5)
	labels := make([]int, n)
	for i, v := range y {
		if v < 0 {
			labels[i] = 1
		}
	}
	decisions := func(cacheBytes int) *mat.Dense {
		options := Options{C: 1, Weights: []float64{1, 1}, Tol: 1e-6, CacheBytes: cacheBytes}
		m, err := Train(t.Context(), RBF{0.5}, x, labels, 2, options)
		if err != nil {
			t.Fatal(err)
		}
		return m.Decisions(x)
	}
	if whole, rows := decisions(8*n*n), decisions(1); !mat.EqualApprox(whole, rows, 1e-5) {
		t.Error("the decisions depend on the size of the cache")
	}
}

func TestCachedRows(t *testing.T) {
	const n = mostRows + 50
	x, _ := twoGaussians(n, 3, 0.5, 6)
	g, err := NewGram(t.Context(), RBF{0.5}, x)
	if err != nil {
		t.Fatal(err)
	}
	m := newCached(RBF{0.5}, newPoints(x), 1)
	rng := randtest.New(1)
	for range 5 * n {
		i := rng.Intn(n)
		for j, v := range m.row(i) {
			if math.Abs(v-g.row(i)[j]) > 1e-14 {
				t.Fatalf("K[%d][%d] = %g, want %g", i, j, v, g.row(i)[j])
			}
		}
	}
}

// TestKernels compares with the definitions of the kernels.
func TestKernels(t *testing.T) {
	x, _ := twoGaussians(40, 7, 1, 7)
	for _, test := range []struct {
		kernel Kernel
		value  func(dot, square float64) float64
	}{
		{Linear{}, func(dot, _ float64) float64 { return dot }},
		{RBF{0.3}, func(_, square float64) float64 { return math.Exp(-0.3 * square) }},
		{Polynomial{Gamma: 0.5, Coef0: 1, Degree: 3}, func(dot, _ float64) float64 { return math.Pow(0.5*dot+1, 3) }},
	} {
		g, err := NewGram(t.Context(), test.kernel, x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 40 {
			for j := range 40 {
				var dot, square float64
				for c := range 7 {
					u, v := x.At(i, c), x.At(j, c)
					dot += u * v
					square += (u - v) * (u - v)
				}
				want := test.value(dot, square)
				if got := g.row(i)[j]; math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
					t.Fatalf("%T: K[%d][%d] = %g, want %g", test.kernel, i, j, got, want)
				}
			}
		}
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, size := range []struct{ n, d int }{{800, 20}, {800, 420}} {
		b.Run(fmt.Sprintf("n=%d,d=%d", size.n, size.d), func(b *testing.B) {
			x, y := twoGaussians(size.n, size.d, 1/math.Sqrt(float64(size.d)), 1)
			k := linearGram(x)
			for b.Loop() {
				if _, _, err := solveGram(b.Context(), k, y, 1, 1e-3, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Solve solves libsvm's C-SVC problem
//
//	min over alpha  1/2 a'Qa - e'a  s.t.  y'a = 0,  0 <= a_i <= c,  Q_ij = y_i y_j K_ij
//
// for the n x n kernel matrix K and labels y in {-1,+1}. It starts from the feasible point start,
// or from zero if start is nil. It stops when the KKT gap, the violation of the optimality
// conditions, is below tol. The predicted label of x is the sign of sum_j alpha_j y_j K(x_j, x) +
// bias.
//
// Solve returns an error if all labels are equal, if K contains infinite or NaN values, or if the
// gap is not below tol after the last step.
func (g *Gram) Solve(ctx context.Context, y []float64, c, tol float64,
	start []float64) (alpha []float64, bias float64, err error) {
	if err := checkLabels(y); err != nil {
		return nil, 0, err
	}
	if !g.finite() {
		return nil, 0, errNotFinite
	}
	s := newSolver(byRow{g}, y, c, tol, signedStart(start, y, c))
	if _, err := s.run(ctx, math.MaxInt); err != nil {
		return nil, 0, err
	}
	solution := s.solution(y)
	return solution.Alpha, solution.Bias, nil
}

// solveGram calls Gram.Solve for a matrix stored by gonum as one triangle.
func solveGram(ctx context.Context, k *mat.SymDense, y []float64, c, tol float64,
	start []float64) (alpha []float64, bias float64, err error) {
	return unpack(k).Solve(ctx, y, c, tol, start)
}

// unpack writes both triangles of k.
func unpack(k *mat.SymDense) *Gram {
	n := k.SymmetricDim()
	g := &Gram{n: n, data: make([]float64, n*n)}
	for i := range n {
		for j := range n {
			g.data[i*n+j] = k.At(i, j)
		}
	}
	return g
}
