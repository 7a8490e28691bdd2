package classifiers

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// posteriors turns each row of log weights into the weights' shares. Where no
// class has any weight all are equal: Predict takes the first of them.
func posteriors(logs *mat.Dense) *mat.Dense {
	n, _ := logs.Dims()
	for i := range n {
		row := logs.RawRowView(i)
		if largest := slices.Max(row); math.IsInf(largest, 0) {
			for c, v := range row {
				row[c] = 0
				if v == largest {
					row[c] = 1
				}
			}
		} else {
			for c, v := range row {
				row[c] = math.Exp(v - largest)
			}
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return logs
}

// voteShares turns each row of votes, to which less than one is added where that
// breaks a tie, into shares.
func voteShares(votes *mat.Dense) *mat.Dense {
	n, _ := votes.Dims()
	for i := range n {
		row := votes.RawRowView(i)
		for c, v := range row {
			row[c] = math.Floor(v)
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return votes
}
