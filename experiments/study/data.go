package study

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/stream"
	"copse/generators"
	"copse/stats/dataset"
)

// Data is the source of a cell's training and test sets: a generator that draws both, a
// generator that draws one sample for cross-validation, or a file or registered data set
// with a split. With k folds, replicate r holds out fold (r-1) mod k of task or repeat
// (r-1) div k. A holdout is drawn anew in every replicate.
type Data struct {
	GeneratorKey config.Place `param:"generator" node:"generator" choice:"source" doc:"a generator by name, or a mapping of name and parameters (copse list generators)"`
	Train        Size         `param:"train" doc:"rows of the training set; beside csv or set: n alone, rows drawn from the training part"`
	Test         Test         `param:"test" node:"mapping of n, majority, counts; or of csv, set" doc:"rows of the test set; beside csv or set: where the official test set is, {csv: FILE} or {set: NAME}"`
	Sample       Size         `param:"sample" with:"generator folds" doc:"with folds: rows of one task"`
	data.Files
	Split
	Missing    Missing `param:"missing" short:"per_row" doc:"which values are removed, by one of per_row, mcar and mar; a plain number is per_row of the training rows"`
	Irrelevant int     `param:"irrelevant" with:"generator" range:"[0,1e5]" doc:"of a generator: attributes to append that say nothing of the class, irrelevant1 and so on, independent and standard normal in every class; the generator's own draws stay the same"`
	Flip       float64 `param:"flip" range:"[0,1)" share:"true" doc:"probability that a training label is another class"`

	Generator generators.Generator
	Program   *external.Program // a generator that is a command; then Generator is nil
	Density   bool              // Program computes log densities
	generator string            // canonical recipe

	TrainCounts, TestCounts, SampleCounts []int      // rows per class
	File                                  *data.File // the rows read from the files; nil: a generator, or absent files
	Absent                                bool       // the files are missing, and only stored results are needed
}

// Split chooses the rows of a file or sample that are for testing.
type Split struct {
	Folds     int     `param:"folds" range:"[2,inf)" doc:"cross-validation with this many stratified folds; replicate r holds out fold (r-1) mod folds, and replicates are a multiple of folds"`
	Repeats   int     `param:"repeats" with:"folds" range:"[1,inf)" doc:"of the folds: there are folds x repeats replicates"`
	Holdout   float64 `param:"holdout" with:"csv|set" range:"(0,1)" share:"true" doc:"csv: share of the rows that each replicate draws for testing"`
	Column    string  `param:"split" with:"csv|set" doc:"csv: the column that says train or test"`
	Groups    string  `param:"groups" with:"csv|set folds|holdout" doc:"csv: the column whose values are never on both sides; folds and holdouts are then made of whole groups, not stratified"`
	Random    bool    `param:"random" with:"csv|set" doc:"csv: folds, holdouts and subsamples are not stratified by class"`
	Subsample int     `param:"subsample" with:"csv|set" range:"[2,inf)" doc:"csv: rows that each task draws from the file before it is split"`
	Scored    string  `param:"scored" with:"csv|set folds|holdout" enum:"test,training" doc:"csv: the rows that are predicted and scored; errors on training rows describe the fit, not its accuracy"`
}

// TrainingRows is the value of Scored that scores each rule on its own training rows.
const TrainingRows = "training"

// scoresTraining reports whether rules are scored on the rows that they were fitted to.
func (s *Split) scoresTraining() bool { return s.Scored == TrainingRows }

// Missing chooses the values that are removed.
type Missing struct {
	PerRow float64 `param:"per_row" choice:"share" range:"[0,1)" share:"true" doc:"share of its values that each row loses, rounded down"` // Eban et al. (2014)
	MCAR   float64 `param:"mcar" choice:"share" range:"[0,1)" share:"true" doc:"probability that a value is missing, whatever the data"`
	MAR    float64 `param:"mar" choice:"share" needs:"on" range:"[0,0.5]" share:"true" doc:"mean probability that a value is missing; it grows with the attribute on"`
	On     string  `param:"on" with:"mar" doc:"with mar: the attribute that the missing values depend on"`
	Where  string  `param:"where" enum:"train,test,both" doc:"the rows that lose values"`
}

