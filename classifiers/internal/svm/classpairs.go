package svm

// PairRows returns the rows of class a, with label +1, and the rows of class b, with label -1, in
// ascending order.
func PairRows(labels []int, a, b int) (rows []int, y []float64) {
	for i, label := range labels {
		switch label {
		case a:
			rows, y = append(rows, i), append(y, 1)
		case b:
			rows, y = append(rows, i), append(y, -1)
		}
	}
	return rows, y
}
