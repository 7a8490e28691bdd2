package stats

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// PairwiseResult contains the data for a critical-difference diagram based on pairwise tests.
type PairwiseResult struct {
	FriedmanResult
	Adjusted [][]float64 // Adjusted[i][j]: p-value of classifiers i and j, Holm-adjusted; 1 if i = j
	Groups   [][]int     // the bars of the diagram, see cliques
	Unjoined [][2]int    // pairs without a significant difference that no bar joins
}

// WilcoxonHolm compares classifiers over independent blocks by mean ranks and by signed-rank tests
// of all pairs (Garcia and Herrera 2008; Benavoli et al. 2016). The p-values are two-sided, with
// Holm's correction. values[b][i] is the loss of classifier i in block b. Losses that are equal
// after rounding to the Grid are tied.
func WilcoxonHolm(values [][]float64, alpha float64) (PairwiseResult, error) {
	friedman, err := friedmanAt(alpha, "pairwise signed-rank tests", values)
	if err != nil {
		return PairwiseResult{}, err
	}
	adjusted, err := holmPValues(values)
	if err != nil {
		return PairwiseResult{}, err
	}
	alike := func(i, j int) bool { return adjusted[i][j] > alpha }
	groups := cliques(friedman.MeanRanks, alike) // the bars of the diagram
	return PairwiseResult{
		FriedmanResult: friedman,
		Adjusted:       adjusted,
		Groups:         groups,
		Unjoined:       unjoined(friedman.MeanRanks, groups, alike), // alike, but not in the same group
	}, nil
}

// holmPValues returns the matrix of the Holm-adjusted signed-rank p-values of all pairs of columns.
// The matrix is symmetric with diagonal 1.
//
// Differences are rounded to the Grid. Otherwise, rounding errors would break ties.
func holmPValues(values [][]float64) ([][]float64, error) {
	k := len(values[0])
	matrix := make([][]float64, k)
	for i := range matrix {
		matrix[i] = make([]float64, k)
		matrix[i][i] = 1
	}
	pairs := Pairs(k)
	p := make([]float64, len(pairs))
	for at, pair := range pairs {
		differences := stepsBetween(values, pair.I, pair.J)
		test, err := SignedRankOf(differences, TwoSided, !alwaysExact)
		if err != nil {
			return nil, err
		}
		p[at] = test.P
	}
	for at, adjusted := range Holm.Adjust(p, len(p)) {
		i, j := pairs[at].I, pairs[at].J
		matrix[i][j], matrix[j][i] = adjusted, adjusted
	}
	return matrix, nil
}

// unjoined returns the pairs of classifiers for which alike returns true, although no group contains
// both. The better classifier of a pair comes first.
func unjoined(meanRanks []float64, groups [][]int, alike func(i, j int) bool) (pairs [][2]int) {
	order := Ascending(meanRanks)
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

// stepsBetween returns column i minus column j, in steps of the Grid.
func stepsBetween(values [][]float64, i, j int) []float64 {
	return RoundedStepsOf(floats.SubTo(make([]float64, len(values)), Column(values, i), Column(values, j)))
}

// Column returns column j of a matrix.
func Column(values [][]float64, j int) []float64 {
	return Map(values, func(row []float64) float64 { return row[j] })
}

// cliques returns the groups of classifiers that a bar connects in a critical-difference diagram.
// In a group, alike(i, j) is true for all i and j: no pair differs significantly.
//
// A group contains at least two classifiers, which are consecutive in the order of mean ranks. No
// group is part of another.
func cliques(meanRanks []float64, alike func(i, j int) bool) [][]int {
	// Classifiers with the same mean rank are tied. A bar covers all of them or none.
	ties := tied(meanRanks)
	var groups [][]int
	lastEnd := 0 // the last group ends before ties[lastEnd]
	for from := range ties {
		to := endOfAlike(ties, from, alike) // all classifiers in ties[from:to] are alike
		group := slices.Concat(ties[from:to]...)
		isInsideLast := to <= lastEnd // because the last group begins before this one
		if len(group) > 1 && !isInsideLast {
			groups = append(groups, group)
			lastEnd = to
		}
	}
	return groups
}

// endOfAlike returns the largest end for which alike is true for all pairs of classifiers in
// ties[from:end]. If it is false for a pair within ties[from], the result is from.
func endOfAlike(ties [][]int, from int, alike func(i, j int) bool) int {
	to := from
	for to < len(ties) && pairwise(slices.Concat(ties[from:to+1]...), alike) {
		to++
	}
	return to
}

func pairwise(group []int, alike func(i, j int) bool) bool {
	for a, i := range group {
		for _, j := range group[a+1:] {
			if !alike(i, j) {
				return false
			}
		}
	}
	return true
}
