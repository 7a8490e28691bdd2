package figure

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/metrics"
	"copse/stats/records"
)

// An average computes the mean curve of one classifier in one cell, without storing single fits. It
// averages over units. A unit is a replicate, or a data set with a fit for each fold.
type average interface {
	// fit adds a fit to the current unit. class is the positive class; -1 means the predicted class of
	// each row. fit returns false if the test rows define no curve.
	fit(p *metrics.Predictions, class int) (defined bool)
	// end ends the current unit. The unit enters the mean if counts is true.
	end(counts bool)
	curve() curve
}

// A collection averages the curves of one classifier in one cell.
type collection struct {
	id        string
	average   average
	succeeded int  // number of successful fits in the records
	lacking   bool // the predictions lack the scores or probabilities that curves need
	units     int  // number of units in the average
	undefined int  // number of units whose test rows define no curve

	unit    int  // the current unit
	fits    int  // number of its fits so far
	defined bool // any of them has a curve
}

// A resultKey identifies the result of one classifier in one replicate or task.
type resultKey struct {
	unit       int
	classifier string
}

func (d *predictionChart) counted(c *records.Cell) map[resultKey]bool {
	counted := map[resultKey]bool{}
	for _, on := range d.OnEach([]records.Cell{*c}) {
		for _, r := range on.Rows {
			counted[resultKey{r.Replicate, r.Classifier}] = true
		}
	}
	return counted
}

// collect reads the stored predictions of a cell. It returns a collection for each classifier in
// d.ids.
func (d *predictionChart) collect(c *records.Cell) ([]*collection, error) {
	var list []*collection
	byClassifier := map[string]*collection{}
	for _, id := range d.ids {
		s := &collection{id: id, average: d.kind.average(&d.o, max(d.Index(id), 0))}
		list = append(list, s)
		byClassifier[id] = s
	}
	counted := d.counted(c)
	countSuccesses(c, byClassifier, counted)
	err := d.Predictions(c.ID, func(replicate int, id string, p *metrics.Predictions) error {
		s := byClassifier[id]
		unit, fitsOfUnit := d.UnitOf(c.ID, replicate)
		if s == nil || !counted[resultKey{unit, id}] {
			return nil // the chart does not show the classifier, or its means leave out the result
		}
		needed := d.kind.neededOf(p)
		if needed == nil {
			s.lacking = true
			return nil
		}
		_, classes := needed.Dims()
		positive, err := d.positive(c, classes)
		if err == nil {
			s.add(unit, fitsOfUnit, p, positive)
		}
		return err
	})
	return list, err
}

// countSuccesses counts the successful fits of each classifier in cell c.
func countSuccesses(c *records.Cell, collections map[string]*collection, counted map[resultKey]bool) {
	for _, r := range c.Rows {
		s := collections[r.Classifier]
		if s != nil && r.Status == records.OK && counted[resultKey{r.Replicate, r.Classifier}] {
			s.succeeded++
		}
	}
}

// neededOf returns the scores or probabilities that the curves need, or nil if p does not contain
// them.
func (k *curveKind) neededOf(p *metrics.Predictions) *mat.Dense {
	if k.needs == metrics.Probabilities {
		return p.Probabilities
	}
	return p.Scores
}

// add adds a fit. The fits of a unit follow one another, and there should be fitsOfUnit of them. A
// unit with a missing fit does not enter the average.
func (s *collection) add(unit, fitsOfUnit int, p *metrics.Predictions, class int) {
	if unit != s.unit {
		s.average.end(false) // discards the fits of an incomplete unit
		s.unit, s.fits, s.defined = unit, 0, false
	}
	s.fits++
	if s.average.fit(p, class) {
		s.defined = true
	}
	if s.fits < fitsOfUnit {
		return
	}
	s.average.end(s.defined)
	if s.defined {
		s.units++
	} else {
		s.undefined++
	}
}

// kept returns the number of units for which all predictions are stored.
func (s *collection) kept() int { return s.units + s.undefined }
