package study

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/classifiers/tuning"
	"copse/experiments/config"
	"copse/experiments/stream"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/recipe"
)

// Tuning describes how cross-validation within each training set chooses parameter values. A
// candidate is the classifier with fixed values of the tuned parameters.
type Tuning struct {
	tuning.Search
	Candidates   []Entry  // classifiers with different values of the tuned parameters
	Values       []string // Values[i]: the tuned parameters of Candidates[i], such as "c=10 gamma=0.1"
	Space        []Range  // tuned parameters with all their values
	Combinations int      // number of combinations of these values, from which the candidates may be drawn
}

// A Range is one tuned parameter with its values, such as "1, 5, 15".
type Range struct{ Name, Values string }

type tuningKeys struct {
	// parameters to tune within each training set. `{k: [1, 5, 15]}` lists values. `{c: {log:
	// [0.01, 100], steps: 5}}` gives five values that are evenly spaced on a log scale. `linear`
	// instead of `log` gives a linear scale. For a program, the parameters are keys of `params`
	Tune config.Place `param:"tune" node:"mapping of parameters to lists or ranges of values"`
	// how the values of the parameters listed under `tune` are chosen
	By tuneBy `param:"by" needs:"tune"`
}

type tuneBy struct {
	// metric whose mean over the folds is optimised (see `copse list metrics`)
	Metric string `param:"metric"`
	// number of folds of the cross-validation on the training rows, stratified by class
	Folds int `param:"folds" range:"[2,1000]"`
	// candidates to try. `grid`: all combinations. `random`: a random sample of `budget`
	// combinations, drawn once for the study. `halving`: starts with all candidates and few rows.
	// Each further step keeps the better half of the candidates and uses up to twice as many rows
	Search string `param:"search" enum:"grid,random,halving"`
	// largest number of candidates. `search: random` draws this many. `search: halving` does so if
	// there are more combinations
	Budget int `param:"budget" range:"[1,1000]"`
}

// Values of the key "search".
const (
	gridSearch    = "grid"
	randomSearch  = "random"
	halvingSearch = "halving"
)

func (b *tuneBy) SetDefaults() { *b = tuneBy{Metric: "error", Folds: 5, Search: gridSearch} }

const maxCandidates = 1000

// A valueRange describes numbers with even spacing on a linear or logarithmic scale. Steps is their
// number. Either Linear or Log is set, and contains the two ends of the range.
type valueRange struct {
	Log    []float64 `param:"log" choice:"range"`
	Linear []float64 `param:"linear" choice:"range"`
	Steps  int       `param:"steps" range:"[2,1000]"`
	Whole  bool      `param:"whole"` // round to whole numbers
}

type dimension struct {
	key    config.Place // the name of the parameter in the file
	given  config.Place // the list or range in the file
	values []config.Place
}

// tune sets e.Tuning from the keys "tune" and "by" of a classifier, and extends e.Spec. For an
// external program, it also sets two fields of e.Program: Tuned describes the tuning, and
// ParamsOfCandidate contains the parameters of the first candidate. It returns false after an error.
func (r *reader) tune(at config.Place, e *Entry, keys *tuningKeys) bool {
	errorsBefore := at.ErrorCount()
	space := r.dimensions(keys.Tune, e)
	checkNotFixed(tunedMapping(at, e), space) // a parameter that is both tuned and fixed
	checkDistinct(space, e.Program != nil)    // a repeated value
	metric := tuneMetric(at.Key("by"), e, keys.By.Metric)
	if at.ErrorCount() > errorsBefore { // some dimension may lack values
		return false
	}
	if e.Program != nil {
		e.Program.Tuned = keys.Tune.Plain() // first, because addCandidates copies e.Program
	}
	t := &Tuning{Combinations: 1,
		Search: tuning.Search{Metric: metric, Folds: keys.By.Folds, Halving: keys.By.Search == halvingSearch}}
	t.describe(space)
	r.addCandidates(t, at, e, space, keys.By)
	if at.ErrorCount() > errorsBefore {
		return false
	}
	e.Tuning = t
	e.Spec += t.spec(keys.By)
	if e.Program != nil {
		// When the program starts, it checks only the names of these parameters, which are the same
		// for all candidates.
		e.Program.ParamsOfCandidate = t.Candidates[0].Program.ParamsOfCandidate
	}
	return true
}

