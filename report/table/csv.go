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

// csvColumns follow the row factors in the CSV of a table. Numbers have full
// precision, in the table's unit; NA where there is none.
var csvColumns = []string{
	"classifier", "metric", "unit", "results", "failed", "mean", "sd", "mcse", "best", "bold",
	"test", "p_adjusted", "rank_biserial", "shift", "shift_low", "shift_high", "p_equivalence", "posterior_better", "posterior_equivalent", "posterior_worse",
}

// CSV writes one line per cell and classifier, for other programs. The test
// columns compare the row's best with this classifier: the test, its adjusted
// p-value, rank-biserial effect (negative: the best is better), the test's estimate
// of the difference in loss with its confidence limits (best minus this one), the
// adjusted p-value of equivalence, and the posterior probabilities that this one is
// better, equivalent, worse. Of columns that bear the name of a factor the name
// is table.NAME. The smallest and the largest value come last, if the table prints
// them.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	columns := slices.Clone(csvColumns)
	if t.Spread == "range" {
		columns = append(columns, "low", "high")
	}
	out.Write(append(slices.Clone(t.Factors), distinctFrom(t.Factors, columns)...))
	for _, row := range t.Rows {
		for k, c := range row.Cells {
			line := make([]string, 0, len(t.Factors)+len(csvColumns))
			for _, level := range row.Levels.In(t.Factors) {
				line = append(line, sheet.OrNA(level))
			}
			line = append(line, sheet.CSVText(t.IDs[k]), t.Measure.Name, t.Measure.Unit, strconv.Itoa(c.N), strconv.Itoa(c.Failed),
				sheet.Full(c.Mean), sheet.Full(c.SD), sheet.Full(c.MCSE), strconv.FormatBool(c.Best), strconv.FormatBool(c.Bold))
			line = append(line, t.comparedFields(&row, c.Compared)...)
			if t.Spread == "range" {
				line = append(line, sheet.Full(c.Low), sheet.Full(c.High))
			}
			out.Write(line)
		}
	}
	out.Flush()
	return out.Error()
}

// comparedFields are the columns from test on.
func (t *Table) comparedFields(row *Row, q *verdicts.Comparison) []string {
	if q == nil {
		return slices.Repeat([]string{"NA"}, len(csvColumns)-slices.Index(csvColumns, "test"))
	}
	unit := t.Measure.Scale
	low, high := q.Shift.Low, q.Shift.High
	if q.Shift.Level == 0 {
		low, high = math.NaN(), math.NaN()
	}
	fields := []string{row.test.Name, sheet.Full(q.Adjusted), sheet.Full(q.Effect), sheet.Full(q.Shift.Estimate * unit), sheet.Full(low * unit), sheet.Full(high * unit), sheet.Full(q.Equivalence)}
	if p := q.Posterior; p != nil {
		return append(fields, sheet.Full(p.Above), sheet.Full(p.Equivalent), sheet.Full(p.Below))
	}
	return append(fields, "NA", "NA", "NA")
}

// distinctFrom renames columns that bear the name of a factor: a table whose
// factor is n has the number of results as table.n.
func distinctFrom(factors, columns []string) []string {
	names := slices.Clone(columns)
	for i, name := range names {
		if slices.Contains(factors, name) {
			names[i] = "table." + name
		}
	}
	return names
}
