package figure

import (
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// An average is the curve of one classifier in one cell over the units of the inference,
// replicates or tasks. It takes one fit after the other and keeps none of them.
type average interface {
	fit(p *metrics.Predictions, class int) (defined bool) // of the unit under way; false: its test rows make no curve
	end(counts bool)                                      // of that unit, which counts or is forgotten
	curve() curve
}

// said is what a classifier said in a cell.
type said struct {
	id        string
	average   average
	unit      int  // under way
	fits      int  // of it so far
	defined   bool // by one of them at least
	units     int  // that the curve is of
	undefined int  // units whose test rows make none
	succeeded int  // units that the records have
	mute      bool // it does not say what curves need
}

// listen takes in what was said in a cell, one fit at a time.
func (d *curveDrawing) listen(c *records.Cell, ids []string) ([]*said, error) {
	var list []*said
	by := map[string]*said{}
	for _, id := range ids {
		by[id] = &said{id: id, average: d.kind.average(&d.options, max(d.Index(id), 0))}
		list = append(list, by[id])
	}
	for i := range c.Rows {
		if s := by[c.Rows[i].Classifier]; s != nil && c.Rows[i].Status == records.OK {
			s.succeeded++
		}
	}
	class, known := 0, false
	err := d.Predictions(c.ID, func(replicate int, id string, p *metrics.Predictions) (err error) {
		s, needed := by[id], p.Scores
		if d.kind.needs == metrics.Probabilities {
			needed = p.Probabilities
		}
		if s == nil || needed == nil {
			if s != nil {
				s.mute = true
			}
			return nil
		}
		if !known {
			_, classes := needed.Dims()
			if class, err = d.positive(c, classes); err != nil {
				return err
			}
			known = true
		}
		s.take(d.View, c.ID, replicate, p, class)
		return nil
	})
	for _, s := range list {
		s.finish(d.View, c.ID)
	}
	return list, err
}

// take is of a replicate, after those before it.
func (s *said) take(v *view.View, cell string, replicate int, p *metrics.Predictions, class int) {
	if unit, _ := v.UnitOf(cell, replicate); unit != s.unit {
		s.finish(v, cell)
		s.unit = unit
	}
	s.fits++
	if s.average.fit(p, class) {
		s.defined = true
	}
}

// finish ends the unit under way. A task counts when it has all its folds.
func (s *said) finish(v *view.View, cell string) {
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
