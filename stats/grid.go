package stats

import "math"

// Grid is the number of steps per unit to which losses are rounded before they are compared for
// equality. Means and differences of rates often tie except for rounding: 0.3 - 0.1 and 0.2 - 0
// differ in float64, and so may means of the same values in another order.
const Grid = 1e12

// Steps returns a loss or a difference of losses in whole steps of the Grid.
func Steps(loss float64) float64 { return math.Round(loss * Grid) }

// steps returns the Steps of each loss.
func steps(losses []float64) []float64 {
	s := make([]float64, len(losses))
	for i, v := range losses {
		s[i] = Steps(v)
	}
	return s
}
