package classifiers

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"copse/stats/kde"
)

// Classes of kde.GridRows and more rows have their bivariate densities from
// grids, within kde.GridError of the kernel's peak. One pair's grid is made, read
// at all points and dropped before the next one, which bounds the memory.

// evaluateGrids writes the pairs' densities at each row of x.
func (c *classDensities) evaluateGrids(ctx context.Context, x, out *mat.Dense) error {
	n, _ := x.Dims()
	sum := []float64{0}
	for _, e := range c.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		g := c.grid(e, kde.Whole(len(c.rows)))
		norm := g.Norm() / float64(len(c.rows))
		for r := range n {
			g.Sums(x.At(r, e.I), x.At(r, e.J), sum)
			out.Set(r, e.entry, sum[0]*norm)
		}
	}
	return nil
}

// evaluateGrids writes the pairs' densities at each row of x to out[0], all rows
// in them, and to out[1+g], without fold g.
func (f *foldedDensities) evaluateGrids(ctx context.Context, x *mat.Dense, out []*mat.Dense) error {
	n, _ := x.Dims()
	var rows [][][]float64
	for _, m := range out {
		rows = append(rows, rowViews(m, 0, n))
	}
	parts, after := make([]float64, len(f.share)), make([]float64, len(f.share)+1)
	for _, e := range f.pairs {
		if err := ctx.Err(); err != nil {
			return err
		}
		g := f.grid(e, f.partition)
		for r := range n {
			g.Sums(x.At(r, e.I), x.At(r, e.J), parts)
			f.leaveOut(parts, after, g.Norm(), r, e.entry, rows)
		}
	}
	return nil
}

// grid prepares the density of one pair.
func (c *classDensities) grid(e pairEntry, p kde.Partition) *kde.GridPair {
	h := e.h
	if c.rule.Product() {
		hi, hj := c.hVariable[e.I], c.hVariable[e.J]
		h = kde.H2{XX: hi * hi, YY: hj * hj}
	}
	return kde.NewGridPair(c.columns[e.I], c.columns[e.J], h, p)
}
