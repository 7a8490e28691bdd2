package figure

import (
	"fmt"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// reliabilityCurves are observed frequencies against predicted probabilities.
var reliabilityCurves = curveKind{
	x: "mean predicted probability", y: "observed frequency", needs: metrics.Probabilities, anyOf: true,
	average: func(o *Options, _ int) average {
		return &binAverage{now: make([]metrics.Bin, o.Bins), shares: make([]stats.Share, o.Bins), predicted: make([]float64, o.Bins)}
	},
	caption: func(d *curveDrawing) string {
		rows, units, few, enough := 0, 0, 0, 0
		for _, s := range d.said {
			a := s.average.(*binAverage)
			units, enough = units+s.units, max(enough, a.enough())
			for b := range a.shares {
				n := a.shares[b].Rows()
				if rows += n; n > 0 && !a.tells(b) {
					few++
				}
			}
		}
		mean := float64(rows) / float64(max(units, 1)*d.options.Bins)
		words := fmt.Sprintf("Reliability of predicted probabilities of %s: observed frequency against mean predicted probability in %d bins of equal width, over all test rows of %s, in each of which a bin holds %.3g rows on average. On the diagonal predictions are as frequent as they say.",
			d.asked(), d.options.Bins, d.over(), mean)
		if few > 0 {
			words += fmt.Sprintf(" Left out: %s with fewer than %d rows", view.Plural(few, "bin", "bins"), leastRows)
			if enough > 1 {
				words += fmt.Sprintf(", or rows of fewer than %d %s", enough, d.units)
			}
			words += "."
		}
		return words
	},
}

// A bin is drawn that has so many rows, of so many units or all that there are: fewer rows
// have a standard error of a tenth and more in the middle, and of fewer units it is not
// known what it is.
const leastRows, leastUnits = 25, 5

// A binAverage adds up the bins of units: each weighs as many rows as it has in the bin.
type binAverage struct {
	units     int
	now       []metrics.Bin // of the unit under way
	shares    []stats.Share
	predicted []float64 // sums
}

func (a *binAverage) fit(p *metrics.Predictions, class int) bool {
	for b, bin := range metrics.Reliability(p, class, len(a.now)) {
		sum := &a.now[b]
		sum.Rows, sum.Hits, sum.Predicted = sum.Rows+bin.Rows, sum.Hits+bin.Hits, sum.Predicted+bin.Predicted
	}
	return true
}

func (a *binAverage) end(counts bool) {
	if counts {
		a.units++
		for b, bin := range a.now {
			a.shares[b].Add(bin.Hits, bin.Rows)
			a.predicted[b] += bin.Predicted
		}
	}
	clear(a.now)
}

// enough is the number of units that a bin wants rows of.
func (a *binAverage) enough() int { return min(leastUnits, a.units) }

// tells whether a bin is drawn.
func (a *binAverage) tells(b int) bool {
	return a.shares[b].Rows() >= leastRows && a.shares[b].Summary().N >= a.enough()
}

func (a *binAverage) curve() (c curve) {
	for b := range a.shares {
		if a.tells(b) {
			c.x = append(c.x, a.predicted[b]/float64(a.shares[b].Rows()))
			c.sums = append(c.sums, a.shares[b].Summary())
		}
	}
	return c
}
