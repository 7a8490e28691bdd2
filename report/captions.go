package report

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// figureIndex writes figures/README.md: every picture with its caption, as
// hosts of repositories show it.
func (s *source) figureIndex(w io.Writer, figures []drawnFigure) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Figures: %s\n", md(s.Title))
	for _, f := range figures {
		fmt.Fprintf(&b, "\n## %s\n\n", md(f.picture.Title))
		for _, file := range f.files {
			if file.Name != "pdf" {
				fmt.Fprintf(&b, "![%s](%s)\n\n", md(f.picture.Title), path.Base(file.Value))
				break
			}
		}
		fmt.Fprintf(&b, "%s\n", md(f.picture.Caption))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// figureFloats writes figures/figures.tex: a LaTeX float for every picture, to
// be copied or input from the directory of the figures.
func (s *source) figureFloats(w io.Writer, figures []drawnFigure) error {
	var b strings.Builder
	b.WriteString("% Needs \\usepackage{graphicx}.\n")
	for _, f := range figures {
		name := safeName(f.picture.Name)
		fmt.Fprintf(&b, "\n\\begin{figure}[tbp]\n\\centering\n\\includegraphics[width=\\linewidth]{%s}\n\\caption{%s. %s}\n\\label{fig:%s}\n\\end{figure}\n",
			name, tex(f.picture.Title), tex(f.picture.Caption), name)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
