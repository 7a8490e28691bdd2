package svm

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// A matrix gives a solver access to a symmetric kernel matrix K.
type matrix interface {
	// largestSet returns the largest number of rows in a working set.
	largestSet() int
	// restrict sets dst, m x m, to the kernel values K[i][j] for all i and j in rows.
	restrict(dst []float64, rows []int)
	// subtract subtracts sum_r delta[r] K[i][rows[r]] from f[i], for every row i.
	subtract(f []float64, rows []int, delta []float64)
}

// rowwise is a symmetric kernel matrix that is read row by row.
type rowwise interface {
	// row returns row i of K. The next call may overwrite the result.
	row(i int) []float64
}

// byRow accesses a kernel matrix row by row.
type byRow struct{ rowwise }

func (m byRow) largestSet() int { return workingSet }

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

// A Gram is an n x n kernel matrix stored in memory row by row.
type Gram struct {
	n    int
	data []float64
}

// NewGram computes the kernel matrix of the rows of x from their dot products. It returns the
// context's error if ctx is cancelled.
func NewGram(ctx context.Context, k Kernel, x *mat.Dense) (*Gram, error) {
	var products growingProducts // the zero value keeps nothing for another call
	g, err := products.dots(ctx, x)
	if err != nil {
		return nil, err
	}
	squares := make([]float64, g.n) // <x_i, x_i>
	for i := range squares {
		squares[i] = square(x.RawRowView(i))
	}
	for i := range g.n {
		if i%rowsPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		fromDiagonal := g.data[i*(g.n+1) : (i+1)*g.n] // row i from the diagonal on: columns i to n-1
		k.apply(fromDiagonal, squares[i], squares[i:])
	}
	g.mirror()
	return g, nil
}

// growingProducts computes the dot products of rows that get more columns from call to call. It adds
// the products over groups of columns and can keep them for the next call. The result is bitwise
// identical to the result without kept products. The zero value is ready to use and keeps nothing.
type growingProducts struct {
	keeps   bool // whether dots keeps products for the next call
	kept    Gram // the products over the first columns
	columns int  // number of these columns; 0: nothing is kept yet
	result  Gram // the result of the last call, over all columns
}

// dots returns the dot products of all pairs of rows of x, in the upper triangle of a matrix. The
// next call overwrites the result.
//
// If s.keeps is true, dots also keeps the products over the first columns of x for the next call. The
// next x may have more or fewer columns, but common columns must be unchanged.
func (s *growingProducts) dots(ctx context.Context, x *mat.Dense) (*Gram, error) {
	n, d := x.Dims()
	s.result = Gram{n, stats.Resized(s.result.data, n*n)}
	pairs := n*n/2 + 1                         // about the number of pairs of rows
	groupSize := max(1, productsPerLook/pairs) // number of columns between two checks of the context
	if !s.keeps {
		clear(s.result.data)
		return &s.result, s.result.addColumns(ctx, x, 0, d, groupSize)
	}
	// Keep products over complete groups only. The next call may have more columns for an incomplete
	// last group, and adding these columns to kept sums would round differently.
	complete := d / groupSize * groupSize // number of columns in complete groups
	if err := s.extendKept(ctx, x, complete, groupSize); err != nil {
		return nil, err
	}
	copy(s.result.data, s.kept.data)
	return &s.result, s.result.addColumns(ctx, x, complete, d, groupSize)
}

// extendKept extends the kept dot products to columns 0..to-1 of x. If the kept products include more
// columns than x has, extendKept computes all products again.
func (s *growingProducts) extendKept(ctx context.Context, x *mat.Dense, to, groupSize int) error {
	n, d := x.Dims()
	s.kept = Gram{n, stats.Resized(s.kept.data, n*n)}
	if s.columns == 0 || s.columns > d { // begin again
		clear(s.kept.data)
		s.columns = 0
	}
	from := s.columns
	s.columns = to
	return s.kept.addColumns(ctx, x, from, to, groupSize)
}

// addColumns adds the dot products over the columns from..to-1 of x to the upper triangle of g, in
// groups of groupSize columns.
func (g *Gram) addColumns(ctx context.Context, x *mat.Dense, from, to, groupSize int) error {
	rows := x.RawMatrix()
	for ; from < to; from += groupSize {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.add(ctx, rows.Data[from:], rows.Stride, min(groupSize, to-from))
	}
	return nil
}

const (
	productsPerLook = 100_000_000 // number of products between two checks of the context
	rowsPerLook     = 64          // number of kernel rows between two checks of the context
)

func (g *Gram) row(i int) []float64 { return g.data[i*g.n : (i+1)*g.n : (i+1)*g.n] }

func (g *Gram) finite() bool {
	for i := range g.n {
		for _, v := range g.data[i*(g.n+1) : (i+1)*g.n] {
			if !stats.Finite(v) {
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
