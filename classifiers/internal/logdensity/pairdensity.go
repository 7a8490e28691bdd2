package logdensity

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"copse/stats/kde"
)

// Product kernels share their exponentials among the pairs of a class and are
// summed for all pairs at once, exactly, up to productRows rows: at 0.2 ns per
// kernel, grids would win from about 600 rows on for the whole sample and from ten
// times as many for ten folds. Others are summed pair by pair, from grids where
// that is faster, within kde.LogError: one pair's grid is made, read at all points
// and dropped before the next one, which bounds the memory.
const productRows = 4000

// pairwise reports whether the pairs' densities are summed pair by pair.
func (c *classDensities) pairwise() bool {
	return len(c.pairs) > 0 && (!c.rule.Product() || len(c.rows) >= productRows)
}

// evaluatePairwise writes the pairs' densities at each row of x; those below an
// entry's floor are any below it.
func (c *classDensities) evaluatePairwise(ctx context.Context, x, out *mat.Dense, floor func(entry int) float64) error {
	if !c.pairwise() {
		return nil
	}
	n, _ := x.Dims()
	columns, density := matrixColumns(x), make([]float64, n)
	var m kde.MatrixMemory
	for _, e := range c.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.evaluatePair(ctx, &m, e, columns, density, floor(e.entry))
		out.SetCol(e.entry, density)
	}
	return nil
}

// evaluatePair sets dst to the density of one pair at the rows of the columns.
func (c *classDensities) evaluatePair(ctx context.Context, m *kde.MatrixMemory, e pairEntry, columns [][]float64,
	dst []float64, floor float64) {
	s := c.pairSums(ctx, m, e)
	s.Sums(m, columns[e.I], columns[e.J], floor, [][]float64{dst})
	norm := s.Norm() / float64(len(c.rows))
	for r := range dst {
		dst[r] *= norm
	}
}

// A sumsKey names the kernel sums of a pair.
type sumsKey bandwidthKey

// keptGrids bounds the kernel sums that stay with a training set: about so many
// float64, 64 MB, an equal share for each pair.
const keptGrids = 1 << 23

// KeptGrids returns how many float64 that are at most, where kernels have bandwidth
// matrices.
func KeptGrids(n, classes, d int) int {
	if !few(n, classes, d) {
		return 0
	}
	return keptGrids
}

// pairSums returns the kernel sums of one pair, for use until m fits another: those
// that the training set keeps, if there is one and they are small enough.
func (c *classDensities) pairSums(ctx context.Context, m *kde.MatrixMemory, e pairEntry) *kde.MatrixSums {
	var fitted *kde.MatrixSums
	fit := func() { fitted = m.Fit(c.columns[e.I], c.columns[e.J], c.bandwidth(e), c.whole) }
	if c.train != nil {
		kept, _ := Derived(ctx, c.train, sumsKey(e.key), func() (*kde.MatrixSums, error) {
			if fit(); fitted.Numbers() > keptGrids/Count(c.train.C(), c.train.D()) {
				return nil, nil
			}
			return fitted.Clone(), nil
		})
		if kept != nil {
			return kept
		}
	}
	if fitted == nil {
		fit()
	}
	return fitted
}

// evaluatePairwise writes the pairs' densities at each row of x to out[0], all
// rows in them, and to out[1+g], without fold g. Errors of kde.LogError times an
// entry's floor are let pass.
func (f *foldedDensities) evaluatePairwise(ctx context.Context, x *mat.Dense, out []*mat.Dense,
	floor func(entry int) float64) error {
	if !f.pairwise() {
		return nil
	}
	n, _ := x.Dims()
	folds, rows := len(f.share), make([][]float64, len(out))
	columns, sums := matrixColumns(x), make([][]float64, folds)
	for g := range sums {
		sums[g] = make([]float64, n)
	}
	parts, after := make([]float64, folds), make([]float64, folds+1)
	var m kde.MatrixMemory
	for _, e := range f.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := m.Fit(f.columns[e.I], f.columns[e.J], f.bandwidth(e), f.partition)
		s.Sums(&m, columns[e.I], columns[e.J], floor(e.entry), sums)
		for r := range n {
			for g := range parts {
				parts[g] = sums[g][r]
			}
			for g, m := range out {
				rows[g] = m.RawRowView(r)
			}
			f.leaveOut(parts, after, s.Norm(), e.entry, rows)
		}
	}
	return nil
}

// matrixColumns returns the columns of x.
func matrixColumns(x *mat.Dense) [][]float64 {
	_, d := x.Dims()
	columns := make([][]float64, d)
	for j := range columns {
		columns[j] = mat.Col(nil, j, x)
	}
	return columns
}
