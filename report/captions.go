package report

import (
	"fmt"
	"io"
	"path"
	"strings"

	"copse/report/page"
	"copse/report/sheet"

	"gonum.org/v1/plot/vg"
)

// captionsMarkdown writes figures/README.md, which shows every picture with its caption.
func captionsMarkdown(w io.Writer, title string, drawn []page.Drawing) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Figures: %s\n", sheet.EscapeMarkdown(title))
	for _, f := range drawn {
		heading := sheet.EscapeMarkdown(f.AltText())
		fmt.Fprintf(&b, "\n## %s\n\n", heading)
		for _, file := range f.Files { // file contains a format and a path
			if file.Name != "pdf" { // Markdown cannot show PDF
				fmt.Fprintf(&b, "![%s](%s)\n\n", heading, path.Base(file.Value))
				break
			}
		}
		fmt.Fprintf(&b, "%s\n", sheet.EscapeMarkdown(f.Caption))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const texPointsPerInch = 72.27

// fitToPage defines a LaTeX command that includes picture #2. It scales the picture down if it is wider than the
// text, or if #1 lines below it would not fit on the page.
const fitToPage = `% Figures that do not fit the text width or, with their captions, the page are scaled down.
\providecommand{\copsepicture}[2]{\sbox0{\includegraphics{#2}}%
  \ifdim\wd0>\linewidth\sbox0{\resizebox{\linewidth}{!}{\usebox0}}\fi
  \dimen0=\dimexpr\textheight-#1\baselineskip\relax
  \ifdim\ht0>\dimen0\resizebox{!}{\dimen0}{\usebox0}\else\usebox0\fi}
`

// captionsLatex writes figures/figures.tex, which has a float environment for each picture.
func captionsLatex(w io.Writer, study string, drawn []page.Drawing) error {
	var b strings.Builder
	for _, f := range drawn {
		b.WriteString(latexFigure(study, f))
	}
	floats := b.String()
	_, err := io.WriteString(w, "% Needs \\usepackage{graphicx}.\n"+fitToPage+sheet.StarredDefinition("figure", floats)+
		floats)
	return err
}

// latexFigure returns the LaTeX float for a picture. If the caption is long, its first sentences are in \caption
// and the others are in a note below.
func latexFigure(study string, f page.Drawing) string {
	name := sheet.SafeName(f.Name)
	width := float64(f.Width/vg.Inch) * texPointsPerInch   // package sheet measures in TeX points
	environment := sheet.FloatEnvironment("figure", width) // figure* if the picture is wider than a column
	title := strings.TrimSuffix(f.Title, ".")
	// LaTeX scales a picture down to the text width, which depends on the user's document. Assume 6 inches.
	lineWidth := min(width, sheet.TextWidth)
	short, rest := sheet.SplitCaption(title, f.Caption, lineWidth)
	// \copsepicture (see fitToPage) leaves room on the page for the caption and the note.
	linesBelow := sheet.CaptionLines(title+short, lineWidth) + sheet.CaptionLines(rest, lineWidth)
	var b strings.Builder
	fmt.Fprintf(&b, "\n\\begin{%s}[tbp]\n\\centering\n\\copsepicture{%d}{%s.pdf}\n", environment, linesBelow, name)
	fmt.Fprintf(&b, "\\caption{%s. %s}\n", sheet.EscapeLatex(title), sheet.EscapeLatex(short))
	fmt.Fprintf(&b, "\\label{fig:%s:%s}\n", sheet.SafeName(study), name)
	if rest != "" {
		fmt.Fprintf(&b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{\\footnotesize %s}\n", sheet.EscapeLatex(rest))
	}
	fmt.Fprintf(&b, "\\end{%s}\n", environment)
	return b.String()
}
