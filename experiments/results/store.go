package results

import (
	"maps"
	"slices"

	"copse/experiments/trial"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A store holds results in little memory, since a study may have millions:
// under 100 bytes each. Whatever many results share is kept once.
type store struct {
	cells   []storedCell
	recipes []storedRecipe
	lines   []storedLine
	n       int

	cellAt   map[string]int32
	recipeAt map[storedRecipe]int32
	places   []int32 // of recipes: of the results of the trial before, in their order
	textAt   map[storedText]int32
	texts    []storedText   // the first is empty
	room     []storedResult // where the results of many trials lie side by side

	counts []int32   // of confusion matrices, one after the other
	values []float64 // of metrics, likewise

	nameSets [][]string // sorted names of metrics that results have or were to have; the first is empty
}

type (
	storedCell struct {
		id     string
		levels records.Levels
		trials replicates
	}
	storedRecipe struct{ id, spec string }
	storedText   struct{ message, tuned string }
	storedLine   struct {
		origin
		data  string
		nTest int
	}
	trialKey struct{ cell, replicate int32 }
	// storedResult is a records.Record packed into 64 bytes without a pointer, of
	// which nobody outside the store knows: whatever leaves it is spelled out.
	storedResult struct {
		recipe, line int32
		errors       int32
		text         int32 // in store.texts
		failed       bool
		cause        uint8  // of causes
		classes      uint16 // of the confusion matrix; 0: none
		counts       int32  // its place in store.counts
		values       int32  // the place of the metrics in store.values, by names of the schema
		schema       uint16 // names of the metrics, in store.nameSets
		requested    uint16 // names of the metrics that the study requested, in store.nameSets
		ber          float64
		fit, predict float64
		peak         int64
	}
)

// causes that a stored result may have, by their number.
var causes = []records.Cause{"", records.FitFailed, records.OutOfTime, records.NotDrawn}

func newStore() *store {
	return &store{
		cellAt: map[string]int32{}, recipeAt: map[storedRecipe]int32{}, textAt: map[storedText]int32{},
		texts: []storedText{{}}, nameSets: [][]string{nil},
	}
}

// put keeps the results of a trial; requested are the metrics that its configuration
// requests. Where a result of the same recipe is there, again may refuse the new one;
// otherwise the two become one.
func (s *store) put(t *trial.Trial, at origin, requested []string,
	again func(r, old *records.Record, was origin) error) error {
	if len(t.Results) == 0 {
		return nil
	}
	line := int32(len(s.lines))
	s.lines = append(s.lines, storedLine{at, t.Data, t.NTest})
	key := trialKey{s.cell(t), int32(t.Replicate)}
	list := s.results(key)
	if list == nil {
		list = s.roomFor(len(t.Results))
	}
	asked := s.names(requested)
	for i := range t.Results {
		r := &t.Results[i]
		next := s.pack(i, r, line)
		next.requested = asked
		k := slices.IndexFunc(list, func(o storedResult) bool { return o.recipe == next.recipe })
		if k < 0 {
			s.keep(&next, r)
			list = append(list, next)
			s.n++
			continue
		}
		old := s.record(key, &list[k])
		if err := again(r, &old, s.lines[list[k].line].origin); err != nil {
			return err
		}
		s.join(&list[k], &old, next, r)
	}
	s.cells[key.cell].trials.set(key.replicate, list)
	return nil
}

// pack returns a result at a place of its trial without confusion matrix and metrics.
func (s *store) pack(place int, r *records.Record, line int32) storedResult {
	return storedResult{
		recipe: s.recipeOf(place, r), line: line, errors: int32(r.Errors), text: s.text(r),
		failed: r.Status == records.Failed, cause: uint8(max(0, slices.Index(causes, r.Cause))),
		ber: r.BER, fit: r.Fit, predict: r.Predict, peak: r.Peak,
	}
}

// join makes one of a stored result, which is old, and another one of the same recipe,
// which is r. A success replaces a failure. Of two successes the second one adds the
// confusion matrix and the metrics that the first one lacks.
func (s *store) join(stored *storedResult, old *records.Record, next storedResult, r *records.Record) {
	switch {
	case stored.failed:
		s.keep(&next, r)
		*stored = next
		return
	case next.failed:
		return
	}
	names := s.nameSets[stored.schema]
	isNew := func(name string) bool { return !slices.Contains(names, name) }
	requested := union(s.nameSets[stored.requested], s.nameSets[next.requested])
	hasNew := stored.classes == 0 && len(r.Confusion) > 0 ||
		slices.ContainsFunc(slices.Collect(maps.Keys(r.Metrics)), isNew)
	if !hasNew && len(requested) == len(s.nameSets[stored.requested]) {
		return
	}
	both := *old
	if len(r.Confusion) > 0 {
		both.Confusion = r.Confusion
	}
	both.Metrics = map[string]float64{}
	maps.Copy(both.Metrics, r.Metrics)
	maps.Copy(both.Metrics, old.Metrics)
	next.requested = s.names(requested)
	s.keep(&next, &both)
	*stored = next
}

// union returns the names of two sorted lists, sorted.
func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// names returns the place of a set of names in nameSets.
func (s *store) names(list []string) uint16 {
	list = slices.Sorted(slices.Values(list))
	i := slices.IndexFunc(s.nameSets, func(other []string) bool { return slices.Equal(other, list) })
	if i < 0 {
		i = len(s.nameSets)
		s.nameSets = append(s.nameSets, list)
	}
	return uint16(i)
}

// roomFor is an empty list beside the others.
func (s *store) roomFor(n int) []storedResult {
	const trials = 1 << 8
	if cap(s.room)-len(s.room) < n {
		s.room = make([]storedResult, 0, n*trials)
	}
	at := len(s.room)
	s.room = s.room[:at+n]
	return s.room[at : at : at+n]
}

// keep stores the confusion matrix and the metrics of a result.
func (s *store) keep(to *storedResult, r *records.Record) {
	if len(r.Confusion) > 0 {
		to.classes, to.counts = uint16(r.Confusion.Classes()), int32(len(s.counts))
		for _, v := range r.Confusion {
			s.counts = append(s.counts, int32(v))
		}
	}
	if len(r.Metrics) == 0 {
		return
	}
	to.schema, to.values = s.names(slices.Collect(maps.Keys(r.Metrics))), int32(len(s.values))
	for _, name := range s.nameSets[to.schema] {
		s.values = append(s.values, r.Metrics[name])
	}
}

// kept spells out what keep stored.
func (s *store) kept(r *storedResult) (confusion metrics.Confusion, values map[string]float64) {
	if n := int(r.classes); n > 0 {
		confusion = make(metrics.Confusion, n*n)
		for i := range confusion {
			confusion[i] = int(s.counts[int(r.counts)+i])
		}
	}
	for i, name := range s.nameSets[r.schema] {
		if values == nil {
			values = map[string]float64{}
		}
		values[name] = s.values[int(r.values)+i]
	}
	return confusion, values
}

func (s *store) cell(t *trial.Trial) int32 {
	i, known := s.cellAt[t.Cell]
	if !known {
		i = int32(len(s.cells))
		s.cells, s.cellAt[t.Cell] = append(s.cells, storedCell{id: t.Cell, levels: t.Levels}), i
	}
	return i
}

// recipeOf is the place of a result's recipe, mostly that of the result at the same
// place of the trial before.
func (s *store) recipeOf(place int, r *records.Record) int32 {
	if place < len(s.places) {
		if known := s.recipes[s.places[place]]; known.id == r.Classifier && known.spec == r.Spec {
			return s.places[place]
		}
	}
	made := storedRecipe{r.Classifier, r.Spec}
	i, known := s.recipeAt[made]
	if !known {
		i = int32(len(s.recipes))
		s.recipes, s.recipeAt[made] = append(s.recipes, made), i
	}
	if place < len(s.places) {
		s.places[place] = i
	} else {
		s.places = append(s.places, i)
	}
	return i
}

// text returns the place of the texts of a result.
func (s *store) text(r *records.Record) int32 {
	t := storedText{r.Message, r.Tuned}
	if t == (storedText{}) {
		return 0
	}
	i, known := s.textAt[t]
	if !known {
		i = int32(len(s.texts))
		s.texts, s.textAt[t] = append(s.texts, t), i
	}
	return i
}

// record spells a stored result out.
func (s *store) record(key trialKey, r *storedResult) records.Record {
	c, made, line := &s.cells[key.cell], s.recipes[r.recipe], &s.lines[r.line]
	out := records.Record{
		Cell:       c.id,
		Levels:     c.levels,
		Replicate:  int(key.replicate),
		Data:       line.data,
		NTest:      line.nTest,
		Classifier: made.id,
		Spec:       made.spec,
		Status:     records.OK,
		Errors:     int(r.errors),
		BER:        r.ber,
		Message:    s.texts[r.text].message,
		Tuned:      s.texts[r.text].tuned,
		Cause:      causes[r.cause],
		Fit:        r.fit,
		Predict:    r.predict,
		Peak:       r.peak,
	}
	if r.failed {
		out.Status = records.Failed
	}
	out.Confusion, out.Metrics = s.kept(r)
	out.Rate()
	return out
}
