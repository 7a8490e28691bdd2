package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/stream"
	"copse/generators"
	"copse/stats"
	"copse/stats/dataset"
)

// Data describes the source of the training and test rows of a cell. A generator draws a training
// set and a test set, or one sample for cross-validation. Rows of data files are split.
//
// With k folds, replicate r tests one fold of one cross-validation. Both are counted from 0:
//
//	fold              (r-1) mod k
//	cross-validation  (r-1) div k
//
// Each cross-validation shuffles the rows again or draws a new sample. With a holdout set, each
// replicate draws a new one.
type Data struct {
	// name of a generator, or a mapping with its name and parameters (see `copse list generators`)
	GeneratorKey config.Place `param:"generator" node:"generator" choice:"source"`
	// size of the training set of a generator. With `csv` or `set`, the only key is `n`, the number
	// of rows to draw from the training rows
	Train Size `param:"train"`
	// with a generator, the size of the test set. With `csv` or `set`, the official test set: `{csv: FILE}` or
	// `{set: NAME}`
	Test Test `param:"test"`
	// with a generator and `folds`: size of the sample that is divided into folds
	Sample Size `param:"sample" with:"generator folds"`
	data.Files
	Split
	// share of the values to remove from the data, under one of the keys `per_row`, `mcar` and
	// `mar`. A number without a key sets `per_row` for the training rows
	Missing Missing `param:"missing" short:"per_row"`
	// with a generator: number of irrelevant attributes to append. Their names are irrelevant1,
	// irrelevant2 and so on. They are independent and standard normal, and do not change the draws
	// of the generator
	Irrelevant int `param:"irrelevant" with:"generator" range:"[0,1e5]"`
	// probability that a training label is replaced with another class
	Flip float64 `param:"flip" range:"[0,1)" share:"true"`

	Generator generators.Generator
	spec      generators.Spec   // of the Generator, or zero
	Program   *external.Program // a generator that is an external program, or nil
	Density   bool              // whether Program computes log densities

	// canonical text of the generator with its parameters; "" for data from files
	GeneratorSpec string

	TrainCounts, TestCounts, SampleCounts []int // number of rows of each class that a generator draws

	File   *data.File // the rows read from files; nil for a generator or missing files
	Absent bool       // the files are missing; this is legal if only stored results are read

	sums map[string]string // SHA-256 of the files; if Absent, as they were when the results were computed

	sameUnits   map[string][]string // SHA-256 of all files with the units of a file, by path or name
	storedFolds string              // if Absent, what GivenFolds returned when the results were computed
	unitsRemark string              // remark on sameUnits

	sharedTests string // remark on replicates with the same test set
}

// Split defines the keys that select the test rows.
type Split struct {
	// number of stratified folds of a cross-validation. Each replicate tests on the next fold: replicate 1 on
	// fold 1, replicate 2 on fold 2, and so on. Fold 1 follows the last fold, so `replicates` must be a
	// multiple of `folds`
	FoldsKey foldsKey `param:"folds" short:"count"`
	// number of cross-validations; the number of replicates is `folds` x `repeats`. With `csv` or `set`,
	// the default is 1 if the study does not give `replicates`. copse refuses repeats with equal folds,
	// which occur if each row is a fold, or if there are few `groups`
	Repeats int `param:"repeats" with:"folds" range:"[1,1e7]"`
	// with `csv` or `set`: share of the rows that each replicate draws for its test set
	Holdout float64 `param:"holdout" with:"csv|set" range:"(0,1)" share:"true"`
	// with `csv` or `set`: the column whose values are `train` and `test`
	Column string `param:"split" with:"csv|set"`
	// with `csv` or `set`: the column that assigns each row to a group. Folds and holdout sets
	// contain whole groups. Folds are stratified as well as the groups permit, holdout sets are not.
	// If there are few groups, `copse check` states how many of the test sets are distinct.
	// Cross-validation inside a training set, such as tuning, also keeps groups together. External
	// programs do not receive the groups. With `folds: {column: NAME}`, `split` or `test`, copse
	// refuses groups that these divide
	Groups string `param:"groups" with:"csv|set"`
	// with `csv` or `set`: draws folds, holdout sets and subsamples without stratifying them by class
	Random bool `param:"random" with:"csv|set"`
	// with `csv` or `set`: number of rows that each task draws from the file before it is split
	Subsample int `param:"subsample" with:"csv|set" range:"[2,inf)"`
	// with `csv` or `set`: whether each classifier predicts the test rows (`test`) or its own
	// training rows (`training`). Errors on training rows measure the fit, not the accuracy on new
	// rows
	Scored string `param:"scored" with:"csv|set folds|holdout" enum:"test,training"`

	Folds int // number of folds; 0: no cross-validation
}

