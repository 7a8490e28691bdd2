// Package report makes the documents of a study's report: tables, figures, a page
// and the captions. It decides what is printed in which order; what each looks like
// is the business of the packages below, lowest first: sheet (a printed table) and
// canvas (a drawing) know nothing of studies; view is a study as readers see it;
// table, figure and compare say what the records show; page puts it together.
//
// Everything is a pure function of records, timings and a declarative layout: the
// same input gives the same bytes.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"copse/report/canvas"
	"copse/report/compare"
	"copse/report/figure"
	"copse/report/page"
	"copse/report/sheet"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
)

// A Document is one file of a report. Several may be rendered at the same time.
type Document struct {
	Name   string // relative to the results folder, with slashes
	Render func(io.Writer) error
}

// A Missing is a table or figure of the layout that could not be made. It keeps no
// other from being written.
type Missing struct {
	List  string // of the layout: tables or figures
	Index int
	Err   error
}

// Documents returns all that a report consists of, in order: tables, figures,
// comparisons with published numbers, the captions of all figures, and the page,
// which shows everything and says in its place why something is missing.
func Documents(study view.Study, rows *records.Records, layout Layout, published []compare.Options) (documents []Document, missing []Missing, err error) {
	if len(rows.Rows) == 0 {
		return nil, nil, fmt.Errorf("report of %s: no records", rows.Study)
	}
	if err := checkInference(study, rows, layout.Inference); err != nil {
		return nil, nil, err
	}
	v := layout.View(study, rows)
	var content page.Content
	for i, o := range layout.Tables {
		t, err := tableOf(v, o)
		if err != nil {
			err = fmt.Errorf("table %s: %w", o.Name, err)
			missing = append(missing, Missing{"tables", i, err})
			content.Tables = append(content.Tables, page.Table{Table: &table.Table{Name: o.Name, Title: cmp.Or(o.Title, v.Title)}, Missing: err.Error()})
			continue
		}
		content.Tables = append(content.Tables, t)
		documents = append(documents, tableDocuments(t.Table)...)
	}
	drawn, undrawn := drawings(v, &layout, &content)
	ranked, err := ranks(v, &layout, published)
	if made := len(missing) == 0 || missing[0].Index > 0; err != nil && made { // else the first table's error is said
		undrawn = append(undrawn, Missing{"tables", 0, fmt.Errorf("average ranks of table %s: %w", layout.Tables[0].Name, err)})
	}
	content.Ranks = append(content.Ranks, ranked...)
	missing = append(missing, undrawn...)
	documents = append(documents, drawingDocuments(drawn, layout.Formats)...)
	for _, o := range published {
		c, err := compare.New(v, o)
		if err != nil {
			return nil, nil, err
		}
		compared := page.Comparison{Comparison: c, Figures: withFiles(c.Pictures(), layout.Formats)}
		content.Compared = append(content.Compared, compared)
		documents = append(documents, comparisonDocuments(c, compared.Figures, layout.Formats)...)
		drawn = append(drawn, compared.Figures...)
	}
	if len(drawn) > 0 {
		documents = append(documents, captionDocuments(&v.Study, drawn, layout.Formats)...)
	}
	documents = append(documents, Document{pageName, func(w io.Writer) error { return page.Report(w, v, &content) }})
	return printable(documents), missing, distinct(documents)
}

// tableOf is a table with the same one in other measures.
func tableOf(v *view.View, o table.Options) (page.Table, error) {
	t, err := table.New(v, o)
	if err != nil {
		return page.Table{}, err
	}
	others, err := inOtherMeasures(v, o)
	return page.Table{Table: t, Others: others}, err
}

// FirstTable returns the first table of the layout for printing elsewhere; nil: it
// has none.
func FirstTable(study view.Study, rows *records.Records, layout Layout) (*sheet.Sheet, error) {
	if len(layout.Tables) == 0 {
		return nil, nil
	}
	v := layout.View(study, rows)
	t, err := table.New(v, layout.Tables[0])
	if err != nil {
		return nil, err
	}
	return t.Sheet(), nil
}

// checkInference refuses units that the records do not have.
func checkInference(study view.Study, rows *records.Records, inference view.Inference) error {
	for _, c := range rows.Cells() {
		if err := inference.CheckUnit(study.Sampling[c.ID]); err != nil {
			return fmt.Errorf("inference.unit: %w%s", err, view.InCell(c.Levels, rows.Factors))
		}
	}
	return nil
}

// inOtherMeasures is a table of rates in the other rates that records hold, for the
// page alone: those that all of its cells have, since nobody asked for them there.
func inOtherMeasures(v *view.View, o table.Options) ([]*table.Table, error) {
	if m, err := view.NewMeasure(o.Metric, o.Scale); err != nil || !m.IsRate {
		return nil, err
	}
	var others []*table.Table
	own, name := o.Metric, o.Name
	for _, metric := range append([]string{"error", "ber"}, v.Records.Metrics...) {
		if metric == own || metric == "error" && own == "accuracy" {
			continue
		}
		o.Metric, o.Name = metric, name+"-"+metric
		t, err := table.New(v, o)
		var mistake *view.Mistake
		if errors.As(err, &mistake) && slices.Contains(mistake.Keys, "metric") {
			continue // of a class that is not the same, or not there, in all cells
		}
		if err != nil {
			return nil, err
		}
		if t.HasResults() {
			others = append(others, t)
		}
	}
	return others, nil
}