// describe adds the parameters to t.Space and their combinations to t.Combinations.
func (t *Tuning) describe(space []dimension) {
	for _, d := range space {
		t.Space = append(t.Space, Range{d.key.Text(), d.words()})
		t.Combinations *= len(d.values)
	}
}

// addCandidates adds all candidates to t.Candidates and t.Values, except those that cause an error.
func (r *reader) addCandidates(t *Tuning, at config.Place, e *Entry, space []dimension, by tuneBy) {
	for _, position := range r.gridPositions(at, e.ID, space, by) {
		values := valuesAt(space, position)
		if candidate := r.tuneCandidate(at, e, space, values); candidate != nil {
			t.Candidates = append(t.Candidates, *candidate)
			t.Values = append(t.Values, assignments(space, values))
		}
	}
}

// tunedMapping returns the mapping that contains the tuned parameters: for an external program, the
// value of the key "params", and otherwise the entry itself.
func tunedMapping(at config.Place, e *Entry) config.Place {
	if e.Program != nil {
		return at.Key("params")
	}
	return at
}

func checkNotFixed(params config.Place, space []dimension) {
	for _, d := range space {
		if fixed := params.Key(d.key.Text()); fixed.Exists() {
			fixed.Fail("has no effect, because `tune` lists the same parameter: remove it here or from `tune`")
		}
	}
}

// checkDistinct reports repeated values. For an external program, an integer and an equal real
// number, such as 1 and 1.0, are different values.
func checkDistinct(space []dimension, isProgram bool) {
	for _, d := range space {
		seen := map[any]bool{}
		for i, v := range d.values {
			if !v.IsPlain() {
				continue // checkPlain has reported it
			}
			value := v.Plain() // 0.1 and 0.10 are the same number
			if whole, ok := value.(int); ok && !isProgram {
				value = config.Float(whole)
			}
			if seen[value] {
				d.given.Item(i).Fail("value %q is given twice", v.Text())
			}
			seen[value] = true
		}
	}
}

// spec returns the text that identifies the tuning, such as
//
//	+tune/1{k=[1, 5],by=grid,metric=error,folds=5,candidates=2:0123456789ab}
//
// It ends in a digest of the parameters of all candidates.
func (t *Tuning) spec(by tuneBy) string {
	var space []string
	for _, d := range t.Space {
		name := d.Name
		isProgram := t.Candidates[0].Program != nil // all candidates are variants of one classifier
		// Results depend on the version of the threshold rule. A program's own parameter
		// "threshold" does not use this rule.
		if name == "threshold" && !isProgram {
			name += classifiers.ThresholdVersion
		}
		space = append(space, name+"=["+d.Values+"]")
	}
	// A new version of a search prevents the reuse of results of the old one.
	version := 1
	if t.Halving {
		version = 2 // version 1 of halving drew samples with too few rows of rare classes
	}
	return fmt.Sprintf("+tune/%d{%s,by=%s,metric=%s,folds=%d,candidates=%d:%s}", version, strings.Join(space, ","),
		by.Search, by.Metric, by.Folds, len(t.Values), digest(strings.Join(t.Values, "\n"), 6))
}

// tuneMetric returns the metric for comparing candidates. It reports a metric that is unknown, is a
// measured time, or needs class probabilities that the classifier lacks.
func tuneMetric(by config.Place, e *Entry, name string) *metrics.Metric {
	at := by.Key("metric")
	m, err := metrics.Lookup(name)
	switch {
	case err != nil:
		at.Fail("%s", err)
	case m.Measured():
		at.Fail("%s is a measured time, which changes from run to run: tune by a metric of the predictions", name)
	case m.Needs == metrics.Probabilities && e.LacksProbabilities():
		at.Fail("%s needs class probabilities, which %s does not return: add `probabilities: platt`, or tune by error",
			name, e.Name)
	}
	return m
}

