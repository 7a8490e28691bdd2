package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/external"
	"copse/experiments/stream"
	"copse/generators"
)

// Data says where a cell's training and test sets come from: a generator that
// draws both, a generator that draws one sample for cross-validation, or a file
// or registered data set under a split. With k folds, replicate r holds out fold
// (r-1) mod k of task or repeat (r-1) div k; a holdout is drawn anew in every
// replicate.
type Data struct {
	GeneratorNode *yaml.Node `param:"generator" node:"generator" doc:"a generator by name, or a mapping of name and parameters (copse list generators)"`
	Train         Size       `param:"train" doc:"rows of the training set; beside csv or set: n alone, rows drawn from the training part"`
	TestNode      *yaml.Node `param:"test" node:"mapping of n, majority, counts; or of csv, set" doc:"rows of the test set; beside csv or set: where the official test set is, {csv: FILE} or {set: NAME}"`
	Sample        Size       `param:"sample" doc:"with folds: rows of one task"`
	Table
	Split
	MissingNode *yaml.Node `param:"missing" node:"number, or mapping of per_row, mcar, mar, on, where" doc:"which values are removed, by one of per_row, mcar and mar; a plain number is per_row of the training rows"`
	Irrelevant  int        `param:"irrelevant" range:"[0,1e5]" doc:"of a generator: attributes to append that say nothing of the class, irrelevant1 and so on, independent and standard normal in every class; the generator's own draws stay the same"`
	Flip        float64    `param:"flip" range:"[0,1)" share:"true" doc:"probability that a training label is another class"`

	Generator generators.Generator
	Program   *external.Program // a generator that is a command; then Generator is nil
	Density   bool              // whose problems know their densities
	generator string            // canonical recipe
	TestSize  Size
	Missing   Missing

	TrainCounts, TestCounts, SampleCounts []int // rows per class
	File                                  *File // what was read
	Absent                                bool  // the files of recorded results are not here
}

// Table says which files are read and how.
type Table struct {
	CSVNode      *yaml.Node `param:"csv" node:"text or list of texts" doc:"a file of rows with a header line, or several of the same columns; paths are relative to the folder that copse runs in, not to the study file as files of commands are: data are not copied into the results, where a copy of the study file lies"`
	SetNode      *yaml.Node `param:"set" node:"text or list of texts" doc:"a data set by name, or several of the same columns (copse data list)"`
	JoinNode     *yaml.Node `param:"join" node:"text or list of texts" doc:"columns by which several files or sets are joined, each row of the first with its one counterpart in the others; class is then asked for, and these columns are no attributes. Without it their rows are put one below the other"`
	Unmatched    string     `param:"unmatched" enum:"refuse,drop,missing" doc:"rows without a counterpart: an error, left out, or filled up with missing values (those of the first)"`
	Class        string     `param:"class" doc:"csv: the column of classes; empty: the last one"`
	Keep         []string   `param:"keep" doc:"csv: the columns that are attributes"`
	Drop         []string   `param:"drop" doc:"csv: columns to leave out"`
	Discrete     []string   `param:"discrete" doc:"csv: columns whose values are levels though they look like numbers; * is all others"`
	Numeric      []string   `param:"numeric" doc:"csv: columns whose values have to be numbers; * is all others"`
	Marks        []string   `param:"missing_marks" doc:"csv: marks of missing values beside the empty cell; default ? and NA"`
	Where        []string   `param:"rows" doc:"csv: conditions on the rows to keep, such as age >= 18"`
	MergeNode    *yaml.Node `param:"merge" node:"mapping of lists" doc:"csv: new classes and the labels that they join, {sick: [1, 2, 3, 4]}"`
	DropMissing  bool       `param:"drop_missing" doc:"csv: leave out rows with missing values, once the columns of drop are gone"`
	MissingLevel bool       `param:"missing_level" doc:"csv: missing values of discrete attributes are a level of their own"`

	CSV, Set, Join []string
}

