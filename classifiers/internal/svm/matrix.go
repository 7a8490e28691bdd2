package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A matrix gives a solver access to a symmetric kernel matrix K.
type matrix interface {
	// most returns the largest number of rows in a working set.
	most() int
	// restrict writes the kernel values among m rows to dst, m x m.
	restrict(dst []float64, rows []int)
	// subtract subtracts sum_r delta[r] K[:][rows[r]] from f.
	subtract(f []float64, rows []int, delta []float64)
}

// rowwise is a symmetric kernel matrix that returns its rows.
type rowwise interface {
	// row returns K[i][:], valid until the next call.
	row(i int) []float64
}

// byRow is a matrix made of rows.
type byRow struct{ rowwise }

func (m byRow) most() int { return workingSet }

func (m byRow) restrict(dst []float64, rows []int) {
	for r, i := range rows {
		from, to := m.row(i), dst[r*len(rows):(r+1)*len(rows)]
		for c, j := range rows {
			to[c] = from[j]
		}
	}
}

func (m byRow) subtract(f []float64, rows []int, delta []float64) {
	for r, i := range rows {
		floats.AddScaled(f, -delta[r], m.row(i))
	}
}

// A Gram is an n x n kernel matrix in memory, row after row.
type Gram struct {
	n    int
	data []float64
}

// NewGram computes the kernel matrix of the rows of x.
func NewGram(ctx context.Context, k Kernel, x *mat.Dense) (*Gram, error) {
	g, err := newDots(ctx, x)
	if err != nil {
		return nil, err
	}
	zz := make([]float64, g.n)
	for i := range zz {
		zz[i] = square(x.RawRowView(i))
	}
	for i := range g.n {
		if i%rowsPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k.apply(g.data[i*(g.n+1):(i+1)*g.n], zz[i], zz[i:])
	}
	g.mirror()
	return g, nil
}

// newDots computes the upper triangle of the dot products of the rows of x.
func newDots(ctx context.Context, x *mat.Dense) (*Gram, error) { return new(stepwise).dots(ctx, x) }

// stepwise computes dot products of rows that gain columns from call to call. It adds the
// columns in steps and keeps the products over all whole steps, so that the next call adds
// only the new columns and has the bits of a single call.
type stepwise struct {
	kept    bool // whether products are kept
	first   Gram // the kept products
	columns int  // number of columns in first
	all     Gram // the result of the last call
}

// dots returns the upper triangle of the dot products of the rows of x, valid until the next
// call. If products are kept, x must begin with the columns of the last call.
func (s *stepwise) dots(ctx context.Context, x *mat.Dense) (*Gram, error) {
	n, d := x.Dims()
	s.all = Gram{n, resized(s.all.data, n*n)}
	step := max(1, productsPerLook/(n*n/2+1))
	if !s.kept {
		clear(s.all.data)
		return &s.all, s.all.addColumns(ctx, x, 0, d, step)
	}
	whole := d / step * step // columns of whole steps
	if err := s.extend(ctx, x, whole, step); err != nil {
		return nil, err
	}
	copy(s.all.data, s.first.data)
	return &s.all, s.all.addColumns(ctx, x, whole, d, step)
}

// extend makes the kept products those over the first to columns of x.
func (s *stepwise) extend(ctx context.Context, x *mat.Dense, to, step int) error {
	n, d := x.Dims()
	s.first = Gram{n, resized(s.first.data, n*n)}
	if s.columns == 0 || s.columns > d { // begin again
		clear(s.first.data)
		s.columns = 0
	}
	from := s.columns
	s.columns = to
	return s.first.addColumns(ctx, x, from, to, step)
}

// addColumns adds the dot products over the columns from..to-1 of x, step columns at a time.
func (g *Gram) addColumns(ctx context.Context, x *mat.Dense, from, to, step int) error {
	rows := x.RawMatrix()
	for ; from < to; from += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.add(ctx, rows.Data[from:], rows.Stride, min(step, to-from))
	}
	return nil
}

const (
	// productsPerLook is the number of products between two checks of the context.
	productsPerLook = 100_000_000
	// rowsPerLook is the number of kernel rows between two checks of the context.
	rowsPerLook = 64
)

func (g *Gram) row(i int) []float64 { return g.data[i*g.n : (i+1)*g.n : (i+1)*g.n] }

// finite reports whether every entry of the upper triangle is finite.
func (g *Gram) finite() bool {
	for i := range g.n {
		for _, v := range g.data[i*(g.n+1) : (i+1)*g.n] {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return false
			}
		}
	}
	return true
}

// mirror copies the upper triangle to the lower one.
func (g *Gram) mirror() {
	for i := range g.n {
		for j := range i {
			g.data[i*g.n+j] = g.data[j*g.n+i]
		}
	}
}
