package experiments

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"copse/stats/records"
)

// A resultStore holds results in little memory, since a study may have millions:
// under 100 bytes each. Whatever many results share is kept once.
type resultStore struct {
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
		place
		data  string
		nTest int
	}
	trialKey     struct{ cell, replicate int32 }
	storedResult struct {
		storedRecipe, line int32
		errors             int32
		failed             bool
		ber                float64
		fit, predict       float64
		message            string
	}
)

// rowKey identifies a result: a changed recipe is another row.
type rowKey struct {
	cell      string
	replicate int
	id, spec  string
}

// A row is a stored result with what its trial tells.
type row struct {
	Result
	data   string
	nTest  int
	levels map[string]string
	place  place
}

func newResultStore() resultStore {
	return resultStore{trials: map[trialKey][]storedResult{}, cellAt: map[string]int32{}, recipeAt: map[storedRecipe]int32{}, texts: map[string]string{}}
}

// line notes where a trial was read.
func (s *resultStore) line(t *Trial, at place) int32 {
	s.lines = append(s.lines, storedLine{at, t.Data, t.NTest})
	return int32(len(s.lines) - 1)
}

// put keeps a result, unless one is there that is better than a failure. It
// returns what was there.
func (s *resultStore) put(t *Trial, r Result, line int32) *row {
	key := trialKey{s.cell(t), int32(t.Replicate)}
	next := storedResult{s.recipe(r.ID, r.Spec), line, int32(r.Errors), r.Status == records.Failed, r.BER, r.Fit, r.Predict, s.text(r.Message)}
	list := s.trials[key]
	i := slices.IndexFunc(list, func(o storedResult) bool { return o.storedRecipe == next.storedRecipe })
	if i < 0 {
		if list == nil {
			list = make([]storedResult, 0, len(t.Results))
		}
		s.trials[key] = append(list, next)
		s.n++
		return nil
	}
	_, old := s.row(key, &list[i])
	if list[i].failed {
		list[i] = next
	}
	return &old
}

func (s *resultStore) cell(t *Trial) int32 {
	i, known := s.cellAt[t.Cell]
	if !known {
		i = int32(len(s.cells))
		s.cells, s.cellAt[t.Cell] = append(s.cells, storedCell{t.Cell, t.Levels}), i
	}
	return i
}

func (s *resultStore) recipe(id, spec string) int32 {
	r := storedRecipe{id, spec}
	i, known := s.recipeAt[r]
	if !known {
		i = int32(len(s.recipes))
		s.recipes, s.recipeAt[r] = append(s.recipes, r), i
	}
	return i
}

func (s *resultStore) text(t string) string {
	if known, ok := s.texts[t]; ok {
		return known
	}
	s.texts[t] = t
	return t
}

// row spells a stored result out.
func (s *resultStore) row(key trialKey, r *storedResult) (rowKey, row) {
	c, recipe, line := &s.cells[key.cell], s.recipes[r.storedRecipe], &s.lines[r.line]
	result := Result{ID: recipe.id, Spec: recipe.spec, Status: records.OK, Errors: int(r.errors), BER: r.ber, Message: r.message, Fit: r.fit, Predict: r.predict}
	if r.failed {
		result.Status = records.Failed
	}
	return rowKey{c.id, int(key.replicate), recipe.id, recipe.spec}, row{result, line.data, line.nTest, c.levels, line.place}
}

// find returns the result of a key.
func (s *resultStore) find(cell string, replicate int, id, spec string) (row, bool) {
	c, known := s.cellAt[cell]
	recipe, ran := s.recipeAt[storedRecipe{id, spec}]
	if known && ran {
		key := trialKey{c, int32(replicate)}
		list := s.trials[key]
		for i := range list {
			if list[i].storedRecipe == recipe {
				_, r := s.row(key, &list[i])
				return r, true
			}
		}
	}
	return row{}, false
}

// keys lists the trials by cell and replicate.
func (s *resultStore) keys() []trialKey {
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
func (s *resultStore) all() iter.Seq2[rowKey, row] {
	return func(yield func(rowKey, row) bool) {
		for _, key := range s.keys() {
			list := s.trials[key]
			slices.SortFunc(list, func(a, b storedResult) int {
				p, q := s.recipes[a.storedRecipe], s.recipes[b.storedRecipe]
				return cmp.Or(strings.Compare(p.id, q.id), strings.Compare(p.spec, q.spec))
			})
			for i := range list {
				if !yield(s.row(key, &list[i])) {
					return
				}
			}
		}
	}
}

// asTrials gathers the results into trials, by cell and replicate.
func (s *resultStore) asTrials() []*Trial {
	var list []*Trial
	for key, r := range s.all() {
		if n := len(list); n == 0 || list[n-1].Cell != key.cell || list[n-1].Replicate != key.replicate {
			list = append(list, &Trial{Cell: key.cell, Levels: r.levels, Replicate: key.replicate, Data: r.data, NTest: r.nTest})
		}
		last := list[len(list)-1]
		last.Results = append(last.Results, r.Result)
	}
	return list
}
