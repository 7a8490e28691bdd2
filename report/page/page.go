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
	Tuned    *sheet.Sheet // what tuning chose; nil: nothing was tuned
	Compared []Comparison
	Figures  []Drawing // all but those of ranks, the main one first
	Ranks    []Drawing // critical-difference diagrams
	Families []view.Family
}

// A Table is a table of results and the same one in other measures.
type Table struct {
	*table.Table
	Others  []*table.Table
	Treated []*table.Table // under other treatments of failed fits
	Missing string         // why there is none; empty: there is
}

// ID returns the anchor of the table.
func (t Table) ID() string { return "table-" + sheet.SafeName(t.Name) }

// A Drawing is a picture with links to its files.
type Drawing struct {
	canvas.Picture
	Files   []view.Setting // format and link
	Missing string         // why there is none; empty: there is
	Heading string         // on the page: its number and its own title
	Measure string         // what the main figure shows
	Others  []Drawing      // the main figure in other measures
}

// ID returns the anchor of the drawing.
func (d Drawing) ID() string { return "figure-" + sheet.SafeName(d.Name) }

// SVG draws the picture without its title.
func (d Drawing) SVG() (template.HTML, error) {
	var b bytes.Buffer
	err := d.RenderPage(&b)
	return template.HTML(b.String()), err
}

// Fraction returns the width of the picture in units of a journal's text.
func (d Drawing) Fraction() string {
	return strconv.FormatFloat(float64(d.Width/canvas.MM(view.TextWidth)), 'f', 3, 64)
}

// A Comparison is the section on one table of published numbers.
type Comparison struct {
	*compare.Comparison
	Figures []Drawing
}

// Condensed returns all sheets but that of every number.
func (c Comparison) Condensed() []*sheet.Sheet {
	sheets := c.Sheets()
	return sheets[:len(sheets)-1]
}

// Numbers returns the sheet of every number, which the page folds.
func (c Comparison) Numbers() *sheet.Sheet {
	sheets := c.Sheets()
	return sheets[len(sheets)-1]
}

// printed is what the report's template prints.
type printed struct {
	*Content
	Main         *Drawing  // nil: the study has no figure
	More         []Drawing // the other figures
	Tables       []printedTable
	Study        *view.Study
	Style        template.CSS
	Script       template.JS
	Answers      answers
	Facts        []view.Setting
	Sections     []section
	Failures     []failure
	FailureWords string
	Factors      []factorView
	FactorDocs   bool // any factor has a meaning
	Replicates   *replicates
	Targets      string
	Measures     string
	Multiplicity string   // how many hypotheses are tested; "": none
	FamilyWords  []string // of which families
}

// A printedTable is a table in all its measures.
type printedTable struct {
	*Table
	Heading  string // its number and its own title
	Variants []variant
}

// A variant is a table in one measure; the study's own has its Monte-Carlo errors and its
// effect sizes.
type variant struct {
	Measure                string
	Heading                string // of a folded one
	Table, Errors, Effects *sheet.Sheet
}

// Report writes report.html: one page that needs nothing else.
func Report(w io.Writer, v *view.View, content *Content) error {
	p := printed{Content: content, Study: &v.Study,
		Style: template.CSS(file("style.css")), Script: template.JS(file("page.js"))}
	p.Replicates = newReplicates(v)
	p.numberFigures()
	said := map[string]bool{}
	for i := range content.Tables {
		heading := p.heading(fmt.Sprintf("Table %d", i+1), content.Tables[i].Title)
		p.Tables = append(p.Tables, printTable(&content.Tables[i], heading, said))
	}
	failures(v, &p)
	facts(v, &p)
	made := slices.DeleteFunc(slices.Clone(p.Tables), func(t printedTable) bool { return t.Missing != "" })
	p.Answers = answersOf(v, made, content.Compared)
	design(v, &p, made)
	if len(content.Families) > 0 {
		p.Multiplicity, p.FamilyWords = v.Multiplicity(content.Families)
	}
	p.sections()
	return layouts.ExecuteTemplate(w, "report", &p)
}

// numberFigures numbers the figures in the order of the page and takes out the main one.
func (p *printed) numberFigures() {
	lists := [][]Drawing{p.Figures}
	for _, c := range p.Compared {
		lists = append(lists, c.Figures)
	}
	number := 0
	for _, list := range append(lists, p.Ranks) {
		for i := range list {
			number++
			list[i].Heading = p.heading(fmt.Sprintf("Figure %d", number), list[i].Title)
			for k := range list[i].Others {
				list[i].Others[k].Heading = list[i].Heading
			}
		}
	}
	if len(p.Figures) > 0 {
		p.Main, p.More = &p.Figures[0], p.Figures[1:]
	}
}

// heading joins the number of a table or figure and the part of its title that is not the
// title of the study: "Table 2. Ten comparators".
func (p *printed) heading(number, title string) string {
	own := strings.TrimPrefix(strings.TrimPrefix(title, p.Study.Title), " – ")
	if own == "" {
		return number
	}
	return number + ". " + strings.TrimSuffix(own, ".")
}

// printTable lays a table out in all its measures; one that is missing has none. What was
// said of an earlier table is not repeated.
func printTable(t *Table, heading string, said map[string]bool) printedTable {
	p := printedTable{Table: t, Heading: heading}
	if t.Missing != "" {
		return p
	}
	own := variantOf(t.Table, heading, said)
	own.addDetails(t.Table, said)
	p.Variants = append(p.Variants, own)
	for _, treated := range t.Treated {
		shown := variantOf(treated, heading, said)
		shown.Heading = "The same under another treatment of failed fits: " + treated.Treatment()
		shown.Effects = effectsOf(treated, heading, said)
		p.Variants = append(p.Variants, shown)
	}
	for _, other := range t.Others {
		shown := variantOf(other, heading, said)
		shown.Heading = "The same in another measure: " + shown.Measure
		p.Variants = append(p.Variants, shown)
	}
	return p
}

// variantOf lays a table out, with what was said of an earlier one left out.
func variantOf(t *table.Table, heading string, said map[string]bool) variant {
	shown := variant{Measure: t.Measure.Name, Table: t.Sheet()}
	shown.Table.Title = heading
	for i := range shown.Table.Rows {
		shown.Table.Rows[i].Behind = strings.Join(t.Behind(i), " ")
	}
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

// addDetails adds what the page folds: Monte-Carlo errors and effect sizes.
func (shown *variant) addDetails(t *table.Table, said map[string]bool) {
	if t.Spread != "se" && t.HasSpread() {
		shown.Errors = t.Errors().Sheet()
		shown.Errors.Title = "Monte-Carlo errors of " + shown.Table.Title
	}
	if t.HasTests() {
		shown.Effects = effectsOf(t, shown.Table.Title, said)
	}
}

// effectsOf lays out the effect sizes of a table; nil where an earlier table has the same,
// as that of the error has those of the accuracy.
func effectsOf(t *table.Table, heading string, said map[string]bool) *sheet.Sheet {
	effects := t.Effects()
	effects.Title = "Effect sizes of " + heading
	rows := fmt.Sprint(effects.Rows)
	if said[rows] {
		return nil
	}
	said[rows] = true
	if said[table.EffectsLegend] {
		effects.Caption = strings.Replace(effects.Caption, table.EffectsLegend, "r and p as above.", 1)
	}
	said[table.EffectsLegend] = true
	return effects
}
