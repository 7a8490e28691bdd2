package boosting

import (
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/decisiontree"
)

// maxBins is the largest number of bins of a column: codes are bytes.
const maxBins = 256

// Bins are the columns of a training set, cut into intervals.
type Bins struct {
	n     int
	cuts  [][]float64 // of each column, ascending: bin b ends at cuts[b], which belongs to it
	codes [][]uint8   // d x n
}

// NewBins cuts each column half-way between its distinct values where there are
// at most so many of them, else at the quantiles k/bins, k = 1..bins-1; a quantile
// between two values is their middle.
func NewBins(x *mat.Dense, bins int) *Bins {
	n, d := x.Dims()
	b := &Bins{n: n, cuts: make([][]float64, d), codes: make([][]uint8, d)}
	values, sorted := make([]float64, n), make([]float64, n)
	for j := range d {
		mat.Col(values, j, x)
		copy(sorted, values)
		slices.Sort(sorted)
		b.cuts[j] = cuts(sorted, bins)
		b.codes[j] = make([]uint8, n)
		for i, v := range values {
			b.codes[j][i] = uint8(sort.SearchFloat64s(b.cuts[j], v))
		}
	}
	return b
}

// cuts returns the ends of the intervals of a sorted column but for the last end.
func cuts(sorted []float64, bins int) []float64 {
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= bins {
		middles := distinct[:len(distinct)-1]
		for k := range middles {
			middles[k] = decisiontree.Threshold(distinct[k], distinct[k+1])
		}
		return middles
	}
	var quantiles []float64
	for k := 1; k < bins; k++ {
		at := (len(sorted) - 1) * k // in units of 1/bins
		v := sorted[at/bins]
		if at%bins != 0 {
			v = decisiontree.Threshold(v, sorted[at/bins+1])
		}
		quantiles = append(quantiles, v)
	}
	return slices.Compact(quantiles)
}
