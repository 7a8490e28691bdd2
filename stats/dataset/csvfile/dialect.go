package csvfile

import (
	"bytes"
	"regexp"
	"strings"
)

// foreignFormats are the beginnings of files in other formats, and what to do about them.
var foreignFormats = []struct {
	begins  *regexp.Regexp
	problem string
}{
	{regexp.MustCompile(`^(\xff\xfe|\xfe\xff)`),
		"the file is UTF-16; save it as UTF-8, or convert it with iconv -f UTF-16 -t UTF-8"},
	{regexp.MustCompile(`^PAR1[\x00-\x1f]`), "the file is Parquet; write it as CSV"},
	{regexp.MustCompile(`(?i)^(\s*%.*\n|\s*\n)*\s*@relation\s`), "the file is ARFF; write it as CSV"},
	{regexp.MustCompile(`^(PK\x03\x04|\xd0\xcf\x11\xe0)`),
		"the file is an archive or a spreadsheet; save it as CSV, UTF-8"},
	{regexp.MustCompile(`^\x1f\x8b`), "the file is compressed; unpack it with gunzip"},
}

// foreignFormat returns what is wrong with a file that begins as no CSV file does, ""
// for a CSV file.
func foreignFormat(head []byte) string {
	for _, o := range foreignFormats {
		if o.begins.Match(latin1(head[:min(len(head), 4096)])) {
			return o.problem
		}
	}
	if bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 {
		return "its lines end in CR alone; save it with LF or CR LF, or convert it with tr '\\r' '\\n'"
	}
	return ""
}

// latin1 makes every byte a character of its own, as patterns take them.
func latin1(text []byte) []byte {
	var b []rune
	for _, c := range text {
		b = append(b, rune(c))
	}
	return []byte(string(b))
}

// separators are those that are recognised, the likeliest first.
const separators = ",;\t|"

// recogniseSeparator returns the separator of a file from its beginning: the first that
// occurs in the header line and as often in the next one; failing that, the one that
// occurs most often in the header; a comma if none does. Quoted text does not count.
func recogniseSeparator(head string) rune {
	first, rest := unquotedLine(head)
	second, _ := unquotedLine(rest)
	best, most := ',', 0
	for _, c := range separators {
		count := strings.Count(first, string(c))
		if count > 0 && count == strings.Count(second, string(c)) {
			return c
		}
		if count > most {
			best, most = c, count
		}
	}
	return best
}

// unquotedLine splits off the first line and leaves out its quoted text.
func unquotedLine(text string) (line, rest string) {
	var b strings.Builder
	quoted := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\n' && !quoted:
			return b.String(), text[i+1:]
		case !quoted:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// recogniseDecimal returns ',' when some cells are numbers only with a decimal
// comma and none is one with a decimal point, otherwise '.'.
func (t *Table) recogniseDecimal(separator rune) rune {
	if separator == ',' {
		return '.'
	}
	commas := false
	for _, row := range t.rows {
		if !strings.ContainsAny(row.text, ",.") {
			continue
		}
		for j := range row.ends {
			cell := row.at(j)
			point, comma := strings.Contains(cell, "."), strings.Contains(cell, ",")
			if point == comma {
				continue
			}
			if _, ok := decimal(strings.Replace(cell, ",", ".", 1)); ok && point {
				return '.'
			} else if ok {
				commas = true
			}
		}
	}
	if commas {
		return ','
	}
	return '.'
}
