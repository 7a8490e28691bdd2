package run

import (
	"slices"

	"copse/experiments/results"
	"copse/experiments/study"
)

// costs estimates the seconds of a fit with its prediction: the mean time of its recipe in
// the same cell or, without one, the law fitted to the classifier's times in other cells.
type costs struct {
	study    *study.Study
	sizes    map[*study.Cell]size
	measured map[[2]string]timed // by cell and id; a pilot may have used fewer rows than the cell has
	points   map[string][]timed  // by id: the times that its law is fitted to
	laws     map[string]law      // by id: a cache
}

// newCosts collects the times of earlier results of the study. Times of outdated recipes
// count only for a classifier that has no others.
func newCosts(ran []results.History, s *study.Study) *costs {
	k := &costs{s, map[*study.Cell]size{}, map[[2]string]timed{}, map[string][]timed{}, map[string]law{}}
	cells := map[string]*study.Cell{}
	for _, c := range s.Cells {
		cells[c.ID], k.sizes[c] = c, sizeOf(c)
	}
	outdated := map[string][]timed{} // other recipes under the same id
	for _, r := range ran {
		c, n, seconds := cells[r.Cell], r.Succeeded, r.Seconds
		if s.TimeLimit > 0 { // a fit that ran out of time took the whole limit
			n, seconds = n+r.OutOfTime, seconds+float64(r.OutOfTime)*s.TimeLimit.Seconds()
		}
		if c == nil || n == 0 {
			continue
		}
		t := timed{k.sizes[c], seconds / float64(n)}
		if slices.ContainsFunc(c.Classifiers, func(e study.Entry) bool { return e.ID == r.ID && e.Spec == r.Spec }) {
			k.add(c, r.ID, t)
		} else {
			outdated[r.ID] = append(outdated[r.ID], t)
		}
	}
	for id, points := range outdated {
		if !k.timed(id) {
			k.laws[id] = fitLaw(points)
		}
	}
	return k
}

// add stores the measured time of a classifier in a cell.
func (k *costs) add(c *study.Cell, id string, t timed) {
	k.measured[[2]string{c.ID, id}] = t
	k.points[id] = append(k.points[id], t)
	delete(k.laws, id)
}

// timed reports whether a time of the classifier's present recipe was measured.
func (k *costs) timed(id string) bool { return len(k.points[id]) > 0 }

// law returns the law of a classifier, roughly where no time was measured.
func (k *costs) law(id string) law {
	l, known := k.laws[id]
	if !known {
		l = fitLaw(k.points[id])
		k.laws[id] = l
	}
	return l
}

// of returns the seconds that a classifier is expected to take in a cell, and whether
// they were measured in this cell with all its rows.
func (k *costs) of(c *study.Cell, id string) (seconds float64, measured bool) {
	z := k.sizes[c]
	t, here := k.measured[[2]string{c.ID, id}]
	if here && t.size == z {
		return t.seconds, true
	}
	seconds = k.law(id).at(z)
	if here { // scale the law to the time with fewer rows
		seconds *= t.seconds / k.law(id).at(t.size)
	}
	if limit := k.study.TimeLimit.Seconds(); limit > 0 {
		seconds = min(seconds, limit)
	}
	return seconds, false
}
