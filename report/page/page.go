// Package page makes report.html and index.html: pages that need nothing else.
package page

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"copse/report/canvas"
	"copse/report/compare"
	"copse/report/sheet"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
)

// Content is what report.html shows, in order.
type Content struct {
	Tables   []Table
	Compared []Comparison
	Figures  []Drawing // what the study asks for, but
	Ranks    []Drawing // the critical-difference diagrams
}

// A Table is a table of results and the same one in other measures.
type Table struct {
	*table.Table
	Others  []*table.Table
	Missing string // why there is none; empty: there is
}

// A Drawing is a picture with links to its files.
type Drawing struct {
	canvas.Picture
	Files   []view.Setting // format and link
	Missing string         // why there is none; empty: there is
}

// A Comparison is the section on one table of published numbers.
type Comparison struct {
	*compare.Comparison
	Figures []Drawing
}

// printed is what the report's template prints.
type printed struct {
	Study        *view.Study
	Style        template.CSS
	Script       template.JS
	Answers      answers
	Facts        []view.Setting
	Sections     []section
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

// A section is a line of the list of contents.
type section struct {
	ID, Heading string
	Parts       []view.Setting // id and title
}

// tableView is a table in all its measures, or why there is none.
type tableView struct {
	ID, Title string
	Variants  []variantView
	Missing   string
}

// A variantView is a table in one measure; the study's own has its Monte-Carlo errors
// and its effect sizes.
type variantView struct {
	Measure                        string
	Table, Errors, Effects, Matrix *sheet.Sheet
}

type figureView struct {
	ID, Title, Caption string
	Missing            string
	SVG                template.HTML
	Width              string         // in units of a journal's text
	Files              []view.Setting // format and link
}

type comparisonView struct {
	Sheets  []*sheet.Sheet // in the open
	Numbers *sheet.Sheet   // folded
	Figures []figureView
	Missing []string
}

type factorView struct{ Label, Levels, Doc string }

// Report writes report.html: one page that needs nothing else.
func Report(w io.Writer, v *view.View, content *Content) error {
	p := printed{Study: &v.Study, Style: template.CSS(file("style.css")), Script: template.JS(file("page.js"))}
	said := map[string]bool{}
	for _, t := range content.Tables {
		if t.Missing != "" {
			p.Tables = append(p.Tables, tableView{ID: "table-" + sheet.SafeName(t.Name), Title: t.Title, Missing: t.Missing})
			continue
		}
		own := variantOf(t.Table, said)
		shown := tableView{ID: own.Table.ID, Title: t.Title}
		own.addErrors(v, t.Table, said)
		shown.Variants = append(shown.Variants, own)
		for _, other := range t.Others {
			shown.Variants = append(shown.Variants, variantOf(other, said))
		}
		p.Tables = append(p.Tables, shown)
	}
	var err error
	for _, c := range content.Compared {
		sheets := c.Sheets()
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
	failures(v, &p)
	facts(v, &p)
	made := slices.DeleteFunc(slices.Clone(content.Tables), func(t Table) bool { return t.Missing != "" })
	p.Answers = answersOf(v, made, content.Compared)
	design(v, &p, made)
	p.sections()
	return layouts.ExecuteTemplate(w, "report", &p)
}

// variantOf prints a table. What was said of an earlier table of the page is not said
// again.
func variantOf(t *table.Table, said map[string]bool) variantView {
	shown := variantView{Measure: t.Measure.Name, Table: t.Sheet()}
	if said[t.Bold] {
		shown.Table.Caption = strings.Replace(shown.Table.Caption, t.Bold, "Bold as above.", 1)
	}
	said[t.Bold] = t.Bold != ""
	shown.Table.Remarks = nil
	for _, remark := range t.Remarks {
		if !said[remark] {
			shown.Table.Remarks = append(shown.Table.Remarks, remark)
		}
		said[remark] = true
	}
	return shown
}

// addErrors adds the Monte-Carlo errors, and effect sizes that are not there yet.
func (shown *variantView) addErrors(v *view.View, t *table.Table, said map[string]bool) {
	if t.Spread != "se" && slices.ContainsFunc(t.Rows, func(r table.Row) bool {
		return slices.ContainsFunc(r.Entries, func(c table.Entry) bool { return c.N > 1 })
	}) {
		shown.Errors = table.Errors(v, t).Sheet()
	}
	if effects := table.Effects(v, t); t.HasTests() && !said[fmt.Sprint(effects.Rows)] {
		said[fmt.Sprint(effects.Rows)] = true // those of the accuracy are the error's
		if said[table.EffectsLegend] {
			effects.Caption = strings.Replace(effects.Caption, table.EffectsLegend, "r and p as above.", 1)
		}
		said[table.EffectsLegend] = true
		shown.Effects = effects
	}
	if t.Matrix != nil {
		shown.Matrix = t.Matrix.Sheet
	}
}

// figureViews renders pictures as inline SVG.
func figureViews(drawn []Drawing) ([]figureView, error) {
	var views []figureView
	for _, d := range drawn {
		if d.Missing != "" {
			views = append(views, figureView{ID: "figure-" + sheet.SafeName(d.Name), Title: d.Title, Missing: d.Missing})
			continue
		}
		var b bytes.Buffer
		if err := d.Render(&b, "svg"); err != nil {
			return nil, err
		}
		views = append(views, figureView{Width: strconv.FormatFloat(float64(d.Width/canvas.MM(view.TextWidth)), 'f', 3, 64), ID: "figure-" + sheet.SafeName(d.Name), Title: d.Title, Caption: d.Caption,
			SVG: template.HTML(b.String()), Files: d.Files})
	}
	return views, nil
}

// facts are the figures at the top of the page.
func facts(v *view.View, p *printed) {
	fits, failed := len(v.Records.Rows), 0
	trials := 0
	for _, c := range v.Trials {
		trials += len(c.Replicates)
	}
	for i := range v.Records.Rows {
		if v.Records.Rows[i].Status != records.OK {
			failed++
		}
	}
	p.Facts = []view.Setting{
		{Name: "cells", Value: strconv.Itoa(len(v.Cells))},
		{Name: "replicates per cell", Value: perCell(v)},
		{Name: "classifiers", Value: strconv.Itoa(len(v.Records.Classifiers))},
		{Name: "trials", Value: strconv.Itoa(trials)},
		{Name: "fits", Value: strconv.Itoa(fits)},
		{Name: "failed fits", Value: strconv.Itoa(failed)},
	}
}

// perCell is the number of replicates of a cell, as a range where cells differ.
func perCell(v *view.View) string {
	low, high := len(v.Trials[0].Replicates), 0
	for _, c := range v.Trials {
		low, high = min(low, len(c.Replicates)), max(high, len(c.Replicates))
	}
	if low == high {
		return strconv.Itoa(high)
	}
	return fmt.Sprintf("%d–%d", low, high)
}

// design fills the section on what was run.
func design(v *view.View, p *printed, tables []Table) {
	for _, f := range v.Records.Factors {
		var labels []string
		for _, level := range f.Levels {
			labels = append(labels, v.LevelLabel(f.Name, level))
		}
		row := factorView{Label: v.FactorLabel(f.Name), Levels: strings.Join(labels, ", ")}
		if known := v.Factor(f.Name); known != nil {
			row.Doc = known.Doc
			p.FactorDocs = p.FactorDocs || row.Doc != ""
		}
		p.Factors = append(p.Factors, row)
	}
	var names, bold []string
	for _, t := range tables {
		if title := t.Measure.Title(); !slices.Contains(names, title) {
			names = append(names, title)
		}
		if len(bold) == 0 && len(t.Family) > 1 {
			bold = t.Family
		}
	}
	over, shared := expectations(v)
	p.Targets = "What is estimated for each classifier in each cell: " + cmp.Or(strings.Join(names, ", "), "the test error") + ", " + over + "."
	for _, c := range v.Classifiers {
		if c.Oracle {
			p.Targets += fmt.Sprintf(" %s is the Bayes rule of the drawn problem: its error is the floor.", v.Label(c.ID))
		}
	}
	units := v.Units(view.Singles(v.Cells))
	p.Measures = fmt.Sprintf("Mean and standard deviation over the %[1]s; Monte-Carlo standard error of a mean: standard deviation / √R%[3]s. All classifiers of a trial see the same data, so they are compared on pairs. %[2]s in which a fit failed: means are over a classifier's own successes, tests over the %[1]s in which both succeeded.",
		units, view.Capital(units), shared)
	if strings.Contains(units, "tasks") {
		p.Measures += " A task is one problem under cross-validation; its result is the mean over its folds."
	}
	if bold != nil && v.TestLabels(view.Singles(v.Cells)) != "" {
		p.Measures += " " + table.BoldCaption(v, view.Singles(v.Cells), bold, bold, false)
	}
}

// expectations says over what results vary from replicate to replicate, and the
// standard error of those that share rows.
func expectations(v *view.View) (over, shared string) {
	var words []string
	for _, c := range v.Cells {
		word := "over new problems and new training sets"
		switch s := v.Sampling[c.ID]; {
		case s.Refits:
			word = "over fits to the one split of a data set"
		case s.OneSet:
			word = "over splits of a data set"
			shared = ", of folds and splits of one data set standard deviation × √(1/R + test rows / training rows)"
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", "), shared
}

// sections lists the headings of the page with the tables and figures below them.
func (p *printed) sections() {
	add := func(id, heading string, there bool, parts []view.Setting) {
		if !there {
			return
		}
		if len(parts) < 2 {
			parts = nil
		}
		p.Sections = append(p.Sections, section{id, heading, distinct(parts)})
	}
	var tables, compared []view.Setting
	for _, t := range p.Tables {
		tables = append(tables, view.Setting{Name: t.ID, Value: t.Title})
	}
	for _, c := range p.Compared {
		for _, s := range append(slices.Clone(c.Sheets), c.Numbers) {
			compared = append(compared, view.Setting{Name: s.ID, Value: s.Title})
		}
	}
	figures := func(list []figureView) (parts []view.Setting) {
		for _, f := range list {
			parts = append(parts, view.Setting{Name: f.ID, Value: strings.TrimPrefix(f.Title, p.Study.Title+" – ")})
		}
		return parts
	}
	add("answers", "In short", true, nil)
	add("results", "Results", true, tables)
	add("published", "Published numbers", len(p.Compared) > 0, compared)
	add("figures", "Figures", len(p.Figures) > 0, figures(p.Figures))
	add("ranks", "Average ranks", len(p.Ranks) > 0, figures(p.Ranks))
	add("failures", "Failed fits", true, nil)
	add("design", "What was run", true, nil)
	add("repeat", "Repeat it", true, nil)
}

// distinct gives lines of one title, which a study has that names its tables and no
// more, the name behind it.
func distinct(parts []view.Setting) []view.Setting {
	times := map[string]int{}
	for _, part := range parts {
		times[part.Value]++
	}
	for i, part := range parts {
		if _, name, _ := strings.Cut(part.Name, "-"); times[part.Value] > 1 {
			parts[i].Value += " (" + name + ")"
		}
	}
	return parts
}
