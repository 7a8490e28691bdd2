// Package table makes tables of results with tests of the best classifiers, captions and
// notes.
package table

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A Table is the content that every layout (Markdown, LaTeX, CSV, HTML) prints.
type Table struct {
	Name    string
	Title   string
	Caption string
	Digits  int
	Spread  string
	Study   string  // for labels
	Width   float64 // printed, mm; 0: not given
	Methods string  // as in a sheet

	Measure view.Measure
	Factors []string // names of the row factors
	Heads   []string // labels of Factors
	IDs     []string // classifiers
	Family  []string // classifiers that tests compare
	Test    string   // the table's own test; empty: the inference's
	Columns []string // labels of IDs
	Rows    []Row
	Foot    []Foot
	Notes   []string // footnote i+1
	Remarks []string // notes on the whole table
	Bold    string   // caption sentences on bold type; empty: nothing is tested

	view   *view.View   // with the family and the test of the table
	groups []view.Group // one per row
}

// A Row is the levels of the row factors and one entry per classifier.
type Row struct {
	Levels  records.Levels // of the row factors
	Labels  []string
	Entries []Entry
	Note    int // number of the row's footnote; 0: none
	aside   []view.Aside
	best    verdicts.BestSet
	test    stats.Test
}

// An Entry is one classifier's results in one row.
type Entry struct {
	stats.Summary         // in the table's unit; N is 0 without results
	Tried         int     // number of fits, failed ones included
	Aside         bool    // it failed too often to be compared and has no mean
	Low, High     float64 // smallest and largest result; NaN: none
	Bold          bool
	Best          bool    // the smallest mean of the family
	Against       bool    // the other entries are compared with this one
	First         float64 // share of resamples of the row in which it has the best mean; NaN: unknown
	Note          int     // number of its footnote; 0: none
	Compared      *verdicts.Comparison
}

// New computes the content of one table.
func New(v *view.View, o Options) (*Table, error) {
	v = v.Comparing(o.Family).Testing(o.Test)
	cells, err := v.Where(o.Where)
	if err != nil {
		return nil, err
	}
	t, err := newEmpty(v, o, cells)
	if err != nil {
		return nil, err
	}
	if t.Factors = o.Rows; o.Rows == nil {
		t.Factors = rowFactors(v, cells, o.Where)
	}
	t.Heads = heads(v, t.Factors)
	groups, err := v.Groups(cells, t.Factors)
	if err != nil {
		return nil, err
	}
	family := t.testedFamily(o)
	t.groups = groups
	if err := t.addRows(o, family); err != nil {
		return nil, err
	}
	if err := t.footRows(o); err != nil {
		return nil, err
	}
	if t.annotate() {
		family = nil // for the caption
	}
	t.Caption = view.Caption(o.Caption, t.caption(family), "")
	return t, nil
}

// rowFactors returns the factors that vary among the cells. While results are missing, it adds
// those with further levels in the design, unless where restricts them.
func rowFactors(v *view.View, cells []records.Cell, where records.Condition) []string {
	names := v.Varying(cells)
	if v.Missing == 0 || len(cells) == 0 {
		return names
	}
	var all []string
	for _, f := range v.Records.Factors {
		_, restricted := where[f.Name]
		more := len(f.Levels) > 1 && !restricted && cells[0].Levels.Of(f.Name) != ""
		if more || slices.Contains(names, f.Name) {
			all = append(all, f.Name)
		}
	}
	return all
}

// testedFamily returns the classifiers that the rows compare; nil: nothing is tested. It
// adds a remark if the champion is missing.
func (t *Table) testedFamily(o Options) []string {
	v := t.view
	if !o.Bold || !t.Measure.IsRate || len(t.Family) < 2 {
		return nil
	}
	if v.Champion != "" && !slices.Contains(t.Family, v.Champion) {
		t.remark(fmt.Sprintf("Nothing is tested: the champion, %s, has no %s in this table.", v.Label(v.Champion),
			t.Measure.Name))
		return nil
	}
	return t.Family
}

