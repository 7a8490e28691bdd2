package experiments

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// Data says where a cell's training and test sets come from: a generator that
// draws both, a generator that draws one sample for cross-validation, or a CSV
// file under repeated stratified cross-validation. With k folds, replicate r
// holds out fold (r-1) mod k of task or repeat (r-1) div k.
type Data struct {
	GeneratorNode *yaml.Node `param:"generator"`
	Train         Size       `param:"train"`
	Test          Size       `param:"test"`
	Sample        Size       `param:"sample"` // with folds: the rows of one task
	CSV           string     `param:"csv"`    // path, relative to the folder that copse runs in
	Class         string     `param:"class"`  // the CSV's class column; the last one when empty
	Discrete      []string   `param:"discrete"`
	Drop          []string   `param:"drop"`         // columns of the CSV to leave out
	DropMissing   bool       `param:"drop_missing"` // leave out rows with missing values, then
	Folds         int        `param:"folds" range:"[2,inf)"`
	Missing       float64    `param:"missing" range:"[0,1)"` // share of its values that each training row loses at random, rounded down

	Generator generators.Generator
	generator string // canonical recipe
	train     []int  // rows per class
	test      []int
	sample    []int
	file      *dataset.Set // the CSV's rows
	digest    string       // of the CSV's content
	absent    bool         // the CSV of recorded results is not here
}

// Size is the number of rows of a set: n rows of which class 0 has the share
// majority (equal shares when absent), or the counts of each class.
type Size struct {
	N        int     `param:"n" range:"[1,inf)"`
	Majority float64 `param:"majority" range:"(0,1)"`
	Counts   []int   `param:"counts" range:"[0,inf)"`
}

// counts returns the rows of each class: the majority's share is rounded, the
// rest is divided as evenly as can be, lower classes first.
func (z Size) counts(classes int) ([]int, error) {
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

// data decodes a cell's data section.
func (r *resolver) data(n *yaml.Node) *Data {
	data := &Data{}
	before := len(r.errs)
	r.structure(n, "data", "key", data)
	if len(r.errs) > before {
		return nil
	}
	switch {
	case (data.GeneratorNode == nil) == (data.CSV == ""):
		r.fail(n, "data", "want either generator or csv")
	case data.CSV != "":
		r.csv(n, data)
	default:
		r.generator(n, data)
	}
	if len(r.errs) > before {
		return nil
	}
	return data
}

func (r *resolver) generator(n *yaml.Node, data *Data) {
	g := resolveAlias(data.GeneratorNode)
	nameNode := g
	if g.Kind == yaml.MappingNode {
		if nameNode = lookup(g, "name"); nameNode == nil {
			r.fail(g, "data.generator", "missing name: the name of the generator")
			return
		}
	}
	spec, ok := generators.Lookup(nameNode.Value)
	if !ok {
		r.fail(nameNode, "data.generator", "unknown generator %q%s", nameNode.Value, didYouMean(nameNode.Value, GeneratorNames()))
		return
	}
	before := len(r.errs)
	data.Generator = spec.New()
	if g.Kind == yaml.MappingNode {
		r.structure(g, "data.generator", "parameter of "+spec.Name, data.Generator, "name")
	}
	if len(r.errs) > before {
		return
	}
	data.generator = recipe.Canonical(spec.Name, spec.Version, data.Generator, spec.New())
	sizes := map[string]struct {
		size   Size
		counts *[]int
	}{"train": {data.Train, &data.train}, "test": {data.Test, &data.test}, "sample": {data.Sample, &data.sample}}
	wanted, unwanted := []string{"train", "test"}, []string{"sample"}
	if data.Folds > 0 {
		wanted, unwanted = unwanted, wanted
	}
	if at := lookup(n, "drop"); at != nil {
		r.fail(at, "data.drop", "has no place here: it names columns of a csv")
	}
	for _, key := range wanted {
		counts, err := sizes[key].size.counts(spec.Classes(data.Generator))
		if err != nil {
			r.fail(entryOr(n, key), "data."+key, "%s", err)
		}
		*sizes[key].counts = counts
	}
	for _, key := range unwanted {
		if at := lookup(n, key); at != nil {
			r.fail(at, "data."+key, "has no place here: train and test go without folds, sample with folds")
		}
	}
}

func (r *resolver) csv(n *yaml.Node, data *Data) {
	at := lookup(n, "csv")
	for _, name := range data.Drop {
		if slices.Contains(data.Discrete, name) {
			r.fail(lookup(n, "drop"), "data.drop", "the column %q is under discrete, too", name)
			return
		}
	}
	for _, key := range []string{"train", "test", "sample"} {
		if extra := lookup(n, key); extra != nil {
			r.fail(extra, "data."+key, "has no place beside csv: folds decide the sizes")
		}
	}
	if data.Folds == 0 {
		r.fail(n, "data.folds", "missing; a CSV file is split into this many folds")
		return
	}
	file, err := r.csvFile(data)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.recorded:
		data.absent = true // a report needs the records, not the data
		return
	case err != nil:
		r.fail(at, "data.csv", "%s", err)
		return
	case file.set.N() < data.Folds:
		r.fail(at, "data.csv", "%d rows cannot make %d folds", file.set.N(), data.Folds)
		return
	}
	data.file, data.digest = file.set, file.digest
}

