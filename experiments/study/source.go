package study

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

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/generators"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// data decodes a cell's data section.
func (r *resolver) data(n *yaml.Node) *Data {
	data := &Data{}
	before := r.Mistakes()
	r.Structure(n, "data", "key", data)
	if r.Mistakes() > before {
		return nil
	}
	switch {
	case (data.GeneratorNode == nil) == (data.CSV == ""):
		r.Fail(n, "data", "want either generator or csv")
	case data.CSV != "":
		r.csv(n, data)
	default:
		r.generator(n, data)
	}
	if r.Mistakes() > before {
		return nil
	}
	return data
}

func (r *resolver) generator(n *yaml.Node, data *Data) {
	g := config.Resolve(data.GeneratorNode)
	nameNode := g
	if g.Kind == yaml.MappingNode {
		if nameNode = config.Lookup(g, "name"); nameNode == nil {
			r.Fail(g, "data.generator", "missing name: the name of the generator")
			return
		}
	}
	spec, ok := generators.Lookup(nameNode.Value)
	if !ok {
		r.Fail(nameNode, "data.generator", "unknown generator %q%s", nameNode.Value, config.DidYouMean(nameNode.Value, GeneratorNames()))
		return
	}
	before := r.Mistakes()
	data.Generator = spec.New()
	if g.Kind == yaml.MappingNode {
		r.Structure(g, "data.generator", "parameter of "+spec.Name, data.Generator, "name")
	}
	if r.Mistakes() > before {
		return
	}
	data.generator = recipe.Canonical(spec.Name, spec.Version, data.Generator, spec.New())
	sizes := map[string]struct {
		size   Size
		counts *[]int
	}{"train": {data.Train, &data.TrainCounts}, "test": {data.Test, &data.TestCounts}, "sample": {data.Sample, &data.SampleCounts}}
	wanted, unwanted := []string{"train", "test"}, []string{"sample"}
	if data.Folds > 0 {
		wanted, unwanted = unwanted, wanted
	}
	if at := config.Lookup(n, "drop"); at != nil {
		r.Fail(at, "data.drop", "has no place here: it names columns of a csv")
	}
	for _, key := range wanted {
		counts, err := sizes[key].size.perClass(spec.Classes(data.Generator))
		if err != nil {
			r.Fail(entryOr(n, key), "data."+key, "%s", err)
		}
		*sizes[key].counts = counts
	}
	for _, key := range unwanted {
		if at := config.Lookup(n, key); at != nil {
			r.Fail(at, "data."+key, "has no place here: train and test go without folds, sample with folds")
		}
	}
}

func (r *resolver) csv(n *yaml.Node, data *Data) {
	at := config.Lookup(n, "csv")
	for _, name := range data.Drop {
		if slices.Contains(data.Discrete, name) {
			r.Fail(config.Lookup(n, "drop"), "data.drop", "the column %q is under discrete, too", name)
			return
		}
	}
	for _, key := range []string{"train", "test", "sample"} {
		if extra := config.Lookup(n, key); extra != nil {
			r.Fail(extra, "data."+key, "has no place beside csv: folds decide the sizes")
		}
	}
	if data.Folds == 0 {
		r.Fail(n, "data.folds", "missing; a CSV file is split into this many folds")
		return
	}
	file, err := r.csvFile(data)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.recorded:
		data.Absent = true // a report needs the records, not the data
		return
	case err != nil:
		r.Fail(at, "data.csv", "%s", err)
		return
	case file.set.N() < data.Folds:
		r.Fail(at, "data.csv", "%d rows cannot make %d folds", file.set.N(), data.Folds)
		return
	}
	data.Set, data.digest = file.set, file.digest
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
			return nil, fmt.Errorf("no column %q to drop%s", name, config.DidYouMean(name, there))
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
	if e := config.Lookup(n, key); e != nil {
		return e
	}
	return n
}
