package metrics

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Constant returns the predictions of the majority rule for a test set with counts[k] rows
// of class k, ordered by class. Each row gets the most frequent class as its label, the
// first of ties, and the class shares as its probabilities and scores.
func Constant(counts []int) *Predictions {
	p := &Predictions{}
	for class, rows := range counts {
		p.Truth = append(p.Truth, slices.Repeat([]int{class}, rows)...)
	}
	shares := make([]float64, len(counts))
	for class, rows := range counts {
		shares[class] = float64(rows) / float64(len(p.Truth))
	}
	p.Labels = slices.Repeat([]int{slices.Index(counts, slices.Max(counts))}, len(p.Truth))
	p.Probabilities = mat.NewDense(len(p.Truth), len(counts), slices.Repeat(shares, len(p.Truth)))
	p.Scores = p.Probabilities
	return p
}
