package method

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Posteriors converts log weights to probabilities in place and returns the matrix. In each row,
//
//	p_c = exp(logs_c) / sum_b exp(logs_b).
//
// If all entries of a row are -Inf, the probabilities are equal.
func Posteriors(logs *mat.Dense) *mat.Dense {
	n, _ := logs.Dims()
	for i := range n {
		row := logs.RawRowView(i)
		largest := slices.Max(row) // subtracted so that exp does not overflow
		for c, v := range row {
			if v == largest {
				row[c] = 1 // v - largest would be NaN if both are infinite
			} else {
				row[c] = math.Exp(v - largest)
			}
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return logs
}

// VoteShares divides the votes in each row by their sum, in place. It first rounds the votes down,
// because fractional parts only break ties.
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
