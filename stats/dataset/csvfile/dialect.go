package csvfile

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"copse/stats/dataset"
)

var foreignFormats = []struct {
	begins  *regexp.Regexp
	problem string
}{
	{regexp.MustCompile(`^(\xff\xfe|\xfe\xff)`),
		"the file is UTF-16; save it as UTF-8, or convert it with `iconv -f UTF-16 -t UTF-8`"},
	// A CSV file may have a column PAR1, followed by text.
	{regexp.MustCompile(`^PAR1[^\t\n\r -~\xc2-\xf4]`), "the file is Parquet; write it as CSV"},
	{regexp.MustCompile(`(?i)^(\s*%.*\n|\s*\n)*\s*@relation\s`), "the file is ARFF; write it as CSV, or add it with " +
		"`copse data add FILE.arff --name NAME`"},
	{regexp.MustCompile(`^(PK\x03\x04|\xd0\xcf\x11\xe0)`),
		"the file is a spreadsheet or an archive; save its data as a CSV file in UTF-8"},
	{regexp.MustCompile(`^\x1f\x8b`), "the file is compressed; unpack it with `gunzip`"},
}

// foreignFormat returns an error message if the first bytes of a file show that it is not CSV, and
// otherwise "".
func foreignFormat(head []byte) string {
	for _, o := range foreignFormats {
		if o.begins.Match(latin1(head[:min(len(head), 4096)])) {
			return o.problem
		}
	}
	if bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 {
		return "the lines of the file end in CR alone; save it with LF or CR LF, or convert it with `tr '\\r' '\\n'`"
	}
	return ""
}

// latin1 converts each byte to the Latin-1 character with the same code, which a regular expression
// such as \xff matches.
func latin1(text []byte) []byte {
	var b []rune
	for _, c := range text {
		b = append(b, rune(c))
	}
	return []byte(string(b))
}

const separators = ",;\t|"

// recogniseSeparator returns the column separator of a file that begins with head, or an error if
// the separator is ambiguous.
//
// The separator is the character that occurs equally often in every line. Text in double quotes does
// not count. If there is no such character, the first two lines decide or, if they do not, the header.
func recogniseSeparator(head string) (rune, error) {
	lines := unquotedLines(head)
	regular := regularSeparators(lines)
	if len(regular) == 2 && regular[0] == ',' { // the commas may be decimal commas; a comma is always first
		regular = decideOnComma(lines, regular[1])
	}
	if len(regular) > 1 {
		return 0, fmt.Errorf("each row has the same number of %q as the header, and also the same number of %q, so "+
			"the separator is ambiguous; write cells that contain %[1]q or %[2]q in double quotes",
			regular[0], regular[1])
	}
	if len(regular) == 0 { // a damaged row, which ReadTable reports
		regular = regularSeparators(lines[:min(2, len(lines))])
	}
	if len(regular) == 0 {
		return mostFrequentSeparator(lines[0]), nil
	}
	return regular[0], nil
}

// mostFrequentSeparator returns the separator that occurs most often in a line, or the comma if the
// line contains none.
func mostFrequentSeparator(line string) rune {
	best, most := ',', 0
	for _, c := range separators {
		if count := strings.Count(line, string(c)); count > most {
			best, most = c, count
		}
	}
	return best
}

// regularSeparators returns the separators that occur equally often in every line, or none for a
// single line.
func regularSeparators(lines []string) (list []rune) {
	for _, c := range separators {
		count := strings.Count(lines[0], string(c))
		isOther := func(line string) bool { return strings.Count(line, string(c)) != count }
		if count > 0 && len(lines) > 1 && !slices.ContainsFunc(lines, isOther) {
			list = append(list, c)
		}
	}
	return list
}

// decideOnComma decides whether the comma or the character other separates the columns. If the
// rules below do not decide, it returns both. Every line must contain the same number of commas,
// and the same number of other.
//
// The comma separates the columns if it occurs more often in the header than other, as in "a,b,c;d". If
// other separated them, a column name would contain at least one comma on average. A header in which a
// space follows a comma is an exception, because this comma is probably part of a name.
//
// The character other separates the columns if each comma in the rows is a decimal comma and, in the
// header, commas occur less often than other or a space follows a comma.
func decideOnComma(lines []string, other rune) []rune {
	header, rows := lines[0], lines[1:]
	commas, others := strings.Count(header, ","), strings.Count(header, string(other))
	commaInName := strings.Contains(header, ", ")
	if commas > others && !commaInName {
		return []rune{','}
	}
	preferOther := others > commas || commaInName
	if preferOther && hasDecimalCommas(rows, other) { // as in 1,5;2,5
		return []rune{other}
	}
	return []rune{',', other}
}

