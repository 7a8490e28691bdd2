package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// Of very many rows, few end near the margin. Screening fixes alpha of all others at 0 or C,
// by the side of the margin on which an approximate machine has them, and solves the
// problem of the near rows. That solution shows which rows were fixed at the wrong bound;
// these count as near in the next step.
const (
	screenedFrom  = 15e9 // n^2 d from which working sets rarely solve a problem soon
	screenedShare = 5    // one of this many rows is near
	screenings    = 8    // largest number of steps
	touches       = 12   // working sets that may correct the last rows
)

// A screening is the state of these steps.
type screening struct {
	x      *mat.Dense
	y      []float64
	c, tol float64
	v      []float64 // weights and bias of the machine, d+1
	margin []float64 // y (<w, x> + bias) - 1 of each row
	alpha  []float64 // of each row
	wrong  []int     // rows fixed at the bound that v contradicts
}

// screen solves the problem of s by screening and reports whether it found the solution.
// The first machine is start or, if that is nil, the machine of every fifth row
// (screenedShare).
func (s *solver) screen(ctx context.Context, x *mat.Dense, y []float64, c float64, start *Solution) (bool, error) {
	n, d := x.Dims()
	p := &screening{
		x:      x,
		y:      y,
		c:      c,
		tol:    s.tol,
		v:      make([]float64, d+1),
		margin: make([]float64, n),
		alpha:  make([]float64, n),
	}
	if start != nil {
		copy(p.v[:d], start.W)
		p.v[d] = start.Bias
	} else if done, err := p.sample(ctx); !done || err != nil {
		return false, err
	}
	p.measure()
	for range screenings {
		if done, err := p.step(ctx); !done || err != nil {
			return false, err
		}
		if len(p.wrong) > linearSet {
			continue // too many for working sets
		}
		*s = *newSolverIn(s.scratch, s.k, y, c, s.tol, signedStart(p.alpha, y, c))
		if done, err := s.run(ctx, touches); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// sample sets v to the machine of one row in screenedShare, at a cost that makes up for the
// others. It reports whether the interior point method converged.
func (p *screening) sample(ctx context.Context) (bool, error) {
	var rows []int
	for i := 0; i < len(p.y); i += screenedShare {
		rows = append(rows, i)
	}
	part := p.restrict(rows, screenedShare*p.c)
	done, err := part.run(ctx)
	p.v = part.v
	return done, err
}

// step fixes all rows that are not near, solves the problem of the near ones, and updates
// the machine, the margins and the wrong rows. It reports whether the interior point method
// converged.
func (p *screening) step(ctx context.Context) (bool, error) {
	near := p.near()
	atC := make([]float64, len(p.y)) // y alpha of the fixed rows
	for i, m := range p.margin {
		if near[i] {
			continue
		}
		p.alpha[i] = 0
		if m < 0 {
			p.alpha[i] = p.c
			atC[i] = p.y[i] * p.c
		}
	}
	rows := positions(nil, near)
	free := p.restrict(rows, p.c)
	free.fixed = make([]float64, len(p.v))
	p.gemv(blas.Trans, atC, free.fixed[:len(p.v)-1])
	free.fixed[len(p.v)-1] = floats.Sum(atC)
	if done, err := free.run(ctx); !done || err != nil {
		return false, err
	}
	for k, a := range free.corner() {
		p.alpha[rows[k]] = a
	}
	p.v = free.v
	p.measure()
	p.wrong = p.wrong[:0]
	for i, m := range p.margin {
		if near[i] {
			continue
		}
		if p.alpha[i] == 0 && m < -p.tol || p.alpha[i] > 0 && m > p.tol {
			p.wrong = append(p.wrong, i)
		}
	}
	return true, nil
}

// near marks the rows nearest to the margin and the wrong rows.
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

// measure computes the margins at v.
func (p *screening) measure() {
	d := len(p.v) - 1
	p.gemv(blas.NoTrans, p.v[:d], p.margin)
	for i, y := range p.y {
		p.margin[i] = y*(p.margin[i]+p.v[d]) - 1
	}
}

// restrict returns the problem of the given rows at cost c.
func (p *screening) restrict(rows []int, c float64) *interior {
	return newInterior(columns.Rows(p.x, rows), dataset.At(p.y, rows), c)
}

// gemv sets to = X from or, for blas.Trans, to = X' from.
func (p *screening) gemv(t blas.Transpose, from, to []float64) {
	blas64.Gemv(t, 1, p.x.RawMatrix(), vector(from), 0, vector(to))
}
