package field

import "fmt"

// DistinctRows returns the columns x without rows that repeat an earlier one, or x where
// all rows are equal: leave-one-out needs two.
func DistinctRows(x [][]float64) [][]float64 {
	distinct, seen := make([][]float64, len(x)), map[string]bool{}
	row := make([]float64, len(x))
	for i := range x[0] {
		for j := range x {
			row[j] = x[j][i] + 0 // -0 becomes 0
		}
		text := fmt.Sprint(row)
		if seen[text] {
			continue
		}
		seen[text] = true
		for j, v := range row {
			distinct[j] = append(distinct[j], v)
		}
	}
	if len(distinct[0]) < 2 {
		return x
	}
	return distinct
}