// any reports whether values are removed.
func (m Missing) any() bool { return m.PerRow+m.MCAR+m.MAR > 0 }

// In reports whether values of the training or of the test rows are removed.
func (m Missing) In(part string) bool { return m.any() && (m.Where == part || m.Where == "both") }

// parts names the rows that lose values.
func (m Missing) parts() string {
	return map[string]string{"train": "training", "test": "test", "both": "training and test"}[m.Where]
}

// Test is the number of rows of a drawn test set, or where an official one is.
type Test struct {
	Size
	CSV []string `param:"csv" short:"list" least:"1" doc:"beside csv: the file or files of the official test set"`
	Set []string `param:"set" short:"list" least:"1" doc:"beside set: the data set or sets of the official test rows"`
}

// Size is the number of rows of a set: n rows with the share majority in class 0, or the
// count of each class.
type Size struct {
	N        int     `param:"n" range:"[1,inf)" doc:"number of rows"`
	Majority float64 `param:"majority" range:"(0,1)" share:"true" doc:"share of class 0; absent: equal shares"`
	Counts   []int   `param:"counts" range:"[0,inf)" doc:"rows of each class, instead of n and majority"`
}

func (z Size) given() bool { return z.N != 0 || z.Majority != 0 || z.Counts != nil }

// perClass returns the number of rows of each class. It rounds the majority's share and
// divides the rest evenly; lower classes get the remainder.
func (z Size) perClass(classes int) ([]int, error) {
	if z.Counts != nil {
		if z.N != 0 || z.Majority != 0 {
			return nil, fmt.Errorf("give counts, or n and majority, not both")
		}
		if len(z.Counts) != classes {
			return nil, fmt.Errorf("%d counts for %d classes", len(z.Counts), classes)
		}
		return z.Counts, nil
	}
	if z.N == 0 {
		return nil, fmt.Errorf("missing; give n, the number of rows, or counts, the rows of each class")
	}
	counts := make([]int, classes)
	minor := counts // the classes that share the rest evenly
	rest := z.N
	if z.Majority != 0 {
		counts[0] = int(math.Round(z.Majority * float64(z.N)))
		rest -= counts[0]
		minor = counts[1:]
	}
	for c := range minor {
		minor[c] = rest / len(minor)
		if c < rest%len(minor) {
			minor[c]++
		}
	}
	if empty := slices.Index(counts, 0); empty >= 0 {
		return nil, fmt.Errorf(
			"%d rows leave class %d of %d empty; give counts if that is intended",
			z.N,
			empty,
			classes,
		)
	}
	return counts, nil
}

// newData returns the defaults of a data section.
func newData() *Data {
	return &Data{Missing: Missing{Where: "train"}, Split: Split{Scored: "test"}}
}

// NewCell returns a cell of one generator with parameters given as k=v texts,
// for drawing outside a study.
func NewCell(generator string, params []string, train, test []int) (*Cell, error) {
	at, err := config.Pairs("--generator "+generator, "--param", params)
	if err != nil {
		return nil, err
	}
	at.SetText("name", generator, "")
	d := newData()
	d.GeneratorKey, d.Train.Counts, d.Test.Counts = at.Under("data.generator"), train, test
	r := reader{root: at}
	r.generator(at.Under("data"), d)
	if err := at.Err(); err != nil {
		return nil, err
	}
	return &Cell{Key: d.key(), SplitKey: d.splitKey(), NoiseKey: d.key(), Data: d}, nil
}