// TrainingRows is a value of the key "scored". Each classifier then predicts its own training rows.
const TrainingRows = "training"

func (s *Split) scoresTraining() bool { return s.Scored == TrainingRows }

type foldsKey struct {
	// number of folds that copse draws
	Count int `param:"count" choice:"folds" range:"[2,1e7]"`
	// with `csv` or `set`: the column with the fold of each row. Repeated cross-validation needs a
	// list with one column for each repeat
	Column []string `param:"column" choice:"folds" short:"list" least:"1"`
}

// Missing defines the keys that remove values from the data.
type Missing struct {
	// share of the values to remove from each row, rounded down
	PerRow float64 `param:"per_row" choice:"share" range:"[0,1)" share:"true"` // Eban et al. (2014)
	// probability that a value is missing, independent of the data
	MCAR float64 `param:"mcar" choice:"share" range:"[0,1)" share:"true"`
	// mean probability that a value is missing. The probability increases with the attribute named
	// by `on` (missing at random)
	MAR float64 `param:"mar" choice:"share" needs:"on" range:"[0,0.5]" share:"true"`
	// with `mar`: the attribute that determines the probability that a value is missing
	On string `param:"on" with:"mar"`
	// rows from which to remove values
	Where string `param:"where" enum:"train,test,both"`
}

func (m Missing) any() bool { return m.PerRow+m.MCAR+m.MAR > 0 }

// RemovedPerRow returns the number of values to remove from each row: PerRow times the number of
// attributes, rounded down.
func (m Missing) RemovedPerRow(attributes int) int {
	const tolerance = 1e-9 // 0.29*100 is 28.999999999999996
	return int(m.PerRow*float64(attributes) + tolerance)
}

// In reports whether copse removes values from the given part of the rows, "train" or "test".
func (m Missing) In(part string) bool { return m.any() && (m.Where == part || m.Where == "both") }

func (m Missing) parts() string {
	return map[string]string{"train": "training", "test": "test", "both": "training and test"}[m.Where]
}

// Test holds the size of a generated test set, or the files of an official test set.
type Test struct {
	Size
	// if `data.csv` gives the training rows: the file or files of the official test set
	CSV []string `param:"csv" short:"list" least:"1"`
	// if `data.set` gives the training rows: the data set or sets that contain the official test rows
	Set []string `param:"set" short:"list" least:"1"`
}

// Size defines the keys for the number of rows. The user gives either Counts, or N with an optional
// Majority.
type Size struct {
	// number of rows
	N int `param:"n" range:"[1,inf)"`
	// share of class 0; by default, all classes have equal shares
	Majority float64 `param:"majority" range:"(0,1)" share:"true"`
	// number of rows of each class; replaces `n` and `majority`
	Counts []int `param:"counts" range:"[0,inf)"`
}

func (z Size) givesRows() bool { return z.N != 0 || z.Majority != 0 || z.Counts != nil }

// maxRows is the largest allowed sum of the numbers under the key "counts". The function checkSize
// limits the memory of a trial.
const maxRows = 1e12

// perClass returns the number of rows of each class. These are Counts, if set. Otherwise, the
// classes share N rows: class 0 gets Majority*N rows, rounded, and the others equal shares of the
// rest. Without Majority, all classes get equal shares.
func (z Size) perClass(classes int) ([]int, error) {
	if z.Counts != nil {
		if err := z.checkCounts(classes); err != nil {
			return nil, err
		}
		return z.Counts, nil
	}
	if z.N == 0 {
		return nil, fmt.Errorf("missing; give `n` (the number of rows) or `counts` (the number of rows of each class)")
	}
	counts := make([]int, classes)
	if z.Majority == 0 {
		divideEvenly(z.N, counts)
	} else {
		counts[0] = int(math.Round(z.Majority * float64(z.N)))
		divideEvenly(z.N-counts[0], counts[1:])
	}
	if empty := slices.Index(counts, 0); empty >= 0 {
		return nil, fmt.Errorf("`n: %d` leaves class %d of %d empty; use `counts` if that is intended",
			z.N, empty, classes)
	}
	return counts, nil
}

