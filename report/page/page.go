// Package page writes report.html and index.html. Neither page needs any other files.
package page

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"

	"copse/report/canvas"
	"copse/report/compare"
	"copse/report/sheet"
	"copse/report/table"
	"copse/report/view"
)

// Content contains the parts of report.html, in the order of the page.
type Content struct {
	Tables   []Table
	Tuned    *sheet.Sheet  // values that tuning chose; nil if nothing was tuned
	Compared *Comparison   // with published numbers; nil if there are none
	Figures  []Drawing     // all figures except rank diagrams, the main figure first
	Ranks    []Drawing     // critical-difference diagrams
	Families []view.Family // tested hypotheses
	Variants []view.Family // hypotheses that only variants with other treatments of failed fits test
}

// A Table is a table of results, with variants for other measures and other treatments of failed fits. The
// function Report sets the fields Number, Heading and Variants.
type Table struct {
	*table.Table
	Others  []*table.Table
	Treated []*table.Table // the table with other treatments of failed fits
	Missing string         // why the table is missing; empty if it exists

	Number   int // missing tables have numbers, too
	Heading  string
	Variants []variant
}

// ID returns the HTML id of the table.
func (t Table) ID() string { return "table-" + sheet.SafeName(t.Name) }

// A Drawing is a picture with links to its files.
type Drawing struct {
	canvas.Picture
	Files   []view.Setting // format and link
	Missing string         // why the drawing is missing, or ""
	Heading string         // number and title on the page
	Measure string
	Others  []Drawing // the main figure with other measures and scales
}

// ID returns the HTML id of the drawing.
func (d Drawing) ID() string { return "figure-" + sheet.SafeName(d.Name) }

// SVG returns the picture as SVG, without its title.
func (d Drawing) SVG() (template.HTML, error) {
	var b bytes.Buffer
	err := d.RenderPage(&b)
	return template.HTML(b.String()), err
}

// Fraction returns the width of the picture as a fraction of the text width of a journal.
func (d Drawing) Fraction() string {
	return strconv.FormatFloat(float64(d.Width/canvas.MM(view.TextWidth)), 'f', 3, 64)
}

// A Comparison is the section of the page that compares our results with published numbers.
type Comparison struct {
	*compare.Comparison
	Figures []Drawing
}

// pageData contains the values that the template of report.html shows.
type pageData struct {
	*Content
	Main         *Drawing // nil without figures
	More         []Drawing
	View         *view.View
	Style        template.CSS
	Script       template.JS
	Answers      answers
	Facts        []fact
	Failures     []failure
	FailureWords string
	Replicates   *replicates
	Targets      string
	Measures     string
	Multiplicity string // sentence on the number of tested hypotheses, or ""
	FamilyWords  []string
}

// A variant is a table with one measure and one treatment of failed fits. All but the first variant are
// initially collapsed.
type variant struct {
	Measure string
	Heading string         // heading of a collapsed variant
	Table   *sheet.Sheet   // the means
	Errors  *sheet.Sheet   // standard errors; nil if not shown
	Effects []*sheet.Sheet // effect sizes by metric; nil if not shown
	Files   []view.Setting // format and link of each file
}

// Report writes report.html, which loads no other files.
func Report(w io.Writer, v *view.View, content *Content) error {
	p := pageData{Content: content, View: v, Style: style, Script: script,
		Replicates: newReplicates(v), Facts: facts(v)}
	p.numberFigures()
	if len(p.Figures) > 0 {
		p.Main, p.More = &p.Figures[0], p.Figures[1:]
	}
	p.printTables()
	// Missing tables have no findings.
	made := view.Without(p.Tables, func(t Table) bool { return t.Missing != "" })
	p.Answers = newAnswers(v, made, content.Compared) // at the top of the page
	p.Failures, p.FailureWords = failures(v)
	p.Targets, p.Measures = targets(v, made), performance(v, made)
	if len(content.Families)+len(content.Variants) > 0 {
		p.Multiplicity, p.FamilyWords = v.Multiplicity(content.Families, content.Variants)
	}
	return layouts.ExecuteTemplate(w, "report", &p)
}

// numberFigures writes the headings of all figures, such as "Figure 2. Box plots". Figures that differ only in
// the measure share a heading.
func (p *pageData) numberFigures() {
	sections := [][]Drawing{p.Figures}
	if p.Compared != nil {
		sections = append(sections, p.Compared.Figures)
	}
	sections = append(sections, p.Ranks)
	number := 0
	for _, figures := range sections {
		for i := range figures {
			number++
			f := &figures[i]
			f.Heading = p.headingOf(fmt.Sprintf("Figure %d", number), f.Title)
			for k := range f.Others {
				f.Others[k].Heading = f.Heading
			}
		}
	}
}

