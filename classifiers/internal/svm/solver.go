// Package svm trains support vector machines. It solves libsvm's C-SVC problem by sequential
// minimal optimisation on working sets.
//
// The files, in order of dependence:
//
//	kernel.go, points.go                        kernel values between rows
//	matrix.go, cached.go, products.go           kernel matrices
//	pair.go, newton.go                          the problem restricted to a working set
//	workingset.go, solver.go                    the whole problem
//	scaled.go, multiclass.go, path.go           decision functions
//	linear.go                                   linear problems, without a kernel matrix
//	interior.go, screened.go                    help for linear.go where working sets are slow
package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
)

// Given a positive semi-definite kernel matrix K (n x n), labels y in {-1,+1} and a cost C > 0, the
// problem is
//
//	min over a   1/2 a'Qa - e'a   s.t.  y'a = 0,  0 <= a_i <= C,  Q_ij = y_i y_j K_ij.
//
// The solver works with b_i = y_i a_i, which removes the labels from the matrix:
//
//	min over b   1/2 b'Kb - y'b   s.t.  sum b = 0,  lo_i <= b_i <= hi_i,
//
// where [lo,hi] is [0,C] if y = +1 and [-C,0] if y = -1. The negative gradient is f = y - Kb. A row
// is up if b < hi and low if b > lo. The point b is optimal if the KKT gap, max{f_i: i up} -
// min{f_j: j low}, is at most 0.
//
// The working set contains the rows furthest from optimality. The solver reads only these rows of
// K, so rows that stay at a bound cost nothing.

const (
	// A working set counts as solved if its KKT gap is below reduction times the KKT gap of the
	// whole problem. A more precise solution would waste steps, because later working sets change
	// the same dual variables again.
	reduction = 0.1
	// The default limit on the number of steps is the larger of minSteps and stepsPerRow times the
	// number of rows, as in libsvm.
	minSteps    = 10_000_000
	stepsPerRow = 100
	// pairTolerance is the default tolerance of libsvm. Pair steps, which change two dual
	// variables, reach it quickly. Smaller tolerances also need Newton steps, which change all free
	// rows.
	pairTolerance = 1e-3
)

// errNotConverged is wrapped by the error for a KKT gap that is too large after the last step.
var errNotConverged = errors.New("scale the columns or lower the cost")

var errNotFinite = errors.New(
	"support vector machine: the kernel matrix contains infinite or NaN values: scale the columns")

var errTooLarge = errors.New(
	"support vector machine: the kernel values are too large for floating point: scale the columns")

// solver is the state of the iteration for one problem, in the notation above.
type solver struct {
	kernel       matrix    // the kernel matrix K
	b, f, lo, hi []float64 // one value per row
	tol          float64   // the solver stops if the KKT gap is below tol
	limit        int       // largest number of steps
	fUp, fLow    float64   // largest f of the up rows, smallest f of the low rows
	steps        int       // number of steps so far
	enlargedSet  int       // size that a working set may have even if kernel.largestSet() is smaller
	setKernel    []float64 // memory for the kernel values of a working set
}

// newSolver returns a solver for the kernel matrix k, labels y in {-1,+1} and cost c. It minimises
// 1/2 b'Kb - y'b over the dual variables b_i = y_i alpha_i with sum 0, where 0 <= alpha_i <= c. It
// starts from the feasible point start, or from zero if start is nil.
func newSolver(k matrix, y []float64, c, tol float64, start []float64) *solver {
	n := len(y)
	s := &solver{
		kernel: k,
		b:      make([]float64, n),
		f:      slices.Clone(y), // the negative gradient y - Kb at b = 0
		lo:     make([]float64, n),
		hi:     make([]float64, n),
		tol:    tol,
		limit:  max(minSteps, stepsPerRow*n),
	}
	for i, label := range y { // b_i is in [0, c] for label +1 and in [-c, 0] for label -1
		if label > 0 {
			s.hi[i] = c
		} else {
			s.lo[i] = -c
		}
	}
	if start != nil {
		s.startAt(start)
	}
	return s
}