// addRows adds a row for each group of cells. It runs in parallel, since Bayesian tests are
// slow, and returns the error of the first row that fails.
func (t *Table) addRows(o Options, family []string) error {
	t.Rows = make([]Row, len(t.groups))
	failed := make([]error, len(t.groups))
	var some errgroup.Group
	some.SetLimit(runtime.GOMAXPROCS(0))
	for i := range t.groups {
		some.Go(func() error {
			t.Rows[i], failed[i] = t.newRow(&t.groups[i], family)
			return nil
		})
	}
	err := cmp.Or(append(failed, some.Wait())...)
	var misfit *view.Misfit
	if o.Test != "" && errors.As(err, &misfit) && misfit.Key == "test" {
		err = fmt.Errorf("test: %w", misfit.Cause) // the table's own
	}
	return err
}

// annotate adds the footnotes and remarks. It reports whether no row could be tested since
// all have one test set.
func (t *Table) annotate() (untested bool) {
	t.failureNotes()
	t.replicatesRemark()
	t.fewerRemark()
	t.betterRemark()
	t.doubtfulRemark()
	t.poolingRemark()
	t.attainabilityNote()
	untested = t.oneTestSetNotes()
	t.lackingNotes()
	t.classifierRemarks()
	t.dataRemarks()
	t.warningRemarks()
	return untested
}

// newEmpty returns a table without rows, with everything that its options set for all rows.
func newEmpty(v *view.View, o Options, cells []records.Cell) (*Table, error) {
	t := &Table{Name: o.Name, Title: cmp.Or(o.Title, v.Title), Digits: o.Digits, Spread: o.Spread, Study: v.Name,
		Methods: o.Methods, Test: o.Test, view: v}
	var err error
	if t.Width, err = printedWidth(o.Width); err != nil {
		return nil, err
	}
	if t.Measure, err = v.Measure(o.Metric, o.Scale, cells); err != nil {
		return nil, err
	}
	if o.Excess {
		if err := v.Excess(&t.Measure); err != nil {
			return nil, err
		}
	}
	if t.IDs, err = v.Columns(o.Columns); err != nil {
		return nil, err
	}
	for _, id := range t.IDs {
		t.Columns = append(t.Columns, v.Label(id))
	}
	t.Family = v.Compared(&t.Measure, t.IDs)
	t.view = v.OnTestRows(&t.Measure)
	return t, nil
}

// newRow summarises one group of cells and finds its best classifiers of the family. It
// compares nothing if too few are left, or the champion is set aside.
func (t *Table) newRow(g *view.Group, family []string) (Row, error) {
	pooled := t.view.Pool(g)
	row := t.summarize(g, &pooled)
	aside := func(id string) bool { return view.IsAside(row.aside, id) }
	family = slices.DeleteFunc(slices.Clone(family), aside)
	if len(family) < 2 || aside(t.view.Champion) {
		return row, nil
	}
	if err := t.compare(&row, g, &pooled, family); err != nil {
		return row, err
	}
	if err := t.addFirst(&row, &pooled, family); err != nil {
		return row, err
	}
	for k, id := range t.IDs {
		e := &row.Entries[k]
		e.Bold = row.best.Attainable && row.best.Contains(id)
		e.Best = row.best.Best == id
		e.Against = row.best.Against == id
		e.Compared = row.comparison(id)
	}
	return row, nil
}

// comparison returns the comparison with a classifier; nil: there is none.
func (r *Row) comparison(id string) *verdicts.Comparison {
	is := func(c verdicts.Comparison) bool { return c.Other == id }
	if i := slices.IndexFunc(r.best.Comparisons, is); i >= 0 {
		return &r.best.Comparisons[i]
	}
	return nil
}

// summarize returns the row of a group without comparisons.
func (t *Table) summarize(g *view.Group, pooled *records.Cell) Row {
	v := t.view
	row := Row{Levels: g.Levels, Labels: rowLabels(v, t.Factors, g.Levels), Entries: make([]Entry, len(t.IDs))}
	row.aside = v.Aside(g)
	for k, id := range t.IDs {
		c := &row.Entries[k]
		c.Summary = v.Summary(g, pooled, &t.Measure, id)
		c.Tried, _ = g.Attempts(id)
		c.Aside = view.IsAside(row.aside, id)
		c.Low, c.High, c.First = math.NaN(), math.NaN(), math.NaN()
		if values, _ := v.Values(g, pooled, &t.Measure, id); len(values) > 0 {
			c.Low, c.High = slices.Min(values), slices.Max(values)
		}
	}
	return row
}

