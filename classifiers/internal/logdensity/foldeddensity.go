package logdensity

import (
	"fmt"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// foldedDensities are the densities of one class with each fold left out.
type foldedDensities struct {
	*classDensities
	without   [][]*kde.Density // [fold][single]
	sums      *kde.ProductSums // parts are folds; nil as in classDensities
	share     []float64        // 1 / rows outside each fold
	partition kde.Partition
}

func errNoRows(f int) error { return fmt.Errorf("no rows outside fold %d: use fewer folds", f+1) }

// fold prepares the densities without each of k folds of the training rows.
func (c *classDensities) fold(fold []int, k int) (*foldedDensities, error) {
	p := kde.NewPartition(dataset.At(fold, c.rows), k)
	f := &foldedDensities{classDensities: c, partition: p, sums: c.productSums(p)}
	for g := range k {
		count := len(c.rows) - p.Count(g)
		if count == 0 {
			return nil, errNoRows(g)
		}
		f.share = append(f.share, 1/float64(count))
		var densities []*kde.Density
		for _, s := range c.singles {
			densities = append(densities, s.density.Without(dataset.At(c.columns[s.j], p.Part(g))))
		}
		f.without = append(f.without, densities)
	}
	return f, nil
}

// evaluate writes the class's densities at each point to the rows of out[0], all
// rows in the densities, and of out[1+g], without fold g, but for pairs that are
// summed one by one.
func (f *foldedDensities) evaluate(points [][]float64, out [][][]float64, m *scratch) {
	for k, s := range f.singles {
		density, values := m.densities(s.j, points)
		s.density.AtAll(density, values)
		m.scatter(s.entry, out[0])
		for g := range f.without {
			f.without[g][k].AtAll(density, values)
			m.scatter(s.entry, out[1+g])
		}
	}
	if f.sums == nil {
		return
	}
	folds := len(f.share)
	parts, after, rows := make([]float64, folds), make([]float64, folds+1), make([][]float64, folds+1)
	for r, x := range points { // as in classDensities
		sums := f.sums.SumsAt(&m.product, x)
		for g := range rows {
			rows[g] = out[g][r]
		}
		for q, e := range f.pairs {
			at := f.sums.Place(q)
			for g := range parts {
				parts[g] = sums[g][at]
			}
			f.leaveOut(parts, after, f.sums.Norm(q), e.entry, rows)
		}
	}
}

// tail returns the log density of an entry at x without the rows of fold g, with
// all rows where g is -1.
func (f *foldedDensities) tail(entry int, x []float64, g int) float64 {
	if g < 0 {
		return f.classDensities.tail(entry, x)
	}
	for k, s := range f.singles {
		if s.entry == entry {
			return f.without[g][k].Tail(x[s.j])
		}
	}
	p := f.pair(entry)
	rows := f.partition.Outside(g)
	return kde.Tail2(dataset.At(f.columns[p.I], rows), dataset.At(f.columns[p.J], rows), f.bandwidth(p), x[p.I], x[p.J])
}

// leaveOut writes the entry at one point: to rows[0] the density of all rows and to
// rows[1+g] that without fold g. parts are the folds' kernel sums, after is scratch.
//
// The other folds' parts are added, not the own part subtracted from the whole:
// a row's own kernel would drown what is left.
func (f *foldedDensities) leaveOut(parts, after []float64, norm float64, entry int, rows [][]float64) {
	after[len(parts)] = 0 // after[g] is the sum of the folds from g on
	for g := len(parts) - 1; g >= 0; g-- {
		after[g] = parts[g] + after[g+1]
	}
	rows[0][entry] = after[0] * norm / float64(len(f.rows))
	before := 0.0
	for g, sum := range parts {
		rows[1+g][entry] = (before + after[g+1]) * norm * f.share[g]
		before += sum
	}
}
