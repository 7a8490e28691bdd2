package stats

import (
	"fmt"
	"slices"
	"sort"
)

// PairwiseResult has the content of a critical-difference diagram by pairwise tests.
type PairwiseResult struct {
	FriedmanResult
	Adjusted [][]float64 // k x k p-values of the signed-rank tests, adjusted by Holm over all pairs; 1 on the diagonal
	Groups   [][]int     // see cliques
	Apart    [][2]int    // pairs that do not differ but are in no group, since one ranked between them differs
}

// WilcoxonHolm compares k classifiers over n blocks (cells or data sets): it ranks them, and makes
// two-sided signed-rank tests of all k(k-1)/2 pairs with Holm's correction (Garcia and Herrera 2008;
// Benavoli et al. 2016). Unlike in Nemenyi's test, the p-value of a pair does not depend on the
// results of a third classifier. Values and differences that are equal on the Grid tie. It assumes
// independent blocks.
func WilcoxonHolm(values [][]float64, alpha float64) (PairwiseResult, error) {
	if !(alpha > 0 && alpha < 1) {
		return PairwiseResult{}, fmt.Errorf("pairwise signed-rank tests: alpha is %v, must lie in (0,1)", alpha)
	}
	friedman, err := Friedman(values)
	if err != nil {
		return PairwiseResult{}, err
	}
	k := len(friedman.MeanRanks)
	r := PairwiseResult{FriedmanResult: friedman, Adjusted: make([][]float64, k)}
	for i := range r.Adjusted {
		r.Adjusted[i] = make([]float64, k)
		r.Adjusted[i][i] = 1
	}
	var p []float64
	for i := range k {
		for j := i + 1; j < k; j++ {
			test, err := SignedRankOf(stepsBetween(values, i, j), TwoSided, false)
			if err != nil {
				return PairwiseResult{}, err
			}
			p = append(p, test.P)
		}
	}
	adjusted := Holm.Adjust(p, len(p))
	for i := range k {
		for j := i + 1; j < k; j++ {
			r.Adjusted[i][j], r.Adjusted[j][i] = adjusted[0], adjusted[0]
			adjusted = adjusted[1:]
		}
	}
	alike := func(i, j int) bool { return r.Adjusted[i][j] > alpha }
	r.Groups = cliques(friedman.MeanRanks, alike)
	r.Apart = apart(friedman.MeanRanks, r.Groups, alike)
	return r, nil
}

// apart returns the pairs that are alike but in no group together, the better one first.
func apart(meanRanks []float64, groups [][]int, alike func(i, j int) bool) (pairs [][2]int) {
	order := byRank(meanRanks)
	for a, i := range order {
		for _, j := range order[a+1:] {
			joined := slices.ContainsFunc(groups,
				func(g []int) bool { return slices.Contains(g, i) && slices.Contains(g, j) })
			if alike(i, j) && !joined {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// byRank returns the classifiers from the best mean rank to the worst.
func byRank(meanRanks []float64) []int {
	order := make([]int, len(meanRanks))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return meanRanks[order[a]] < meanRanks[order[b]] })
	return order
}

// stepsBetween returns column i less column j, in steps of the Grid.
func stepsBetween(values [][]float64, i, j int) []float64 {
	d := make([]float64, len(values))
	for b, block := range values {
		d[b] = Steps(block[i] - block[j])
	}
	return d
}

// column returns column j of a matrix.
func column(values [][]float64, j int) []float64 {
	c := make([]float64, len(values))
	for i, row := range values {
		c[i] = row[j]
	}
	return c
}

// cliques returns the maximal runs of at least two classifiers that are consecutive by mean rank and
// pairwise alike.
func cliques(meanRanks []float64, alike func(i, j int) bool) [][]int {
	order := byRank(meanRanks)
	joins := func(run []int, next int) bool {
		for _, i := range run {
			if !alike(i, next) {
				return false
			}
		}
		return true
	}
	var groups [][]int
	end := 0 // of the last run
	for from := range order {
		to := from + 1
		for to < len(order) && joins(order[from:to], order[to]) {
			to++
		}
		if to-from > 1 && to > end { // else it is inside an earlier run
			groups = append(groups, slices.Clone(order[from:to]))
			end = to
		}
	}
	return groups
}
