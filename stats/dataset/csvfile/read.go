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

// A Table contains the cells of one or more CSV files as strings, without surrounding blanks.
type Table struct {
	names   []string // names of the files; Append adds files
	header  []string
	last    string         // the last column of the first file
	column  map[string]int // index in header
	rows    []cells
	marks   map[string]bool // of missing values
	decimal rune            // the decimal mark: point or comma
	// pointCell describes the first number with a decimal point, as in: "1.5" in row 5, column "y".
	// It is "" unless recogniseDecimal finds such a number.
	pointCell string
}

// cells contains the cells of a row, joined into one string. Millions of separate strings would
// slow down garbage collection.
type cells struct {
	text string
	ends []int // cell j ends before text[ends[j]]
	row  int   // number of the row in its file; the header is row 1
	file int   // index in Table.names
}

// isMissing reports whether a cell is a missing value.
func (t *Table) isMissing(cell string) bool { return t.marks[cell] }

func newCells(row []string, number int) cells {
	ends := make([]int, len(row))
	total := 0 // length of the cells so far
	for j, cell := range row {
		total += len(cell)
		ends[j] = total
	}
	return cells{text: strings.Join(row, ""), ends: ends, row: number}
}

// at returns cell j of the row, or "" if Append added the column for another file.
func (c cells) at(j int) string {
	if j >= len(c.ends) {
		return ""
	}
	if j == 0 {
		return c.text[:c.ends[0]]
	}
	return c.text[c.ends[j-1]:c.ends[j]]
}

// headSize is the number of bytes at the beginning of a file that are examined to recognise its format.
const headSize = 1 << 20

// ReadTable reads the cells of a CSV file as strings: a header line, then one row per line. The
// argument name is the file name for error messages.
//
// A file with a schema has commas as separators and decimal points. Without a schema, ReadTable
// recognises the separator and the decimal mark.
func ReadTable(r io.Reader, name string, o Options) (*Table, error) {
	buffered := bufio.NewReaderSize(r, headSize)
	separator, err := findSeparator(buffered, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &Table{names: []string{name}, marks: o.missingMarks()}
	if err := t.readRows(newCSVReader(buffered, separator)); err != nil {
		return nil, err
	}
	if err := t.indexHeader(); err != nil {
		return nil, err
	}
	t.decimal = t.recogniseDecimal(separator, o)
	t.noteFormat(separator, o)
	return t, nil
}

// findSeparator returns the column separator of a file, and skips a byte-order mark. It returns an
// error if the file is not CSV.
func findSeparator(r *bufio.Reader, o Options) (rune, error) {
	head, err := peekHead(r)
	if err != nil {
		return 0, err
	}
	if problem := foreignFormat(head); problem != "" { // such as a spreadsheet
		return 0, errors.New("row 1: " + problem)
	}
	if o.Schema != nil {
		return ',', nil
	}
	return recogniseSeparator(string(head))
}

// peekHead returns the first headSize bytes of a file without consuming them. It skips a byte-order
// mark, which some spreadsheet programs write.
func peekHead(r *bufio.Reader) ([]byte, error) {
	head, err := r.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(head, mark) {
		head = head[len(mark):]
		_, _ = r.Discard(len(mark)) // cannot fail after Peek
	}
	return head, nil
}

// missingMarks returns the set of strings that mark a missing value. They come from the options or,
// without this option, from the schema.
func (o *Options) missingMarks() map[string]bool {
	if o.Missing == nil && o.Schema != nil {
		return marksOf(o.Schema.MissingValues)
	}
	return marksOf(o.Missing)
}

func newCSVReader(r io.Reader, separator rune) *csv.Reader {
	reader := csv.NewReader(r)
	reader.Comma = separator
	reader.TrimLeadingSpace = separator != '\t' // with tabs, it would remove empty cells
	reader.ReuseRecord = true
	return reader
}

// noteFormat notes a separator other than a comma. For such a file, it also notes a decimal comma,
// and columns whose numbers may have thousands separators.
func (t *Table) noteFormat(separator rune, o Options) {
	if separator == ',' {
		return // the decimal mark is a point
	}
	o.note("%s: read with the separator %q", t.names[0], separator)
	if t.decimal != '.' {
		o.note("%s: read with the decimal mark %q", t.names[0], t.decimal)
	}
	t.noteThousands(o)
}

// readRows reads the header, which is row 1, and all other rows of a file. An empty line is an
// error. There must be at least one row after the header.
func (t *Table) readRows(reader *csv.Reader) error {
	nextLine := 1 // line at which the next row must begin; encoding/csv skips empty lines
	for number := 1; ; number++ {
		row, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return t.parseError(number, len(row), err)
		}
		if line, _ := reader.FieldPos(0); line != nextLine {
			return fmt.Errorf("%s: row %d: line %d is empty; remove it, or write ? or NA for a missing value",
				t.names[0], number, nextLine)
		}
		last := len(row) - 1
		lastLine, _ := reader.FieldPos(last)
		nextLine = lastLine + 1 + strings.Count(row[last], "\n") // a quoted cell may have several lines
		if err := t.trim(row, number); err != nil {
			return err
		}
		if t.header == nil {
			t.header = slices.Clone(row) // the reader overwrites row
		} else {
			t.rows = append(t.rows, newCells(row, number))
		}
	}
	if len(t.rows) == 0 {
		return fmt.Errorf("%s: the file has no rows; it needs a header line and at least one row", t.names[0])
	}
	return nil
}

