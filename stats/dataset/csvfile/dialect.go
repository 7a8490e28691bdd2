package csvfile

import (
	"bytes"
	"regexp"
	"strings"
)

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

// foreignFormat returns an error message if the first bytes of a file show that it is not CSV. Otherwise it
// returns "".
func foreignFormat(head []byte) string {
	for _, o := range foreignFormats {
		if o.begins.Match(latin1(head[:min(len(head), 4096)])) {
			return o.problem
		}
	}
	if bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 {
		return "the lines of the file end in CR alone; save it with LF or CR LF, or convert it with tr '\\r' '\\n'"
	}
	return ""
}

// latin1 converts each byte to the Latin-1 character with the same code, in UTF-8. A regular expression
// such as \xff then matches the byte 0xff.
func latin1(text []byte) []byte {
	var b []rune
	for _, c := range text {
		b = append(b, rune(c))
	}
	return []byte(string(b))
}

// separators lists the supported column separators, most common first.
const separators = ",;\t|"

// recogniseSeparator returns the first separator that occurs equally often, and at least once, in both of
// the first two lines. If there is none, it returns the most frequent separator of the first line, or a
// comma. It ignores quoted text.
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

// unquotedLine returns the first line of a text without its quoted parts, and the remaining text.
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

// recogniseDecimal guesses the decimal mark of the table: a comma if there are numbers with a decimal
// comma and none with a decimal point, and a point otherwise. separator is the column separator of the
// file.
func (t *Table) recogniseDecimal(separator rune) rune {
	if separator == ',' {
		return '.' // a comma inside a number would need quotes
	}
	mark := '.'
	for _, row := range t.rows {
		if !strings.ContainsAny(row.text, ",.") {
			continue
		}
		for j := range row.ends {
			cell := row.at(j)
			hasPoint, hasComma := strings.Contains(cell, "."), strings.Contains(cell, ",")
			if hasPoint == hasComma {
				continue // neither mark, or both
			}
			if _, isNumber := decimal(strings.Replace(cell, ",", ".", 1)); !isNumber {
				continue
			}
			if hasPoint {
				return '.'
			}
			mark = ','
		}
	}
	return mark
}
