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

// page is what report.html shows, in order.
type page struct {
	Tables   []*table
	Compared []pageComparison
	Figures  []drawing // what the study asks for, but
	Ranks    []drawing // the critical-difference diagrams
}

// A drawing is a picture with links to its files.
type drawing struct {
	picture
	Files []Setting // format and link
}

// A pageComparison is the section on one table of published numbers.
type pageComparison struct {
	*comparison
	Figures []drawing
}

// view is what the report's template prints.
type view struct {
	Study        *Study
	Style        template.CSS
	Script       template.JS
	Facts        []Setting
	Sections     []Setting // id and heading
	Tables       []tableView
	Figures      []figureView
	Ranks        []figureView
	Compared     []comparisonView
	Failures     []failure
	FailureWords string
	Factors      []factorView
	FactorDocs   bool // any factor has a meaning
	Targets      string
	Measures     string
}

type tableView struct {
	Table, Errors, Effects *sheet
}

type figureView struct {
	ID, Title, Caption string
	SVG                template.HTML
	Files              []Setting // format and link
}

type comparisonView struct {
	Sheets  []*sheet // in the open
	Numbers *sheet   // folded
	Figures []figureView
	Missing []string
}

type factorView struct{ Label, Levels, Doc string }

// report writes report.html: one page that needs nothing else.
func (s *source) report(w io.Writer, content *page) error {
	p := view{Study: &s.Study, Style: template.CSS(file("style.css")), Script: template.JS(file("sort.js"))}
	for _, t := range content.Tables {
		p.Tables = append(p.Tables, s.tableView(t))
	}
	var err error
	for _, c := range content.Compared {
		sheets := c.sheets()
		last := len(sheets) - 1
		shown := comparisonView{Sheets: sheets[:last], Numbers: sheets[last], Missing: c.Missing}
		if shown.Figures, err = figureViews(c.Figures); err != nil {
			return err
		}
		p.Compared = append(p.Compared, shown)
	}
	if p.Figures, err = figureViews(content.Figures); err != nil {
		return err
	}
	if p.Ranks, err = figureViews(content.Ranks); err != nil {
		return err
	}
	s.failures(&p)
	s.facts(&p)
	s.design(&p, content.Tables)
	p.sections()
	return layouts.ExecuteTemplate(w, "report", &p)
}

// tableView adds the Monte-Carlo errors and the effect sizes to a table.
func (s *source) tableView(t *table) tableView {
	shown := tableView{Table: t.sheet()}
	if t.Spread != "se" && slices.ContainsFunc(t.Rows, func(r tableRow) bool {
		return slices.ContainsFunc(r.Cells, func(c tableCell) bool { return c.N > 1 })
	}) {
		shown.Errors = s.errorTable(t).sheet()
	}
	if t.compared() {
		shown.Effects = s.effectTable(t)
	}
	return shown
}

// figureViews renders pictures as inline SVG.
func figureViews(drawn []drawing) ([]figureView, error) {
	var views []figureView
	for _, d := range drawn {
		var b bytes.Buffer
		if err := d.render(&b, "svg"); err != nil {
			return nil, err
		}
		views = append(views, figureView{ID: "figure-" + safeName(d.Name), Title: d.Title, Caption: d.Caption,
			SVG: template.HTML(b.String()), Files: d.Files})
	}
	return views, nil
}

// facts are the figures at the top of the page.
func (s *source) facts(p *view) {
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
func (s *source) design(p *view, tables []*table) {
	for _, f := range s.records.Factors {
		var labels []string
		for _, level := range f.Levels {
			labels = append(labels, s.levelLabel(f.Name, level))
		}
		row := factorView{Label: s.factorLabel(f.Name), Levels: strings.Join(labels, ", ")}
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
func (p *view) sections() {
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
