package csvfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Table is a CSV file in memory, as text without blanks around cells. Table.Set makes a labelled
// sample of it; Column returns the cells of other columns.
type Table struct {
	names   []string // of the files, one unless tables were appended
	header  []string
	column  map[string]int // index in header
	rows    []cells
	marks   map[string]bool // of missing values
	decimal rune            // the decimal mark: point or comma
}

// cells are the cells of a row, joined into one string. A large file has millions of cells, and
// the garbage collector visits every string.
type cells struct {
	text string
	ends []int // of the cells in text
	row  int   // number in its file; the header is row 1
	file int   // index in Table.names
}

// newCells returns the cells of a row with its number in the file.
func newCells(row []string, number int) cells {
	c := cells{text: strings.Join(row, ""), ends: make([]int, len(row)), row: number}
	end := 0
	for j, cell := range row {
		end += len(cell)
		c.ends[j] = end
	}
	return c
}

// at returns cell j, which is text[ends[j-1]:ends[j]].
func (c cells) at(j int) string {
	if j == 0 {
		return c.text[:c.ends[0]]
	}
	return c.text[c.ends[j-1]:c.ends[j]]
}

// headSize is the number of bytes from which the format of a file is recognised.
const headSize = 1 << 20

// ReadTable reads a CSV file: a header line, then one row per line. Errors name the file and the
// row. The separator and the decimal mark are recognised unless the options give them; o.Note
// receives them if they are not comma and point.
func ReadTable(r io.Reader, name string, o Options) (*Table, error) {
	buffered := bufio.NewReaderSize(r, headSize)
	head, err := buffered.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(head, mark) { // the byte-order mark of spreadsheets
		head = head[len(mark):]
		_, _ = buffered.Discard(len(mark)) // cannot fail after Peek
	}
	if problem := foreignFormat(head); problem != "" {
		return nil, fmt.Errorf("%s: row 1: %s", name, problem)
	}
	separator := cmp.Or(o.Separator, recogniseSeparator(string(head)))
	reader := csv.NewReader(buffered)
	reader.Comma = separator
	reader.TrimLeadingSpace = separator != '\t'
	reader.ReuseRecord = true
	t := &Table{names: []string{name}, marks: marksOf(o.Missing), decimal: o.Decimal}
	if err := t.readRows(reader); err != nil {
		return nil, err
	}
	if err := t.indexHeader(); err != nil {
		return nil, err
	}
	if o.Decimal == 0 {
		t.decimal = t.recogniseDecimal(separator)
	}
	if o.Separator == 0 && separator != ',' {
		o.note("%s: read with the separator %q", name, separator)
	}
	if o.Decimal == 0 && t.decimal != '.' {
		o.note("%s: read with the decimal mark %q", name, t.decimal)
	}
	return t, nil
}

// readRows reads the header and the rows.
func (t *Table) readRows(reader *csv.Reader) error {
	expected := 1 // line of the next row; encoding/csv skips empty lines
	for number := 1; ; number++ {
		row, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return t.parseError(number, err)
		}
		if line, _ := reader.FieldPos(0); line != expected {
			return fmt.Errorf("%s: row %d: line %d is empty; a missing value alone on its line is ? or NA",
				t.names[0], number, expected)
		}
		last := len(row) - 1
		lastLine, _ := reader.FieldPos(last)
		expected = lastLine + 1 + strings.Count(row[last], "\n") // a quoted cell may have several lines
		if err := t.trim(row, number); err != nil {
			return err
		}
		if t.header == nil {
			t.header = slices.Clone(row)
		} else {
			t.rows = append(t.rows, newCells(row, number))
		}
	}
	if len(t.rows) == 0 {
		return fmt.Errorf("%s: no rows; expected a header line and at least one row", t.names[0])
	}
	return nil
}

