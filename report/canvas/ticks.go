package canvas

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// Ticks is a plot.Ticker whose value is the maximum number of intervals. Their width is 1, 2 or 5 times a power
// of ten.
type Ticks int

// Ticks returns ticks at the multiples of a step between low and high. Their labels have as many decimals as the
// step needs. The terms 1e-9 allow for rounding errors of logarithms and quotients.
func (n Ticks) Ticks(low, high float64) []plot.Tick {
	step := niceStep(high-low, int(n))
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	isScientific := decimals > 6 || max(-low, high) >= 1e7 // the labels would be long
	var ticks []plot.Tick
	for k := math.Ceil(low/step-1e-9) + 0; k <= high/step+1e-9; k++ { // + 0 turns -0 into 0
		label := fmt.Sprintf("%.*f", decimals, k*step)
		if isScientific {
			rounded, _ := strconv.ParseFloat(label, 64)
			label = strconv.FormatFloat(rounded, 'g', -1, 64) // the shortest form, such as "4e-12"
		}
		if k < 0 {
			label = "−" + strings.TrimPrefix(label, "-")
		}
		ticks = append(ticks, plot.Tick{Value: k * step, Label: label})
	}
	return ticks
}

// niceStep returns the smallest step of 1, 2 or 5 times a power of ten that divides span into at most the given
// number of steps, or 1 if span is not positive.
func niceStep(span float64, steps int) float64 {
	if !(span > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(span/float64(steps))))
	for _, f := range []float64{1, 2, 5} {
		if span/(f*power) <= float64(steps) {
			return f * power
		}
	}
	return 10 * power
}

// AxisRange returns an axis range that extends slightly beyond the values. It begins at 0 if no value is
// negative and the smallest is below a fifth of the largest. Without values, the range is 0 to 1.
func AxisRange(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 1
	}
	const share = 0.03 // part of the range that is added at each end
	low, high = slices.Min(values), slices.Max(values)
	size := max(math.Abs(low), math.Abs(high))
	switch {
	case size == 0:
		return 0, 1
	case high-low <= 1e-12+1e-9*size: // equal up to an absolute or relative rounding error
		// 1e-9 prevents an empty range if low and high are tiny.
		return low - 0.5*math.Abs(low) - 1e-9, high + 0.5*math.Abs(high) + 1e-9
	case low >= 0 && low < 0.2*high:
		return 0, (1 + share) * high
	}
	pad := share * (high - low)
	return low - pad, high + pad
}

// LogTicks is a plot.Ticker for a logarithmic axis (see its method Ticks).
type LogTicks int

// Ticks returns ticks between low and high, or nil if low is not positive. If k > 0, the ticks are at every k-th
// power of ten. If k = 0, they are at 1, 2 and 5 times the powers of ten, or evenly spaced if fewer than three
// of these lie in the range.
func (k LogTicks) Ticks(low, high float64) []plot.Tick {
	if !(low > 0) {
		return nil
	}
	if k > 0 {
		return powerTicks(low, high, float64(k), 1)
	}
	ticks := powerTicks(low, high, 1, 1, 2, 5)
	if len(ticks) < 3 {
		return Ticks(5).Ticks(low, high)
	}
	return ticks
}

// powerTicks returns ticks between low and high. The value of a tick is a factor times a power of ten. The
// exponent is a multiple of step.
func powerTicks(low, high, step float64, factors ...float64) (ticks []plot.Tick) {
	for exponent := step * math.Floor(math.Log10(low)/step); exponent <= math.Log10(high); exponent += step {
		for _, f := range factors {
			if v := f * math.Pow(10, exponent); v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: shortNumber(v)})
			}
		}
	}
	return ticks
}

// shortNumber formats a number with four significant digits, without an exponent below 10 million.
func shortNumber(v float64) string {
	if v >= 1e4 && v < 1e7 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
