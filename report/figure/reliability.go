package figure

import (
	"fmt"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// reliabilityCurves are observed frequencies of the positive class against its predicted probabilities, in
// bins.
var reliabilityCurves = curveKind{
	x: "mean predicted probability", y: "observed frequency", needs: metrics.Probabilities, anyClass: true,
	average: func(o *Options, _ int) average {
		return &binAverage{now: make([]metrics.Bin, o.Bins), shares: make([]stats.Share, o.Bins),
			predicted: make([]float64, o.Bins)}
	},
	facts: binFacts,
}

// binFacts returns what captions state of bins: the rows of an average bin, and how many bins are left out.
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

// A bin is drawn if it has leastRows rows of leastUnits units, or of all units if they are fewer. With
// fewer rows the standard error of a frequency of 1/2 is above 0.1; with fewer units it is unknown.
const leastRows, leastUnits = 25, 5

// A binAverage adds up the bins of units. The weight of a unit is the number of its rows in the bin.
type binAverage struct {
	units     int
	now       []metrics.Bin // of the unit being read
	shares    []stats.Share // by bin, the observed frequency
	predicted []float64     // by bin, the sum of the predicted probabilities
}

// fit adds the rows of a fit to the bins of the unit.
func (a *binAverage) fit(p *metrics.Predictions, class int) bool {
	for b, bin := range metrics.Reliability(p, class, len(a.now)) {
		a.now[b].Rows += bin.Rows
		a.now[b].Hits += bin.Hits
		a.now[b].Predicted += bin.Predicted
	}
	return true
}

// end adds the bins of the unit, if it counts, and begins the next unit.
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

// enough returns the number of units that a bin needs.
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
