package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/parallel"
	"copse/stats/vecmath"
)

// Products contains the dot products of n rows. Because Add can be called for one part of the columns
// at a time, a linear machine can be trained on more columns than fit in memory.
type Products struct{ Gram }

// NewProducts returns the dot products of n rows without columns, which are 0.
func NewProducts(n int) *Products { return &Products{Gram{n, make([]float64, n*n)}} }

// Add adds the contribution of the columns of x to the dot products. x must have n rows.
func (p *Products) Add(ctx context.Context, x *mat.Dense) {
	rows := x.RawMatrix()
	p.add(ctx, rows.Data, rows.Stride, rows.Cols)
}

// pieceRows is the number of rows of a kernel matrix that one parallel task computes.
const pieceRows = 64

// add adds R R' to the upper triangle of g, in parallel. R has g.n rows of the given number of
// columns. Row i begins at rows[i*stride].
func (g *Gram) add(ctx context.Context, rows []float64, stride, columns int) {
	parallel.For(ctx, (g.n+pieceRows-1)/pieceRows, func() func(int) {
		return func(b int) {
			vecmath.AddGramBlock(g.data, g.n, rows, stride, columns, b*pieceRows, min((b+1)*pieceRows, g.n))
		}
	})
}

// AddAll adds the dot products in q to p. They must be sums over other columns of the same rows.
func (p *Products) AddAll(q *Products) { floats.Add(p.data, q.data) }

// Solve trains a linear machine on the first len(y) rows, like LinearSolver.Solve, but from the dot
// products alone. The weights W of the result are nil.
func (p *Products) Solve(ctx context.Context, y []float64, c, tol float64,
	start *Solution) (*Solution, error) {
	if err := checkLabels(y); err != nil {
		return nil, err
	}
	if !p.finite() {
		return nil, errNotFinite
	}
	p.mirror()
	s := newSolver(byRow{head{&p.Gram, len(y)}}, y, c, tol, signedStart(start.alpha(), y, c))
	s.rescale(y)
	if _, err := s.run(ctx, math.MaxInt); err != nil {
		return nil, err
	}
	return s.solution(y), nil
}

// Decision returns the decision value <w, x_i> + bias of row i for the solution s, which Solve has
// computed for the labels y.
func (p *Products) Decision(i int, y []float64, s *Solution) float64 {
	value := s.Bias
	for j, k := range p.row(i)[:len(y)] {
		value += y[j] * s.Alpha[j] * k
	}
	return value
}

// head is the kernel matrix of the first m rows of a larger kernel matrix.
type head struct {
	*Gram
	m int
}

func (h head) row(i int) []float64 { return h.Gram.row(i)[:h.m] }
