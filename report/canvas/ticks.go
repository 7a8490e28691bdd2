package canvas

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// Ticks marks multiples of 1, 2 or 5 times a power of ten: this many steps at
// most.
type Ticks int

// Ticks is part of plot.Ticker.
func (n Ticks) Ticks(low, high float64) []plot.Tick {
	step := niceStep(high-low, int(n))
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	var ticks []plot.Tick
	for k := math.Ceil(low/step-1e-9) + 0; k*step <= high*(1+1e-12)+1e-12; k++ {
		label := strings.Replace(fmt.Sprintf("%.*f", digits, k*step+0), "-", "−", 1)
		ticks = append(ticks, plot.Tick{Value: k * step, Label: label})
	}
	return ticks
}

// niceStep is the smallest of 1, 2, 5 times a power of ten that cuts span into
// at most `most` parts.
func niceStep(span float64, most int) float64 {
	if !(span > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(span/float64(most))))
	for _, f := range []float64{1, 2, 5, 10} {
		if span/(f*power) <= float64(most) {
			return f * power
		}
	}
	return 10 * power
}

// Span is the axis range for values: from zero unless that would waste the
// lower part, up to a little above the largest.
func Span(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 1
	}
	low, high = slices.Min(values), slices.Max(values)
	pad := 0.03 * (high - low)
	if low >= 0 && low < 0.2*high {
		return 0, high + 0.03*high
	}
	if high == low {
		return low - 0.5*math.Abs(low) - 1e-9, high + 0.5*math.Abs(high) + 1e-9
	}
	return low - pad, high + pad
}

// Sparse drops the labels of ticks that would come too close to the one before.
func Sparse(ticks []plot.Tick, p *plot.Plot) []plot.Tick {
	last := math.Inf(-1)
	for i, t := range ticks {
		at := p.X.Norm(t.Value)
		if at-last < 0.035+0.012*float64(len(t.Label)) {
			ticks[i].Label = ""
			continue
		}
		last = at
	}
	return ticks
}

// LogTicks marks 1, 2 and 5 times powers of ten.
type LogTicks struct{}

// Ticks is part of plot.Ticker.
func (LogTicks) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for power := math.Floor(math.Log10(low)); power <= math.Log10(high); power++ {
		for _, f := range []float64{1, 2, 5} {
			if v := f * math.Pow(10, power); v >= low && v <= high {
				ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', 4, 64)})
			}
		}
	}
	return ticks
}

// Decades marks powers of ten, and 2 and 5 times them where there are few.
type Decades struct{}

// Ticks is part of plot.Ticker.
func (Decades) Ticks(low, high float64) []plot.Tick {
	few := math.Log10(high/low) < 2
	var ticks []plot.Tick
	for _, t := range (LogTicks{}).Ticks(low, high) {
		if power := math.Log10(t.Value); few || math.Abs(power-math.Round(power)) < 1e-9 {
			ticks = append(ticks, t)
		}
	}
	return ticks
}
