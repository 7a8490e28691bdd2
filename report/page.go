package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
)

// page is what the report's template prints.
type page struct {
	Study        *Study
	Style        template.CSS
	Script       template.JS
	Facts        []Setting
	Sections     []Setting // id and heading
	Tables       []pageTable
	Figures      []pageFigure
	Ranks        []pageFigure
	Compared     []*pageComparison
	Failures     []failure
	FailureWords string
	Factors      []pageFactor
	FactorDocs   bool // any factor has a meaning
	Targets      string
	Measures     string
}

type pageTable struct {
	Table, Errors, Effects *sheet
}

type pageFigure struct {
	ID, Title, Caption string
	SVG                template.HTML
	Files              []Setting // format and link
}

// A pageComparison is the section on published numbers.
type pageComparison struct {
	Source  string
	Sheets  []*sheet // in the open
	Numbers *sheet   // folded
	Figures []pageFigure
	Missing []string
}

type pageFactor struct{ Label, Levels, Doc string }

// A drawnFigure is a picture with the links to its files.
type drawnFigure struct {
	kind    string
	of      *comparison // that it belongs to, if any
	picture picture
	files   []Setting
}

// report writes report.html: one page that needs nothing else.
func (s *source) report(w io.Writer, layout *Layout, tables []*table, figures []drawnFigure, compared []*comparison) error {
	p := page{Study: &s.Study, Style: template.CSS(pageFile("style.css")), Script: template.JS(pageFile("sort.js"))}
	for i, t := range tables {
		view, err := s.pageTable(t, layout.Tables[i])
		if err != nil {
			return err
		}
		p.Tables = append(p.Tables, view)
	}
	if !slices.ContainsFunc(figures, func(f drawnFigure) bool { return f.kind == "cd" }) {
		added, err := s.ranks(layout)
		if err != nil {
			return err
		}
		figures = append(slices.Clone(figures), added...)
	}
	for _, c := range compared {
		sheets := c.sheets()
		last := len(sheets) - 1
		p.Compared = append(p.Compared, &pageComparison{Source: c.Source, Sheets: sheets[:last], Numbers: sheets[last], Missing: c.Missing})
	}
	for _, f := range figures {
		view, err := f.view()
		if err != nil {
			return err
		}
		switch f.kind {
		case "cd":
			p.Ranks = append(p.Ranks, view)
		case "comparison":
			of := p.Compared[slices.Index(compared, f.of)]
			of.Figures = append(of.Figures, view)
		default:
			p.Figures = append(p.Figures, view)
		}
	}
	s.failures(&p)
	s.facts(&p)
	s.design(&p, tables)
	p.sections()
	return templates.ExecuteTemplate(w, "report", &p)
}

// pageTable adds the Monte-Carlo errors and the effect sizes to a table.
func (s *source) pageTable(t *table, o Table) (pageTable, error) {
	view := pageTable{Table: t.sheet()}
	if o.Spread != "se" && slices.ContainsFunc(t.Rows, func(r tableRow) bool {
		return slices.ContainsFunc(r.Cells, func(c tableCell) bool { return c.N > 1 })
	}) {
		view.Errors = s.errorTable(t).sheet()
	}
	if slices.ContainsFunc(t.Rows, func(r tableRow) bool { return len(r.best.Comparisons) > 0 }) {
		view.Effects = s.effectTable(t)
	}
	return view, nil
}

// errorTable is the table again, without bold, with standard errors.
func (s *source) errorTable(t *table) *table {
	e := &table{Name: t.Name + "-mcse", Title: "Monte-Carlo errors: " + t.Title, Digits: t.Digits + 1, Spread: "se",
		measure: t.measure, Factors: t.Factors, Heads: t.Heads, IDs: t.IDs, Columns: t.Columns}
	for _, row := range t.Rows {
		plain := tableRow{Levels: row.Levels, Labels: row.Labels}
		for _, c := range row.Cells {
			plain.Cells = append(plain.Cells, tableCell{Summary: c.Summary})
		}
		e.Rows = append(e.Rows, plain)
	}
	e.Caption = s.tableCaption(e, nil)
	return e
}

