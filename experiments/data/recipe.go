package data

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/stats/dataset/csvfile"
)

// csv makes the set's CSV from the texts of its source's files.
func (s *Set) csv(texts [][]byte) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.Write(append(slices.Clone(s.Attributes), csvfile.ClassColumn)); err != nil {
		return nil, err
	}
	columns, err := s.columns()
	if err != nil {
		return nil, err
	}
	for k, text := range texts {
		rows, err := s.Source.rows(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Source.Files[k], err)
		}
		for i, row := range rows {
			cells, err := s.cells(row, columns)
			if err != nil {
				return nil, fmt.Errorf("%s: row %d: %w", s.Source.Files[k], i+1, err)
			}
			if err := w.Write(cells); err != nil {
				return nil, err
			}
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// columns returns the names of the source's columns in their order.
func (s *Set) columns() ([]string, error) {
	given := s.Source.Columns
	if given == nil {
		given = []string{"...", csvfile.ClassColumn}
	}
	var columns []string
	for _, c := range given {
		from, to, isRange := strings.Cut(c, "..")
		switch {
		case c == "...":
			columns = append(columns, s.Attributes...)
		case isRange:
			a, b := slices.Index(s.Attributes, from), slices.Index(s.Attributes, to)
			if a < 0 || b < a {
				return nil, fmt.Errorf("%s: no attributes %s", s.Name, c)
			}
			columns = append(columns, s.Attributes[a:b+1]...)
		default:
			columns = append(columns, c)
		}
	}
	if s.Source.Counted != nil {
		columns = append(columns, csvfile.ClassColumn)
	}
	return columns, nil
}

// rows splits a file into rows of trimmed cells. Lines without any are left out.
func (r *Source) rows(text []byte) ([][]string, error) {
	if r.Format == "arff" {
		table, err := parseARFF(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		return table.rows, nil
	}
	var rows [][]string
	var counts []int // of Counted
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for first := true; lines.Scan(); {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" || r.Comment != "" && strings.HasPrefix(line, r.Comment) {
			continue
		}
		if first && r.Header {
			first = false
			continue
		}
		cells := r.split(line)
		if first && r.Counted != nil {
			var err error
			if counts, err = r.counts(cells); err != nil {
				return nil, err
			}
			first = false
			continue
		}
		first = false
		if r.Counted != nil {
			label, err := nextLabel(counts, r.Counted)
			if err != nil {
				return nil, err
			}
			cells = append(cells, label)
		}
		rows = append(rows, cells)
	}
	for k, missing := range counts {
		if missing > 0 && lines.Err() == nil {
			return nil, fmt.Errorf("%d rows of %s fewer than line 1 counts", missing, r.Counted[k])
		}
	}
	return rows, lines.Err()
}

func (r *Source) split(line string) []string {
	if r.Format == "blanks" {
		return strings.Fields(line)
	}
	separator := r.Separator
	if separator == "" {
		separator = ","
	}
	cells := strings.Split(line, separator)
	for j := range cells {
		cells[j] = strings.Trim(strings.TrimSpace(cells[j]), `"`)
	}
	return cells
}

// counts reads the line that counts the rows of each class.
func (r *Source) counts(cells []string) ([]int, error) {
	if len(cells) != len(r.Counted) {
		return nil, fmt.Errorf("line 1: %d numbers for the classes %q", len(cells), r.Counted)
	}
	counts := make([]int, len(cells))
	for k, cell := range cells {
		var err error
		if counts[k], err = strconv.Atoi(cell); err != nil {
			return nil, fmt.Errorf("line 1: %q is no number of rows", cell)
		}
	}
	return counts, nil
}

// nextLabel takes a row from the first class that has one left.
func nextLabel(counts []int, classes []string) (string, error) {
	for k := range counts {
		if counts[k] > 0 {
			counts[k]--
			return classes[k], nil
		}
	}
	return "", fmt.Errorf("more rows than line 1 counts")
}

// cells turns a row of the source into one of the CSV: attributes, class.
func (s *Set) cells(row, columns []string) ([]string, error) {
	if s.Source.Letters != "" {
		return s.spelled(row, columns)
	}
	if len(row) != len(columns) {
		return nil, fmt.Errorf("%d cells, expected %d", len(row), len(columns))
	}
	cells := make([]string, len(s.Attributes)+1)
	for j, name := range columns {
		to := slices.Index(s.Attributes, name)
		if name == csvfile.ClassColumn {
			to = len(s.Attributes)
		}
		if to < 0 {
			continue
		}
		cell, err := s.Source.cell(row[j], name)
		if err != nil {
			return nil, err
		}
		cells[to] = cell
	}
	return cells, nil
}

// spelled takes the attributes from the letters of one column.
func (s *Set) spelled(row, columns []string) ([]string, error) {
	at, class := slices.Index(columns, s.Source.Letters), slices.Index(columns, csvfile.ClassColumn)
	if len(row) != len(columns) || len(row[at]) != len(s.Attributes) {
		return nil, fmt.Errorf("no row of %d columns with %d letters", len(columns), len(s.Attributes))
	}
	return append(strings.Split(row[at], ""), row[class]), nil
}

// cell writes one cell as the CSV has it.
func (r *Source) cell(text, column string) (string, error) {
	if text == "?" {
		return "", nil
	}
	if column == csvfile.ClassColumn {
		if r.CutClass != "" {
			text, _, _ = strings.Cut(text, r.CutClass)
		}
		if r.Underscores {
			text = strings.ReplaceAll(text, " ", "_")
		}
	}
	if r.IntegersBut != nil && !slices.Contains(r.IntegersBut, column) {
		text = strings.TrimSuffix(text, ".0")
	}
	if r.LeadingZeros && text != "" && strings.Trim(text, "0123456789") == "" {
		if text = strings.TrimLeft(text, "0"); text == "" {
			text = "0"
		}
	}
	if r.Numbers == "" || column == csvfile.ClassColumn {
		return text, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", fmt.Errorf("column %q: %q is not a number", column, text)
	}
	if r.Round > 0 {
		if v, err = strconv.ParseFloat(strconv.FormatFloat(v, 'f', r.Round, 64), 64); err != nil {
			return "", err
		}
	}
	text = plainNumber(v)
	if r.Numbers == "float" && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text, nil
}

// plainNumber writes a number with the fewest digits, with an exponent where
// Python and R write one, so that copies made by them have the same text.
func plainNumber(v float64) string {
	if a := max(v, -v); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
