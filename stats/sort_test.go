package stats

import (
	"math"
	"slices"
	"testing"

	"copse/internal/randtest"
)

func TestSort(t *testing.T) {
	rng := randtest.New(1)
	special := []float64{0, 1, -1, math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64}
	for _, n := range []int{0, 1, 2, fewValues - 1, fewValues, 1000} {
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Float64frombits(rng.Uint64())
			if math.IsNaN(values[i]) || i%10 == 0 {
				values[i] = special[rng.Intn(len(special))]
			}
		}
		want := slices.Sorted(slices.Values(values))
		if Sort(values); !slices.Equal(values, want) {
			t.Errorf("%d values are not sorted", n)
		}
	}
}
