package data

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"copse/stats/dataset/csvfile"
)

// A table is a foreign file as text: cells are empty where values are missing.
type table struct {
	fields []csvfile.Field
	rows   [][]string
}

// parseARFF reads an attribute-relation file (Weka's format, which OpenML
// serves): declared attributes, then rows of cells, ? for a missing value. Sparse
// rows, dates and relations are refused.
func parseARFF(r io.Reader) (*table, error) {
	t := &table{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	inData := false
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '%' {
			continue
		}
		if err := t.line(line, &inData); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(t.fields) == 0 || len(t.rows) == 0 {
		return nil, fmt.Errorf("no attributes or no rows: not an ARFF file")
	}
	return t, nil
}

func (t *table) line(line string, inData *bool) error {
	if *inData {
		if line[0] == '{' {
			return fmt.Errorf("sparse rows are not read")
		}
		cells, err := arffCells(line)
		if err != nil {
			return err
		}
		if len(cells) != len(t.fields) {
			return fmt.Errorf("%d cells for %d attributes", len(cells), len(t.fields))
		}
		t.rows = append(t.rows, cells)
		return nil
	}
	keyword, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	switch strings.ToLower(keyword) {
	case "@relation":
	case "@data":
		*inData = true
	case "@attribute":
		field, err := arffAttribute(strings.TrimSpace(rest))
		if err != nil {
			return err
		}
		t.fields = append(t.fields, field)
	default:
		return fmt.Errorf("%q is no part of a header", keyword)
	}
	return nil
}

// arffAttribute reads NAME TYPE, where the type is numeric, real, integer,
// string or {level, level, ...}.
func arffAttribute(text string) (csvfile.Field, error) {
	name, rest, err := arffWord(text, " ")
	if err != nil {
		return csvfile.Field{}, err
	}
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "{") {
		end := strings.LastIndex(rest, "}")
		if end < 0 {
			return csvfile.Field{}, fmt.Errorf("attribute %q: the list of levels has no end", name)
		}
		levels, err := arffCells(rest[1:end])
		if err != nil {
			return csvfile.Field{}, fmt.Errorf("attribute %q: %w", name, err)
		}
		return csvfile.Field{Name: name, Type: "string", Categories: levels}, nil
	}
	switch kind := strings.ToLower(rest); {
	case slices.Contains([]string{"numeric", "real", "integer"}, kind):
		return csvfile.Field{Name: name, Type: "number"}, nil
	case kind == "string":
		return csvfile.Field{Name: name, Type: "string"}, nil
	}
	return csvfile.Field{}, fmt.Errorf("attribute %q: the type %q is not read", name, rest)
}

// arffCells splits a row at its commas; a missing value becomes empty.
func arffCells(line string) ([]string, error) {
	var cells []string
	for {
		word, rest, err := arffWord(strings.TrimSpace(line), ",")
		if err != nil {
			return nil, err
		}
		if word == "?" && !strings.HasPrefix(strings.TrimSpace(line), "'") {
			word = ""
		}
		cells = append(cells, word)
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return cells, nil
		}
		if rest[0] != ',' {
			return nil, fmt.Errorf("expected a comma at %q", rest[:min(len(rest), 20)])
		}
		line = rest[1:]
		if strings.TrimSpace(line) == "" {
			return append(cells, ""), nil
		}
	}
}

// arffWord splits off a word, which ends before end unless it is in quotes, where
// a backslash keeps the next character.
func arffWord(text, end string) (word, rest string, err error) {
	if text == "" {
		return "", "", fmt.Errorf("a word is missing")
	}
	quote := text[0]
	if quote != '\'' && quote != '"' {
		if at := strings.Index(text, end); at >= 0 {
			return strings.TrimSpace(text[:at]), text[at:], nil
		}
		return text, "", nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case text[i] == quote:
			return b.String(), text[i+1:], nil
		default:
			b.WriteByte(text[i])
		}
	}
	return "", "", fmt.Errorf("a quotation has no end: %s", text)
}