// dataOf returns the place of a combination's data in the file: the key data, or the level
// to which its $factor refers.
func (r *reader) dataOf(c combination) config.Place {
	at := r.Data
	for range maxReferences {
		if !at.IsReference() {
			break
		}
		value, ok := r.dereference(at, c)
		if !ok {
			break
		}
		at = value.Under("data")
	}
	return at
}

// data decodes a cell's data section. It returns nil after reporting mistakes.
func (r *reader) data(at config.Place) *Data {
	before, d := at.Mistakes(), newData()
	if !at.Decode("key", d) {
		return nil
	}
	if d.FromFiles() {
		r.file(at, d)
	} else {
		r.generator(at, d)
	}
	if at.Mistakes() > before {
		return nil
	}
	return d
}

// generator decodes the generator of a data section and the numbers of rows that it draws.
func (r *reader) generator(at config.Place, d *Data) {
	key := d.GeneratorKey
	name := key
	if key.IsMapping() {
		if name = key.Key("name"); !name.There() {
			key.Fail("missing name: the name of the generator")
			return
		}
	}
	before, classes := at.Mistakes(), 0
	switch name.Text() {
	case externalName, externalCSVName:
		classes = r.externalGenerator(key, name.Text(), d)
	default:
		classes = builtinGenerator(key, name, d)
	}
	if at.Mistakes() > before {
		return
	}
	d.countRows(at, classes)
	if d.checkSize(at); at.Mistakes() > before {
		return
	}
	if d.Missing.PerRow > 0 || d.Missing.On != "" {
		if attributes := d.attributes(); attributes != nil {
			d.checkMissing(at, attributes)
		}
	}
}

// named is the key of a generator's name beside its parameters.
type named struct {
	Name string `param:"name"`
}

// builtinGenerator decodes a generator of the registry and returns its number of classes.
func builtinGenerator(key, name config.Place, d *Data) int {
	spec, ok := generators.Registry.Lookup(name.Text())
	if !ok {
		name.Under("data.generator").Fail(
			"unknown generator %q%s", name.Text(), config.DidYouMean(name.Text(), generatorNames()))
		return 0
	}
	d.Generator = spec.New()
	if key.IsMapping() && !key.Decode("parameter of "+spec.Name, d.Generator, &named{}) {
		return 0
	}
	d.generator = spec.Recipe(d.Generator)
	return spec.Classes(d.Generator)
}

// generatorNames lists what a study may name as generator.
func generatorNames() []string {
	return append(generators.Registry.Names(), externalName, externalCSVName)
}

// countRows sets the rows per class that a generator draws: of the training and test sets
// or, with folds, of the sample.
func (d *Data) countRows(at config.Place, classes int) {
	if d.Test.CSV != nil || d.Test.Set != nil {
		at.Key("test").Fail("has no place here: an official test set goes with csv or set")
	}
	for _, part := range []struct {
		key    string
		folds  bool // the part goes with folds
		size   Size
		counts *[]int
	}{
		{"train", false, d.Train, &d.TrainCounts},
		{"test", false, d.Test.Size, &d.TestCounts},
		{"sample", true, d.Sample, &d.SampleCounts},
	} {
		key := at.Key(part.key)
		if part.folds != (d.Folds > 0) {
			if key.There() {
				key.Fail("has no place here: train and test go without folds, sample with folds")
			}
			continue
		}
		counts, err := part.size.perClass(classes)
		if err != nil {
			key.Fail("%s", err)
		}
		*part.counts = counts
	}
}

// file reads the files of a data section and checks them and their split.
func (r *reader) file(at config.Place, d *Data) {
	before := at.Mistakes()
	d.checkFileKeys(at)
	if at.Mistakes() > before {
		return
	}
	file, err := r.files.Read(
		&data.Request{Files: d.Files, TestCSV: d.Test.CSV, TestSet: d.Test.Set, Split: d.Column, Groups: d.Groups},
	)
	if r.recall != nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, data.ErrAbsent)) {
		d.Absent = true // a report needs the records, not the data
		return
	}
	if err != nil {
		r.failReading(at, d, err)
		return
	}
	d.File = file
	d.checkSplit(at)
	if r.recall == nil {
		d.checkRows(at)
	}
}

