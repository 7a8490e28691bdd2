package ledger

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"copse/experiments/study"
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
	textAt   map[string]int32
	texts    []string       // messages; the first is empty
	room     []storedResult // where the results of many trials lie side by side

	counts  []int32    // of confusion matrices, one after the other
	values  []float64  // of metrics, likewise
	schemas [][]string // sorted names of the metrics that results have; the first has none
}

type (
	storedCell struct {
		id     string
		levels records.Levels
		trials replicates
	}
	storedRecipe struct{ id, spec string }
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
		message      int32 // in store.texts
		failed       bool
		cause        uint8  // of causes
		classes      uint16 // of the confusion matrix; 0: none
		counts       int32  // its place in store.counts
		values       int32  // the place of the metrics in store.values, by names of the schema
		schema       int32  // in store.schemas; 0: no metrics
		ber          float64
		fit, predict float64
		peak         int64
	}
)

// causes that a stored result may have, by their number.
var causes = []records.Cause{"", records.FitFailed, records.OutOfTime, records.NotDrawn}

func newResultStore() store {
	return store{cellAt: map[string]int32{}, recipeAt: map[storedRecipe]int32{}, textAt: map[string]int32{"": 0}, texts: []string{""}, schemas: [][]string{nil}}
}

// line notes where a trial was read.
func (s *store) line(t *trial.Trial, at origin) int32 {
	s.lines = append(s.lines, storedLine{at, t.Data, t.NTest})
	return int32(len(s.lines) - 1)
}

