package stats

import "math"

// Grid is the number of steps per unit. Losses are rounded to whole steps before they are compared.
// Without rounding, the equal differences 0.3 - 0.1 and 0.2 - 0 would differ in float64.
const Grid = 1e12

// RoundedSteps returns a loss, or a difference of losses, in steps of size 1/Grid, rounded to a whole
// number.
func RoundedSteps(loss float64) float64 { return math.Round(loss * Grid) }

// RoundedStepsOf returns RoundedSteps of each loss.
func RoundedStepsOf(losses []float64) []float64 { return Map(losses, RoundedSteps) }

// Finite reports whether v is neither NaN nor infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// SoftThreshold moves x towards 0 by t, but not past 0.
func SoftThreshold(x, t float64) float64 {
	switch {
	case x > t:
		return x - t
	case x < -t:
		return x + t
	}
	return 0
}
