// Package csvfile reads and writes labelled samples as CSV files. ReadTable reads the cells of a
// file. Where and Append select and append rows. Table.Set interprets the columns.
package csvfile

import (
	"fmt"
	"io"
	"os"

	"copse/stats/dataset"
)

// Options control how a CSV file is converted to a Set.
type Options struct {
	Missing []string // marks of missing values besides the empty cell; nil: as in the schema, or ? and NA

	Class    string              // the class column; empty: the last, or with Train the only other column
	Keep     []string            // the columns that are attributes; nil: all but the class and Drop
	Drop     []string            // columns to leave out
	Discrete []string            // columns that are discrete even if they contain numbers; "*": all other attributes
	Numeric  []string            // columns whose cells must be numbers; "*": all others
	Merge    map[string][]string // the labels that each new class replaces; other labels stay

	Schema *Schema      // kinds, levels and classes; nil: they are inferred from the cells
	Train  *dataset.Set // training set whose attributes the file must match; nil: the file is a training set
	Unseen Unseen       // how levels that are not in Train are read
	Note   func(string) // receives messages for the user, such as a recognised separator; may be nil
}

// Unseen determines how Read treats a level or class that does not occur in the training set.
type Unseen uint8

const (
	// UnseenError returns an error.
	UnseenError Unseen = iota
	// UnseenMissing replaces an unseen level with a missing value.
	UnseenMissing
	// UnseenLevel gives an unseen level a new code, after the codes of the training set.
	// Set.WithAttributesOf adds the level to the training set.
	UnseenLevel
)

func (o *Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// Read reads a labelled sample: a header line, then one row per line. It ignores blanks around
// cells. An empty cell is a missing value. So are "?" and "NA", unless the options list other
// marks. The class must not be missing, except with the option Train.
//
// A column is numeric if all its cells are decimal numbers or missing. Otherwise it is discrete.
// The options Discrete, Numeric and Schema override this rule.
//
// Without these options, Read rejects a column if some of its values, but fewer than a fifth, are
// not numbers. It also rejects a column with numbers in another notation: with the minus sign
// U+2212, a percent sign, thousands separators or decimal commas.
//
// Levels and classes are in natural order. Numbers come first, in order of value. Digits within
// names are compared by value, so "x2" comes before "x10".
//
// With the option Train, Read matches columns by name. It uses the kinds, levels and classes of the
// training set. A missing class is dataset.Unknown, and so is every class if there is no class column.
//
// Errors give the file, the row and the column. The header is row 1.
func Read(r io.Reader, name string, o Options) (*dataset.Set, error) {
	s, _, err := ReadAndClass(r, name, o)
	return s, err
}

// ReadFile is like Read for the file at path. Unless the options contain a schema, it uses the schema
// stored next to the file (see SchemaFile).
func ReadFile(path string, o Options) (*dataset.Set, error) {
	s, _, err := ReadFileAndClass(path, o)
	return s, err
}

// ReadFileAndClass is like ReadFile, but it also returns the name of the class column, as ReadAndClass does.
func ReadFileAndClass(path string, o Options) (s *dataset.Set, class string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if o.Schema == nil {
		if o.Schema, err = ReadSchemaFile(SchemaFile(path)); err != nil {
			return nil, "", err
		}
	}
	return ReadAndClass(f, path, o)
}

// ReadAndClass is like Read, but it also returns the name of the class column. The name is "" if o.Train is set.
func ReadAndClass(r io.Reader, name string, o Options) (s *dataset.Set, class string, err error) {
	t, err := ReadTable(r, name, o)
	if err != nil {
		return nil, "", err
	}
	if s, err = t.Set(o); err != nil || o.Train != nil {
		return s, "", err
	}
	return s, t.ClassColumn(o), nil
}
