package figure

import (
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// An average averages the curves of one classifier in one cell over the units of the inference, replicates or tasks.
// It adds up one fit after the other and keeps none of them.
type average interface {
	fit(p *metrics.Predictions, class int) (defined bool) // adds a fit; false: its test rows make no curve
	end(counts bool)                                      // ends a unit, which counts or is forgotten
	curve() curve
}

// A collection is the predictions of one classifier in a cell, averaged.
type collection struct {
	id        string
	average   average
	unit      int  // that is being read
	fits      int  // of that unit so far
	defined   bool // a fit of that unit makes a curve
	units     int  // that the curve averages
	undefined int  // units whose test rows make no curve
	succeeded int  // fits that the records have
	lacking   bool // the predictions lack what the curves need
}

// A unit is a result of a classifier.
type unit struct {
	number     int // of the replicate or task
	classifier string
}

// counted returns the units of a cell that its means are over.
func (d *predictionChart) counted(c *records.Cell) map[unit]bool {
	counted := map[unit]bool{}
	for _, on := range d.OnEach([]records.Cell{*c}) {
		for _, r := range on.Rows {
			counted[unit{r.Replicate, r.Classifier}] = true
		}
	}
	return counted
}

// collect reads the predictions of the classifiers in a cell.
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
		if s := by[r.Classifier]; s != nil && r.Status == records.OK && counted[unit{r.Replicate, r.Classifier}] {
			s.succeeded++
		}
	}
	class, known := 0, false
	err := d.Predictions(c.ID, func(replicate int, id string, p *metrics.Predictions) (err error) {
		if number, _ := d.UnitOf(c.ID, replicate); !counted[unit{number, id}] {
			return nil
		}
		s, needed := by[id], p.Scores
		if d.kind.needs == metrics.Probabilities {
			needed = p.Probabilities
		}
		switch {
		case s == nil: // not a column of the figure
			return nil
		case needed == nil:
			s.lacking = true
			return nil
		case !known: // the number of classes is known from the first predictions
			_, classes := needed.Dims()
			if class, err = d.positive(c, classes); err != nil {
				return err
			}
			known = true
		}
		s.add(d.View, c.ID, replicate, p, class)
		return nil
	})
	for _, s := range list {
		s.finish(d.View, c.ID)
	}
	return list, err
}

// add adds a fit of a replicate. Replicates come in order.
func (s *collection) add(v *view.View, cell string, replicate int, p *metrics.Predictions, class int) {
	if unit, _ := v.UnitOf(cell, replicate); unit != s.unit {
		s.finish(v, cell)
		s.unit = unit
	}
	s.fits++
	if s.average.fit(p, class) {
		s.defined = true
	}
}

// finish ends the unit that is being read. A task counts when it has all its folds.
func (s *collection) finish(v *view.View, cell string) {
	_, fits := v.UnitOf(cell, s.unit)
	whole := s.fits == fits
	s.average.end(whole && s.defined)
	switch {
	case whole && s.defined:
		s.units++
	case whole:
		s.undefined++
	}
	s.fits, s.defined = 0, false
}

// kept returns the number of units with all their predictions.
func (s *collection) kept() int { return s.units + s.undefined }