// put keeps the results of a trial, but where one is there that is better than a
// failure. It asks about each that was there already, and where that was read.
func (s *store) put(t *trial.Trial, at origin, again func(r, old *records.Record, was origin) error) error {
	if len(t.Results) == 0 {
		return nil
	}
	line := s.line(t, at)
	key := trialKey{s.cell(t), int32(t.Replicate)}
	list := s.results(key)
	if list == nil {
		list = s.roomFor(len(t.Results))
	}
	defer func() { s.cells[key.cell].trials.set(key.replicate, list) }()
	for i := range t.Results {
		r := &t.Results[i]
		next := storedResult{recipe: s.recipeOf(i, r), line: line, errors: int32(r.Errors), message: s.text(r.Message), failed: r.Status == records.Failed,
			cause: uint8(max(0, slices.Index(causes, r.Cause))), ber: r.BER, fit: r.Fit, predict: r.Predict, peak: r.Peak}
		k := slices.IndexFunc(list, func(o storedResult) bool { return o.recipe == next.recipe })
		if k < 0 {
			s.keep(&next, r)
			list = append(list, next)
			s.n++
			continue
		}
		o := &list[k]
		old := s.record(key, o)
		if err := again(r, &old, s.lines[o.line].origin); err != nil {
			return err
		}
		if o.failed || !next.failed && (o.classes == 0 && len(r.Confusion) > 0 || len(s.schemas[o.schema]) < len(r.Metrics)) {
			s.keep(&next, r)
			*o = next // it knows more
		}
	}
	return nil
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
	names := slices.Sorted(maps.Keys(r.Metrics))
	i := slices.IndexFunc(s.schemas, func(other []string) bool { return slices.Equal(other, names) })
	if i < 0 {
		i = len(s.schemas)
		s.schemas = append(s.schemas, names)
	}
	to.schema, to.values = int32(i), int32(len(s.values))
	for _, name := range names {
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
	for i, name := range s.schemas[r.schema] {
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

func (s *store) text(t string) int32 {
	if t == "" {
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
	out := records.Record{Cell: c.id, Levels: c.levels, Replicate: int(key.replicate), Data: line.data, NTest: line.nTest,
		Classifier: made.id, Spec: made.spec, Status: records.OK, Errors: int(r.errors), BER: r.ber, Message: s.texts[r.message], Cause: causes[r.cause], Fit: r.fit, Predict: r.predict, Peak: r.peak}
	if r.failed {
		out.Status = records.Failed
	}
	out.Confusion, out.Metrics = s.kept(r)
	out.Rate()
	return out
}

// results are those of one trial, in the order in which they were read.
func (s *store) results(key trialKey) []storedResult {
	return s.cells[key.cell].trials.at(key.replicate)
}

// find returns the result of a key and where it was read.
func (s *store) find(cell string, replicate int, id, spec string) (r records.Record, at origin, ok bool) {
	if key, stored := s.at(cell, replicate, id, spec); stored != nil {
		return s.record(key, stored), s.lines[stored.line].origin, true
	}
	return r, at, false
}

// at returns the stored result of a key; nil: there is none.
func (s *store) at(cell string, replicate int, id, spec string) (trialKey, *storedResult) {
	c, known := s.cellAt[cell]
	recipe, ran := s.recipeAt[storedRecipe{id, spec}]
	if known && ran {
		key := trialKey{c, int32(replicate)}
		list := s.results(key)
		for i := range list {
			if list[i].recipe == recipe {
				return key, &list[i]
			}
		}
	}
	return trialKey{}, nil
}

// finder finds stored results of a cell by their replicate and the place of their
// recipe among the entries.
func (s *store) finder(cell string, entries []study.Entry) func(replicate, place int) (done, failed bool) {
	c, known := s.cellAt[cell]
	if !known {
		return func(int, int) (done, failed bool) { return false, false }
	}
	recipes := make([]int32, len(entries))
	for k, e := range entries {
		i, ran := s.recipeAt[storedRecipe{e.ID, e.Spec}]
		if recipes[k] = i; !ran {
			recipes[k] = -1
		}
	}
	last, list := -1, []storedResult(nil)
	return func(replicate, place int) (done, failed bool) {
		if replicate != last {
			last, list = replicate, s.results(trialKey{c, int32(replicate)})
		}
		if place < len(list) && list[place].recipe == recipes[place] { // mostly trials have the study's order
			return true, list[place].failed
		}
		for i := range list {
			if list[i].recipe == recipes[place] {
				return true, list[i].failed
			}
		}
		return false, false
	}
}

// says tells whether a stored result says what a record says, under any recipe
// where none is given. One that succeeded stands for a failure.
func (s *store) says(r *records.Record, spec string) bool {
	c, known := s.cellAt[r.Cell]
	if !known {
		return false
	}
	for _, o := range s.results(trialKey{c, int32(r.Replicate)}) {
		made, line := s.recipes[o.recipe], s.lines[o.line]
		if made.id != r.Classifier || spec != "" && made.spec != spec {
			continue
		}
		if r.Status == records.Failed || !o.failed && int(o.errors) == r.Errors && o.ber == r.BER && line.data == r.Data && line.nTest == r.NTest {
			return true
		}
	}
	return false
}

// trialOf gathers those results of a trial that were read where it is wanted.
func (s *store) trialOf(key trialKey, wanted func(origin) bool) *trial.Trial {
	t := &trial.Trial{Cell: s.cells[key.cell].id, Levels: s.cells[key.cell].levels, Replicate: int(key.replicate)}
	for r, at := range s.of(key) {
		if wanted(at) {
			t.Data, t.NTest = r.Data, r.NTest
			t.Results = append(t.Results, r)
		}
	}
	return t
}

// byID lists the cells by their ids.
func (s *store) byID() []int32 {
	cells := make([]int32, len(s.cells))
	for i := range cells {
		cells[i] = int32(i)
	}
	slices.SortFunc(cells, func(a, b int32) int { return strings.Compare(s.cells[a].id, s.cells[b].id) })
	return cells
}

// keys lists the trials by cell and replicate.
func (s *store) keys() (keys []trialKey) {
	for _, c := range s.byID() {
		for replicate := range s.cells[c].trials.all() {
			keys = append(keys, trialKey{c, replicate})
		}
	}
	return keys
}

// all yields the results by cell, replicate, id and recipe: sums must not
// depend on the order of a map.
func (s *store) all() iter.Seq[records.Record] {
	return func(yield func(records.Record) bool) {
		for _, key := range s.keys() {
			for _, r := range s.sorted(key) {
				if !yield(s.record(key, &r)) {
					return
				}
			}
		}
	}
}

// A recipeSum is what the results of one recipe in one cell add up to.
type recipeSum struct {
	recipe               int32
	results              int
	succeeded, outOfTime int
	microseconds         int64 // of those that succeeded
}

// mostSeconds of a fit are counted, so that sums of any file's stay whole numbers.
const mostSeconds = 1e6

// sums adds up what a cell has, by recipe in the order in which they were met.
func (s *store) sums(cell int32) (list []recipeSum) {
	for _, results := range s.cells[cell].trials.all() {
		for i := range results {
			r, k := &results[i], i // mostly all trials of a cell ran the same recipes
			if k >= len(list) || list[k].recipe != r.recipe {
				if k = slices.IndexFunc(list, func(v recipeSum) bool { return v.recipe == r.recipe }); k < 0 {
					k = len(list)
					list = append(list, recipeSum{recipe: r.recipe})
				}
			}
			to := &list[k]
			to.results++
			switch {
			case !r.failed:
				to.succeeded++
				to.microseconds += int64(math.Round(min(r.fit+r.predict, mostSeconds) * 1e6))
			case causes[r.cause] == records.OutOfTime:
				to.outOfTime++
			}
		}
	}
	return list
}

// histories lists the sums of all cells.
func (s *store) histories() (list []History) {
	for c := range s.cells {
		for _, v := range s.sums(int32(c)) {
			made := s.recipes[v.recipe]
			list = append(list, History{s.cells[c].id, made.id, made.spec, v.succeeded, v.outOfTime, float64(v.microseconds) / 1e6})
		}
	}
	slices.SortFunc(list, func(a, b History) int {
		return cmp.Or(strings.Compare(a.Cell, b.Cell), strings.Compare(a.ID, b.ID), strings.Compare(a.Spec, b.Spec))
	})
	return list
}

// sorted are the results of one trial by id and recipe.
func (s *store) sorted(key trialKey) []storedResult {
	order := func(a, b storedResult) int {
		p, q := s.recipes[a.recipe], s.recipes[b.recipe]
		return cmp.Or(strings.Compare(p.id, q.id), strings.Compare(p.spec, q.spec))
	}
	list := s.results(key)
	if !slices.IsSortedFunc(list, order) {
		list = slices.Clone(list)
		slices.SortFunc(list, order)
	}
	return list
}

// of yields the results of one trial by id and recipe, with where they were read.
func (s *store) of(key trialKey) iter.Seq2[records.Record, origin] {
	return func(yield func(records.Record, origin) bool) {
		for _, r := range s.sorted(key) {
			if !yield(s.record(key, &r), s.lines[r.line].origin) {
				return
			}
		}
	}
}

// asTrials gathers the results into trials, by cell and replicate.
func (s *store) asTrials() []*trial.Trial {
	var list []*trial.Trial
	for _, key := range s.keys() {
		list = append(list, s.trialOf(key, func(origin) bool { return true }))
	}
	return list
}
