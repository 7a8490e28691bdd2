package metrics

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Constant returns the predictions of a rule that knows the shares of the classes alone,
// for test rows of which so many are of each class: all get the most frequent class, and
// the shares as probabilities and scores.
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
