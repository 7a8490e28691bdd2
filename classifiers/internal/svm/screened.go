package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// Screening solves linear problems with many rows in several steps. Each step starts from an approximate
// machine. In rows far from the margin of this machine, the step fixes the dual variables at 0 or C. It
// then solves the problem for the other rows, the near rows.
const (
	screenedFrom  = 15e9 // smallest n^2 d at which screening replaces slow working sets
	screenedShare = 5    // one row in screenedShare is near
	maxScreenings = 8    // largest number of screening steps
	maxCorrecting = 12   // largest number of working sets that correct the last wrong rows
)

// A screening is an approximate solution of a linear problem with all rows.
type screening struct {
	*interior
	tol    float64
	margin []float64 // margin[i] = y_i (<w, x_i> + bias) - 1, negative inside the margin
	wrong  []int     // rows fixed at a bound that contradicts their margin
}

// screen trains a linear support vector machine by screening. It reports whether it found the solution.
//
// The first approximate machine is the argument start, a solution for fewer or more columns. If start is
// nil, the first machine is trained on a sample of the rows.
//
// Each screening step fixes the dual variables alpha of most rows at a bound and solves the problem
// for the others. If it fixes at most maxWrong variables at the wrong bound, the solver restarts from
// its alpha and continues with working sets, which may find the exact solution. Otherwise, the next
// screening step frees the wrong variables.
func (s *solver) screen(ctx context.Context, x *mat.Dense, y []float64, c float64, start *Solution) (bool, error) {
	p := &screening{interior: newInterior(x, y, c), tol: s.tol, margin: make([]float64, len(y))}
	if start != nil {
		copy(p.v[:p.d], start.W)
		p.v[p.d] = start.Bias
	} else if converged, err := p.sample(ctx); !converged || err != nil {
		return false, err
	}
	p.measureMargins()
	maxWrong := linearSet // the wrong rows fit in one working set
	if s.precise() {
		maxWrong = 0 // precise corrections are slower than screening again
	}
	for range maxScreenings {
		if converged, err := p.screen(ctx); !converged || err != nil {
			return false, err
		}
		if len(p.wrong) <= maxWrong {
			s.restart(p.alpha, y, c)
			s.enlargeSets(finalSet(p.d)) // room for all variables that are usually between the bounds
			if solved, err := s.run(ctx, maxCorrecting); solved || err != nil {
				return solved, err
			}
		}
	}
	return false, nil
}

// sample trains the first machine, p.v, on one in screenedShare rows. Each of these rows represents
// screenedShare rows, so the cost is multiplied by screenedShare.
func (p *screening) sample(ctx context.Context) (converged bool, err error) {
	var rows []int
	for i := 0; i < len(p.y); i += screenedShare {
		rows = append(rows, i)
	}
	part := p.restrict(rows, screenedShare*p.c)
	converged, err = part.run(ctx)
	p.v = part.v
	return converged, err
}

// screen performs one screening step. It fixes alpha in all rows that are not near the margin and
// optimises the others. It updates p.alpha, p.v (the weights and the bias), p.margin and p.wrong, the
// rows fixed at the wrong bound. If the interior point method does not converge, screen returns false.
func (p *screening) screen(ctx context.Context) (bool, error) {
	near := p.near()
	rows := positions(near)
	problem := p.restrict(rows, p.c) // at the same cost
	problem.fixed = p.fixAlpha(near)
	if converged, err := problem.run(ctx); !converged || err != nil {
		return false, err
	}
	// The interior point method only approaches the bounds 0 and C. Rounding moves alpha to them.
	for k, a := range problem.roundedAlpha() {
		p.alpha[rows[k]] = a
	}
	p.v = problem.v
	p.measureMargins()
	p.findWrong(near)
	return true, nil
}

// fixAlpha fixes alpha in every row that is not near the margin: at C if margin[i] < 0, otherwise
// at 0. It returns the sum of y_i alpha_i (x_i, 1) over the fixed rows.
func (p *screening) fixAlpha(near []bool) []float64 {
	signed := make([]float64, len(p.y)) // y alpha of the fixed rows, 0 for near rows
	for i, m := range p.margin {
		if near[i] {
			continue
		}
		p.alpha[i] = 0
		if m < 0 {
			p.alpha[i] = p.c
			signed[i] = p.y[i] * p.c
		}
	}
	sum := make([]float64, p.d+1)
	p.combine(signed, sum)
	return sum
}

// findWrong sets p.wrong to the fixed rows whose alpha contradicts their margin by more than tol:
// alpha = 0 with a negative margin, or alpha = C with a positive margin.
func (p *screening) findWrong(near []bool) {
	p.wrong = p.wrong[:0]
	for i, m := range p.margin {
		if near[i] {
			continue
		}
		if p.alpha[i] == 0 && m < -p.tol || p.alpha[i] > 0 && m > p.tol {
			p.wrong = append(p.wrong, i)
		}
	}
}

// near reports which rows count as near the margin. These are the rows in p.wrong and, of n rows,
// the n/screenedShare rows with the smallest absolute margins.
func (p *screening) near() []bool {
	distances := make([]distance, len(p.margin))
	for i, m := range p.margin {
		distances[i] = distance{-math.Abs(m), i}
	}
	near := make([]bool, len(p.margin))
	for _, d := range furthest(distances, len(distances)/screenedShare) {
		near[d.row] = true
	}
	for _, i := range p.wrong {
		near[i] = true
	}
	return near
}

// measureMargins sets p.margin for the machine p.v.
func (p *screening) measureMargins() {
	p.decide(p.v, p.margin)
	for i, y := range p.y {
		p.margin[i] = y*p.margin[i] - 1
	}
}

// restrict returns the interior point problem of the given rows at cost c.
func (p *screening) restrict(rows []int, c float64) *interior {
	return newInterior(columns.Rows(p.x, rows), dataset.At(p.y, rows), c)
}
