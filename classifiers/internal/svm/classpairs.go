package svm

import "copse/stats"

// PairRows returns the rows of the two classes of the pair, in ascending order. Their labels y are
// +1 for the first class and -1 for the second.
func PairRows(labels []int, pair stats.Pair) (rows []int, y []float64) {
	for i, label := range labels {
		switch label {
		case pair.I:
			rows = append(rows, i)
			y = append(y, 1)
		case pair.J:
			rows = append(rows, i)
			y = append(y, -1)
		}
	}
	return rows, y
}
