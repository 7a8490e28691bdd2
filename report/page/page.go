// Package page makes report.html and index.html: pages that need nothing else.
package page

import (
	"bytes"
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
