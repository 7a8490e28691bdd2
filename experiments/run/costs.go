package run

import (
	"slices"
	"time"

	"copse/experiments/results"
	"copse/experiments/study"
)

// costs estimates the seconds that a classifier takes to fit and predict in a cell, from measured
// times or by a power law in the size of the data.
type costs struct {
	study    *study.Study
	sizes    map[*study.Cell]size
	measured map[fitKey]timed   // times by cell and classifier, perhaps with only some of the rows
	points   map[string][]timed // measured times by classifier, to which laws are fitted
	laws     map[string]law     // fitted laws by classifier
}

// A fitKey identifies the fits of a classifier in a cell by their ids.
type fitKey struct{ cell, classifier string }

// newCosts collects the times of earlier fits, from which it predicts the times of missing results.
// Times for outdated settings count only if a classifier has no times for its current settings.
func newCosts(ran []results.History, s *study.Study) *costs {
	k := &costs{
		study:    s,
		sizes:    map[*study.Cell]size{},
		measured: map[fitKey]timed{},
		points:   map[string][]timed{},
		laws:     map[string]law{},
	}
	cells := map[string]*study.Cell{} // by id
	for _, c := range s.Cells {
		cells[c.ID] = c
		k.sizes[c] = sizeOf(c)
	}
	outdated := map[string][]timed{} // times for other settings, by classifier
	for _, r := range ran {
		c := cells[r.Cell]
		mean, ok := meanSeconds(r, s.TimeLimit)
		if c == nil || !ok {
			continue // the study no longer has the cell, or no fit has a time
		}
		t := timed{k.sizes[c], mean}
		hasRecipe := func(e study.Entry) bool { return e.ID == r.ID && e.Spec == r.Spec }
		if slices.ContainsFunc(c.Classifiers, hasRecipe) {
			k.add(c, r.ID, t)
		} else {
			outdated[r.ID] = append(outdated[r.ID], t)
		}
	}
	// Use outdated times only for classifiers that have no other times.
	for id, points := range outdated {
		if !k.hasTimes(id) {
			k.laws[id] = fitLaw(points)
		}
	}
	return k
}

// meanSeconds returns the mean time of the successful fits in r and of fits that exceeded the time
// limit, which count as the limit. ok is false without such fits.
func meanSeconds(r results.History, limit time.Duration) (mean float64, ok bool) {
	fits, seconds := r.Succeeded, float64(r.Microseconds)/1e6
	if limit > 0 {
		fits += r.OutOfTime
		seconds += float64(r.OutOfTime) * limit.Seconds()
	}
	return seconds / float64(fits), fits > 0
}

// add stores a measured time of a classifier in a cell, and discards the power law of the
// classifier.
func (k *costs) add(c *study.Cell, id string, t timed) {
	k.measured[fitKey{c.ID, id}] = t
	k.points[id] = append(k.points[id], t)
	delete(k.laws, id)
}

// hasTimes reports whether a time was measured for a classifier with its current settings.
func (k *costs) hasTimes(id string) bool { return len(k.points[id]) > 0 }

// wasTimedAt reports whether a time was measured for a classifier with data of at least the given size.
func (k *costs) wasTimedAt(id string, z size) bool {
	return slices.ContainsFunc(k.points[id], func(t timed) bool { return t.rows >= z.rows && t.columns >= z.columns })
}

// law returns the power law for the times of a classifier, or defaultLaw without measured times.
func (k *costs) law(id string) law {
	l, isFitted := k.laws[id]
	if !isFitted {
		l = fitLaw(k.points[id])
		k.laws[id] = l
	}
	return l
}

// of returns the expected time of a classifier in a cell, in seconds. measured is true if the
// classifier was timed there with all rows. Otherwise, the power law of the classifier gives an
// estimate, which is at most the study's time limit.
func (k *costs) of(c *study.Cell, id string) (seconds float64, measured bool) {
	fullSize := k.sizes[c]
	t, isTimed := k.measured[fitKey{c.ID, id}]
	if isTimed && t.size == fullSize {
		return t.seconds, true
	}
	law := k.law(id)
	seconds = law.seconds(fullSize)
	if isTimed { // with only some of the rows; correct the law by its error there
		seconds *= t.seconds / law.seconds(t.size)
	}
	if limit := k.study.TimeLimit.Seconds(); limit > 0 {
		seconds = min(seconds, limit)
	}
	return seconds, false
}
