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
	line := func(fields []string) { b.WriteString("| " + strings.Join(fields, " | ") + " |\n") }
	var heads, rule []string
	for _, h := range s.Heads {
		heads = append(heads, EscapeMarkdown(h.Label))
		if h.Text {
			rule = append(rule, ":---")
		} else {
			rule = append(rule, "---:")
		}
	}
	line(heads)
	line(rule)
	for _, row := range s.Rows {
		var fields []string
		for _, h := range row.Heads {
			fields = append(fields, EscapeMarkdown(h.Label)+mdMark(h.Note))
		}
		for i := range row.Cells {
			fields = append(fields, row.Cells[i].markdown())
		}
		line(fields)
	}
	for _, foot := range s.Foot {
		fields := make([]string, foot.Span)
		fields[0] = "*" + EscapeMarkdown(foot.Label) + "*"
		line(append(fields, foot.Values...))
	}
	for i, note := range s.Notes {
		fmt.Fprintf(&b, "\n%s %s\n", mdMark(i+1), EscapeMarkdown(note))
	}
	for _, remark := range s.Remarks {
		fmt.Fprintf(&b, "\n%s\n", EscapeMarkdown(remark))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown returns the entry as Markdown.
func (e *Entry) markdown() string {
	text := strings.ReplaceAll(EscapeMarkdown(e.Main), "–", "--")
	if e.Bold {
		text = "**" + text + "**"
	}
	return text + EscapeMarkdown(e.more()) + mdMark(e.Note)
}

func mdMark(note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf("<sup>%d</sup>", note)
}

var mdEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", ">", "&gt;",
	"&", "&amp;",
	"[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "\n", " ", "\r", " ")

// EscapeMarkdown returns Markdown that prints a text.
func EscapeMarkdown(s string) string { return mdEscapes.Replace(s) }
