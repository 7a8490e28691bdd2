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

// captionsMarkdown writes figures/README.md, which shows every picture with its caption.
func captionsMarkdown(w io.Writer, title string, drawn []page.Drawing) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Figures: %s\n", sheet.EscapeMarkdown(title))
	for _, f := range drawn {
		heading := sheet.EscapeMarkdown(cmp.Or(f.Subject, f.Title))
		fmt.Fprintf(&b, "\n## %s\n\n", heading)
		for _, file := range f.Files { // file contains a format, such as svg, and a path
			format := file.Name
			if format != "pdf" { // Markdown cannot show PDF
				fmt.Fprintf(&b, "![%s](%s)\n\n", heading, path.Base(file.Value))
				break
			}
		}
		fmt.Fprintf(&b, "%s\n", sheet.EscapeMarkdown(f.Caption))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// texPointsPerInch converts inches to TeX points.
const texPointsPerInch = 72.27

// Figures wider than textWidth or higher than textHeight are scaled down in LaTeX.
const (
	textWidth  = sheet.TextWidth / texPointsPerInch * vg.Inch
	textHeight = 5.7 * vg.Inch // three quarters of the text height of article, to leave room for the caption
)

// fitToWidth defines a command that includes a picture and scales it down if it is wider than the text.
const fitToWidth = `\providecommand{\copsefigure}[1]{\sbox0{\includegraphics{#1}}%
  \ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi}
`

// captionsLatex writes figures/figures.tex, which has a float environment for each picture.
func captionsLatex(w io.Writer, study string, drawn []page.Drawing) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{graphicx}. Figures wider than the text are scaled down.\n" + fitToWidth)
	for _, f := range drawn {
		b.WriteString(latexFigure(study, f))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// latexFigure returns the LaTeX float for a picture. Sentences of the caption beyond the first few lines go
// into a note below. The label contains the study's name.
func latexFigure(study string, f page.Drawing) string {
	name := sheet.SafeName(f.Name)
	include := `\copsefigure`
	if f.Width > textWidth || f.Height > textHeight {
		include = `\includegraphics[width=\textwidth,height=0.75\textheight,keepaspectratio]`
	}
	width := float64(f.Width/vg.Inch) * texPointsPerInch   // sheet measures text in TeX points
	environment := sheet.FloatEnvironment("figure", width) // figure* if the picture is wider than a column
	title := strings.TrimSuffix(f.Title, ".")
	short, rest := sheet.SplitCaption(title, f.Caption, min(width, sheet.TextWidth))
	var b strings.Builder
	fmt.Fprintf(&b, "\n\\begin{%s}[tbp]\n\\centering\n%s{%s.pdf}\n", environment, include, name)
	fmt.Fprintf(&b, "\\caption{%s. %s}\n", sheet.EscapeLatex(title), sheet.EscapeLatex(short))
	fmt.Fprintf(&b, "\\label{fig:%s:%s}\n", sheet.SafeName(study), name)
	if rest != "" {
		fmt.Fprintf(&b, "\n\\smallskip\\noindent\n\\parbox{\\linewidth}{\\footnotesize %s}\n", sheet.EscapeLatex(rest))
	}
	fmt.Fprintf(&b, "\\end{%s}\n", environment)
	return b.String()
}
