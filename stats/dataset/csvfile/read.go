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
	rows    []tableRow
	marks   map[string]bool // of missing values
	decimal rune            // the decimal mark: point or comma
	// pointCell describes the first number with a decimal point, as in: "1.5" in row 5, column "y".
	// It is "" unless recogniseDecimal finds such a number.
	pointCell string
}

// A tableRow contains the cells of a row in one string, because millions of strings would slow down
// garbage collection.
type tableRow struct {
	text   string
	bounds []int // cell j is text[bounds[j]:bounds[j+1]]
	number int   // number of the row in its file; the header is row 1
	file   int   // index in Table.names
}

func (t *Table) isMissing(cell string) bool { return t.marks[cell] }

func newTableRow(row []string, number int) tableRow {
	bounds := make([]int, len(row)+1)
	for j, cell := range row {
		bounds[j+1] = bounds[j] + len(cell)
	}
	return tableRow{text: strings.Join(row, ""), bounds: bounds, number: number}
}

// cell returns cell j of the row, or "" if Append added the column for another file.
func (r tableRow) cell(j int) string {
	if j+1 >= len(r.bounds) {
		return ""
	}
	return r.text[r.bounds[j]:r.bounds[j+1]]
}

// headSize is the number of bytes at the beginning of a file that are examined to recognise its format.
const headSize = 1 << 20

// ReadTable reads the cells of a CSV file as strings: a header line, then one row per line. The
// argument name is the file name for error messages.
//
// Without a schema, ReadTable recognises the separator and the decimal mark.
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

// findSeparator returns the column separator of a file, or an error if it is not CSV. It skips a
// byte-order mark.
func findSeparator(r *bufio.Reader, o Options) (rune, error) {
	head, err := peekHead(r)
	if err != nil {
		return 0, err
	}
	if problem := foreignFormat(head); problem != "" {
		return 0, errors.New("row 1: " + problem)
	}
	if o.Schema != nil {
		return ',', nil
	}
	return recogniseSeparator(string(head))
}

// peekHead returns the first headSize bytes of a file without consuming them. It skips a byte-order
// mark.
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

// noteFormat notes a separator other than a comma and, for such a file, a decimal comma and
// possible thousands separators.
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

// readRows reads the header, which is row 1, and at least one other row. An empty line is an error.
func (t *Table) readRows(reader *csv.Reader) error {
	nextLine := 1 // line at which the next row must begin
	for number := 1; ; number++ {
		row, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return t.parseError(number, len(row), err)
		}
		if line, _ := reader.FieldPos(0); line != nextLine { // the reader has skipped an empty line
			return fmt.Errorf("%s: row %d: line %d is empty; remove it, or write ? or NA for a missing value",
				t.names[0], number, nextLine)
		}
		nextLine = 1 + lastLine(reader, row)
		if err := t.trim(row, number); err != nil {
			return err
		}
		if t.header == nil {
			t.header = slices.Clone(row) // the reader overwrites row
		} else {
			t.rows = append(t.rows, newTableRow(row, number))
		}
	}
	if len(t.rows) == 0 {
		return fmt.Errorf("%s: the file has no rows; it needs a header line and at least one row", t.names[0])
	}
	return nil
}

// trim removes blanks around the cells of a row, in place. It returns an error if a cell is not
// valid UTF-8.
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

// lastLine returns the line at which a row ends. row is the row that reader has just read.
func lastLine(reader *csv.Reader, row []string) int {
	last := len(row) - 1
	start, _ := reader.FieldPos(last)
	return start + strings.Count(row[last], "\n") // a quoted cell may have several lines
}

// indexHeader sets t.last, the name of the last column, and t.column, which maps names to indices.
// An empty or repeated column name is an error.
func (t *Table) indexHeader() error {
	t.last = t.header[len(t.header)-1]
	t.column = make(map[string]int, len(t.header))
	for j, column := range t.header {
		_, isRepeated := t.column[column]
		hasValue := func(row tableRow) bool { return row.cell(j) != "" }
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

// parseError explains an error of encoding/csv in a row with the given number of cells.
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

// A CellError is an error in a cell or, in row 1, in a column.
type CellError struct {
	RowPlace
	Column, Msg string
}

func (e *CellError) Error() string {
	return fmt.Sprintf("%s: row %d, column %q: %s", e.File, e.Row, e.Column, e.Msg)
}

func (t *Table) rowError(i int, column, format string, args ...any) error {
	row := t.rows[i]
	return &CellError{RowPlace{t.names[row.file], row.number}, column, fmt.Sprintf(format, args...)}
}

func (t *Table) columnError(column, format string, args ...any) error {
	return &CellError{RowPlace{t.names[0], 1}, column, fmt.Sprintf(format, args...)}
}

// A RowPlace locates a row in its file. The header is row 1.
type RowPlace struct {
	File string
	Row  int
}

// Places returns the file and the row number of each row.
func (t *Table) Places() []RowPlace {
	places := make([]RowPlace, len(t.rows))
	for i, row := range t.rows {
		places[i] = RowPlace{t.names[row.file], row.number}
	}
	return places
}

// N returns the number of rows.
func (t *Table) N() int { return len(t.rows) }

// ClassColumn returns the name of the class column in the options, in the schema or, without these,
// the last column of the first file.
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
		if values[i] = strings.Clone(row.cell(j)); t.isMissing(values[i]) {
			return nil, t.rowError(i, name, "the value is missing")
		}
	}
	return values, nil
}

// Codes returns the distinct cells of a column in natural order, and the index of each cell in this
// list. No value may be missing.
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

// marksOf returns the set of strings that mark a missing value: the empty string and the given ones
// or, if these are nil, "?" and "NA".
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
