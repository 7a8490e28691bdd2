package ledger

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"copse/experiments/trial"
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
}

type (
	storedCell struct {
		id     string
		levels map[string]string
	}
	storedRecipe struct{ id, spec string }
	storedLine   struct {
		Place
		data  string
		nTest int
	}
	trialKey     struct{ cell, replicate int32 }
	storedResult struct {
		recipe, line int32
		errors       int32
		failed       bool
		ber          float64
		fit, predict float64
		message      string
	}
)

// A Row is a stored result with what its trial tells. Cell, Replicate, ID and
// Spec identify it: a changed recipe is another row.
type Row struct {
	Cell      string
	Replicate int
	trial.Result
	Data   string // fingerprint of training and test set
	NTest  int
	Levels map[string]string
	Place  Place
}

func newResultStore() store {
	return store{trials: map[trialKey][]storedResult{}, cellAt: map[string]int32{}, recipeAt: map[storedRecipe]int32{}, texts: map[string]string{}}
}

// line notes where a trial was read.
func (s *store) line(t *trial.Trial, at Place) int32 {
	s.lines = append(s.lines, storedLine{at, t.Data, t.NTest})
	return int32(len(s.lines) - 1)
}

// put keeps a result, unless one is there that is better than a failure. It
// returns what was there.
func (s *store) put(t *trial.Trial, r trial.Result, line int32) *Row {
	key := trialKey{s.cell(t), int32(t.Replicate)}
	next := storedResult{s.recipe(r.ID, r.Spec), line, int32(r.Errors), r.Status == records.Failed, r.BER, r.Fit, r.Predict, s.text(r.Message)}
	list := s.trials[key]
	i := slices.IndexFunc(list, func(o storedResult) bool { return o.recipe == next.recipe })
	if i < 0 {
		if list == nil {
			list = make([]storedResult, 0, len(t.Results))
		}
		s.trials[key] = append(list, next)
		s.n++
		return nil
	}
	old := s.row(key, &list[i])
	if list[i].failed {
		list[i] = next
	}
	return &old
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

// row spells a stored result out.
func (s *store) row(key trialKey, r *storedResult) Row {
	c, made, line := &s.cells[key.cell], s.recipes[r.recipe], &s.lines[r.line]
	result := trial.Result{ID: made.id, Spec: made.spec, Status: records.OK, Errors: int(r.errors), BER: r.ber, Message: r.message, Fit: r.fit, Predict: r.predict}
	if r.failed {
		result.Status = records.Failed
	}
	return Row{c.id, int(key.replicate), result, line.data, line.nTest, c.levels, line.Place}
}

// find returns the result of a key.
func (s *store) find(cell string, replicate int, id, spec string) (Row, bool) {
	c, known := s.cellAt[cell]
	recipe, ran := s.recipeAt[storedRecipe{id, spec}]
	if known && ran {
		key := trialKey{c, int32(replicate)}
		list := s.trials[key]
		for i := range list {
			if list[i].recipe == recipe {
				return s.row(key, &list[i]), true
			}
		}
	}
	return Row{}, false
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

// trialOf gathers those results of a trial that are wanted.
func (s *store) trialOf(key trialKey, wanted func(*Row) bool) *trial.Trial {
	t := &trial.Trial{Cell: s.cells[key.cell].id, Levels: s.cells[key.cell].levels, Replicate: int(key.replicate)}
	for r := range s.of(key) {
		if wanted(&r) {
			t.Data, t.NTest = r.Data, r.NTest
			t.Results = append(t.Results, r.Result)
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
func (s *store) all() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, key := range s.keys() {
			for r := range s.of(key) {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// of yields the results of one trial by id and recipe.
func (s *store) of(key trialKey) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		list := slices.Clone(s.trials[key])
		slices.SortFunc(list, func(a, b storedResult) int {
			p, q := s.recipes[a.recipe], s.recipes[b.recipe]
			return cmp.Or(strings.Compare(p.id, q.id), strings.Compare(p.spec, q.spec))
		})
		for i := range list {
			if !yield(s.row(key, &list[i])) {
				return
			}
		}
	}
}

// asTrials gathers the results into trials, by cell and replicate.
func (s *store) asTrials() []*trial.Trial {
	var list []*trial.Trial
	for _, key := range s.keys() {
		list = append(list, s.trialOf(key, func(*Row) bool { return true }))
	}
	return list
}
