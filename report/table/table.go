// Package table makes tables of results with tests of the best classifiers.
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

// A Table contains the numbers and sentences of a table, before they are formatted.
type Table struct {
	Name    string // of its files
	Title   string
	Caption string
	Digits  int     // decimals of means
	Spread  string  // Options.Spread; has no effect in a table of contrasts, which shows intervals
	Width   float64 // printed width in mm; 0 if not given
	Methods string  // as in a sheet

	Measure      view.Measure
	Factors      []string
	Heads        []string // labels of the row factors
	IDs          []string // classifiers, one per column
	Columns      []string
	Family       []string // classifiers that the tests compare
	Rows         []Row
	Foot         []sheet.Row
	Notes        []string // Notes[i] is footnote i+1
	Remarks      []string // notes on the whole table
	Bold         string   // caption sentences that explain bold type; "" without bold type
	OtherMetrics []*Table // tables of further metrics, shown as blocks of rows below this one

	view             *view.View   // restricted to the table's family and test
	groups           []view.Group // cells that each row summarises
	tested           []string     // classifiers that the tests in the rows compare; nil: no tests, and so no bold type
	contrastFactor   string       // in a table of contrasts, the factor whose levels the rows compare; otherwise ""
	firstLevelGroups []view.Group // in a table of contrasts, the cells at the first level of that factor
	lacksPartner     []string     // cells that a contrast leaves out, such as "forest, weak in n 400 − 200"
	sharesWeights    bool         // cells of a contrast have unequal weights (see View.ShareWeights)
	omitsUnshared    bool         // a contrast omits cells in which its classifier ran at only one level
	resultsPerLevel  view.Range   // in a table of contrasts, the number of results in each level of a row
	pairedContrasts  bool         // contrasts compare levels on the same draws
	lacksIntervals   bool         // whether a contrast has a mean but no interval
}

// A Row is one combination of levels of the row factors, with an entry for each classifier.
type Row struct {
	Levels     records.Levels // levels of the row factors
	Labels     []string       // labels of Levels
	Entries    []Entry
	Note       int         // footnote; 0: none
	subtracted *view.Group // in a table of contrasts, the cells that are subtracted; otherwise nil
	compared   []string    // classifiers that the tests of the row compare; too few for a test if bestSet is empty
	partial    []string    // classifiers that a test of all pairs leaves out; they ran on only some of the data
	bestSet    verdicts.BestSet
	test       stats.Test // test of the comparisons in bestSet

	lacksMetric bool // tests would be possible, but some results lack the metric
}

// An Entry summarises the results of one classifier in one row.
type Entry struct {
	stats.Summary                      // in the table's unit; N is 0 without results
	compared      stats.Summary        // summary of the results that determine the row's best classifier
	Tried         int                  // number of fits, including failed ones
	Undrawn       int                  // number of results that are missing because the draw of the data failed
	Excluded      bool                 // it failed too often to be compared
	Undefined     bool                 // it lacks the metric too often to be compared
	Low, High     float64              // smallest and largest result, or ends of a contrast's interval; may be NaN
	Bold          bool                 // it is the best or not shown to be worse
	Best          bool                 // it has the best mean of the family
	IsReference   bool                 // the other entries are compared with this one
	FirstShare    float64              // share of resamples in which it has the best mean; NaN if unknown
	Note          int                  // footnote; 0: none
	Comparison    *verdicts.Comparison // comparison with the reference entry; nil if there is none
}

// New computes a table. It contains the rows of the first metric. OtherMetrics contains a table for each other
// metric.
func New(v *view.View, o Options) (*Table, error) {
	metrics := o.ShownMetrics()
	bestWord := "" // for captions; "" means smallest or largest, depending on the metric
	if len(metrics) > 1 {
		bestWord = "best"
	}
	var tables []*Table
	for _, metric := range metrics {
		ofMetric := o
		ofMetric.Metric = metric
		if o.Digits != automaticDigits {
			// o.Digits is the number of decimals of the first metric.
			ofMetric.Digits += moreDigits(metrics[0], metric, o.Scale)
		}
		table, err := newMetricTable(v, ofMetric, bestWord)
		if err != nil {
			return nil, err
		}
		tables = append(tables, table)
	}
	t := tables[0]
	t.OtherMetrics = tables[1:]
	t.Caption = view.Caption(o.Caption, t.caption(), v.CellsSentence(o.Where))
	return t, nil
}

