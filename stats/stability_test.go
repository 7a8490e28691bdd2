package stats

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

// firstShares uses enough resamples for a standard error of 0.0022.
func firstShares(r Ranking) []float64 { return r.FirstShares(40_000, randtest.New(1)) }

// Two results, one of which favours each classifier: a resample has both with probability 1/2, one of them
// twice with 1/4 each. If they are replicates of one block, their means decide: 4 and 1 with both. If they
// are blocks, their ranks decide, which tie with both, so each classifier gets half of these draws. Fixed
// blocks with one replicate do not vary.
func TestFirstSharesOfTwoResults(t *testing.T) {
	first, second := []float64{0, 1}, []float64{4, 1}
	for name, c := range map[string]struct {
		ranking Ranking
		want    [2]float64
	}{
		"replicates":   {Ranking{Losses: [][][]float64{{first, second}}}, [2]float64{0.25, 0.75}},
		"blocks":       {Ranking{Losses: [][][]float64{{first}, {second}}, ResampleBlocks: true}, [2]float64{0.5, 0.5}},
		"fixed blocks": {Ranking{Losses: [][][]float64{{first}, {second}}}, [2]float64{0.5, 0.5}},
	} {
		shares := firstShares(c.ranking)
		for i, want := range c.want {
			if math.Abs(shares[i]-want) > 4*0.0022 {
				t.Errorf("%s: shares %v, want %v", name, shares, c.want)
			}
		}
	}
}

// The replicates of every block are resampled in addition to the blocks. Two blocks, each with one replicate
// for either classifier, give equal shares. With a third replicate that favours the first, a block of 3
// favours it with probability 20/27: it has more than half of the three draws. Over two such blocks the rank
// sums differ unless the blocks disagree, 2 (20/27) (7/27).
func TestFirstSharesResampleReplicatesOfBlocks(t *testing.T) {
	block := [][]float64{{0, 1}, {1, 0}}
	for i, share := range firstShares(Ranking{Losses: [][][]float64{block, block}, ResampleBlocks: true}) {
		if math.Abs(share-0.5) > 4*0.0025 {
			t.Errorf("classifier %d is first in %v of the draws, want half", i+1, share)
		}
	}
	block = append(block, []float64{0, 1})
	const p = 20.0 / 27
	shares := firstShares(Ranking{Losses: [][][]float64{block, block}, ResampleBlocks: true})
	if want := p*p + p*(1-p); math.Abs(shares[0]-want) > 4*0.0025 || math.Abs(shares[0]+shares[1]-1) > 1e-9 {
		t.Errorf("%v, want %v of the first", shares, want)
	}
}

func TestFirstSharesTies(t *testing.T) {
	losses := [][]float64{{0.1, 0.1, 0.3}, {0.2, 0.2, 0.1}, {0.3, 0.3, 0.9}}
	if shares := firstShares(Ranking{Losses: [][][]float64{losses}}); shares[0] != shares[1] {
		t.Errorf("equal classifiers differ: %v", shares)
	}
}

// Shares of many replicates, drawn from the normal limit, are close to resampled ones.
func TestFirstSharesNormalLimit(t *testing.T) {
	rng := randtest.New(5)
	losses := make([][]float64, normalRows+1)
	for r := range losses {
		a := rng.ExpFloat64()
		losses[r] = []float64{a, a + 0.004 + rng.NormFloat64()/3, a}
	}
	const draws = 1000
	resampled := 0
	for range draws {
		if m := resampledMeans(losses, rng); m[0] <= m[1] {
			resampled++
		}
	}
	ranking := Ranking{Losses: [][][]float64{losses}}
	shares := ranking.FirstShares(draws, rng)
	if share := float64(resampled) / draws; share < 0.5 || share > 0.99 || math.Abs(shares[0]+shares[2]-share) > 0.06 {
		t.Errorf("classifiers 1 and 3 are first in %.3f of resamples, %.3f and %.3f of draws from the limit", share,
			shares[0], shares[2])
	}
	if shares[2] != shares[0] {
		t.Errorf("classifiers with equal losses are first in %.3f and %.3f", shares[0], shares[2])
	}
}
