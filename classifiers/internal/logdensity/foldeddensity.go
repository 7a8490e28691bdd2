package logdensity

import (
	"fmt"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// foldedDensities contains the densities of one class, estimated from all its rows and from its rows
// outside each fold.
type foldedDensities struct {
	*classDensities
	without   [][]*kde.Density // without[g][k] is the density of single k without fold g
	sums      *kde.ProductSums // kernel sums over each fold; nil if there are no pairs or if hasSeparatePairs() is true
	rowWeight []float64        // rowWeight[g] is 1 / number of rows of the class outside fold g
	partition kde.Partition    // divides the rows of the class into the folds
}

func errNoRows(f int) error { return fmt.Errorf("all rows are in fold %d: use fewer folds", f+1) }

// folded prepares densities that are estimated from the rows outside one fold, for each of the folds 0..k-1.
// For single variables, it computes these densities; for pairs of variables, it prepares kernel sums over
// each fold. fold[r] is the fold of training row r. folded returns an error if all rows of the class are in
// one fold.
func (c *classDensities) folded(fold []int, k int) (*foldedDensities, error) {
	p := kde.NewPartition(dataset.At(fold, c.rows), k)
	f := &foldedDensities{classDensities: c, partition: p, sums: c.productSums(p)}
	for g := range k {
		count := len(c.rows) - p.Count(g) // rows of the class outside fold g
		if count == 0 {
			return nil, errNoRows(g)
		}
		f.rowWeight = append(f.rowWeight, 1/float64(count))
		var densities []*kde.Density
		for _, s := range c.singles {
			densities = append(densities, s.density.Without(dataset.At(c.columns[s.j], p.Part(g))))
		}
		f.without = append(f.without, densities)
	}
	return f, nil
}

// evaluateRest evaluates the densities of single variables at the given points. It also evaluates the densities of
// pairs, unless evaluateSeparatePairs does this (see hasSeparatePairs).
//
// There are several estimates of each density. Matrix out[0] receives the estimates from all rows of the class,
// and matrix out[1+g] the estimates without fold g. In each matrix, row r is for points[r], and each column is for
// one entry (variable or pair). Columns of other entries do not change.
func (f *foldedDensities) evaluateRest(points [][]float64, out [][][]float64, m *scratch) {
	f.evaluateSingles(points, out, m)
	if f.sums != nil {
		f.evaluatePairs(points, out, m)
	}
}

// evaluateSingles is like evaluateRest, but only for the densities of single variables.
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

// evaluatePairs evaluates the density of each pair of variables at the given points. There are several
// estimates of each density. Matrix out[0] receives the estimate from all training rows, and matrix out[1+g]
// the estimate without fold g. In each matrix, row r is for points[r], and column e.entry is for pair e.
//
// At each point, evaluatePairs computes one kernel sum per pair and fold. combineFolds then computes all
// estimates from these sums.
func (f *foldedDensities) evaluatePairs(points [][]float64, out [][][]float64, m *scratch) {
	folds := len(f.rowWeight)
	parts := make([]float64, folds)    // the sums of one pair over each fold
	after := make([]float64, folds+1)  // scratch memory for combineFolds
	rows := make([][]float64, folds+1) // one row of each matrix in out
	for r, x := range points {         // point by point, because the sums of a point fit in the CPU cache
		sums := f.sums.SumsAt(&m.product, x) // sums[g]: sums of all pairs over fold g
		for k := range rows {
			rows[k] = out[k][r]
		}
		for q, e := range f.pairs { // q is the number of the pair in f.sums, and e.entry its column in out
			place := f.sums.Place(q) // the position of pair q in each sums[g]
			for g := range parts {
				parts[g] = sums[g][place]
			}
			f.combineFolds(parts, after, f.sums.Norm(q), e.entry, rows) // sets rows[k][e.entry] for all k
		}
	}
}

// tail returns the logarithm of the density of one entry at point x. The entry is the index of a column of the
// feature map. The density is estimated from the rows outside fold g, or from all rows if g is -1. The result is
// accurate even if the density is too small for a float64.
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

// combineFolds computes the densities of a pair at one point from its kernel sums, where parts[g] is the sum
// over fold g. It sets out[0][entry] to the density estimated from all rows of the class, and out[1+g][entry]
// to the density estimated without fold g. Each density is the mean of the kernel over the rows, times the
// constant factor norm. The slice after is scratch memory, one element longer than parts.
//
// For each fold g, it adds the sums of the other folds. Subtracting fold g from the total would lose all
// digits if one kernel in fold g dominates the total.
func (f *foldedDensities) combineFolds(parts, after []float64, norm float64, entry int, out [][]float64) {
	after[len(parts)] = 0 // after[g] is the sum of the folds from g on
	for g := len(parts) - 1; g >= 0; g-- {
		after[g] = parts[g] + after[g+1]
	}
	out[0][entry] = after[0] * norm / float64(len(f.rows))
	before := 0.0 // sum of the folds before g
	for g, sum := range parts {
		// rowWeight[g] is 1 / number of rows outside fold g
		out[1+g][entry] = (before + after[g+1]) * norm * f.rowWeight[g]
		before += sum
	}
}