// Split says which rows of a file or sample are for testing.
type Split struct {
	Folds     int     `param:"folds" range:"[2,inf)" doc:"cross-validation with this many stratified folds; replicate r holds out fold (r-1) mod folds, and replicates are a multiple of folds"`
	Repeats   int     `param:"repeats" range:"[1,inf)" doc:"of the folds: there are folds x repeats replicates"`
	Holdout   float64 `param:"holdout" range:"(0,1)" share:"true" doc:"csv: share of the rows that each replicate draws for testing"`
	Column    string  `param:"split" doc:"csv: the column that says train or test"`
	Groups    string  `param:"groups" doc:"csv: the column whose values are never on both sides; folds and holdouts are then made of whole groups, not stratified"`
	Random    bool    `param:"random" doc:"csv: folds, holdouts and subsamples are not stratified by class"`
	Subsample int     `param:"subsample" range:"[2,inf)" doc:"csv: rows that each task draws from the file before it is split"`
}

// Missing says which values are removed.
type Missing struct {
	PerRow float64 `param:"per_row" range:"[0,1)" share:"true" doc:"share of its values that each row loses, rounded down"` // Eban et al. (2014)
	MCAR   float64 `param:"mcar" range:"[0,1)" share:"true" doc:"probability that a value is missing, whatever the data"`
	MAR    float64 `param:"mar" range:"[0,0.5]" share:"true" doc:"mean probability that a value is missing; it grows with the attribute on"`
	On     string  `param:"on" doc:"with mar: the attribute that the missing values depend on"`
	Where  string  `param:"where" enum:"train,test,both" doc:"the rows that lose values"`
}

// testPlace says where an official test set is.
type testPlace struct {
	CSV *yaml.Node `param:"csv" node:"text or list of texts" doc:"beside csv: the file or files of the official test set"`
	Set *yaml.Node `param:"set" node:"text or list of texts" doc:"beside set: the data set or sets of the official test rows"`
}

// Size is the number of rows of a set: n rows of which class 0 has the share
// majority (equal shares when absent), or the counts of each class.
type Size struct {
	N        int     `param:"n" range:"[1,inf)" doc:"number of rows"`
	Majority float64 `param:"majority" range:"(0,1)" share:"true" doc:"share of class 0; absent: equal shares"`
	Counts   []int   `param:"counts" range:"[0,inf)" doc:"rows of each class, instead of n and majority"`
}

// perClass returns the rows of each class: the majority's share is rounded, the
// rest is divided as evenly as can be, lower classes first.
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
		return nil, fmt.Errorf("%d rows leave class %d of %d without one; counts can say so on purpose", z.N, empty, classes)
	}
	return counts, nil
}

// FromFiles tells whether the rows are read, not generated.
func (data *Data) FromFiles() bool { return data.CSV != nil || data.Set != nil }

// Source names the files or sets that are read.
func (data *Data) Source() string {
	return strings.Join(append(slices.Clone(data.CSV), data.Set...), ", ")
}

// any tells whether values are removed.
func (m Missing) any() bool { return m.PerRow+m.MCAR+m.MAR > 0 }

// In tells whether values of the training or of the test rows are removed.
func (m Missing) In(part string) bool { return m.any() && (m.Where == part || m.Where == "both") }

// hasDensity tells whether the problems drawn here know their densities.
func (data *Data) hasDensity() bool {
	if data.Generator == nil {
		return data.Density
	}
	problem, err := data.Generator.New(stream.FromState(make([]byte, 16)))
	_, known := problem.(generators.DensityProblem)
	return err == nil && known
}

// Rows returns the number of training and test rows of one trial, about.
func (data *Data) Rows() (train, test int) {
	total := func(counts []int) (n int) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	n := total(data.SampleCounts)
	if data.File != nil {
		n = data.File.Rows.N()
		if data.Subsample > 0 {
			n = data.Subsample
		}
	}
	switch {
	case data.Folds > 0:
		train, test = n-n/data.Folds, n/data.Folds
	case data.Holdout > 0:
		test = int(math.Round(data.Holdout * float64(n)))
		train = n - test
	case data.File != nil:
		for _, isTest := range data.File.Test {
			test += isTest
		}
		train = n - test
	default:
		return total(data.TrainCounts), total(data.TestCounts)
	}
	if data.Train.N > 0 {
		train = min(train, data.Train.N)
	}
	return train, test
}

// GeneratorName returns the generator's registry name, "" for a CSV file.
func (data *Data) GeneratorName() string {
	name, _, _ := strings.Cut(data.generator, "/")
	return name
}

// GeneratorSpec returns the generator's canonical recipe, "" for a CSV file.
func (data *Data) GeneratorSpec() string { return data.generator }
