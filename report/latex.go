package report

import (
	"fmt"
	"io"
	"strings"
)

// latex writes the table as a LaTeX table float. The document needs the
// packages booktabs and graphicx; a table wider than the text is scaled down.
func (t *table) latex(w io.Writer) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{booktabs,graphicx}.\n\\begin{table}[tbp]\n\\centering\n")
	fmt.Fprintf(&b, "\\caption{%s. %s}\n\\label{tab:%s}\n", tex(strings.TrimSuffix(t.Title, ".")), tex(t.Caption), safeName(t.Name))
	b.WriteString("\\footnotesize\n\\setlength{\\tabcolsep}{4pt}\n")
	b.WriteString("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n")
	spec := ""
	for i := range t.Heads {
		if t.numericFactor(i) {
			spec += "r"
		} else {
			spec += "l"
		}
	}
	fmt.Fprintf(&b, "\\begin{tabular}{%s%s}\n\\toprule\n", spec, strings.Repeat("r", len(t.Columns)))
	line := func(fields []string) { b.WriteString(strings.Join(fields, " & ") + " \\\\\n") }
	line(append(texAll(t.Heads), texAll(t.Columns)...))
	b.WriteString("\\midrule\n")
	for i := range t.Rows {
		if i > 0 && t.newBlock(i) {
			b.WriteString("\\addlinespace\n")
		}
		line(t.latexRow(i))
	}
	if len(t.Foot) > 0 {
		b.WriteString("\\midrule\n")
	}
	for _, foot := range t.Foot {
		fields := []string{fmt.Sprintf("\\multicolumn{%d}{l}{%s}", len(t.Heads), tex(foot.Label))}
		for k := range t.Columns {
			fields = append(fields, foot.text(k))
		}
		line(fields)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
	for i, note := range t.Notes {
		fmt.Fprintf(&b, "\n\\smallskip\n\\parbox{\\linewidth}{\\footnotesize %s\\,%s}\n", texMark(i+1), tex(note))
	}
	b.WriteString("\\end{table}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// latexRow prints one row; levels equal to those above are left out.
func (t *table) latexRow(i int) []string {
	row := &t.Rows[i]
	var fields []string
	for j, label := range row.Labels {
		if i > 0 && j < len(row.Labels)-1 && equalUpTo(row.Levels, t.Rows[i-1].Levels, j) {
			label = ""
		}
		fields = append(fields, tex(label))
	}
	fields[len(fields)-1] += texMark(row.Note)

	for k := range row.Cells {
		c := &row.Cells[k]
		mean, spread := t.text(c)
		switch {
		case mean == "":
			mean = "--"
		case c.Bold:
			mean = "\\textbf{" + mean + "}"
		}
		if spread != "" {
			mean += " (" + spread + ")"
		}
		fields = append(fields, mean+texMark(c.Note))
	}
	return fields
}

// newBlock says whether row i differs from the one above in more than its last
// factor.
func (t *table) newBlock(i int) bool {
	n := len(t.Rows[i].Levels)
	return n > 1 && !equalUpTo(t.Rows[i].Levels, t.Rows[i-1].Levels, n-2)
}

func equalUpTo(a, b []string, j int) bool {
	for i := 0; i <= j; i++ {
		if a[i] != b[i] {
			return false
		}
	}
	return true
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
	"\n", " ", "\r", " ")

func tex(s string) string { return texEscapes.Replace(s) }

func texAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = tex(s)
	}
	return out
}
