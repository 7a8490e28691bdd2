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

// Bins contains the columns of a training set. The values of each column are divided into intervals, called
// bins.
type Bins struct {
	n     int
	cuts  [][]float64 // bin b of column j contains the values up to cuts[j][b]; cuts[j] is ascending
	codes [][]uint8   // codes[j][i] is the bin of row i in column j
}

// NewBins divides each column of x into at most the given number of bins, which must not exceed maxBins. The
// code of a value is the number of cuts below it.
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

// cuts returns the upper ends of the bins of a sorted column, except for the last bin. They are midpoints
// between distinct values if there are at most bins of these, else the quantiles for k/bins, k = 1..bins-1,
// without repetitions. A quantile between two positions is the midpoint of their values. The positions are
// (n-1)k/bins, as in type 7 of Hyndman and Fan (1996), which interpolates.
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
		position, rest := (len(sorted)-1)*k/bins, (len(sorted)-1)*k%bins
		v := sorted[position]
		if rest != 0 { // between two positions
			v = decisiontree.Threshold(v, sorted[position+1])
		}
		quantiles = append(quantiles, v)
	}
	return slices.Compact(quantiles)
}
