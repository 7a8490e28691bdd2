package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// EffectsLegend is what the caption of effect sizes says of the numbers of every table.
const EffectsLegend = "s.e.: paired standard error of the mean difference; " +
	"r: matched-pairs rank-biserial correlation (1: always worse, 0: no difference); " +
	"p: adjusted for the family of the row; " +
	"d: smallest true difference that the row finds with 80 percent power; " +
	"†: mean and tested estimate differ in sign, or the differences have a skewness beyond 2."

// Effects shows, for each row, how far every classifier of the family is
// from the best, or from the champion: the test's estimate with its confidence interval,
// rank-biserial effect and adjusted p-value, with the sign turned so that
// positive means worse than that one.
func (t *Table) Effects() *sheet.Sheet {
	v := t.view
	printed := &sheet.Sheet{ID: "table-" + sheet.SafeName(t.Name) + "-effects", Title: "Effect sizes: " + t.Title}
	unit := t.Measure.DifferenceUnit()
	of := t.Measure.Name
	if t.Measure.LargerIsBetter() {
		of = "1 - " + of
	}
	against := "the best of its row"
	if v.Champion != "" {
		against = v.Label(v.Champion)
	}
	printed.Caption = fmt.Sprintf("Each classifier against %s, on paired %s: %s in %s%s with its %s; %s",
		against, v.Units(t.groups), t.estimates(), of, inUnit(unit), t.confidence(), EffectsLegend)
	if v.Margin > 0 {
		printed.Caption += fmt.Sprintf(" eq: adjusted p-value of the two one-sided tests; at most %s, the two differ by less than %s%s.", view.Number(v.Alpha), view.Number(v.Margin*t.Measure.Scale), pad(unit))
	}
	if v.Rope > 0 {
		printed.Caption += fmt.Sprintf(" P: posterior probabilities, by the Bayesian signed-rank test, that the classifier is better, equivalent within %s%s, worse.", view.Number(v.Rope*t.Measure.Scale), pad(unit))
	}
	for i, head := range t.columnHeads() {
		if i < len(t.Heads) || slices.Contains(t.Family, t.IDs[i-len(t.Heads)]) {
			printed.Heads = append(printed.Heads, head)
		}
	}
	for i := range t.Rows {
		row := sheet.Row{Block: i > 0 && t.newBlock(i), Heads: t.rowHeads(i, printed.ID)}
		for j := range row.Heads {
			row.Heads[j].Note = 0
		}
		for k, id := range t.IDs {
			if slices.Contains(t.Family, id) {
				row.Cells = append(row.Cells, t.effectCell(&t.Rows[i], &t.Rows[i].Entries[k]))
			}
		}
		printed.Rows = append(printed.Rows, row)
	}
	return printed
}

// effectCell prints one comparison.
func (t *Table) effectCell(r *Row, c *Entry) sheet.Entry {
	switch {
	case c.Against && c.Best:
		return sheet.Entry{Main: "best", Bold: true, Value: "0"}
	case c.Against:
		return sheet.Entry{Main: "champion", Bold: true, Value: "0"}
	case c.Compared == nil:
		return sheet.Entry{Main: "–"}
	}
	q := c.Compared
	digits := t.Digits
	shift := -q.Shift.Estimate * t.Measure.Scale
	cell := sheet.Entry{Main: sheet.Signed(shift, digits), Value: sheet.Sortable(shift), Bold: !q.Worse}
	if q.Doubtful() {
		cell.Main += " †"
	}
	if q.Shift.Level > 0 {
		cell.Lines = append(cell.Lines, fmt.Sprintf("[%s, %s]", sheet.Signed(-q.Shift.High*t.Measure.Scale, digits), sheet.Signed(-q.Shift.Low*t.Measure.Scale, digits)))
	}
	if !math.IsNaN(q.Mean.MCSE) {
		cell.Lines = append(cell.Lines, "s.e. "+sheet.Fixed(q.Mean.MCSE*t.Measure.Scale, digits+1))
	}
	if !r.resampled() {
		cell.Lines = append(cell.Lines, "r "+sheet.Signed(-q.Effect, 2))
	}
	cell.Lines = append(cell.Lines, "p "+sheet.PValue(q.Adjusted))
	if detectable(q) {
		cell.Lines = append(cell.Lines, "d "+sheet.Fixed(q.Detectable*t.Measure.Scale, digits))
	}
	if !math.IsNaN(q.Equivalence) {
		cell.Lines = append(cell.Lines, "eq "+sheet.PValue(q.Equivalence))
	}
	if p := q.Posterior; p != nil { // of the best minus this one
		cell.Lines = append(cell.Lines, fmt.Sprintf("P %.2f, %.2f, %.2f", p.Above, p.Equivalent, p.Below))
	}
	return cell
}

// resampled reports whether the results of a row are folds or splits of one data set, of
// which rank correlations tell nothing.
func (r *Row) resampled() bool {
	return len(r.test.Designs) > 0 && r.test.Designs[0] == stats.Resampled
}

// detectable reports whether the smallest detectable difference of a comparison is known.
func detectable(q *verdicts.Comparison) bool {
	return !math.IsNaN(q.Detectable) && !math.IsInf(q.Detectable, 1)
}

// confidence names the intervals: those of several comparisons with the best, which is
// chosen on the same data, have their level only where one test makes them all.
func (t *Table) confidence() string {
	level := fmt.Sprintf("%.3g%%", 100*(1-t.view.Alpha))
	_, most := t.view.Sizes(t.groups, t.Family, t.view.Champion)
	switch {
	case t.view.Joint(most):
		return "simultaneous " + level + " confidence interval"
	case most > 2 && t.view.Champion == "":
		return "interval of nominal confidence " + level + ", each for itself though the best is chosen on the same data"
	}
	return level + " confidence interval"
}

// estimates names the estimates of the rows' tests.
func (t *Table) estimates() string {
	var words []string
	for _, row := range t.Rows {
		if row.test.Estimate != "" {
			words = view.AddNew(words, row.test.Estimate)
		}
	}
	return strings.Join(words, " or ")
}

func pad(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}

func inUnit(unit string) string {
	if unit == "" {
		return ""
	}
	return " (" + unit + ")"
}

// HasTests says whether any row has tests.
func (t *Table) HasTests() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return len(r.best.Comparisons) > 0 })
}

// Errors is the table again, without bold, with standard errors.
func (t *Table) Errors() *Table {
	e := &Table{Name: t.Name + "-mcse", Title: "Monte-Carlo errors: " + t.Title, Digits: t.Digits + 1, Spread: "se",
		Measure: t.Measure, Factors: t.Factors, Heads: t.Heads, IDs: t.IDs, Columns: t.Columns, view: t.view, groups: t.groups}
	for _, row := range t.Rows {
		plain := Row{Levels: row.Levels, Labels: row.Labels}
		for _, c := range row.Entries {
			plain.Entries = append(plain.Entries, Entry{Summary: c.Summary})
		}
		e.Rows = append(e.Rows, plain)
	}
	e.Caption = e.caption(nil)
	return e
}

// HasResults tells whether any entry has a result.
func (t *Table) HasResults() bool { return t.most() > 0 }

// HasSpread tells whether any entry has several results.
func (t *Table) HasSpread() bool { return t.most() > 1 }

// most returns the largest number of results of an entry.
func (t *Table) most() (n int) {
	for _, r := range t.Rows {
		for _, e := range r.Entries {
			n = max(n, e.N)
		}
	}
	return n
}
