// Package report makes the files of a report: tables, figures, their captions and an HTML page.
//
// A report depends only on records, timings, stored predictions and layout, so the same input gives identical files.
package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"copse/report/canvas"
	"copse/report/compare"
	"copse/report/figure"
	"copse/report/page"
	"copse/report/sheet"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/records"
)

// A Document is one file of a report. Several documents may be rendered concurrently.
type Document struct {
	Name   string // relative to the results folder, with slashes
	Render func(io.Writer) error
}

// A Missing describes a table or figure of the layout that could not be made.
type Missing struct {
	List  string // list in the layout: tables or figures
	Index int
	Err   error
}

func pathOf(list string, i int) string { return fmt.Sprintf("report.%s[%d]", list, i) }

// Path returns the path of the table or figure in the study file, such as "report.tables[0]".
func (m Missing) Path() string { return pathOf(m.List, m.Index) }

// A Report is the report of a study: its files, and facts about them that copse prints.
type Report struct {
	First     *sheet.Sheet  // first table of the layout; nil if it is missing
	Verdict   string        // findings of the comparison with published numbers, or ""
	Documents []Document    // tables, figures, comparisons, the captions of all figures, and the page
	Missing   []Missing     // entries without a document; the page gives the reasons
	Families  []view.Family // tested hypotheses, in the order of the documents
	Variants  []view.Family // hypotheses that variants of tables test, with other treatments of failed fits
}

// Make makes the report that a layout describes. If published is not nil, it also compares the results with
// published numbers. A table, figure or diagram that fails is added to Report.Missing. Any other failure is an
// error.
func Make(study view.Study, rows *records.Records, layout Layout, published *compare.Options) (*Report, error) {
	if len(rows.Rows) == 0 {
		return nil, fmt.Errorf("report of %s: no records", rows.Study)
	}
	m := maker{View: layout.View(study, rows), layout: &layout, fileOwners: map[string]string{}}
	if err := m.CheckBlocks(); err != nil {
		return nil, err
	}
	if err := m.compare(published); err != nil {
		return nil, err
	}
	if err := m.makeTunedTable(); err != nil {
		return nil, err
	}
	m.makeTables()
	m.drawFigures()
	if tables := m.content.Tables; len(tables) > 0 && tables[0].Missing == "" {
		m.First = tables[0].Sheet()
	}
	// The rank diagram ranks the classifiers of the first table, but has no entry in the layout. Its errors are
	// shown as errors of this table.
	if err := m.drawRankDiagram(published); err != nil {
		m.addMissing("tables", 0, fmt.Errorf("average ranks: %w", err))
	}
	if published != nil {
		m.Families = append(m.Families, compare.Families(*published)...)
	}
	m.Documents = printable(m.documents())
	return &m.Report, nil
}

type maker struct {
	*view.View
	layout            *Layout
	fileOwners        map[string]string // table or figure to which a file belongs
	content           page.Content
	drawingsWithFiles []page.Drawing // in the order of the layout
	Report
}

// reserveFiles reserves file names in a folder for the given owner, such as "`report.tables[0]`". It returns a
// BadOption if one of them is already reserved. Names that differ only in case count as equal, because some file
// systems ignore case.
func (m *maker) reserveFiles(folder, owner string, names ...string) error {
	for _, name := range names {
		file := folder + "/" + strings.ToLower(sheet.SafeName(name))
		if other, taken := m.fileOwners[file]; taken {
			return view.OptionError("name", "%q names a file that %s also writes; choose another name",
				name, other)
		}
		m.fileOwners[file] = owner
	}
	return nil
}

func (m *maker) addMissing(list string, i int, err error) {
	m.Missing = append(m.Missing, Missing{list, i, err})
}

// compare adds the comparison with published numbers to the report, with its figures, unless published is nil.
func (m *maker) compare(published *compare.Options) error {
	if published == nil {
		return nil
	}
	c := compare.New(m.View, *published)
	drawn := withFiles(figuresFolder, c.Pictures(), m.layout.Formats)
	m.content.Compared = &page.Comparison{Comparison: c, Figures: drawn}
	m.Verdict = c.Findings()
	const owner = "the comparison with published numbers"
	return cmp.Or(m.reserveFiles("tables", owner, compare.Name), m.reserveFiles("figures", owner, namesOf(drawn)...))
}

