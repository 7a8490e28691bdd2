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
	var labels, rule []string
	for _, h := range s.Heads {
		labels = append(labels, EscapeMarkdown(h.Label))
		alignment := "---:"
		if h.IsText {
			alignment = ":---"
		}
		rule = append(rule, alignment)
	}
	b.WriteString(mdLine(labels) + mdLine(rule))
	for _, row := range s.Rows {
		b.WriteString(row.markdown())
	}
	for _, foot := range s.Foot {
		label := make([]string, foot.Span) // the other columns of the label stay empty
		label[0] = "*" + EscapeMarkdown(foot.Label) + "*"
		b.WriteString(mdLine(append(label, foot.Values...)))
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

func mdLine(fields []string) string { return "| " + strings.Join(fields, " | ") + " |\n" }

func (r *Row) markdown() string {
	var fields []string
	for _, h := range r.Heads {
		fields = append(fields, EscapeMarkdown(h.Label)+footnoteMark(mdMark, h.Note))
	}
	for i := range r.Cells {
		fields = append(fields, r.Cells[i].markdown())
	}
	return mdLine(fields)
}

func (e *Entry) markdown() string {
	text := EscapeMarkdown(e.Main)
	if e.Bold {
		text = "**" + text + "**"
	}
	return text + EscapeMarkdown(e.additionalText()) + footnoteMark(mdMark, e.Note)
}

var mdEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", ">", "&gt;",
	"&", "&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "$", `\$`, "\n", " ", "\r", " ")

// EscapeMarkdown returns Markdown source that displays s unchanged.
func EscapeMarkdown(s string) string { return mdEscapes.Replace(s) }
