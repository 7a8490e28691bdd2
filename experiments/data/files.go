package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// Files are the keys of a study that choose files of rows, or data sets by name, and control how
// they are read.
type Files struct {
	CSV          []string            `param:"csv" short:"list" least:"1" choice:"source" doc:"a CSV file with a header line, or several with the same columns; paths are relative to the working directory of copse, not to the study file, because data are not copied into the results"`
	Set          []string            `param:"set" short:"list" least:"1" choice:"source" doc:"a data set by name, or several with the same columns (copse data list)"`
	Class        string              `param:"class" with:"csv|set" doc:"csv: column of the classes; empty: the last one"`
	Keep         []string            `param:"keep" with:"csv|set" doc:"csv: columns to use as attributes; empty: all except the class"`
	Drop         []string            `param:"drop" with:"csv|set" doc:"csv: columns to leave out"`
	Discrete     []string            `param:"discrete" with:"csv|set" doc:"csv: columns whose values are levels, even if they look like numbers; * means all other columns"`
	Numeric      []string            `param:"numeric" with:"csv|set" doc:"csv: columns whose values must be numbers; * means all other columns"`
	Marks        []string            `param:"missing_marks" with:"csv|set" doc:"csv: texts that mark missing values in addition to the empty cell; default ? and NA"`
	Where        []string            `param:"rows" with:"csv|set" doc:"csv: conditions on the rows to keep, such as age >= 18"`
	Merge        map[string][]string `param:"merge" node:"mapping of lists" with:"csv|set" least:"1" plain:"true" doc:"csv: new classes and the labels that they join, such as {sick: [1, 2, 3, 4]}"`
	DropMissing  bool                `param:"drop_missing" with:"csv|set" doc:"csv: leaves out rows with missing values in the remaining columns"`
	MissingLevel bool                `param:"missing_level" with:"csv|set" doc:"csv: makes missing values of a discrete attribute a level"`
}

// FromFiles reports whether rows are read from files, not generated.
func (f *Files) FromFiles() bool { return f.CSV != nil || f.Set != nil }

// Source returns the names of the files or data sets, separated by commas.
func (f *Files) Source() string { return strings.Join(slices.Concat(f.CSV, f.Set), ", ") }

// SourceKey returns the key that names the source: csv or set.
func (f *Files) SourceKey() string {
	if f.CSV != nil {
		return "csv"
	}
	return "set"
}

// Whereabouts returns a clause on where missing files are expected.
func (f *Files) Whereabouts() string {
	if f.CSV == nil {
		return "copse data list shows where a data set comes from"
	}
	return "paths are relative to the working directory of copse"
}

// A File has the rows of one or several files and facts about each row.
type File struct {
	Rows   *dataset.Set
	Groups []string // the group of each row; nil: no groups
	Test   []int    // 1 for rows of the official test set, else 0; nil: there is none

	Folds       [][]int  // given folds: for each repeat, the fold of each row, counted from 0; nil: none
	FoldColumns []string // the columns of the given folds, one per repeat

	Sums   map[string]string // SHA-256 of each file, by path or name of the data set
	Digest string            // of the contents of all files
	Kinds  string            // digest of the schemas; "": no schema, or one that changes nothing
}

// A Request determines the rows to read.
type Request struct {
	Files
	TestCSV, TestSet []string // the official test set
	Split            string   // the column with train or test; "": none
	Groups           string   // the column of groups; "": none
	Folds            []string // the columns of given folds, one per repeat
	OfficialFolds    bool     // use the columns of folds in the schema of a data set
}

// A KeyError is an error caused by a key other than the one that names the files.
type KeyError struct {
	Keys []string // the path of the key in the data section
	err  error
}

func (e *KeyError) Error() string { return e.err.Error() }
func (e *KeyError) Unwrap() error { return e.err }

// inKey returns err as the error of a key.
func inKey(key string, err error) error { return &KeyError{[]string{key}, err} }

// A Reader reads the files of a study. It reads the files of equal requests once.
type Reader struct {
	folder string // of the study and its lock file
	done   map[string]*File
}

// NewReader returns a Reader for a study in a folder. If the folder has a lock file, the data
// sets must have its checksums.
func NewReader(folder string) *Reader { return &Reader{folder, map[string]*File{}} }