// restart replaces the solver by a new one that starts from the dual variables alpha, for labels y
// and cost c.
func (s *solver) restart(alpha, y []float64, c float64) {
	*s = *newSolver(s.kernel, y, c, s.tol, signedStart(alpha, y, c))
}

// startAt sets b to the feasible point start and updates f = y - Kb. The previous b must be zero.
func (s *solver) startAt(start []float64) {
	rows, values := nonzeros(start)
	s.kernel.subtract(s.f, rows, values)
	copy(s.b, start)
}

// nonzeros returns the rows at which b is not zero, and its values there.
func nonzeros(b []float64) (rows []int, values []float64) {
	for i, v := range b {
		if v != 0 {
			rows, values = append(rows, i), append(values, v)
		}
	}
	return rows, values
}

// run solves up to the given number of working sets and reports whether the KKT gap is below tol.
// It returns an error if s.limit steps are not enough, or if the gradient is not finite.
func (s *solver) run(ctx context.Context, workingSets int) (converged bool, err error) {
	for done := 0; ; done++ {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if !stats.Finite(floats.Sum(s.f)) {
			return false, errTooLarge
		}
		gap := s.measureGap()
		if gap < s.tol {
			return true, nil
		}
		if done == workingSets {
			return false, nil
		}
		if s.steps >= s.limit {
			return false, fmt.Errorf("support vector machine: the KKT gap is %g after %d steps, not below %g: %w",
				gap, s.steps, s.tol, errNotConverged)
		}
		rows := s.candidates()
		p := s.restrict(rows)
		steps, err := p.run(ctx, max(s.tol, reduction*gap), s.limit-s.steps)
		if err != nil {
			return false, err
		}
		s.steps += steps
		s.apply(rows, p)
	}
}

// precise reports whether the tolerance is so small that pair steps alone would be slow.
func (s *solver) precise() bool { return s.tol < pairTolerance }

// enlargeSets raises the limit on the number of rows in a working set if the solver is precise.
func (s *solver) enlargeSets(rows int) {
	if s.precise() {
		s.enlargedSet = rows
	}
}

// measureGap sets fUp and fLow and returns the KKT gap, fUp - fLow.
func (s *solver) measureGap() float64 {
	up, low := math.Inf(-1), math.Inf(1)
	b, lo, hi := s.b[:len(s.f)], s.lo[:len(s.f)], s.hi[:len(s.f)]
	for i, v := range s.f {
		if v > up && b[i] < hi[i] {
			up = v
		}
		if v < low && b[i] > lo[i] {
			low = v
		}
	}
	s.fUp, s.fLow = up, low
	return up - low
}

// solution changes s.b to alpha = y b and returns it with the bias, but without weights.
func (s *solver) solution(y []float64) *Solution {
	for i, v := range y {
		s.b[i] *= v
	}
	// The bounds of a row with label -1 are still -C and 0, and its alpha is never strictly between
	// them. So the method bias ignores these rows.
	return &Solution{Alpha: s.b, Bias: s.bias()}
}

// bias returns the mean of f over the free rows (lo < b < hi), where f equals the bias at the
// optimum. Without free rows, every bias from fUp to fLow is optimal, and bias returns the midpoint.
func (s *solver) bias() float64 {
	var sum float64
	free := 0
	for i, v := range s.b {
		if v > s.lo[i] && v < s.hi[i] {
			sum += s.f[i]
			free++
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	return (s.fUp + s.fLow) / 2
}

// checkLabels returns an error if all labels are equal.
func checkLabels(y []float64) error {
	if !slices.Contains(y, -1) || !slices.Contains(y, 1) {
		return fmt.Errorf("support vector machine: all %d training rows belong to one class", len(y))
	}
	return nil
}

// signedStart returns y_i alpha_i for each row, with the dual variables alpha limited to [0, c]. If
// alpha is nil, it returns nil.
func signedStart(alpha, y []float64, c float64) []float64 {
	if alpha == nil {
		return nil
	}
	b := make([]float64, len(y))
	for i, a := range alpha {
		b[i] = y[i] * min(max(a, 0), c)
	}
	return b
}
