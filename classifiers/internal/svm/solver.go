// Package svm trains support vector machines: libsvm's C-SVC problem, solved by
// sequential minimal optimisation on working sets.
//
// The files, from the bottom: kernel.go and points.go have kernels between rows; matrix.go,
// cached.go and products.go kernel matrices; pair.go and newton.go the problem restricted to a
// working set; workingset.go and solver.go the whole problem; csvc.go, scaled.go, multiclass.go
// and path.go decision functions. linear.go solves linear problems without a matrix. interior.go
// and screened.go help it where working sets are slow.
package svm

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// The problem. Given a positive semi-definite kernel matrix K (n x n), labels
// y in {-1,+1} and a cost C > 0,
//
//	min over a   1/2 a'Qa - e'a   s.t.  y'a = 0,  0 <= a_i <= C,  Q_ij = y_i y_j K_ij.
//
// The solver works with b_i = y_i a_i, which takes the labels out of the matrix:
//
//	min over b   1/2 b'Kb - y'b   s.t.  sum b = 0,  lo_i <= b_i <= hi_i,
//
// [lo,hi] = [0,C] where y = +1 and [-C,0] where y = -1. Its negative gradient is
// f = y - Kb. A row is up when b < hi and low when b > lo. The point is optimal
// when max{f_i: i up} <= min{f_j: j low}; the excess of the left side over the
// right one is the KKT gap.
//
// The working set has the rows that can belong to a pair with a gap. If there are too many, it
// has those that are furthest from optimality. The problem restricted to them is solved until
// their gap is a fraction of the present one, then f is brought up to date everywhere. So only
// the working set's rows of K are read, and the many rows that rest at a bound cost nothing.

const (
	// reduction is the fraction of the gap to which a working set is solved.
	// Closer would waste steps on rows that the next set moves again.
	reduction = 0.1
	// minSteps and stepsPerRow bound the number of steps, as in libsvm, unless the caller sets
	// another limit.
	minSteps    = 10_000_000
	stepsPerRow = 100
)

// errOpen is the error of a KKT gap that was still open after the last step.
var errOpen = errors.New("scale the columns or lower the cost")

var errTooLarge = errors.New(
	"support vector machine: the kernel matrix is too large for floating point: scale the columns")

// solver is the state of the iteration.
type solver struct {
	k            matrix
	b, f, lo, hi []float64 // as above, by row
	tol          float64   // KKT gap at which it stops
	limit        int       // largest number of steps
	fUp, fLow    float64   // largest f of the up rows, smallest f of the low rows
	steps        int       // number of steps so far
	*scratch
}

// scratch is memory that working sets and problems reuse.
type scratch struct {
	columns []float64  // f, lo and hi of the solver
	up, low []distance // candidates for a working set
	member  []bool     // rows of the working set
	rows    []int      // rows of the working set, ascending
	pairs   []float64  // columns of the restricted problem
	newton  newtonScratch
	moved   []int     // rows whose b changed
	delta   []float64 // and by how much
}

// resized returns a slice of n elements, in the memory of s if that is large enough.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, max(n, 2*cap(s)))
	}
	return s[:n]
}

// newSolver starts from the feasible point start, or from zero when it is nil.
func newSolver(k matrix, y []float64, c, tol float64, start []float64) *solver {
	return newSolverIn(new(scratch), k, y, c, tol, start)
}

// newSolverIn is newSolver in memory of a solver that is not used any more.
func newSolverIn(memory *scratch, k matrix, y []float64, c, tol float64, start []float64) *solver {
	n := len(y)
	memory.columns = resized(memory.columns, 3*n)
	column := func(j int) []float64 { return memory.columns[j*n : (j+1)*n] }
	s := &solver{
		k:       k,
		b:       make([]float64, n),
		f:       column(0),
		lo:      column(1),
		hi:      column(2),
		tol:     tol,
		limit:   max(minSteps, stepsPerRow*n),
		scratch: memory,
	}
	for i, v := range y {
		s.f[i], s.lo[i], s.hi[i] = v, 0, c
		if v < 0 {
			s.lo[i], s.hi[i] = -c, 0
		}
	}
	if start != nil {
		s.warm(start)
	}
	return s
}

// warm moves to the feasible point start.
func (s *solver) warm(start []float64) {
	rows, values := s.nonzeros(start)
	s.k.subtract(s.f, rows, values)
	copy(s.b, start)
}

// nonzeros returns the rows where b is not zero and the values there, valid until the next
// call or step.
func (s *scratch) nonzeros(b []float64) (rows []int, values []float64) {
	s.moved, s.delta = s.moved[:0], s.delta[:0]
	for i, v := range b {
		if v != 0 {
			s.moved, s.delta = append(s.moved, i), append(s.delta, v)
		}
	}
	return s.moved, s.delta
}

// run solves working sets until the KKT gap is below tol, but not more than the given number
// of them. It reports whether the gap is below tol.
func (s *solver) run(ctx context.Context, sets int) (bool, error) {
	for ; ; sets-- {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		sum := floats.Sum(s.f)
		if math.IsInf(sum, 0) || math.IsNaN(sum) {
			return false, errTooLarge
		}
		s.measure()
		gap := s.fUp - s.fLow
		if gap < s.tol {
			return true, nil
		}
		if sets == 0 {
			return false, nil
		}
		if s.steps >= s.limit {
			return false, fmt.Errorf("support vector machine: KKT gap %g after %d steps, wanted below %g: %w",
				gap, s.steps, s.tol, errOpen)
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

// measure computes fUp and fLow.
func (s *solver) measure() {
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
}

// solution returns alpha = y b, in the memory of b, and the bias. The bias comes from the free
// rows of label +1 alone, because alpha of the others lies outside the bounds of their b.
func (s *solver) solution(y []float64) (alpha []float64, bias float64) {
	for i, v := range y {
		s.b[i] *= v
	}
	return s.b, s.bias()
}

// bias returns the mean of f over the free rows, where f equals the bias at the optimum. If
// no row is free, it returns the middle of the interval that optimality allows.
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