func namesOf(drawn []page.Drawing) []string {
	var names []string
	for _, d := range drawn {
		names = append(names, d.Name)
	}
	return names
}

// makeTunedTable makes the table of the values that tuning chose, if a classifier was tuned.
func (m *maker) makeTunedTable() (err error) {
	if m.content.Tuned, err = table.Choices(m.View, m.layout.Tables); m.content.Tuned == nil || err != nil {
		return err
	}
	return m.reserveFiles("tables", "the table of tuned values", table.TunedName)
}

// makeTables makes the tables of the layout. If a table cannot be made, the report states the reason in its
// place.
func (m *maker) makeTables() {
	for i, o := range m.layout.Tables {
		t, err := m.makeTable("`"+pathOf("tables", i)+"`", o)
		if err != nil {
			m.addMissing("tables", i, err)
			t = page.Table{Table: &table.Table{Name: o.Name, Title: cmp.Or(o.Title, m.Title)}, Missing: reasonOf(err)}
		}
		m.content.Tables = append(m.content.Tables, t)
	}
}

// makeTable makes a table and its variants with other measures or another treatment of failed fits. Messages
// quote owner, the position of the table in the study file.
func (m *maker) makeTable(owner string, o table.Options) (page.Table, error) {
	t, err := table.New(m.View, o)
	if err != nil {
		return page.Table{}, err
	}
	if err := m.reserveFiles("tables", owner, o.Name); err != nil {
		return page.Table{}, err
	}
	others, err := otherMeasureTables(m.View, o)
	if err != nil {
		return page.Table{}, err
	}
	treated, err := m.otherTreatments(owner, o)
	if err != nil {
		return page.Table{}, err
	}
	m.Families = append(m.Families, m.tableFamilies(t, others)...)
	for _, variant := range treated {
		m.Variants = append(m.Variants, variant.Families()...)
	}
	return page.Table{Table: t, Others: others, Treated: treated}, nil
}

