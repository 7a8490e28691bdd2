package field

import "fmt"

// DistinctRows returns the columns x without repeated rows. If all rows are equal, it returns x
// unchanged, because leave-one-out estimates need at least two rows.
func DistinctRows(x [][]float64) [][]float64 {
	distinct, seen := make([][]float64, len(x)), map[string]bool{}
	row := make([]float64, len(x))
	for i := range x[0] {
		for j := range x {
			row[j] = x[j][i] + 0 // turns -0 into 0, so that both have the same text
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
