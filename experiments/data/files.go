package data

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"copse/experiments/folder"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/regular"
)

// Files defines the keys that select data files or data sets and control how their rows are read.
type Files struct {
	// a CSV file with a header line, or several files with the same columns. A file may lack a column that
	// `drop` or `keep` leaves out. Paths are relative to the working directory of copse, not to the study file
	CSV []string `param:"csv" short:"list" least:"1" choice:"source"`
	// the name of a data set, or of several with the same columns (see `copse data list`)
	Set []string `param:"set" short:"list" least:"1" choice:"source"`
	// with `csv` or `set`: the column that contains the classes; by default, the last column
	Class string `param:"class" with:"csv|set"`
	// with `csv` or `set`: columns to use as attributes; by default, all except the class
	Keep []string `param:"keep" with:"csv|set"`
	// with `csv` or `set`: columns to leave out
	Drop []string `param:"drop" with:"csv|set"`
	// with `csv` or `set`: columns to treat as discrete, even if the values look like numbers; `*` means all
	// other attributes. List the class column if its numbers look continuous but are names of classes
	Discrete []string `param:"discrete" with:"csv|set"`
	// with `csv` or `set`: columns whose values must be numbers; `*` means all other columns
	Numeric []string `param:"numeric" with:"csv|set"`
	// with `csv` or `set`: strings that mark a missing value, in addition to empty entries. They replace the
	// default `["?", "NA"]`
	Marks []string `param:"missing_marks" with:"csv|set"`
	// with `csv` or `set`: conditions on the rows to keep, such as `age >= 18`
	Where []string `param:"rows" with:"csv|set"`
	// with `csv` or `set`: labels to merge into new classes, such as `{sick: [1, 2, 3, 4]}`
	Merge map[string][]string `param:"merge" node:"mapping of lists" with:"csv|set" least:"1" plain:"true"`
	// with `csv` or `set`: leaves out rows in which an attribute that the study uses is missing. A
	// missing class is an error
	DropMissing bool `param:"drop_missing" with:"csv|set"`
	// with `csv` or `set`: treats missing values of a discrete attribute as a level
	MissingLevel bool `param:"missing_level" with:"csv|set"`
}

// FromFiles reports whether the rows come from files or data sets instead of a generator.
func (f *Files) FromFiles() bool { return f.CSV != nil || f.Set != nil }

// Source returns the names of the files or data sets, separated by commas.
func (f *Files) Source() string { return strings.Join(slices.Concat(f.CSV, f.Set), ", ") }

// SourceKey returns the key that names the files ("csv") or the data sets ("set").
func (f *Files) SourceKey() string {
	if f.CSV != nil {
		return "csv"
	}
	return "set"
}

// PathRule is a hint for error messages about missing CSV files.
const PathRule = "paths are relative to the working directory of copse"

// WhereToFind returns a hint about where copse searches for missing files.
func (f *Files) WhereToFind() string {
	if f.CSV == nil {
		return "`copse data list` shows where a data set comes from"
	}
	return PathRule
}

// A File holds the rows of data files, and properties of the rows that are not attributes.
type File struct {
	Rows *dataset.Set // with the groups of the rows, if any
	Test []int        // 1 for rows of the official test set, 0 for others; nil if there is no such set

	Places []csvfile.RowPlace // where each row is in the files

	ClassColumn string   // name of the column that contains the classes
	Discrete    []string // columns that are declared discrete; * means all
	AllRows     int      // number of rows in the files, including those that the request leaves out

	// AbsentValues contains, by condition on the rows, an error if no row of the files has the value
	// in the condition.
	AbsentValues map[string]error

	Folds       [][]int  // Folds[k][i] is the given fold of row i in repeat k, from 0; nil if no folds are given
	FoldColumns []string // the columns of the given folds, one per repeat

	Sums         map[string]string // SHA-256 of each file, keyed by path or by name of the data set
	Digest       string            // digest of the contents of all files
	SchemaDigest string            // digest of the schemas, or "" if they do not change the rows

	rowKeys map[string][]string // keys of the rows of each file (see csvfile.Table.RowKeys), like Sums

	hasMissingLevel bool            // missing values of discrete attributes are a level
	schema          *csvfile.Schema // the entries that the study does not override; nil if there is no schema

	notes remarks // an unusual separator or decimal mark that was recognised

	findRemarks sync.Once
	remarks     remarks // set by findRemarks
}

