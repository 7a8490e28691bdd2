package stats

import (
	"errors"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// A Ranking has the results from which average ranks are computed.
type Ranking struct {
	// Losses has the losses of each block, a row for each replicate and a column for each classifier.
	Losses [][][]float64
	Drawn  bool // resamples also draw blocks, such as data sets; false: the design fixes the blocks
}

// FirstShares returns for each classifier the share of resamples in which it has the smallest
// average rank over the blocks; of one block that is the smallest mean loss. A resample draws
// the blocks with repetition, where they are drawn, and the replicates of each.
func (r *Ranking) FirstShares(draws int, rng *rand.Rand) ([]float64, error) {
	if draws < 1 || rng == nil || len(r.Losses) == 0 {
		return nil, errors.New("rank stability: needs a block, one draw and a random source")
	}
	if slices.ContainsFunc(r.Losses, func(block [][]float64) bool { return len(block) == 0 }) {
		return nil, errors.New("rank stability: a block has no replicate")
	}
	means := make([]func(*rand.Rand) []float64, len(r.Losses))
	for b, losses := range r.Losses {
		means[b] = resampler(losses)
	}
	return FirstShares(draws, func() []float64 { return r.resampledRanks(means, rng) }), nil
}

// FirstShares returns for each classifier the share of draws in which its score is the
// smallest. Classifiers that tie split the draw. Draws with a NaN do not count. draw returns
// the scores of all classifiers in one draw.
func FirstShares(draws int, draw func() []float64) []float64 {
	var firsts []float64
	counted := 0.0
	for range draws {
		scores := draw()
		if firsts == nil {
			firsts = make([]float64, len(scores))
		}
		smallest := slices.Min(scores) // NaN if any score is
		ties := 0.0
		for _, score := range scores {
			if score == smallest {
				ties++
			}
		}
		if ties == 0 {
			continue
		}
		counted++
		for i, score := range scores {
			if score == smallest {
				firsts[i] += 1 / ties
			}
		}
	}
	for i := range firsts {
		firsts[i] /= counted
	}
	return firsts
}

// resampledRanks returns the sums of the classifiers' ranks over the blocks of one resample.
// means draw the mean losses in each block.
func (r *Ranking) resampledRanks(means []func(*rand.Rand) []float64, rng *rand.Rand) []float64 {
	var sums []float64
	for b := range r.Losses {
		if r.Drawn {
			b = rng.Intn(len(r.Losses))
		}
		ranks, _ := Midranks(means[b](rng))
		if sums == nil {
			sums = make([]float64, len(ranks))
		}
		for i, rank := range ranks {
			sums[i] += rank
		}
	}
	return sums
}

// resampler returns a function that draws the mean losses of a resample of replicates, in Steps. For
// many replicates it draws from the normal limit.
func resampler(losses [][]float64) func(*rand.Rand) []float64 {
	if len(losses) <= normalRows {
		return func(rng *rand.Rand) []float64 { return resampledMeans(losses, rng) }
	}
	n, k := len(losses), len(losses[0])
	mean := make([]float64, k)
	for i := range mean {
		mean[i] = stat.Mean(column(losses, i), nil)
	}
	centred := make([][]float64, n)
	for r, row := range losses {
		centred[r] = floats.SubTo(make([]float64, k), row, mean)
	}
	limit := newNormalSum(centred)
	return func(rng *rand.Rand) []float64 {
		means := limit.draw(rng)
		for i, sum := range means {
			means[i] = Steps(mean[i] + sum/float64(n))
		}
		return means
	}
}

// resampledMeans returns the mean losses of one resample of replicates, in Steps.
func resampledMeans(losses [][]float64, rng *rand.Rand) []float64 {
	means := make([]float64, len(losses[0]))
	for range losses {
		for i, loss := range losses[rng.Intn(len(losses))] {
			means[i] += loss
		}
	}
	for i, sum := range means {
		means[i] = Steps(sum / float64(len(losses)))
	}
	return means
}