// notTuned lists the keys of an entry that are not parameters of a classifier.
var notTuned = []string{"classifier", "id", "label", "only", "tune", "by", "version"}

// dimensions reads the parameters to tune and their values. tune is the value of the key "tune",
// which maps each parameter to a list or a range.
func (r *reader) dimensions(tune config.Place, e *Entry) []dimension {
	if !tune.IsMapping() || tune.IsEmpty() {
		tune.Fail("want a mapping from parameters to values, such as `{k: [1, 5, 15]}`, got %s", tune.Describe())
		return nil
	}
	var space []dimension
	settings := config.Names(config.KeysOf(new(tuneBy))) // the keys under "by"
	for key, value := range tune.Entries() {
		d := dimension{key: key, given: value}
		switch {
		case slices.Contains(notTuned, key.Text()):
			key.Fail("is not a parameter and cannot be tuned; name a parameter of the classifier")
		case value.IsList() && !value.IsEmpty():
			d.values = value.Items()
		case value.IsMapping():
			d.values = rangeValues(value, isWhole(e, key.Text()))
			if e.Program != nil {
				d.unifyNumbers() // unnecessary for a built-in classifier, which converts all numbers to the same type
			}
		case slices.Contains(settings, key.Text()):
			key.Fail("give this tuning setting under `by`, not under `tune`")
		default:
			value.Fail("want a list of values or `{log: [low, high], steps: 5}`, got %s", value.Describe())
		}
		d.checkPlain() // does nothing if an error left d without values
		space = append(space, d)
	}
	return space
}

// checkPlain reports values that are not a number, a Boolean or a single word, because records
// cannot store them.
func (d *dimension) checkPlain() {
	for i, v := range d.values {
		if !v.IsPlain() || v.IsNull() || strings.ContainsAny(v.Text(), " |=\n\r") {
			d.given.Item(i).Fail("want a number, `true`, `false` or a single word, got %s", v.Describe())
		}
	}
}

// rangeValues returns the distinct numbers of a range such as {log: [0.01, 100], steps: 5}, or nil
// after an error. If whole is true, they are rounded to integers by default.
func rangeValues(given config.Place, whole bool) (values []config.Place) {
	const defaultSteps = 5
	span := &valueRange{Steps: defaultSteps, Whole: whole}
	if !given.Decode("key of a range", span) {
		return nil
	}
	scale, ends := "linear", span.Linear
	if span.Log != nil {
		scale, ends = "log", span.Log
	}
	if len(ends) != 2 || ends[0] >= ends[1] {
		given.Key(scale).Fail("want two numbers, the smaller first")
		return nil
	}
	if span.Log != nil && ends[0] <= 0 {
		given.Key(scale).Fail("want numbers above 0")
		return nil
	}
	previous := ""
	for i := range span.Steps {
		share := float64(i) / float64(span.Steps-1) // from 0 to 1; Steps is at least 2
		if value := span.at(ends[0], ends[1], share); value != previous {
			values = append(values, given.Number(value))
			previous = value
		}
	}
	return values
}

// unifyNumbers writes all numbers of a range as floating-point numbers, such as 1.0, unless all are
// integers. A program then receives numbers of one type.
func (d *dimension) unifyNumbers() {
	isFraction := func(v config.Place) bool { return strings.ContainsAny(v.Text(), ".eE") }
	ends := slices.Concat(d.given.Key("linear").Items(), d.given.Key("log").Items())
	isRounded := d.given.Key("whole").Text() == "true"
	if isRounded || !slices.ContainsFunc(slices.Concat(ends, d.values), isFraction) { // "whole: true" keeps integers
		return
	}
	for i, v := range d.values {
		if !isFraction(v) {
			d.values[i] = d.given.Number(v.Text() + ".0")
		}
	}
}

func isWhole(e *Entry, name string) bool {
	if e.Classifier == nil {
		return false
	}
	field, ok := recipe.ParamFields(reflect.TypeOf(e.Classifier).Elem())[name]
	return ok && field.Type.Kind() == reflect.Int
}

