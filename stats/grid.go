package stats

import "math"

// Grid is the number of steps per unit to which losses are rounded where it matters
// whether they are equal. Rates are ratios of whole numbers, and their means and
// differences would tie exactly but for rounding: 0.3 - 0.1 and 0.2 - 0 differ in
// float64, and so may means of the same values in another order.
const Grid = 1e12

// Steps returns a loss, or a difference of two, in whole steps of the grid.
func Steps(loss float64) float64 { return math.Round(loss * Grid) }

// steps is the same of each value.
func steps(losses []float64) []float64 {
	s := make([]float64, len(losses))
	for i, v := range losses {
		s[i] = Steps(v)
	}
	return s
}

// signedRankSteps is the two-sided signed-rank test of losses whose differences tie
// on the grid.
func signedRankSteps(x, y []float64) (SignedRankResult, error) {
	d, err := differences(x, y)
	if err != nil {
		return SignedRankResult{}, err
	}
	return SignedRankOf(steps(d), TwoSided, false)
}
