package method

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Posteriors replaces each row of log weights by the shares of the weights and returns the matrix.
// If all weights of a row are 0, their shares are equal.
func Posteriors(logs *mat.Dense) *mat.Dense {
	n, _ := logs.Dims()
	for i := range n {
		row := logs.RawRowView(i)
		largest := slices.Max(row)
		for c, v := range row {
			if v == largest {
				row[c] = 1 // also if it is infinite
			} else {
				row[c] = math.Exp(v - largest)
			}
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return logs
}

// VoteShares replaces each row of votes by shares of the votes and returns the matrix. It rounds
// votes down, because fractions only break ties.
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
