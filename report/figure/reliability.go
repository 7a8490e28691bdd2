package figure

import (
	"math"

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
		return &binAverage{sampling: d.Sampling[cell], shares: make([]stats.Share, bins),
			predicted: make([]float64, bins)}
	},
	axisEnd:      lastBinEnd,
	captionFacts: binFacts,
}

// lastBinEnd returns the end of the axis: the upper end of the last bin with a point or error band in
// any panel. On an axis that ends at 1, the points of a rare class would share a corner of the figure.
func lastBinEnd(d *predictionChart) float64 {
	largest := 0.0
	for _, p := range d.allPoints() {
		largest = max(largest, p.x, p.high)
	}
	if largest == 0 {
		return 1 // no points, or all of them are at 0
	}
	bins := float64(d.options.Bins)
	return math.Ceil(largest*bins) / bins
}

// binFacts returns the facts that the caption states about the bins in d.collections. Each
// collection contains the bins of one classifier in one cell, summed over units (replicates or tasks).
func binFacts(d *predictionChart) captionFacts {
	hiddenBins := 0      // sum over all collections
	unitsNeeded := 0     // largest number in any collection
	testedAgain := false // some collection has several predictions for a row
	for _, s := range d.collections {
		bins := s.average.(*binAverage)
		hiddenBins += bins.hidden()
		unitsNeeded = max(unitsNeeded, bins.unitsNeeded())
		testedAgain = testedAgain || bins.timesTested() > 1
	}
	return captionFacts{"Bins": d.options.Bins, "HiddenBins": hiddenBins, "LeastRows": leastRows,
		"Empty": d.Labels(d.withoutPoints()), "UnitsNeeded": unitsNeeded, "TestedAgain": testedAgain,
		"Units": d.unitNoun}
}

// withoutPoints returns the classifiers whose average curves have no points in any cell, because
// all bins contain too few rows or units.
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
// frequency is then at most 0.1. A row that is tested in several replicates counts once.
//
// The rows must also come from at least leastUnits units, such as replicates. If there are fewer
// units in total, each unit must have rows in the bin.
const leastRows, leastUnits = 25, 5

// A binAverage adds up the bins of all units. A unit with more test rows in a bin has more weight
// in this bin.
type binAverage struct {
	sampling  view.Sampling
	units     int
	shares    []stats.Share // observed frequency in each bin
	predicted []float64     // sum of the predicted probabilities in each bin
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
	}
	return true
}

// timesTested returns how often each row is tested, on average.
func (a *binAverage) timesTested() float64 { return a.sampling.TimesTested(a.units) }

// rows returns the number of rows in bin b. A row that is tested several times counts once.
func (a *binAverage) rows(b int) float64 { return float64(a.shares[b].Rows()) / a.timesTested() }

// hidden returns the number of bins that contain rows but that the curve does not show.
func (a *binAverage) hidden() (count int) {
	for b := range a.shares {
		if a.shares[b].Rows() > 0 && !a.isShown(b) {
			count++
		}
	}
	return count
}

// unitsNeeded returns how many units must have rows in a bin for the curve to show the bin.
func (a *binAverage) unitsNeeded() int { return min(leastUnits, a.units) }

func (a *binAverage) isShown(b int) bool {
	return a.rows(b) >= leastRows && a.shares[b].Summary().N >= a.unitsNeeded()
}

func (a *binAverage) curve() (c curve) {
	for b := range a.shares {
		if a.isShown(b) {
			mean := a.predicted[b] / float64(a.shares[b].Rows())
			gap := b > 0 && !a.isShown(b-1)
			c.points = append(c.points, point{x: mean, Summary: a.shares[b].Summary(), afterGap: gap,
				testRows: int(math.Round(a.rows(b)))})
		}
	}
	return c
}
