package table

import (
	"cmp"
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"copse/report/sheet"
	"copse/stats"
	"copse/stats/verdicts"
)

// A Column describes a column in the CSV file of a table.
type Column struct{ Name, Doc string }

// CSVColumns lists the columns that follow the row factors in the CSV file of a table.
var CSVColumns = slices.Concat(entryColumns, comparedColumns)

var entryColumns = []Column{
	{"classifier", "id of the classifier"},
	{"metric", "label of the metric, such as Brier score (0 to 2), not its name (`brier`)"},
	{"unit", "unit of `mean`, `sd`, `mcse` and all differences; empty if they have no unit"},
	{"results", "number of results in the mean: replicates, tasks, folds or data sets; for a contrast, the number of " +
		"pairs or, if results are not paired, the smaller of the numbers of results at the two levels"},
	{"failed", "number of failed results: failed fits, and replicates whose data could not be drawn"},
	{"mean", "mean of the metric"},
	{"sd", "standard deviation"},
	{"mcse", "Monte-Carlo standard error of the mean; in a row that pools cells with several results each, within " +
		"cells"},
	{"best", "true for the classifier with the best mean in the family, or for the first one if means are equal"},
	{"bold", "true if printed in bold"},
	{"first", "share of resamples in which this classifier has the best mean of the compared classifiers; each of " +
		"the 1000 resamples is drawn from the results of the table row"},
}

// comparedColumns describe the comparison between the classifier in the CSV line and the champion or, without a
// champion, the best classifier of the table row. A positive difference means that it is worse.
var comparedColumns = []Column{
	{"test", "name of the test, which compares this classifier with the champion or, without a champion, with the " +
		"best classifier of the row; NA in the line of that classifier"},
	{"against", "id of the classifier with which the test compares this one"},
	{"pairs", "number of compared pairs of results, which are the pairs in which both classifiers succeeded"},
	{"p_adjusted", "p-value, adjusted for the comparisons of the row unless `correction` is `none`"},
	{"rank_biserial", "matched-pairs rank-biserial correlation in [-1,1]; a positive value means that this " +
		"classifier is worse than the one it is compared with"},
	{"shift", "estimated difference: the loss of this classifier minus the loss of the other; a positive value means " +
		"that this classifier is worse. The loss is the metric itself, or 1 minus it if larger values are better"},
	{"shift_low", "lower end of the confidence interval for `shift` at the level 1 - `alpha`. If the test is a joint " +
		"test of all pairs, the intervals of the row are simultaneous. On one fixed test set, the level is corrected " +
		"for the comparisons of the row. Other intervals are not corrected, even if `p_adjusted` is. NA if there are " +
		"too few results, or if the differences do not vary"},
	{"shift_high", "upper end of this interval"},
	{"p_equivalence", "p-value of the two one-sided tests with `inference.margin`, adjusted like `p_adjusted`; " +
		"from a joint test of all pairs, it is at most `alpha` only if the simultaneous interval lies within the " +
		"margin"},
	{"posterior_better", "posterior probability that this outcome is the most frequent one: the average of two " +
		"random differences is in favour of this classifier by more than `inference.rope`"},
	{"posterior_equivalent", "posterior probability that this outcome is the most frequent one: the average of two " +
		"random differences is at most `inference.rope` away from 0. This is not the probability that the mean " +
		"difference is so small"},
	{"posterior_worse", "posterior probability that this outcome is the most frequent one: the average of two " +
		"random differences is in favour of the other classifier by more than `inference.rope`"},
	{"difference", "mean difference of the pairs: the loss of this classifier minus the loss of the other"},
	{"difference_mcse", "paired standard error of the mean difference; in a row that pools cells, it includes the " +
		"variation between cells, as do the intervals, `detectable` and `needed`"},
	{"detectable", "smallest true difference that the test (for rank, permutation, bootstrap and McNemar tests: " +
		"a t test) detects with 80 percent power; NA for the sign test, with too few results, and " +
		"if the differences do not vary; `+Inf` with `correction: pairs` if no difference can be significant"},
	{"needed", "number of results (or of compared test rows) needed for an interval of half-width " +
		"`inference.half_width`; its critical value is for the current number of results, so it is slightly too " +
		"large if more results are needed, and slightly too small if fewer are; NA for folds of one data set"},
	{"percentile_low", "lower end of the percentile interval from resampled rows of one test set, at the level of " +
		"`shift_low` and `shift_high`; NA for other tests"},
	{"percentile_high", "upper end of this interval"},
	{"bca_low", "lower end of the bias-corrected and accelerated (BCa) interval from the same resamples"},
	{"bca_high", "upper end of this interval"},
	{"doubtful", "true if the mean and the tested estimate differ in sign, if a significant difference has the " +
		"estimate 0, or if the absolute skewness of the differences exceeds 2"},
}

// RangeColumns are the last columns in the CSV file of a table that shows ranges.
var RangeColumns = []Column{{"low", "smallest result"}, {"high", "largest result"}}

// ContrastColumns are the last columns in the CSV file of a table of contrasts.
var ContrastColumns = []Column{
	{"low", "lower end of the confidence interval of the contrast; NA with one result, if the results do not vary, " +
		"or for levels with different folds of one data set"},
	{"high", "upper end of this interval"},
	{"minus", "level whose mean is subtracted: the first level of the factor that occurs with the other levels of " +
		"the line"}}

// lastColumns returns the columns after CSVColumns, or nil.
func (t *Table) lastColumns() []Column {
	switch {
	case t.contrastFactor != "":
		return ContrastColumns
	case t.Spread == "range":
		return RangeColumns
	}
	return nil
}

