package figure

import (
	"fmt"

	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
)

// reliabilityCurves describes plots of the observed frequency of the positive class against its
// predicted probability. A point of a curve shows one bin of probabilities.
var reliabilityCurves = curveKind{
	x: "mean predicted probability", y: "observed frequency", needs: metrics.Probabilities, anyClass: true,
	average: func(d *predictionChart, cell string, _ int) average {
		bins := d.options.Bins
		return &binAverage{oneTestSet: d.Sampling[cell].OneTestSet, mostRows: make([]int, bins),
			shares: make([]stats.Share, bins), predicted: make([]float64, bins)}
	},
	captionFacts: binFacts,
}

// binFacts returns the facts that the caption states about the bins in d.collections. Each
// collection contains the bins of one classifier in one cell, summed over units (replicates or tasks).
func binFacts(d *predictionChart) captionFacts {
	rows, units, hiddenBins := 0, 0, 0 // sums over all collections
	unitsNeeded := 0                   // largest number in any collection
	oneTestSet := false                // the units of some collection have the same test rows
	for _, s := range d.collections {
		bins := s.average.(*binAverage)
		rows += bins.rows()
		units += s.averagedUnits
		hiddenBins += bins.hidden()
		unitsNeeded = max(unitsNeeded, bins.unitsNeeded())
		oneTestSet = oneTestSet || bins.oneTestSet
	}
	unitBins := max(units, 1) * d.options.Bins      // 1 avoids a division by 0
	rowsPerBin := float64(rows) / float64(unitBins) // rows of one unit
	return captionFacts{"Bins": d.options.Bins, "HiddenBins": hiddenBins, "LeastRows": leastRows,
		"Empty": d.Labels(d.withoutPoints()), "UnitsNeeded": unitsNeeded, "OneTestSet": oneTestSet,
		"Units": d.unitNoun, "RowsPerBin": fmt.Sprintf("%.3g", rowsPerBin)}
}

// withoutPoints returns the classifiers that have averaged units, but whose curves have no points
// in any cell. Their bins then contain too few rows or units.
func (d *predictionChart) withoutPoints() []string {
	var averaged, drawn []string
	for _, s := range d.collections {
		if s.averagedUnits > 0 {
			averaged = view.AddNew(averaged, s.id)
		}
		if len(s.average.curve().points) > 0 {
			drawn = append(drawn, s.id)
		}
	}
	return view.Except(averaged, drawn...)
}

// A curve shows a bin only if it contains at least leastRows test rows. The standard error of a
// frequency is then at most 0.1.
//
// The rows must also come from at least leastUnits units, such as replicates. If there are fewer
// units in total, each unit must have rows in the bin.
//
// If all units have the same test rows, a single unit must have leastRows rows in the bin.
const leastRows, leastUnits = 25, 5

// A binAverage adds up the bins of all units. A unit with more test rows in a bin has more weight
// in this bin.
type binAverage struct {
	oneTestSet bool // all units have the same test rows
	units      int
	mostRows   []int         // largest number of rows of a unit in each bin
	shares     []stats.Share // observed frequency in each bin
	predicted  []float64     // sum of the predicted probabilities in each bin
}

func (a *binAverage) addUnit(fits []*metrics.Predictions, class int) bool {
	bins := make([]metrics.Bin, len(a.shares)) // of all fits
	for _, p := range fits {
		for b, bin := range metrics.Reliability(p, class, len(bins)) {
			bins[b].Rows += bin.Rows
			bins[b].Hits += bin.Hits
			bins[b].Predicted += bin.Predicted
		}
	}
	a.units++
	for b, bin := range bins {
		a.shares[b].Add(bin.Hits, bin.Rows)
		a.predicted[b] += bin.Predicted
		a.mostRows[b] = max(a.mostRows[b], bin.Rows)
	}
	return true
}

// rows returns the number of rows in all bins.
func (a *binAverage) rows() (sum int) {
	for b := range a.shares {
		sum += a.shares[b].Rows()
	}
	return sum
}

// hidden returns the number of bins that contain rows but that the curve does not show.
func (a *binAverage) hidden() (count int) {
	for b := range a.shares {
		if a.shares[b].Rows() > 0 && !a.isShown(b) {
			count++
		}
	}
	return count
}

// unitsNeeded returns the smallest number of units with rows in a bin for which the curve shows the
// bin.
func (a *binAverage) unitsNeeded() int { return min(leastUnits, a.units) }

func (a *binAverage) isShown(b int) bool {
	rows := a.shares[b].Rows()
	if a.oneTestSet {
		rows = a.mostRows[b]
	}
	return rows >= leastRows && a.shares[b].Summary().N >= a.unitsNeeded()
}

func (a *binAverage) curve() (c curve) {
	for b := range a.shares {
		if a.isShown(b) {
			mean := a.predicted[b] / float64(a.shares[b].Rows())
			gap := b > 0 && !a.isShown(b-1)
			c.points = append(c.points, point{x: mean, Summary: a.shares[b].Summary(), afterGap: gap})
		}
	}
	return c
}
