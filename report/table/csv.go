package table

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"copse/report/sheet"
	"copse/stats/verdicts"
)

// A Column is a column of the CSV file of a table.
type Column struct{ Name, Doc string }

// CSVColumns follow the row factors in the CSV file of a table. The columns from test on
// compare the line's classifier with the row's best or with the champion. Positive
// differences mean that the line's classifier is worse.
var CSVColumns = []Column{
	{"classifier", "id of the classifier"},
	{"metric", "metric of the row"},
	{"unit", "unit of mean, sd, mcse and shifts; empty: none"},
	{"results", "number of results in the mean: replicates, tasks, folds or data sets"},
	{"failed", "number of failed results"},
	{"mean", "mean of the metric"},
	{"sd", "standard deviation"},
	{"mcse", "Monte-Carlo standard error of the mean"},
	{"best", "true for the first classifier with the best mean of the family"},
	{"bold", "true if printed in bold"},
	{"first", "share of 1000 resamples of the row's results in which the mean is the best of the family"},
	{"test", "test against the row's best, or against the champion; NA for that classifier itself"},
	{"pairs", "number of compared pairs of results, in which both succeeded"},
	{"p_adjusted", "p-value, adjusted for the comparisons of the row"},
	{"rank_biserial", "matched-pairs rank-biserial correlation in [-1,1]; positive: this classifier is worse than " +
		"the one it is compared with"},
	{"shift", "estimate of the difference in loss (the metric itself, or 1 minus it where larger is better), this " +
		"classifier minus the other; positive: worse"},
	{"shift_low", "lower end of its confidence interval at the level 1 - alpha; NA if there are too few results"},
	{"shift_high", "upper end"},
	{"p_equivalence", "adjusted p-value of the two one-sided tests at the margin"},
	{"posterior_better", "probability that this classifier is better by more than the rope"},
	{"posterior_equivalent", "probability that both are equivalent"},
	{"posterior_worse", "probability that this classifier is worse by more than the rope"},
	{"difference", "mean difference in loss on the pairs, this classifier minus the other; positive: worse"},
	{"difference_mcse", "its paired standard error"},
	{"detectable", "smallest true difference that the row finds with 80 percent power"},
	{"needed", "results for an interval of the half-width of the inference, rows of one test set where these are " +
		"compared; NA for folds of one data set"},
	{"percentile_low", "lower end of the percentile interval from resampled rows of one test set, as wide as " +
		"shift_low to shift_high; NA elsewhere"},
	{"percentile_high", "upper end"},
	{"bca_low", "lower end of the bias-corrected and accelerated interval of these resamples"},
	{"bca_high", "upper end"},
	{"doubtful", "mean and tested estimate differ in sign, or the differences have a skewness beyond 2"},
}

// rangeColumns come last in a table that prints ranges or contrasts.
var rangeColumns = []Column{{"low", "smallest result, or lower end of a contrast's interval"},
	{"high", "largest result, or upper end"}}

// hasRange reports whether the table prints ranges or contrasts.
func (t *Table) hasRange() bool { return t.Spread == "range" || t.Spread == contrastSpread }

// namesOf returns the names of columns.
func namesOf(columns []Column) []string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return names
}

// CSV writes one line per row and classifier. Numbers have full precision and the table's
// unit; missing ones are NA. A column with the name of a factor becomes table.NAME.
func (t *Table) CSV(w io.Writer) error {
	columns := namesOf(CSVColumns)
	if t.hasRange() {
		columns = append(columns, namesOf(rangeColumns)...)
	}
	lines := [][]string{append(slices.Clone(t.Factors), distinctFrom(t.Factors, columns)...)}
	for _, block := range t.Blocks() {
		for _, row := range block.Rows {
			for k := range row.Entries {
				lines = append(lines, block.csvLine(&row, k))
			}
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}

// csvLine returns the fields of entry k of a row.
func (t *Table) csvLine(row *Row, k int) (line []string) {
	for _, level := range row.Levels.In(t.Factors) {
		line = append(line, sheet.OrNA(level))
	}
	e := &row.Entries[k]
	line = append(line, sheet.CSVText(t.IDs[k]), t.Measure.Name, t.Measure.Unit, strconv.Itoa(e.N),
		strconv.Itoa(e.Failed), sheet.Full(e.Mean), sheet.Full(e.SD), sheet.Full(e.MCSE),
		strconv.FormatBool(e.Best), strconv.FormatBool(e.Bold), sheet.Full(e.First))
	line = append(line, t.comparedFields(row, e.Compared)...)
	if t.hasRange() {
		line = append(line, sheet.Full(e.Low), sheet.Full(e.High))
	}
	return line
}

// comparedFields returns the fields of the columns from test to doubtful; NA for a nil q. The
// comparison estimates the loss of the best or champion minus that of the line's classifier,
// the columns the opposite difference: signs are reversed and ends of intervals exchanged.
func (t *Table) comparedFields(row *Row, q *verdicts.Comparison) []string {
	if q == nil {
		first := slices.IndexFunc(CSVColumns, func(c Column) bool { return c.Name == "test" })
		return notAvailable(len(CSVColumns) - first)
	}
	reversed := func(loss float64) string { return sheet.Full((0 - loss) * t.Measure.Scale) } // 0-x avoids -0
	low, high := reversed(q.Shift.High), reversed(q.Shift.Low)
	if q.Shift.Level == 0 { // too few results for an interval
		low, high = "NA", "NA"
	}
	fields := []string{row.test.Name, strconv.Itoa(q.Pairs), sheet.Full(q.Adjusted), sheet.Full(0 - q.Effect),
		reversed(q.Shift.Estimate), low, high, sheet.Full(q.Equivalence)}
	if p := q.Posterior; p != nil {
		fields = append(fields, sheet.Full(p.Above), sheet.Full(p.Equivalent), sheet.Full(p.Below))
	} else {
		fields = append(fields, notAvailable(3)...)
	}
	fields = append(fields, reversed(q.Mean.Mean), sheet.Full(q.Mean.MCSE*t.Measure.Scale),
		sheet.Full(q.Detectable*t.Measure.Scale), sheet.Full(t.needed(row, q)))
	if b := q.Resampled; b != nil {
		fields = append(fields, reversed(b.Percentile[1]), reversed(b.Percentile[0]), reversed(b.BCa[1]),
			reversed(b.BCa[0]))
	} else {
		fields = append(fields, notAvailable(4)...)
	}
	return append(fields, strconv.FormatBool(q.Doubtful()))
}

// notAvailable returns n fields without a value.
func notAvailable(n int) []string { return slices.Repeat([]string{"NA"}, n) }

// needed returns the number of results for an interval of the half-width of the inference:
// with independent results the half-width falls with the root of their number. NaN: unknown.
func (t *Table) needed(row *Row, q *verdicts.Comparison) float64 {
	if row.resampled() || q.Shift.Level == 0 || t.view.HalfWidth == 0 {
		return math.NaN()
	}
	ratio := (q.Shift.High - q.Shift.Low) / 2 / t.view.HalfWidth
	return math.Ceil(float64(q.Pairs) * ratio * ratio)
}

// distinctFrom returns the names of columns, with the prefix table. for names of factors.
func distinctFrom(factors, columns []string) []string {
	names := slices.Clone(columns)
	for i, name := range names {
		if slices.Contains(factors, name) {
			names[i] = "table." + name
		}
	}
	return names
}