// pageName is the name of the document that shows all others.
const pageName = "report.html"

// Verdicts returns what each comparison with published numbers found, in words.
func Verdicts(study view.Study, rows *records.Records, layout Layout, published []compare.Options) ([]string, error) {
	v := layout.View(study, rows)
	var verdicts []string
	for _, o := range published {
		c, err := compare.New(v, o)
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, c.Findings())
	}
	return verdicts, nil
}

// Summarize returns a study's line of an index page.
func Summarize(study view.Study, rows *records.Records, layout Layout, published []compare.Options) (page.Entry, error) {
	v := view.New(study, rows, layout.Inference)
	metric := table.Defaults().Metric
	if len(layout.Tables) > 0 {
		metric = layout.Tables[0].Metric
	}
	measure, err := v.Measure(metric, "", v.Cells)
	if err != nil { // a class that some cells do not have
		if measure, err = v.Measure(table.Defaults().Metric, "", v.Cells); err != nil {
			return page.Entry{}, err
		}
	}
	var compared []*compare.Comparison
	for _, o := range published {
		c, err := compare.New(v, o)
		if err != nil {
			return page.Entry{}, err
		}
		compared = append(compared, c)
	}
	return page.Summarize(v, measure, compared)
}

// drawings draws the layout's figures and puts them on the page.
func drawings(v *view.View, layout *Layout, content *page.Content) (drawn []page.Drawing, missing []Missing) {
	for i, o := range layout.Figures {
		pictures, err := figure.Draw(v, o)
		these := withFiles(pictures, layout.Formats)
		drawn = append(drawn, these...)
		if err != nil {
			err = fmt.Errorf("figure %s: %w", o.Name, err)
			missing = append(missing, Missing{"figures", i, err})
			these = []page.Drawing{{Picture: canvas.Picture{Name: o.Name, Title: cmp.Or(o.Title, v.Title)}, Missing: err.Error()}}
		}
		if o.Kind == "cd" {
			content.Ranks = append(content.Ranks, these...)
		} else {
			content.Figures = append(content.Figures, these...)
		}
	}
	return drawn, missing
}

// ranks draws the diagram of ranks that the layout does not have.
func ranks(v *view.View, layout *Layout, published []compare.Options) ([]page.Drawing, error) {
	o, err := rankDiagram(v, layout, published)
	if o == nil || err != nil {
		return nil, err
	}
	pictures, err := figure.Draw(v, *o)
	return withFiles(pictures, nil), err
}

// rankDiagram is a critical-difference diagram of the first table's classifiers and
// metric over all cells, where there are enough of them: one diagram for each way to
// read the paper, where the study tries several. nil: none.
func rankDiagram(v *view.View, layout *Layout, published []compare.Options) (*figure.Options, error) {
	if len(layout.Tables) == 0 || slices.ContainsFunc(layout.Figures, func(o figure.Options) bool { return o.Kind == "cd" }) {
		return nil, nil
	}
	t := layout.Tables[0]
	v = v.Comparing(t.Family)
	columns, err := v.Columns(t.Columns)
	if err != nil {
		return nil, err
	}
	m, err := v.Measure(t.Metric, t.Scale, v.Cells)
	if err != nil || !m.IsRate || len(v.Cells) < 2 || len(v.Compared(&m, columns)) < 2 {
		return nil, nil // a class that some cells do not have has no ranks over all
	}
	if blocks, _ := v.Blocks(v.Cells, &m, v.Compared(&m, columns)); len(blocks) < 2 {
		return nil, nil // cells without one of the classifiers have no ranks
	}
	o := figure.Defaults()
	o.Name, o.Kind, o.Title, o.Columns, o.Family, o.Metric, o.Scale = "ranks", "cd", "Average ranks", t.Columns, t.Family, t.Metric, t.Scale
	for _, p := range published {
		for _, factor := range v.Varying(v.Cells) {
			if slices.Contains(p.Variants, factor) && !slices.Contains(o.Panel, factor) {
				o.Panel = append(o.Panel, factor)
			}
		}
	}
	return &o, nil
}

// Plot returns one figure in every format, named without a folder, and the captions
// of its pages.
func Plot(study view.Study, rows *records.Records, layout Layout, o figure.Options) (documents []Document, captions []string, err error) {
	if len(rows.Rows) == 0 {
		return nil, nil, fmt.Errorf("figure of %s: no records", rows.Study)
	}
	v := layout.View(study, rows)
	pictures, err := figure.Draw(v, o)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range drawingDocuments(withFiles(pictures, layout.Formats), layout.Formats) {
		documents = append(documents, Document{path.Base(d.Name), d.Render})
	}
	for _, p := range pictures {
		captions = append(captions, p.Title+". "+p.Caption)
	}
	return printable(documents), captions, distinct(documents)
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
