package table

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"

	"copse/report/sheet"
	"copse/stats"
	"copse/stats/verdicts"
)

// A Column describes a column in the CSV file of a table.
type Column struct {
	Name, Doc string

	value func(*csvLine) any // number, text or truth value
}

// A csvLine contains the results of one classifier in one row of a table.
type csvLine struct {
	*Table
	*Row
	*Entry
	id string // of the classifier
}

// CSVColumns lists the columns that follow the row factors in the CSV file of a table.
var CSVColumns = slices.Concat(entryColumns, stats.Map(comparedColumns, ifCompared))

var entryColumns = []Column{
	{"classifier", "id of the classifier", func(l *csvLine) any { return sheet.CSVText(l.id) }},
	{"metric", "label of the metric, such as Brier score (0 to 2), not its name (`brier`)",
		func(l *csvLine) any { return l.Measure.Name }},
	{"unit", "unit of `mean`, `sd`, `mcse` and all differences; empty if they have no unit",
		func(l *csvLine) any { return l.Measure.Unit }},
	{"results", "number of results in the mean: replicates, tasks, folds or data sets; for a contrast, the number of " +
		"pairs or, if results are not paired, the smaller of the numbers of results at the two levels",
		func(l *csvLine) any { return l.N }},
	{"failed", "number of failed results: failed fits, and replicates whose data could not be drawn",
		func(l *csvLine) any { return l.Failed + l.Undrawn }},
	{"mean", "mean of the metric", func(l *csvLine) any { return l.Mean }},
	{"sd", "standard deviation", func(l *csvLine) any { return l.SD }},
	{"mcse", "Monte-Carlo standard error of the mean; in a row that pools cells with several results each, within " +
		"cells", func(l *csvLine) any { return l.MCSE }},
	{"best", "true for the classifier with the best mean in the family, or for the first one if means are equal",
		func(l *csvLine) any { return l.Best }},
	{"bold", "true if printed in bold", func(l *csvLine) any { return l.Entry.Bold }},
	{"first", "share of resamples in which this classifier has the best mean of the compared classifiers; each of " +
		"the 1000 resamples is drawn from the results of the table row",
		func(l *csvLine) any { return l.FirstShare }},
}

// comparedColumns describe the comparison between the classifier in the CSV line and the champion or, without a
// champion, the best classifier of the table row. A positive difference means that it is worse. Signs change by
// subtraction from 0, because -x could be -0.
var comparedColumns = []Column{
	{"test", "name of the test, which compares this classifier with the champion or, without a champion, with the " +
		"best classifier of the row; NA in the line of that classifier",
		func(l *csvLine) any { return l.test.Name }},
	{"against", "id of the classifier with which the test compares this one",
		func(l *csvLine) any { return sheet.CSVText(l.bestSet.Against) }},
	{"pairs", "number of compared pairs of results, which are the pairs in which both classifiers succeeded",
		func(l *csvLine) any { return l.Comparison.Pairs }},
	{"p_adjusted", "p-value, adjusted for the comparisons of the row unless `correction` is `none`",
		func(l *csvLine) any { return l.Comparison.Adjusted }},
	{"rank_biserial", "matched-pairs rank-biserial correlation in [-1,1]; a positive value means that this " +
		"classifier is worse than the one it is compared with",
		func(l *csvLine) any { return 0 - l.Comparison.Effect }},
	{"shift", "estimated difference: the loss of this classifier minus the loss of the other; a positive value means " +
		"that this classifier is worse. The loss is the metric itself, or 1 minus it if larger values are better",
		func(l *csvLine) any { return l.reversed(l.Comparison.Shift.Estimate) }},
	{"shift_low", "lower end of the confidence interval for `shift` at the level 1 - `alpha`. If the test is a joint " +
		"test of all pairs, the intervals of the row are simultaneous. On one fixed test set, the level is corrected " +
		"for the comparisons of the row. Other intervals are not corrected, even if `p_adjusted` is. NA if there are " +
		"too few results, or if the differences do not vary",
		func(l *csvLine) any { return l.reversed(l.shift().High) }},
	{"shift_high", "upper end of this interval", func(l *csvLine) any { return l.reversed(l.shift().Low) }},
	{"p_equivalence", "p-value of the two one-sided tests with `inference.margin`, adjusted like `p_adjusted`; " +
		"from a joint test of all pairs, it is at most `alpha` only if the simultaneous interval lies within the " +
		"margin", func(l *csvLine) any { return l.Comparison.Equivalence }},
	{"posterior_better", "posterior probability that this outcome is the most frequent one: the average of two " +
		"random differences is in favour of this classifier by more than `inference.rope`",
		func(l *csvLine) any { return l.posterior().Above }},
	{"posterior_equivalent", "posterior probability that this outcome is the most frequent one: the average of two " +
		"random differences is at most `inference.rope` away from 0. This is not the probability that the mean " +
		"difference is so small", func(l *csvLine) any { return l.posterior().Equivalent }},
	{"posterior_worse", "posterior probability that this outcome is the most frequent one: the average of two " +
		"random differences is in favour of the other classifier by more than `inference.rope`",
		func(l *csvLine) any { return l.posterior().Below }},
	{"difference", "mean difference of the pairs: the loss of this classifier minus the loss of the other",
		func(l *csvLine) any { return l.reversed(l.Comparison.Mean.Mean) }},
	{"difference_mcse", "paired standard error of the mean difference; in a row that pools cells, it includes the " +
		"variation between cells, as do the intervals, `detectable` and `needed`",
		func(l *csvLine) any { return l.inUnit(l.Comparison.Mean.MCSE) }},
	{"detectable", "smallest true difference that the test (for rank, permutation, bootstrap and McNemar tests: " +
		"a t test) detects with 80 percent power; NA for the sign test, with too few results, and " +
		"if the differences do not vary; `+Inf` with `correction: pairs` if no difference can be significant",
		func(l *csvLine) any { return l.inUnit(l.Comparison.Detectable) }},
	{"needed", "number of results (or of compared test rows) needed for an interval of half-width " +
		"`inference.half_width`; its critical value is for the current number of results, so it is slightly too " +
		"large if more results are needed, and slightly too small if fewer are; NA for folds of one data set",
		func(l *csvLine) any { return l.resultsForHalfWidth(l.Row, l.Comparison) }},
	{"percentile_low", "lower end of the percentile interval from resampled rows of one test set, at the level of " +
		"`shift_low` and `shift_high`; NA for other tests",
		func(l *csvLine) any { return l.reversed(l.resampled().Percentile[1]) }},
	{"percentile_high", "upper end of this interval",
		func(l *csvLine) any { return l.reversed(l.resampled().Percentile[0]) }},
	{"bca_low", "lower end of the bias-corrected and accelerated (BCa) interval from the same resamples",
		func(l *csvLine) any { return l.reversed(l.resampled().BCa[1]) }},
	{"bca_high", "upper end of this interval", func(l *csvLine) any { return l.reversed(l.resampled().BCa[0]) }},
	{"doubtful", "true if the mean and the tested estimate differ in sign, if a significant difference has the " +
		"estimate 0, or if the absolute skewness of the differences exceeds 2",
		func(l *csvLine) any { return l.Comparison.Doubtful() }},
}

