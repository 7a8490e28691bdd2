package sheet

import (
	"fmt"
	"strings"
)

// latexColumn is how a column is set.
type latexColumn struct {
	align string
	width float64  // points
	lines []string // of the head
	strut string   // before each of them
}

// wrapAt is where words begin a new line.
const wrapAt = 150.0 // points

// column measures column j: entries, foot and head, whose words stand in lines no wider
// than what is below them if they are to be stacked.
func (t *latexTable) column(j int, stack bool) latexColumn {
	head := t.Heads[j]
	c := latexColumn{align: "r", lines: strings.Split(head.Label, levelBreak)}
	if len(c.lines) > 1 {
		c.strut = `\strut ` // so that the levels of a factor are at one height
	}
	heads := t.rowHeads()
	longest := 0.0 // word of the heads of rows
	for i := range t.Rows {
		if j < heads {
			h := t.Rows[i].Heads[j]
			for _, word := range strings.Fields(h.Label) {
				longest = max(longest, latexWidth(word))
			}
			c.width = max(c.width, latexWidth(h.Label)+markWidth(h.Note))
		} else {
			c.width = max(c.width, t.Rows[i].Cells[j-heads].latexWidth())
		}
	}
	if j >= heads {
		for _, foot := range t.Foot {
			c.width = max(c.width, latexWidth(foot.Values[j-heads]))
		}
	}
	if stack && len(c.lines) == 1 {
		c.lines = stackWords(head.Label, c.width)
	}
	for _, line := range c.lines {
		c.width = max(c.width, latexWidth(line)+markWidth(head.Note))
	}
	switch {
	case head.Text && c.width > t.wrap:
		c.width, c.lines = t.wrap, strings.Split(head.Label, levelBreak)
		if t.Width > 0 {
			c.width = max(c.width, longest)
		}
		c.align = fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%.4gpt}", c.width)
	case head.Text:
		c.align = "l"
	}
	return c
}

// stackWords puts words into lines that are no wider than width or a word.
func stackWords(text string, width float64) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		width = max(width, latexWidth(word))
	}
	for _, word := range strings.Fields(text) {
		if n := len(lines) - 1; n >= 0 && latexWidth(lines[n]+" "+word) <= width {
			lines[n] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// boldWidth is how much wider bold type is.
const boldWidth = 1.16

func (e *Entry) latexWidth() float64 {
	main := latexWidth(e.Main)
	if e.Bold {
		main *= boldWidth
	}
	more := ""
	for _, text := range append([]string{e.Spread}, e.Lines...) {
		if text != "" {
			more += " " + text
		}
	}
	return main + latexWidth(more) + markWidth(e.Note)
}

func markWidth(note int) float64 {
	if note == 0 {
		return 0
	}
	return latexWidth(fmt.Sprint(note))
}

func (c *latexColumn) head() string {
	var lines []string
	for _, line := range c.lines {
		lines = append(lines, c.strut+EscapeLatex(line))
	}
	if len(lines) == 1 {
		return lines[0]
	}
	position := "l"
	if c.align == "r" {
		position = "r"
	}
	return fmt.Sprintf("\\shortstack[%s]{%s}", position, strings.Join(lines, `\\`))
}

// latex prints a cell.
func (e *Entry) latex() string {
	main := EscapeLatex(e.Main)
	if e.Bold {
		main = "\\textbf{" + main + "}"
	}
	for _, text := range append([]string{e.Spread}, e.Lines...) {
		if text != "" {
			main += " " + EscapeLatex(text)
		}
	}
	return main + texMark(e.Note)
}

// latinWidths are the widths of characters of Computer Modern at 8 points, in points,
// rounded up.
var latinWidths = []struct {
	points float64
	of     string
}{
	{4.3, "0123456789ago*/?–↑↓\""}, {2.4, "il.,;:'![]"}, {2.6, "fj"}, {2.9, "- \u00a0"}, {3.4, "rstI()"}, {3.8, "cez"},
	{4.5, "kqvxyJ_"}, {4.8, "bdhnpuS"}, {5.4, "LZ"}, {5.8, "EFP"}, {6.3, "wBCRT"}, {7.1, "m%#"}, {7.8, "M"}, {8.8, "W"},
}

const otherWidth = 6.7 // other capitals, signs of mathematics

// latexWidth is the width of text in type of 8 points.
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
