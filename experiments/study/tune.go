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

// Tuning is the choice among candidates of an entry inside each training set.
type Tuning struct {
	tuning.Search
	Candidates []Entry
	Values     []string // parameters of each candidate, such as "c=10 gamma=0.1"
	Space      []Range
}

// A Range is a tuned parameter and its values in words.
type Range struct{ Name, Values string }

// tuningKeys are the keys of an entry that is tuned.
type tuningKeys struct {
	Tune config.Place `param:"tune" node:"mapping of lists or ranges" doc:"parameters chosen inside each training set among the listed values, {k: [1, 5, 15]}, or from a range, {c: {log: [0.01, 100], steps: 5}} or linear; for a program those of params"`
	By   tuneBy       `param:"by" needs:"tune" doc:"how tune chooses"`
}

// tuneBy is how candidates are made and compared.
type tuneBy struct {
	Metric string `param:"metric" doc:"mean over the folds, of copse list metrics"`
	Folds  int    `param:"folds" range:"[2,1000]" doc:"of the cross-validation of the training rows, stratified by class"`
	Search string `param:"search" enum:"grid,random,halving" doc:"grid: all combinations; random: budget of them, drawn once for the study from its seed; halving: all on few rows, then repeatedly the better half on twice the rows"`
	Budget int    `param:"budget" range:"[1,1000]" doc:"most candidates; random draws so many, and so does halving of a larger grid"`
}

// The ways to search.
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
	key, at config.Place
	values  []config.Place
}

// tune sets the Tuning of an entry and adds it to its Spec. at is the mapping of the entry;
// k has its keys. It returns false after reporting mistakes.
func (r *reader) tune(at config.Place, e *Entry, k *tuningKeys) bool {
	before, by := at.Mistakes(), k.By
	space := r.dimensions(k.Tune, e)
	metric := tuneMetric(at.Key("by"), e, by.Metric)
	if at.Mistakes() > before {
		return false
	}
	e.Tuning = &Tuning{Search: tuning.Search{Metric: metric, Folds: by.Folds, Halving: by.Search == halvingSearch}}
	for _, d := range space {
		e.Tuning.Space = append(e.Tuning.Space, Range{d.key.Text(), d.words()})
	}
	for _, point := range r.points(at, e.ID, space, by) {
		if c, text, ok := r.tuneCandidate(at, e, space, point); ok {
			e.Tuning.Candidates, e.Tuning.Values = append(e.Tuning.Candidates, c), append(e.Tuning.Values, text)
		}
	}
	e.Spec += e.Tuning.spec(by)
	return at.Mistakes() == before
}

// spec returns what tuning adds to the identity of a recipe.
func (t *Tuning) spec(by tuneBy) string {
	var space []string
	for _, d := range t.Space {
		space = append(space, d.Name+"=["+d.Values+"]")
	}
	return fmt.Sprintf("+tune/1{%s,by=%s,metric=%s,folds=%d,candidates=%d:%s}", strings.Join(space, ","),
		by.Search, by.Metric, by.Folds, len(t.Values), digest(strings.Join(t.Values, "\n"), 6))
}

// tuneMetric returns the metric that compares candidates, and reports unsuitable ones.
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

// dimensions reads the parameters to tune.
func (r *reader) dimensions(tune config.Place, e *Entry) []dimension {
	if !tune.IsMapping() || tune.IsEmpty() {
		tune.Fail("want a mapping from parameters to values, such as {k: [1, 5, 15]}, got %s", tune.Describe())
		return nil
	}
	var space []dimension
	for key, value := range tune.Entries() {
		d := dimension{key: key, at: value}
		switch {
		case slices.Contains([]string{"classifier", "id", "label", "only", "tune", "by", "version"}, key.Text()):
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
			d.at.Item(i).Fail("want a number, a truth value or a word, got %s", v.Describe())
		}
	}
}

// readRange sets the values of a range. It leaves out repeated values, which whole numbers
// may have.
func (d *dimension) readRange(e *Entry) {
	span := &valueRange{Steps: 5, Whole: isWhole(e, d.key.Text())}
	if !d.at.Decode("key of a range", span) {
		return
	}
	ends, key := span.Linear, "linear"
	if span.Log != nil {
		ends, key = span.Log, "log"
	}
	switch {
	case len(ends) != 2 || ends[0] >= ends[1]:
		d.at.Key(key).Fail("want two numbers, the smaller first")
		return
	case key == "log" && ends[0] <= 0:
		d.at.Key(key).Fail("want numbers above 0")
		return
	}
	for i := range span.Steps {
		v := span.at(ends, float64(i)/float64(span.Steps-1))
		if i == 0 || d.values[len(d.values)-1].Text() != v {
			d.values = append(d.values, d.at.Number(v))
		}
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

// words lists the values of a dimension.
func (d *dimension) words() string {
	var words []string
	for _, v := range d.values {
		words = append(words, v.Text())
	}
	return strings.Join(words, ", ")
}

// points returns the places of the candidates in the grid of all combinations, whose last
// parameter varies fastest; nil after reporting mistakes.
func (r *reader) points(at config.Place, id string, space []dimension, by tuneBy) []int {
	size := 1
	for _, d := range space {
		size = min(size*len(d.values), math.MaxInt32)
	}
	budget := at.Key("by").Key("budget")
	switch {
	case by.Search == randomSearch && by.Budget == 0:
		budget.Fail("missing; the number of candidates to draw, such as 30")
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

// drawnPoints draws n distinct places below size; without rng it returns the first n.
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

// tuneCandidate decodes an entry with its parameters set to the values at a place of the
// grid; text lists them.
func (r *reader) tuneCandidate(
	at config.Place, e *Entry, space []dimension, point int,
) (c Entry, text string, ok bool) {
	changed := at
	params := at.Key("params")
	var named []string
	for _, d := range slices.Backward(space) {
		name, value := d.key.Text(), d.values[point%len(d.values)]
		point /= len(d.values)
		if e.Program != nil {
			params = params.With(name, value)
			changed = changed.With("params", params)
		} else {
			changed = changed.With(name, value)
		}
		named = append([]string{name + "=" + value.Text()}, named...)
	}
	c, _, ok = r.entry(changed.Without("tune", "by"), e.ID)
	if ok && e.Program != nil { // all candidates share a process
		program := *e.Program
		program.Tried = c.Program.Params
		c.Program = &program
	}
	return c, strings.Join(named, " "), ok
}