// view renders the picture as inline SVG.
func (f *drawnFigure) view() (pageFigure, error) {
	var b bytes.Buffer
	if err := f.picture.render(&b, "svg"); err != nil {
		return pageFigure{}, err
	}
	return pageFigure{ID: "figure-" + safeName(f.picture.Name), Title: f.picture.Title, Caption: f.picture.Caption,
		SVG: template.HTML(b.String()), Files: f.files}, nil
}

// ranks draws a critical-difference diagram over the cells of the first table,
// where there are enough of them.
func (s *source) ranks(layout *Layout) ([]drawnFigure, error) {
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
	var drawn []drawnFigure
	for _, p := range pictures {
		drawn = append(drawn, drawnFigure{kind: "cd", picture: p})
	}
	return drawn, err
}

// facts are the figures at the top of the page.
func (s *source) facts(p *page) {
	fits, failed := len(s.records.Rows), 0
	trials := 0
	for _, c := range s.trials {
		trials += len(c.Replicates)
	}
	for i := range s.records.Rows {
		if s.records.Rows[i].Status != records.OK {
			failed++
		}
	}
	p.Facts = []Setting{
		{Name: "cells", Value: strconv.Itoa(len(s.cells))},
		{Name: "replicates per cell", Value: s.perCell()},
		{Name: "classifiers", Value: strconv.Itoa(len(s.records.Classifiers))},
		{Name: "trials", Value: strconv.Itoa(trials)},
		{Name: "fits", Value: strconv.Itoa(fits)},
		{Name: "failed fits", Value: strconv.Itoa(failed)},
	}
}

// perCell is the number of replicates of a cell, as a range where cells differ.
func (s *source) perCell() string {
	low, high := len(s.trials[0].Replicates), 0
	for _, c := range s.trials {
		low, high = min(low, len(c.Replicates)), max(high, len(c.Replicates))
	}
	if low == high {
		return strconv.Itoa(high)
	}
	return fmt.Sprintf("%d–%d", low, high)
}

// design fills the section on what was run.
func (s *source) design(p *page, tables []*table) {
	for _, f := range s.records.Factors {
		var labels []string
		for _, level := range f.Levels {
			labels = append(labels, s.levelLabel(f.Name, level))
		}
		row := pageFactor{Label: s.factorLabel(f.Name), Levels: strings.Join(labels, ", ")}
		if known := s.factor(f.Name); known != nil {
			row.Doc = known.Doc
			p.FactorDocs = p.FactorDocs || row.Doc != ""
		}
		p.Factors = append(p.Factors, row)
	}
	var names, bold []string
	for _, t := range tables {
		if title := t.measure.title(); !slices.Contains(names, title) {
			names = append(names, title)
		}
		if family := s.family(t.IDs); len(bold) == 0 && len(family) > 1 {
			bold = family
		}
	}
	p.Targets = "What is estimated for each classifier in each cell: " + orElse(strings.Join(names, ", "), "the test error") + ", over new problems and new training sets."
	for _, c := range s.Classifiers {
		if c.Oracle {
			p.Targets += fmt.Sprintf(" %s is the Bayes rule of the drawn problem: its error is the floor.", s.label(c.ID))
		}
	}
	p.Measures = fmt.Sprintf("Mean and standard deviation over the %[1]s; Monte-Carlo standard error of a mean: standard deviation / √R. All classifiers of a trial see the same data, so they are compared on pairs. %[2]s in which a fit failed: means are over a classifier's own successes, tests over the %[1]s in which both succeeded.",
		s.units(), capital(s.units()))
	if s.Unit == "task" {
		p.Measures += " A task is one problem under cross-validation; its result is the mean over its folds."
	}
	if bold != nil {
		p.Measures += " " + s.boldCaption(bold, bold, false)
	}
}

// sections lists the headings of the page.
func (p *page) sections() {
	add := func(id, heading string, there bool) {
		if there {
			p.Sections = append(p.Sections, Setting{Name: id, Value: heading})
		}
	}
	add("results", "Results", true)
	add("published", "Published numbers", len(p.Compared) > 0)
	add("figures", "Figures", len(p.Figures) > 0)
	add("ranks", "Average ranks", len(p.Ranks) > 0)
	add("failures", "Failed fits", true)
	add("design", "What was run", true)
	add("repeat", "Repeat it", true)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