// failReading reports an error of reading files at the key that caused it.
func (r *reader) failReading(at config.Place, d *Data, err error) {
	place := at.Key(d.SourceKey())
	if wrong := (*data.KeyError)(nil); errors.As(err, &wrong) {
		place = at
		for _, key := range wrong.Keys {
			place = place.Key(key)
		}
	}
	hint := ""
	if errors.Is(err, fs.ErrNotExist) {
		hint = "; " + d.Whereabouts() + r.beside(d, err)
	}
	place.Fail("%s%s", err, hint)
}

// beside returns a clause with the folders in which a CSV file was searched: the working
// directory and the folder of the study file. It is "" for data sets and absolute paths.
func (r *reader) beside(d *Data, err error) string {
	var failed *fs.PathError
	here, unknown := os.Getwd()
	if d.CSV == nil || unknown != nil || !errors.As(err, &failed) || filepath.IsAbs(failed.Path) {
		return ""
	}
	path := filepath.Join(filepath.FromSlash(r.folder), failed.Path)
	if path == filepath.Clean(failed.Path) { // the study file is here
		return ", " + here
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Sprintf(", %s; nor is it beside the study file, %s", here, path)
	}
	return fmt.Sprintf(", %s; it lies beside the study file: write %s", here, filepath.ToSlash(path))
}

// checkFileKeys reports keys that files exclude, and zero or several ways to split them.
func (d *Data) checkFileKeys(at config.Place) {
	if d.Train.Majority != 0 || d.Train.Counts != nil {
		at.Key("train").Fail("beside %s it takes n alone: so many rows of the training part", d.SourceKey())
	}
	if test := at.Key("test"); test.There() && (d.Test.given() || (d.Test.CSV == nil) == (d.Test.Set == nil)) {
		test.Fail("want csv or set: where the official test set is")
	}
	ways := 0
	for _, key := range []string{"folds", "holdout", "test", "split"} {
		if at.Key(key).There() {
			ways++
		}
	}
	if ways != 1 {
		at.Fail("want one split of the rows: folds, holdout, test (a file) or split (a column)")
	}
}

// checkSplit reports a split that the rows do not allow.
func (d *Data) checkSplit(at config.Place) {
	rows := d.File.Rows.N()
	if d.Subsample > rows {
		at.Key("subsample").Fail("%d of %d rows", d.Subsample, rows)
	}
	if d.Subsample > 0 {
		rows = d.Subsample
	}
	about := ""
	if d.Groups != "" {
		about = "about "
	}
	switch train, test := d.Rows(); {
	case rows < d.Folds:
		at.Key("folds").Fail("%d rows cannot make %d folds", rows, d.Folds)
	case train < 1 || test < 1:
		at.Key(d.splitKeyName()).Fail("%d rows leave %d for training and %d for testing", rows, train, test)
	case d.Train.N > d.leastTraining():
		at.Key("train").Fail("n is %d, the training part has %s%d rows", d.Train.N, about, d.leastTraining())
	}
	d.checkMissing(at, d.File.Rows.Attributes)
}

// splitKeyName returns the key that chooses the test rows.
func (d *Data) splitKeyName() string {
	switch {
	case d.Folds > 0:
		return "folds"
	case d.Holdout > 0:
		return "holdout"
	case d.Column != "":
		return "split"
	}
	return "test"
}

// leastTraining returns the number of rows of the smallest training part; it is approximate
// where groups stay together.
func (d *Data) leastTraining() int {
	whole := *d
	whole.Train.N = 0
	train, test := whole.Rows()
	if n := train + test; d.Folds > 0 && n%d.Folds > 0 {
		train-- // the rest of the rows makes some folds larger by one
	}
	return train
}

