package figure

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/metrics"
	"copse/stats/records"
)

// An average computes the mean curve of one classifier in one cell. The mean is over units. A unit
// is a replicate, which has a single fit. In cross-validation, a unit has a fit for each fold.
type average interface {
	// addUnit adds a unit with the predictions of its fits. It returns false if no fit has a curve,
	// for example because no test row belongs to the positive class.
	//
	// The argument class is the code of the positive class. If class is -1, the positive class of
	// each test row is the class predicted for this row.
	addUnit(fits []*metrics.Predictions, class int) (hasCurve bool)
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

	unit int                    // the current unit
	fits []*metrics.Predictions // of the current unit, so far
}

// A resultKey identifies the result of one classifier in one replicate or task.
type resultKey struct {
	unit       int
	classifier string
}

// countedResults returns the set of results in cell c that enter the means. The treatment of failed
// fits can exclude some results.
func (d *predictionChart) countedResults(c *records.Cell) map[resultKey]bool {
	counted := map[resultKey]bool{}
	for _, on := range d.TreatFailuresInEach([]records.Cell{*c}) {
		for _, r := range on.Rows {
			counted[resultKey{r.Replicate, r.Classifier}] = true
		}
	}
	return counted
}

// collect averages the curves of each classifier over the units of a cell. It returns a collection
// for each classifier, in the order of d.ids.
//
// A unit is a replicate, which has a single fit. In cross-validation, a unit is a task, which has a
// fit for each fold.
func (d *predictionChart) collect(c *records.Cell) ([]*collection, error) {
	var list []*collection
	byClassifier := map[string]*collection{}
	for _, id := range d.ids {
		markShift := max(d.Index(id), 0) // so that marks of different curves do not coincide; the oracle has no index
		byClassifier[id] = &collection{id: id, average: d.kind.average(d, c.ID, markShift)}
		list = append(list, byClassifier[id])
	}
	counted := d.countedResults(c)
	setSucceeded(byClassifier, c, counted)
	addFit := func(replicate int, id string, p *metrics.Predictions) error {
		s := byClassifier[id]
		if s == nil {
			return nil // the chart omits the classifier
		}
		unit, fitsOfUnit := d.UnitOf(c.ID, replicate) // for a fold, its task and the number of folds
		if !counted[resultKey{unit, id}] {
			return nil // the means exclude the result
		}
		return d.addPredictions(c, s, unit, fitsOfUnit, p)
	}
	return list, d.Predictions(c.ID, addFit) // calls addFit once for each stored fit
}

// addPredictions adds the curve of a fit in cell c to s.average. If the predictions p lack the
// scores or probabilities that the curve needs, it sets s.lacksScores and adds no curve.
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

// setSucceeded sets the field succeeded of each collection to the number of successful results of its
// classifier in c. It counts only results in the map counted, because the means exclude the others.
func setSucceeded(collections map[string]*collection, c *records.Cell, counted map[resultKey]bool) {
	for _, r := range c.Rows {
		s := collections[r.Classifier]
		if s != nil && r.Status == records.OK && counted[resultKey{r.Replicate, r.Classifier}] {
			s.succeeded++
		}
	}
}

// requiredPart returns the part of the predictions that the curves need: the probabilities or the
// scores. It returns nil if this part is missing.
func (k *curveKind) requiredPart(p *metrics.Predictions) *mat.Dense {
	if k.needs == metrics.Probabilities {
		return p.Probabilities
	}
	return p.Scores
}

// addFit adds the predictions p of one fit to the current unit, a replicate or task. When the unit has
// fitsOfUnit fits, it enters the average. All fits of a unit must be added before the next unit
// begins.
//
// The argument class is the positive class (see average.addUnit), which is the same for all fits of a
// unit.
func (s *collection) addFit(unit, fitsOfUnit int, p *metrics.Predictions, class int) {
	if unit != s.unit {
		s.unit, s.fits = unit, nil // forgets the previous unit, which may be incomplete
	}
	s.fits = append(s.fits, p)
	if len(s.fits) < fitsOfUnit {
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
