package svm

import "gonum.org/v1/gonum/mat"

// ClassPairs returns the pairs (0,1), (0,2), ..., (1,2), ... of the classes: the
// problems of one-vs-one machines.
func ClassPairs(classes int) [][2]int {
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

// PairScores returns the classes' scores, n x classes, from the decision values of
// ClassPairs, n x pairs, which are above 0 for the first class of a pair. Of two classes
// these are the value and its negative, of more the numbers of pairs that each class wins.
func PairScores(decisions *mat.Dense, classes int) *mat.Dense {
	n, _ := decisions.Dims()
	pairs := ClassPairs(classes)
	scores := mat.NewDense(n, classes, nil)
	for i := range n {
		values := decisions.RawRowView(i)
		if classes == 2 {
			scores.SetRow(i, []float64{values[0], -values[0]})
			continue
		}
		vote(pairs, values, scores.RawRowView(i))
	}
	return scores
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