// moreDigits returns how many more decimals a metric needs than the first metric of its table. An AUC of 0.9312
// is as precise as an error of 6.88%.
func moreDigits(first, metric, scale string) int {
	a, _ := view.NewMeasure(first, scale) // newMetricTable returns the errors
	b, _ := view.NewMeasure(metric, scale)
	if a.Unit == "%" && b.Unit != "%" {
		return 2
	}
	return 0
}

// suitableDigits returns the number of decimals that suits the median of the absolute means.
func (t *Table) suitableDigits() int {
	var sizes []float64
	for _, row := range t.Rows {
		for _, e := range row.Entries {
			if size := math.Abs(e.Mean); size > 0 {
				sizes = append(sizes, size)
			}
		}
	}
	if len(sizes) == 0 {
		return t.Measure.Digits(0)
	}
	slices.Sort(sizes)
	return t.Measure.Digits(stats.Quantile(sizes, 0.5))
}

// newMetricTable returns the table of one metric, o.Metric. The argument best is the caption's word for the
// best mean. If it is "", the metric determines the word.
func newMetricTable(v *view.View, o Options, best string) (*Table, error) {
	v = v.WithFamily(o.Family).WithTest(o.Test)
	cells, err := v.SelectCells(o.Where)
	if err != nil {
		return nil, err
	}
	t, err := newWithoutRows(v, o, cells)
	if err != nil {
		return nil, err
	}
	if err := t.setGroups(o, cells); err != nil {
		return nil, err
	}
	if o.Contrast != "" {
		err = t.addContrasts(o)
	} else {
		t.tested = t.testedFamily(o)
		err = t.addRows(o)
	}
	if err != nil {
		return nil, err
	}
	if o.Digits == automaticDigits {
		t.Digits = t.suitableDigits()
	}
	if err := t.addFootRows(o); err != nil {
		return nil, err
	}
	t.addNotes(o)
	if t.HasTests() { // a table of contrasts has no tests, and addContrasts has set its Bold
		t.Bold = t.boldCaption(t.IDs, cmp.Or(best, t.Measure.BestMean()))
	}
	return t, nil
}

// setGroups sets the factors of the rows and their heads. It also sets t.groups, the cells that
// each row summarises. It returns an error if the cells of a row cannot be pooled.
func (t *Table) setGroups(o Options, cells []records.Cell) error {
	cells, leftOutSentence, err := t.view.WithBaseline(cells, &t.Measure)
	if err != nil {
		return err
	}
	t.addRemarks(leftOutSentence) // names the cells without the baseline
	t.Factors = o.Rows
	if o.Rows == nil {
		t.Factors = rowFactors(t.view, cells, o.Where)
	}
	if t.namesMetric() { // there are no factors
		t.Heads = []string{metricHead}
	} else {
		t.Heads = t.view.FactorLabels(t.Factors)
	}
	if t.groups, err = t.view.Groups(cells, t.Factors); err != nil {
		return err
	}
	return t.view.CheckPooling(t.groups, &t.Measure, view.RowKeys)
}

// rowFactors returns the default factors of the rows, which vary among the cells or will vary in the finished
// study.
func rowFactors(v *view.View, cells []records.Cell, where records.Condition) []string {
	varying := v.Varying(cells)
	isComplete := v.Missing == nil
	if isComplete || len(cells) == 0 {
		return varying
	}
	var all []string
	for _, f := range v.Records.Factors {
		_, restricted := where[f.Name]
		applies := cells[0].Levels.Of(f.Name) != "" // the level of a factor that does not apply is ""
		willVary := applies && len(f.Levels) > 1 && !restricted
		if slices.Contains(varying, f.Name) || willVary {
			all = append(all, f.Name)
		}
	}
	return all
}

// testedFamily returns the classifiers that the tests compare, or nil if nothing is tested.
func (t *Table) testedFamily(o Options) []string {
	v := t.view
	if !o.Bold || !t.Measure.OfPredictions() || len(t.Family) < 2 {
		return nil
	}
	if v.Champion != "" && !slices.Contains(t.Family, v.Champion) {
		t.addRemarks(fmt.Sprintf("No tests: the champion, %s, has no %s in this table.", v.Label(v.Champion),
			t.Measure.Name))
		return nil
	}
	return t.Family
}

