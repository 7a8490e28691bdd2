package study

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/exp/rand"

	"copse/classifiers/tuning"
	"copse/experiments/config"
	"copse/experiments/stream"
	"copse/stats/metrics"
	"copse/stats/recipe"
)

// Tuning chooses among candidates of an entry inside each training set.
type Tuning struct {
	tuning.Search
	Candidates []Entry
	Values     []string // parameters of each candidate, such as "c=10 gamma=0.1"
	Space      []Range
}

// A Range has the name of a tuned parameter and its values, such as "1, 5, 15".
type Range struct{ Name, Values string }

// tuningKeys are the keys of an entry that is tuned.
type tuningKeys struct {
	Tune config.Place `param:"tune" node:"mapping of lists or ranges" doc:"parameters that are chosen inside each training set: {k: [1, 5, 15]} lists values, {c: {log: [0.01, 100], steps: 5}} or linear gives a range; parameters of a program are those of params"`
	By   tuneBy       `param:"by" needs:"tune" doc:"how tune chooses"`
}

// tuneBy has the keys that control the search.
type tuneBy struct {
	Metric string `param:"metric" doc:"the best mean over the folds wins; see copse list metrics"`
	Folds  int    `param:"folds" range:"[2,1000]" doc:"folds of the cross-validation of the training rows, stratified by class"`
	Search string `param:"search" enum:"grid,random,halving" doc:"grid: all combinations; random: budget of them, drawn once for the study from its seed; halving: all on few rows, then repeatedly the better half on twice the rows"`
	Budget int    `param:"budget" range:"[1,1000]" doc:"maximal number of candidates; random, and halving of a larger grid, draw this number"`
}

// The values of the key search.
const (
	gridSearch    = "grid"
	randomSearch  = "random"
	halvingSearch = "halving"
)

// SetDefaults sets the defaults of the keys.
func (b *tuneBy) SetDefaults() { *b = tuneBy{Metric: "error", Folds: 5, Search: gridSearch} }

// maxCandidates bounds the candidates of an entry.
const maxCandidates = 1000

// A valueRange has Steps numbers from the lower to the upper end, evenly spaced on a log or
// linear scale.
type valueRange struct {
	Log    []float64 `param:"log" choice:"range"`
	Linear []float64 `param:"linear" choice:"range"`
	Steps  int       `param:"steps" range:"[2,1000]"`
	Whole  bool      `param:"whole"`
}

// A dimension is a tuned parameter with its values.
type dimension struct {
	key    config.Place // the name of the parameter
	given  config.Place // the list or range in the file
	values []config.Place
}

// tune sets the Tuning of an entry and adds it to its Spec. at is the mapping of the entry, and
// k has its keys. It returns false after reporting mistakes.
func (r *reader) tune(at config.Place, e *Entry, k *tuningKeys) bool {
	before := at.Mistakes()
	space := r.dimensions(k.Tune, e)
	metric := tuneMetric(at.Key("by"), e, k.By.Metric)
	if at.Mistakes() > before {
		return false
	}
	t := &Tuning{Search: tuning.Search{Metric: metric, Folds: k.By.Folds, Halving: k.By.Search == halvingSearch}}
	for _, d := range space {
		t.Space = append(t.Space, Range{d.key.Text(), d.words()})
	}
	for _, point := range r.points(at, e.ID, space, k.By) {
		values := valuesAt(space, point)
		if candidate, ok := r.tuneCandidate(at, e, space, values); ok {
			t.Candidates = append(t.Candidates, candidate)
			t.Values = append(t.Values, assignments(space, values))
		}
	}
	if at.Mistakes() > before {
		return false
	}
	e.Tuning = t
	e.Spec += t.spec(k.By)
	if e.Program != nil { // a library then checks the names of tuned parameters when it starts
		e.Program.Tried = t.Candidates[0].Program.Tried
	}
	return true
}

// spec returns the part of an entry's Spec for its tuning.
func (t *Tuning) spec(by tuneBy) string {
	var space []string
	for _, d := range t.Space {
		space = append(space, d.Name+"=["+d.Values+"]")
	}
	return fmt.Sprintf("+tune/1{%s,by=%s,metric=%s,folds=%d,candidates=%d:%s}", strings.Join(space, ","),
		by.Search, by.Metric, by.Folds, len(t.Values), digest(strings.Join(t.Values, "\n"), 6))
}

// tuneMetric returns the metric with a name, which compares candidates. It reports an unknown
// metric, a measured time, and probabilities that the entry does not give.
func tuneMetric(by config.Place, e *Entry, name string) *metrics.Metric {
	at := by.Key("metric")
	m, err := metrics.Lookup(name)
	switch {
	case err != nil:
		at.Fail("%s", err)
	case m.Measured():
		at.Fail("%s is not reproducible: tune by a metric of the predictions", name)
	case m.Needs == metrics.Probabilities && e.LacksProbabilities():
		at.Fail("%s needs class probabilities, which %s does not give: add probabilities: platt, or tune by error",
			name, e.Name)
	}
	return m
}

// notTuned lists keys of an entry that are not parameters of its classifier.
var notTuned = []string{"classifier", "id", "label", "only", "tune", "by", "version"}

// dimensions reads the parameters to tune and reports mistakes.
func (r *reader) dimensions(tune config.Place, e *Entry) []dimension {
	if !tune.IsMapping() || tune.IsEmpty() {
		tune.Fail("want a mapping from parameters to values, such as {k: [1, 5, 15]}, got %s", tune.Describe())
		return nil
	}
	var space []dimension
	for key, value := range tune.Entries() {
		d := dimension{key: key, given: value}
		switch {
		case slices.Contains(notTuned, key.Text()):
			key.Fail("cannot be tuned: name a parameter of the classifier")
		case value.IsList() && !value.IsEmpty():
			d.values = value.Items()
		case value.IsMapping():
			d.readRange(e)
		default:
			value.Fail("want a list of values or {log: [low, high], steps: 5}, got %s", value.Describe())
		}
		d.checkPlain()
		space = append(space, d)
	}
	return space
}

