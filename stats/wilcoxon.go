package stats

import (
	"fmt"
	"math"
)

// An Alternative is the hypothesis held against "no shift".
type Alternative int

const (
	TwoSided Alternative = iota // x and y differ
	Greater                     // x tends to be larger than y
	Less                        // x tends to be smaller than y
)

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
	// From this many non-zero pairs on SignedRankOf takes the normal approximation, as R's
	// wilcox.test does.
	normalFrom = 50
	// The exact distribution counts 2^n sign patterns in float64, which holds 2^1023.
	maxExactPairs = 1000
)

// SignedRankResult is the outcome of a Wilcoxon signed-rank test.
type SignedRankResult struct {
	V     float64 // sum of the ranks of the positive differences
	P     float64 // p-value in (0,1]
	N     int     // pairs with a non-zero difference: the ones ranked
	Exact bool    // P comes from the exact null distribution of V
}

// differences returns x - y, or an error that says why they cannot be paired.
func differences(x, y []float64) ([]float64, error) {
	if len(x) != len(y) {
		return nil, fmt.Errorf("signed-rank test: samples of unequal length, %d and %d", len(x), len(y))
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("signed-rank test: the samples are empty")
	}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
		if math.IsNaN(d[i]) || math.IsInf(d[i], 0) {
			return nil, fmt.Errorf("signed-rank test: pair %d is not finite: %v and %v", i+1, x[i], y[i])
		}
	}
	return d, nil
}

// SignedRankOf is Wilcoxon's signed-rank test of paired differences d, which are finite: do
// they lie symmetrically about zero?
//
// Zero differences are dropped. With n < 50 pairs left, or with exact for up to 1000, P is
// exact given the mid-ranks of |d|, ties or not: all 2^n signs are equally likely. It equals
// R's exactRankTests::wilcox.exact, and without zeros and ties R's wilcox.test(x, y, paired =
// TRUE), whose normal approximation is wrong for few tied pairs: five equal differences
// have P = 0.0625, not 0.037. Otherwise P is that of wilcox.test: with t the sizes of the
// groups of ties,
//
//	m = n(n+1)/4,  s^2 = n(n+1)(2n+1)/24 - sum(t^3-t)/48,  z = (V - m - c)/s
//
// and P is normal, c being the continuity correction: 1/2 towards m when
// two-sided, 1/2 for Greater, -1/2 for Less.
//
// When every difference is zero R returns NaN with a warning. Here V is 0, N is
// 0 and P is 1 and exact: no sign can be flipped, so the null distribution of V
// is the single point 0.
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
			"approximation",
			n, maxExactPairs)
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

func (a Alternative) check() error {
	if a < TwoSided || a > Less {
		return fmt.Errorf("unknown alternative %v", a)
	}
	return nil
}

// FromTails is the p-value of a statistic T with null P(T <= t) = lower and
// P(T >= t) = upper.
func (a Alternative) FromTails(lower, upper float64) float64 {
	switch a {
	case Greater:
		return min(upper, 1)
	case Less:
		return min(lower, 1)
	}
	return min(2*min(lower, upper), 1)
}

// normalP is the continuity-corrected normal p-value of a statistic that lies
// deviation from its null mean, with null standard deviation sd.
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

// normalUpper is P(Z > z) of a standard normal Z, accurate far in the tail.
func normalUpper(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

func dropZeros(d []float64) []float64 {
	kept := make([]float64, 0, len(d))
	for _, v := range d {
		if v != 0 {
			kept = append(kept, v)
		}
	}
	return kept
}

func absolute(d []float64) []float64 {
	a := make([]float64, len(d))
	for i, v := range d {
		a[i] = math.Abs(v)
	}
	return a
}
