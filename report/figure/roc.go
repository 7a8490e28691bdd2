package figure

import (
	"gonum.org/v1/gonum/floats"

	"copse/report/sheet"
	"copse/stats"
	"copse/stats/metrics"
)

// rocCurves describes plots of mean ROC curves, computed at evenly spaced false positive rates.
var rocCurves = curveKind{
	x: "false positive rate", y: "true positive rate", needs: metrics.Scores,
	average: func(_ *predictionChart, _ string, number int) average { return newROCAverage(number) },
	captionFacts: func(d *predictionChart) captionFacts {
		return captionFacts{"Rest": d.oneAgainstRest, "Rates": rocSteps + 1}
	},
}

const rocSteps = 100

// A rocAverage averages true positive rates at fixed false positive rates (Fawcett 2006, algorithm 3).
// It averages first over the fits of a unit, then over units.
type rocAverage struct {
	number  int             // index of the classifier (see isMarked)
	rates   []float64       // the false positive rates at which curves are averaged
	heights []stats.Running // mean over units at each rate
	area    stats.Running   // mean over units
}

func newROCAverage(number int) *rocAverage {
	a := &rocAverage{number: number, heights: make([]stats.Running, rocSteps+1)}
	for k := range a.heights {
		a.rates = append(a.rates, float64(k)/rocSteps)
	}
	return a
}

// addUnit adds the mean of the ROC curves of a unit. A fit has no curve if all its test rows, or
// none, belong to the positive class.
func (a *rocAverage) addUnit(fits []*metrics.Predictions, class int) bool {
	heights, area := make([]float64, len(a.rates)), 0.0 // sums over the curves
	curves := 0
	for _, p := range fits {
		if c := metrics.NewROC(p, class); c != nil {
			floats.Add(heights, c.Over(a.rates))
			area += c.Area()
			curves++
		}
	}
	if curves == 0 {
		return false
	}
	for k := range heights {
		a.heights[k].Add(heights[k] / float64(curves))
	}
	a.area.Add(area / float64(curves))
	return true
}

// curve returns the mean ROC curve. Its note is the mean area under the curves. The curve is empty
// if no unit has a curve.
func (a *rocAverage) curve() curve {
	area := a.area.Summary()
	if area.N == 0 {
		return curve{}
	}
	origin := point{unmarked: true}
	c := curve{points: []point{origin}, area: area.Mean, note: sheet.Fixed(area.Mean, 3)}
	for k, rate := range a.rates {
		c.points = append(c.points, point{x: rate, Summary: a.heights[k].Summary(), unmarked: !a.isMarked(k)})
	}
	return c
}

// isMarked reports whether the curve has a mark at its k-th false positive rate. Every 12th rate
// has a mark. For the next classifier, the marked rates are 5 rates further right, so that marks do
// not hide each other.
func (a *rocAverage) isMarked(k int) bool {
	const spacing, shift = 12, 5
	const first = 3 // first marked rate of classifier 0
	return (k-first-shift*a.number)%spacing == 0
}
