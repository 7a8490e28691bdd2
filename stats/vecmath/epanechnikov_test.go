package vecmath

import (
	"testing"

	"copse/internal/randtest"
)

// The results of every version are identical to the formula.
func TestEpanechnikov(t *testing.T) {
	rng := randtest.New(1)
	for n := range 40 {
		x := sample(rng, n, 1)
		at := 0.3
		if n > 0 {
			at = x[n/2]
		}
		got := everyWay(t, func() []float64 {
			dst := make([]float64, n)
			Epanechnikov(dst, x, at)
			return dst
		})
		for k, v := range x {
			u := v - at
			square := u * u
			want := 1 - square
			if want < 0 {
				want = 0
			}
			if got[k] != want {
				t.Fatalf("element %d of %d: %v, want %v", k, n, got[k], want)
			}
		}
	}
}
