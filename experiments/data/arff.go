package data

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"copse/stats/dataset/csvfile"
)

// A table holds the columns and rows of a data file. A missing value is "".
type table struct {
	fields []csvfile.Field
	rows   [][]string
	lines  []int // lines[i] is the line of rows[i] in an ARFF file
}

const (
	maxARFFLine   = 16 << 20
	byteOrderMark = "\ufeff"
)

// parseARFF reads a file in Weka's attribute-relation file format (ARFF), which OpenML uses. It
// does not support sparse rows or relational attributes. Dates are text.
func parseARFF(r io.Reader) (*table, error) {
	t := &table{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxARFFLine)
	isHeader := true
	number := 1
	for ; lines.Scan(); number++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), byteOrderMark))
		if line == "" || line[0] == '%' { // % begins a comment
			continue
		}
		var err error
		switch {
		case strings.EqualFold(strings.Fields(line)[0], "@data"):
			isHeader = false
		case isHeader:
			err = t.headerLine(line)
		default:
			t.lines = append(t.lines, number)
			err = t.dataLine(line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d bytes", number, maxARFFLine)
	} else if err != nil {
		return nil, err
	}
	if len(t.fields) == 0 || len(t.rows) == 0 {
		return nil, errors.New("the file has no attributes or no rows, so it is not an ARFF file")
	}
	return t, nil
}

// csvOfARFF converts an ARFF file to a CSV file and its schema. class is the class column, or ""
// for the last column. lines contains the line of each row in the ARFF file.
func csvOfARFF(text []byte, class string) (csv []byte, schema *csvfile.Schema, lines []int, err error) {
	t, err := parseARFF(bytes.NewReader(text))
	if err != nil {
		return nil, nil, nil, err
	}
	d := description{Target: cmp.Or(class, t.fields[len(t.fields)-1].Name)}
	csv, schema, err = d.csv(t)
	return csv, schema, t.lines, err
}

// inARFF corrects the place of an error in a CSV file from csvOfARFF: the corrected error gives the
// line in the ARFF file.
func inARFF(err error, lines []int) error {
	var wrong *csvfile.CellError
	if !errors.As(err, &wrong) {
		return err
	}
	if wrong.Row == 1 { // the header of the CSV file
		return fmt.Errorf("%s: attribute %q: %s", wrong.File, wrong.Column, wrong.Msg)
	}
	return fmt.Errorf("%s: line %d, attribute %q: %s", wrong.File, lines[wrong.Row-2], wrong.Column, wrong.Msg)
}

// headerLine parses a header line: @relation NAME or @attribute NAME TYPE.
func (t *table) headerLine(line string) error {
	keyword, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	switch strings.ToLower(keyword) {
	case "@relation":
		return nil
	case "@attribute":
		field, err := arffAttribute(strings.TrimSpace(rest))
		t.fields = append(t.fields, field)
		return err
	}
	return fmt.Errorf("%q is not a keyword of an ARFF header; want @relation, @attribute or @data", keyword)
}

func (t *table) dataLine(line string) error {
	if line[0] == '{' {
		return errors.New("copse does not read sparse rows")
	}
	cells, err := arffCells(line)
	if err != nil {
		return err
	}
	if len(cells) != len(t.fields) {
		return fmt.Errorf("the row has %d values, but there are %d attributes", len(cells), len(t.fields))
	}
	t.rows = append(t.rows, cells)
	return nil
}

// arffAttribute parses NAME TYPE. TYPE is numeric, real, integer, string, date or a list of levels
// such as {red, 'light blue'}. A range of numbers or a format of dates may follow, as in real
// [0,1].
func arffAttribute(text string) (field csvfile.Field, err error) {
	name, rest, err := arffWord(text, " {")
	if err != nil {
		return field, err
	}
	field.Name = name
	field.Type = "string"
	kind := strings.TrimSpace(rest)
	if levels, isList := strings.CutPrefix(kind, "{"); isList {
		end := strings.LastIndex(levels, "}")
		if end < 0 {
			return field, fmt.Errorf("attribute %q: the list of levels has no closing brace", name)
		}
		if field.Categories, err = arffCells(levels[:end]); err != nil {
			return field, fmt.Errorf("attribute %q: %w", name, err)
		}
		return field, nil
	}
	// Only the first word matters: the range in real[0,1] need not follow a space.
	word, _, _ := strings.Cut(strings.ReplaceAll(kind, "[", " "), " ")
	switch strings.ToLower(word) {
	case "numeric", "real", "integer":
		field.Type = "number"
	case "string", "date":
	default:
		return field, fmt.Errorf("attribute %q: copse does not read the type %q", name, kind)
	}
	return field, nil
}

// arffCells splits a line at its commas and tabs. An unquoted question mark becomes an empty value.
// If the line ends in a comma, the last value is empty.
func arffCells(line string) (cells []string, err error) {
	rest := strings.TrimSpace(line)
	for {
		isQuoted := strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, `"`)
		var word string
		if word, rest, err = arffWord(rest, ",\t"); err != nil {
			return nil, err
		}
		if word == "?" && !isQuoted {
			word = ""
		}
		cells = append(cells, word)
		hasTab := strings.HasPrefix(rest, "\t") // TrimSpace removes this separator
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return cells, nil
		}
		hasComma := strings.HasPrefix(rest, ",")
		if !hasComma && !hasTab {
			return nil, fmt.Errorf("expected a comma at %q", rest[:min(len(rest), 20)])
		}
		rest = strings.TrimSpace(strings.TrimPrefix(rest, ","))
		if rest == "" { // the line ends in a comma
			return append(cells, ""), nil
		}
	}
}

// arffWord returns the first word of a text, and the rest after it. A quoted word ends at its
// closing quote. Other words end before the first character that is in separators.
func arffWord(text, separators string) (word, rest string, err error) {
	if text == "" {
		return "", "", errors.New("a word is missing")
	}
	if text[0] == '\'' || text[0] == '"' {
		return quotedWord(text)
	}
	end := strings.IndexAny(text, separators)
	if end < 0 {
		end = len(text)
	}
	return strings.TrimSpace(text[:end]), text[end:], nil
}

// quotedWord returns the quoted word at the beginning of a text, without quotes, and the rest. A
// backslash makes the next character literal.
func quotedWord(text string) (word, rest string, err error) {
	quote := text[0]
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] == quote {
			return b.String(), text[i+1:], nil
		}
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return "", "", fmt.Errorf("the closing quote is missing: %s", text)
}