// CSV writes one line for each row and classifier, with full precision and the unit of the table. Missing
// numbers are NA.
//
// The first columns contain factor levels. Other columns with the name of a factor get the prefix "table.".
func (t *Table) CSV(w io.Writer) error {
	header := slices.Clone(t.Factors)
	for _, column := range slices.Concat(CSVColumns, t.lastColumns()) {
		name := column.Name
		if slices.Contains(t.Factors, name) {
			name = "table." + name
		}
		header = append(header, name)
	}
	lines := [][]string{header}
	for _, ofMetric := range t.MetricTables() {
		for _, row := range ofMetric.Rows {
			for k := range row.Entries {
				lines = append(lines, ofMetric.csvLine(&row, k))
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// csvLine returns the factor levels of a row and then the results of classifier k, in the columns of CSV.
func (t *Table) csvLine(row *Row, k int) (line []string) {
	e := &row.Entries[k]
	failed := e.Failed + e.Undrawn // failed fits and draws of data
	line = append(stats.Map(row.Levels.List(t.Factors), sheet.OrNA), sheet.CSVText(t.IDs[k]), t.Measure.Name,
		t.Measure.Unit, strconv.Itoa(e.N), strconv.Itoa(failed), sheet.Full(e.Mean), sheet.Full(e.SD),
		sheet.Full(e.MCSE), strconv.FormatBool(e.Best), strconv.FormatBool(e.Bold), sheet.Full(e.FirstShare))
	values := t.comparedValues(row, e.Comparison)
	for _, column := range comparedColumns {
		line = append(line, cmp.Or(values[column.Name], "NA"))
	}
	switch {
	case t.contrastFactor != "": // the values of ContrastColumns
		subtractedLevel := row.subtracted.Levels.Of(t.contrastFactor)
		line = append(line, sheet.Full(e.Low), sheet.Full(e.High), sheet.OrNA(subtractedLevel))
	case t.Spread == "range": // the values of RangeColumns
		line = append(line, sheet.Full(e.Low), sheet.Full(e.High))
	}
	return line
}

// comparedValues returns the known values of comparedColumns, by column name. It returns nil if q is nil.
//
// In q, positive differences mean that the classifier is better. In the columns, they mean that it is worse, so
// comparedValues changes their sign (see reversed). Other numbers, such as standard errors, have no sign to change.
func (t *Table) comparedValues(row *Row, q *verdicts.Comparison) map[string]string {
	if q == nil {
		return nil
	}
	inUnit := func(loss float64) string { return sheet.Full(loss * t.Measure.Scale) }
	values := map[string]string{
		"test":            row.test.Name,
		"against":         sheet.CSVText(row.bestSet.Against),
		"pairs":           strconv.Itoa(q.Pairs),
		"p_adjusted":      sheet.Full(q.Adjusted),
		"rank_biserial":   sheet.Full(0 - q.Effect), // unlike -q.Effect, never -0
		"shift":           t.reversed(q.Shift.Estimate),
		"p_equivalence":   sheet.Full(q.Equivalence),
		"difference":      t.reversed(q.Mean.Mean),
		"difference_mcse": inUnit(q.Mean.MCSE),
		"detectable":      inUnit(q.Detectable),
		"needed":          sheet.Full(t.resultsForHalfWidth(row, q)),
		"doubtful":        strconv.FormatBool(q.Doubtful()),
	}
	t.addReversedIntervals(values, q)
	if p := q.Posterior; p != nil {
		values["posterior_better"] = sheet.Full(p.Above)
		values["posterior_equivalent"] = sheet.Full(p.Equivalent)
		values["posterior_worse"] = sheet.Full(p.Below)
	}
	return values
}

// addReversedIntervals adds the known intervals of q to the values of comparedColumns. If a difference d lies in
// [low, high], -d lies in [-high, -low].
func (t *Table) addReversedIntervals(values map[string]string, q *verdicts.Comparison) {
	add := func(name string, low, high float64) {
		values[name+"_low"] = t.reversed(high)
		values[name+"_high"] = t.reversed(low)
	}
	if hasInterval(q) {
		add("shift", q.Shift.Low, q.Shift.High)
	}
	if b := q.Resampled; b != nil {
		add("percentile", b.Percentile[0], b.Percentile[1])
		add("bca", b.BCa[0], b.BCa[1])
	}
}

// reversed formats -d in the unit of the table. It uses 0-d, because -d could be -0.
func (t *Table) reversed(d float64) string { return sheet.Full((0 - d) * t.Measure.Scale) }

// hasInterval reports whether q has a confidence interval of the shift.
func hasInterval(q *verdicts.Comparison) bool { return q.Shift.Level > 0 }

// resultsForHalfWidth returns the number of results with which the interval of q would have the half-width
// Inference.HalfWidth.
//
// It returns NaN if the results are from folds or splits of one data set, if q has no interval or one of width 0,
// or if HalfWidth is 0.
func (t *Table) resultsForHalfWidth(row *Row, q *verdicts.Comparison) float64 {
	if row.fromOneDataSet() || !hasInterval(q) || q.Shift.Low == q.Shift.High || t.view.HalfWidth == 0 {
		return math.NaN()
	}
	// Half-widths are roughly proportional to 1/sqrt(n); the critical value also depends on n.
	ratio := (q.Shift.High - q.Shift.Low) / 2 / t.view.HalfWidth
	return math.Ceil(float64(q.Pairs) * ratio * ratio)
}
