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
	number  int             // classifier number; shifts its marks away from other classifiers' marks
	rates   []float64       // the false positive rates at which curves are averaged
	heights []stats.Running // mean over units at each rate
	area    stats.Running   // mean over units

	// Sums over the curves of the current unit, and the number of these curves. A unit, such as a
	// replicate, can have several fits, each with a curve.
	unitHeights []float64
	unitArea    float64
	curves      int
}

func newROCAverage(number int) *rocAverage {
	a := &rocAverage{number: number, heights: make([]stats.Running, rocSteps+1),
		unitHeights: make([]float64, rocSteps+1)}
	for k := range a.heights {
		a.rates = append(a.rates, float64(k)/rocSteps)
	}
	return a
}

// addFit adds the ROC curve of a fit to the current unit. It returns false if all test rows, or
// none, belong to the positive class. The fit then has no curve.
func (a *rocAverage) addFit(p *metrics.Predictions, class int) bool {
	c := metrics.NewROC(p, class)
	if c == nil {
		return false
	}
	floats.Add(a.unitHeights, c.Over(a.rates))
	a.unitArea += c.Area()
	a.curves++
	return true
}

func (a *rocAverage) includeUnit() {
	for k := range a.heights {
		a.heights[k].Add(a.unitHeights[k] / float64(a.curves))
	}
	a.area.Add(a.unitArea / float64(a.curves))
}

func (a *rocAverage) clearUnit() {
	clear(a.unitHeights)
	a.unitArea, a.curves = 0, 0
}

// curve returns the mean ROC curve. Its note is the mean area under the curves. The curve is empty
// if no unit has a curve.
func (a *rocAverage) curve() curve {
	area := a.area.Summary()
	if area.N == 0 {
		return curve{}
	}
	origin := point{}
	c := curve{points: []point{origin}, area: area.Mean, note: sheet.Fixed(area.Mean, 3)}
	c.marked = []int{} // empty but not nil, since nil would mark all points
	for k := range a.heights {
		if a.isMarked(k) {
			c.marked = append(c.marked, len(c.points))
		}
		c.points = append(c.points, point{x: a.rates[k], Summary: a.heights[k].Summary()})
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
