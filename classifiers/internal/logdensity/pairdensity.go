package logdensity

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/kde"
)

// productRows is the smallest number of rows of a class at which the product kernels of each pair
// of variables are summed separately. These sums may use grids.
//
// With fewer rows, all pairs are summed together, because they share the exponentials of their
// variables. Grids are faster for 600 rows or more if no folds are left out, and for 6000 rows or
// more with ten folds.
const productRows = 4000

// worksPairByPair reports whether the kernel sums of each pair are computed separately. Otherwise,
// all pairs are computed together, point by point.
func (c *classDensities) worksPairByPair() bool {
	return len(c.pairs) > 0 && (!c.rule.Product() || len(c.rows) >= productRows)
}

// evaluatePairByPair stores the density of each pair e at the rows of x in column e.entry of
// out, or does nothing if worksPairByPair is false. A density below floorOf(e.entry) may be
// inaccurate.
func (c *classDensities) evaluatePairByPair(ctx context.Context, x, out *mat.Dense,
	floorOf func(entry int) float64) error {
	if !c.worksPairByPair() {
		return nil
	}
	n, _ := x.Dims()
	columns, density := matrixColumns(x), make([]float64, n)
	var m kde.MatrixMemory
	for _, e := range c.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.evaluatePair(ctx, &m, e, columns, density, floorOf(e.entry))
		out.SetCol(e.entry, density)
	}
	return nil
}

// evaluatePair sets dst[r] to the density of one pair at row r of the columns. Densities below the
// floor need not be accurate, but they stay below the floor.
func (c *classDensities) evaluatePair(ctx context.Context, m *kde.MatrixMemory, e pairEntry, columns [][]float64,
	dst []float64, floor float64) {
	s := c.pairSums(ctx, m, e)
	s.Sums(m, columns[e.I], columns[e.J], floor, [][]float64{dst})
	floats.Scale(s.Norm()/float64(len(c.rows)), dst)
}

// A sumsKey is the cache key of the kernel sums of a pair.
type sumsKey bandwidthKey

// keptGrids is the largest number of float64 values in the cached kernel sums of a training set:
// 2^23, or 64 MB. All pairs have equal shares.
const keptGrids = 1 << 23

// KeptGrids returns the largest number of float64 values that a training set caches for kernel sums.
func KeptGrids(n, classes, d int) int {
	if !fitsCache(n, classes, d) {
		return 0
	}
	return keptGrids
}

// pairSums returns the kernel sums of one pair of variables. If the sums are small, the training
// set caches them. Otherwise, they are in the memory of m until m fits another pair.
func (c *classDensities) pairSums(ctx context.Context, m *kde.MatrixMemory, e pairEntry) *kde.MatrixSums {
	if c.train == nil { // no cache, because a fold is left out
		return c.fitPair(m, e)
	}
	var fitted *kde.MatrixSums // nil unless this call computes the sums
	cached, _ := Derived(ctx, c.train, sumsKey(e.key), func() (*kde.MatrixSums, error) {
		fitted = c.fitPair(m, e)
		return c.cacheable(fitted), nil // nil if the sums are too large
	})
	switch {
	case cached != nil:
		return cached
	case fitted != nil: // too large for the cache
		return fitted
	default: // found too large by an earlier call, or ctx has ended
		return c.fitPair(m, e)
	}
}

// cacheable returns a copy of the kernel sums of a pair for the cache, or nil if the sums exceed the
// pair's share of the cache.
func (c *classDensities) cacheable(sums *kde.MatrixSums) *kde.MatrixSums {
	if sums.Numbers() > keptGrids/Count(c.train.C(), c.train.D()) {
		return nil
	}
	return sums.Clone()
}

// fitPair computes the kernel sums of one pair in the memory of m.
func (c *classDensities) fitPair(m *kde.MatrixMemory, e pairEntry) *kde.MatrixSums {
	return m.Fit(c.columns[e.I], c.columns[e.J], c.bandwidth(e), c.onePart)
}

// evaluatePairByPair is like classDensities.evaluatePairByPair, but out[0] receives estimates
// from all training rows, and out[1+g] receives estimates without fold g.
func (f *foldedDensities) evaluatePairByPair(ctx context.Context, x *mat.Dense, out []*mat.Dense,
	floorOf func(entry int) float64) error {
	if !f.worksPairByPair() {
		return nil
	}
	n, _ := x.Dims()
	columns := matrixColumns(x)
	folds := len(f.rowWeight)
	sums := make([][]float64, folds) // sums[g][r]: the kernel sum of one pair over fold g at row r
	for g := range sums {
		sums[g] = make([]float64, n)
	}
	sumsAtRow, densities := make([]float64, folds), make([]float64, len(out))
	var memory kde.MatrixMemory
	for _, e := range f.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := memory.Fit(f.columns[e.I], f.columns[e.J], f.bandwidth(e), f.partition)
		s.Sums(&memory, columns[e.I], columns[e.J], floorOf(e.entry), sums)
		for r := range n {
			for g := range sums {
				sumsAtRow[g] = sums[g][r]
			}
			f.combineFolds(densities, sumsAtRow, s.Norm())
			for k, density := range densities {
				out[k].Set(r, e.entry, density)
			}
		}
	}
	return nil
}

func matrixColumns(x *mat.Dense) [][]float64 {
	_, d := x.Dims()
	columns := make([][]float64, d)
	for j := range columns {
		columns[j] = mat.Col(nil, j, x)
	}
	return columns
}