// trim removes the blanks around the cells of a row, in place. It fails on a cell that is not UTF-8,
// which no study can name and no page can show.
func (t *Table) trim(row []string, number int) error {
	for j := range row {
		row[j] = strings.TrimSpace(row[j])
		if !utf8.ValidString(row[j]) {
			return fmt.Errorf("%s: row %d, column %d: %q is not UTF-8; save the file as UTF-8, "+
				"or convert it with iconv -f WINDOWS-1252 -t UTF-8", t.names[0], number, j+1, row[j])
		}
	}
	return nil
}

// indexHeader fills t.column. It fails on columns without a name or with the same name.
func (t *Table) indexHeader() error {
	t.column = make(map[string]int, len(t.header))
	for j, column := range t.header {
		if column == "" {
			return fmt.Errorf("%s: row 1: column %d has no name; give it one, "+
				"or leave it out if it numbers the rows (in R: row.names = FALSE)", t.names[0], j+1)
		}
		if _, twice := t.column[column]; twice {
			return t.failHead(column, "occurs twice")
		}
		t.column[column] = j
	}
	return nil
}

// parseError returns the error of encoding/csv for a row, with its number.
func (t *Table) parseError(row int, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) && errors.Is(err, csv.ErrFieldCount) {
		return fmt.Errorf("%s: row %d (line %d): the number of cells is not that of the header, %d",
			t.names[0], row, parse.Line, len(t.header))
	}
	return fmt.Errorf("%s: row %d: %w", t.names[0], row, err)
}

// fail returns an error at a row of the table, counted from 0.
func (t *Table) fail(i int, column, problem string) error {
	return fmt.Errorf("%s: row %d, column %q: %s", t.names[t.rows[i].file], t.rows[i].row, column, problem)
}

// failHead returns an error at the header of a column.
func (t *Table) failHead(column, problem string) error {
	return fmt.Errorf("%s: row 1, column %q: %s", t.names[0], column, problem)
}

// N returns the number of rows.
func (t *Table) N() int { return len(t.rows) }

// Header returns the names of the columns.
func (t *Table) Header() []string { return slices.Clone(t.header) }

// Column returns the cells of a column. A missing cell is an error.
func (t *Table) Column(name string) ([]string, error) {
	j, ok := t.column[name]
	if !ok {
		return nil, t.failHead(name, "there is no such column")
	}
	values := make([]string, len(t.rows))
	for i, row := range t.rows {
		if values[i] = strings.Clone(row.at(j)); t.marks[values[i]] {
			return nil, t.fail(i, name, "the value is missing")
		}
	}
	return values, nil
}

// Codes returns the code of each cell of a column, and the distinct cells in natural order: the
// code of a cell is its index there. A missing cell is an error.
func (t *Table) Codes(name string) (codes []int, names []string, err error) {
	cells, err := t.Column(name)
	if err != nil {
		return nil, nil, err
	}
	c := newCoding(t.distinct(t.column[name], nil))
	for _, cell := range cells {
		codes = append(codes, c.code[cell])
	}
	return codes, c.names, nil
}

// marksOf returns the marks of missing values: the empty cell and the given ones; ? and NA if given
// is nil.
func marksOf(given []string) map[string]bool {
	marks := map[string]bool{"": true}
	if given == nil {
		given = []string{"?", "NA"}
	}
	for _, m := range given {
		marks[m] = true
	}
	return marks
}

// number parses a cell with the table's decimal mark. ok is false for other texts.
func (t *Table) number(cell string) (v float64, ok bool) {
	if t.decimal == ',' {
		if strings.Contains(cell, ".") {
			return 0, false
		}
		cell = strings.Replace(cell, ",", ".", 1)
	}
	return decimal(cell)
}

// infinite reports whether a cell is NaN, infinite or too large for a float64.
func infinite(cell string) bool {
	v, err := strconv.ParseFloat(cell, 64)
	return (math.IsNaN(v) || math.IsInf(v, 0)) && (err == nil || errors.Is(err, strconv.ErrRange))
}

// decimal parses a decimal number. ok is false for words such as inf and nan, for hexadecimal
// numbers and for digits with _, although strconv.ParseFloat reads them.
func decimal(cell string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || strings.ContainsAny(cell, "_xX") {
		return 0, false
	}
	return v, true
}
