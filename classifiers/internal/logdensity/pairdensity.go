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
	var s kde.MatrixSums
	for _, e := range c.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.evaluatePair(&s, e, columns, density, floor(e.entry))
		out.SetCol(e.entry, density)
	}
	return nil
}

// evaluatePair sets dst to the density of one pair at the rows of the columns; s
// is scratch.
func (c *classDensities) evaluatePair(s *kde.MatrixSums, e pairEntry, columns [][]float64, dst []float64, floor float64) {
	c.fit(s, e, c.whole, floor)
	s.Sums(columns[e.I], columns[e.J], [][]float64{dst})
	norm := s.Norm() / float64(len(c.rows))
	for r := range dst {
		dst[r] *= norm
	}
}

// evaluatePairwise writes the pairs' densities at each row of x to out[0], all
// rows in them, and to out[1+g], without fold g. Errors of kde.LogError times an
// entry's floor are let pass.
func (f *foldedDensities) evaluatePairwise(ctx context.Context, x *mat.Dense, out []*mat.Dense, floor func(entry int) float64) error {
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
	var s kde.MatrixSums
	for _, e := range f.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.fit(&s, e, f.partition, floor(e.entry))
		s.Sums(columns[e.I], columns[e.J], sums)
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

// fit prepares the density of one pair.
func (c *classDensities) fit(s *kde.MatrixSums, e pairEntry, p kde.Partition, floor float64) {
	s.Fit(c.columns[e.I], c.columns[e.J], c.bandwidth(e), p, floor)
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
