package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"copse/internal/randtest"
)

// TestSolveScaledIsOptimal: the primal and the dual objective, computed by their definitions, agree. The
// start is zero or the solution for other scales.
func TestSolveScaledIsOptimal(t *testing.T) {
	const tol = 1e-6
	for _, test := range []struct {
		n, d  int
		shift float64
		c     float64
	}{{2, 1, 1, 1}, {30, 2, 1, 1}, {60, 3, 0.3, 10}, {100, 20, 1, 0.01}, {100, 200, 1, 1}, {500, 5, 1, 4}} {
		x, y := twoGaussians(test.n, test.d, test.shift, uint64(test.n))
		rng := randtest.New(1)
		var start *Solution
		for range 3 {
			s := make([]float64, test.n)
			for i := range s {
				s[i] = 0.1 + rng.Float64()
			}
			solution, err := SolveScaled(t.Context(), x, y, s, test.c, tol, start)
			if err != nil {
				t.Fatal(err)
			}
			start = solution
			w, alpha, bias := solution.W, solution.Alpha, solution.Bias
			primal, dual, balance := floats.Dot(w, w)/2, -floats.Dot(w, w)/2, 0.0
			sum := make([]float64, test.d)
			for i, a := range alpha {
				if a < 0 || a > test.c/s[i] {
					t.Fatalf("alpha[%d] = %g outside [0,%g]", i, a, test.c/s[i])
				}
				balance += y[i] * a
				floats.AddScaled(sum, y[i]*a, x.RawRowView(i))
				primal += test.c * max(0, 1-y[i]*(floats.Dot(w, x.RawRowView(i))+bias)/s[i])
				dual += s[i] * a
			}
			if !floats.EqualApprox(sum, w, 1e-9*(1+floats.Norm(w, 2))) ||
				math.Abs(balance) > 1e-9*test.c*float64(test.n) {
				t.Errorf("n %d: w %v, sum y alpha x %v, y'alpha %g", test.n, w, sum, balance)
			}
			if gap := primal - dual; gap < -1e-9*(1+primal) || gap > 10*test.c*float64(test.n)*tol {
				t.Errorf("n %d, d %d: duality gap %g, primal %g", test.n, test.d, gap, primal)
			}
		}
	}
}

// If all scales are 1, this is the problem of LinearSolver.
func TestSolveScaledByOne(t *testing.T) {
	x, y := twoGaussians(80, 4, 1, 2)
	ones := make([]float64, 80)
	floats.AddConst(1, ones)
	want := solveLinear(t, x, y, 2, 1e-8, nil)
	got, err := SolveScaled(t.Context(), x, y, ones, 2, 1e-8, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !floats.EqualApprox(got.W, want.W, 1e-6) || math.Abs(got.Bias-want.Bias) > 1e-6 {
		t.Errorf("%v, %g, want %v, %g", got.W, got.Bias, want.W, want.Bias)
	}
}
