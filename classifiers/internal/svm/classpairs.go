package svm

// PairRows returns the rows of the two classes of the pair, in ascending order. Their labels y are
// +1 for the first class and -1 for the second.
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