// Read reads the files and the official test set of a request and interprets their columns.
// The error matches fs.ErrNotExist or ErrAbsent if the data are not on this machine. It is a
// KeyError if a key other than csv or set is wrong.
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

// file reads the files of a request.
func (q *Request) file(r *Reader) (*File, error) {
	sources, err := r.contents(q.CSV, q.Set)
	if err != nil {
		return nil, err
	}
	official, err := r.contents(q.TestCSV, q.TestSet)
	if err != nil {
		return nil, err
	}
	o := csvfile.Options{
		Class:    q.Class,
		Keep:     q.Keep,
		Drop:     q.Drop,
		Discrete: q.Discrete,
		Numeric:  q.Numeric,
		Missing:  q.Marks,
		Merge:    q.Merge,
		Schema:   sources[0].schema,
	}
	table, trainRows, err := q.stack(sources, official, o)
	if err != nil {
		return nil, err
	}
	if err := q.checkColumns(table.Header(), o.Schema); err != nil {
		return nil, err
	}
	file := &File{Sums: map[string]string{}}
	file.addDigests(slices.Concat(sources, official))
	if o.Drop, err = q.rowColumns(file, table, o); err != nil {
		return nil, err
	}
	if err := file.interpret(table, o); err != nil {
		return nil, err
	}
	if len(official) > 0 {
		file.Test = slices.Concat(make([]int, trainRows), slices.Repeat([]int{1}, table.N()-trainRows))
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

// checkOfficial reports a class that occurs in the official test set but not in the training
// rows.
func (q *Request) checkOfficial(file *File) error {
	train, test := file.countsOf(0), file.countsOf(1)
	for c, n := range test {
		if n == 0 || train[c] > 0 {
			continue
		}
		testSource := strings.Join(slices.Concat(q.TestCSV, q.TestSet), ", ")
		return inKey("test", fmt.Errorf("%s: class %q of %d rows does not occur in the training rows of %s; "+
			"correct its name, or leave these rows out with rows", testSource, file.Rows.Classes[c], n, q.Source()))
	}
	return nil
}

// interpret sets the rows from the columns of a table. It clears Kinds if the schema changes
// neither attributes nor classes, so that the file has the same identity without the schema.
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
	return nil // a table that cannot be read without its schema is no mistake
}

// dropIncomplete leaves out the rows with missing values.
func (f *File) dropIncomplete() {
	complete := f.Rows.CompleteRows()
	f.Rows = f.Rows.Subset(complete)
	if f.Groups != nil {
		f.Groups = dataset.At(f.Groups, complete)
	}
	if f.Test != nil {
		f.Test = dataset.At(f.Test, complete)
	}
	for repeat, folds := range f.Folds {
		f.Folds[repeat] = dataset.At(folds, complete)
	}
}

// A content is the text of a file or data set.
type content struct {
	name   string // path, or name of the data set
	text   []byte
	schema *csvfile.Schema // nil: none
}

// contents reads CSV files by their paths, then data sets by their names.
func (r *Reader) contents(paths, sets []string) ([]content, error) {
	var list []content
	for _, name := range paths {
		path := filepath.FromSlash(name)
		text, err := csvfile.ReadRegular(path)
		if err != nil {
			return nil, err
		}
		schema, err := csvfile.ReadSchemaFile(csvfile.SchemaFile(path))
		if err != nil {
			return nil, err
		}
		list = append(list, content{name, text, schema})
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

// addDigests sets Sums, Digest and Kinds. Digest begins the SHA-256 of the only content, or of
// the sums of several contents. Kinds begins the SHA-256 of the schemas.
func (f *File) addDigests(contents []content) {
	var sums, schemas []byte
	for _, c := range contents {
		sum := sha256.Sum256(c.text)
		f.Sums[c.name] = hex.EncodeToString(sum[:])
		sums = append(sums, sum[:]...)
		if c.schema != nil {
			text, err := json.Marshal(c.schema)
			if err != nil {
				panic(err) // a schema has texts only
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

// stack reads sources, then the official test set, into one table. trainRows is the number of
// rows from the sources.
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

// table reads contents one after the other into one table and keeps the rows that the key rows
// selects.
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
			continue
		}
		if all, err = all.Append(table); err != nil {
			return nil, err
		}
	}
	if all, err = all.Where(f.Where); err != nil {
		return nil, inKey("rows", err)
	}
	return all, nil
}
