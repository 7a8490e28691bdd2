package stats

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Midranks returns the ranks 1..n of x. Equal values share their mean rank. The result ties is the
// tie correction of rank tests, the sum of t^3 - t over all groups of t equal values.
func Midranks(x []float64) (ranks []float64, ties float64) {
	ranks = make([]float64, len(x))
	smaller := 0
	for _, group := range tied(x) {
		for _, i := range group {
			ranks[i] = float64(2*smaller+1+len(group)) / 2 // mean of the ranks smaller+1..smaller+len(group)
		}
		t := float64(len(group))
		ties += t*t*t - t
		smaller += len(group)
	}
	return ranks, ties
}

// tied returns the indices of x in groups of equal values, in ascending order of the values.
func tied(x []float64) (groups [][]int) {
	order := Ascending(x)
	for from := 0; from < len(x); {
		to := from + 1
		for to < len(x) && x[order[to]] == x[order[from]] {
			to++
		}
		groups = append(groups, order[from:to])
		from = to
	}
	return groups
}

// Ascending returns the indices of x in ascending order of the values, with NaN last. Equal values keep their
// order.
func Ascending(x []float64) []int {
	order := Indices(len(x))
	// cmp.Compare regards NaN as less than all numbers, so the comparison of -x[b] with -x[a] puts NaN last.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(-x[b], -x[a]) })
	return order
}

// FriedmanResult contains the result of comparing k classifiers over n blocks by their mean ranks.
type FriedmanResult struct {
	MeanRanks []float64 // per classifier; 1 is the smallest value of a block
	Q         float64   // chi-squared statistic, corrected for ties
	P         float64
	N         int
}

// Friedman performs Friedman's rank test, like R's friedman.test. values[i][j] is the value of
// classifier j in block i. Values that are equal after rounding to the Grid are tied. If all values
// are tied in every block, P is 1 (NaN in R).
func Friedman(values [][]float64) (FriedmanResult, error) {
	if err := checkMatrix(values, "block"); err != nil {
		return FriedmanResult{}, fmt.Errorf("Friedman test: %w", err)
	}
	n, k := len(values), len(values[0])
	sums := make([]float64, k)
	ties := 0.0
	for _, block := range values {
		ranks, blockTies := Midranks(RoundedStepsOf(block)) // blockTies: sum of t^3 - t over groups of t ties
		ties += blockTies
		floats.Add(sums, ranks)
	}
	result := FriedmanResult{MeanRanks: make([]float64, k), N: n, P: 1}
	// Q = 12 sum_j (R_j - n(k+1)/2)^2 / (n k (k+1) - sum(t^3-t)/(k-1)), for rank sums R_j
	squares := 0.0
	for j, s := range sums {
		deviation := s - float64(n)*float64(k+1)/2
		squares += deviation * deviation
		result.MeanRanks[j] = s / float64(n)
	}
	if squares > 0 {
		result.Q = 12 * squares / (float64(n)*float64(k)*float64(k+1) - ties/float64(k-1))
		result.P = distuv.ChiSquared{K: float64(k - 1)}.Survival(result.Q)
	}
	return result, nil
}

// friedmanAt returns the result of Friedman for a post-hoc test at level alpha. It returns an error
// unless alpha is between 0 and 1, exclusive. The error starts with the name of the test.
func friedmanAt(alpha float64, test string, values [][]float64) (FriedmanResult, error) {
	if !(alpha > 0 && alpha < 1) {
		return FriedmanResult{}, fmt.Errorf("%s: alpha is %v; it must be between 0 and 1", test, alpha)
	}
	return Friedman(values)
}

// checkMatrix returns an error unless values has at least one row and two columns. All rows must
// have the same length and finite values. The argument row describes a row in error messages, such
// as "replicate".
func checkMatrix(values [][]float64, row string) error {
	if len(values) == 0 || len(values[0]) < 2 {
		return fmt.Errorf("needs at least one %s and two classifiers", row)
	}
	for i, list := range values {
		if len(list) != len(values[0]) {
			return fmt.Errorf("%s %d has %d values, but %s 1 has %d; all must have the same number",
				row, i+1, len(list), row, len(values[0]))
		}
		for j, v := range list {
			if !Finite(v) {
				return fmt.Errorf("the value of classifier %d in %s %d is not finite: %v", j+1, row, i+1, v)
			}
		}
	}
	return nil
}
