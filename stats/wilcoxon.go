package stats

import (
	"fmt"
	"math"
	"slices"
)

// An Alternative is the alternative hypothesis of a test.
type Alternative int

const (
	TwoSided Alternative = iota // x and y differ
	Greater                     // x tends to be larger than y
	Less                        // x tends to be smaller than y
)

const (
	// SignedRankOf uses the normal approximation for at least normalFrom nonzero differences, as
	// R's wilcox.test does.
	normalFrom = 50
	// MaxExactPairs is the largest number of differences for the exact test. The number of sign patterns,
	// 2^1000, still fits in a float64.
	MaxExactPairs = 1000
)

// SignedRankResult is the outcome of a Wilcoxon signed-rank test.
type SignedRankResult struct {
	V     float64 // rank sum of the positive differences
	P     float64 // p-value in (0,1]
	N     int     // nonzero differences
	Exact bool
}

// SignedRankOf performs Wilcoxon's signed-rank test of finite paired differences d. Differences of
// 0 are dropped. If all differences are 0, P is 1 (NaN in R).
//
// For fewer than 50 differences, or if the argument exact is true, P is exact even with ties. An
// exact P equals the result of R's exactRankTests::wilcox.exact. Otherwise, P uses the normal
// approximation of R's wilcox.test. More than 1000 differences are an error if exact is true.
func SignedRankOf(d []float64, alternative Alternative, exact bool) (SignedRankResult, error) {
	nonzero := dropZeros(d)
	n := len(nonzero)
	if n == 0 {
		return SignedRankResult{P: 1, Exact: true}, nil
	}
	ranks, ties := Midranks(absolute(nonzero)) // ties: sum of t^3 - t over groups of t equal values
	v := 0.0                                   // sum of the ranks of positive differences
	for i, di := range nonzero {
		if di > 0 {
			v += ranks[i]
		}
	}
	result := SignedRankResult{V: v, N: n}
	switch {
	case exact && n > MaxExactPairs:
		return result, fmt.Errorf("exact signed-rank test: there are %d nonzero differences, but the test is limited "+
			"to %d; use `signed-rank` instead", n, MaxExactPairs)
	case exact || n < normalFrom:
		result.Exact = true
		lower, upper := flipTails(ranks, v)
		result.P = alternative.FromTails(lower, upper)
	default:
		mean := float64(n) * float64(n+1) / 4
		variance := float64(n)*float64(n+1)*float64(2*n+1)/24 - ties/48
		result.P = alternative.normalP(v-mean, math.Sqrt(variance))
	}
	return result, nil
}

// FromTails returns the p-value of an observed statistic t. lower is P(T <= t) and upper is P(T >=
// t) under the null hypothesis. FromTails panics for an unknown alternative.
func (a Alternative) FromTails(lower, upper float64) float64 {
	switch a {
	case TwoSided:
		return min(2*min(lower, upper), 1)
	case Greater:
		return min(upper, 1)
	case Less:
		return min(lower, 1)
	}
	panic(fmt.Sprintf("stats: unknown alternative %d", a))
}

// normalP returns the normal p-value, with continuity correction, of a statistic. The arguments are the
// deviation of the statistic from its mean under the null hypothesis, and its standard deviation.
func (a Alternative) normalP(deviation, sd float64) float64 {
	return a.FromTails(normalUpper(-(deviation+0.5)/sd), normalUpper((deviation-0.5)/sd))
}

// normalUpper returns P(Z > z) for a standard normal Z. It is accurate far into the tail.
func normalUpper(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

func dropZeros(d []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(d), func(v float64) bool { return v == 0 })
}

func absolute(d []float64) []float64 { return Map(d, math.Abs) }