// checkCounts returns an error unless Counts has a number for each class, and no other key gives
// these numbers.
func (z Size) checkCounts(classes int) error {
	if z.N != 0 || z.Majority != 0 {
		return fmt.Errorf("give either `counts`, or `n` with or without `majority`")
	}
	if len(z.Counts) != classes {
		return fmt.Errorf("want %d numbers in `counts`, one for each class, got %d", classes, len(z.Counts))
	}
	rows := 0.0 // a sum of integers could overflow
	for _, count := range z.Counts {
		rows += float64(count)
	}
	if rows == 0 || rows > maxRows {
		return fmt.Errorf("`counts` adds up to %.0f rows; want between 1 and %.0f", rows, maxRows)
	}
	return nil
}

// divideEvenly sets counts to numbers that add up to n and differ by at most 1.
func divideEvenly(n int, counts []int) {
	for c := range counts {
		counts[c] = n / len(counts)
		if c < n%len(counts) {
			counts[c]++
		}
	}
}

func newData() *Data {
	return &Data{Missing: Missing{Where: "train"}, Split: Split{Scored: "test"}}
}

// NewCell returns a cell for use outside a study. Each element of params has the form key=value.
// The arguments train and test give the number of rows of each class. Errors name the flags
// --generator, --train and --test, or keys as in a study file, such as data.generator.
func NewCell(generator string, params []string, train, test []int) (*Cell, error) {
	const flag, nameKey = "generator", "name" // --generator gives the value of the key "name"
	item, err := itemOfFlags(flag, nameKey, generator, params)
	if err != nil {
		return nil, err
	}
	d := newData()
	d.Train.Counts, d.Test.Counts = train, test
	d.GeneratorKey = item.WithPath("data.generator")                            // the path for error messages
	classes := builtinGenerator(d.GeneratorKey, d.GeneratorKey.Key(nameKey), d) // also sets d.Generator
	if err := d.GeneratorKey.Err(); err != nil {
		return nil, err
	}
	if err := cmp.Or(checkLength("--train", train, classes), checkLength("--test", test, classes)); err != nil {
		return nil, err
	}
	section := item.WithPath("data")
	d.countRows(section, classes)
	d.checkSize(section)
	if err := section.Err(); err != nil {
		return nil, err
	}
	cell := &Cell{Data: d}
	cell.setKeys()
	return cell, nil
}

func checkLength(flag string, counts []int, classes int) error {
	if len(counts) == classes {
		return nil
	}
	return &config.Error{Origin: flag, Msg: fmt.Sprintf("want %d numbers of rows, one for each class, got %d",
		classes, len(counts))}
}

// dataSection returns the data section for a combination of factor levels. The section may be a
// reference to a factor, such as $family, whose level may be a reference, too. The result factors
// contains the names of these factors.
func (r *reader) dataSection(c combination) (section config.Place, factors []string) {
	section = r.Data
	for section.IsReference() && len(factors) < maxReferences { // references can form a cycle
		factors = append(factors, factorOf(section))
		value, ok := r.dereference(section, c)
		if !ok {
			break
		}
		section = value.WithPath("data")
	}
	return section, factors
}

func (r *reader) data(at config.Place) *Data {
	d := newData()
	if !at.Decode("key", d) {
		return nil
	}
	d.Folds = d.FoldsKey.Count
	if d.FromFiles() {
		r.file(at, d)
	} else {
		r.generator(at, d)
	}
	if at.Failed() {
		return nil
	}
	return d
}

// generator decodes the generator of the data section and sets the numbers of rows in d.
func (r *reader) generator(section config.Place, d *Data) {
	if d.FoldsKey.Column != nil {
		section.Key("folds").Fail("a generated sample has no fold column: give the number of folds")
		return
	}
	key := d.GeneratorKey
	name, ok := nameAt(key, "name", "give the name of the generator")
	if !ok {
		return
	}
	var classes int
	if text := name.Text(); text == externalName || text == externalCSVName {
		classes = r.externalGenerator(key, text, d)
	} else {
		classes = builtinGenerator(key, name, d)
	}
	if section.Failed() {
		return
	}
	d.countRows(section, classes)
	d.checkSize(section)
	if !section.Failed() {
		d.checkMissing(section)
	}
}

type named struct {
	Name string `param:"name"`
}

// builtinGenerator decodes a built-in generator into d. It returns the number of classes, or 0
// after an error. key is the name of the generator, or a mapping with its name and parameters.
func builtinGenerator(key, name config.Place, d *Data) int {
	spec, ok := generators.Registry.Lookup(name.Text())
	if !ok {
		known := append(generators.Registry.Names(), externalName, externalCSVName)
		failName(name.WithPath("data.generator"), "generator", known, "generator")
		return 0
	}
	d.Generator = spec.New()
	if key.IsMapping() && !key.Decode("parameter of "+spec.Name, d.Generator, &named{}) {
		return 0
	}
	d.spec = spec
	d.GeneratorSpec = spec.Recipe(d.Generator)
	return spec.Classes(d.Generator)
}