// trim removes blanks around the cells of a row, in place. It returns an error if a cell is not
// valid UTF-8, because a study file could not name such a column or value. The argument number is
// the row number for error messages.
func (t *Table) trim(row []string, number int) error {
	for j := range row {
		row[j] = strings.TrimSpace(row[j])
		if !utf8.ValidString(row[j]) {
			return fmt.Errorf("%s: row %d, column %d: %q is not UTF-8; save the file as UTF-8, "+
				"or convert it with `iconv -f WINDOWS-1252 -t UTF-8`", t.names[0], number, j+1, row[j])
		}
	}
	return nil
}

// indexHeader computes t.column and t.last from t.header. It returns an error if a column name is empty or
// repeated.
func (t *Table) indexHeader() error {
	t.last = t.header[len(t.header)-1]
	t.column = make(map[string]int, len(t.header))
	for j, column := range t.header {
		_, isRepeated := t.column[column]
		hasValue := func(row cells) bool { return row.at(j) != "" }
		switch {
		case column == "" && !slices.ContainsFunc(t.rows, hasValue):
			return fmt.Errorf("%s: row 1: column %d has neither a name nor values; remove the separator at the end of "+
				"each line, or remove the column", t.names[0], j+1)
		case column == "":
			return fmt.Errorf("%s: row 1: column %d has no name; give it one, "+
				"or remove the column if it numbers the rows (in R: `row.names = FALSE`; in pandas: `index=False`)",
				t.names[0], j+1)
		case isRepeated:
			return t.columnError(column, "occurs twice; rename one of the columns")
		}
		t.column[column] = j
	}
	return nil
}

// parseError explains an error of encoding/csv in a row. The argument cells is the number of cells
// in the row.
func (t *Table) parseError(row, cells int, err error) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return fmt.Errorf("%s: row %d: %w", t.names[0], row, err)
	}
	place := fmt.Sprintf("%s: row %d (line %d)", t.names[0], row, parse.Line)
	if errors.Is(err, csv.ErrFieldCount) {
		return fmt.Errorf("%s: the number of cells is %d, but %d in the header; write a cell that contains the "+
			"separator in double quotes and decimal numbers with a point, and remove comments",
			place, cells, len(t.header))
	}
	return fmt.Errorf("%s: a double quote is misplaced or missing; write the whole cell in double quotes, and "+
		"each double quote inside it twice", place)
}

// A CellError is an error in the cell of a file, or in a column. An error in a column is in row 1.
type CellError struct {
	RowPlace
	Column, Msg string
}

func (e *CellError) Error() string {
	return fmt.Sprintf("%s: row %d, column %q: %s", e.File, e.Row, e.Column, e.Msg)
}

// rowError returns an error for row i of the table, counted from 0.
func (t *Table) rowError(i int, column, format string, args ...any) error {
	row := t.rows[i]
	return &CellError{RowPlace{t.names[row.file], row.row}, column, fmt.Sprintf(format, args...)}
}

// columnError returns an error about a column. The error points to row 1, the header of the file.
func (t *Table) columnError(column, format string, args ...any) error {
	return &CellError{RowPlace{t.names[0], 1}, column, fmt.Sprintf(format, args...)}
}

// A RowPlace locates a row in its file. The header is row 1.
type RowPlace struct {
	File string
	Row  int
}

// Places returns the file and the row number of each row of the table.
func (t *Table) Places() []RowPlace {
	places := make([]RowPlace, len(t.rows))
	for i, row := range t.rows {
		places[i] = RowPlace{t.names[row.file], row.row}
	}
	return places
}

// N returns the number of rows.
func (t *Table) N() int { return len(t.rows) }

// ClassColumn returns the name of the class column. It comes from the options or from the schema.
// Otherwise, it is the last column of the first file.
func (t *Table) ClassColumn(o Options) string {
	ofSchema := ""
	if o.Schema != nil {
		ofSchema = o.Schema.Class
	}
	return cmp.Or(o.Class, ofSchema, t.last)
}

// Header returns the names of the columns.
func (t *Table) Header() []string { return slices.Clone(t.header) }

// Column returns the cells of a column. It returns an error if a value is missing.
func (t *Table) Column(name string) ([]string, error) {
	j, ok := t.column[name]
	if !ok {
		return nil, t.columnError(name, "there is no such column")
	}
	values := make([]string, len(t.rows))
	for i, row := range t.rows {
		if values[i] = strings.Clone(row.at(j)); t.isMissing(values[i]) {
			return nil, t.rowError(i, name, "the value is missing")
		}
	}
	return values, nil
}

// Codes returns the distinct cells of a column in natural order, and the index of each cell in this
// list. It returns an error if a value is missing.
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

// marksOf returns the set of strings that mark a missing value: the empty string and the given
// strings. If given is nil, it uses "?" and "NA".
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

// number parses a number with the decimal mark of the table.
func (t *Table) number(cell string) (v float64, ok bool) {
	if t.decimal == ',' {
		if strings.Contains(cell, ".") {
			return 0, false
		}
		cell = strings.Replace(cell, ",", ".", 1)
	}
	return decimal(cell)
}

// isNaNOrInfinite reports whether a cell is NaN, infinite or too large for a float64.
func isNaNOrInfinite(cell string) bool {
	v, err := strconv.ParseFloat(cell, 64) // ErrRange with an infinity if the number is too large
	return (math.IsNaN(v) || math.IsInf(v, 0)) && (err == nil || errors.Is(err, strconv.ErrRange))
}

// decimal parses a decimal number. Unlike strconv.ParseFloat, it rejects words such as inf and nan,
// hexadecimal numbers and digits with underscores.
func decimal(cell string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) || strings.ContainsAny(cell, "_xX") {
		return 0, false
	}
	return v, true
}
