package sheet

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

type latexColumn struct {
	align        string   // column type of the tabular
	width        float64  // points
	headLines    []string // lines of the head
	lineStart    string   // LaTeX source before each line of the head
	widestSpread string   // its width is reserved by other entries (see entry)
}

// wrapAt is the maximum width of a column of words. fewestBlocks also tries smaller widths.
const wrapAt = 150.0 // points

// layOutColumn determines the alignment, the width and the head of column j. A column is as wide as its widest entry
// or line of the head, but LaTeX wraps columns of text that are wider than t.maxTextWidth.
//
// A head has one line or, in a transposed table, one line for each level. breakHead allows further lines.
func (t *latexTable) layOutColumn(j int, breakHead bool) latexColumn {
	head := t.Heads[j]
	levels := strings.Split(head.Label, levelSeparator)
	c := latexColumn{align: "r", headLines: levels, widestSpread: t.widestSpread(j)}
	c.width = t.bodyWidth(j, c.widestSpread)
	switch {
	case len(levels) > 1:
		c.lineStart = `\strut ` // gives all lines the same height
	case breakHead:
		c.headLines = stackWords(head.Label, c.width)
	}
	for _, line := range c.headLines {
		c.width = max(c.width, latexWidth(line)+markWidth(head.Note))
	}
	if head.IsText {
		c.align = "l"
		if c.width > t.maxTextWidth {
			c.headLines = levels // no further lines, because LaTeX breaks long lines
			t.wrap(&c, j)
		}
	}
	return c
}

// wrap makes LaTeX break the texts of column j into lines of width t.maxTextWidth. If Width is set, the column
// is at least as wide as the longest word of its row heads.
func (t *latexTable) wrap(c *latexColumn, j int) {
	c.width = t.maxTextWidth
	if t.Width > 0 {
		c.width = max(c.width, t.longestWord(j))
	}
	c.align = fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%.4gpt}", c.width)
}

// longestWord returns the width of the longest word in column j of the row heads, or 0 for columns of entries.
func (t *latexTable) longestWord(j int) (width float64) {
	if j >= t.RowHeadCount() {
		return 0
	}
	width = widestWord(strings.ReplaceAll(t.Heads[j].Label, levelSeparator, " "))
	for _, row := range t.Rows {
		width = max(width, widestWord(row.Heads[j].Label))
	}
	return width
}

// widestSpread returns the widest spread in column j, such as "(1.25)", of the entries that alignsSpread
// accepts. It returns "" if there are none.
func (t *latexTable) widestSpread(j int) (widest string) {
	k := j - t.RowHeadCount()
	if k < 0 {
		return ""
	}
	for _, row := range t.Rows {
		if e := &row.Cells[k]; e.alignsSpread() && latexWidth(e.Spread) > latexWidth(widest) {
			widest = e.Spread
		}
	}
	return widest
}

// alignsSpread reports whether the spread of an entry is aligned with the spreads of other rows.
// Words and entries of several lines are not aligned.
func (e *Entry) alignsSpread() bool { return !e.IsText && e.Lines == nil }

// bodyWidth returns the width of the widest row head, entry or foot in column j. Aligned entries reserve room
// for widestSpread.
func (t *latexTable) bodyWidth(j int, widestSpread string) (widest float64) {
	k := j - t.RowHeadCount() // negative for row heads
	if k < 0 {
		for _, row := range t.Rows {
			widest = max(widest, latexWidth(row.Heads[j].Label)+markWidth(row.Heads[j].Note))
		}
		return widest
	}
	for _, row := range t.Rows {
		e := row.Cells[k] // a copy
		if e.alignsSpread() {
			e.Spread = widestSpread
		}
		widest = max(widest, e.latexWidth())
	}
	for _, foot := range t.Foot {
		widest = max(widest, latexWidth(foot.Cells[k].text()))
	}
	return widest
}

