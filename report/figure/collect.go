package figure

import (
	"copse/stats/metrics"
	"copse/stats/records"
)

// An average computes the mean curve of one classifier in one cell over units. A unit is a replicate with a
// single fit or, in cross-validation, a task with a fit for each fold.
type average interface {
	// addUnit adds a unit with the predictions of its fits. It returns false if no fit has a curve, for example
	// because no test row belongs to the positive class.
	//
	// The argument class is the code of the positive class, or predictedClass.
	addUnit(fits []*metrics.Predictions, class int) (hasCurve bool)
	curve() curve
}

// A collection averages the curves of one classifier in one cell.
type collection struct {
	id             string
	average        average
	succeeded      int  // number of units in which the classifier succeeded
	lacksScores    bool // the predictions lack the scores or probabilities that curves need
	averagedUnits  int  // number of units in the average
	undefinedUnits int  // number of units whose test rows define no curve

	unit int                    // the current unit
	fits []*metrics.Predictions // fits of the current unit so far
}

type resultKey struct {
	unit       int
	classifier string
}

// countedResults returns the results in cell c that the means include, because the treatment of failed fits does
// not exclude them.
func (d *predictionChart) countedResults(c *records.Cell) map[resultKey]bool {
	counted := map[resultKey]bool{}
	for _, on := range d.TreatFailuresInEach([]records.Cell{*c}) {
		for _, r := range on.Rows {
			counted[resultKey{r.Replicate, r.Classifier}] = true
		}
	}
	return counted
}

// collect averages the curves of each classifier over the units of a cell. A unit is a replicate with a single fit
// or, in cross-validation, a task with a fit for each fold. The collections have the order of d.ids.
func (d *predictionChart) collect(c *records.Cell) ([]*collection, error) {
	var list []*collection
	byClassifier := map[string]*collection{}
	for _, id := range d.ids {
		markShift := max(d.Index(id), 0) // moves the marks of curves apart; the oracle has no index
		byClassifier[id] = &collection{id: id, average: d.kind.average(d, c.ID, markShift)}
		list = append(list, byClassifier[id])
	}
	counted := d.countedResults(c)
	countSucceeded(byClassifier, c, counted)
	addFit := func(replicate int, id string, p *metrics.Predictions) error {
		s := byClassifier[id]
		if s == nil {
			return nil // the figure omits the classifier
		}
		unit, fitsPerUnit := d.UnitOf(c.ID, replicate)
		if !counted[resultKey{unit, id}] {
			return nil // excluded by the treatment of failed fits
		}
		return d.addPredictions(c, s, unit, fitsPerUnit, p)
	}
	return list, d.Predictions(c.ID, addFit)
}

// addPredictions adds the predictions p of one fit in cell c to the unit (replicate or task) with the given number.
// A complete unit has fitsPerUnit fits, and its curve enters s.average (see addFit).
//
// If the predictions lack the scores or probabilities that the curve needs, addPredictions only sets s.lacksScores.
func (d *predictionChart) addPredictions(
	c *records.Cell, s *collection, unit, fitsPerUnit int, p *metrics.Predictions,
) error {
	required := p.Scores
	if d.kind.needs == metrics.Probabilities {
		required = p.Probabilities
	}
	if required == nil {
		s.lacksScores = true
		return nil
	}
	_, classes := required.Dims()
	positive, err := d.positiveClass(c, classes)
	if err != nil {
		return err
	}
	s.addFit(unit, fitsPerUnit, p, positive)
	return nil
}

// countSucceeded sets the field succeeded of each collection. It counts the successful results in c that enter
// the means (see countedResults).
func countSucceeded(collections map[string]*collection, c *records.Cell, counted map[resultKey]bool) {
	for _, r := range c.Rows {
		s := collections[r.Classifier]
		if s != nil && r.Status == records.OK && counted[resultKey{r.Replicate, r.Classifier}] {
			s.succeeded++
		}
	}
}

// addFit adds the predictions p of one fit to the current unit. The unit enters the average when it has
// fitsPerUnit fits. All fits of a unit must be added before the next unit begins, and have the same positive class
// (see average.addUnit).
func (s *collection) addFit(unit, fitsPerUnit int, p *metrics.Predictions, class int) {
	if unit != s.unit {
		s.unit, s.fits = unit, nil // the previous unit may be incomplete
	}
	s.fits = append(s.fits, p)
	if len(s.fits) < fitsPerUnit {
		return
	}
	if s.average.addUnit(s.fits, class) {
		s.averagedUnits++
	} else {
		s.undefinedUnits++
	}
	s.fits = nil
}

// storedUnits returns the number of units for which all predictions are stored.
func (s *collection) storedUnits() int { return s.averagedUnits + s.undefinedUnits }
