package columns

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// leastResolution is the smallest resolution of a column relative to its range. Smaller differences
// may be rounding errors.
const leastResolution = 1e-6

// Resolution returns the smallest difference between distinct values in column j of x, but at least
// leastResolution times the range. For a constant column, it returns 1.
func Resolution(x *mat.Dense, j int) float64 {
	values := mat.Col(nil, j, x)
	stats.Sort(values)
	spread := values[len(values)-1] - values[0]
	if spread == 0 {
		return 1
	}
	least := spread // smallest difference between adjacent distinct values
	for i := 1; i < len(values); i++ {
		if gap := values[i] - values[i-1]; gap > 0 {
			least = min(least, gap)
		}
	}
	return max(least, leastResolution*spread)
}
