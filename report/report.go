package report

import (
	"fmt"
	"io"
	"slices"

	"copse/stats/records"
)

// A Document is one file of a report.
type Document struct {
	Name   string // relative to the results folder, with slashes
	Render func(io.Writer) error
}

// Documents returns all that a report consists of, in order: tables, figures,
// comparisons with published numbers, the captions of all figures, and the page,
// which shows everything.
func Documents(study Study, rows *records.Records, layout Layout, published []Comparison) ([]Document, error) {
	if len(rows.Rows) == 0 {
		return nil, fmt.Errorf("report of %s: no records", rows.Study)
	}
	s := newSource(study, rows, layout.Inference)
	var documents []Document
	var content page
	for _, o := range layout.Tables {
		t, err := s.table(o)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", o.Name, err)
		}
		content.Tables = append(content.Tables, t)
		documents = append(documents, tableDocuments(t)...)
	}
	drawn, err := s.drawings(&layout, &content)
	if err != nil {
		return nil, err
	}
	documents = append(documents, drawingDocuments(drawn, layout.Formats)...)
	for _, o := range published {
		c, err := s.compare(o)
		if err != nil {
			return nil, err
		}
		compared := pageComparison{comparison: c, Figures: withFiles(c.pictures(), layout.Formats)}
		content.Compared = append(content.Compared, compared)
		documents = append(documents, comparisonDocuments(c, compared.Figures, layout.Formats)...)
		drawn = append(drawn, compared.Figures...)
	}
	if len(drawn) > 0 {
		documents = append(documents, captionDocuments(s.Title, drawn)...)
	}
	documents = append(documents, Document{Page, func(w io.Writer) error { return s.report(w, &content) }})
	return documents, distinct(documents)
}

// Page is the name of the document that shows all others.
const Page = "report.html"

// Compare returns the tables and figures of one comparison with published
// numbers, and the verdict in words.
func Compare(study Study, rows *records.Records, o Comparison, formats []string) (documents []Document, verdict string, err error) {
	c, err := newSource(study, rows, DefaultInference()).compare(o)
	if err != nil {
		return nil, "", err
	}
	documents = comparisonDocuments(c, withFiles(c.pictures(), formats), formats)
	return documents, c.summary(), distinct(documents)
}

// Summarize returns a study's line of an index page.
func Summarize(study Study, rows *records.Records, inference Inference, published []Comparison) (Entry, error) {
	s := newSource(study, rows, inference)
	var compared []*comparison
	for _, o := range published {
		c, err := s.compare(o)
		if err != nil {
			return Entry{}, err
		}
		compared = append(compared, c)
	}
	return s.summarize(compared)
}

// drawings draws the layout's figures and puts them on the page, with a
// critical-difference diagram if the layout has none.
func (s *source) drawings(layout *Layout, content *page) ([]drawing, error) {
	var drawn []drawing
	for _, o := range layout.Figures {
		pictures, err := s.figure(o)
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", o.Name, err)
		}
		these := withFiles(pictures, layout.Formats)
		if o.Kind == "cd" {
			content.Ranks = append(content.Ranks, these...)
		} else {
			content.Figures = append(content.Figures, these...)
		}
		drawn = append(drawn, these...)
	}
	var err error
	if content.Ranks == nil {
		content.Ranks, err = s.ranks(layout)
	}
	return drawn, err
}

// ranks draws a critical-difference diagram over the cells of the first table,
// where there are enough of them.
func (s *source) ranks(layout *Layout) ([]drawing, error) {
	if len(layout.Tables) == 0 {
		return nil, nil
	}
	t := layout.Tables[0]
	columns, err := s.columns(t.Columns)
	if err != nil {
		return nil, err
	}
	cells, err := s.where(t.Where)
	if err != nil {
		return nil, err
	}
	if m, err := newMeasure(t.Metric, t.Scale); err != nil || !m.perRate || len(cells) < 2 || len(s.family(columns)) < 2 {
		return nil, err
	}
	o := DefaultFigure()
	o.Name, o.Kind, o.Title, o.Columns, o.Where, o.Metric, o.Scale = "ranks", "cd", "Average ranks", t.Columns, t.Where, t.Metric, t.Scale
	pictures, err := s.figure(o)
	return withFiles(pictures, nil), err
}

// distinct makes sure that no document replaces another.
func distinct(documents []Document) error {
	for i, d := range documents {
		if slices.ContainsFunc(documents[:i], func(other Document) bool { return other.Name == d.Name }) {
			return fmt.Errorf("%s: two tables or figures have this name", d.Name)
		}
	}
	return nil
}
