package stats

import (
	"fmt"
	"math"
)

// RankSumResult is the outcome of a Wilcoxon rank-sum (Mann-Whitney) test.
type RankSumResult struct {
	W      float64 // Mann-Whitney's U: pairs with x above y, a tie counting one half
	P      float64 // p-value in (0,1]
	NX, NY int     // sizes of the samples
	Exact  bool    // P comes from the exact null distribution of W
}

// RankSum is Wilcoxon's rank-sum test of the unpaired samples x and y. It
// equals R's wilcox.test(x, y): exact when both samples are smaller than 50 and
// no two values tie, otherwise normal with tie and continuity correction,
//
//	m = nx ny/2,  s^2 = nx ny/12 (N + 1 - sum(t^3-t)/(N(N-1))),  N = nx + ny.
//
// Replicates of one cell are paired, and SignedRank is the test for them; this
// one serves papers that used it. When all values are equal R answers NaN; here
// P is 1, since every arrangement gives the same W.
func RankSum(x, y []float64, alternative Alternative) (RankSumResult, error) {
	if err := alternative.check(); err != nil {
		return RankSumResult{}, err
	}
	if len(x) == 0 || len(y) == 0 {
		return RankSumResult{}, fmt.Errorf("rank-sum test: a sample is empty (%d and %d values)", len(x), len(y))
	}
	pooled := append(append(make([]float64, 0, len(x)+len(y)), x...), y...)
	for i, v := range pooled {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return RankSumResult{}, fmt.Errorf("rank-sum test: value %d of %d pooled values is not finite: %v", i+1, len(pooled), v)
		}
	}
	ranks, ties := Midranks(pooled)
	nx, ny := float64(len(x)), float64(len(y))
	w := -nx * (nx + 1) / 2
	for _, r := range ranks[:len(x)] {
		w += r
	}
	result := RankSumResult{W: w, NX: len(x), NY: len(y)}
	if len(x) < normalFrom && len(y) < normalFrom && ties == 0 {
		result.Exact = true
		result.P = alternative.exactP(uTails(len(x), len(y), w))
		return result, nil
	}
	n := nx + ny
	variance := nx * ny / 12 * (n + 1 - ties/(n*(n-1)))
	if variance == 0 {
		result.P = 1
		return result, nil
	}
	result.P = alternative.normalP(w-nx*ny/2, math.Sqrt(variance))
	return result, nil
}