// stackWords breaks text into lines that are at most width wide, unless a single word is wider.
func stackWords(text string, width float64) []string {
	width = max(width, widestWord(text))
	line := "" // with the space after its last word, if any
	var lines []string
	for _, word := range words(text) {
		if line != "" && latexWidth(strings.TrimSpace(line+word)) > width {
			lines = append(lines, strings.TrimSpace(line))
			line = ""
		}
		line += word
	}
	if line != "" {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines
}

func widestWord(text string) (width float64) {
	for _, word := range words(text) {
		width = max(width, latexWidth(strings.TrimSpace(word)))
	}
	return width
}

// words divides text into parts between which LaTeX may break a line: words with the space after them, and the
// parts of long expressions.
func words(text string) (list []string) {
	for _, word := range strings.Fields(text) {
		list = append(list, strings.Split(markBreaks(word)+" ", breakMark)...)
	}
	return list
}

// breakMark is the character at which LaTeX may break a word: Unicode's zero width space.
const breakMark = "\u200b"

var (
	longWord  = regexp.MustCompile(`\S{18,}`) // shorter words are narrower than wrapAt
	operators = regexp.MustCompile(`([-+*/),]+)(\S)`)
)

// markBreaks adds breakMark after operators, commas and closing parentheses in words that are too wide for a
// column. Such words are expressions, for example of a cost.
func markBreaks(text string) string {
	return longWord.ReplaceAllStringFunc(text, func(word string) string {
		if latexWidth(word) <= wrapAt {
			return word
		}
		return operators.ReplaceAllString(word, "${1}"+breakMark+"${2}")
	})
}

const boldWidth = 1.16

func (e *Entry) latexWidth() float64 {
	main := latexWidth(e.Main)
	if e.Bold {
		main *= boldWidth
	}
	return main + latexWidth(e.additionalText()) + markWidth(e.Note)
}

// text returns the entry in one line, without its footnote.
func (e *Entry) text() string { return strings.TrimSpace(e.Main + e.additionalText()) }

// additionalText returns the spread and the additional lines of an entry, each after a space.
func (e *Entry) additionalText() string {
	text := ""
	for _, part := range append([]string{e.Spread}, e.Lines...) {
		if part != "" {
			text += " " + part
		}
	}
	return text
}

func markWidth(note int) float64 { return latexWidth(footnoteMark("%s", note)) }

// head returns the LaTeX source of the column head. Several lines form a \shortstack or, if LaTeX must break one
// of them, a \parbox.
func (c *latexColumn) head() string {
	var lines []string
	for _, line := range c.headLines {
		lines = append(lines, c.lineStart+EscapeLatex(line))
	}
	if len(lines) == 1 {
		return lines[0]
	}
	position := "l"
	if c.align == "r" {
		position = "r"
	}
	stack := strings.Join(lines, `\\`)
	if slices.ContainsFunc(c.headLines, func(line string) bool { return latexWidth(line) > c.width }) {
		const asInShortstack = `\baselineskip-1pt\lineskip3pt` // level with the other heads
		return fmt.Sprintf("\\parbox[b]{%.4gpt}{%s\\raggedright %s}", c.width, asInShortstack, stack)
	}
	return fmt.Sprintf("\\shortstack[%s]{%s}", position, stack)
}

// entry returns the LaTeX source of an entry. Columns of numbers are right-aligned, but the numbers must end at
// the same place although spreads differ in width. Each entry therefore takes up the room of its number and the
// widest spread. Footnote marks take up no room.
func (c *latexColumn) entry(e *Entry) string {
	main, added, mark := EscapeLatex(e.Main), EscapeLatex(e.additionalText()), footnoteMark(texMark, e.Note)
	if e.Bold {
		main = "\\textbf{" + main + "}"
	}
	if c.align != "r" { // a column of words
		return main + added + mark
	}
	hasWidestSpread := latexWidth(e.Spread) >= latexWidth(c.widestSpread)
	if !e.alignsSpread() || hasWidestSpread {
		return main + added + withoutWidth(mark)
	}
	differsOnlyInDigits := withoutDigits(e.Spread) == withoutDigits(c.widestSpread)
	if differsOnlyInDigits { // all digits have the same width
		missing := len(c.widestSpread) - len(e.Spread)
		return main + added + withoutWidth(mark) + phantom(strings.Repeat("0", missing))
	}
	// Print the spread without a width, and reserve the width of the widest spread instead.
	return main + withoutWidth(added+mark) + phantom(" "+EscapeLatex(c.widestSpread))
}

func withoutDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, s)
}

// phantom returns LaTeX source that takes up the room of the given source, but prints nothing.
func phantom(source string) string { return "\\phantom{" + source + "}" }

// withoutWidth returns LaTeX source that prints the given source, but takes up no room.
func withoutWidth(source string) string {
	if source == "" {
		return ""
	}
	return "\\rlap{" + source + "}"
}

// latinWidths contains the widths of characters in Computer Modern at 8 points, rounded up.
var latinWidths = []struct {
	points float64
	of     string
}{
	{4.3, "0123456789ago*/?–↑↓\""}, {2.4, "il.,;:'![]"}, {2.6, "fj"}, {2.9, "- \u00a0"}, {3.4, "rstI()"}, {3.8, "cez"},
	{4.5, "kqvxyJ_"}, {4.8, "bdhnpuS"}, {5.4, "LZ"}, {5.8, "EFP"}, {6.3, "wBCRT"}, {7.1, "m%#"}, {7.8, "M"}, {8.8, "W"},
}

const otherWidth = 6.7 // width of other capitals and mathematical signs

// latexWidth returns the width of a text in points, for a font size of 8 points.
func latexWidth(text string) float64 {
	sum := 0.0
	for _, r := range text {
		points := otherWidth
		for _, w := range latinWidths {
			if strings.ContainsRune(w.of, r) {
				points = w.points
				break
			}
		}
		sum += points
	}
	return sum
}
