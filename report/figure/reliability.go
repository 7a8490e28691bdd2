package figure

import (
	"fmt"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// reliabilityCurves are observed frequencies against predicted probabilities.
var reliabilityCurves = curveKind{
	x: "mean predicted probability", y: "observed frequency", needs: metrics.Probabilities, anyClass: true,
	average: func(o *Options, _ int) average {
		return &binAverage{now: make([]metrics.Bin, o.Bins), shares: make([]stats.Share, o.Bins),
			predicted: make([]float64, o.Bins)}
	},
	facts: binFacts,
}

// binFacts counts the bins of all curves, and those with too few rows.
func binFacts(d *predictionChart) facts {
	rows, units, few, enough := 0, 0, 0, 0
	for _, s := range d.collected {
		a := s.average.(*binAverage)
		units += s.units
		enough = max(enough, a.enough())
		for b := range a.shares {
			n := a.shares[b].Rows()
			rows += n
			if n > 0 && !a.drawn(b) {
				few++
			}
		}
	}
	f := facts{"Bins": d.o.Bins, "Few": "", "LeastRows": leastRows, "Enough": enough, "Units": d.units,
		"RowsPerBin": fmt.Sprintf("%.3g", float64(rows)/float64(max(units, 1)*d.o.Bins))}
	if few > 0 {
		f["Few"] = view.Plural(few, "bin", "bins")
	}
	return f
}

// leastRows and leastUnits are the least rows of a bin that is drawn, and the least units that they are of, if there
// are as many. With fewer rows the standard error is a tenth or more in the middle; with fewer units it is not known.
const leastRows, leastUnits = 25, 5

// A binAverage adds up the bins of units. Each unit has the weight of its rows in the bin.
type binAverage struct {
	units     int
	now       []metrics.Bin // of the unit that is being read
	shares    []stats.Share
	predicted []float64 // sums
}

// fit adds the rows of a fit to the bins.
func (a *binAverage) fit(p *metrics.Predictions, class int) bool {
	for b, bin := range metrics.Reliability(p, class, len(a.now)) {
		sum := &a.now[b]
		sum.Rows, sum.Hits, sum.Predicted = sum.Rows+bin.Rows, sum.Hits+bin.Hits, sum.Predicted+bin.Predicted
	}
	return true
}

// end adds the bins of a unit that counts.
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

// enough returns the number of units of which a bin needs rows.
func (a *binAverage) enough() int { return min(leastUnits, a.units) }

// drawn reports whether a bin has enough rows and units.
func (a *binAverage) drawn(b int) bool {
	return a.shares[b].Rows() >= leastRows && a.shares[b].Summary().N >= a.enough()
}

// curve returns a point for each bin that is drawn.
func (a *binAverage) curve() (c curve) {
	for b := range a.shares {
		if a.drawn(b) {
			mean := a.predicted[b] / float64(a.shares[b].Rows())
			c.points = append(c.points, point{x: mean, Summary: a.shares[b].Summary()})
		}
	}
	return c
}
