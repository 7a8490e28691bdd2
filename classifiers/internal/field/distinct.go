package field

import (
	"encoding/binary"
	"math"
)

// DistinctRows returns the columns x without rows that repeat an earlier one.
func DistinctRows(x [][]float64) [][]float64 {
	distinct, seen := make([][]float64, len(x)), map[string]bool{}
	for i := range x[0] {
		row := rowKey(x, i)
		if seen[row] {
			continue
		}
		seen[row] = true
		for j := range x {
			distinct[j] = append(distinct[j], x[j][i])
		}
	}
	return distinct
}

// rowKey returns a text that is the same for equal rows alone.
func rowKey(x [][]float64, i int) string {
	var key []byte
	for _, column := range x {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(column[i]+0)) // -0 becomes 0
	}
	return string(key)
}