// hasDecimalCommas reports whether each cell with a comma is a number with a decimal comma.
func hasDecimalCommas(rows []string, separator rune) bool {
	for _, row := range rows {
		for _, cell := range strings.Split(row, string(separator)) {
			_, isNumber := decimal(strings.Replace(strings.TrimSpace(cell), ",", ".", 1))
			if strings.Contains(cell, ",") && !isNumber {
				return false
			}
		}
	}
	return true
}

// unquotedLines divides the beginning of a file into lines, without blank lines and without text in
// double quotes. A line break in quotes does not end a line.
//
// The last line may be incomplete, because text ends there. It is left out if at least two lines
// precede it.
func unquotedLines(text string) (lines []string) {
	var line strings.Builder
	quoted := false
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			if strings.TrimSpace(line.String()) != "" {
				lines = append(lines, line.String())
			}
			line.Reset()
		case !quoted:
			line.WriteByte(c)
		}
	}
	if len(lines) < 2 {
		lines = append(lines, line.String()) // the rest of text, after the last line break
	}
	return lines
}

// recogniseDecimal guesses the decimal mark of the table from the attributes that may be numeric
// or, if they contain no mark, from all columns.
func (t *Table) recogniseDecimal(separator rune, o Options) rune {
	if separator == ',' {
		return '.' // a comma inside a number would need quotes
	}
	if mark := t.markIn(t.possiblyNumeric(o)); mark != 0 {
		return mark
	}
	return cmp.Or(t.markIn(slices.Sorted(maps.Values(t.column))), '.')
}

// possiblyNumeric returns the columns that may be numeric attributes. It ignores columns in the
// options that the table lacks, because they may belong to other files.
func (t *Table) possiblyNumeric(o Options) (columns []int) {
	class := t.ClassColumn(o)
	for j, name := range t.header {
		if o.mayBeNumeric(name, class) {
			columns = append(columns, j)
		}
	}
	return columns
}

// mayBeNumeric reports whether a column is an attribute that is not declared discrete. With a
// training set, the attribute must be numeric there. class is the name of the class column.
func (o *Options) mayBeNumeric(column, class string) bool {
	if o.Train != nil {
		isNumeric := func(a dataset.Attribute) bool { return a.Name == column && a.Kind == dataset.Numeric }
		return slices.ContainsFunc(o.Train.Attributes, isNumeric)
	}
	isLeftOut := slices.Contains(o.Drop, column) || o.Keep != nil && !slices.Contains(o.Keep, column)
	allOthers := slices.Contains(o.Discrete, "*") && !slices.Contains(o.Numeric, column)
	return column != class && !isLeftOut && !allOthers && !slices.Contains(o.Discrete, column)
}

// markIn returns the decimal mark of the numbers in the given columns, or 0 if they contain none. A
// point wins over a comma, and the first number with a point is stored in t.pointCell.
func (t *Table) markIn(columns []int) (mark rune) {
	for _, row := range t.rows {
		if !strings.ContainsAny(row.text, ",.") {
			continue // no cell of the row contains a mark
		}
		for _, j := range columns {
			cell := row.cell(j)
			switch markOf(cell) {
			case '.':
				t.pointCell = fmt.Sprintf("%q in row %d, column %q", cell, row.number, t.header[j])
				return '.'
			case ',':
				mark = ','
			}
		}
	}
	return mark
}

// markOf returns the decimal mark of a number, or 0 if the cell is not a number with a single mark.
func markOf(cell string) rune {
	hasPoint, hasComma := strings.Contains(cell, "."), strings.Contains(cell, ",")
	if hasPoint == hasComma { // neither, or both
		return 0
	}
	if _, isNumber := decimal(strings.Replace(cell, ",", ".", 1)); !isNumber {
		return 0
	}
	if hasPoint {
		return '.'
	}
	return ','
}

// likeThousands matches a number such as 1.100, whose only mark may separate thousands.
var likeThousands = regexp.MustCompile(`^[-+]?[1-9]\d{0,2}[.,]\d{3}$`)

func (t *Table) noteThousands(o Options) {
	for _, column := range t.possiblyNumeric(o) {
		if cell := t.thousandsIn(column); cell != "" {
			o.note("%s: in column %q, all numbers with a point or comma have three digits after it, such as %s: if it "+
				"separates thousands, write %s", t.names[0], t.header[column], cell,
				strings.NewReplacer(".", "", ",", "").Replace(cell))
		}
	}
}

// thousandsIn returns the first number with a mark in a column if all marks, as in 1.100, may be
// thousands separators. Otherwise, or if fewer than 5 numbers have a mark, it returns "".
func (t *Table) thousandsIn(column int) (first string) {
	const fewest = 5
	marked := 0
	for _, row := range t.rows {
		cell := row.cell(column)
		if !strings.ContainsAny(cell, ".,") {
			continue
		}
		if !likeThousands.MatchString(cell) {
			return ""
		}
		first = cmp.Or(first, cell)
		marked++
	}
	if marked < fewest {
		return ""
	}
	return first
}