// checkPlain reports values that records cannot store.
func (d *dimension) checkPlain() {
	for i, v := range d.values {
		if !v.IsPlain() || v.IsNull() || strings.ContainsAny(v.Text(), " |=\n\r") {
			d.given.Item(i).Fail("want a number, a truth value or a word, got %s", v.Describe())
		}
	}
}

// readRange sets the values of a range, such as {log: [0.01, 100], steps: 5}. Rounding to whole numbers
// may repeat a value, which is then used once.
func (d *dimension) readRange(e *Entry) {
	span := &valueRange{Steps: 5, Whole: isWhole(e, d.key.Text())}
	if !d.given.Decode("key of a range", span) {
		return
	}
	ends, at := span.Linear, d.given.Key("linear")
	if span.Log != nil {
		ends, at = span.Log, d.given.Key("log")
	}
	if len(ends) != 2 || ends[0] >= ends[1] {
		at.Fail("want two numbers, the smaller first")
		return
	}
	if span.Log != nil && ends[0] <= 0 {
		at.Fail("want numbers above 0")
		return
	}
	last := ""
	for i := range span.Steps {
		v := span.at(ends, float64(i)/float64(span.Steps-1))
		if v != last {
			d.values = append(d.values, d.given.Number(v))
		}
		last = v
	}
}

// isWhole reports whether a built-in classifier's parameter is a whole number.
func isWhole(e *Entry, name string) bool {
	if e.Classifier == nil {
		return false
	}
	field, ok := recipe.ParamFields(reflect.TypeOf(e.Classifier).Elem())[name]
	return ok && field.Type.Kind() == reflect.Int
}

// at formats the number at a share, from 0 to 1, of the way from the lower to the upper end.
func (s *valueRange) at(ends []float64, share float64) string {
	v := ends[0] + share*(ends[1]-ends[0])
	if s.Log != nil {
		v = ends[0] * math.Pow(ends[1]/ends[0], share)
	}
	if s.Whole {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	const digits = 12 // hide rounding errors in steps such as powers of ten
	return strconv.FormatFloat(v, 'g', digits, 64)
}

// words returns the values of a dimension, such as "1, 5, 15".
func (d *dimension) words() string {
	var words []string
	for _, v := range d.values {
		words = append(words, v.Text())
	}
	return strings.Join(words, ", ")
}

// points returns the numbers of the candidates in the grid of all combinations, whose last
// parameter varies fastest; nil after reporting mistakes.
func (r *reader) points(at config.Place, id string, space []dimension, by tuneBy) []int {
	size := 1
	for _, d := range space {
		size = min(size*len(d.values), math.MaxInt32)
	}
	budget := at.Key("by").Key("budget")
	switch {
	case by.Search == randomSearch && by.Budget == 0:
		budget.Fail("missing; give the number of candidates to draw, such as 30")
	case by.Search == gridSearch && by.Budget > 0 && size > by.Budget:
		budget.Fail("the grid has %d candidates: raise the budget of %d, or use search: random or halving", size, by.Budget)
	case by.Budget == 0 && size > maxCandidates:
		at.Key("tune").Fail("%d candidates, at most %d: use search: random with a budget", size, maxCandidates)
	case by.Budget == 0 || size <= by.Budget:
		return drawnPoints(size, size, nil)
	default:
		return drawnPoints(by.Budget, size, stream.New(r.Seed, "", 0, stream.Tuning(id)))
	}
	return nil
}

// drawnPoints draws n distinct numbers below size; if rng is nil, it returns 0, ..., n-1.
func drawnPoints(n, size int, rng *rand.Rand) []int {
	var points []int
	seen := map[int]bool{}
	for len(points) < n {
		point := len(points)
		if rng != nil {
			point = rng.Intn(size)
		}
		if !seen[point] {
			seen[point] = true
			points = append(points, point)
		}
	}
	return points
}

// valuesAt returns the value of each parameter at a point of the grid. With sizes s1, ..., sm
// of the dimensions and digits d1, ..., dm, the point is (...(d1*s2+d2)*s3+...)*sm+dm.
func valuesAt(space []dimension, point int) []config.Place {
	values := make([]config.Place, len(space))
	for i, d := range slices.Backward(space) {
		values[i] = d.values[point%len(d.values)]
		point /= len(d.values)
	}
	return values
}

// assignments returns parameters with their values, such as "c=10 gamma=0.1".
func assignments(space []dimension, values []config.Place) string {
	var list []string
	for i, d := range space {
		list = append(list, d.key.Text()+"="+values[i].Text())
	}
	return strings.Join(list, " ")
}

// tuneCandidate decodes an entry with the given values of its tuned parameters. It returns
// false after reporting mistakes.
func (r *reader) tuneCandidate(
	at config.Place, e *Entry, space []dimension, values []config.Place,
) (candidate Entry, ok bool) {
	params := at
	if e.Program != nil {
		params = at.Key("params")
	}
	for i, d := range space {
		params = params.With(d.key.Text(), values[i], d.key)
	}
	changed := params
	if e.Program != nil {
		changed = at.With("params", params, params)
	}
	candidate, _, ok = r.entry(changed.Without("tune", "by"), e.ID)
	if ok && e.Program != nil { // all candidates share the process of the entry
		program := *e.Program
		program.Tried = candidate.Program.Params
		candidate.Program = &program
	}
	return candidate, ok
}