// at returns the number at a position in the range, as text. Position 0 is low, and 1 is high.
func (s *valueRange) at(low, high, position float64) string {
	v := low + position*(high-low)
	if s.Log != nil {
		v = low * math.Pow(high/low, position)
	}
	if s.Whole {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	const digits = 12 // hides rounding errors in steps such as powers of ten
	return strconv.FormatFloat(v, 'g', digits, 64)
}

func (d *dimension) words() string {
	var words []string
	for _, v := range d.values {
		words = append(words, v.Text())
	}
	return strings.Join(words, ", ")
}

// gridPositions returns the positions of the candidates in the grid of all combinations of values.
// If the grid exceeds by.Budget > 0, it draws by.Budget positions. After an error, it returns nil.
func (r *reader) gridPositions(at config.Place, id string, space []dimension, by tuneBy) []int {
	size, fitsInt := gridSize(space)
	if !fitsInt {
		at.Key("tune").Fail("there are more than 2^63 combinations of values: give fewer steps")
		return nil
	}
	if !checkBudget(at, by, size) {
		return nil
	}
	if by.Budget > 0 && size > by.Budget {
		return drawnPositions(by.Budget, size, stream.New(r.Seed, "", 0, stream.Tuning(id)))
	}
	return stats.Indices(size)
}

// checkBudget reports an error if a search needs a budget, or if its budget does not match the size
// of the grid. It returns false after an error.
func checkBudget(at config.Place, by tuneBy, size int) bool {
	budget := at.Key("by").Key("budget")
	switch {
	case by.Search == randomSearch && by.Budget == 0:
		budget.Fail("missing; give the number of candidates to draw, such as 30")
	case by.Search == gridSearch && by.Budget > 0 && size > by.Budget:
		budget.Fail("the grid has %d candidates, more than the budget of %d: raise it, or use `search: random` or "+
			"`search: halving`", size, by.Budget)
	case by.Budget == 0 && size > maxCandidates:
		at.Key("tune").Fail("there are %d candidates, but at most %d are allowed: use `search: random` with a budget",
			size, maxCandidates)
	default:
		return true
	}
	return false
}

// gridSize returns the number of combinations of values. ok is false if the number overflows an int.
func gridSize(space []dimension) (size int, ok bool) {
	size = 1
	for _, d := range space {
		if size > math.MaxInt/len(d.values) {
			return 0, false
		}
		size *= len(d.values)
	}
	return size, true
}

// drawnPositions draws n distinct numbers below size.
func drawnPositions(n, size int, rng *rand.Rand) []int {
	var positions []int
	for len(positions) < n {
		position := rng.Intn(size)
		if !slices.Contains(positions, position) {
			positions = append(positions, position)
		}
	}
	return positions
}

// valuesAt returns the value of each parameter at a position in the grid, from 0. The last
// parameter varies fastest.
func valuesAt(space []dimension, position int) []config.Place {
	values := make([]config.Place, len(space))
	for i, d := range slices.Backward(space) {
		values[i] = d.values[position%len(d.values)]
		position /= len(d.values)
	}
	return values
}

func assignments(space []dimension, values []config.Place) string {
	var list []string
	for i, d := range space {
		list = append(list, d.key.Text()+"="+values[i].Text())
	}
	return strings.Join(list, " ")
}

// tuneCandidate decodes a copy of a classifier with the given values of the tuned parameters. It
// returns nil if these values cause an error.
func (r *reader) tuneCandidate(at config.Place, e *Entry, space []dimension, values []config.Place) *Entry {
	params := tunedMapping(at, e)
	for i, d := range space {
		params = params.With(d.key.Text(), values[i], d.key) // errors give the line of d.key
	}
	item := params // in a built-in classifier, the parameters are keys of the item itself
	if e.Program != nil {
		item = at.With("params", params, params) // errors give the line of params
	}
	item = item.Without("tune", "by")
	candidate := r.decodeEntry(item, e.ID)
	if candidate != nil && e.Program != nil {
		// All candidates share the process of e, which receives their parameters separately.
		program := *e.Program
		program.ParamsOfCandidate = candidate.Program.Params
		candidate.Program = &program
	}
	return candidate
}