// headingOf returns a heading such as "Table 2. Ten comparators", without the study's title at its beginning.
func (p *pageData) headingOf(number, title string) string {
	own := strings.TrimPrefix(strings.TrimPrefix(title, p.View.Title), " – ")
	if own == "" {
		return number
	}
	return number + ". " + strings.TrimSuffix(own, ".")
}

func (p *pageData) printTables() {
	printer := tablePrinter{shown: map[string]bool{}}
	for i := range p.Tables {
		t := &p.Tables[i]
		t.Number = i + 1
		t.Heading = p.headingOf(fmt.Sprintf("Table %d", t.Number), t.Title)
		if t.Missing == "" {
			t.Variants = printer.variants(t)
		}
	}
}

// A tablePrinter lays out the tables of the page. It shows equal remarks, explanations and effect sizes only
// once.
type tablePrinter struct {
	shown map[string]bool
}

// addNew records that the page shows a text, and reports whether the text is new.
func (p *tablePrinter) addNew(text string) bool {
	isNew := !p.shown[text]
	p.shown[text] = true
	return isNew
}

// variants lays out the table that the study file describes and its variants: first with other treatments of
// failed fits (t.Treated), then with other measures (t.Others). The tables of other measures are only on the
// page, so they have no files.
func (p *tablePrinter) variants(t *Table) []variant {
	main := p.variant(t.Table, t.Heading)
	main.Files = tableFiles(t.Name)
	if t.HasStandardErrorTable() {
		main.Errors = t.StandardErrorTable().Sheet()
		main.Errors.Title = "Standard errors of " + t.Heading
	}
	main.Effects = p.effectSheets(t.Table, t.Heading)
	list := []variant{main}
	for _, treated := range t.Treated {
		title := t.Heading + ": failures " + treated.Treatment()
		next := p.variant(treated, title)
		next.Measure += ", failures " + treated.Treatment()
		next.Files = tableFiles(treated.Name)
		next.Heading = "The same table with another treatment of failed fits: " + treated.Treatment()
		next.Effects = p.effectSheets(treated, title)
		list = append(list, next)
	}
	for _, other := range t.Others { // effect sizes are only for requested measures
		next := p.variant(other, t.Heading+": "+other.Measure.Name)
		next.Heading = "The same table with another measure: " + next.Measure
		list = append(list, next)
	}
	return list
}

// tableFiles returns links to the files of a table.
func tableFiles(name string) (links []view.Setting) {
	for _, format := range []string{"md", "csv", "tex", "html"} {
		link := "tables/" + sheet.SafeName(name) + "." + format
		links = append(links, view.Setting{Name: format, Value: link})
	}
	return links
}

func (p *tablePrinter) variant(t *table.Table, title string) variant {
	means := t.Sheet()
	means.Title = title
	for i := range means.Rows {
		row := i % len(t.Rows) // each metric has these rows
		means.Rows[i].CellIDs = strings.Join(t.CellIDs(row), " ")
	}
	if t.Bold != "" && !p.addNew(t.Bold) {
		means.Caption = strings.Replace(means.Caption, t.Bold, "Bold as above.", 1)
	}
	means.Remarks = view.Without(means.Remarks, func(remark string) bool { return !p.addNew(remark) })
	return variant{Measure: t.Measure.Name, Table: means}
}

// effectSheets returns a table of effect sizes for each metric with tests, unless the page already shows the
// same rows. For example, error and accuracy can have the same effect sizes.
func (p *tablePrinter) effectSheets(t *table.Table, heading string) (list []*sheet.Sheet) {
	for _, ofMetric := range t.MetricTables() {
		if !ofMetric.HasTests() {
			continue
		}
		effects := ofMetric.Effects()
		rows := fmt.Sprint(t.Name, effects.Rows)
		if !p.addNew(rows) {
			continue // the page shows them already
		}
		effects.Title = "Effect sizes of " + heading
		if len(t.OtherMetrics) > 0 {
			effects.ID += "-" + sheet.SafeName(ofMetric.Measure.Name)
			effects.Title += ": " + ofMetric.Measure.Name
		}
		if legend := ofMetric.EffectsLegend(); !p.addNew(legend) {
			effects.Caption = strings.Replace(effects.Caption, legend, "Abbreviations as above.", 1)
		}
		list = append(list, effects)
	}
	return list
}
