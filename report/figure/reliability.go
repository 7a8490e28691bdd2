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
		return &binAverage{oneTestSet: d.Sampling[cell].OneTestSet, unitBins: make([]metrics.Bin, bins),
			mostRows: make([]int, bins), shares: make([]stats.Share, bins), predicted: make([]float64, bins)}
	},
	captionFacts: binFacts,
}

// binFacts returns the values for the caption's sentences about the bins. Each element of
// d.collections contains the bins of one classifier in one cell.
func binFacts(d *predictionChart) captionFacts {
	rows, averagedUnits := 0, 0 // sums over all collections
	unitsNeeded := 0            // a curve shows a bin if this many units have enough rows in it
	hiddenBins := 0             // bins that contain rows but that no curve shows
	oneTestSet := false         // the units of some collection have the same test rows
	var drawn, empty []string   // classifiers with and without a bin that their curve shows, in some cell
	for _, s := range d.collections {
		bins := s.average.(*binAverage)
		averagedUnits += s.averagedUnits
		if len(bins.curve().points) > 0 {
			drawn = append(drawn, s.id)
		} else if s.averagedUnits > 0 {
			empty = view.AddNew(empty, s.id)
		}
		unitsNeeded = max(unitsNeeded, bins.unitsNeeded())
		oneTestSet = oneTestSet || bins.oneTestSet
		for b := range bins.shares {
			n := bins.shares[b].Rows()
			rows += n
			if n > 0 && !bins.isShown(b) {
				hiddenBins++
			}
		}
	}
	rowsPerBin := float64(rows) / float64(max(averagedUnits, 1)*d.options.Bins)
	return captionFacts{"Bins": d.options.Bins, "HiddenBins": hiddenBins, "LeastRows": leastRows,
		"Empty": d.Labels(view.Except(empty, drawn...)), "UnitsNeeded": unitsNeeded, "OneTestSet": oneTestSet,
		"Units": d.unitNoun, "RowsPerBin": fmt.Sprintf("%.3g", rowsPerBin)}
}

// A curve shows a bin only if it contains at least leastRows test rows. The standard error of a
// frequency is then at most 0.1.
//
// The rows must come from at least leastUnits units (such as replicates), or from all units if
// there are fewer. If all units have the same test rows, one unit must have leastRows rows in the
// bin.
const leastRows, leastUnits = 25, 5

// A binAverage sums the bins over all units. In each bin, the weight of a unit is its number of
// test rows.
type binAverage struct {
	oneTestSet bool // all units have the same test rows
	units      int
	unitBins   []metrics.Bin // bins of the current unit
	mostRows   []int         // largest number of rows of a unit in each bin
	shares     []stats.Share // observed frequency in each bin
	predicted  []float64     // sum of the predicted probabilities in each bin
}

func (a *binAverage) addFit(p *metrics.Predictions, class int) bool {
	for b, bin := range metrics.Reliability(p, class, len(a.unitBins)) {
		a.unitBins[b].Rows += bin.Rows
		a.unitBins[b].Hits += bin.Hits
		a.unitBins[b].Predicted += bin.Predicted
	}
	return true
}

func (a *binAverage) endUnit(include bool) {
	if include {
		a.units++
		for b, bin := range a.unitBins {
			a.shares[b].Add(bin.Hits, bin.Rows)
			a.predicted[b] += bin.Predicted
			a.mostRows[b] = max(a.mostRows[b], bin.Rows)
		}
	}
	clear(a.unitBins)
}

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