// compare sets the test and the best classifiers of a row.
func (t *Table) compare(row *Row, g *view.Group, pooled *records.Cell, family []string) error {
	v := t.view
	joint := v.Joint(len(verdicts.Ran(pooled, family))) && !v.FixedTest(g)
	o := verdicts.BestOptions{Metric: t.Measure.Metric, Family: family, Alternative: v.Side(), Champion: v.Champion,
		Alpha: v.Alpha, Correction: v.Adjustment(), AllPairs: v.AllPairs(), Joint: joint,
		Margin: v.Margin, Rope: v.Rope, Untested: v.Untested(g)}
	if err := t.setTest(&o, g, pooled); err != nil {
		return err
	}
	var err error
	row.best, err = verdicts.Best(pooled, o)
	if errors.Is(err, stats.ErrAssumption) {
		return &view.Misfit{Key: "rope", Cause: fmt.Errorf("%w%s", err, view.InCell(g.Levels, v.Records.Factors))}
	}
	if err != nil {
		return err
	}
	if row.test = o.Paired.Test; joint {
		row.test = view.JointTest(row.test)
	}
	return nil
}

// setTest sets the test of a group: on pairs of results, or on the rows of its one test set.
// Without predictions of these rows it sets Untested.
func (t *Table) setTest(o *verdicts.BestOptions, g *view.Group, pooled *records.Cell) (err error) {
	switch {
	case o.Untested: // needs no test
	case t.view.FixedTest(g):
		o.Paired, o.Fits, err = t.view.PairedOnRows(pooled, o.Family)
		o.Untested = o.Fits == nil
	default:
		o.Paired, err = t.view.Paired(pooled)
	}
	return err
}

// addFirst sets First: how often each classifier of the family has the best mean when the
// results of the row are resampled.
func (t *Table) addFirst(row *Row, pooled *records.Cell, family []string) error {
	shares, err := t.view.FirstIn(pooled, &t.Measure, family)
	for k, share := range shares {
		row.Entries[slices.Index(t.IDs, family[k])].First = share
	}
	return err
}

// Behind returns the ids of the cells behind a row.
func (t *Table) Behind(row int) (ids []string) {
	for _, c := range t.groups[row].Cells {
		ids = append(ids, c.ID)
	}
	return ids
}

// replicates returns the least and the greatest number of results behind a mean.
func (t *Table) replicates() (least, most int) {
	for _, row := range t.Rows {
		for _, c := range row.Entries {
			if c.N > 0 && (least == 0 || c.N < least) {
				least = c.N
			}
			most = max(most, c.N)
		}
	}
	return least, most
}

// run returns the number of replicates behind a row: the largest of its entries.
func (r *Row) run() int {
	most := 0
	for _, c := range r.Entries {
		most = max(most, c.N)
	}
	return most
}

// Treatment returns the name of the table's treatment of failed fits.
func (t *Table) Treatment() string { return t.view.Failures[0] }

// remark adds a remark on the whole table.
func (t *Table) remark(text string) { t.Remarks = append(t.Remarks, text) }

// note adds a footnote unless it exists, and returns its number.
func (t *Table) note(text string) int {
	if i := slices.Index(t.Notes, text); i >= 0 {
		return i + 1
	}
	t.Notes = append(t.Notes, text)
	return len(t.Notes)
}

// Frame returns a sheet without cells whose rows are levels of factors. Heads, sorting keys
// and blocks are as in tables of results.
func Frame(v *view.View, id, title string, factors []string, rows []records.Levels) *sheet.Sheet {
	t := &Table{Factors: factors, Heads: heads(v, factors)}
	for _, levels := range rows {
		t.Rows = append(t.Rows, Row{Levels: levels, Labels: rowLabels(v, factors, levels)})
	}
	printed := &sheet.Sheet{ID: id, Study: v.Name, Title: title, Heads: t.columnHeads()}
	for i := range t.Rows {
		printed.Rows = append(printed.Rows, sheet.Row{Block: i > 0 && t.newBlock(i), Heads: t.rowHeads(i, id)})
	}
	return printed
}

// heads returns the labels of the row factors; "cells" without factors.
func heads(v *view.View, factors []string) []string {
	if len(factors) == 0 {
		return []string{"cells"}
	}
	var labels []string
	for _, name := range factors {
		labels = append(labels, v.FactorLabel(name))
	}
	return labels
}

// rowLabels returns the labels of a row's levels; "all" without factors.
func rowLabels(v *view.View, factors []string, levels records.Levels) []string {
	if len(factors) == 0 {
		return []string{"all"}
	}
	return v.LevelLabels(factors, levels)
}
