package svm

// classPairs returns the pairs (0,1), (0,2), ..., (1,2), ... of the classes: the
// problems of one-vs-one machines.
func classPairs(classes int) [][2]int {
	var pairs [][2]int
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// PairRows returns the rows of classes a and b with their labels +1 and -1.
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

// vote adds the votes of the pairs' decision values for one row.
func vote(pairs [][2]int, values, votes []float64) {
	for p, v := range values {
		if v > 0 {
			votes[pairs[p][0]]++
		} else {
			votes[pairs[p][1]]++
		}
	}
}
