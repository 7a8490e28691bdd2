package field

import (
	"fmt"

	"copse/stats"
)

// DistinctRows returns the columns x without repeated rows. If all rows are equal, it returns x
// unchanged, because leave-one-out estimates need at least two rows.
func DistinctRows(x [][]float64) [][]float64 {
	row := make([]float64, len(x))
	groups := stats.Grouped(stats.Indices(len(x[0])), func(i int) string {
		for j := range x {
			row[j] = x[j][i] + 0 // turns -0 into 0, so that both have the same text
		}
		return fmt.Sprint(row)
	})
	if len(groups) < 2 {
		return x
	}
	distinct := make([][]float64, len(x))
	for _, equalRows := range groups {
		for j := range x {
			distinct[j] = append(distinct[j], x[j][equalRows[0]]+0)
		}
	}
	return distinct
}
