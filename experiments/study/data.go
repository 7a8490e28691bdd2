package study

import (
	"fmt"
	"math"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/stream"
	"copse/generators"
	"copse/stats/dataset"
)

// Data says where a cell's training and test sets come from: a generator that
// draws both, a generator that draws one sample for cross-validation, or a CSV
// file under repeated stratified cross-validation. With k folds, replicate r
// holds out fold (r-1) mod k of task or repeat (r-1) div k.
type Data struct {
	GeneratorNode *yaml.Node `param:"generator" node:"generator" doc:"a generator by name, or a mapping of name and parameters (copse list generators)"`
	Train         Size       `param:"train" doc:"rows of the training set"`
	Test          Size       `param:"test" doc:"rows of the test set"`
	Sample        Size       `param:"sample" doc:"with folds: rows of one task"`
	CSV           string     `param:"csv" doc:"a file of rows with a header line; its path is relative to the folder that copse runs in"`
	Class         string     `param:"class" doc:"csv: the column of classes; empty: the last one"`
	Discrete      []string   `param:"discrete" doc:"csv: columns whose values are levels though they look like numbers"`
	Drop          []string   `param:"drop" doc:"csv: columns to leave out"`
	DropMissing   bool       `param:"drop_missing" doc:"csv: leave out rows with missing values, once the columns of drop are gone"`
	Folds         int        `param:"folds" range:"[2,inf)" doc:"cross-validation with this many stratified folds; replicate r holds out fold (r-1) mod folds"`
	Missing       float64    `param:"missing" range:"[0,1)" doc:"share of its values that each training row loses at random, rounded down"`

	Generator generators.Generator
	generator string // canonical recipe
	digest    string // of the CSV's content

	TrainCounts, TestCounts, SampleCounts []int        // rows per class
	Set                                   *dataset.Set // the CSV's rows
	Absent                                bool         // the CSV of recorded results is not here
}

// Size is the number of rows of a set: n rows of which class 0 has the share
// majority (equal shares when absent), or the counts of each class.
type Size struct {
	N        int     `param:"n" range:"[1,inf)" doc:"number of rows"`
	Majority float64 `param:"majority" range:"(0,1)" doc:"share of class 0; absent: equal shares"`
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
	return counts, nil
}

// key is the canonical content of the data: equal keys draw equal data.
func (data *Data) key() string {
	key := ""
	switch {
	case data.Set != nil:
		key = fmt.Sprintf("csv=%s;class=%s;discrete=%v;drop_missing=%t;folds=%d", data.digest, data.Class, data.Discrete, data.DropMissing, data.Folds)
		if len(data.Drop) > 0 {
			key += fmt.Sprintf(";drop=%q", data.Drop)
		}
	case data.Folds > 0:
		key = fmt.Sprintf("generator=%s;sample=%v;folds=%d", data.generator, data.SampleCounts, data.Folds)
	default:
		key = fmt.Sprintf("generator=%s;train=%v;test=%v", data.generator, data.TrainCounts, data.TestCounts)
	}
	if data.Missing > 0 {
		key += fmt.Sprintf(";missing=%v", data.Missing)
	}
	return key
}

// Describe names the source of the data for people.
func (data *Data) Describe() string { return data.key() }

// hasDensity tells whether the problems drawn here know their densities.
func (data *Data) hasDensity() bool {
	if data.Generator == nil {
		return false
	}
	problem, err := data.Generator.New(stream.FromState(make([]byte, 16)))
	_, known := problem.(generators.DensityProblem)
	return err == nil && known
}

// Rows returns the number of training and test rows of one trial.
func (data *Data) Rows() (train, test int) {
	total := func(counts []int) (n int) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	if data.Folds == 0 {
		return total(data.TrainCounts), total(data.TestCounts)
	}
	n := total(data.SampleCounts)
	if data.Set != nil {
		n = data.Set.N()
	}
	return n - n/data.Folds, n / data.Folds
}

// GeneratorName returns the generator's registry name, "" for a CSV file.
func (data *Data) GeneratorName() string {
	name, _, _ := strings.Cut(data.generator, "/")
	return name
}

// GeneratorSpec returns the generator's canonical recipe, "" for a CSV file.
func (data *Data) GeneratorSpec() string { return data.generator }