// addRows adds a row for each group of cells. It computes the rows in parallel, because Bayesian tests are
// slow.
func (t *Table) addRows(o Options) error {
	t.Rows = make([]Row, len(t.groups))
	failed := make([]error, len(t.groups))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i := range t.groups {
		workers.Go(func() error {
			t.Rows[i], failed[i] = t.newRow(&t.groups[i])
			return nil
		})
	}
	workers.Wait() // the errors are in failed, in the order of the rows
	err := cmp.Or(failed...)
	if misfit, ok := errors.AsType[*view.Misfit](err); ok && o.Test != "" && misfit.Key == "test" {
		return fmt.Errorf("test: %w", misfit.Cause) // name the option of the table, not the option inference.test
	}
	return err
}

// addNotes adds all footnotes and remarks in the printed order.
func (t *Table) addNotes(o Options) {
	t.failureNotes()
	t.replicatesRemark()
	t.commonRemark()
	groups := t.allGroups()
	t.addRemarks(t.view.UndefinedSentence("Not compared", groups, &t.Measure, t.IDs))
	t.partialRemarks()
	t.betterRemark()
	t.doubtfulRemarks()
	if t.contrastFactor != "" {
		t.addRemarks(view.NoPartnerSentence(t.lacksPartner))
		t.addRemarks(t.view.ContrastPoolingSentence(t.groups, groups, &t.Measure, t.pairedContrasts))
		if t.sharesWeights {
			t.addRemarks("Cells that differ only in a factor that the other level lacks share the weight of one cell.")
		}
	} else {
		t.addRemarks(t.view.PoolingSentence("Each row", groups, &t.Measure, t.IDs))
	}
	t.attainabilityNote()
	t.oneTestSetNotes()
	t.trainingNote()
	t.missingMetricRemarks()
	t.classifierRemarks()
	t.dataRemarks(o.Where)
	t.warningRemarks()
}

// partialRemarks adds remarks on the classifiers that did not run on all data.
func (t *Table) partialRemarks() {
	leftOut := t.partialSentence("Not compared and not bold")
	var inPairs []string // classifiers in tests of two classifiers
	if leftOut == "" && t.HasTests() {
		inPairs = t.comparedSomewhere()
	}
	t.addRemarks(t.view.PartialMeans(t.allGroups(), &t.Measure, t.IDs, inPairs)...)
	t.addRemarks(leftOut)
}

// newWithoutRows returns a table with the columns, the measure and the settings, but without rows.
func newWithoutRows(v *view.View, o Options, cells []records.Cell) (*Table, error) {
	t := &Table{Name: o.Name, Title: cmp.Or(o.Title, v.Title), Digits: o.Digits, Spread: o.Spread, Methods: o.Methods}
	var err error
	t.Width, _ = printedWidth(o.Width) // Validate returns the error
	if t.Measure, err = v.Measure(o.Metric, o.Scale, cells); err != nil {
		return nil, err
	}
	if o.Excess {
		if err := v.SubtractOracle(&t.Measure); err != nil {
			return nil, err
		}
	}
	if t.IDs, err = v.ClassifiersOrAll(o.Columns); err != nil {
		return nil, err
	}
	t.Columns = v.LabelList(t.IDs)
	t.Family = v.Compared(&t.Measure, t.IDs)
	t.view = v.WithRowTests(&t.Measure) // for cells with a single test set, whose rows the tests compare
	return t, nil
}

// newRow summarises a group of cells. It compares the classifiers in t.tested with the champion or, without a
// champion, with the best one. It does not compare classifiers that failed or lack the metric too often, or that
// ran on only some of the data.
func (t *Table) newRow(g *view.Group) (Row, error) {
	v := t.view
	failedTooOften := v.ExcludedFrom(g)
	undefinedTooOften := v.UndefinedIn(g, &t.Measure, t.IDs)
	pooled := v.PoolFor(g, &t.Measure, t.IDs)
	row := t.summarize(g, &pooled, failedTooOften, undefinedTooOften)
	row.partial = v.Partial(g, &pooled, t.tested, v.Champion)
	candidates := view.Except(t.tested, slices.Concat(failedTooOften, row.partial)...)
	row.lacksMetric = t.lacksMetric(g, candidates)
	row.compared = view.Except(candidates, undefinedTooOften...)
	if !view.CanCompare(row.compared, v.Champion) {
		return row, nil
	}
	predictions, err := t.addTests(&row, g, &pooled)
	if err != nil {
		return row, err
	}
	t.addComparisons(&row, g, &pooled)
	err = t.addFirstShares(&row, &pooled, predictions)
	return row, err
}

