package svm

// classPairs returns the pairs of classes (0,1), (0,2), ..., (1,2), ...: one-vs-one training solves
// one problem for each pair.
func classPairs(classes int) [][2]int {
	var pairs [][2]int
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

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

// vote adds one vote per pair of classes to votes. values[p] is the decision value of pair p for a
// row: positive values vote for the first class of the pair, all others for the second class.
func vote(pairs [][2]int, values, votes []float64) {
	for p, v := range values {
		if v > 0 {
			votes[pairs[p][0]]++
		} else {
			votes[pairs[p][1]]++
		}
	}
}
