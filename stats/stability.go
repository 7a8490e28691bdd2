package stats

import (
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// A Ranking contains the losses from which average ranks are computed.
type Ranking struct {
	// Losses[b][r][i] is the loss of classifier i in replicate r of block b. A block is, for example, a data
	// set.
	Losses         [][][]float64
	ResampleBlocks bool // whether blocks are a sample of data sets, and resampled too
}

// FirstShares returns, for each classifier, the proportion of bootstrap resamples in which its
// average rank over the blocks is the smallest. Replicates are resampled within blocks. Blocks are
// resampled too if ResampleBlocks is set. There must be at least one block, and each needs at least one replicate.
func (r *Ranking) FirstShares(draws int, rng *rand.Rand) []float64 {
	means := Map(r.Losses, meanSampler)
	return FirstShares(draws, func() []float64 { return r.resampledRanks(means, rng) })
}

// FirstShares returns, for each classifier, the proportion of draws in which its score is the
// smallest. draw returns the scores of all classifiers. Tied classifiers share a draw equally.
// Draws with a NaN are ignored.
func FirstShares(draws int, draw func() []float64) []float64 {
	var shares []float64
	counted := 0.0
	for range draws {
		scores := draw()
		if shares == nil {
			shares = make([]float64, len(scores))
		}
		firsts := smallestOf(scores)
		if len(firsts) == 0 {
			continue // a score is NaN
		}
		counted++
		for _, i := range firsts {
			shares[i] += 1 / float64(len(firsts))
		}
	}
	for i := range shares {
		shares[i] /= counted
	}
	return shares
}

// smallestOf returns the indices of all scores that equal the smallest score. It returns none if any score is NaN.
func smallestOf(scores []float64) (indices []int) {
	smallest := slices.Min(scores) // NaN if a score is NaN, and NaN equals nothing
	for i, score := range scores {
		if score == smallest {
			indices = append(indices, i)
		}
	}
	return indices
}

// resampledRanks draws a bootstrap resample and returns the sum of the ranks of each classifier
// over the blocks. The function means[b] resamples block b and returns the mean loss of each
// classifier.
func (r *Ranking) resampledRanks(means []func(*rand.Rand) []float64, rng *rand.Rand) []float64 {
	sums := make([]float64, len(r.Losses[0][0]))
	for i := range r.Losses {
		block := i
		if r.ResampleBlocks {
			block = rng.Intn(len(r.Losses))
		}
		ranks, _ := Midranks(means[block](rng))
		floats.Add(sums, ranks)
	}
	return sums
}

// meanSampler returns a function that resamples the replicates and returns the mean loss of each classifier.
//
// The means are whole numbers of steps (see Steps). Otherwise, rounding errors would break ties.
func meanSampler(losses [][]float64) func(*rand.Rand) []float64 {
	if len(losses) <= normalRows {
		return func(rng *rand.Rand) []float64 { return resampledMeans(losses, rng) }
	}
	return normalMeanSampler(losses)
}

// normalMeanSampler returns a function that draws the mean loss of each classifier over a bootstrap
// resample of the replicates. losses[r][i] is the loss of classifier i in replicate r. It draws the
// sums of centred losses from their normal limit, in a time that does not depend on the number of
// replicates.
func normalMeanSampler(losses [][]float64) func(*rand.Rand) []float64 {
	n, k := len(losses), len(losses[0])
	mean := make([]float64, k)
	for i := range mean {
		mean[i] = stat.Mean(Column(losses, i), nil)
	}
	centred := make([][]float64, n)
	for r, row := range losses {
		centred[r] = floats.SubTo(make([]float64, k), row, mean)
	}
	limit := newNormalSum(centred)
	return func(rng *rand.Rand) []float64 {
		sums := limit.draw(rng)
		means := make([]float64, k)
		for i, sum := range sums {
			means[i] = RoundedSteps(mean[i] + sum/float64(n)) // rounded, so that ties are exact
		}
		return means
	}
}

// resampledMeans draws a bootstrap sample of the replicates and returns the mean loss of each
// classifier. The means are whole numbers of steps (see Steps).
func resampledMeans(losses [][]float64, rng *rand.Rand) []float64 {
	means := make([]float64, len(losses[0]))
	for range losses {
		for i, loss := range losses[rng.Intn(len(losses))] {
			means[i] += loss
		}
	}
	for i, sum := range means {
		means[i] = RoundedSteps(sum / float64(len(losses)))
	}
	return means
}
