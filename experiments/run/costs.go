package run

import (
	"slices"

	"copse/experiments/results"
	"copse/experiments/study"
)

// costs estimates the seconds of a fit with its prediction: the mean of what was
// measured of its recipe in the same cell, else the law of the classifier, from what
// was measured elsewhere.
type costs struct {
	study    *study.Study
	sizes    map[*study.Cell]size
	measured map[[2]string]timed // by cell and id; a pilot's may have fewer rows than the cell
	points   map[string][]timed  // by id: what its law follows
	laws     map[string]law      // by id, as far as they were asked for
}

func newCosts(ran []results.History, s *study.Study) *costs {
	k := &costs{s, map[*study.Cell]size{}, map[[2]string]timed{}, map[string][]timed{}, map[string]law{}}
	cells := map[string]*study.Cell{}
	for _, c := range s.Cells {
		cells[c.ID], k.sizes[c] = c, sizeOf(c)
	}
	outdated := map[string][]timed{} // other recipes under the same id
	for _, r := range ran {
		c, n, seconds := cells[r.Cell], r.Succeeded, r.Seconds
		if s.TimeLimit > 0 { // what ran out of time took it
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
			k.laws[id] = lawOf(points)
		}
	}
	return k
}

// add enters a time that was measured in a cell.
func (k *costs) add(c *study.Cell, id string, t timed) {
	k.measured[[2]string{c.ID, id}] = t
	k.points[id] = append(k.points[id], t)
	delete(k.laws, id)
}

// timed tells whether a time of the classifier's present recipe is known.
func (k *costs) timed(id string) bool { return len(k.points[id]) > 0 }

func (k *costs) law(id string) law {
	l, known := k.laws[id]
	if !known {
		l = lawOf(k.points[id])
		k.laws[id] = l
	}
	return l
}

// of returns the seconds that a classifier is expected to take in a cell, and whether
// that was measured there, at its size.
func (k *costs) of(c *study.Cell, id string) (seconds float64, measured bool) {
	z := k.sizes[c]
	t, here := k.measured[[2]string{c.ID, id}]
	if here && t.size == z {
		return t.seconds, true
	}
	seconds = k.law(id).at(z)
	if here {
		seconds *= t.seconds / k.law(id).at(t.size)
	}
	if limit := k.study.TimeLimit.Seconds(); limit > 0 {
		seconds = min(seconds, limit)
	}
	return seconds, false
}
