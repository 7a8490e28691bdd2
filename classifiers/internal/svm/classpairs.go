package svm

// PairRows returns the rows of the first class of the pair, with label +1, and the rows of the second class,
// with label -1, in ascending order.
func PairRows(labels []int, pair [2]int) (rows []int, y []float64) {
	for i, label := range labels {
		switch label {
		case pair[0]:
			rows, y = append(rows, i), append(y, 1)
		case pair[1]:
			rows, y = append(rows, i), append(y, -1)
		}
	}
	return rows, y
}