// checkRows reports rows that make a run useless: the same rows in training and test sets,
// one class only, columns that identify rows, and splits that are impossible or repeat.
func (d *Data) checkRows(at config.Place) {
	d.checkNamedTwice(at)
	d.checkSeveralClasses(at)
	for j, a := range d.File.Rows.Attributes {
		declared := slices.Contains(d.Discrete, a.Name) || slices.Contains(d.Discrete, "*")
		if !declared && d.File.NamesRows(j) {
			at.Key(d.SourceKey()).Fail(
				"%s: column %q has another text in each of %d rows: it names them, "+
					"drop it", d.Source(), a.Name, d.File.Rows.N())
		}
	}
	units := d.File.Rows.N() // what the folds divide
	if d.Groups != "" {
		units = len(slices.Compact(slices.Sorted(slices.Values(d.File.Groups))))
		if parts := max(2, d.Folds); units < parts {
			at.Key("groups").Fail("the %d values of %q cannot be divided among %d parts", units, d.Groups, parts)
		}
	}
	if units == d.Folds && d.Repeats > 1 && d.sameRows() {
		at.Key("repeats").Fail("with a fold for each of %d, every repeat holds out the same: repeats: 1", units)
	}
}

// checkNamedTwice reports files whose rows would be on both sides of a split.
func (d *Data) checkNamedTwice(at config.Place) {
	named := map[string]bool{}
	for _, name := range slices.Concat(d.CSV, d.Set) {
		if named[name] {
			at.Key(d.SourceKey()).Fail("%s is named twice: its rows would be on both sides of a split", name)
		}
		named[name] = true
	}
	for _, name := range slices.Concat(d.Test.CSV, d.Test.Set) {
		if named[name] {
			at.Key("test").Fail("%s is read for training, too: a test set has rows of its own", name)
		}
	}
}

// checkSeveralClasses reports rows of one class, and training sets that lack a class.
func (d *Data) checkSeveralClasses(at config.Place) {
	present := slices.DeleteFunc(d.File.Rows.Counts(), func(n int) bool { return n == 0 })
	switch {
	case len(present) == 1:
		only := d.File.Rows.Classes[d.File.Rows.Y[0]]
		at.Key(d.SourceKey()).Fail("all rows have class %q; copse needs rows of at least two classes", only)
	case d.Train.N > 0 && d.Train.N < len(present):
		at.Key("train").Fail("n is %d, of %d classes: some would have no training row", d.Train.N, len(present))
	}
}

// checkMissing reports a share per row that is less than one value, and missing
// values that depend on an attribute that is not there.
func (d *Data) checkMissing(at config.Place, attributes []dataset.Attribute) {
	m := d.Missing
	if m.PerRow > 0 && int(m.PerRow*float64(len(attributes))) == 0 {
		at.Key("missing").Fail(
			"a share of %v of %d values is none; mcar removes each value with a probability", m.PerRow, len(attributes))
	}
	var names []string
	for _, a := range attributes {
		names = append(names, a.Name)
	}
	if m.On != "" && !slices.Contains(names, m.On) {
		at.Key("missing").Key("on").Fail("%s has no attribute %q%s", d.where(), m.On, config.DidYouMean(m.On, names))
	}
}

// attributes returns the attributes of a generator's problems; nil if no problem can be
// drawn before the run.
func (d *Data) attributes() []dataset.Attribute {
	spec, ok := generators.Registry.Lookup(d.GeneratorName())
	if !ok {
		return nil
	}
	rng := stream.FromState(make([]byte, 16))
	problem, err := d.Generator.New(rng)
	if err != nil {
		return nil
	}
	counts := make([]int, spec.Classes(d.Generator))
	for c := range counts {
		counts[c] = 1
	}
	sample, _ := problem.Sample(counts, rng).WithIrrelevant(d.Irrelevant, rng)
	return sample.Attributes
}

