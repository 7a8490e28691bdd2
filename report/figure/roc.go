package figure

import (
	"fmt"

	"copse/report/sheet"
	"copse/stats"
	"copse/stats/metrics"
)

// rocCurves are means of the heights of ROC curves at even false positive rates.
var rocCurves = curveKind{
	x: "false positive rate", y: "true positive rate", needs: metrics.Scores,
	average: func(_ *Options, place int) average { return newROCAverage(place) },
	caption: func(d *curveDrawing) string {
		against := ""
		if d.rest {
			against = " against all others"
		}
		return fmt.Sprintf("ROC curves of %s%s: the mean true positive rate at each of %d even false positive rates (vertical averaging) over %s; rows of equal scores are straight pieces. Beside the names: the mean area below the curve (AUC). The diagonal is what guessing has.",
			d.asked(), against, rocSteps+1, d.over())
	},
}

// rocSteps is the number of steps of the grid of false positive rates.
const rocSteps = 100

// A rocAverage averages upright (Fawcett 2006, algorithm 3); the folds of a task first.
type rocAverage struct {
	place   int // of the classifier, so that marks do not lie on one another
	rates   []float64
	heights []stats.Running
	area    stats.Running
	sums    []float64 // of the unit under way
	areas   float64
	curves  int
}

func newROCAverage(place int) *rocAverage {
	a := &rocAverage{place: place, heights: make([]stats.Running, rocSteps+1), sums: make([]float64, rocSteps+1)}
	for k := range a.heights {
		a.rates = append(a.rates, float64(k)/rocSteps)
	}
	return a
}

func (a *rocAverage) fit(p *metrics.Predictions, class int) bool {
	c := metrics.NewROC(p, class)
	if c == nil {
		return false
	}
	for k, height := range c.Over(a.rates) {
		a.sums[k] += height
	}
	a.areas += c.Area()
	a.curves++
	return true
}

func (a *rocAverage) end(counts bool) {
	if counts {
		for k := range a.heights {
			a.heights[k].Add(a.sums[k] / float64(a.curves))
		}
		a.area.Add(a.areas / float64(a.curves))
	}
	clear(a.sums)
	a.areas, a.curves = 0, 0
}

// curve begins at (0, 0), from where it rises to its height at 0.
func (a *rocAverage) curve() curve {
	area := a.area.Summary()
	if area.N == 0 {
		return curve{}
	}
	const between = 12 // marks, in steps of the grid
	c := curve{x: []float64{0}, sums: []stats.Summary{{}}, area: area.Mean, note: sheet.Fixed(area.Mean, 3), marked: []int{}}
	for k := range a.heights {
		c.x, c.sums = append(c.x, a.rates[k]), append(c.sums, a.heights[k].Summary())
		if k%between == (3+5*a.place)%between {
			c.marked = append(c.marked, k+1)
		}
	}
	return c
}
