package logdensity

import (
	"fmt"
	"slices"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// foldedDensities contains several estimates of the densities of one class: one from all its rows and,
// for each fold, one without this fold.
type foldedDensities struct {
	*classDensities
	without   [][]*kde.Density // without[g][k] is the density of single k without fold g
	foldSums  *kde.ProductSums // kernel sums over each fold; nil if there are no pairs or if worksPairByPair() is true
	rowWeight []float64        // rowWeight[g] is 1 / number of rows of the class outside fold g
	partition kde.Partition    // divides the rows of the class into the folds
}

func errNoRows(f int) error { return fmt.Errorf("all rows are in fold %d: use fewer folds", f+1) }

// withFolds prepares estimates of the densities of class c from all rows, and without fold g for each
// fold g in 0..k-1. fold[r] is the fold of training row r. If all rows of the class are in one fold,
// withFolds returns an error.
func (c *classDensities) withFolds(fold []int, k int) (*foldedDensities, error) {
	foldOfRow := dataset.At(fold, c.rows)       // for the rows of the class only
	partition := kde.NewPartition(foldOfRow, k) // part g contains the rows of fold g
	f := &foldedDensities{classDensities: c, partition: partition, foldSums: c.newKernelSums(partition)}
	for g := range k {
		rowsOutside := len(c.rows) - partition.Count(g)
		if rowsOutside == 0 {
			return nil, errNoRows(g)
		}
		f.rowWeight = append(f.rowWeight, 1/float64(rowsOutside))
		f.without = append(f.without, c.singlesWithout(partition.Part(g)))
	}
	return f, nil
}

// singlesWithout returns the density of each single variable, estimated without some rows of the class.
// The argument rows contains the positions of these rows in c.rows.
func (c *classDensities) singlesWithout(rows []int) []*kde.Density {
	var densities []*kde.Density
	for _, s := range c.singles {
		removed := dataset.At(c.columns[s.j], rows)
		densities = append(densities, s.density.Without(removed))
	}
	return densities
}

// evaluateBatch evaluates the densities of the class at the given points. It does not evaluate pairs
// if worksPairByPair is true. out[0] receives estimates from all rows of the class, and out[1+g]
// estimates without fold g. The matrices have a row for each point and a column for each entry.
func (f *foldedDensities) evaluateBatch(points [][]float64, out [][][]float64, m *scratch) {
	for k, s := range f.singles {
		density, values := m.densities(s.j, points)
		s.density.AtAll(density, values)
		m.scatter(s.entry, out[0])
		for g := range f.without {
			f.without[g][k].AtAll(density, values)
			m.scatter(s.entry, out[1+g])
		}
	}
	if f.foldSums != nil {
		f.evaluatePairs(points, out, m)
	}
}

// evaluatePairs implements evaluateBatch for pairs of variables.
func (f *foldedDensities) evaluatePairs(points [][]float64, out [][][]float64, m *scratch) {
	sumsOfPair, densities := make([]float64, len(f.rowWeight)), make([]float64, len(out))
	for r, x := range points { // point by point, because the sums of a point fit in the CPU cache
		sums := f.foldSums.SumsAt(&m.product, x) // sums[g]: kernel sums of all pairs over fold g
		for q, e := range f.pairs {
			place := f.foldSums.Place(q)
			for g := range sums {
				sumsOfPair[g] = sums[g][place]
			}
			f.combineFolds(densities, sumsOfPair, f.foldSums.Norm(q))
			for k, density := range densities {
				out[k][r][e.entry] = density
			}
		}
	}
}

// tailLog returns the log density of an entry at point x, estimated without fold g, even if the
// density is too small for a float64. If g is -1, tailLog uses all rows.
func (f *foldedDensities) tailLog(entry int, x []float64, g int) float64 {
	if g < 0 {
		return f.classDensities.tailLog(entry, x)
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

// combineFolds sets densities[0] to the density of a pair at one point, estimated from all rows, and
// densities[1+g] to the density estimated without fold g. sums[g] is the kernel sum over fold g, and
// norm is the constant factor of the kernel.
func (f *foldedDensities) combineFolds(densities, sums []float64, norm float64) {
	// Do not subtract the sum of fold g from the total. If one kernel in fold g dominates the
	// total, the difference would lose all digits.
	after := 0.0 // sum of the folds after g
	for g, sum := range slices.Backward(sums) {
		densities[1+g] = after
		after += sum
	}
	densities[0] = after * norm / float64(len(f.rows))
	before := 0.0 // sum of the folds before g
	for g, sum := range sums {
		densities[1+g] = (before + densities[1+g]) * norm * f.rowWeight[g]
		before += sum
	}
}
