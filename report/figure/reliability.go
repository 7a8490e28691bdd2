package figure

import (
	"fmt"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// reliabilityCurves describes plots of the observed frequency of the positive class against its
// predicted probability, in bins.
var reliabilityCurves = curveKind{
	x: "mean predicted probability", y: "observed frequency", needs: metrics.Probabilities, anyClass: true,
	average: func(o *Options, _ int) average {
		return &binAverage{now: make([]metrics.Bin, o.Bins), shares: make([]stats.Share, o.Bins),
			predicted: make([]float64, o.Bins)}
	},
	facts: binFacts,
}

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

// A curve shows only bins with at least leastRows test rows from at least leastUnits units, or from
// all units if there are fewer. With fewer rows, the standard error of a frequency of 1/2 exceeds 0.1.
const leastRows, leastUnits = 25, 5

// A binAverage sums the bins of all units. The weight of a unit in a bin is its number of test rows
// there.
type binAverage struct {
	units     int
	now       []metrics.Bin // bins of the current unit
	shares    []stats.Share // observed frequency in each bin
	predicted []float64     // sum of the predicted probabilities in each bin
}

func (a *binAverage) fit(p *metrics.Predictions, class int) bool {
	for b, bin := range metrics.Reliability(p, class, len(a.now)) {
		a.now[b].Rows += bin.Rows
		a.now[b].Hits += bin.Hits
		a.now[b].Predicted += bin.Predicted
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

func (a *binAverage) enough() int { return min(leastUnits, a.units) }

func (a *binAverage) drawn(b int) bool {
	return a.shares[b].Rows() >= leastRows && a.shares[b].Summary().N >= a.enough()
}

func (a *binAverage) curve() (c curve) {
	for b := range a.shares {
		if a.drawn(b) {
			mean := a.predicted[b] / float64(a.shares[b].Rows())
			c.points = append(c.points, point{x: mean, Summary: a.shares[b].Summary()})
		}
	}
	return c
}
