package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// text returns a cell's mean and spread as printed; the spread is empty where
// it is not shown or not determined. A cell without results has neither.
func (t *table) text(c *tableCell) (mean, spread string) {
	if c.N == 0 {
		return "", ""
	}
	mean = strconv.FormatFloat(c.Mean, 'f', t.Digits, 64)
	v := math.NaN()
	switch t.Spread {
	case "sd":
		v = c.SD
	case "se":
		v = c.MCSE
	}
	if !math.IsNaN(v) {
		spread = strconv.FormatFloat(v, 'f', t.Digits, 64)
	}
	return mean, spread
}

// text returns a foot row's value as printed.
func (f *footRow) text(k int) string {
	if math.IsNaN(f.Values[k]) {
		return ""
	}
	return strconv.FormatFloat(f.Values[k], 'f', f.Digits, 64)
}

// markdown writes the table as GitHub-flavoured Markdown.
func (t *table) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s.** %s\n\n", md(strings.TrimSuffix(t.Title, ".")), md(t.Caption))
	line := func(fields []string) { b.WriteString("| " + strings.Join(fields, " | ") + " |\n") }
	var heads, rule []string
	for i, h := range t.Heads {
		heads = append(heads, md(h))
		rule = append(rule, alignment(t.numericFactor(i)))
	}
	for _, h := range t.Columns {
		heads = append(heads, md(h))
		rule = append(rule, "---:")
	}
	line(heads)
	line(rule)
	for _, row := range t.Rows {
		var fields []string
		for _, l := range row.Labels {
			fields = append(fields, md(l))
		}
		fields[len(fields)-1] += mdMark(row.Note)

		for i := range row.Cells {
			fields = append(fields, t.markdownCell(&row.Cells[i]))
		}
		line(fields)
	}
	for _, foot := range t.Foot {
		fields := make([]string, len(t.Heads))
		fields[0] = "*" + md(foot.Label) + "*"

		for k := range t.Columns {
			fields = append(fields, foot.text(k))
		}
		line(fields)
	}
	for i, note := range t.Notes {
		fmt.Fprintf(&b, "\n%s %s\n", mdMark(i+1), md(note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *table) markdownCell(c *tableCell) string {
	mean, spread := t.text(c)
	switch {
	case mean == "":
		mean = "--"
	case c.Bold:
		mean = "**" + mean + "**"
	}
	if spread != "" {
		mean += " (" + spread + ")"
	}
	return mean + mdMark(c.Note)
}

// numericFactor says whether all levels of a row factor are numbers, which
// align to the right.
func (t *table) numericFactor(i int) bool {
	for _, row := range t.Rows {
		if i >= len(row.Levels) || row.Levels[i] != "" && !numeric(row.Labels[i]) {
			return false
		}
	}
	return true
}

func alignment(right bool) string {
	if right {
		return "---:"
	}
	return ":---"
}

func mdMark(note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf("<sup>%d</sup>", note)
}

var mdEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "\n", " ", "\r", " ")

func md(s string) string { return mdEscapes.Replace(s) }
