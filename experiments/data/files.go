package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// Files are the keys of a study that choose files of rows, or sets by name, and how they
// are read.
type Files struct {
	CSV          []string            `param:"csv" short:"list" least:"1" choice:"source" doc:"a file of rows with a header line, or several of the same columns; paths are relative to the folder that copse runs in, not to the study file as files of commands are: data are not copied into the results, where a copy of the study file lies"`
	Set          []string            `param:"set" short:"list" least:"1" choice:"source" doc:"a data set by name, or several of the same columns (copse data list)"`
	Class        string              `param:"class" with:"csv|set" doc:"csv: the column of classes; empty: the last one"`
	Keep         []string            `param:"keep" with:"csv|set" doc:"csv: the columns that are attributes"`
	Drop         []string            `param:"drop" with:"csv|set" doc:"csv: columns to leave out"`
	Discrete     []string            `param:"discrete" with:"csv|set" doc:"csv: columns whose values are levels though they look like numbers; * is all others"`
	Numeric      []string            `param:"numeric" with:"csv|set" doc:"csv: columns whose values have to be numbers; * is all others"`
	Marks        []string            `param:"missing_marks" with:"csv|set" doc:"csv: marks of missing values beside the empty cell; default ? and NA"`
	Where        []string            `param:"rows" with:"csv|set" doc:"csv: conditions on the rows to keep, such as age >= 18"`
	Merge        map[string][]string `param:"merge" node:"mapping of lists" with:"csv|set" least:"1" plain:"true" doc:"csv: new classes and the labels that they join, {sick: [1, 2, 3, 4]}"`
	DropMissing  bool                `param:"drop_missing" with:"csv|set" doc:"csv: leave out rows with missing values, once the columns of drop are gone"`
	MissingLevel bool                `param:"missing_level" with:"csv|set" doc:"csv: missing values of discrete attributes are a level of their own"`
}

// FromFiles reports whether rows are read, not generated.
func (f *Files) FromFiles() bool { return f.CSV != nil || f.Set != nil }

// Source names the files or sets that are read.
func (f *Files) Source() string { return strings.Join(slices.Concat(f.CSV, f.Set), ", ") }

// SourceKey is the key that names them: csv or set.
func (f *Files) SourceKey() string {
	if f.CSV != nil {
		return "csv"
	}
	return "set"
}

// Whereabouts explains where to look for files that are not here.
func (f *Files) Whereabouts() string {
	if f.CSV == nil {
		return "copse data list tells where a data set comes from"
	}
	return "paths are relative to the folder that copse runs in"
}

// A File is what was read from one or several files: their rows, and what is known of
// each row.
type File struct {
	Rows   *dataset.Set
	Groups []string          // nil without groups
	Test   []int             // 1 for a row of the official test set, else 0; nil without one
	Sums   map[string]string // SHA-256 of each file, by path or name of the set
	Digest string            // of the contents
	Kinds  string            // digest of the schemas beside the files; "": none that matters
}

// A Request is all that decides which rows are read.
type Request struct {
	Files
	TestCSV, TestSet []string // the official test set
	Split            string   // the column that is train or test; "": none
	Groups           string   // the column of groups; "": none
}

// A KeyError is a mistake in a key of its own, not in the one that names the files.
type KeyError struct {
	Keys []string // from the data section down
	err  error
}

func (e *KeyError) Error() string { return e.err.Error() }
func (e *KeyError) Unwrap() error { return e.err }

func inKey(key string, err error) error { return &KeyError{[]string{key}, err} }

// A Reader reads files for a study in a folder, the same request once.
type Reader struct {
	folder string
	done   map[string]*File
}

// NewReader returns a Reader that has read nothing. The lock file in the folder, if there is one, holds
// for data sets.
func NewReader(folder string) *Reader { return &Reader{folder, map[string]*File{}} }

// Read reads the files and the official test set and interprets their columns.
// The error is fs.ErrNotExist or ErrAbsent where the data are not on this machine, and a
// KeyError where a key other than the one that names the files is wrong.
func (r *Reader) Read(q *Request) (*File, error) {
	key := fmt.Sprintf("%#v", *q)
	if file := r.done[key]; file != nil {
		return file, nil
	}
	file, err := q.file(r)
	if wrong := (*csvfile.MergeError)(nil); errors.As(err, &wrong) {
		err = &KeyError{[]string{"merge", wrong.Class}, err}
	}
	if err == nil {
		r.done[key] = file
	}
	return file, err
}

