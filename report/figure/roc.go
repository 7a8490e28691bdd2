package figure

import (
	"copse/report/sheet"
	"copse/stats"
	"copse/stats/metrics"
)

// rocCurves draws the mean of ROC curves at evenly spaced false positive rates.
var rocCurves = curveKind{
	x: "false positive rate", y: "true positive rate", needs: metrics.Scores,
	average: func(_ *Options, place int) average { return newROCAverage(place) },
	facts:   func(d *predictionChart) facts { return facts{"Rest": d.rest, "Rates": rocSteps + 1} },
}

// rocSteps is the number of steps of the grid of false positive rates.
const rocSteps = 100

// A rocAverage averages ROC curves vertically, the heights at each false positive rate (Fawcett 2006,
// algorithm 3): over the fits of a unit, then over units.
type rocAverage struct {
	place   int             // of the classifier, by which marks of different classifiers are shifted
	rates   []float64       // the grid of false positive rates
	heights []stats.Running // over units, by rate
	area    stats.Running   // over units

	unitHeights []float64 // sums over the curves of the unit being read, by rate
	unitArea    float64   // likewise
	curves      int       // of that unit
}

// newROCAverage returns the average of no curves; place is the number of the classifier.
func newROCAverage(place int) *rocAverage {
	a := &rocAverage{place: place, heights: make([]stats.Running, rocSteps+1), unitHeights: make([]float64, rocSteps+1)}
	for k := range a.heights {
		a.rates = append(a.rates, float64(k)/rocSteps)
	}
	return a
}

// fit adds the curve of a fit to the unit and reports whether it has one.
func (a *rocAverage) fit(p *metrics.Predictions, class int) bool {
	c := metrics.NewROC(p, class)
	if c == nil {
		return false
	}
	for k, height := range c.Over(a.rates) {
		a.unitHeights[k] += height
	}
	a.unitArea += c.Area()
	a.curves++
	return true
}

// end adds the mean curve of the unit, if it counts, and begins the next unit.
func (a *rocAverage) end(counts bool) {
	if counts {
		for k := range a.heights {
			a.heights[k].Add(a.unitHeights[k] / float64(a.curves))
		}
		a.area.Add(a.unitArea / float64(a.curves))
	}
	clear(a.unitHeights)
	a.unitArea, a.curves = 0, 0
}

// curve returns the mean curve. It begins at (0, 0), from where it rises to its height at 0.
func (a *rocAverage) curve() curve {
	const between = 12 // steps of the grid from one mark to the next
	const shift = 5    // steps from the marks of one classifier to those of the next
	area := a.area.Summary()
	if area.N == 0 {
		return curve{}
	}
	c := curve{points: []point{{}}, area: area.Mean, note: sheet.Fixed(area.Mean, 3), marked: []int{}}
	for k := range a.heights {
		c.points = append(c.points, point{x: a.rates[k], Summary: a.heights[k].Summary()})
		if k%between == (3+shift*a.place)%between {
			c.marked = append(c.marked, k+1)
		}
	}
	return c
}
