package metrics

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ClassShares returns the predictions of a rule that always predicts the most frequent class of the
// test rows. Ties go to the smallest code. Probabilities and scores are the class shares of the
// test rows.
func ClassShares(truth []int, classes int) *Predictions {
	shares := make([]float64, classes)
	for _, class := range truth {
		shares[class]++
	}
	label := slices.Index(shares, slices.Max(shares))
	for class := range shares {
		shares[class] /= float64(len(truth))
	}
	n := len(truth)
	probabilities := mat.NewDense(n, classes, slices.Repeat(shares, n))
	return &Predictions{Truth: truth, Labels: slices.Repeat([]int{label}, n),
		Probabilities: probabilities, Scores: probabilities}
}