// countRows sets the number of rows of each class that a generator draws: in one sample if there
// are folds, and otherwise in the training and test sets.
func (d *Data) countRows(at config.Place, classes int) {
	testIsInFiles := d.Test.CSV != nil || d.Test.Set != nil
	if testIsInFiles {
		at.Key("test").Fail("an official test set needs `data.csv` or `data.set`; for a generator, give the size of " +
			"the test set under `n` or `counts`")
	}
	if d.Folds > 0 {
		d.SampleCounts = countsAt(at.Key("sample"), d.Sample, classes)
		refuseWithFolds(at.Key("train"))
		refuseWithFolds(at.Key("test"))
		if rows := stats.Sum(d.SampleCounts); d.SampleCounts != nil && rows < d.Folds {
			failTooManyFolds(at, rows, d.Folds)
		}
		return
	}
	d.TrainCounts = countsAt(at.Key("train"), d.Train, classes)
	d.TestCounts = countsAt(at.Key("test"), d.Test.Size, classes)
}

// countsAt returns the number of rows of each class, or nil after an error, which it reports.
func countsAt(at config.Place, size Size, classes int) []int {
	counts, err := size.perClass(classes)
	if err != nil {
		at.Fail("%s", err)
	}
	return counts
}

func refuseWithFolds(at config.Place) {
	if at.Exists() {
		at.Fail("cannot be combined with `folds`, which divides a single sample; give the size of this sample " +
			"under `sample`")
	}
}

// checkMissing reports a share "per_row" that is too small to remove a value, and an unknown
// attribute under "on".
func (d *Data) checkMissing(at config.Place) {
	m := d.Missing
	if m.PerRow == 0 && m.On == "" {
		return
	}
	attributes := d.attributes()
	if attributes == nil {
		return // the attributes are unknown before the run
	}
	if m.PerRow > 0 && m.RemovedPerRow(len(attributes)) == 0 {
		at.Key("missing").Fail("a share of %v of %d values is less than one value; give a larger share, or "+
			"`mcar`, the probability that a value is missing", m.PerRow, len(attributes))
	}
	var names []string
	for _, a := range attributes {
		names = append(names, a.Name)
	}
	if m.On != "" {
		at.Key("missing").Key("on").CheckAmong(d.sourceName()+" has no attribute", m.On, names)
	}
}

// attributes returns the attributes of the data. It returns nil for external programs, and if the
// generator fails.
func (d *Data) attributes() []dataset.Attribute {
	if d.File != nil {
		return d.File.Rows.Attributes
	}
	if d.Generator == nil {
		return nil
	}
	rng := stream.New(0, "", 0, stream.Structure) // the draws do not change the attributes
	problem, err := d.Generator.New(rng)
	if err != nil {
		return nil
	}
	onePerClass := slices.Repeat([]int{1}, d.Classes())
	sample, _ := problem.Sample(onePerClass, rng).WithIrrelevant(d.Irrelevant, rng)
	return sample.Attributes
}

// attributesFor returns the attributes of the data. Those that the preparation p declares discrete
// are discrete in the result. The result is nil if the attributes are unknown, or if a generator
// draws only numeric attributes and p declares none discrete.
func (d *Data) attributesFor(p classifiers.Preparation) []dataset.Attribute {
	if d.File == nil && p.Discrete == nil && !d.spec.Discrete { // drawing the attributes of many cells takes time
		return nil
	}
	list := slices.Clone(d.attributes())
	for j := range list {
		if slices.Contains(p.Discrete, list[j].Name) {
			list[j].Kind = dataset.Discrete
		}
	}
	return list
}

func (d *Data) hasDensity() bool {
	if d.Generator == nil {
		return d.Density
	}
	return d.spec.NoDensity == nil || !d.spec.NoDensity(d.Generator)
}

// mostBytes is the largest amount of memory that the training and test rows of one trial, or one
// fit, may need.
const mostBytes = 64e9

func (d *Data) checkSize(at config.Place) {
	const bytesPerValue = 8
	train, test := d.Rows()
	rows, columns := float64(train)+float64(test), float64(d.Columns())
	if bytes := bytesPerValue * rows * columns; bytes > mostBytes {
		at.Fail("a trial of %.0f rows and %.0f attributes needs %.0f GB of memory, but at most %.0f GB are allowed: "+
			"reduce the number of rows or attributes", rows, columns, bytes/1e9, mostBytes/1e9)
	}
}