// A Request describes the rows to read.
type Request struct {
	Files
	TestCSV, TestSet []string // the official test set
	Split            string   // the column with train or test; "": none
	Groups           string   // the column of groups; "": none
	Folds            []string // the columns of given folds, one per repeat
	OfficialFolds    bool     // use the folds that the schema of a data set names
}

// A KeyError is an error in a key of the data section other than csv and set.
type KeyError struct {
	Keys []string // the path of the key in the data section
	error
}

func (e *KeyError) Unwrap() error { return e.error }

func inKey(key string, err error) error { return &KeyError{[]string{key}, err} }

// A Reader reads the data files of a study. It reads the rows of a repeated request only once.
type Reader struct {
	folder string           // contains the study and its lock file
	done   map[string]*File // keyed by the text of the request
}

// NewReader returns a Reader for a study in the folder dir. A data set in the lock file of this
// folder must have the checksum in that file. FolderOf defines where the Reader searches for CSV files.
func NewReader(dir string) *Reader { return &Reader{dir, map[string]*File{}} }

// Read reads the files of a request, including the test set. The error matches fs.ErrNotExist or
// ErrAbsent if the data are not on this machine. An error in any key other than csv and set, or in
// the content of a file of the test set, is a KeyError.
func (r *Reader) Read(q *Request) (*File, error) {
	key := fmt.Sprintf("%#v", *q)
	if file := r.done[key]; file != nil {
		return file, nil
	}
	file, err := q.read(r)
	var wrongOption *csvfile.OptionError
	switch {
	case err == nil:
		r.done[key] = file
		return file, nil
	case errors.As(err, &wrongOption): // the value of a key, such as `drop`, does not fit the file
		return nil, &KeyError{wrongOption.Keys, err}
	case !errors.As(err, new(*KeyError)) && q.isInTestFile(err):
		return nil, q.inTestKey(err)
	}
	return nil, err
}

// isInTestFile reports whether an error is about a file of the official test set. All errors of
// csvfile begin with the name of the file.
func (q *Request) isInTestFile(err error) bool {
	isIn := func(file string) bool { return strings.HasPrefix(err.Error(), file+": ") }
	return slices.ContainsFunc(slices.Concat(q.TestCSV, q.TestSet), isIn)
}

// inTestKey returns a KeyError for the key that names the official test set.
func (q *Request) inTestKey(err error) error {
	testFiles := Files{CSV: q.TestCSV, Set: q.TestSet}
	return &KeyError{[]string{"test", testFiles.SourceKey()}, err}
}

// read reads the requested rows and then the rows of an official test set, if any. It treats
// missing values as the study requests.
func (q *Request) read(r *Reader) (*File, error) {
	sources, err := r.contents(q.CSV, q.Set)
	if err != nil {
		return nil, err
	}
	testSources, err := r.contents(q.TestCSV, q.TestSet)
	if err != nil {
		return nil, q.inTestKey(err)
	}
	file := &File{Sums: map[string]string{}, Discrete: q.Discrete, rowKeys: map[string][]string{}}
	file.addDigests(slices.Concat(sources, testSources))
	if err := q.readRows(file, sources, testSources); err != nil {
		return nil, err
	}
	file.hasMissingLevel = q.MissingLevel
	if q.MissingLevel {
		file.Rows = file.Rows.MissingAsLevel()
	}
	if q.DropMissing {
		if err := file.dropIncomplete(); err != nil {
			return nil, inKey("drop_missing", fmt.Errorf("%s: %w", q.Source(), err))
		}
	}
	return file, nil
}

// readRows sets file.Rows to the rows of sources, followed by the rows of testSources (the official
// test set). It also sets the given groups, folds and test rows.
func (q *Request) readRows(file *File, sources, testSources []content) error {
	// All files have the same attributes, so the schema of the first file, if any, applies to the
	// joined table.
	o := q.options(sources[0].schema)
	o.Note = func(note string) { file.notes = append(file.notes, note) }
	table, trainRows, err := q.joinedTable(file, sources, testSources, o)
	if err != nil {
		return err
	}
	if err := q.checkColumns(table, o); err != nil {
		return err
	}
	file.ClassColumn = table.ClassColumn(o)
	file.Places = table.Places()
	// Columns with groups, folds or the official split are not attributes, so csvfile must drop them.
	if o.Drop, err = q.readSplitColumns(file, table, o); err != nil {
		return err
	}
	if len(testSources) > 0 { // 0 marks a training row and 1 a test row
		testRows := table.N() - trainRows
		file.Test = slices.Concat(make([]int, trainRows), slices.Repeat([]int{1}, testRows))
	}
	if err := file.interpret(table, o); err != nil {
		return err
	}
	return q.readGroups(file.Rows, table)
}

