package glasso

import (
	"fmt"
	"testing"

	"copse/internal/randtest"
)

func BenchmarkFit(b *testing.B) {
	for _, d := range []int{20, 100, 200} {
		for _, lambda := range []float64{0.05, 0.2} {
			s := randomCovariance(randtest.New(1), 250, d)
			b.Run(fmt.Sprintf("d=%d/lambda=%g", d, lambda), func(b *testing.B) {
				for b.Loop() {
					if _, err := Fit(b.Context(), s, lambda, DefaultOptions(), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
