package stats

import (
	"math"
	"testing"

	"golang.org/x/exp/rand"
)

// Two rows, one of which favours each classifier: a resample has both rows with
// probability 1/2, one of them twice with 1/4 each.
func TestRankStabilityOfTwoRows(t *testing.T) {
	const draws = 40_000
	places, err := RankStability([][]float64{{0, 1}, {4, 1}}, draws, rand.New(rand.NewSource(1)))
	if err != nil {
		t.Fatal(err)
	}
	// Means 0 and 1, 2 and 1, 4 and 1: the first classifier is first in a quarter.
	want := [][]float64{{0.25, 0.75}, {0.75, 0.25}}
	se := math.Sqrt(0.25 * 0.75 / draws)
	for i := range want {
		for p := range want[i] {
			if math.Abs(places[i][p]-want[i][p]) > 4*se {
				t.Errorf("classifier %d has place %d in %v, want %v", i, p, places[i][p], want[i][p])
			}
		}
	}
}

func TestRankStabilityTies(t *testing.T) {
	places, err := RankStability([][]float64{{0.1, 0.1, 0.3}, {0.2, 0.2, 0.1}, {0.3, 0.3, 0.9}}, 100,
		rand.New(rand.NewSource(2)))
	if err != nil {
		t.Fatal(err)
	}
	for p := range places[0] {
		if places[0][p] != places[1][p] {
			t.Errorf("equal classifiers differ: %v and %v", places[0], places[1])
		}
	}
	if _, err := RankStability([][]float64{{1, 2}}, 100, rand.New(rand.NewSource(3))); err == nil {
		t.Error("one row is resampled")
	}
}