// hasDensity reports whether the densities of the drawn problems are known.
func (d *Data) hasDensity() bool {
	if d.Generator == nil {
		return d.Density
	}
	spec, _ := generators.Registry.Lookup(d.GeneratorName())
	return spec.NoDensity == nil || !spec.NoDensity(d.Generator)
}

// mostBytes bounds the memory of one trial's training and test rows.
const mostBytes = 64e9

// checkSize reports a trial that is too large for any machine.
func (d *Data) checkSize(at config.Place) {
	train, test := d.Rows()
	rows, columns := float64(train)+float64(test), float64(d.Columns())
	if bytes := 8 * rows * columns; bytes > mostBytes {
		at.Fail("a trial of %.0f rows and %.0f attributes takes %.0f GB, at most %.0f: reduce one of them", rows, columns,
			bytes/1e9, mostBytes/1e9)
	}
}

// LockSets records the data sets without a registered checksum in the lock file beside the study,
// unless its folder is one of results or may only be read.
func (s *Study) LockSets() error {
	if folder.HasResults(s.Folder()) {
		return nil
	}
	var names []string
	for _, c := range s.Cells {
		names = slices.Concat(names, c.Data.Set, c.Data.Test.Set)
	}
	slices.Sort(names)
	err := data.Lock(s.Folder(), slices.Compact(names))
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}

// Columns returns the number of attributes; 0: unknown before a program draws or a file is
// found.
func (d *Data) Columns() int {
	switch {
	case d.File != nil:
		return d.File.Rows.D()
	case d.Generator != nil:
		spec, _ := generators.Registry.Lookup(d.GeneratorName())
		return spec.Columns(d.Generator) + d.Irrelevant
	}
	return 0
}

// where returns the name of the data for messages.
func (d *Data) where() string {
	if d.FromFiles() {
		return d.Source()
	}
	return d.GeneratorName()
}

// lacks returns a clause on the values that the data lack; "" if none.
func (d *Data) lacks() string {
	if d.Missing.any() {
		return fmt.Sprintf("and missing: removes some of the %s rows", d.Missing.parts())
	}
	if d.File != nil && d.File.Rows.HasMissing() {
		return fmt.Sprintf("and %s lacks some: %s (drop_missing leaves such rows out)", d.Source(), d.File.Gaps())
	}
	return ""
}

// Rows returns the approximate numbers of training and test rows of one trial: folds and
// groups may differ in size.
func (d *Data) Rows() (train, test int) {
	n := sum(d.SampleCounts)
	if d.File != nil {
		n = d.File.Rows.N()
		if d.Subsample > 0 {
			n = d.Subsample
		}
	}
	switch {
	case d.Folds > 0:
		train, test = n-n/d.Folds, n/d.Folds
	case d.Holdout > 0:
		test = int(math.Round(d.Holdout * float64(n)))
		train = n - test
	case d.File != nil:
		test = sum(d.File.Test)
		train = n - test
	default:
		return sum(d.TrainCounts), sum(d.TestCounts)
	}
	if d.Train.N > 0 {
		train = min(train, d.Train.N)
	}
	if d.scoresTraining() {
		test = train
	}
	return train, test
}

