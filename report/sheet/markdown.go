package sheet

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the sheet as GitHub-flavoured Markdown.
func (s *Sheet) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s.** %s\n\n", EscapeMarkdown(strings.TrimSuffix(s.Title, ".")), EscapeMarkdown(s.Caption))
	b.WriteString(s.markdownHead())
	for _, row := range s.Rows {
		var heads []string
		for _, h := range row.Heads {
			heads = append(heads, EscapeMarkdown(h.Label)+footnoteMark(mdMark, h.Note))
		}
		b.WriteString(mdLine(append(heads, row.markdownCells()...)))
	}
	for _, foot := range s.Foot {
		heads := make([]string, s.RowHeadCount()) // the columns after the label stay empty
		heads[0] = "*" + EscapeMarkdown(foot.Heads[0].Label) + "*"
		b.WriteString(mdLine(append(heads, foot.markdownCells()...)))
	}
	for i, note := range s.Notes {
		number := footnoteMark(mdMark, i+1)
		fmt.Fprintf(&b, "\n%s %s\n", number, EscapeMarkdown(note))
	}
	for _, remark := range s.Remarks {
		fmt.Fprintf(&b, "\n%s\n", EscapeMarkdown(remark))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownHead returns the line of column heads and the line that aligns the columns.
func (s *Sheet) markdownHead() string {
	var labels, rule []string
	for _, h := range s.Heads {
		labels = append(labels, EscapeMarkdown(h.Label))
		alignment := "---:"
		if h.IsText {
			alignment = ":---"
		}
		rule = append(rule, alignment)
	}
	return mdLine(labels) + mdLine(rule)
}

func mdLine(fields []string) string { return "| " + strings.Join(fields, " | ") + " |\n" }

func (r *Row) markdownCells() (fields []string) {
	for _, e := range r.Cells {
		text := EscapeMarkdown(e.Main)
		if e.Bold {
			text = "**" + text + "**"
		}
		fields = append(fields, text+EscapeMarkdown(e.additionalText())+footnoteMark(mdMark, e.Note))
	}
	return fields
}

var mdEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", ">", "&gt;",
	"&", "&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "$", `\$`, "\n", " ", "\r", " ")

// EscapeMarkdown returns Markdown source that displays s unchanged.
func EscapeMarkdown(s string) string { return mdEscapes.Replace(s) }
