package stats

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
)

// BayesOptions are the settings of the Bayesian signed-rank test.
type BayesOptions struct {
	Rope    float64 // differences within [-Rope, Rope] are practically equivalent, >= 0
	Prior   float64 // strength of the pseudo-difference 0, > 0
	Samples int     // draws of the posterior, >= 1
}

// DefaultBayesOptions is the prior of Benavoli et al. (2017), section 4.2, with a
// Monte-Carlo standard error of at most 0.0025.
func DefaultBayesOptions(rope float64) BayesOptions {
	return BayesOptions{Rope: rope, Prior: 0.5, Samples: 40_000}
}

// BayesResult holds the posterior probabilities that the differences lie mostly
// below the region of practical equivalence, in it, or above. They sum to 1.
type BayesResult struct {
	Below, Equivalent, Above float64
	SE                       float64 // largest Monte-Carlo standard error of the three
}

// BayesSignedRank is the Bayesian signed-rank test of paired differences z_1..z_n
// (Benavoli et al. 2014; 2017, section 4.2): the distribution of z has a
// Dirichlet-process prior of strength s with its mass at z_0 = 0, hence the
// posterior weights w ~ Dirichlet(s, 1, ..., 1), and for each draw
//
//	theta_above = sum_ij w_i w_j [(z_i + z_j)/2 > rope],
//	theta_below = sum_ij w_i w_j [(z_i + z_j)/2 < -rope],
//	theta_equivalent = 1 - theta_above - theta_below.
//
// Each probability is the share of the draws in which its theta is the largest;
// equal ones share the draw. A draw takes time O(n): the w_j of each z_i are a
// run of the sorted differences. Weights are drawn from rng.
//
// It assumes independent differences.
func BayesSignedRank(d []float64, o BayesOptions, rng *rand.Rand) (BayesResult, error) {
	const name = "Bayesian signed-rank test"
	if err := checkDifferences(name, d, TwoSided); err != nil {
		return BayesResult{}, err
	}
	if !(o.Rope >= 0) || math.IsInf(o.Rope, 1) || !(o.Prior > 0) || math.IsInf(o.Prior, 1) || o.Samples < 1 {
		return BayesResult{}, fmt.Errorf("%s: rope %v must be at least 0, the prior's strength %v above 0, both "+
			"finite; samples %d at least 1", name, o.Rope, o.Prior, o.Samples)
	}
	z := append([]float64{0}, d...)
	slices.Sort(z)
	pseudo, _ := slices.BinarySearch(z, 0)
	posterior := dirichletSums{
		below:  runs(z, func(sum float64) bool { return sum >= -2*o.Rope }), // as many are below
		above:  runs(z, func(sum float64) bool { return sum > 2*o.Rope }),
		weight: make([]float64, len(z)), upTo: make([]float64, len(z)+1),
	}
	var wins [3]float64
	for range o.Samples {
		posterior.draw(pseudo, o.Prior, rng)
		theta := posterior.thetas()
		award(theta, &wins)
	}
	m := float64(o.Samples)
	r := BayesResult{Below: wins[0] / m, Equivalent: wins[1] / m, Above: wins[2] / m}
	for _, p := range []float64{r.Below, r.Equivalent, r.Above} {
		r.SE = max(r.SE, math.Sqrt(p*(1-p)/m))
	}
	return r, nil
}

// runs returns, for each i, the first j for whose sum z_i + z_j beyond holds, in sorted z: from
// there on it holds for all.
func runs(z []float64, beyond func(sum float64) bool) []int {
	first := make([]int, len(z))
	j := len(z)
	for i := range z {
		for j > 0 && beyond(z[i]+z[j-1]) {
			j--
		}
		first[i] = j
	}
	return first
}

// dirichletSums is one draw of the posterior weights and what is summed of them.
type dirichletSums struct {
	below, above []int
	weight       []float64 // of the sorted differences, not normed
	upTo         []float64 // upTo[j] is the sum of weight[:j]
}

// draw draws Gamma(1) weights, and Gamma(prior) for the pseudo-difference.
func (s *dirichletSums) draw(pseudo int, prior float64, rng *rand.Rand) {
	for i := range s.weight {
		if i == pseudo {
			s.weight[i] = gammaDraw(prior, rng)
		} else {
			s.weight[i] = rng.ExpFloat64()
		}
		s.upTo[i+1] = s.upTo[i] + s.weight[i]
	}
}

// thetas returns theta_below, theta_equivalent and theta_above.
func (s *dirichletSums) thetas() [3]float64 {
	var below, above float64
	all := s.upTo[len(s.weight)]
	for i, w := range s.weight {
		below += w * s.upTo[s.below[i]]
		above += w * (all - s.upTo[s.above[i]])
	}
	below, above = below/(all*all), above/(all*all)
	return [3]float64{below, 1 - below - above, above}
}

// award gives the draw to the largest theta, in equal parts to equal ones.
func award(theta [3]float64, wins *[3]float64) {
	largest := slices.Max(theta[:])
	equal := 0.0
	for _, v := range theta {
		if v == largest {
			equal++
		}
	}
	for k, v := range theta {
		if v == largest {
			wins[k] += 1 / equal
		}
	}
}

// gammaDraw draws from Gamma(shape, 1) by Marsaglia and Tsang (2000), for a shape
// below 1 by way of shape + 1.
func gammaDraw(shape float64, rng *rand.Rand) float64 {
	boost := 1.0
	if shape < 1 {
		boost = math.Exp(-rng.ExpFloat64() / shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if -rng.ExpFloat64() < x*x/2+d*(1-v+math.Log(v)) {
			return boost * d * v
		}
	}
}
