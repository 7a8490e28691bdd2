package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/experiments/datasets"
	"copse/stats/dataset"
)

// SetsOf lists the data sets that a study file names, here or not.
func SetsOf(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &config.Error{Origin: file, Msg: "cannot be read", Cause: err}
	}
	root, err := config.Parse(filepath.ToSlash(file), text)
	if err != nil {
		return nil, err
	}
	return setsIn(root, nil), nil
}

// setsIn appends the names under the keys set of a node.
func setsIn(n *yaml.Node, names []string) []string {
	for i, child := range n.Content {
		if n.Kind != yaml.MappingNode || i%2 == 0 || n.Content[i-1].Value != "set" {
			names = setsIn(child, names)
			continue
		}
		for _, v := range append([]*yaml.Node{child}, child.Content...) {
			if name := v.Value; v.Kind == yaml.ScalarNode && !strings.HasPrefix(name, "$") && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// reading is what decides how files become rows.
func (t *Table) reading() string {
	return fmt.Sprintf("%q %q %q %q %q %q %q %q %q %q %q %t %t", t.CSV, t.Set, t.Join, t.Unmatched, t.Class, t.Keep, t.Drop, t.Discrete, t.Numeric, t.Marks, t.Where, t.DropMissing, t.MissingLevel)
}

// A source is the content of one file.
type source struct {
	name   string
	text   []byte
	schema *dataset.Schema
}

// sources reads the files that the table names.
func (t *Table) sources() ([]source, error) {
	var list []source
	for _, path := range t.CSV {
		text, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			return nil, err
		}
		schema, err := dataset.ReadSchemaFile(dataset.SchemaFile(filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		list = append(list, source{path, text, schema})
	}
	if len(t.Set) == 0 {
		return list, nil
	}
	store, err := datasets.DefaultStore()
	if err != nil {
		return nil, err
	}
	for _, name := range t.Set {
		c, err := store.Find(name)
		if err != nil {
			return nil, err
		}
		list = append(list, source{name, c.Text, c.Schema})
	}
	return list, nil
}

// read reads the files and the official test set, joins them and makes their
// rows.
func (data *Data) read(merge map[string][]string, test Table) (*File, error) {
	sources, err := data.sources()
	if err != nil {
		return nil, err
	}
	official, err := test.sources()
	if err != nil {
		return nil, err
	}
	o := dataset.CSVOptions{Class: data.Class, Keep: data.Keep, Drop: data.Drop, Discrete: data.Discrete, Numeric: data.Numeric, Missing: data.Marks, Merge: merge}
	file := &File{Sums: map[string]string{}, merge: merge}
	file.digest, file.kinds = file.digests(append(slices.Clone(sources), official...))
	o.Schema = data.schema(sources)
	table, trainRows, err := data.join(sources, official, o)
	if err != nil {
		return nil, err
	}
	if err := data.known(table.Header(), o.Schema); err != nil {
		return nil, err
	}
	if o.Drop, err = data.rowColumns(file, table, o); err != nil {
		return nil, err
	}
	plain := o
	plain.Schema = nil
	if o.Schema != nil {
		o = overrides(o)
	}
	if file.Rows, err = table.Set(o); err != nil {
		return nil, err
	}
	if rows, err := table.Set(plain); err == nil && reflect.DeepEqual(rows.Attributes, file.Rows.Attributes) && slices.Equal(rows.Classes, file.Rows.Classes) {
		file.kinds = "" // the schema says nothing that the file does not
	}
	if len(official) > 0 {
		file.Test = make([]int, table.N())
		for i := trainRows; i < table.N(); i++ {
			file.Test[i] = 1
		}
	}
	if data.MissingLevel {
		file.Rows = file.Rows.MissingAsLevel()
	}
	if data.DropMissing {
		file.complete()
	}
	return file, nil
}

// digests returns the digest of the contents, that of one file if there is one
// alone, and that of the schemas.
func (f *File) digests(sources []source) (content, kinds string) {
	var all, schemas []byte
	for _, s := range sources {
		sum := sha256.Sum256(s.text)
		f.Sums[s.name] = hex.EncodeToString(sum[:])
		all = append(all, sum[:]...)
		if s.schema != nil {
			text, err := json.Marshal(s.schema)
			if err != nil {
				panic(err) // it is made of texts
			}
			schemas = append(schemas, text...)
		}
	}
	if len(sources) > 1 {
		sum := sha256.Sum256(all)
		all = sum[:]
	}
	if schemas != nil {
		sum := sha256.Sum256(schemas)
		kinds = hex.EncodeToString(sum[:4])
	}
	return hex.EncodeToString(all[:8]), kinds
}

// join reads the tables, the official test set's below the others; trainRows is
// the number of those that are not the test set's.
func (data *Data) join(sources, official []source, o dataset.CSVOptions) (joined *dataset.Table, trainRows int, err error) {
	if joined, err = data.table(sources, o); err != nil {
		return nil, 0, err
	}
	trainRows = joined.N()
	if len(official) > 0 {
		test, err := data.table(official, o)
		if err != nil {
			return nil, 0, err
		}
		if joined, err = joined.Append(test); err != nil {
			return nil, 0, err
		}
	}
	return joined, trainRows, nil
}

// table reads files into one table, joined by columns or one below the other, and
// chooses the rows.
func (data *Data) table(sources []source, o dataset.CSVOptions) (all *dataset.Table, err error) {
	for _, s := range sources {
		if s.schema != nil {
			o.Separator, o.Decimal = ',', '.'
			if data.Marks == nil {
				o.Missing = s.schema.MissingValues
			}
		}
		table, err := dataset.ReadTable(bytes.NewReader(s.text), s.name, o)
		if err != nil {
			return nil, err
		}
		switch {
		case all == nil:
			all = table
		case data.Join != nil:
			all, err = all.Join(table, data.Join, dataset.Unmatched(data.Unmatched))
		default:
			all, err = all.Append(table)
		}
		if err != nil {
			return nil, err
		}
	}
	if all, err = all.Where(data.Where); err != nil {
		err = &keyError{"rows", err}
	}
	return all, err
}

// A keyError is a mistake in a key of its own, not in the one that names the files.
type keyError struct {
	key string
	err error
}

func (e *keyError) Error() string { return e.err.Error() }
func (e *keyError) Unwrap() error { return e.err }

// schema is that of the first source, or of all that are joined.
func (data *Data) schema(sources []source) *dataset.Schema {
	first := sources[0].schema
	if data.Join == nil {
		return first
	}
	var all *dataset.Schema
	for _, s := range sources {
		if s.schema == nil {
			continue
		}
		if all == nil {
			all = &dataset.Schema{Class: data.Class}
		}
		all.Fields = append(all.Fields, s.schema.Fields...)
	}
	return all
}

// one is a list of the name, if there is one.
func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// known refuses names that are no columns, and the column of classes among attributes.
func (data *Data) known(header []string, schema *dataset.Schema) error {
	class := data.Class
	if class == "" && schema != nil {
		class = schema.Class
	}
	if class == "" {
		class = header[len(header)-1]
	}
	there := map[string]bool{"*": true}
	for _, column := range header {
		there[column] = true
	}
	for _, list := range []struct {
		key, what string
		names     []string
	}{{"keep", "keep", data.Keep}, {"drop", "drop", data.Drop}, {"discrete", "take as discrete", data.Discrete}, {"numeric", "take as numeric", data.Numeric},
		{"groups", "group by", one(data.Groups)}, {"split", "split by", one(data.Column)}, {"class", "take the classes from", one(data.Class)}} {
		for _, name := range list.names {
			if name == class && slices.Contains([]string{"keep", "drop", "discrete", "numeric"}, list.key) {
				return &keyError{list.key, fmt.Errorf("%s: %q is the column of classes, which is there anyway and no attribute: leave it out of %s, or name another with class", data.Source(), name, list.key)}
			}
			if !there[name] {
				return &keyError{list.key, fmt.Errorf("%s: no column %q to %s%s", data.Source(), name, list.what, config.DidYouMean(name, header))}
			}
		}
	}
	return nil
}

// rowColumns reads the columns that say something of the rows and returns the
// columns to drop, these among them.
func (data *Data) rowColumns(file *File, table *dataset.Table, o dataset.CSVOptions) (drop []string, err error) {
	drop = slices.Concat(o.Drop, data.Join)
	if data.Groups != "" {
		if file.Groups, err = table.Column(data.Groups); err != nil {
			return nil, &keyError{"groups", err}
		}
		drop = append(drop, data.Groups)
	}
	if data.Column != "" {
		parts, err := table.Column(data.Column)
		if err != nil {
			return nil, &keyError{"split", err}
		}
		file.Test = make([]int, len(parts))
		for i, part := range parts {
			switch strings.ToLower(part) {
			case "train", "training":
			case "test", "testing":
				file.Test[i] = 1
			default:
				return nil, &keyError{"split", fmt.Errorf("%s: column %q says %q of a row, want train or test; leave other rows out with rows: [\"%s != %s\"]", data.Source(), data.Column, part, data.Column, part)}
			}
		}
		drop = append(drop, data.Column)
	}
	slices.Sort(drop)
	drop = slices.Compact(drop)
	if o.Keep != nil {
		return o.Drop, nil // what is not kept is dropped
	}
	return drop, nil
}

// overrides takes from the schema the columns that the study declares itself.
func overrides(o dataset.CSVOptions) dataset.CSVOptions {
	schema := *o.Schema
	declared := map[string]bool{}
	for _, name := range slices.Concat(o.Discrete, o.Numeric) {
		declared[name] = true
	}
	schema.Fields = slices.DeleteFunc(slices.Clone(schema.Fields), func(f dataset.Field) bool {
		return declared[f.Name] || declared["*"] && f.Name != schema.Class
	})
	o.Schema = &schema
	return o
}

// complete leaves out the rows with missing values.
func (f *File) complete() {
	var groups []string
	var test []int
	for i := range f.Rows.N() {
		if slices.ContainsFunc(f.Rows.X.RawRowView(i), math.IsNaN) {
			continue
		}
		if f.Groups != nil {
			groups = append(groups, f.Groups[i])
		}
		if f.Test != nil {
			test = append(test, f.Test[i])
		}
	}
	f.Rows, f.Groups, f.Test = f.Rows.Complete(), groups, test
}
