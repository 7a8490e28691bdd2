package report

import (
	"fmt"
	"io"
	"path"
	"strings"

	"copse/report/page"
	"copse/report/sheet"
)

// captionsMarkdown writes figures/README.md: every picture with its caption, as
// hosts of repositories show it.
func captionsMarkdown(w io.Writer, title string, drawn []page.Drawing) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Figures: %s\n", sheet.EscapeMarkdown(title))
	for _, f := range drawn {
		fmt.Fprintf(&b, "\n## %s\n\n", sheet.EscapeMarkdown(f.Title))
		for _, file := range f.Files {
			if file.Name != "pdf" {
				fmt.Fprintf(&b, "![%s](%s)\n\n", sheet.EscapeMarkdown(f.Title), path.Base(file.Value))
				break
			}
		}
		fmt.Fprintf(&b, "%s\n", sheet.EscapeMarkdown(f.Caption))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// captionsLatex writes figures/figures.tex: a LaTeX float for every picture, to
// be copied or input from the directory of the figures.
func captionsLatex(w io.Writer, study string, drawn []page.Drawing) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{graphicx}. Each figure has the width that it is made for.\n")
	for _, f := range drawn {
		name := sheet.SafeName(f.Name)
		fmt.Fprintf(&b, "\n\\begin{figure}[tbp]\n\\centering\n\\includegraphics{%s.pdf}\n\\caption{%s. %s}\n\\label{fig:%s:%s}\n\\end{figure}\n",
			name, sheet.EscapeLatex(strings.TrimSuffix(f.Title, ".")), sheet.EscapeLatex(f.Caption), sheet.SafeName(study), name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
