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

// documents returns all files of the report. report.html comes last. documents panics if two files have the same name:
// reserveFiles must prevent this.
func (m *maker) documents() []Document {
	list := m.tableFiles()
	list = append(list, drawingDocuments(m.drawingsWithFiles, m.layout.Formats)...)
	captioned := m.drawingsWithFiles
	if c := m.content.Compared; c != nil {
		list = append(list, inLayouts("tables/"+compare.Name, c.Markdown, c.CSV, c.Latex, c.HTML)...)
		list = append(list, drawingDocuments(c.Figures, m.layout.Formats)...)
		captioned = append(captioned, c.Figures...)
	}
	if len(captioned) > 0 {
		list = append(list, captionDocuments(&m.Study, captioned, m.layout.Formats)...)
	}
	m.content.Families = m.Families
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
		list = append(list, inLayouts("tables/"+table.TunedName, tuned.Markdown, tuned.CSV, tuned.Latex, tuned.HTML)...)
	}
	return list
}

func tableDocuments(t *table.Table) []Document {
	printed, name := t.Sheet(), "tables/"+sheet.SafeName(t.Name)
	return inLayouts(name, printed.Markdown, t.CSV, printed.Latex, printed.HTML)
}

// inLayouts returns four files with the same name: Markdown, CSV, LaTeX and HTML.
func inLayouts(name string, markdown, csv, latex, html func(io.Writer) error) []Document {
	return []Document{{name + ".md", markdown}, {name + ".csv", csv}, {name + ".tex", latex}, {name + ".html", html}}
}

// drawingDocuments returns the files of all drawings, one for each drawing and format.
func drawingDocuments(drawn []page.Drawing, formats []string) []Document {
	var documents []Document
	for _, d := range drawn {
		for i, format := range formats {
			write := func(w io.Writer) error { return d.Write(w, format) }
			documents = append(documents, Document{d.Files[i].Value, write})
		}
	}
	return documents
}

// withFiles converts pictures to drawings. A drawing is a picture with the names of its files, one for each format.
func withFiles(pictures []canvas.Picture, formats []string) []page.Drawing {
	var drawn []page.Drawing
	for _, p := range pictures {
		d := page.Drawing{Picture: p}
		for _, format := range formats {
			file := "figures/" + sheet.SafeName(p.Name) + "." + format
			d.Files = append(d.Files, view.Setting{Name: format, Value: file})
		}
		drawn = append(drawn, d)
	}
	return drawn
}

// captionDocuments returns the files with the captions of all drawings. The LaTeX file needs the
// drawings as PDF.
func captionDocuments(study *view.Study, drawn []page.Drawing, formats []string) []Document {
	markdown := func(w io.Writer) error { return captionsMarkdown(w, study.Title, drawn) }
	documents := []Document{{"figures/README.md", markdown}}
	if slices.Contains(formats, "pdf") {
		latex := func(w io.Writer) error { return captionsLatex(w, study.Name, drawn) }
		documents = append(documents, Document{"figures/figures.tex", latex})
	}
	return documents
}

// printable replaces unsafe characters in text files, as sheet.Shown does. Control characters in names or
// messages could otherwise change what a terminal or browser shows.
func printable(documents []Document) []Document {
	for i, d := range documents {
		isBinary := strings.HasSuffix(d.Name, ".pdf") || strings.HasSuffix(d.Name, ".png")
		if !isBinary {
			documents[i].Render = func(w io.Writer) error { return renderText(w, d) }
		}
	}
	return documents
}

func renderText(w io.Writer, d Document) error {
	var b bytes.Buffer
	if err := d.Render(&b); err != nil {
		return err
	}
	_, err := w.Write(bytes.Map(sheet.Shown, b.Bytes()))
	return err
}
