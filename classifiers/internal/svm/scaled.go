package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// scaledCache is the memory, in bytes, for the dot products of rows in SolveScaled.
const scaledCache = 100 << 20

// SolveScaled solves the linear problem in which the margin of row i is measured on a scale
// s_i > 0,
//
//	min over w, bias, xi  1/2 |w|^2 + c sum_i xi_i  s.t.  y_i (<w, x_i> + bias) / s_i >= 1 - xi_i,  xi_i >= 0,
//
// for the rows x (n x d) and labels y in {-1,+1}.
//
// It stops when the KKT gap, in units of <w, x>, is below tol. The argument start is nil or a
// solution for other scales or another cost. In the result, Alpha[i] lies between 0 and c / s_i.
func SolveScaled(ctx context.Context, x *mat.Dense, y, s []float64, c, tol float64,
	start *Solution) (*Solution, error) {
	if err := checkLabels(y); err != nil {
		return nil, err
	}
	_, d := x.Dims()
	near, err := solveScaledInterior(ctx, x, y, s, c)
	if err != nil {
		return nil, err
	}
	products := &linear{x: x, w: make([]float64, d)}
	var k matrix = products
	alpha := near
	if near == nil {
		k, alpha = newCached(Linear{}, newPoints(x), scaledCache), start.alpha()
	}
	p := newSolver(k, y, c, tol, nil)
	// Let b_i = y_i a_i / s_i for the multipliers a_i. The dual problem differs from the problem of
	// solver.go only in the bounds and in the linear term:
	//
	//	min over b  1/2 b'Kb - sum_i s_i y_i b_i  s.t.  sum b = 0,  0 <= y_i b_i <= c / s_i.
	for i, v := range s {
		p.f[i] *= v
		p.lo[i] /= v
		p.hi[i] /= v
	}
	if alpha != nil {
		p.startAt(p.feasible(alpha, y))
	}
	if near != nil {
		p.enlargeSets(finalSet(d))
	}
	if _, err := p.run(ctx, math.MaxInt); err != nil {
		return nil, err
	}
	products.combine(nonzeros(p.b)) // w = sum_i b_i x_i
	solution := p.solution(y)
	solution.W = products.w
	return solution, nil
}

// solveScaledInterior computes a start for SolveScaled by the interior point method: dual variables
// near the solution. It returns nil if the method does not converge. It also returns nil if n <= d,
// because working sets are then fast enough.
func solveScaledInterior(ctx context.Context, x *mat.Dense, y, s []float64, c float64) ([]float64, error) {
	n, d := x.Dims()
	if n <= d {
		return nil, nil
	}
	p := newInterior(x, y, c)
	p.scales = s
	if done, err := p.run(ctx); !done || err != nil {
		return nil, err
	}
	start := p.bounded()
	floats.Div(start, s)
	return start, nil
}

// feasible returns a point b with sum b = 0 and lo <= b <= hi, near the dual variables alpha.
//
// It first limits each b_i = y_i alpha_i to its bounds. It then shrinks all positive or all negative
// b_i, whichever have the larger sum of absolute values.
func (s *solver) feasible(alpha, y []float64) []float64 {
	b := make([]float64, len(alpha))
	positive, negative := 0.0, 0.0 // sums of |b_i| over the labels +1 and -1
	for i, a := range alpha {
		b[i] = min(max(a*y[i], s.lo[i]), s.hi[i])
		if y[i] > 0 {
			positive += math.Abs(b[i])
		} else {
			negative += math.Abs(b[i])
		}
	}
	smaller := min(positive, negative)
	for i := range b {
		switch {
		case b[i] == 0: // stays 0; both sums may be 0, so a factor could be 0/0
		case y[i] > 0:
			b[i] *= smaller / positive
		default:
			b[i] *= smaller / negative
		}
	}
	return b
}
