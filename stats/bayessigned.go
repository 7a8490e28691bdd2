package stats

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// bayesPrior is the weight of the prior's pseudo-difference 0, as in Benavoli et al. (2017),
	// section 4.2. Real differences have weight 1.
	bayesPrior = 0.5
	// BayesDraws is the number of posterior draws in studies. With this number, the Monte-Carlo
	// standard error of a probability is at most 0.0025.
	BayesDraws = 40_000
)

// BayesResult contains the posterior probabilities that the differences are mostly below, inside or
// above the region of practical equivalence. They sum to 1.
type BayesResult struct {
	Below, Equivalent, Above float64
}

// BayesSignedRank is the Bayesian signed-rank test of independent paired differences d (Benavoli et
// al. 2014; 2017, section 4.2). Differences within [-rope, rope] are practically equivalent. The
// argument draws is the number of posterior draws, at least 1.
//
// Let z_1..z_n be the differences. The prior is a Dirichlet process with strength s = 0.5 and all
// its mass at z_0 = 0. Each posterior draw takes weights w ~ Dirichlet(s, 1, ..., 1) of
// z_0..z_n. It computes
//
//	theta_above = sum of w_i w_j over the pairs with (z_i + z_j)/2 > rope,
//	theta_below = sum of w_i w_j over the pairs with (z_i + z_j)/2 < -rope,
//	theta_equivalent = 1 - theta_above - theta_below.
//
// The probability of an outcome is the proportion of draws in which its theta is the largest. Tied
// outcomes share a draw equally.
//
// BayesSignedRank panics if d is empty, if a difference is not finite, if rope is negative or not
// finite, or if draws is less than 1.
func BayesSignedRank(d []float64, rope float64, draws int, rng *rand.Rand) BayesResult {
	const name = "Bayesian signed-rank test"
	if err := checkDifferences(name, d); err != nil {
		panic("stats: " + err.Error())
	}
	if !(rope >= 0) || math.IsInf(rope, 1) || draws < 1 {
		panic(fmt.Sprintf("stats: %s: the rope is %v and the number of draws %d; they must be at least 0 and 1",
			name, rope, draws))
	}
	posterior := newPosterior(d, rope)
	// FirstShares finds the smallest value. With negative thetas, it finds the largest theta.
	negativeThetas := func() []float64 {
		below, equivalent, above := posterior.draw(rng)
		return []float64{-below, -equivalent, -above}
	}
	shares := FirstShares(draws, negativeThetas)
	return BayesResult{Below: shares[0], Equivalent: shares[1], Above: shares[2]}
}

// A posterior draws theta_below, theta_equivalent and theta_above (see BayesSignedRank). A draw
// takes O(n) time.
//
// In the comments below, z contains the differences and the prior's pseudo-difference 0, in
// ascending order.
type posterior struct {
	pseudo        int       // index of the prior's 0 in z
	countBelow    []int     // countBelow[i]: number of j with (z_i + z_j)/2 < -rope
	countNotAbove []int     // countNotAbove[i]: number of j with (z_i + z_j)/2 <= rope
	weight        []float64 // weight[i] of z_i in the last draw, not normalised
	cumulative    []float64 // cumulative[m]: sum of the first m weights
}

func newPosterior(d []float64, rope float64) *posterior {
	z := append([]float64{0}, d...)
	slices.Sort(z)
	pseudo, _ := slices.BinarySearch(z, 0)
	return &posterior{
		pseudo:        pseudo,
		countBelow:    countPartners(z, func(sum float64) bool { return sum < -2*rope }),
		countNotAbove: countPartners(z, func(sum float64) bool { return sum <= 2*rope }),
		weight:        make([]float64, len(z)),
		cumulative:    make([]float64, len(z)+1),
	}
}

// countPartners returns, for each z[i], the number of elements z[j] for which small(z[i] + z[j]) is
// true. The slice z must be ascending.
//
// The function small must be true below some constant and false above it, as in "sum < 5".
func countPartners(z []float64, small func(sum float64) bool) []int {
	counts := make([]int, len(z))
	n := len(z)
	for i := range z {
		// For a larger z[i], n cannot be larger, so the search continues from the previous n.
		for n > 0 && !small(z[i]+z[n-1]) {
			n--
		}
		counts[i] = n
	}
	return counts
}

// draw returns theta_below, theta_equivalent and theta_above for one posterior draw (see
// BayesSignedRank).
func (p *posterior) draw(rng *rand.Rand) (below, equivalent, above float64) {
	// Divided by their total, these gamma variables follow the Dirichlet distribution.
	for i := range p.weight {
		if i == p.pseudo { // the index of z_0, the prior's mass at 0
			p.weight[i] = distuv.Gamma{Alpha: bayesPrior, Beta: 1, Src: rng}.Rand()
		} else {
			p.weight[i] = rng.ExpFloat64()
		}
		p.cumulative[i+1] = p.cumulative[i] + p.weight[i]
	}
	total := p.cumulative[len(p.weight)]
	for i, w := range p.weight {
		// z is ascending. So (z_i + z_j)/2 is below -rope for the first countBelow[i] of all z_j,
		// and above rope for all except the first countNotAbove[i].
		weightBelow := p.cumulative[p.countBelow[i]]
		weightAbove := total - p.cumulative[p.countNotAbove[i]]
		below += w * weightBelow
		above += w * weightAbove
	}
	below /= total * total // as if all weights had been divided by their total
	above /= total * total
	return below, 1 - below - above, above
}
