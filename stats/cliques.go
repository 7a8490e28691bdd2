package stats

import (
	"fmt"
	"slices"
	"sort"
)

// PairwiseResult is what a critical-difference diagram by pairwise tests shows.
type PairwiseResult struct {
	FriedmanResult
	Adjusted [][]float64 // k x k p-values of the signed-rank tests, adjusted by Holm over all pairs; 1 on the diagonal
	Groups   [][]int     // maximal runs of classifiers, by mean rank, no two of which differ; at least two each
	Apart    [][2]int    // pairs, the better first, that do not differ but lie in no group: one between them differs
}

// WilcoxonHolm compares k classifiers over n blocks (cells or data sets) by their
// mean ranks and tells them apart by two-sided signed-rank tests of every pair,
// corrected by Holm over the k(k-1)/2 pairs (Garcia and Herrera 2008; Benavoli et
// al. 2016). Unlike Nemenyi's, whether two classifiers differ does not depend on
// the results of a third, though the size of the family does.
//
// Values and differences that are equal on the Grid tie. It assumes that blocks are
// independent.
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
			test, err := signedRankSteps(column(values, i), column(values, j))
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

// apart returns the pairs that are alike, by rank, but in no group together.
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

func column(values [][]float64, j int) []float64 {
	c := make([]float64, len(values))
	for i, row := range values {
		c[i] = row[j]
	}
	return c
}

// cliques returns the maximal runs, in order of rank, of which every two are
// alike. Runs of one are left out.
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
	end := 0 // runs that stop where an earlier one did are inside it
	for from := range order {
		to := from + 1
		for to < len(order) && joins(order[from:to], order[to]) {
			to++
		}
		if to-from > 1 && to > end {
			groups = append(groups, append([]int(nil), order[from:to]...))
			end = to
		}
	}
	return groups
}
