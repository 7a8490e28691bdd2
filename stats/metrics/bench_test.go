package metrics

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/randtest"
)

// BenchmarkAUCOfManyClasses measures the AUC of 26 classes over 5000 test rows.
func BenchmarkAUCOfManyClasses(b *testing.B) {
	const n, classes = 5000, 26
	rng := randtest.New(1)
	p := &Predictions{Scores: mat.NewDense(n, classes, nil)}
	for i := range n {
		p.Truth = append(p.Truth, i%classes)
		for c := range classes {
			p.Scores.Set(i, c, rng.Float64())
		}
	}
	p.Labels = p.Truth
	p.Probabilities = p.Scores
	b.Run("probabilities", func(b *testing.B) {
		for range b.N {
			auc(p, 0)(eachOnce(n))
		}
	})
	q := *p
	q.Probabilities = nil
	b.Run("resampled", func(b *testing.B) {
		resampled := auc(p, 0)
		for b.Loop() {
			resampled(eachOnce(n))
		}
	})
	b.Run("scores", func(b *testing.B) {
		for range b.N {
			auc(&q, 0)(eachOnce(n))
		}
	})
}