// file reads and interprets what is asked for.
func (q *Request) file(r *Reader) (*File, error) {
	sources, err := r.contents(q.CSV, q.Set)
	if err != nil {
		return nil, err
	}
	official, err := r.contents(q.TestCSV, q.TestSet)
	if err != nil {
		return nil, err
	}
	o := csvfile.Options{Class: q.Class, Keep: q.Keep, Drop: q.Drop, Discrete: q.Discrete, Numeric: q.Numeric,
		Missing: q.Marks, Merge: q.Merge, Schema: sources[0].schema}
	file := &File{Sums: map[string]string{}}
	file.addDigests(slices.Concat(sources, official))
	table, trainRows, err := q.stack(sources, official, o)
	if err != nil {
		return nil, err
	}
	if err := q.checkColumns(table.Header(), o.Schema); err != nil {
		return nil, err
	}
	if o.Drop, err = q.rowColumns(file, table, o); err != nil {
		return nil, err
	}
	if err := file.interpret(table, o); err != nil {
		return nil, err
	}
	if len(official) > 0 {
		file.Test = make([]int, table.N())
		for i := trainRows; i < table.N(); i++ {
			file.Test[i] = 1
		}
	}
	if q.MissingLevel {
		file.Rows = file.Rows.MissingAsLevel()
	}
	if q.DropMissing {
		file.dropIncomplete()
	}
	if len(official) > 0 {
		return file, q.checkOfficial(file)
	}
	return file, nil
}

// checkOfficial reports a class of the official test set that no training row has.
func (q *Request) checkOfficial(file *File) error {
	train := file.countsOf(0)
	for c, n := range file.countsOf(1) {
		if n > 0 && train[c] == 0 {
			return inKey("test", fmt.Errorf(
				"%s: class %q of %d rows is in no training row of %s: correct its name, or leave these rows out "+
					"with rows",
				strings.Join(slices.Concat(q.TestCSV, q.TestSet), ", "), file.Rows.Classes[c], n, q.Source()))
		}
	}
	return nil
}

// interpret makes attributes and classes of the table's columns. A schema that changes
// nothing is not part of the file's identity.
func (f *File) interpret(table *csvfile.Table, o csvfile.Options) (err error) {
	plain := o
	plain.Schema = nil
	if o.Schema != nil {
		o = withoutDeclared(o)
	}
	if f.Rows, err = table.Set(o); err != nil {
		return err
	}
	rows, err := table.Set(plain)
	if err == nil && reflect.DeepEqual(rows.Attributes, f.Rows.Attributes) &&
		slices.Equal(rows.Classes, f.Rows.Classes) {
		f.Kinds = ""
	}
	return nil
}

// dropIncomplete leaves out the rows with missing values.
func (f *File) dropIncomplete() {
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

// A content is what one file or set holds.
type content struct {
	name   string
	text   []byte
	schema *csvfile.Schema
}

// contents reads files by their paths and sets by their names.
func (r *Reader) contents(paths, sets []string) ([]content, error) {
	var list []content
	for _, path := range paths {
		text, err := csvfile.ReadRegular(filepath.FromSlash(path))
		if err != nil {
			return nil, err
		}
		schema, err := csvfile.ReadSchemaFile(csvfile.SchemaFile(filepath.FromSlash(path)))
		if err != nil {
			return nil, err
		}
		list = append(list, content{path, text, schema})
	}
	if len(sets) == 0 {
		return list, nil
	}
	store, err := DefaultStore()
	if err != nil {
		return nil, err
	}
	for _, name := range sets {
		c, err := store.Find(name)
		if err != nil {
			return nil, err
		}
		set := content{name, c.Text, c.Schema}
		if err := r.checkLock(set); err != nil {
			return nil, err
		}
		list = append(list, set)
	}
	return list, nil
}

// addDigests adds the sum of each content, the digest of them all, which is that of the
// content where there is one alone, and the digest of the schemas.
func (f *File) addDigests(contents []content) {
	var sums, schemas []byte
	for _, c := range contents {
		sum := sha256.Sum256(c.text)
		f.Sums[c.name] = hex.EncodeToString(sum[:])
		sums = append(sums, sum[:]...)
		if c.schema != nil {
			text, err := json.Marshal(c.schema)
			if err != nil {
				panic(err) // it is made of texts
			}
			schemas = append(schemas, text...)
		}
	}
	if len(contents) > 1 {
		sum := sha256.Sum256(sums)
		sums = sum[:]
	}
	f.Digest = hex.EncodeToString(sums[:8])
	if schemas != nil {
		sum := sha256.Sum256(schemas)
		f.Kinds = hex.EncodeToString(sum[:4])
	}
}

// stack reads the tables, the official test set's below the others; trainRows is the
// number of the rows above it.
func (f *Files) stack(sources, official []content, o csvfile.Options) (all *csvfile.Table, trainRows int, err error) {
	if all, err = f.table(sources, o); err != nil {
		return nil, 0, err
	}
	trainRows = all.N()
	if len(official) == 0 {
		return all, trainRows, nil
	}
	test, err := f.table(official, o)
	if err != nil {
		return nil, 0, err
	}
	all, err = all.Append(test)
	return all, trainRows, err
}

// table reads contents into one table, one below the other, and chooses the rows.
func (f *Files) table(contents []content, o csvfile.Options) (all *csvfile.Table, err error) {
	for _, c := range contents {
		if c.schema != nil {
			o.Separator, o.Decimal = ',', '.'
			if f.Marks == nil {
				o.Missing = c.schema.MissingValues
			}
		}
		table, err := csvfile.ReadTable(bytes.NewReader(c.text), c.name, o)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = table
		} else if all, err = all.Append(table); err != nil {
			return nil, err
		}
	}
	if all, err = all.Where(f.Where); err != nil {
		return nil, inKey("rows", err)
	}
	return all, nil
}
