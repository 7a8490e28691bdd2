package figure

import (
	"fmt"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// reliabilityCurves describes the figure kind reliability. It divides the predicted probabilities
// of the positive class into bins and plots the observed frequency of the class in each bin.
var reliabilityCurves = curveKind{
	x: "mean predicted probability", y: "observed frequency", needs: metrics.Probabilities, anyClass: true,
	average: func(o *Options, _ int) average {
		return &binAverage{now: make([]metrics.Bin, o.Bins), shares: make([]stats.Share, o.Bins),
			predicted: make([]float64, o.Bins)}
	},
	facts: binFacts,
}

// binFacts returns what the caption states about bins: the average number of rows in a bin, and how
// many bins are left out because they have too few rows.
func binFacts(d *predictionChart) facts {
	rows, units, enough := 0, 0, 0
	few := 0 // number of bins with rows that no curve shows
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

// A reliability curve shows a bin if it has at least leastRows test rows from at least leastUnits
// units. If there are fewer units, all of them must have rows in the bin. With fewer rows, the
// standard error of a frequency of 1/2 exceeds 0.1; with fewer units it is unknown.
const leastRows, leastUnits = 25, 5

// A binAverage sums the bins of all units. The number of a unit's rows in a bin is the weight of
// the unit in that bin.
type binAverage struct {
	units     int
	now       []metrics.Bin // bins of the current unit
	shares    []stats.Share // observed frequency in each bin
	predicted []float64     // sum of the predicted probabilities in each bin
}

// fit adds the test rows of a fit to the bins of the current unit.
func (a *binAverage) fit(p *metrics.Predictions, class int) bool {
	for b, bin := range metrics.Reliability(p, class, len(a.now)) {
		a.now[b].Rows += bin.Rows
		a.now[b].Hits += bin.Hits
		a.now[b].Predicted += bin.Predicted
	}
	return true
}

// end ends the current unit and adds its bins to the sums if counts is true.
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

// enough returns the number of units from which a bin needs rows.
func (a *binAverage) enough() int { return min(leastUnits, a.units) }

// drawn reports whether bin b has rows from enough units to be shown.
func (a *binAverage) drawn(b int) bool {
	return a.shares[b].Rows() >= leastRows && a.shares[b].Summary().N >= a.enough()
}

// curve returns the reliability curve: a point for each bin that has enough rows.
func (a *binAverage) curve() (c curve) {
	for b := range a.shares {
		if a.drawn(b) {
			mean := a.predicted[b] / float64(a.shares[b].Rows())
			c.points = append(c.points, point{x: mean, Summary: a.shares[b].Summary()})
		}
	}
	return c
}
