package columns

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// leastResolution is the least resolution of a column, as a share of its range: smaller
// differences may come from rounding.
const leastResolution = 1e-6

// Resolution returns the smallest difference between different values of column j of x,
// at least leastResolution of their range. It is the width of a point mass where a method
// needs a spread and the column is constant in a class. A column that is constant
// everywhere tells no classes apart at any width; Resolution returns 1 for it.
func Resolution(x *mat.Dense, j int) float64 {
	values := mat.Col(nil, j, x)
	slices.Sort(values)
	spread := values[len(values)-1] - values[0]
	if spread == 0 {
		return 1
	}
	least := spread
	for i := 1; i < len(values); i++ {
		if gap := values[i] - values[i-1]; gap > 0 {
			least = min(least, gap)
		}
	}
	return max(least, leastResolution*spread)
}
