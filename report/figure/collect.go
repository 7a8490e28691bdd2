package figure

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/metrics"
	"copse/stats/records"
)

// An average is the mean curve of one classifier in one cell over units. A unit is a replicate, or a task
// whose folds have a fit each. Fits are added one after the other and not kept.
type average interface {
	fit(p *metrics.Predictions, class int) (defined bool) // adds a fit to the unit; false: its test rows have no curve
	end(counts bool)                                      // ends the unit, which enters the mean if it counts
	curve() curve
}

// A collection is the average of one classifier in a cell, with the numbers of fits and units behind it.
type collection struct {
	id        string
	average   average
	succeeded int  // fits that succeeded by the records
	lacking   bool // predictions lack the scores or probabilities that curves need
	units     int  // in the average
	undefined int  // units whose test rows have no curve

	unit    int  // whose fits are being added
	fits    int  // of that unit so far
	defined bool // a fit of that unit has a curve
}

// A resultKey identifies the result of a classifier in a unit.
type resultKey struct {
	unit       int
	classifier string
}

// counted returns the results of a cell that enter its means.
func (d *predictionChart) counted(c *records.Cell) map[resultKey]bool {
	counted := map[resultKey]bool{}
	for _, on := range d.OnEach([]records.Cell{*c}) {
		for _, r := range on.Rows {
			counted[resultKey{r.Replicate, r.Classifier}] = true
		}
	}
	return counted
}

// collect reads the predictions of a cell and returns a collection for each classifier of the chart.
func (d *predictionChart) collect(c *records.Cell) ([]*collection, error) {
	var list []*collection
	by := map[string]*collection{}
	for _, id := range d.ids {
		by[id] = &collection{id: id, average: d.kind.average(&d.o, max(d.Index(id), 0))}
		list = append(list, by[id])
	}
	counted := d.counted(c)
	for i := range c.Rows {
		r := &c.Rows[i]
		if s := by[r.Classifier]; s != nil && r.Status == records.OK && counted[resultKey{r.Replicate, r.Classifier}] {
			s.succeeded++
		}
	}
	class, classKnown := 0, false
	err := d.Predictions(c.ID, func(replicate int, id string, p *metrics.Predictions) (err error) {
		s := by[id]
		unit, fitsOfUnit := d.UnitOf(c.ID, replicate)
		if s == nil || !counted[resultKey{unit, id}] {
			return nil // not in the chart, or not in the means
		}
		needed := d.kind.neededOf(p)
		if needed == nil {
			s.lacking = true
			return nil
		}
		if !classKnown { // the number of classes is that of the first predictions
			_, classes := needed.Dims()
			if class, err = d.positive(c, classes); err != nil {
				return err
			}
			classKnown = true
		}
		s.add(unit, fitsOfUnit, p, class)
		return nil
	})
	return list, err
}

// neededOf returns the scores or probabilities that curves of the kind need; nil if predictions lack them.
func (k *curveKind) neededOf(p *metrics.Predictions) *mat.Dense {
	if k.needs == metrics.Probabilities {
		return p.Probabilities
	}
	return p.Scores
}

// add adds a fit of a unit that has so many fits. Fits come in the order of their units. A unit without
// all its fits is left out of the average.
func (s *collection) add(unit, fitsOfUnit int, p *metrics.Predictions, class int) {
	if unit != s.unit { // the unit before, unless it had all its fits
		s.average.end(false)
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

// kept returns the number of units with all their predictions.
func (s *collection) kept() int { return s.units + s.undefined }
