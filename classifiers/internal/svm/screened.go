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

// Few of many rows end near the margin. Screening takes the others for settled, at 0
// or at C by the side of the margin where an approximate machine has them, and solves
// for the near ones alone; that solution tells which rows were settled wrongly.
const (
	screenedFrom  = 15e9 // n^2 d, from which working sets seldom settle a problem
	screenedShare = 5    // one row of so many is near
	screenings    = 8    // after which another way is taken
	touches       = 12   // working sets that may put the last rows right
)

// A screening is the state of that iteration.
type screening struct {
	x      *mat.Dense
	y      []float64
	c, tol float64
	v      []float64 // weights and bias of the machine, d+1
	margin []float64 // n: y (<w, x> + bias) - 1
	alpha  []float64 // n
	wrong  []int     // rows settled on the side where v does not have them
}

// screen reports whether it found the solution. The first machine is start or, where
// that is nil, the one of every so manieth row.
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
			continue
		}
		*s = *newSolverIn(s.scratch, s.k, y, c, s.tol, signedStart(p.alpha, y, c))
		if done, err := s.run(ctx, touches); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// sample solves for a part of the rows, whose cost makes up for the others.
func (p *screening) sample(ctx context.Context) (bool, error) {
	var rows []int
	for i := 0; i < len(p.y); i += screenedShare {
		rows = append(rows, i)
	}
	near := p.restrict(rows, screenedShare*p.c)
	done, err := near.run(ctx)
	p.v = near.v
	return done, err
}

// step settles all but the near rows and those that were settled wrongly, and solves
// for these.
func (p *screening) step(ctx context.Context) (bool, error) {
	near := p.near()
	atC := make([]float64, len(p.y)) // y alpha of the settled rows
	settled := make([]bool, len(p.y))
	for i, m := range p.margin {
		if settled[i] = !near[i]; near[i] {
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
		if settled[i] && (p.alpha[i] == 0 && m < -p.tol || p.alpha[i] > 0 && m > p.tol) {
			p.wrong = append(p.wrong, i)
		}
	}
	return true, nil
}

// near marks the rows nearest to the margin, and those that were settled wrongly.
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

// restrict returns the problem of the given rows.
func (p *screening) restrict(rows []int, c float64) *interior {
	return newInterior(columns.Rows(p.x, rows), dataset.At(p.y, rows), c)
}

func (p *screening) gemv(t blas.Transpose, from, to []float64) {
	blas64.Gemv(t, 1, p.x.RawMatrix(), vector(from), 0, vector(to))
}
