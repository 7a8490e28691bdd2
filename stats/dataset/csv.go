package dataset

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// CSVOptions says how a CSV file becomes a Set.
type CSVOptions struct {
	Class    string   // the class column; empty: the last, or with a Schema the one that is no attribute
	Discrete []string // columns that are discrete although all their cells are numbers
	Schema   *Set     // training set that the file must fit; nil when the file is the training set
}

// Unknown is the label of the rows of a file without a class column.
const Unknown = -1

// Labelled says whether every row has a label.
func (s *Set) Labelled() bool { return !slices.Contains(s.Y, Unknown) }

// ReadCSV reads a labelled sample: a header line, then one row per line, cells
// separated by commas, blanks around a cell ignored. An empty cell, ? and NA
// are missing values; the class may not be missing.
//
// A column with a cell that is neither missing nor a decimal number is discrete,
// and so are those that Discrete names; the others are numeric. Levels and
// classes are in natural order, which the order of the rows does not change:
// numbers by value, then names, digits inside names by value (x2 before x10).
//
// With a Schema the columns are matched by name, in any order, and kinds,
// levels and classes are the schema's; a level or class that it lacks is an
// error. The class column may then be absent: every label is Unknown. Errors
// name the file, row (the header is row 1) and column.
func ReadCSV(r io.Reader, name string, o CSVOptions) (*Set, error) {
	t, err := readTable(r, name)
	if err != nil {
		return nil, err
	}
	if o.Schema != nil {
		return t.match(o)
	}
	class := len(t.header) - 1
	if o.Class != "" {
		if class = slices.Index(t.header, o.Class); class < 0 {
			return nil, t.fail(1, o.Class, "there is no such column")
		}
	}
	for _, column := range o.Discrete {
		if j := slices.Index(t.header, column); j < 0 || j == class {
			return nil, t.fail(1, column, "named discrete, but there is no such attribute")
		}
	}
	if len(t.header) < 2 {
		return nil, fmt.Errorf("%s: row 1: no attribute beside the class column %q", name, t.header[class])
	}
	s := &Set{Classes: t.distinct(class)}
	text := make([]bool, len(t.header))
	for j, column := range t.header {
		text[j] = j == class || slices.Contains(o.Discrete, column)
	}
	numbers, err := t.numbers(text)
	if err != nil {
		return nil, err
	}
	var columns []int
	for j, column := range t.header {
		if j == class {
			continue
		}
		a := Attribute{Name: column}
		if text[j] {
			a.Kind, a.Levels = Discrete, t.distinct(j)
		}
		s.Attributes, columns = append(s.Attributes, a), append(columns, j)
	}
	return s, t.fill(s, columns, class, numbers)
}

// ReadCSVFile reads a file as ReadCSV does.
func ReadCSVFile(path string, o CSVOptions) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadCSV(f, path, o)
}

// match reads the table as a further sample of the schema's kind.
func (t *table) match(o CSVOptions) (*Set, error) {
	s := &Set{Attributes: o.Schema.Attributes, Classes: o.Schema.Classes}
	columns := make([]int, len(s.Attributes))
	class := -1
	for j, a := range s.Attributes {
		if columns[j] = slices.Index(t.header, a.Name); columns[j] < 0 {
			return nil, t.fail(1, a.Name, "the training set has this attribute, the file does not")
		}
	}
	for j, column := range t.header {
		if slices.Contains(columns, j) {
			continue
		}
		if class >= 0 || o.Class != "" && column != o.Class {
			return nil, t.fail(1, column, "the training set has no such attribute")
		}
		class = j
	}
	return s, t.fill(s, columns, class, nil)
}

// fill sets X and Y of a Set whose attributes and classes are known. The cells of
// numeric columns are parsed here unless numbers has them.
func (t *table) fill(s *Set, columns []int, class int, numbers [][]float64) error {
	s.X = mat.NewDense(len(t.rows), len(columns), nil)
	s.Y = make([]int, len(t.rows))
	codes := make([]map[string]int, len(columns))
	for j, a := range s.Attributes {
		codes[j] = codesOf(a.Levels)
	}
	classes := codesOf(s.Classes)
	for i, row := range t.rows {
		x := s.X.RawRowView(i)
		for j, column := range columns {
			if numbers != nil && s.Attributes[j].Kind == Numeric {
				x[j] = numbers[i][column]
				continue
			}
			v, problem := value(row.at(column), &s.Attributes[j], codes[j])
			if problem != "" {
				return t.fail(i+2, t.header[column], problem)
			}
			x[j] = v
		}
		if class < 0 {
			s.Y[i] = Unknown
			continue
		}
		label := row.at(class)
		code, ok := classes[label]
		switch {
		case missing(label):
			return t.fail(i+2, t.header[class], "the class is missing")
		case !ok:
			return t.fail(i+2, t.header[class], fmt.Sprintf("unknown class %q; the classes are %q", label, s.Classes))
		}
		s.Y[i] = code
	}
	return nil
}

func codesOf(names []string) map[string]int {
	codes := make(map[string]int, len(names))
	for k, name := range names {
		codes[name] = k
	}
	return codes
}

// value converts one cell, NaN when missing.
func value(cell string, a *Attribute, codes map[string]int) (v float64, problem string) {
	if missing(cell) {
		return math.NaN(), ""
	}
	if a.Kind == Numeric {
		v, ok := decimal(cell)
		if !ok {
			return 0, fmt.Sprintf("%q is not a number; a missing value is an empty cell, ? or NA", cell)
		}
		return v, ""
	}
	code, ok := codes[cell]
	if !ok {
		return 0, fmt.Sprintf("unknown level %q; the levels are %q", cell, a.Levels)
	}
	return float64(code), ""
}
