package logdensity

import (
	"fmt"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// foldedDensities contains the densities of one class, estimated from all its rows and without each
// fold.
type foldedDensities struct {
	*classDensities
	without   [][]*kde.Density // without[g][k] is the density of single k without fold g
	sums      *kde.ProductSums // kernel sums over each fold; nil if there are no pairs or if hasSeparatePairs() is true
	rowWeight []float64        // rowWeight[g] is 1 / number of rows of the class outside fold g
	partition kde.Partition    // divides the rows of the class into the folds
}

func errNoRows(f int) error { return fmt.Errorf("all rows are in fold %d: use fewer folds", f+1) }

// folded returns the densities of c and their estimates without fold g, for each g in 0..k-1. fold[r]
// is the fold of training row r. If all rows of the class are in one fold, folded returns an error.
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

// evaluateRest evaluates the densities of the class at the given points, except for pairs that
// evaluateSeparatePairs evaluates. out[0] receives estimates from all rows of the class, and out[1+g]
// estimates without fold g. The matrices have a row for each point and a column for each entry.
func (f *foldedDensities) evaluateRest(points [][]float64, out [][][]float64, m *scratch) {
	for k, s := range f.singles {
		density, values := m.densities(s.j, points)
		s.density.AtAll(density, values)
		m.scatter(s.entry, out[0])
		for g := range f.without {
			f.without[g][k].AtAll(density, values)
			m.scatter(s.entry, out[1+g])
		}
	}
	if f.sums != nil {
		f.evaluatePairs(points, out, m)
	}
}

// evaluatePairs implements evaluateRest for pairs of variables.
func (f *foldedDensities) evaluatePairs(points [][]float64, out [][][]float64, m *scratch) {
	pair := newFoldMemory(len(f.rowWeight))
	for r, x := range points { // point by point, because the sums of a point fit in the CPU cache
		sums := f.sums.SumsAt(&m.product, x) // sums[g]: kernel sums of all pairs over fold g
		for q, e := range f.pairs {
			place := f.sums.Place(q)
			for g := range sums {
				pair.sums[g] = sums[g][place]
			}
			for k, density := range f.combineFolds(pair, f.sums.Norm(q)) {
				out[k][r][e.entry] = density
			}
		}
	}
}

// tail returns the log density of an entry at point x, estimated without fold g, even if the density
// is too small for a float64. If g is -1, tail uses all rows.
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

// foldMemory is memory for the densities of one pair of variables at one point.
type foldMemory struct {
	sums      []float64 // sums[g] is the kernel sum over fold g
	after     []float64 // after[g] is the sum over the folds from g on
	densities []float64 // the result of combineFolds
}

func newFoldMemory(folds int) *foldMemory {
	return &foldMemory{make([]float64, folds), make([]float64, folds+1), make([]float64, folds+1)}
}

// combineFolds returns the densities of a pair at one point, for kernel sums m.sums and the constant
// factor norm of the kernel. Element 0 is estimated from all rows, and element 1+g without fold g. The
// next call overwrites the result.
func (f *foldedDensities) combineFolds(m *foldMemory, norm float64) []float64 {
	m.after[len(m.sums)] = 0
	for g := len(m.sums) - 1; g >= 0; g-- {
		m.after[g] = m.sums[g] + m.after[g+1]
	}
	m.densities[0] = m.after[0] * norm / float64(len(f.rows))
	// Do not subtract the sum of fold g from the total. If one kernel in fold g dominates the
	// total, the difference would lose all digits.
	before := 0.0 // sum of the folds before g
	for g, sum := range m.sums {
		m.densities[1+g] = (before + m.after[g+1]) * norm * f.rowWeight[g]
		before += sum
	}
	return m.densities
}
