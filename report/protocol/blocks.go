package protocol

import (
	"fmt"
	"io"
	"strings"

	"copse/report/sheet"
)

// A Protocol is a document with sections.
type Protocol struct {
	Title    string
	Source   string
	sections []*section
}

type section struct {
	heading string
	blocks  []block
}

type block struct {
	text    string       // of a paragraph
	items   []string     // of a list
	isCode  bool         // the items are commands for a shell
	formula string       // in LaTeX
	table   *sheet.Sheet // nil: none
}

// text adds a paragraph for each text that is not empty.
func (s *section) text(texts ...string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			s.blocks = append(s.blocks, block{text: text})
		}
	}
}

func (s *section) textf(format string, args ...any) { s.text(fmt.Sprintf(format, args...)) }

func (s *section) list(items []string) {
	if len(items) > 0 {
		s.blocks = append(s.blocks, block{items: items})
	}
}

func (s *section) formula(latex string) { s.blocks = append(s.blocks, block{formula: latex}) }

// A layout contains the format strings and functions that write a protocol in one file format.
type layout struct {
	heading, formula, item string // formats with one %s
	beginList, endList     string
	escape, code           func(string) string // return the markup for a text or a command
	table                  func(*sheet.Sheet, io.Writer) error
}

var markdown = layout{heading: "## %s", formula: "$$%s$$", item: "- %s",
	escape: sheet.EscapeMarkdown, code: codeSpan, table: (*sheet.Sheet).Markdown}

var latex = layout{heading: `\section{%s}`, formula: `\[%s\]`, item: `\item %s`,
	beginList: "\\begin{itemize}\n", endList: "\\end{itemize}\n",
	escape: sheet.EscapeLatex, code: sheet.EscapeLatex, table: (*sheet.Sheet).Latex}

// codeSpan returns a command as Markdown code.
func codeSpan(command string) string { return "`" + command + "`" }

// Markdown writes the protocol as Markdown.
func (p *Protocol) Markdown(w io.Writer) error {
	return p.write(w, &markdown, fmt.Sprintf("# Protocol: %s\n", sheet.EscapeMarkdown(p.Title)), "")
}

const latexHead = `\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,array,booktabs,longtable}
\usepackage[textwidth=6in]{geometry}
\sloppy
\title{Protocol: %s}
\author{}
\date{}
\begin{document}
\maketitle
`

// Latex writes the protocol as a LaTeX document.
func (p *Protocol) Latex(w io.Writer) error {
	return p.write(w, &latex, fmt.Sprintf(latexHead, sheet.EscapeLatex(p.Title)), "\n\\end{document}\n")
}

// write writes the protocol in the layout l. It replaces control characters, which a terminal would interpret.
func (p *Protocol) write(w io.Writer, l *layout, head, end string) error {
	var b strings.Builder
	b.WriteString(head)
	if p.Source != "" {
		fmt.Fprintf(&b, "\nAfter %s.\n", l.escape(strings.TrimSuffix(p.Source, ".")))
	}
	for _, s := range p.sections {
		fmt.Fprintf(&b, "\n"+l.heading+"\n", s.heading) // l.heading is a format string
		for _, block := range s.blocks {
			b.WriteString("\n")
			if err := l.writeBlock(&b, block); err != nil {
				return err
			}
		}
	}
	b.WriteString(end)
	_, err := io.WriteString(w, strings.Map(sheet.Shown, b.String()))
	return err
}

// writeBlock writes content to b. Only a table can cause an error.
func (l *layout) writeBlock(b *strings.Builder, content block) error {
	switch {
	case content.table != nil:
		return l.table(content.table, b)
	case content.formula != "":
		fmt.Fprintf(b, l.formula+"\n", content.formula) // l.formula is a format string, like l.item below
	case content.text != "":
		fmt.Fprintln(b, l.escape(content.text))
	default:
		escape := l.escape
		if content.isCode {
			escape = l.code
		}
		b.WriteString(l.beginList)
		for _, item := range content.items {
			fmt.Fprintf(b, l.item+"\n", escape(item))
		}
		b.WriteString(l.endList)
	}
	return nil
}