// ContrastColumns are the last columns in the CSV file of a table of contrasts.
var ContrastColumns = []Column{
	{"low", "lower end of the confidence interval of the contrast; NA with one result, if the results do not vary, " +
		"or for levels with different folds of one data set", lowEnd},
	{"high", "upper end of this interval", highEnd},
	{"minus", "level whose mean is subtracted: the first level of the factor that occurs with the other levels of " +
		"the line", func(l *csvLine) any { return sheet.OrNA(l.subtracted.Levels.Of(l.contrastFactor)) }}}

func lowEnd(l *csvLine) any { return l.Low }

func highEnd(l *csvLine) any { return l.High }

// csvColumns returns the columns that follow the row factors in the CSV file of t.
func (t *Table) csvColumns() []Column {
	last := ContrastColumns
	if t.contrastFactor == "" {
		last = t.spread().Columns
	}
	return slices.Concat(CSVColumns, last)
}

// CSV writes one line for each row and classifier, with full precision and the unit of the table. Missing
// numbers are NA.
//
// The first columns contain factor levels. Other columns with the name of a factor get the prefix "table.".
func (t *Table) CSV(w io.Writer) error {
	columns := t.csvColumns()
	header := slices.Clone(t.Factors)
	for _, column := range columns {
		name := column.Name
		if slices.Contains(t.Factors, name) {
			name = "table." + name
		}
		header = append(header, name)
	}
	lines := [][]string{header}
	for _, ofMetric := range t.MetricTables() {
		for _, row := range ofMetric.Rows {
			for k, id := range t.IDs {
				line := stats.Map(row.Levels.List(t.Factors), sheet.OrNA)
				for _, column := range columns {
					line = append(line, csvText(column.value(&csvLine{ofMetric, &row, &row.Entries[k], id})))
				}
				lines = append(lines, line)
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

func csvText(value any) string {
	if number, ok := value.(float64); ok {
		return sheet.Full(number)
	}
	return fmt.Sprint(value)
}

// ifCompared returns a column of comparedColumns that is NA in a line without a comparison.
func ifCompared(c Column) Column {
	ofComparison := c.value
	c.value = func(l *csvLine) any {
		if l.Comparison == nil {
			return "NA"
		}
		return ofComparison(l)
	}
	return c
}

// inUnit returns a loss, or a difference of losses, in the unit of the table.
func (l *csvLine) inUnit(loss float64) float64 { return loss * l.Measure.Scale }

// reversed returns -d in the unit of the table. In a comparison, a positive difference d means that the
// classifier is better. In comparedColumns, it means that it is worse.
//
// The lower end of an interval becomes its upper end: if d lies in [low, high], -d lies in [-high, -low].
func (l *csvLine) reversed(d float64) float64 { return l.inUnit(0 - d) }

// shift returns the shift of the comparison. Its interval is NaN if it is unknown.
func (l *csvLine) shift() stats.Shift {
	shift := l.Comparison.Shift
	if !hasInterval(l.Comparison) {
		shift.Low, shift.High = math.NaN(), math.NaN()
	}
	return shift
}

// posterior returns the posterior probabilities of the comparison, which are NaN if they are unknown.
func (l *csvLine) posterior() *stats.BayesResult {
	unknown := math.NaN()
	return cmp.Or(l.Comparison.Posterior, &stats.BayesResult{Below: unknown, Equivalent: unknown, Above: unknown})
}

// resampled returns the intervals from resampled test rows, which are NaN if they are unknown.
func (l *csvLine) resampled() *stats.BootstrapInterval {
	unknown := [2]float64{math.NaN(), math.NaN()}
	return cmp.Or(l.Comparison.Resampled, &stats.BootstrapInterval{Percentile: unknown, BCa: unknown})
}

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
