package sheet

import (
	"fmt"
	"regexp"
	"strings"
)

// latexColumn is how a column is set.
type latexColumn struct {
	align  string
	width  float64 // points
	paired bool    // number and spread in columns of their own, set by siunitx
}

// wrapAt is where words begin a new line.
const wrapAt = 150.0 // points

// column measures column j: head, entries and foot.
func (t *latexTable) column(j int) latexColumn {
	c := latexColumn{width: latexWidth(t.Heads[j].Label), align: "r"}
	words := t.Heads[j].Text
	for i := range t.Rows {
		heads := len(t.Rows[i].Heads)
		text := ""
		if j < heads {
			text = t.Rows[i].Heads[j].Label
		} else {
			e := &t.Rows[i].Cells[j-heads]
			text = strings.Join(append([]string{e.Main, e.Spread}, e.Lines...), " ")
			if e.Bold {
				text += "0" // bold is a little wider
			}
			if e.Note != 0 {
				text += fmt.Sprint(e.Note)
			}
		}
		c.width = max(c.width, latexWidth(strings.TrimSpace(text)))
	}
	if k := j - t.rowHeads(); k >= 0 {
		for _, foot := range t.Foot {
			c.width = max(c.width, latexWidth(foot.Values[k]))
		}
	}
	switch {
	case words && c.width > wrapAt:
		c.width, c.align = wrapAt, fmt.Sprintf(">{\\raggedright\\arraybackslash}p{%gpt}", wrapAt)
	case words:
		c.align = "l"
	case t.SIunitx && j >= t.rowHeads():
		t.number(j-t.rowHeads(), &c)
	}
	return c
}

var plainNumber = regexp.MustCompile(`^[-−+]?([0-9]+)(?:\.([0-9]+))?$`)

// number makes c a column of siunitx for the numbers of cell column k, and one for
// their spread.
func (t *latexTable) number(k int, c *latexColumn) {
	whole, decimals := 0, 0
	for i := range t.Rows {
		if m := plainNumber.FindStringSubmatch(t.Rows[i].Cells[k].Main); m != nil {
			whole, decimals = max(whole, len(m[1])), max(decimals, len(m[2]))
		}
	}
	if whole > 0 {
		c.paired, c.align = true, fmt.Sprintf("S[table-format=-%d.%d]@{\\,}l", whole, decimals)
		c.width += 7 // a sign that may come
	}
}

// span is the number of columns of the tabular that c takes.
func (c *latexColumn) span() int {
	if c.paired {
		return 2
	}
	return 1
}

func (c *latexColumn) head(text string) string {
	if c.paired {
		return fmt.Sprintf("\\multicolumn{2}{c}{%s}", text)
	}
	return text
}

// entry prints a cell.
func (c *latexColumn) entry(e *Entry) string {
	main := EscapeLatex(e.Main)
	number := plainNumber.MatchString(e.Main)
	switch {
	case c.paired && number:
		main = strings.NewReplacer("−", "-", "+", "").Replace(e.Main)
		if e.Bold {
			main = "\\bfseries " + main
		}
	case e.Bold:
		main = "\\textbf{" + main + "}"
	}
	if c.paired && !number && main != "" {
		main = "{" + main + "}"
	}
	var more []string
	for _, text := range append([]string{e.Spread}, e.Lines...) {
		if text != "" {
			more = append(more, EscapeLatex(text))
		}
	}
	between := " "
	if c.paired {
		between = " & "
	} else if len(more) == 0 {
		between = ""
	}
	return main + between + strings.Join(more, " ") + texMark(e.Note)
}

// latexWidth estimates the width of text in \footnotesize, in points, from the
// metrics of Computer Modern at 8 points; a little too much rather than too little.
func latexWidth(text string) float64 {
	sum := 0.0
	for _, r := range text {
		switch {
		case strings.ContainsRune("ijl.,;:'!|", r):
			sum += 2.5
		case strings.ContainsRune("()[]-rtfs ", r):
			sum += 3.4
		case strings.ContainsRune("mwMW%@–−+≈↑↓=", r):
			sum += 7.6
		case r >= '0' && r <= '9':
			sum += 4.3
		case r >= 'A' && r <= 'Z':
			sum += 6.3
		default:
			sum += 4.6
		}
	}
	return sum
}
