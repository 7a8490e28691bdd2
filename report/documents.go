package report

import (
	"io"
)

// tableDocuments are a table in its four layouts.
func tableDocuments(t *table) []Document {
	printed := t.sheet()
	return inLayouts("tables/"+safeName(t.Name), printed.markdown, t.csv, printed.latex, printed.html)
}

func inLayouts(name string, markdown, csv, latex, html func(io.Writer) error) []Document {
	return []Document{{name + ".md", markdown}, {name + ".csv", csv}, {name + ".tex", latex}, {name + ".html", html}}
}

// comparisonDocuments are the tables and drawings of a comparison.
func comparisonDocuments(c *comparison, drawn []drawing, formats []string) []Document {
	return append(inLayouts("tables/"+c.Name, c.markdown, c.csv, c.latex, c.html), drawingDocuments(drawn, formats)...)
}

// drawingDocuments are drawings in every format.
func drawingDocuments(drawn []drawing, formats []string) []Document {
	var documents []Document
	for _, d := range drawn {
		for i, format := range formats {
			documents = append(documents, Document{d.Files[i].Value, func(w io.Writer) error { return d.write(w, format) }})
		}
	}
	return documents
}

// withFiles names the files that pictures are kept in.
func withFiles(pictures []picture, formats []string) []drawing {
	var drawn []drawing
	for _, p := range pictures {
		d := drawing{picture: p}
		for _, format := range formats {
			d.Files = append(d.Files, Setting{Name: format, Value: "figures/" + safeName(p.Name) + "." + format})
		}
		drawn = append(drawn, d)
	}
	return drawn
}

// captionDocuments hold the captions of all drawings.
func captionDocuments(title string, drawn []drawing) []Document {
	return []Document{
		{"figures/README.md", func(w io.Writer) error { return captionsMarkdown(w, title, drawn) }},
		{"figures/figures.tex", func(w io.Writer) error { return captionsLatex(w, drawn) }},
	}
}
