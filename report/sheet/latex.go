package sheet

import (
	"fmt"
	"io"
	"strings"
)

// Latex writes the sheet as a LaTeX table float. The document needs the
// packages booktabs and graphicx; a table wider than the text is scaled down.
func (s *Sheet) Latex(w io.Writer) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{booktabs,graphicx}.\n\\begin{table}[tbp]\n\\centering\n")
	fmt.Fprintf(&b, "\\caption{%s. %s}\n\\label{%s}\n", EscapeLatex(strings.TrimSuffix(s.Title, ".")), EscapeLatex(s.Caption), s.ID)
	b.WriteString("\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n")
	b.WriteString("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n")
	fmt.Fprintf(&b, "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n", s.latexColumns(), s.latexHeads())
	s.latexBody(&b)
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
	s.latexNotes(&b)
	b.WriteString("\\end{table}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// LatexLong writes the sheet as a table that runs over pages. The document
// needs the packages booktabs and longtable.
func (s *Sheet) LatexLong(w io.Writer) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{booktabs,longtable}.\n\\begingroup\n\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n")
	fmt.Fprintf(&b, "\\begin{longtable}{%s}\n", s.latexColumns())
	fmt.Fprintf(&b, "\\caption{%s. %s}\\label{%s}\\\\\n", EscapeLatex(strings.TrimSuffix(s.Title, ".")), EscapeLatex(s.Caption), s.ID)
	fmt.Fprintf(&b, "\\toprule\n%s\\midrule\n\\endfirsthead\n\\toprule\n%s\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", s.latexHeads(), s.latexHeads())
	s.latexBody(&b)
	b.WriteString("\\end{longtable}\n")
	s.latexNotes(&b)
	b.WriteString("\\endgroup\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexColumns is the alignment of the columns.
func (s *Sheet) latexColumns() string {
	columns := ""
	for _, h := range s.Heads {
		if h.Text {
			columns += "l"
		} else {
			columns += "r"
		}
	}
	return columns
}

func latexLine(fields []string) string { return strings.Join(fields, " & ") + " \\\\\n" }

func (s *Sheet) latexHeads() string {
	var fields []string
	for _, h := range s.Heads {
		fields = append(fields, EscapeLatex(h.Label))
	}
	return latexLine(fields)
}

func (s *Sheet) latexBody(b *strings.Builder) {
	for i := range s.Rows {
		if s.Rows[i].Block {
			b.WriteString("\\addlinespace\n")
		}
		b.WriteString(latexLine(s.latexRow(i)))
	}
	if len(s.Foot) > 0 {
		b.WriteString("\\midrule\n")
	}
	for _, foot := range s.Foot {
		b.WriteString(latexLine(append([]string{fmt.Sprintf("\\multicolumn{%d}{l}{%s}", foot.Span, EscapeLatex(foot.Label))}, texAll(foot.Values)...)))
	}
}

// latexRow prints one row; outer levels equal to those above are left out.
func (s *Sheet) latexRow(i int) []string {
	row := &s.Rows[i]
	var fields []string
	repeated := i > 0
	for j, h := range row.Heads {
		repeated = repeated && j < len(row.Heads)-1 && h.Label == s.Rows[i-1].Heads[j].Label
		text := EscapeLatex(h.Label)
		if repeated {
			text = ""
		}
		fields = append(fields, text+texMark(h.Note))
	}
	for k := range row.Cells {
		fields = append(fields, row.Cells[k].latex())
	}
	return fields
}

func (e *Entry) latex() string {
	text := EscapeLatex(e.Main)
	if e.Bold {
		text = "\\textbf{" + text + "}"
	}
	for _, more := range append([]string{e.Spread}, e.Lines...) {
		if more != "" {
			text += " " + EscapeLatex(more)
		}
	}
	return text + texMark(e.Note)
}

func (s *Sheet) latexNotes(b *strings.Builder) {
	for i, note := range s.Notes {
		fmt.Fprintf(b, "\n\\smallskip\n\\parbox{\\linewidth}{\\footnotesize %s\\,%s}\n", texMark(i+1), EscapeLatex(note))
	}
	for _, remark := range s.Remarks {
		fmt.Fprintf(b, "\n\\smallskip\n\\parbox{\\linewidth}{\\footnotesize %s}\n", EscapeLatex(remark))
	}
}

func texMark(note int) string {
	if note == 0 {
		return ""
	}
	return fmt.Sprintf("\\textsuperscript{%d}", note)
}

var texEscapes = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, `"`, `\textquotedbl{}`,
	"–", "--", "—", "---", "−", "$-$", "×", `$\times$`, "±", `$\pm$`, "≤", `$\leq$`, "≥", `$\geq$`, "…", `\ldots{}`, "’", "'",
	"≈", `$\approx$`, "↑", `$\uparrow$`, "↓", `$\downarrow$`, "√", `$\surd$`, "\n", " ", "\r", " ")

// EscapeLatex writes text as LaTeX prints it.
func EscapeLatex(s string) string { return texEscapes.Replace(s) }

func texAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = EscapeLatex(s)
	}
	return out
}
