package stats

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/stat/distuv"
)

// BayesOptions are the settings of the Bayesian signed-rank test.
type BayesOptions struct {
	Rope    float64 // differences within [-Rope, Rope] are practically equivalent, >= 0
	Prior   float64 // strength of the pseudo-difference 0, > 0
	Samples int     // draws of the posterior, >= 1
}

// DefaultBayesOptions returns the prior of Benavoli et al. (2017), section 4.2, with a Monte-Carlo
// standard error of at most 0.0025.
func DefaultBayesOptions(rope float64) BayesOptions {
	return BayesOptions{Rope: rope, Prior: 0.5, Samples: 40_000}
}

// check returns an error for options out of range.
func (o *BayesOptions) check() error {
	finite := !math.IsInf(o.Rope, 1) && !math.IsInf(o.Prior, 1)
	if finite && o.Rope >= 0 && o.Prior > 0 && o.Samples >= 1 {
		return nil
	}
	return fmt.Errorf("rope %v must be at least 0, the prior's strength %v above 0, both finite; samples %d at least 1",
		o.Rope, o.Prior, o.Samples)
}

// BayesResult has the posterior probabilities that the differences are mostly below the region of
// practical equivalence, inside it, or above it. They sum to 1.
type BayesResult struct {
	Below, Equivalent, Above float64
	SE                       float64 // largest Monte-Carlo standard error of the three
}

// BayesSignedRank is the Bayesian signed-rank test of paired differences z_1..z_n (Benavoli et al.
// 2014; 2017, section 4.2). The prior of their distribution is a Dirichlet process of strength s
// with its mass at z_0 = 0. The posterior weights are w ~ Dirichlet(s, 1, ..., 1), and each draw of
// them has
//
//	theta_above = sum_ij w_i w_j [(z_i + z_j)/2 > rope],
//	theta_below = sum_ij w_i w_j [(z_i + z_j)/2 < -rope],
//	theta_equivalent = 1 - theta_above - theta_below.
//
// The probability of each is the share of draws in which its theta is the largest; equal ones split
// the draw. Weights are drawn from rng. It assumes independent differences.
func BayesSignedRank(d []float64, o BayesOptions, rng *rand.Rand) (BayesResult, error) {
	const name = "Bayesian signed-rank test"
	if err := checkDifferences(name, d, TwoSided); err != nil {
		return BayesResult{}, err
	}
	if err := o.check(); err != nil {
		return BayesResult{}, fmt.Errorf("%s: %w", name, err)
	}
	posterior := newPosterior(d, o)
	negativeThetas := func() []float64 { // FirstShares counts the smallest
		thetas := posterior.draw(rng)
		for k := range thetas {
			thetas[k] = -thetas[k]
		}
		return thetas
	}
	shares := FirstShares(o.Samples, negativeThetas)
	r := BayesResult{Below: shares[0], Equivalent: shares[1], Above: shares[2]}
	for _, p := range shares {
		r.SE = max(r.SE, math.Sqrt(p*(1-p)/float64(o.Samples)))
	}
	return r, nil
}

// A posterior draws the weights of the test. The sums over j of w_j, for all z_j that are large or
// small enough beside a z_i, are runs of the sorted differences: a draw takes time O(n).
type posterior struct {
	prior     float64
	pseudo    int       // index of the pseudo-difference
	below     []int     // by i: number of j with (z_i + z_j)/2 < -rope
	upToAbove []int     // by i: number of j without (z_i + z_j)/2 > rope
	weight    []float64 // of the sorted differences, not normalised
	upTo      []float64 // upTo[j] is the sum of weight[:j]
}

// newPosterior returns the posterior of differences.
func newPosterior(d []float64, o BayesOptions) *posterior {
	z := append([]float64{0}, d...)
	slices.Sort(z)
	pseudo, _ := slices.BinarySearch(z, 0)
	return &posterior{
		prior: o.Prior, pseudo: pseudo,
		below:     countPartners(z, func(sum float64) bool { return sum < -2*o.Rope }),
		upToAbove: countPartners(z, func(sum float64) bool { return sum <= 2*o.Rope }),
		weight:    make([]float64, len(z)), upTo: make([]float64, len(z)+1),
	}
}

// countPartners returns, for each i, the number of j whose sum z_i + z_j is small. z is ascending, and
// every sum below a small one is small: the small partners of z_i are the first ones, and fewer as i
// grows.
func countPartners(z []float64, small func(sum float64) bool) []int {
	counts := make([]int, len(z))
	n := len(z)
	for i := range z {
		for n > 0 && !small(z[i]+z[n-1]) {
			n--
		}
		counts[i] = n
	}
	return counts
}

// draw returns theta_below, theta_equivalent and theta_above of one draw. Weights are Gamma(1), and
// Gamma(prior) for the pseudo-difference, divided by their sum.
func (p *posterior) draw(rng *rand.Rand) []float64 {
	for i := range p.weight {
		if i == p.pseudo {
			p.weight[i] = distuv.Gamma{Alpha: p.prior, Beta: 1, Src: rng}.Rand()
		} else {
			p.weight[i] = rng.ExpFloat64()
		}
		p.upTo[i+1] = p.upTo[i] + p.weight[i]
	}
	all := p.upTo[len(p.weight)]
	below, above := 0.0, 0.0
	for i, w := range p.weight {
		below += w * p.upTo[p.below[i]]
		above += w * (all - p.upTo[p.upToAbove[i]])
	}
	below, above = below/(all*all), above/(all*all)
	return []float64{below, 1 - below - above, above}
}
