package logdensity

import (
	"fmt"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// foldedDensities are the densities of one class, with all its rows and without each fold.
type foldedDensities struct {
	*classDensities
	without   [][]*kde.Density // without[g][k] is the density of single k without fold g
	sums      *kde.ProductSums // over each fold; nil as in classDensities
	share     []float64        // share[g] is 1 / number of the class's rows outside fold g
	partition kde.Partition    // of the class's rows into the folds
}

func errNoRows(f int) error { return fmt.Errorf("no rows outside fold %d: use fewer folds", f+1) }

// fold prepares the densities without each of k folds. fold[r] is the fold of training
// row r.
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

// evaluate writes the class's densities at point r to out[0][r] and those without fold g
// to out[1+g][r]. It leaves out pairs that are summed one by one.
func (f *foldedDensities) evaluate(points [][]float64, out [][][]float64, m *scratch) {
	f.evaluateSingles(points, out, m)
	if f.sums != nil {
		f.evaluatePairs(points, out, m)
	}
}

// evaluateSingles is evaluate for single variables.
func (f *foldedDensities) evaluateSingles(points [][]float64, out [][][]float64, m *scratch) {
	for k, s := range f.singles {
		density, values := m.densities(s.j, points)
		s.density.AtAll(density, values)
		m.scatter(s.entry, out[0])
		for g := range f.without {
			f.without[g][k].AtAll(density, values)
			m.scatter(s.entry, out[1+g])
		}
	}
}

// evaluatePairs is evaluate for pairs, whose kernel sums are over each fold.
func (f *foldedDensities) evaluatePairs(points [][]float64, out [][][]float64, m *scratch) {
	folds := len(f.share)
	parts, after, rows := make([]float64, folds), make([]float64, folds+1), make([][]float64, folds+1)
	for r, x := range points { // all pairs of one point first: their sums stay in the cache
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

// tail returns the log density of an entry at x without the rows of fold g, or with all
// rows if g is -1. It loses no digits however far x is from the class.
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

// leaveOut computes the densities of a pair at one point from its kernel sums over the
// folds, parts. It writes the density of all rows to rows[0][entry] and that without fold g
// to rows[1+g][entry]. after is scratch for one element more than parts.
//
// It adds the other folds' sums and does not subtract fold g from the whole: where a row's
// own kernel dominates the sum, the difference would have no digits left.
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
