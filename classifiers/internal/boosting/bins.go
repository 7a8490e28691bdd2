package boosting

import (
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/decisiontree"
	"copse/stats"
)

// maxBins is the largest number of bins of a column. The code of a bin is one byte.
const maxBins = 256

// Bins contains the columns of a training set, with the values of each column divided into
// intervals (bins).
type Bins struct {
	n     int
	cuts  [][]float64 // bin b of column j contains the values up to cuts[j][b]; cuts[j] is ascending
	codes [][]uint8   // codes[j][i] is the bin of row i in column j
}

// NewBins divides each column of x into at most bins intervals, where bins <= maxBins.
func NewBins(x *mat.Dense, bins int) *Bins {
	n, d := x.Dims()
	b := &Bins{n: n, cuts: make([][]float64, d), codes: make([][]uint8, d)}
	values, sorted := make([]float64, n), make([]float64, n)
	for j := range d {
		mat.Col(values, j, x)
		copy(sorted, values)
		stats.Sort(sorted)
		b.cuts[j] = cuts(sorted, bins)
		b.codes[j] = make([]uint8, n)
		for i, v := range values {
			b.codes[j][i] = uint8(sort.SearchFloat64s(b.cuts[j], v))
		}
	}
	return b
}

// cuts returns the upper ends of the bins of a sorted column, except for the last bin. If there are
// enough bins for the distinct values, the cuts are midpoints between these values.
//
// Otherwise, the cuts are the distinct quantiles for k/bins, k = 1..bins-1. A quantile has the
// position (n-1)k/bins, as in type 7 of Hyndman and Fan (1996). If the position lies between two
// values, cuts returns their midpoint, whereas type 7 interpolates.
func cuts(sorted []float64, bins int) []float64 {
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= bins {
		var midpoints []float64
		for k, next := range distinct[1:] {
			midpoints = append(midpoints, decisiontree.Threshold(distinct[k], next))
		}
		return midpoints
	}
	var quantiles []float64
	for k := 1; k < bins; k++ {
		position, remainder := (len(sorted)-1)*k/bins, (len(sorted)-1)*k%bins
		v := sorted[position]
		if remainder != 0 { // the quantile lies between two values
			v = decisiontree.Threshold(v, sorted[position+1])
		}
		quantiles = append(quantiles, v)
	}
	return slices.Compact(quantiles)
}
