package dataset

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A table is a CSV file in memory, blanks trimmed.
type table struct {
	name   string
	header []string
	rows   []cells
}

// cells are those of a row, one after the other: one string, since a large file
// has millions of them for the garbage collector to look at.
type cells struct {
	text string
	ends []int
}

func newCells(row []string) cells {
	c := cells{strings.Join(row, ""), make([]int, len(row))}
	end := 0
	for j, cell := range row {
		end += len(cell)
		c.ends[j] = end
	}
	return c
}

func (c cells) at(j int) string {
	if j == 0 {
		return c.text[:c.ends[0]]
	}
	return c.text[c.ends[j-1]:c.ends[j]]
}

func readTable(r io.Reader, name string) (*table, error) {
	reader := csv.NewReader(r)
	reader.TrimLeadingSpace = true
	reader.ReuseRecord = true
	t := &table{name: name}
	line := 1 // where the next row should start; encoding/csv skips empty lines
	for number := 1; ; number++ {
		row, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, t.parseError(number, err)
		}
		if at, _ := reader.FieldPos(0); at != line {
			return nil, fmt.Errorf("%s: row %d: line %d is empty; a missing value alone on its line is ? or NA", name, number, line)
		}
		last := len(row) - 1
		line, _ = reader.FieldPos(last)
		line += 1 + strings.Count(row[last], "\n")
		for j := range row {
			row[j] = strings.TrimSpace(row[j])
		}
		if t.header == nil {
			row[0] = strings.TrimPrefix(row[0], "\ufeff") // the mark that spreadsheets put first
			t.header = slices.Clone(row)
		} else {
			t.rows = append(t.rows, newCells(row))
		}
	}
	if len(t.rows) == 0 {
		return nil, fmt.Errorf("%s: no rows; expected a header line and at least one row", name)
	}
	for j, column := range t.header {
		if column == "" {
			return nil, fmt.Errorf("%s: row 1: column %d has no name", name, j+1)
		}
		if slices.Contains(t.header[:j], column) {
			return nil, t.fail(1, column, "occurs twice")
		}
	}
	return t, nil
}

func (t *table) parseError(row int, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount) {
		return fmt.Errorf("%s: row %d (line %d): the number of cells is not that of the header, %d", t.name, row, parse.Line, len(t.header))
	}
	return fmt.Errorf("%s: row %d: %w", t.name, row, err)
}

func (t *table) fail(row int, column, problem string) error {
	return fmt.Errorf("%s: row %d, column %q: %s", t.name, row, column, problem)
}

func missing(cell string) bool { return cell == "" || cell == "?" || cell == "NA" }

// decimal parses a decimal number. Words such as inf and nan, hexadecimal codes
// and digits grouped by _, which strconv.ParseFloat takes, are text.
func decimal(cell string) (float64, bool) {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	for i := range len(cell) {
		if c := cell[i]; c == '_' || c|0x20 == 'x' {
			return 0, false
		}
	}
	return v, true
}

// numbers returns the cells as numbers, NaN where missing, and which columns have
// a cell that is neither missing nor a number; those in text are taken to.
// Infinities, NaN and overflows among numbers are errors, not levels.
func (t *table) numbers(text []bool) ([][]float64, error) {
	infinite := make([]int, len(t.header)) // first such row, counted from 1
	values := make([][]float64, len(t.rows))
	for i, row := range t.rows {
		values[i] = make([]float64, len(t.header))
		for j := range t.header {
			if text[j] {
				continue
			}
			cell := row.at(j)
			if missing(cell) {
				values[i][j] = math.NaN()
				continue
			}
			var ok bool
			if values[i][j], ok = decimal(cell); ok {
				continue
			}
			v, err := strconv.ParseFloat(cell, 64)
			if !math.IsNaN(v) && !math.IsInf(v, 0) || err != nil && !errors.Is(err, strconv.ErrRange) {
				text[j] = true
			} else if infinite[j] == 0 {
				infinite[j] = i + 1
			}
		}
	}
	for j, row := range infinite {
		if row > 0 && !text[j] {
			return nil, t.fail(row+1, t.header[j], fmt.Sprintf("%q is not finite; a missing value is an empty cell, ? or NA", t.rows[row-1].at(j)))
		}
	}
	return values, nil
}

// distinct returns the values of column j in natural order.
func (t *table) distinct(j int) []string {
	seen := make(map[string]bool)
	var values []string
	for _, row := range t.rows {
		if v := row.at(j); !missing(v) && !seen[v] {
			seen[v] = true
			values = append(values, strings.Clone(v))
		}
	}
	slices.SortFunc(values, naturalOrder)
	return values
}
