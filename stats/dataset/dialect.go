package dataset

import "strings"

// separators are those that are recognised, the likeliest first.
const separators = ",;\t|"

// recognise finds the separator of a file from its beginning: the first that
// occurs in the header line and as often in the next one; failing that, the one
// that occurs most often in the header; a comma if none does. What is between
// quotes does not count.
func recognise(head string) rune {
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

// unquotedLine splits off the first line, from which it leaves out what is
// quoted.
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
