package data

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/stats/dataset/csvfile"
)

// csv converts the source files of a registered data set to a CSV file, as sets.yaml describes.
func (s *Set) csv(files [][]byte) ([]byte, error) {
	columns, err := s.columns()
	if err != nil {
		return nil, err
	}
	lines := [][]string{append(slices.Clone(s.Attributes), csvfile.ClassColumn)}
	for k, file := range files {
		rows, err := s.Source.rows(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Source.Files[k], err)
		}
		for i, row := range rows {
			cells, err := s.cells(row, columns)
			if err != nil {
				return nil, fmt.Errorf("%s: row %d: %w", s.Source.Files[k], i+1, err)
			}
			lines = append(lines, cells)
		}
	}
	return formatCSV(lines), nil
}

func formatCSV(lines [][]string) []byte {
	var out bytes.Buffer
	_ = csv.NewWriter(&out).WriteAll(lines) // a buffer accepts all text
	return out.Bytes()
}

// columns returns the column names of the source files. In sets.yaml, "..." means all attributes,
// and "a..b" means the attributes from a to b.
func (s *Set) columns() ([]string, error) {
	listed := s.Source.Columns // names and ranges of columns
	if listed == nil {
		listed = []string{"...", csvfile.ClassColumn}
	}
	var columns []string
	for _, c := range listed {
		from, to, isRange := strings.Cut(c, "..")
		switch {
		case c == "...":
			columns = append(columns, s.Attributes...)
		case isRange:
			first, last := slices.Index(s.Attributes, from), slices.Index(s.Attributes, to)
			if first < 0 || last < first {
				return nil, fmt.Errorf("%s: columns: want a range of attributes such as a..b, got %s", s.Name, c)
			}
			columns = append(columns, s.Attributes[first:last+1]...)
		default:
			columns = append(columns, c)
		}
	}
	if s.Source.Counted != nil { // appendClasses appends the class to each row
		columns = append(columns, csvfile.ClassColumn)
	}
	return columns, nil
}

const maxSourceLine = 1 << 20

// rows splits a source file into rows of values, without empty lines, comments and the header.
func (r *Source) rows(file []byte) (rows [][]string, err error) {
	if r.Format == "arff" {
		table, err := parseARFF(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		return table.rows, nil
	}
	lines := bufio.NewScanner(bytes.NewReader(file))
	lines.Buffer(nil, maxSourceLine)
	for lines.Scan() {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), byteOrderMark))
		isComment := r.Comment != "" && strings.HasPrefix(line, r.Comment)
		if line == "" || isComment {
			continue
		}
		rows = append(rows, r.split(line))
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	switch {
	case len(rows) == 0:
		return nil, nil
	case r.Header:
		return rows[1:], nil
	case r.Counted != nil: // the rows have no class labels, but the first line lists the class sizes
		return r.appendClasses(rows)
	}
	return rows, nil
}

func (r *Source) split(line string) []string {
	if r.Format == "blanks" {
		return strings.Fields(line)
	}
	cells := strings.Split(line, cmp.Or(r.Separator, ","))
	for j := range cells {
		cells[j] = strings.Trim(strings.TrimSpace(cells[j]), `"`)
	}
	return cells
}

// appendClasses appends the class to each row of a source file that is sorted by class. The first
// row, which it removes, gives the class sizes.
func (r *Source) appendClasses(rows [][]string) ([][]string, error) {
	counts, err := r.counts(rows[0])
	if err != nil {
		return nil, err
	}
	var labels []string
	for k, n := range counts { // n rows have class r.Counted[k]
		labels = append(labels, slices.Repeat(r.Counted[k:k+1], n)...)
	}
	rows = rows[1:]
	if len(rows) != len(labels) {
		return nil, fmt.Errorf("the file has %d rows, but line 1 states %d", len(rows), len(labels))
	}
	for i := range rows {
		rows[i] = append(rows[i], labels[i])
	}
	return rows, nil
}

func (r *Source) counts(cells []string) ([]int, error) {
	if len(cells) != len(r.Counted) {
		return nil, fmt.Errorf("line 1 has %d numbers, but needs one for each of the classes %q", len(cells), r.Counted)
	}
	counts := make([]int, len(cells))
	for k, cell := range cells {
		var err error
		if counts[k], err = strconv.Atoi(cell); err != nil {
			return nil, fmt.Errorf("line 1: %q is not a valid number of rows", cell)
		}
	}
	return counts, nil
}

// cells converts a row of a source file with the given columns to a row of the CSV file: the
// attributes, then the class. It omits columns that are not in the CSV file.
func (s *Set) cells(row, columns []string) ([]string, error) {
	if s.Source.LettersColumn != "" {
		return s.splitLetters(row, columns)
	}
	if len(row) != len(columns) {
		return nil, fmt.Errorf("the row has %d values, but %d columns are expected", len(row), len(columns))
	}
	cells := make([]string, len(s.Attributes)+1)
	for j, name := range columns {
		target := slices.Index(s.Attributes, name)
		if name == csvfile.ClassColumn {
			target = len(s.Attributes)
		}
		if target < 0 {
			continue
		}
		cell, err := s.Source.cell(row[j], name)
		if err != nil {
			return nil, err
		}
		cells[target] = cell
	}
	return cells, nil
}

// splitLetters converts a row of a source file in which each letter of one column is the value of
// one attribute.
func (s *Set) splitLetters(row, columns []string) ([]string, error) {
	at, class := slices.Index(columns, s.Source.LettersColumn), slices.Index(columns, csvfile.ClassColumn)
	if len(row) != len(columns) || len(row[at]) != len(s.Attributes) {
		return nil, fmt.Errorf("want a row of %d columns, with %d letters in the column %q",
			len(columns), len(s.Attributes), s.Source.LettersColumn)
	}
	return append(strings.Split(row[at], ""), row[class]), nil
}

// cell converts a value from the notation of a source file to the notation of the CSV file. An
// invalid number is an error.
func (r *Source) cell(text, column string) (string, error) {
	if text == "?" {
		return "", nil // missing
	}
	isClass := column == csvfile.ClassColumn
	if isClass {
		text = r.label(text)
	}
	isInteger := r.NonIntegers != nil && !slices.Contains(r.NonIntegers, column)
	if isInteger {
		text = strings.TrimSuffix(text, ".0") // some sources write the integer 5 as 5.0
	}
	hasOnlyDigits := text != "" && strings.Trim(text, "0123456789") == ""
	if r.LeadingZeros && hasOnlyDigits {
		text = cmp.Or(strings.TrimLeft(text, "0"), "0") // 007 becomes 7, and 00 becomes 0
	}
	if isClass || r.NumberFormat == "" { // numbers, if any, remain unchanged
		return text, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", fmt.Errorf("column %q: %q is not a number", column, text)
	}
	return r.formatNumber(v), nil
}

func (r *Source) formatNumber(v float64) string {
	if r.Round > 0 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', r.Round, 64), 64) // reads what FormatFloat wrote
	}
	text := plainNumber(v)
	if r.NumberFormat == "float" && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func (r *Source) label(text string) string {
	if r.CutClass != "" {
		text, _, _ = strings.Cut(text, r.CutClass)
	}
	if r.Underscores {
		text = strings.ReplaceAll(text, " ", "_")
	}
	return text
}

// plainNumber formats a number with the fewest digits that identify it. Like Python, it uses
// exponents below 1e-4 and from 1e16 on.
func plainNumber(v float64) string {
	if a := max(v, -v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
