package stats

import (
	"fmt"
	"math"
)

// An Alternative is the alternative hypothesis of a test.
type Alternative int

const (
	TwoSided Alternative = iota // x and y differ
	Greater                     // x tends to be larger than y
	Less                        // x tends to be smaller than y
)

// String returns the name of the alternative in captions.
func (a Alternative) String() string {
	switch a {
	case TwoSided:
		return "two-sided"
	case Greater:
		return "greater"
	case Less:
		return "less"
	}
	return fmt.Sprintf("Alternative(%d)", int(a))
}

const (
	// normalFrom is the number of non-zero pairs from which on SignedRankOf takes the normal
	// approximation, as R's wilcox.test does.
	normalFrom = 50
	// maxExactPairs bounds the 2^n sign patterns of the exact distribution by the range of float64.
	maxExactPairs = 1000
)

// SignedRankResult is the outcome of a Wilcoxon signed-rank test.
type SignedRankResult struct {
	V     float64 // sum of the ranks of the positive differences
	P     float64 // p-value in (0,1]
	N     int     // pairs with a non-zero difference: the ones ranked
	Exact bool    // P comes from the exact null distribution of V
}

// SignedRankOf is Wilcoxon's signed-rank test of finite paired differences d: is their distribution
// symmetric about zero?
//
// Zero differences are dropped. With n < 50 pairs left, or with exact for up to 1000, P is
// exact given the mid-ranks of |d|, ties or not: all 2^n signs are equally likely. It equals
// R's exactRankTests::wilcox.exact, and without zeros and ties R's wilcox.test(x, y, paired =
// TRUE), whose normal approximation is wrong for few tied pairs: five equal differences
// have P = 0.0625, not 0.037. Otherwise P is normal as in wilcox.test. With t the sizes of the
// groups of ties,
//
//	m = n(n+1)/4,  s^2 = n(n+1)(2n+1)/24 - sum(t^3-t)/48,  z = (V - m - c)/s
//
// where c is the continuity correction: 1/2 towards m if two-sided, 1/2 for Greater, -1/2 for Less.
//
// If every difference is zero, R returns NaN with a warning. Here V and N are 0 and P is 1 and
// exact: the only possible value of V is 0.
func SignedRankOf(d []float64, alternative Alternative, exact bool) (SignedRankResult, error) {
	if err := alternative.check(); err != nil {
		return SignedRankResult{}, err
	}
	nonzero := dropZeros(d)
	n := len(nonzero)
	if n == 0 {
		return SignedRankResult{P: 1, Exact: true}, nil
	}
	ranks, ties := Midranks(absolute(nonzero))
	v := 0.0
	for i, di := range nonzero {
		if di > 0 {
			v += ranks[i]
		}
	}
	result := SignedRankResult{V: v, N: n}
	switch {
	case exact && n > maxExactPairs:
		return result, fmt.Errorf("exact signed-rank test: %d non-zero pairs, at most %d; take the normal "+
			"approximation", n, maxExactPairs)
	case exact || n < normalFrom:
		result.Exact = true
		lower, upper := flipTails(ranks, v)
		result.P = alternative.FromTails(lower, upper)
	default:
		m := float64(n) * float64(n+1) / 4
		variance := float64(n)*float64(n+1)*float64(2*n+1)/24 - ties/48
		result.P = alternative.normalP(v-m, math.Sqrt(variance))
	}
	return result, nil
}

// check returns an error for a value that is none of the constants.
func (a Alternative) check() error {
	if a < TwoSided || a > Less {
		return fmt.Errorf("unknown alternative %v", a)
	}
	return nil
}

// FromTails returns the p-value of an observed statistic t. lower and upper are P(T <= t) and
// P(T >= t) under the null hypothesis.
func (a Alternative) FromTails(lower, upper float64) float64 {
	switch a {
	case Greater:
		return min(upper, 1)
	case Less:
		return min(lower, 1)
	}
	return min(2*min(lower, upper), 1)
}

// normalP returns the normal p-value, with continuity correction, of a statistic at the given
// deviation from its mean under the null hypothesis; sd is its standard deviation there.
func (a Alternative) normalP(deviation, sd float64) float64 {
	switch a {
	case Greater:
		return normalUpper((deviation - 0.5) / sd)
	case Less:
		return normalUpper(-(deviation + 0.5) / sd)
	}
	if deviation == 0 {
		return 1
	}
	return min(2*normalUpper((math.Abs(deviation)-0.5)/sd), 1)
}

// normalUpper returns P(Z > z) of a standard normal Z, accurate far in the tail.
func normalUpper(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// dropZeros returns the values other than 0.
func dropZeros(d []float64) []float64 {
	kept := make([]float64, 0, len(d))
	for _, v := range d {
		if v != 0 {
			kept = append(kept, v)
		}
	}
	return kept
}

// absolute returns the absolute values.
func absolute(d []float64) []float64 {
	a := make([]float64, len(d))
	for i, v := range d {
		a[i] = math.Abs(v)
	}
	return a
}
