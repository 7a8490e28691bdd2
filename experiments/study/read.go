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

	"copse/experiments/datasets"
	"copse/stats/dataset/csvfile"
)

// reading is what decides how files become rows.
func (t *Table) reading() string {
	return fmt.Sprintf("%q %q %q %q %q %q %q %q %q %q %q %t %t", t.CSV, t.Set, t.Join, t.Unmatched, t.Class, t.Keep, t.Drop, t.Discrete, t.Numeric, t.Marks, t.Where, t.DropMissing, t.MissingLevel)
}

// A source is the content of one file.
type source struct {
	name   string
	text   []byte
	schema *csvfile.Schema
}

// sources reads the files that the table names.
func (t *Table) sources() ([]source, error) {
	var list []source
	for _, path := range t.CSV {
		text, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			return nil, err
		}
		schema, err := csvfile.ReadSchemaFile(csvfile.SchemaFile(filepath.FromSlash(path)))
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
	o := csvfile.Options{Class: data.Class, Keep: data.Keep, Drop: data.Drop, Discrete: data.Discrete, Numeric: data.Numeric, Missing: data.Marks, Merge: merge}
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
func (data *Data) join(sources, official []source, o csvfile.Options) (joined *csvfile.Table, trainRows int, err error) {
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
func (data *Data) table(sources []source, o csvfile.Options) (all *csvfile.Table, err error) {
	for _, s := range sources {
		if s.schema != nil {
			o.Separator, o.Decimal = ',', '.'
			if data.Marks == nil {
				o.Missing = s.schema.MissingValues
			}
		}
		table, err := csvfile.ReadTable(bytes.NewReader(s.text), s.name, o)
		if err != nil {
			return nil, err
		}
		switch {
		case all == nil:
			all = table
		case data.Join != nil:
			all, err = all.Join(table, data.Join, csvfile.Unmatched(data.Unmatched))
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

// schema is that of the first source, or of all that are joined.
func (data *Data) schema(sources []source) *csvfile.Schema {
	first := sources[0].schema
	if data.Join == nil {
		return first
	}
	var all *csvfile.Schema
	for _, s := range sources {
		if s.schema == nil {
			continue
		}
		if all == nil {
			all = &csvfile.Schema{Class: data.Class}
		}
		all.Fields = append(all.Fields, s.schema.Fields...)
	}
	return all
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
