package figure

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/metrics"
	"copse/stats/records"
)

// An average computes the mean curve of one classifier in one cell without storing individual fits.
// It averages over units. A unit is a replicate or, in cross-validation, all folds of one data set.
type average interface {
	// addFit adds a fit to the current unit. class is the positive class. If it is -1, each test row has its own
	// positive class, which is its predicted class. addFit returns false if the test rows define no curve.
	addFit(p *metrics.Predictions, class int) (defined bool)
	// endUnit ends the current unit. It includes the unit in the mean curve, or discards it if include is false.
	endUnit(include bool)
	curve() curve
}

// A collection averages the curves of one classifier in one cell.
type collection struct {
	id             string
	average        average
	succeeded      int  // number of units in which the classifier succeeded, according to the records
	lacksScores    bool // the predictions lack the scores or probabilities that curves need
	averagedUnits  int  // number of units in the average
	undefinedUnits int  // number of units whose test rows define no curve

	currentUnit  int  // the current unit
	fitsInUnit   int  // number of fits of the current unit so far
	unitHasCurve bool // some fit of the current unit has a curve
}

// A resultKey identifies the result of one classifier in one replicate or task.
type resultKey struct {
	unit       int
	classifier string
}

// countedResults returns the results of a cell that remain after the treatment of failed fits, which may exclude
// results. Means include only these.
func (d *predictionChart) countedResults(c *records.Cell) map[resultKey]bool {
	counted := map[resultKey]bool{}
	for _, on := range d.TreatFailuresInEach([]records.Cell{*c}) {
		for _, r := range on.Rows {
			counted[resultKey{r.Replicate, r.Classifier}] = true
		}
	}
	return counted
}

// collect averages the curves of each classifier over the units of a cell, in the order of d.ids. A unit is a replicate
// or, in cross-validation, a task (data set) with a fit for each fold.
func (d *predictionChart) collect(c *records.Cell) ([]*collection, error) {
	var list []*collection
	byClassifier := map[string]*collection{}
	for _, id := range d.ids {
		markShift := max(d.Index(id), 0) // so that marks of different curves do not coincide; the oracle has no index
		byClassifier[id] = &collection{id: id, average: d.kind.average(d, c.ID, markShift)}
		list = append(list, byClassifier[id])
	}
	counted := d.countedResults(c)
	countSuccesses(c, byClassifier, counted) // sets the field succeeded of each collection
	// Predictions calls its function argument once for each stored fit. In cross-validation, each fold has its own
	// replicate number, which UnitOf converts to the number of the task.
	err := d.Predictions(c.ID, func(replicate int, id string, p *metrics.Predictions) error {
		ofClassifier := byClassifier[id]
		if ofClassifier == nil {
			return nil // the chart omits the classifier
		}
		unit, fitsOfUnit := d.UnitOf(c.ID, replicate)
		if !counted[resultKey{unit, id}] {
			return nil // the means exclude the result
		}
		return d.addPredictions(c, ofClassifier, unit, fitsOfUnit, p)
	})
	return list, err
}

// addPredictions adds the curve of a fit in cell c to s.average. If the predictions lack the scores or probabilities
// that the curve needs, it sets s.lacksScores instead.
func (d *predictionChart) addPredictions(
	c *records.Cell, s *collection, unit, fitsOfUnit int, p *metrics.Predictions,
) error {
	required := d.kind.requiredPart(p)
	if required == nil {
		s.lacksScores = true
		return nil
	}
	_, classes := required.Dims()
	positive, err := d.positiveClass(c, classes)
	if err != nil {
		return err
	}
	s.addFit(unit, fitsOfUnit, p, positive)
	return nil
}

// countSuccesses counts, for each classifier, the units in which it succeeded. A unit is a replicate or, in
// cross-validation, all folds of a task. Each row of c is the result of one classifier in one unit.
func countSuccesses(c *records.Cell, collections map[string]*collection, counted map[resultKey]bool) {
	for _, r := range c.Rows {
		s := collections[r.Classifier]
		if s != nil && r.Status == records.OK && counted[resultKey{r.Replicate, r.Classifier}] {
			s.succeeded++
		}
	}
}

// requiredPart returns the scores or probabilities that the curves need, or nil if p does not contain
// them.
func (k *curveKind) requiredPart(p *metrics.Predictions) *mat.Dense {
	if k.needs == metrics.Probabilities {
		return p.Probabilities
	}
	return p.Scores
}

// addFit adds the curve of one fit to the average over units (replicates or tasks). All fits of a unit must be added
// before the next unit. A unit with fewer than fitsOfUnit fits does not enter the average.
//
// class is the positive class. If it is -1, the positive class of each test row is its predicted class.
func (s *collection) addFit(unit, fitsOfUnit int, p *metrics.Predictions, class int) {
	if unit != s.currentUnit {
		// If the previous unit is incomplete, discard its fits. After a complete unit, this has no effect, because
		// endUnit was already called.
		s.average.endUnit(false)
		s.currentUnit, s.fitsInUnit, s.unitHasCurve = unit, 0, false
	}
	s.fitsInUnit++
	if hasCurve := s.average.addFit(p, class); hasCurve {
		s.unitHasCurve = true
	}
	if s.fitsInUnit < fitsOfUnit {
		return // the unit is not complete
	}
	s.average.endUnit(s.unitHasCurve)
	if s.unitHasCurve {
		s.averagedUnits++
	} else {
		s.undefinedUnits++
	}
}

// storedUnits returns the number of units for which all predictions are stored.
func (s *collection) storedUnits() int { return s.averagedUnits + s.undefinedUnits }