func (q *Request) readGroups(rows *dataset.Set, table *csvfile.Table) error {
	if q.Groups == "" {
		return nil
	}
	groups, err := table.Column(q.Groups)
	if err != nil {
		return inKey("groups", err)
	}
	rows.Groups = dataset.NumberDistinct(groups)
	return nil
}

func (f *Files) options(schema *csvfile.Schema) csvfile.Options {
	return csvfile.Options{
		Class:    f.Class,
		Keep:     f.Keep,
		Drop:     f.Drop,
		Discrete: f.Discrete,
		Numeric:  f.Numeric,
		Missing:  f.Marks,
		Merge:    f.Merge,
		Schema:   schema,
	}
}

// UntrainedClass returns the first class that has rows in the official test set but no training
// row, and the number of its rows. The number is 0 if there is no such class.
func (f *File) UntrainedClass() (class string, rows int) {
	if f.Test == nil {
		return "", 0
	}
	const training, test = 0, 1
	trainCounts := f.countsOf(training)
	for c, n := range f.countsOf(test) {
		if n > 0 && trainCounts[c] == 0 {
			return f.Rows.Classes[c], n
		}
	}
	return "", 0
}

// interpret converts a table to attributes and classes in f.Rows. If they are the same without the
// schema, interpret clears f.SchemaDigest. Adding or removing such a schema then does not invalidate
// stored results.
func (f *File) interpret(table *csvfile.Table, o csvfile.Options) (err error) {
	if o.Schema == nil {
		f.SchemaDigest = ""
		f.Rows, err = table.Set(o)
		return err
	}
	o = overrideSchema(o, f.ClassColumn) // the study may declare other types
	f.schema = o.Schema
	if f.Rows, err = table.Set(o); err != nil {
		return err
	}
	o.Schema = nil
	o.Note = nil // the notes have already been reported
	inferred, inferErr := table.Set(o)
	isSchemaNeeded := inferErr != nil || !slices.Equal(inferred.Classes, f.Rows.Classes) ||
		!reflect.DeepEqual(inferred.Attributes, f.Rows.Attributes)
	if !isSchemaNeeded {
		f.SchemaDigest = ""
	}
	return nil
}

// dropIncomplete removes the rows with missing values. It returns an error if no row would remain.
func (f *File) dropIncomplete() error {
	complete := f.Rows.CompleteRows()
	if len(complete) == 0 {
		return fmt.Errorf("every row has missing values (%s); list the columns with the most missing values "+
			"under `drop`", f.Gaps())
	}
	f.Rows = f.Rows.Subset(complete)
	f.Places = dataset.At(f.Places, complete)
	f.Test = dataset.At(f.Test, complete) // stays nil if there is no given split
	for repeat, folds := range f.Folds {
		f.Folds[repeat] = dataset.At(folds, complete)
	}
	return nil
}

// A content value holds the text of a CSV file and its schema.
type content struct {
	name   string // path, or name of the data set
	text   []byte
	schema *csvfile.Schema // nil: none
}

