package report

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"copse/report/canvas"
	"copse/report/compare"
	"copse/report/page"
	"copse/report/sheet"
	"copse/report/table"
	"copse/report/view"
)

// documents returns all files of the report. report.html comes last. documents panics if two files have the same
// name, which reserveFiles should have prevented.
func (m *maker) documents() []Document {
	list := m.tableFiles()
	list = append(list, drawingDocuments(m.drawingsWithFiles)...)
	captioned := m.drawingsWithFiles
	if c := m.content.Compared; c != nil {
		list = append(list, inLayouts(compare.Name, c.Markdown, c.CSV, c.Latex, c.HTML)...)
		list = append(list, drawingDocuments(c.Figures)...)
		captioned = append(captioned, c.Figures...)
	}
	if len(captioned) > 0 {
		list = append(list, m.captionDocuments(captioned)...)
	}
	m.content.Families, m.content.Variants = m.Families, m.Variants
	writePage := func(w io.Writer) error { return page.Report(w, m.View, &m.content) }
	list = append(list, Document{pageName, writePage})
	known := map[string]bool{}
	for _, d := range list {
		if known[d.Name] {
			panic("report: two files " + d.Name)
		}
		known[d.Name] = true
	}
	return list
}

func (m *maker) tableFiles() (list []Document) {
	for _, t := range m.content.Tables {
		if t.Missing == "" {
			list = append(list, tableDocuments(t.Table)...)
		}
		for _, treated := range t.Treated {
			list = append(list, tableDocuments(treated)...)
		}
	}
	if tuned := m.content.Tuned; tuned != nil {
		list = append(list, inLayouts(table.TunedName, tuned.Markdown, tuned.CSV, tuned.Latex, tuned.HTML)...)
	}
	return list
}

func tableDocuments(t *table.Table) []Document {
	printed := t.Sheet()
	return inLayouts(sheet.SafeName(t.Name), printed.Markdown, t.CSV, printed.Latex, printed.HTML)
}

func inLayouts(name string, markdown, csv, latex, html func(io.Writer) error) []Document {
	path := "tables/" + name
	return []Document{{path + ".md", markdown}, {path + ".csv", csv}, {path + ".tex", latex}, {path + ".html", html}}
}

// drawingDocuments returns a file for each drawing and format.
func drawingDocuments(drawn []page.Drawing) []Document {
	var documents []Document
	for _, d := range drawn {
		for _, file := range d.Files {
			write := func(w io.Writer) error { return d.Write(w, file.Name) }
			documents = append(documents, Document{file.Value, write})
		}
	}
	return documents
}

const figuresFolder = "figures/"

// withFiles converts pictures to drawings, with the names of their files in the given folder.
func withFiles(folder string, pictures []canvas.Picture, formats []string) []page.Drawing {
	var drawn []page.Drawing
	for _, p := range pictures {
		d := page.Drawing{Picture: p}
		for _, format := range formats {
			file := folder + sheet.SafeName(p.Name) + "." + format
			d.Files = append(d.Files, view.Setting{Name: format, Value: file})
		}
		drawn = append(drawn, d)
	}
	return drawn
}

// captionDocuments returns the files with the captions of all drawings. The LaTeX file needs the drawings as
// PDF.
func (m *maker) captionDocuments(drawn []page.Drawing) []Document {
	markdown := func(w io.Writer) error { return captionsMarkdown(w, m.Title, drawn) }
	documents := []Document{{figuresFolder + "README.md", markdown}}
	if slices.Contains(m.layout.Formats, "pdf") {
		latex := func(w io.Writer) error { return captionsLatex(w, m.Name, drawn) }
		documents = append(documents, Document{figuresFolder + "figures.tex", latex})
	}
	return documents
}

// printable replaces unsafe characters in text files, as sheet.Shown does. Control characters in names or
// messages could otherwise change what a terminal or browser shows.
func printable(documents []Document) []Document {
	for i, d := range documents {
		if strings.HasSuffix(d.Name, ".pdf") || strings.HasSuffix(d.Name, ".png") {
			continue // a binary file
		}
		documents[i].Render = func(w io.Writer) error {
			var b bytes.Buffer
			if err := d.Render(&b); err != nil {
				return err
			}
			_, err := w.Write(bytes.Map(sheet.Shown, b.Bytes()))
			return err
		}
	}
	return documents
}