func sum(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// GeneratorName returns the generator's registry name, "" for a CSV file.
func (d *Data) GeneratorName() string {
	name, _, _ := strings.Cut(d.generator, "/")
	return name
}

// GeneratorSpec returns the generator's canonical recipe, "" for a CSV file.
func (d *Data) GeneratorSpec() string { return d.generator }

// ClassNames returns the names of the classes in the order of their codes; nil if they are
// unknown before the data are drawn or found.
func (d *Data) ClassNames() []string {
	if d.File != nil {
		return d.File.Rows.Classes
	}
	var names []string
	for c := range d.Classes() {
		names = append(names, strconv.Itoa(c)) // as generators number them
	}
	return names
}

// Classes returns the number of classes; 0: unknown before the data are drawn or found.
func (d *Data) Classes() int {
	if d.Program != nil {
		return max(len(d.TrainCounts), len(d.SampleCounts))
	}
	if d.File != nil {
		return d.File.Rows.C()
	}
	if spec, ok := generators.Registry.Lookup(d.GeneratorName()); ok && d.Generator != nil {
		return spec.Classes(d.Generator)
	}
	return 0
}

// AsRead describes, line by line, how the user's CSV files were read; nil for other data.
func (d *Data) AsRead() []string {
	if d.File == nil || d.CSV == nil {
		return nil
	}
	return d.File.Describe(d.Source(), strings.Join(slices.Concat(d.Test.CSV, d.Test.Set), ", "), d.Folds)
}

// SplitInWords describes how rows are divided into training and test sets; "" where a
// generator draws both.
func (d *Data) SplitInWords() string {
	words := ""
	switch {
	case d.Folds > 0:
		words = fmt.Sprintf("%d folds", d.Folds)
	case d.Holdout > 0:
		words = fmt.Sprintf("holdout of %v", d.Holdout)
	case d.FromFiles():
		words = "official test set"
	default:
		return ""
	}
	if d.Groups != "" {
		words += " of whole groups (" + d.Groups + ")"
	} else if d.Random && (d.Folds > 0 || d.Holdout > 0) {
		words += ", not stratified"
	}
	if d.Subsample > 0 {
		words += fmt.Sprintf(", of %d rows drawn first", d.Subsample)
	}
	if d.scoresTraining() {
		words += ", scored on the training rows"
	}
	return words
}

// NoiseInWords describes which attributes are irrelevant, which values are removed and
// which labels changed.
func (d *Data) NoiseInWords() (parts []string) {
	if d.Irrelevant > 0 {
		parts = append(
			parts,
			fmt.Sprintf(
				"%d of the attributes are standard normal in every class, independent of all others",
				d.Irrelevant,
			),
		)
	}
	switch m, where := d.Missing, d.Missing.parts(); {
	case m.PerRow > 0:
		parts = append(parts, fmt.Sprintf("each %s row loses %v of its values", where, m.PerRow))
	case m.MCAR > 0:
		parts = append(parts, fmt.Sprintf("each %s value is missing with probability %v", where, m.MCAR))
	case m.MAR > 0:
		parts = append(
			parts,
			fmt.Sprintf(
				"each %s value is missing with mean probability %v, more where %s is large",
				where,
				m.MAR,
				m.On,
			),
		)
	}
	if d.Flip > 0 {
		parts = append(parts, fmt.Sprintf("a training label is another class with probability %v", d.Flip))
	}
	return parts
}

// SetsOf lists the data sets that a study file names, including sets not downloaded.
func SetsOf(file string) ([]string, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	root, err := config.Parse(filepath.ToSlash(file), text)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, section := range values(root, root.Key("data"), 0) {
		sets := values(root, section.Key("set"), 0)
		for _, test := range values(root, section.Key("test"), 0) {
			sets = append(sets, values(root, test.Key("set"), 0)...)
		}
		for _, set := range sets {
			if name := set.Text(); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// values returns the values that a place can have: each item of a list and each level of a
// $factor. depth counts the references followed so far.
func values(root, at config.Place, depth int) (list []config.Place) {
	if depth == maxReferences {
		return nil // a level that refers to itself
	}
	for _, item := range at.Items() {
		if !item.IsReference() {
			list = append(list, item)
			continue
		}
		name, key, dotted := strings.Cut(item.Text()[1:], ".")
		for _, levels := range definitions(root, name) {
			for _, value := range levelValues(levels) {
				if dotted {
					value = value.Key(key)
				}
				list = append(list, values(root, value, depth+1)...)
			}
		}
	}
	return list
}

// levelValues returns the values of a factor's levels.
func levelValues(levels config.Place) []config.Place {
	if !levels.IsMapping() {
		return levels.Items()
	}
	var list []config.Place
	for _, value := range levels.Entries() {
		list = append(list, value)
	}
	return list
}
