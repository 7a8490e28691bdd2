package ledger

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

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
	trials  map[trialKey][]storedResult
	n       int

	cellAt   map[string]int32
	recipeAt map[storedRecipe]int32
	texts    map[string]string

	counts  []int32    // of confusion matrices, one after the other
	values  []float64  // of metrics, likewise
	schemas [][]string // sorted names of the metrics that results have; the first has none
}

type (
	storedCell struct {
		id     string
		levels records.Levels
	}
	storedRecipe struct{ id, spec string }
	storedLine   struct {
		origin
		data  string
		nTest int
	}
	trialKey struct{ cell, replicate int32 }
	// storedResult is a records.Record packed into 80 bytes, of which nobody
	// outside the store knows: whatever leaves it is spelled out.
	storedResult struct {
		recipe, line int32
		errors       int32
		failed       bool
		cause        uint8  // of causes
		classes      uint16 // of the confusion matrix; 0: none
		counts       int32  // its place in store.counts
		values       int32  // the place of the metrics in store.values, by names of the schema
		schema       int32  // in store.schemas; 0: no metrics
		ber          float64
		fit, predict float64
		peak         int64
		message      string
	}
)

// causes that a stored result may have, by their number.
var causes = []records.Cause{"", records.FitFailed, records.OutOfTime, records.NotDrawn}

func newResultStore() store {
	return store{trials: map[trialKey][]storedResult{}, cellAt: map[string]int32{}, recipeAt: map[storedRecipe]int32{}, texts: map[string]string{}, schemas: [][]string{nil}}
}

// line notes where a trial was read.
func (s *store) line(t *trial.Trial, at origin) int32 {
	s.lines = append(s.lines, storedLine{at, t.Data, t.NTest})
	return int32(len(s.lines) - 1)
}

// put keeps a result, unless one is there that is better than a failure. It
// returns what was there, nil for nothing, and where that was read.
func (s *store) put(t *trial.Trial, r *records.Record, line int32) (*records.Record, origin) {
	key := trialKey{s.cell(t), int32(t.Replicate)}
	next := storedResult{recipe: s.recipe(r.Classifier, r.Spec), line: line, errors: int32(r.Errors), failed: r.Status == records.Failed,
		cause: uint8(max(0, slices.Index(causes, r.Cause))), ber: r.BER, fit: r.Fit, predict: r.Predict, peak: r.Peak, message: s.text(r.Message)}
	s.keep(&next, r)
	list := s.trials[key]
	i := slices.IndexFunc(list, func(o storedResult) bool { return o.recipe == next.recipe })
	if i < 0 {
		if list == nil {
			list = make([]storedResult, 0, len(t.Results))
		}
		s.trials[key] = append(list, next)
		s.n++
		return nil, origin{}
	}
	old, at := s.record(key, &list[i]), s.lines[list[i].line].origin
	if o := &list[i]; o.failed || !next.failed && (o.classes == 0 && next.classes > 0 || len(s.schemas[o.schema]) < len(s.schemas[next.schema])) {
		list[i] = next // it knows more
	}
	return &old, at
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
		s.cells, s.cellAt[t.Cell] = append(s.cells, storedCell{t.Cell, t.Levels}), i
	}
	return i
}

func (s *store) recipe(id, spec string) int32 {
	r := storedRecipe{id, spec}
	i, known := s.recipeAt[r]
	if !known {
		i = int32(len(s.recipes))
		s.recipes, s.recipeAt[r] = append(s.recipes, r), i
	}
	return i
}

func (s *store) text(t string) string {
	if known, ok := s.texts[t]; ok {
		return known
	}
	s.texts[t] = t
	return t
}

// record spells a stored result out.
func (s *store) record(key trialKey, r *storedResult) records.Record {
	c, made, line := &s.cells[key.cell], s.recipes[r.recipe], &s.lines[r.line]
	out := records.Record{Cell: c.id, Levels: c.levels, Replicate: int(key.replicate), Data: line.data, NTest: line.nTest,
		Classifier: made.id, Spec: made.spec, Status: records.OK, Errors: int(r.errors), BER: r.ber, Message: r.message, Cause: causes[r.cause], Fit: r.fit, Predict: r.predict, Peak: r.peak}
	if r.failed {
		out.Status = records.Failed
	}
	out.Confusion, out.Metrics = s.kept(r)
	out.Rate()
	return out
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
		list := s.trials[key]
		for i := range list {
			if list[i].recipe == recipe {
				return key, &list[i]
			}
		}
	}
	return trialKey{}, nil
}

// says tells whether a stored result says what a record says, under any recipe
// where none is given. One that succeeded stands for a failure.
func (s *store) says(r *records.Record, spec string) bool {
	c, known := s.cellAt[r.Cell]
	if !known {
		return false
	}
	for _, o := range s.trials[trialKey{c, int32(r.Replicate)}] {
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

// keys lists the trials by cell and replicate.
func (s *store) keys() []trialKey {
	keys := make([]trialKey, 0, len(s.trials))
	for key := range s.trials {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b trialKey) int {
		if a.cell != b.cell {
			return strings.Compare(s.cells[a.cell].id, s.cells[b.cell].id)
		}
		return cmp.Compare(a.replicate, b.replicate)
	})
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

// mostSeconds of a fit are counted, so that sums of any file's stay whole numbers.
const mostSeconds = 1e6

// histories sums up the times by cell and recipe, in whole microseconds: such sums
// do not depend on the order of a map.
func (s *store) histories() []History {
	type place struct{ cell, recipe int32 }
	type sum struct{ succeeded, outOfTime, microseconds int64 }
	sums := map[place]*sum{}
	for key, list := range s.trials {
		for i := range list {
			r := &list[i]
			at := place{key.cell, r.recipe}
			if sums[at] == nil {
				sums[at] = &sum{}
			}
			switch {
			case !r.failed:
				sums[at].succeeded++
				sums[at].microseconds += int64(math.Round(min(r.fit+r.predict, mostSeconds) * 1e6))
			case causes[r.cause] == records.OutOfTime:
				sums[at].outOfTime++
			}
		}
	}
	var list []History
	for at, v := range sums {
		made := s.recipes[at.recipe]
		list = append(list, History{s.cells[at.cell].id, made.id, made.spec, int(v.succeeded), int(v.outOfTime), float64(v.microseconds) / 1e6})
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
	list := s.trials[key]
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
