package stats

import (
	"errors"

	"golang.org/x/exp/rand"
)

// RankStability counts how often each classifier has each place when the rows of a table of
// losses, replicates or blocks, are resampled with repetition: places[i][p] is the share of
// resamples in which classifier i has place p, 0 the smallest mean loss. Classifiers whose
// means tie on the Grid share the best of their places, so that the places of a resample
// may have gaps. losses has a row for each replicate and a column for each classifier.
func RankStability(losses [][]float64, draws int, rng *rand.Rand) (places [][]float64, err error) {
	if len(losses) < 2 || draws < 1 || rng == nil {
		return nil, errors.New("rank stability: needs two rows, one draw and a random source")
	}
	k := len(losses[0])
	places = make([][]float64, k)
	for i := range places {
		places[i] = make([]float64, k)
	}
	sums := make([]float64, k)
	for range draws {
		clear(sums)
		for range losses {
			for i, loss := range losses[rng.Intn(len(losses))] {
				sums[i] += loss
			}
		}
		for i, place := range placesOf(sums, len(losses)) {
			places[i][place] += 1 / float64(draws)
		}
	}
	return places, nil
}

// placesOf returns the place of each sum of n losses: the number of smaller means.
func placesOf(sums []float64, n int) []int {
	means := make([]float64, len(sums))
	for i, sum := range sums {
		means[i] = Steps(sum / float64(n))
	}
	places := make([]int, len(sums))
	for i, mean := range means {
		for _, other := range means {
			if other < mean {
				places[i]++
			}
		}
	}
	return places
}