// otherTreatments returns variants of a table with the other treatments of failed fits. Each variant has its own
// files.
func (m *maker) otherTreatments(owner string, o table.Options) ([]*table.Table, error) {
	var list []*table.Table
	name := o.Name
	for i, treatment := range m.Failures {
		if i == 0 {
			continue // the table itself has this treatment
		}
		o.Name = name + "-" + treatment
		t, err := table.New(m.WithTreatment(treatment), o)
		if err == nil {
			err = m.reserveFiles("tables", owner, o.Name)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// tableFamilies returns the families of hypotheses of a table. The argument others contains the
// same table for other metrics.
func (m *maker) tableFamilies(t *table.Table, others []*table.Table) []view.Family {
	var further []string
	for _, other := range others {
		further = append(further, other.Measure.Name)
	}
	if treatments := m.Failures; len(treatments) > 1 {
		further = append(further, "the same measure with failures: "+view.And(treatments[1:]))
	}
	families := t.Families()
	for i := range families {
		families[i].Uncorrected = further
	}
	return families
}

// otherMeasureTables returns variants of the table with options o, one for each metric of the records that the
// table does not show. It returns nil for tables of times or memory.
func otherMeasureTables(v *view.View, o table.Options) ([]*table.Table, error) {
	shown := o.ShownMetrics()
	if m, err := view.NewMeasure(shown[0], o.Scale); err != nil || !m.OfPredictions() {
		return nil, err
	}
	// McNemar's test is only for the error, and DeLong's only for the AUC.
	if test := cmp.Or(o.Test, v.Test); test == "mcnemar" || test == "delong" {
		v = v.WithTest("auto")
		o.Test = ""
	}
	var others []*table.Table
	for _, metric := range otherMetrics(v, shown) {
		variant := o
		variant.Name = o.Name + "-" + metric
		variant.Metric, variant.Metrics = metric, nil
		t, err := table.New(v, variant)
		if isAboutMetric(err) {
			continue // the metric names a class that some cells lack, or that differs between cells
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

func isAboutMetric(err error) bool {
	mistake, ok := errors.AsType[*view.BadOption](err)
	return ok && slices.Contains(mistake.Keys, "metric")
}

// otherMetrics returns the metrics of the records that are not in shown. Accuracy and error count as the same
// metric.
func otherMetrics(v *view.View, shown []string) []string {
	return slices.DeleteFunc(append([]string{"error", "ber"}, v.Records.Metrics...), func(metric string) bool {
		return slices.Contains(shown, metric) || metric == "error" && slices.Contains(shown, "accuracy")
	})
}

const pageName = "report.html"

// Summarize returns the entry of a study on an index page. published is nil if no numbers are published.
func Summarize(study view.Study, rows *records.Records, layout Layout, published *compare.Options) page.Entry {
	v := layout.View(study, rows)
	var first *table.Table
	if len(layout.Tables) > 0 {
		first, _ = table.New(v, layout.Tables[0])
	}
	var compared *compare.Comparison
	if published != nil {
		compared = compare.New(v, *published)
	}
	return page.Summarize(v, first, compared)
}

// FigureList returns l.Figures or, if it is nil, the standard figures.
func (l *Layout) FigureList(v *view.View) []figure.Options {
	if l.Figures == nil {
		return standardFigures(v, l.Tables)
	}
	return l.Figures
}

// drawFigures draws the figures of the layout. The first figure is the main figure of the page. If a figure
// cannot be drawn, the page states the reason in its place.
func (m *maker) drawFigures() {
	for i, o := range m.layout.FigureList(m.View) {
		drawings, err := m.drawFigure("`"+pathOf("figures", i)+"`", o)
		if err != nil {
			m.addMissing("figures", i, err)
			picture := canvas.Picture{Name: o.Name, Title: cmp.Or(o.Title, m.Title)}
			drawings = []page.Drawing{{Picture: picture, Missing: reasonOf(err)}}
		}
		// If the main figure has a single page, the HTML page also shows it with other measures, except in a
		// rehearsal, which only checks the layout.
		if i == 0 && err == nil && len(drawings) == 1 && !m.Rehearsal {
			drawings[0].Measure, drawings[0].Others = m.measureTitle(o), m.otherDrawings(o)
		}
		if o.Kind == "cd" {
			m.content.Ranks = append(m.content.Ranks, drawings...)
		} else {
			m.content.Figures = append(m.content.Figures, drawings...)
		}
	}
}

// reasonOf returns the message of an error as the page shows it, without backquotes around keys.
func reasonOf(err error) string { return strings.ReplaceAll(err.Error(), "`", "") }

func (m *maker) measureTitle(o figure.Options) string {
	measure, err := m.Measure(o.Metric, o.Scale, m.Cells)
	if err == nil && o.Excess {
		err = m.SubtractOracle(&measure)
	}
	if err != nil {
		return o.Metric
	}
	return measure.Title()
}

// otherDrawings draws variants of figure o for the HTML page, such as other measures and scales. It
// omits variants with several pictures. It also omits variants that fail: the study file does not
// request them, so this is no error.
func (m *maker) otherDrawings(o figure.Options) (list []page.Drawing) {
	if !slices.Contains([]string{"box", "line", "heat", "nested"}, o.Kind) { // kinds for any measure
		return nil
	}
	variants := append([]figure.Options{o}, m.otherMeasures(o)...)
	if o.Kind == "line" { // show both scales of the horizontal axis
		for _, variant := range variants { // without the variants that the loop appends
			variant.LogX = !variant.LogX
			variants = append(variants, variant)
		}
	}
	for _, variant := range variants[1:] { // without the figure itself
		// The page derives the id of a drawing from its name, so the names must differ.
		variant.Name += fmt.Sprintf("-%s-%v-%v", variant.Metric, variant.Excess, variant.LogX)
		pictures, err := figure.Draw(m.View, variant)
		if err != nil || len(pictures) != 1 {
			continue
		}
		title := m.measureTitle(variant)
		switch {
		case variant.LogX && !o.LogX:
			title += ", logarithmic axis"
		case o.LogX && !variant.LogX:
			title += ", linear axis"
		}
		list = append(list, page.Drawing{Picture: pictures[0], Measure: title})
	}
	return list
}

// otherMeasures returns variants of a figure that show the other metrics of the records, and the difference from
// the oracle.
func (m *maker) otherMeasures(o figure.Options) (variants []figure.Options) {
	for _, metric := range otherMetrics(m.View, []string{o.Metric}) {
		variant := o
		variant.Metric = metric
		variants = append(variants, variant)
	}
	if !o.Excess {
		o.Excess = true
		variants = append(variants, o)
	}
	return variants
}

// drawFigure draws the pages of a figure and adds its families of hypotheses to the report.
func (m *maker) drawFigure(owner string, o figure.Options) ([]page.Drawing, error) {
	pictures, families, err := figure.DrawAndName(m.View, o, "figure "+o.Name)
	if err != nil {
		return nil, err
	}
	drawn := withFiles(figuresFolder, pictures, m.layout.Formats)
	if err := m.reserveFiles("figures", owner, namesOf(drawn)...); err != nil {
		return nil, err
	}
	m.Families = append(m.Families, families...)
	m.drawingsWithFiles = append(m.drawingsWithFiles, drawn...)
	return drawn, nil
}

// drawRankDiagram draws the diagram of average ranks, which appears only on the HTML page.
func (m *maker) drawRankDiagram(published *compare.Options) error {
	if tables := m.content.Tables; len(tables) > 0 && tables[0].Missing != "" {
		return nil // the diagram would fail like the table
	}
	o, err := rankDiagram(m.View, m.layout, published)
	if o == nil || err != nil {
		return err
	}
	pictures, families, err := figure.DrawAndName(m.View, *o, "average ranks in "+pageName)
	if err != nil {
		return err
	}
	m.content.Ranks = append(m.content.Ranks, withFiles(figuresFolder, pictures, nil)...)
	m.Families = append(m.Families, families...)
	return nil
}

// rankDiagram returns the options of a critical-difference diagram, which ranks the classifiers of the first
// table by its metric. It returns nil if the page needs no such diagram or cannot have one.
func rankDiagram(v *view.View, layout *Layout, published *compare.Options) (*figure.Options, error) {
	drawsRanks := func(o figure.Options) bool { return o.Kind == "cd" }
	if len(layout.Tables) == 0 || slices.ContainsFunc(layout.Figures, drawsRanks) {
		return nil, nil
	}
	t := layout.Tables[0]
	v = v.WithFamily(t.Family)
	ids, err := v.ClassifiersOrAll(t.Columns)
	if err != nil {
		return nil, err
	}
	metric := t.ShownMetrics()[0]
	m, err := v.Measure(metric, t.Scale, v.Cells)
	if err != nil { // the metric names a class that some cells lack, or that differs between cells
		return nil, nil
	}
	if !m.OfPredictions() || !ranksCanDiffer(v, &m, ids) {
		return nil, nil
	}
	o := figure.Defaults()
	o.Name, o.Kind, o.Title = "ranks", "cd", "Average ranks"
	o.Columns, o.Family, o.Metric, o.Scale = t.Columns, t.Family, metric, t.Scale
	o.Panel = variantFactors(v, published)
	return &o, nil
}

// variantFactors returns the factors that vary in the study but not in the compared papers.
func variantFactors(v *view.View, published *compare.Options) (factors []string) {
	if published == nil {
		return nil
	}
	isShared := func(factor string) bool { return !slices.Contains(published.ExtraFactors, factor) }
	return slices.DeleteFunc(v.Varying(v.Cells), isShared)
}

// ranksCanDiffer reports whether there are enough blocks for average ranks to differ significantly.
func ranksCanDiffer(v *view.View, m *view.Measure, columns []string) bool {
	ranked, _, _ := v.SelectRanked(v.Cells, m, v.Compared(m, columns))
	if len(ranked) < 2 || v.BlockKey(v.Cells) == "" {
		return false
	}
	blocks, _, _ := v.BlockLosses(v.Cells, m, ranked)
	return len(blocks) >= figure.LeastBlocks(len(ranked), v.Alpha)
}

// Plot draws one figure. It returns the files, named without a folder, and the picture of each page.
func Plot(study view.Study, rows *records.Records, layout Layout, o figure.Options) (
	documents []Document, pictures []canvas.Picture, err error) {
	if len(rows.Rows) == 0 {
		return nil, nil, fmt.Errorf("figure of %s: no records", rows.Study)
	}
	v := layout.View(study, rows)
	if err := v.CheckBlocks(); err != nil {
		return nil, nil, err
	}
	pictures, err = figure.Draw(v, o)
	return printable(drawingDocuments(withFiles("", pictures, layout.Formats))), pictures, err
}
