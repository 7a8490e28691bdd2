package svm

import (
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
)

// The selection is the head of the sorted rows, whatever their order and ties.
func TestFurthest(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 3000 {
		n, levels := rng.Intn(60), 1+rng.Intn(40)
		v := make([]distance, n)
		for i := range v {
			v[i] = distance{float64(rng.Intn(levels)), i}
		}
		switch rng.Intn(4) {
		case 0:
			slices.Reverse(v)
		case 1:
			rng.Shuffle(n, func(i, j int) { v[i], v[j] = v[j], v[i] })
		}
		sorted := slices.Clone(v)
		slices.SortFunc(sorted, distance.compare)
		k := rng.Intn(n + 5)
		if got, want := furthest(v, k), sorted[:min(k, n)]; !slices.Equal(got, want) {
			t.Fatalf("first %d of %d: %v, want %v", k, n, got, want)
		}
	}
}
