package glasso

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Nonparanormal returns the normal scores Phi^-1(F(x_i)) of one variable, F its
// empirical distribution function (mean rank over n) truncated to
// [delta, 1-delta] with
//
//	delta = 1/(4 n^(1/4) sqrt(pi log n)).
//
// Source: Liu, Lafferty, Wasserman, JMLR 10 (2009), section 4. n must be at
// least 2.
func Nonparanormal(x []float64) []float64 {
	n := float64(len(x))
	delta := 1 / (4 * math.Pow(n, 0.25) * math.Sqrt(math.Pi*math.Log(n)))
	scores := make([]float64, len(x))
	for i, r := range meanRanks(x) {
		scores[i] = distuv.UnitNormal.Quantile(min(max(r/n, delta), 1-delta))
	}
	return scores
}

// meanRanks returns the ranks 1..n of x, ties sharing their mean.
func meanRanks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case x[a] < x[b]:
			return -1
		case x[a] > x[b]:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return ranks
}