// contents reads the CSV files with the given paths, followed by the data sets with the given
// names.
func (r *Reader) contents(paths, sets []string) ([]content, error) {
	var list []content
	for _, path := range paths {
		c, err := r.csvContent(path)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	for _, name := range sets {
		c, err := find(name)
		if err != nil {
			return nil, err
		}
		set := content{name: name, text: c.Text, schema: c.Schema}
		if err := r.checkLockFile(set); err != nil {
			return nil, err
		}
		list = append(list, set)
	}
	return list, nil
}

// csvContent reads a CSV file and its schema, if any. name is the path with forward slashes.
func (r *Reader) csvContent(name string) (content, error) {
	path := filepath.FromSlash(name)
	if isPacked(r.folder, path) {
		path = filepath.Join(r.folder, path)
	}
	text, err := regular.Read(path)
	if err != nil {
		return content{}, err
	}
	schema, err := csvfile.ReadSchemaFile(csvfile.SchemaFile(path))
	return content{name: name, text: text, schema: schema}, err
}

// FolderOf returns the folder that contains the CSV file with the given path in a study. This is dir,
// the folder of the study, if dir is a results folder with such a file: `copse pack --data` packs
// data with the results, and an unrelated file in the working directory may have the same path. In
// all other cases, it is the working directory, ".".
func FolderOf(dir, path string) string {
	if isPacked(dir, filepath.FromSlash(path)) {
		return dir
	}
	return "."
}

// isPacked reports whether dir is a results folder that contains the CSV file with the given path in
// a study. Files with names that copse itself uses, such as timings.csv, are not from the study.
func isPacked(dir, path string) bool {
	mayBePacked := filepath.IsLocal(path) && !folder.Reserved(path) && folder.HasResults(dir)
	return mayBePacked && folder.Exists(filepath.Join(dir, path))
}

// addDigests sets f.Sums, f.Digest and f.SchemaDigest. Digest is the beginning of the SHA-256 of a
// single file, or of the concatenated checksums of several files. SchemaDigest is the beginning of
// the SHA-256 of all schemas.
func (f *File) addDigests(contents []content) {
	var sums, schemas []byte
	for _, c := range contents {
		sum := sha256.Sum256(c.text)
		f.Sums[c.name] = hex.EncodeToString(sum[:])
		sums = append(sums, sum[:]...)
		if c.schema != nil {
			text, _ := json.Marshal(c.schema) // a schema contains only strings, which JSON can represent
			schemas = append(schemas, text...)
		}
	}
	if len(contents) > 1 { // otherwise, sums is the checksum of the only file
		sum := sha256.Sum256(sums)
		sums = sum[:]
	}
	const digestBytes, schemaBytes = 8, 4
	f.Digest = hex.EncodeToString(sums[:digestBytes])
	if schemas != nil {
		sum := sha256.Sum256(schemas)
		f.SchemaDigest = hex.EncodeToString(sum[:schemaBytes])
	}
}

// joinedTable reads the training files and the official test files, if any, into one table. The
// first trainRows rows are from the training files. o contains the schema of the first training
// file. joinedTable also updates the row count and the absent values of file.
func (q *Request) joinedTable(
	file *File, sources, official []content, o csvfile.Options,
) (all *csvfile.Table, trainRows int, err error) {
	train, err := q.readTable(file, sources, o)
	if err != nil {
		return nil, 0, err
	}
	if len(official) == 0 {
		return train, train.N(), nil
	}
	test, err := q.readTable(file, official, o)
	if err != nil {
		return nil, 0, err
	}
	all, err = train.Append(test, q.optionalColumns(train, o))
	return all, train.N(), err
}

// readTable reads several files into one table and returns the rows that satisfy the conditions in
// q.Where. It adds the number of all rows to file.AllRows, and updates file.AbsentValues.
func (q *Request) readTable(file *File, contents []content, o csvfile.Options) (*csvfile.Table, error) {
	var all *csvfile.Table
	var isOptional func(column string) bool // a file may lack the column
	for _, c := range contents {
		o.Schema = c.schema // each file has its own schema
		table, err := csvfile.ReadTable(bytes.NewReader(c.text), c.name, o)
		if err != nil {
			return nil, err
		}
		if all == nil { // this is the first file, which determines the class column
			all = table
			isOptional = q.optionalColumns(table, o)
		} else if all, err = all.Append(table, isOptional); err != nil {
			return nil, err
		}
		file.rowKeys[c.name] = table.RowKeys(all.ClassColumn(o))
	}
	file.AllRows += all.N()
	kept, err := all.Where(q.Where)
	if err != nil {
		return nil, inKey("rows", err)
	}
	file.updateAbsentValues(all.AbsentValues(q.Where))
	return kept, nil
}

// updateAbsentValues keeps only those entries of f.AbsentValues that are also in absent, the absent
// values of another table. For the first table, f.AbsentValues becomes absent.
func (f *File) updateAbsentValues(absent map[string]error) {
	if f.AbsentValues == nil {
		f.AbsentValues = absent
		return
	}
	occurs := func(condition string, _ error) bool { return absent[condition] == nil }
	maps.DeleteFunc(f.AbsentValues, occurs)
}
