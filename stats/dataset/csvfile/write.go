package csvfile

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"copse/stats/dataset"
)

// ClassColumn is the name of the class column in files whose data do not come from a user's file.
const ClassColumn = "class"

// Write writes a sample as CSV: the attributes, then the column with the name class unless the labels
// are unknown. Numbers have the fewest digits that restore the same bits. Discrete values are level
// names. Missing values are NA.
//
// With the schema that WriteSchema writes, Read restores the same sample. Write returns an error if
// a name could not be read back, such as NA or a name with surrounding blanks.
func Write(w io.Writer, s *dataset.Set, class string) error {
	header, err := headerOf(s, class)
	if err != nil {
		return err
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	cells := make([]string, len(header))
	labelled := s.Labelled()
	for i, y := range s.Y {
		for j, v := range s.X.RawRowView(i) {
			cell, err := format(&s.Attributes[j], v)
			if err != nil {
				return fmt.Errorf("row %d, column %q: %w", i+1, s.Attributes[j].Name, err)
			}
			cells[j] = cell
		}
		if labelled {
			cells[s.D()] = s.Classes[y]
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// headerOf returns the header line for Write, or an error if the name of a column, level or class
// cannot be written.
func headerOf(s *dataset.Set, class string) ([]string, error) {
	header := make([]string, s.D())
	for j, a := range s.Attributes {
		header[j] = a.Name
		if err := checkNames("level of "+a.Name, a.Levels); err != nil {
			return nil, err
		}
	}
	if s.Labelled() {
		header = append(header, class)
	}
	if err := checkNames("column", header); err != nil {
		return nil, err
	}
	return header, checkNames("class", s.Classes)
}

// format formats the value v of an attribute: a missing value as NA, and a code as its level. It
// returns an error if v is infinite or not the code of a level.
func format(a *dataset.Attribute, v float64) (string, error) {
	switch {
	case math.IsNaN(v):
		return "NA", nil
	case math.IsInf(v, 0):
		return "", fmt.Errorf("the value is infinite")
	case a.Kind == dataset.Numeric:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	code := int(v)
	if code < 0 || code >= len(a.Levels) || float64(code) != v {
		return "", fmt.Errorf("%v is not the code of a level; the codes of levels are whole numbers from 0 to %d", v,
			len(a.Levels)-1)
	}
	return a.Levels[code], nil
}

// checkNames returns an error if a name is repeated or would be changed by Read. noun describes a
// name, such as "class".
func checkNames(noun string, names []string) error {
	seen, marks := make(map[string]bool, len(names)), marksOf(nil)
	for _, name := range names {
		if marks[name] || strings.TrimSpace(name) != name || strings.Contains(name, "\r") {
			return fmt.Errorf("%s %q cannot be read back from a CSV file; use a name that has no surrounding blanks "+
				"or carriage returns and is not empty, NA or ?", noun, name)
		}
		if seen[name] {
			return fmt.Errorf("%s %q occurs twice", noun, name)
		}
		seen[name] = true
	}
	return nil
}
