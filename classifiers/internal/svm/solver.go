// Package svm trains support vector machines: libsvm's C-SVC problem, solved by
// sequential minimal optimisation.
//
// The layers, from the bottom: kernel.go (a kernel between rows), matrix.go
// (kernel matrices that a solver reads row by row), solver.go (the quadratic
// program), csvc.go and multiclass.go (decision functions).
package svm

import (
	"context"
	"fmt"
	"math"
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
// f = y - Kb. The point is optimal when max{f_i: b_i < hi_i} <= min{f_j: b_j > lo_j};
// the excess of the left side over the right one is the KKT gap.
//
// Each step moves the pair (i, j) that the second-order rule of Fan, Chen and Lin
// (JMLR 6:1889, 2005, WSS 2) picks: i has the largest f_i that can go up, j
// promises the largest decrease (f_i-f_j)^2 / (2 (K_ii+K_jj-2K_ij)) among those
// that can go down.

const (
	// curvatureFloor stands for K_ii+K_jj-2K_ij where that is not positive
	// (duplicate rows), as libsvm's TAU does.
	curvatureFloor = 1e-12
	// ctxInterval is the number of steps between two looks at the context.
	ctxInterval = 1 << 10
	// minSteps and stepsPerRow bound the number of steps, as in libsvm.
	minSteps    = 10_000_000
	stepsPerRow = 100
)

// A solution of the problem: b, its negative gradient f = y - Kb, the bias of
// the decision function sum_j b_j K(x_j, x) + bias, the KKT gap that is left and
// the number of steps taken.
type solution struct {
	b, f  []float64
	bias  float64
	gap   float64
	steps int
}

// solve minimises the problem to a KKT gap below tol. start is a feasible b or
// nil.
func solve(ctx context.Context, k matrix, y []float64, c, tol float64, start []float64) (*solution, error) {
	n := len(y)
	s := &smo{k: k, diag: k.diag(), b: make([]float64, n), f: make([]float64, n), lo: make([]float64, n), hi: make([]float64, n)}
	copy(s.f, y)
	for i, v := range y {
		if v > 0 {
			s.hi[i] = c
		} else {
			s.lo[i] = -c
		}
	}
	if start != nil {
		s.warm(start)
	}
	limit := max(minSteps, stepsPerRow*n)
	s.pickUp()
	steps := 0
	for ; s.fUp-s.fLow >= tol; steps++ {
		if steps%ctxInterval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if steps == limit {
			return nil, fmt.Errorf("support vector machine: KKT gap %g after %d steps, wanted below %g: scale the columns or lower the cost", s.fUp-s.fLow, steps, tol)
		}
		s.step(s.pickDown())
	}
	for _, v := range s.f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("support vector machine: the kernel matrix is too large for floating point: scale the columns")
		}
	}
	return &solution{b: s.b, f: s.f, bias: s.bias(), gap: s.fUp - s.fLow, steps: steps}, nil
}

// smo is the state of the iteration.
type smo struct {
	k            matrix
	diag         []float64
	b, f, lo, hi []float64
	up           int     // argmax of f over b < hi
	fUp, fLow    float64 // that maximum; min of f over b > lo
}

// warm starts from the given b.
func (s *smo) warm(start []float64) {
	copy(s.b, start)
	for j, v := range s.b {
		if v != 0 {
			row := s.k.row(j)
			for i := range s.f {
				s.f[i] -= v * row[i]
			}
		}
	}
}

// pickUp finds up, fUp and fLow.
func (s *smo) pickUp() {
	s.up, s.fUp, s.fLow = -1, math.Inf(-1), math.Inf(1)
	for t, v := range s.f {
		if v > s.fUp && s.b[t] < s.hi[t] {
			s.up, s.fUp = t, v
		}
		if v < s.fLow && s.b[t] > s.lo[t] {
			s.fLow = v
		}
	}
}

// pickDown returns the partner of up. It compares ratios by cross-multiplying,
// which is cheaper than dividing.
func (s *smo) pickDown() int {
	row := s.k.row(s.up)
	f, b, lo, diag := s.f[:len(row)], s.b[:len(row)], s.lo[:len(row)], s.diag[:len(row)]
	down, num, den := -1, 0.0, 1.0
	for t, kit := range row {
		diff := s.fUp - f[t]
		if diff <= 0 || b[t] <= lo[t] {
			continue
		}
		a := s.diag[s.up] + diag[t] - 2*kit
		if a <= 0 {
			a = curvatureFloor
		}
		if diff *= diff; diff*den > num*a {
			down, num, den = t, diff, a
		}
	}
	return down
}

// step minimises over (b_up, b_down) with their sum fixed, then updates f and
// finds the next up in the same pass.
func (s *smo) step(down int) {
	i, j := s.up, down
	ki, kj := s.k.row(i), s.k.row(j)
	a := s.diag[i] + s.diag[j] - 2*ki[j]
	if a <= 0 {
		a = curvatureFloor
	}
	delta := (s.f[i] - s.f[j]) / a
	roomUp, roomDown := s.hi[i]-s.b[i], s.b[j]-s.lo[j]
	delta = min(delta, roomUp, roomDown)
	s.b[i] += delta
	s.b[j] -= delta
	if delta == roomUp {
		s.b[i] = s.hi[i]
	}
	if delta == roomDown {
		s.b[j] = s.lo[j]
	}
	up, fUp, fLow := -1, math.Inf(-1), math.Inf(1)
	f := s.f
	b, lo, hi := s.b[:len(f)], s.lo[:len(f)], s.hi[:len(f)]
	ki, kj = ki[:len(f)], kj[:len(f)]
	for t, v := range f {
		v -= delta * (ki[t] - kj[t])
		f[t] = v
		if v > fUp && b[t] < hi[t] {
			up, fUp = t, v
		}
		if v < fLow && b[t] > lo[t] {
			fLow = v
		}
	}
	s.up, s.fUp, s.fLow = up, fUp, fLow
}

// bias is the mean of f over the free b, where f equals the bias exactly at the
// optimum; without free ones the middle of the interval that optimality allows.
func (s *smo) bias() float64 {
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