// checkMemory reports a classifier whose fit may need too much memory in some cell.
func (r *reader) checkMemory() {
	for _, c := range r.cells {
		for _, e := range c.Classifiers {
			bytes := c.EstimatedMemory(e)
			if bytes <= mostBytes {
				continue
			}
			train, _ := c.Data.Rows()
			r.itemOf(e).Fail("a fit to %d rows and %d attributes may need %.0f GB of memory, but at most %.0f GB are "+
				"allowed: change the parameters, or reduce the number of rows or attributes",
				train, c.Data.Columns(), float64(bytes)/1e9, mostBytes/1e9)
			return // the classifier probably needs as much in other cells
		}
	}
}

// EstimatedMemory estimates the memory of a fit of a built-in classifier in bytes. It returns 0 for
// an external program or if the number of columns is unknown.
func (c *Cell) EstimatedMemory(e Entry) int64 {
	d := c.Data.Columns()
	if e.Classifier == nil || d == 0 {
		return 0
	}
	if e.codesIndicators() {
		d = c.Data.codedColumns()
	}
	train, test := c.Data.Rows()
	return classifiers.Memory(e.Classifier, classifiers.Load{Train: train, Test: test, D: d, Classes: c.Data.Classes()})
}

// Columns returns the number of attributes, or 0 if a program draws the data or a file is missing.
func (d *Data) Columns() int {
	switch {
	case d.File != nil:
		return d.File.Rows.D()
	case d.Generator != nil:
		return d.spec.Columns(d.Generator) + d.Irrelevant
	}
	return 0
}

// codedColumns returns the number of columns after one-hot coding of discrete attributes with more
// than two levels, or 0 if the attributes are unknown.
func (d *Data) codedColumns() int {
	n := d.Columns()
	if d.File == nil { // generators draw no such attributes
		return n
	}
	for _, a := range d.File.Rows.Attributes {
		if len(a.Levels) > 2 {
			n += len(a.Levels) - 1
		}
	}
	return n
}

func (d *Data) sourceName() string {
	if d.FromFiles() {
		return d.Source()
	}
	return d.GeneratorName()
}

// missingClause returns a clause about missing values for an error, such as "and the key `missing`
// removes values from the test rows". It returns "" for complete data.
func (d *Data) missingClause() string {
	if d.Missing.any() {
		return fmt.Sprintf("and the key `missing` removes values from the %s rows", d.Missing.parts())
	}
	if d.File != nil && d.File.Rows.HasMissing() {
		return fmt.Sprintf("and %s has missing values: %s (`drop_missing` removes such rows)",
			d.Source(), d.File.Gaps())
	}
	return ""
}

// Rows returns the numbers of training and test rows of one trial. They are approximate if folds or
// groups differ in size.
func (d *Data) Rows() (train, test int) {
	n := stats.Sum(d.SampleCounts)
	if d.File != nil {
		n = cmp.Or(d.Subsample, d.File.Rows.N())
	}
	switch {
	case d.Folds > 0:
		train, test = n-n/d.Folds, n/d.Folds
	case d.Holdout > 0:
		test = int(math.Round(d.Holdout * float64(n)))
		train = n - test
	case d.File != nil: // Test is 1 for test rows and 0 for all others
		test = stats.Sum(d.File.Test)
		train = n - test
	default: // a generator draws both sets
		return stats.Sum(d.TrainCounts), stats.Sum(d.TestCounts)
	}
	if d.Train.N > 0 { // data.train.n limits the training rows
		train = min(train, d.Train.N)
	}
	if d.scoresTraining() {
		test = train
	}
	return train, test
}

// GeneratorName returns the registered name of the generator, or "" if the data come from files.
func (d *Data) GeneratorName() string {
	name, _, _ := strings.Cut(d.GeneratorSpec, "/")
	return name
}

// ClassNames returns the names of the classes, or nil if the data file is missing.
func (d *Data) ClassNames() []string {
	if d.File != nil {
		return d.File.Rows.Classes
	}
	var names []string
	for c := range d.Classes() {
		names = append(names, strconv.Itoa(c))
	}
	return names
}

// Classes returns the number of classes, or 0 if the data file is missing.
func (d *Data) Classes() int {
	if d.File != nil {
		return d.File.Rows.C()
	}
	return max(len(d.TrainCounts), len(d.SampleCounts)) // a generator draws rows of each class
}
