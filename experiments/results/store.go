package results

import (
	"maps"
	"slices"

	"copse/experiments/trial"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A store contains the results of a folder. A recipe is a classifier with its settings.
//
// A study may have millions of results. A store therefore uses less than 100 bytes per result.
// Results refer to shared strings, confusion matrices and metrics by index.
type store struct {
	cells   []storedCell
	recipes uniqueList[storedRecipe]
	texts   uniqueList[storedText]
	lines   []storedLine // one for each trial, in the order in which they were read
	n       int          // number of results

	cellAt map[string]int32 // index in cells, by id

	counts []int32   // confusion matrices, one after the other
	values []float64 // values of metrics, one result after the other

	nameSets [][]string // sets of metrics, each a sorted list of names

	retried map[storedFit]bool // fits with a failed and a successful attempt
}

type (
	// A storedCell contains the results of one cell. The results of a trial are in the order in which
	// they were read.
	storedCell struct {
		id     string
		levels records.Levels
		trials map[int32][]storedResult
	}
	storedRecipe struct{ id, spec string }
	storedText   struct{ message, tuned string }
	storedLine   struct {
		origin
		data  string
		nTest int
	}
	trialKey struct{ cell, replicate int32 } // cell is an index in store.cells

	// A storedResult represents a records.Record in 64 bytes. It has no pointers, so the garbage
	// collector need not scan it.
	storedResult struct {
		recipe, line int32 // indices in store.recipes and store.lines
		errors       int32
		text         int32 // index in store.texts
		failed       bool
		cause        uint8  // index in causes
		classes      uint16 // number of classes of the confusion matrix; 0 without a matrix
		counts       int32  // index of the first count of the confusion matrix in store.counts
		values       int32  // index of the first metric in store.values; metrics are in the order of their names
		schema       uint16 // index in store.nameSets of the metrics that the result has
		requested    uint16 // index in store.nameSets: the metrics that the study requested
		ber          float64
		fit, predict float64
		peak         int64
	}
)

var causes = []records.Cause{"", records.FitFailed, records.OutOfTime, records.NotDrawn}

func newStore() *store { return &store{cellAt: map[string]int32{}, retried: map[storedFit]bool{}} }

// A uniqueList contains each value once.
type uniqueList[T comparable] struct {
	values []T
	at     map[T]int32 // index in values
}

// index returns the index of a value, which it adds if it is new.
func (l *uniqueList[T]) index(value T) int32 {
	i, known := l.at[value]
	if !known {
		if l.at == nil {
			l.at = map[T]int32{}
		}
		i = int32(len(l.values))
		l.at[value] = i
		l.values = append(l.values, value)
	}
	return i
}

// pack converts a record to a storedResult. line is the index of its trial in store.lines.
// requested is the index in store.nameSets of the metrics that the study requests.
func (s *store) pack(r *records.Record, line int32, requested uint16) storedResult {
	packed := storedResult{
		recipe: s.recipes.index(storedRecipe{r.Classifier, r.Spec}), line: line, requested: requested,
		errors: int32(r.Errors), text: s.texts.index(storedText{r.Message, r.Tuned}),
		failed: r.Status == records.Failed, cause: uint8(max(0, slices.Index(causes, r.Cause))),
		ber: r.BER, fit: r.Fit, predict: r.Predict, peak: r.Peak,
	}
	s.packMetrics(&packed, r)
	return packed
}

// mergeResults merges two successful results of the same fit. The merged result has the metrics of
// both, and a confusion matrix if either has one. Other values, such as times, come from the result
// that was computed first.
func (s *store) mergeResults(key trialKey, first, second storedResult) storedResult {
	r, other := s.record(key, &first), s.record(key, &second)
	metrics := map[string]float64{}
	maps.Copy(metrics, other.Metrics)
	maps.Copy(metrics, r.Metrics) // the first values take precedence
	r.Metrics = metrics
	if len(r.Confusion) == 0 {
		r.Confusion = other.Confusion
	}
	names := slices.Concat(s.nameSets[first.requested], s.nameSets[second.requested])
	slices.Sort(names)
	return s.pack(&r, first.line, s.nameSet(slices.Compact(names)))
}

// nameSet returns the index in nameSets of a set of names, which it adds if it is new.
func (s *store) nameSet(list []string) uint16 {
	list = slices.Sorted(slices.Values(list))
	i := slices.IndexFunc(s.nameSets, func(other []string) bool { return slices.Equal(other, list) })
	if i < 0 {
		i = len(s.nameSets)
		s.nameSets = append(s.nameSets, list)
	}
	return uint16(i)
}

// packMetrics stores the confusion matrix and the metrics of r.
func (s *store) packMetrics(to *storedResult, r *records.Record) {
	if len(r.Confusion) > 0 {
		to.classes = uint16(r.Confusion.Classes())
		to.counts = int32(len(s.counts))
		for _, v := range r.Confusion {
			s.counts = append(s.counts, int32(v))
		}
	}
	to.schema = s.nameSet(slices.Collect(maps.Keys(r.Metrics)))
	to.values = int32(len(s.values))
	for _, name := range s.nameSets[to.schema] {
		s.values = append(s.values, r.Metrics[name])
	}
}

// unpackMetrics returns the confusion matrix and the metrics of a stored result.
func (s *store) unpackMetrics(r *storedResult) (confusion metrics.Confusion, values map[string]float64) {
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

// cell returns the index of a trial's cell, which it adds if it is new.
func (s *store) cell(t *trial.Trial) int32 {
	i, known := s.cellAt[t.Cell]
	if !known {
		i = int32(len(s.cells))
		s.cellAt[t.Cell] = i
		s.cells = append(s.cells, storedCell{id: t.Cell, levels: t.Levels, trials: map[int32][]storedResult{}})
	}
	return i
}

// record converts a stored result of a trial to a record, with all its metrics.
func (s *store) record(key trialKey, r *storedResult) records.Record {
	c := &s.cells[key.cell]
	recipe := s.recipes.values[r.recipe]
	line := &s.lines[r.line]
	out := records.Record{
		Cell:       c.id,
		Levels:     c.levels,
		Replicate:  int(key.replicate),
		Data:       line.data,
		NTest:      line.nTest,
		Classifier: recipe.id,
		Spec:       recipe.spec,
		Status:     records.OK,
		Errors:     int(r.errors),
		BER:        r.ber,
		Message:    s.texts.values[r.text].message,
		Tuned:      s.texts.values[r.text].tuned,
		Cause:      causes[r.cause],
		Fit:        r.fit,
		Predict:    r.predict,
		Peak:       r.peak,
	}
	if r.failed {
		out.Status = records.Failed
	}
	out.Confusion, out.Metrics = s.unpackMetrics(r)
	out.SetRates()
	return out
}
