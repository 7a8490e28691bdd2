package report

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"strings"

	"copse/report/page"
	"copse/report/sheet"

	"gonum.org/v1/plot/vg"
)

// captionsMarkdown writes figures/README.md: every picture with its caption, as
// hosts of repositories show it.
func captionsMarkdown(w io.Writer, title string, drawn []page.Drawing) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Figures: %s\n", sheet.EscapeMarkdown(title))
	for _, f := range drawn {
		heading := sheet.EscapeMarkdown(cmp.Or(f.Subject, f.Title))
		fmt.Fprintf(&b, "\n## %s\n\n", heading)
		for _, file := range f.Files {
			if file.Name != "pdf" {
				fmt.Fprintf(&b, "![%s](%s)\n\n", heading, path.Base(file.Value))
				break
			}
		}
		fmt.Fprintf(&b, "%s\n", sheet.EscapeMarkdown(f.Caption))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A figure is shrunk that is wider than tables and figures that say nothing else,
// or so high that its caption finds no room on the page.
const (
	textWidth  = sheet.TextWidth / 72.27 * vg.Inch
	textHeight = 5.7 * vg.Inch // three quarters of article's
)

// captionsLatex writes figures/figures.tex: a LaTeX float for every picture, to
// be copied or input from the directory of the figures.
func captionsLatex(w io.Writer, study string, drawn []page.Drawing) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{graphicx}. Each figure has the width that it is made for, but for those that " +
		"are larger than the page allows.\n")
	for _, f := range drawn {
		name := sheet.SafeName(f.Name)
		scaled := ""
		if f.Width > textWidth || f.Height > textHeight { // drawn for a larger page, it shrinks with its text
			scaled = `[width=\textwidth,height=0.75\textheight,keepaspectratio]`
		}
		title := sheet.EscapeLatex(strings.TrimSuffix(f.Title, "."))
		fmt.Fprintf(&b, "\n\\begin{figure}[tbp]\n\\centering\n\\includegraphics%s{%s.pdf}\n", scaled, name)
		fmt.Fprintf(&b, "\\caption{%s. %s}\n", title, sheet.EscapeLatex(f.Caption))
		fmt.Fprintf(&b, "\\label{fig:%s:%s}\n\\end{figure}\n", sheet.SafeName(study), name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