// addFirstShares sets the field FirstShare of the compared classifiers. The argument predictions is the result of
// addTests.
func (t *Table) addFirstShares(row *Row, pooled *records.Cell, predictions verdicts.Fits) error {
	shares, err := t.view.FirstIn(pooled, &t.Measure, row.compared, predictions)
	if err != nil {
		return err
	}
	for k, share := range shares {
		row.Entries[slices.Index(t.IDs, row.compared[k])].FirstShare = share
	}
	return nil
}

// lacksMetric reports whether tests of the given classifiers omit replicates because some of the classifiers
// lack the metric there.
func (t *Table) lacksMetric(g *view.Group, ids []string) bool {
	all := t.view.Pool(g)
	withMetric := all.Comparable(t.Measure.Metric, ids)
	return view.CanCompare(ids, t.view.Champion) && len(withMetric.Rows) < len(all.Rows)
}

// addComparisons stores comparisons and means over the compared results in the entries. The argument pooled
// contains the results of g.
func (t *Table) addComparisons(row *Row, g *view.Group, pooled *records.Cell) {
	compared := *pooled
	// Without a champion, the means determine the best classifier, so all of them must use the same replicates.
	if t.view.Champion == "" || row.usesCommonResults() {
		compared = pooled.Comparable(t.Measure.Metric, row.compared)
	}
	for k, id := range t.IDs {
		e := &row.Entries[k]
		e.compared = t.view.Summary(g, &compared, &t.Measure, id)
		e.Bold = row.bestSet.Attainable && row.bestSet.Contains(id)
		e.Best = row.bestSet.Best == id
		e.IsReference = row.bestSet.Against == id
		e.Comparison = row.comparison(id)
	}
}

// usesCommonResults reports whether all tests of the row use the results that all compared classifiers have.
// Otherwise, each test uses the results that its two classifiers have.
func (r *Row) usesCommonResults() bool { return !r.bestSet.EachPair }

func (r *Row) hasTests() bool { return len(r.bestSet.Comparisons) > 0 }

// comparison returns the comparison with the given classifier, or nil if there is none.
func (r *Row) comparison(id string) *verdicts.Comparison {
	for i := range r.bestSet.Comparisons {
		if c := &r.bestSet.Comparisons[i]; c.Other == id {
			return c
		}
	}
	return nil
}

// summarize returns a row with an entry for each classifier, but without tests. The argument pooled
// contains the results that the tests use. Tests do not compare the classifiers in failedTooOften
// and undefinedTooOften.
func (t *Table) summarize(g *view.Group, pooled *records.Cell, failedTooOften, undefinedTooOften []string) Row {
	row := Row{Levels: g.Levels, Labels: rowLabels(t.view, t.Factors, g.Levels)}
	if t.namesMetric() {
		row.Labels = []string{t.measureTitle()}
	}
	averaged, withoutMean := pooled, undefinedTooOften
	if len(g.Cells) == 1 {
		// A mean over one cell uses all results with the metric, even those that the tests omit.
		all := t.view.Pool(g)
		averaged, withoutMean = &all, nil
	}
	for _, id := range t.IDs {
		e := t.newEntry(g, averaged, id)
		e.Excluded = slices.Contains(failedTooOften, id)
		e.Undefined = slices.Contains(withoutMean, id)
		row.Entries = append(row.Entries, e)
	}
	return row
}

// newEntry summarises the results of a classifier in the row of group g. pooled contains the results over which
// its mean is taken.
func (t *Table) newEntry(g *view.Group, pooled *records.Cell, id string) Entry {
	e := Entry{Summary: t.view.Summary(g, pooled, &t.Measure, id), Low: math.NaN(), High: math.NaN(),
		FirstShare: math.NaN()}
	e.Tried, e.Failed = g.Attempts(id)
	e.Undrawn = g.Undrawn(id)
	if values := t.view.Values(g, pooled, &t.Measure, id); len(values) > 0 {
		e.Low, e.High = slices.Min(values), slices.Max(values)
	}
	return e
}

