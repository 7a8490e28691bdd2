package protocol

import (
	"fmt"
	"io"
	"strings"

	"copse/report/sheet"
)

// A Protocol is sections of paragraphs, lists, formulas and tables.
type Protocol struct {
	Title    string
	Source   string
	sections []section
}

type section struct {
	heading string
	blocks  []block
}

// A block is one of these.
type block struct {
	text    string
	items   []string
	formula string // in LaTeX
	table   *sheet.Sheet
}

func (s *section) say(format string, args ...any) {
	if text := strings.TrimSpace(fmt.Sprintf(format, args...)); text != "" {
		s.blocks = append(s.blocks, block{text: text})
	}
}

func (s *section) list(items []string) {
	if len(items) > 0 {
		s.blocks = append(s.blocks, block{items: items})
	}
}

func (s *section) formula(latex string) { s.blocks = append(s.blocks, block{formula: latex}) }

// Markdown writes the protocol with formulas as GitHub shows them.
func (p *Protocol) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Protocol: %s\n", sheet.EscapeMarkdown(p.Title))
	if p.Source != "" {
		fmt.Fprintf(&b, "\nAfter %s.\n", sheet.EscapeMarkdown(strings.TrimSuffix(p.Source, ".")))
	}
	for _, s := range p.sections {
		fmt.Fprintf(&b, "\n## %s\n", s.heading)
		for _, k := range s.blocks {
			b.WriteString("\n")
			switch {
			case k.table != nil:
				if err := k.table.Markdown(&b); err != nil {
					return err
				}
			case k.formula != "":
				fmt.Fprintf(&b, "$$%s$$\n", k.formula)
			case k.text != "":
				fmt.Fprintln(&b, sheet.EscapeMarkdown(k.text))
			}
			for _, item := range k.items {
				fmt.Fprintf(&b, "- %s\n", sheet.EscapeMarkdown(item))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Latex writes the protocol as a document of its own.
func (p *Protocol) Latex(w io.Writer) error {
	var b strings.Builder
	b.WriteString("\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n\\usepackage{amsmath,array,booktabs,longtable}\n\\usepackage[textwidth=6in]{geometry}\n\\sloppy\n")
	fmt.Fprintf(&b, "\\title{Protocol: %s}\n\\author{}\n\\date{}\n\\begin{document}\n\\maketitle\n", sheet.EscapeLatex(p.Title))
	if p.Source != "" {
		fmt.Fprintf(&b, "After %s.\n", sheet.EscapeLatex(strings.TrimSuffix(p.Source, ".")))
	}
	for _, s := range p.sections {
		fmt.Fprintf(&b, "\n\\section{%s}\n", s.heading)
		for _, k := range s.blocks {
			b.WriteString("\n")
			switch {
			case k.table != nil:
				if err := k.table.Latex(&b); err != nil {
					return err
				}
			case k.formula != "":
				fmt.Fprintf(&b, "\\[%s\\]\n", k.formula)
			case k.text != "":
				fmt.Fprintln(&b, sheet.EscapeLatex(k.text))
			default:
				b.WriteString("\\begin{itemize}\n")
				for _, item := range k.items {
					fmt.Fprintf(&b, "\\item %s\n", sheet.EscapeLatex(item))
				}
				b.WriteString("\\end{itemize}\n")
			}
		}
	}
	b.WriteString("\n\\end{document}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
