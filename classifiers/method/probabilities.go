package method

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Posteriors replaces each row of log weights by the shares of the weights and returns
// the matrix. Classes share equally where none has any weight; Predict then returns the
// first.
func Posteriors(logs *mat.Dense) *mat.Dense {
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

// VoteShares replaces each row of votes by shares of the votes and returns the matrix. A
// fraction of a vote, which breaks a tie, does not count.
func VoteShares(votes *mat.Dense) *mat.Dense {
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