// addTests compares the classifiers in row.compared with the champion or, without a champion, with the best of
// them. The argument pooled contains the results of g. If g has a single test set, the tests compare predictions on
// its rows, and addTests returns these. Otherwise, it returns nil.
func (t *Table) addTests(row *Row, g *view.Group, pooled *records.Cell) (predictions verdicts.Fits, err error) {
	v, family := t.view, row.compared
	paired, predictions, err := t.pairedTest(g, pooled, family)
	if err != nil {
		return nil, err
	}
	joint := v.HasJointTest(g, len(verdicts.Ran(pooled, family)))
	lacksPredictions := v.HasOneTestSet(*g) && predictions == nil
	untested := v.Untested(*g) || lacksPredictions
	row.bestSet, err = verdicts.Best(pooled, verdicts.BestOptions{
		Metric:      t.Measure.Metric,
		Family:      family,
		Champion:    v.Champion,
		Paired:      paired,
		Joint:       joint,
		Untested:    untested,
		Fits:        predictions,
		Alternative: v.Side(),
		Alpha:       v.Alpha,
		Correction:  v.Adjustment(),
		AllPairs:    v.AllPairs(),
		Margin:      v.Margin,
		Rope:        v.Rope,
	})
	// pairedTest has checked the paired test, so only the Bayesian test can return ErrAssumption here.
	if errors.Is(err, stats.ErrAssumption) {
		err = &view.Misfit{Key: "rope", Cause: fmt.Errorf("%w%s", err, v.InCell(g.Levels))}
	}
	if err != nil {
		return nil, err
	}
	row.test = paired.Test
	if joint {
		row.test = view.JointTest(row.test)
	}
	return predictions, nil
}

// pairedTest returns the test of two classifiers for g, or the zero value if nothing can be tested. On a single
// test set, it also returns the predictions to compare if they are stored. Otherwise, predictions is nil.
func (t *Table) pairedTest(g *view.Group, pooled *records.Cell, family []string) (
	test verdicts.Paired, predictions verdicts.Fits, err error) {
	switch {
	case t.view.Untested(*g):
		return test, nil, nil
	case t.view.HasOneTestSet(*g):
		return t.view.PairedOnRows(pooled, family)
	}
	test, err = t.view.Paired(pooled)
	return test, nil, err
}

const metricHead = "metric"

// namesMetric reports whether the label of a row is the name of the metric, as in a table without factors.
func (t *Table) namesMetric() bool { return len(t.Factors) == 0 }

// CellIDs returns the ids of the cells that a row summarises.
func (t *Table) CellIDs(row int) []string {
	return stats.Map(t.groups[row].Cells, func(c records.Cell) string { return c.ID })
}

// resultsIn returns the smallest and the largest number of results behind a mean in the given rows.
func resultsIn(rows ...Row) (results view.Range) {
	for _, row := range rows {
		for _, e := range row.Entries {
			results.Add(e.N)
		}
	}
	return results
}

// Treatment returns the name of the treatment of failed fits.
func (t *Table) Treatment() string { return t.view.Failures[0] }

func (t *Table) addRemarks(texts ...string) {
	t.Remarks = appendText(t.Remarks, texts...)
}

// addFootnote returns the number of a footnote, which it adds if the table does not have it yet.
func (t *Table) addFootnote(text string) int {
	if i := slices.Index(t.Notes, text); i >= 0 {
		return i + 1
	}
	t.Notes = append(t.Notes, text)
	return len(t.Notes)
}

// Frame returns a sheet with the row heads of a table of results, but without entries. The argument rows
// contains the factor levels of each row.
func Frame(v *view.View, id, title string, factors []string, rows []records.Levels) *sheet.Sheet {
	t := &Table{Factors: factors, Heads: heads(v, factors)}
	for _, levels := range rows {
		t.Rows = append(t.Rows, Row{Levels: levels, Labels: rowLabels(v, factors, levels)})
	}
	return &sheet.Sheet{ID: id, Study: v.Name, Title: title, Heads: t.columnHeads(), Rows: t.emptyRows()}
}

func heads(v *view.View, factors []string) []string {
	if len(factors) == 0 {
		return []string{"cells"}
	}
	return v.FactorLabels(factors)
}

func rowLabels(v *view.View, factors []string, levels records.Levels) []string {
	if len(factors) == 0 {
		return []string{"all"}
	}
	return v.LevelLabels(factors, levels)
}
