// Package csvfile reads and writes samples as CSV files in three phases: read the cells
// of a file (ReadTable), select and append rows (Where, Append), and interpret the
// columns (Table.Set).
package csvfile

import (
	"fmt"
	"io"
	"os"

	"copse/stats/dataset"
)

// Options control how a CSV file becomes a Set.
type Options struct {
	Separator rune     // 0: one of , ; tab | is recognised
	Decimal   rune     // '.' or ','; 0: one of them is recognised
	Missing   []string // marks of missing values besides the empty cell; nil: ? and NA

	Class    string              // the class column; empty: the last, or with Train the one that is not an attribute
	Keep     []string            // the columns that are attributes; nil: all but the class and those of Drop
	Drop     []string            // columns to leave out
	Discrete []string            // columns that are discrete although their cells are numbers; "*" is all others
	Numeric  []string            // columns whose cells must be numbers; "*" is all others
	Merge    map[string][]string // new classes and the labels that they join; other labels stay

	Schema *Schema      // kinds, levels and classes as they were written; nil: inferred
	Train  *dataset.Set // training set that the file must fit; nil when the file is the training set
	Unseen Unseen       // how levels that Train lacks are read
	Note   func(string) // receives a sentence on each thing that was recognised or replaced; may be nil
}

// Unseen is the way to read a level or a class that the training set lacks.
type Unseen uint8

const (
	// UnseenError refuses the file.
	UnseenError Unseen = iota
	// UnseenMissing reads an unseen level as a missing value.
	UnseenMissing
	// UnseenLevel adds an unseen level after those of the training set. Afterwards
	// dataset.Set.WithAttributesOf gives the level to the training set, too.
	UnseenLevel
)

func (o *Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// Read reads a labelled sample: a header line, then one row per line, blanks
// around a cell ignored. An empty cell, ? and NA are missing values unless the
// options name other marks; the class may not be missing.
//
// A column with a cell that is neither missing nor a decimal number is discrete,
// and so are those that Discrete names; the others are numeric. A column that is
// numeric but for fewer than a fifth of its values is an error that names these,
// unless Discrete has it. So is a column most of whose distinct values are numbers, some
// in another notation: with U+2212 for minus, a percent sign, marks between thousands or
// commas in place of decimal points. Levels and classes are in natural order, which the
// order of the rows does not change: numbers by value, then names, digits inside
// names by value (x2 before x10). A Schema overrides what is inferred.
//
// With Train the columns are matched by name, in any order, and kinds, levels and
// classes are the training set's. The class column may then be absent: every
// label is dataset.Unknown. Errors name the file, row (the header is row 1) and column.
func Read(r io.Reader, name string, o Options) (*dataset.Set, error) {
	if o.Schema != nil {
		o.Separator, o.Decimal = ',', '.'
		if o.Missing == nil {
			o.Missing = o.Schema.MissingValues
		}
	}
	t, err := ReadTable(r, name, o)
	if err != nil {
		return nil, err
	}
	return t.Set(o)
}

// ReadFile reads a file as Read does, with the schema beside it, if there
// is one and the options have none (see SchemaFile).
func ReadFile(path string, o Options) (*dataset.Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if o.Schema == nil {
		if o.Schema, err = ReadSchemaFile(SchemaFile(path)); err != nil {
			return nil, err
		}
	}
	return Read(f, path, o)
}
