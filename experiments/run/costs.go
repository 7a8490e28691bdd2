package run

import (
	"slices"
	"time"

	"copse/experiments/results"
	"copse/experiments/study"
)

// costs estimates how many seconds a classifier takes to fit and predict in a cell. For cells
// without measured times, it extrapolates from other cells by a power law in the size of the data.
type costs struct {
	study    *study.Study
	sizes    map[*study.Cell]size
	measured map[fitKey]timed   // times by cell and classifier; a pilot may have used only some of the rows
	points   map[string][]timed // measured times by classifier, to which its law is fitted
	laws     map[string]law     // fitted laws by classifier
}

// A fitKey identifies the fits of one classifier in one cell by the ids of the cell and the classifier.
type fitKey struct{ cell, classifier string }

// newCosts collects the times of earlier fits.
//
// Each element of ran contains the times of one recipe in one cell. A recipe is a classifier with
// its settings. Times for outdated settings count only if the classifier has no times for its
// current settings.
func newCosts(ran []results.History, s *study.Study) *costs {
	k := &costs{
		study:    s,
		sizes:    map[*study.Cell]size{},
		measured: map[fitKey]timed{},
		points:   map[string][]timed{},
		laws:     map[string]law{},
	}
	cells := map[string]*study.Cell{}
	for _, c := range s.Cells {
		cells[c.ID] = c
		k.sizes[c] = sizeOf(c)
	}
	outdated := map[string][]timed{} // times for other settings, by classifier
	for _, r := range ran {
		c := cells[r.Cell]
		mean, ok := meanSeconds(r, s.TimeLimit)
		if c == nil || !ok {
			continue // the cell is no longer in the study, or no time was measured
		}
		t := timed{k.sizes[c], mean} // mean time for data of this size
		hasRecipe := func(e study.Entry) bool { return e.ID == r.ID && e.Spec == r.Spec }
		if slices.ContainsFunc(c.Classifiers, hasRecipe) {
			k.add(c, r.ID, t)
		} else {
			outdated[r.ID] = append(outdated[r.ID], t)
		}
	}
	// A classifier may have been timed only with outdated settings. Fit its power law to these
	// times. For all other classifiers, k.law fits the power law when it is first needed.
	for id, points := range outdated {
		if !k.hasTimes(id) {
			k.laws[id] = fitLaw(points)
		}
	}
	return k
}

// meanSeconds returns the mean time of the successful fits in r. A fit that exceeded the time limit
// also counts, as if it took the limit. ok is false if there are no fits to count.
func meanSeconds(r results.History, limit time.Duration) (mean float64, ok bool) {
	fits, seconds := r.Succeeded, float64(r.Microseconds)/1e6
	if limit > 0 {
		fits += r.OutOfTime
		seconds += float64(r.OutOfTime) * limit.Seconds()
	}
	return seconds / float64(fits), fits > 0
}

// add stores a measured time of a classifier in a cell. It also discards the power law of the
// classifier, which is fitted again when needed.
func (k *costs) add(c *study.Cell, id string, t timed) {
	k.measured[fitKey{c.ID, id}] = t
	k.points[id] = append(k.points[id], t)
	delete(k.laws, id)
}

// hasTimes reports whether any time was measured for a classifier with the settings that it has in the study.
func (k *costs) hasTimes(id string) bool { return len(k.points[id]) > 0 }

// law returns the power law for the times of a classifier. If no time was measured, it returns the
// default law `roughly`.
func (k *costs) law(id string) law {
	l, isFitted := k.laws[id]
	if !isFitted {
		l = fitLaw(k.points[id])
		k.laws[id] = l
	}
	return l
}

// of returns the expected time of a classifier in a cell, in seconds. The result measured is true
// if this time was measured in the cell with all its rows.
//
// If measured is false, the time is an estimate. An estimate is at most the study's time limit.
func (k *costs) of(c *study.Cell, id string) (seconds float64, measured bool) {
	whole := k.sizes[c]
	t, isTimed := k.measured[fitKey{c.ID, id}]
	if isTimed && t.size == whole {
		return t.seconds, true
	}
	seconds = k.law(id).at(whole)
	if isTimed { // a fit to only some of the rows was timed
		seconds *= t.seconds / k.law(id).at(t.size)
	}
	if limit := k.study.TimeLimit.Seconds(); limit > 0 {
		seconds = min(seconds, limit)
	}
	return seconds, false
}