// csvFile is a CSV's rows with the digest of its content.
type csvFile struct {
	set    *dataset.Set
	digest string
}

// csvFile reads a CSV once for all cells that name it.
func (r *resolver) csvFile(data *Data) (csvFile, error) {
	key := fmt.Sprint(data.CSV, data.Class, data.Discrete, data.Drop, data.DropMissing)
	if file, ok := r.files[key]; ok {
		return file, nil
	}
	text, err := os.ReadFile(filepath.FromSlash(data.CSV))
	if err != nil {
		return csvFile{}, err
	}
	set, err := dataset.ReadCSV(bytes.NewReader(text), data.CSV, dataset.CSVOptions{Class: data.Class, Discrete: data.Discrete})
	if err != nil {
		return csvFile{}, err
	}
	if set, err = dropColumns(set, data.Drop); err != nil {
		return csvFile{}, fmt.Errorf("%s: %w", data.CSV, err)
	}
	if data.DropMissing {
		set = dropMissing(set)
	}
	sum := sha256.Sum256(text)
	r.files[key] = csvFile{set, hex.EncodeToString(sum[:8])}
	return r.files[key], nil
}

// dropColumns leaves out the attributes of the given names.
func dropColumns(set *dataset.Set, names []string) (*dataset.Set, error) {
	if len(names) == 0 {
		return set, nil
	}
	var there []string
	for _, a := range set.Attributes {
		there = append(there, a.Name)
	}
	for _, name := range names {
		if !slices.Contains(there, name) {
			return nil, fmt.Errorf("no column %q to drop%s", name, didYouMean(name, there))
		}
	}
	return set.WithAttributes(func(a dataset.Attribute) bool { return !slices.Contains(names, a.Name) }), nil
}

func dropMissing(set *dataset.Set) *dataset.Set {
	var rows []int
	for i := range set.N() {
		if !slices.ContainsFunc(set.X.RawRowView(i), math.IsNaN) {
			rows = append(rows, i)
		}
	}
	return set.Subset(rows)
}

// GeneratorNames lists the registered generators.
func GeneratorNames() []string {
	var names []string
	for _, s := range generators.Registry {
		names = append(names, s.Name)
	}
	return names
}

func entryOr(n *yaml.Node, key string) *yaml.Node {
	if e := lookup(n, key); e != nil {
		return e
	}
	return n
}

// key is the canonical content of the data: equal keys draw equal data.
func (data *Data) key() string {
	key := ""
	switch {
	case data.file != nil:
		key = fmt.Sprintf("csv=%s;class=%s;discrete=%v;drop_missing=%t;folds=%d", data.digest, data.Class, data.Discrete, data.DropMissing, data.Folds)
		if len(data.Drop) > 0 {
			key += fmt.Sprintf(";drop=%q", data.Drop)
		}
	case data.Folds > 0:
		key = fmt.Sprintf("generator=%s;sample=%v;folds=%d", data.generator, data.sample, data.Folds)
	default:
		key = fmt.Sprintf("generator=%s;train=%v;test=%v", data.generator, data.train, data.test)
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
	problem, err := data.Generator.New(newRand(make([]byte, 16)))
	_, known := problem.(generators.DensityProblem)
	return err == nil && known
}

// rows returns the number of training and test rows of one trial.
func (data *Data) rows() (train, test int) {
	total := func(counts []int) (n int) {
		for _, c := range counts {
			n += c
		}
		return n
	}
	if data.Folds == 0 {
		return total(data.train), total(data.test)
	}
	n := total(data.sample)
	if data.file != nil {
		n = data.file.N()
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
