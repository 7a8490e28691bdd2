package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/report/sheet"
	"copse/report/table"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// Sheets returns the tables in order of length.
func (c *Comparison) Sheets() []*sheet.Sheet { return append(c.SummarySheets(), c.NumberSheet()) }

// SummarySheets returns all tables except the table of all numbers. The table of ranks requires a
// cell with at least two classifiers.
func (c *Comparison) SummarySheets() []*sheet.Sheet {
	sheets := []*sheet.Sheet{c.tallySheet(), c.differenceSheet()}
	if len(c.ranks) > 0 {
		sheets = append(sheets, c.rankSheet())
	}
	return sheets
}

// levelCombinations returns the distinct combinations of levels of the given factors, in the order
// of the cells.
func (c *Comparison) levelCombinations(factors []string) []records.Levels {
	restrict := func(levels records.Levels) records.Levels { return levels.Restrict(factors) }
	return view.AddNew(nil, stats.Map(c.rows, restrict)...)
}

// emptySheet returns a table without entries.
func (c *Comparison) emptySheet(id, title string, factors []string, rows []records.Levels) *sheet.Sheet {
	return table.Frame(c.View, "table-"+Name+"-"+id, title, factors, rows)
}

// tallySheet returns a table with a row for each combination of levels of all factors except the
// innermost, and a column for each classifier. An entry contains the mean difference and the numbers
// of verdicts over the cells of the row.
func (c *Comparison) tallySheet() *sheet.Sheet {
	factors := c.factors[:max(0, len(c.factors)-1)] // all except the innermost
	rows := c.levelCombinations(factors)
	s := c.emptySheet("tally", "Agreement with "+c.Source, factors, rows)
	s.Caption = "Mean difference, ours minus published, in percentage points. In parentheses: how many numbers " +
		"agree, differ and are undecided."
	if c.quantity() == severalMetrics {
		s.Caption += " A dash means that the numbers are of different metrics, so they have no mean."
	}
	s.Remarks = []string{c.Findings()}
	s.Heads = slices.Concat(s.Heads, sheet.NumberHeads("all"), sheet.NumberHeads(c.LabelList(c.classifiers)...))
	columns := append([]string{""}, c.classifiers...) // "": all classifiers
	for i, levels := range rows {
		for _, id := range columns {
			s.Rows[i].Cells = append(s.Rows[i].Cells, tallyEntry(c.itemsOf(id, factors, levels)))
		}
	}
	if len(rows) > 1 {
		foot := sheet.Row{Heads: sheet.TextHeads("all")}
		for _, id := range columns {
			foot.Cells = append(foot.Cells, tallyEntry(c.itemsOf(id, nil, records.Levels{}))) // all cells together
		}
		s.Foot = append(s.Foot, foot)
	}
	return s
}

// tallyEntry returns an entry such as "+0.12 (5/1/0)": the mean difference in percentage points,
// and the numbers of agreeing, differing and undecided verdicts.
func tallyEntry(items []*verdicts.Agreement) sheet.Entry {
	t := verdicts.NewTally(items)
	e := sheet.Entry{Main: "–"}
	if !math.IsNaN(t.MeanDifference) {
		e.Main, e.SortKey = sheet.Signed(t.MeanDifference*points, 2), sheet.Sortable(t.MeanDifference)
	}
	if t.Agree+t.Differ+t.Undecided > 0 {
		e.Spread = fmt.Sprintf("(%d/%d/%d)", t.Agree, t.Differ, t.Undecided)
	}
	return e
}

// differenceSheet returns the table of all differences with their verdicts.
func (c *Comparison) differenceSheet() *sheet.Sheet {
	rows := c.levelCombinations(c.factors)
	s := c.emptySheet("differences", "Differences from "+c.Source, c.factors, rows)
	s.Caption = "Ours minus published, in percentage points, with the standard score z of the difference. " +
		symbolsCaption
	s.Heads = append(s.Heads, sheet.NumberHeads(c.LabelList(c.classifiers)...)...)
	for i, levels := range rows {
		for _, id := range c.classifiers {
			s.Rows[i].Cells = append(s.Rows[i].Cells, differenceEntry(c.itemsOf(id, c.factors, levels)))
		}
	}
	return s
}

// differenceEntry returns an entry such as "+1.20 ↑ (z 2.3)": our mean minus the published mean,
// the verdict and the standard score. Without a published mean, the entry is a dash.
func differenceEntry(items []*verdicts.Agreement) sheet.Entry {
	k := slices.IndexFunc(items, isMean)
	if k < 0 {
		return sheet.Entry{Main: "–"}
	}
	a := items[k]
	symbol := outcomeOf(a).symbol
	e := sheet.Entry{Main: symbol, Class: outcomeOf(a).class, SortKey: sheet.Sortable(a.Difference),
		Bold: a.Verdict == verdicts.Differs}
	if !math.IsNaN(a.Difference) {
		e.Main = sheet.Signed(a.Difference*points, 2) + " " + symbol
	}
	if !math.IsNaN(a.Z) {
		e.Spread = fmt.Sprintf("(z %s)", sheet.Signed(a.Z, 1))
	}
	return e
}

// isMean reports whether a published number is a mean, and not a minimum or maximum.
func isMean(a *verdicts.Agreement) bool { return a.Extreme == nil }

// rankSheet returns a table that compares the best classifiers in each cell with the paper. The
// column "same set" compares the sets of classifiers not significantly worse than the best.
func (c *Comparison) rankSheet() *sheet.Sheet {
	rows := stats.Map(c.ranks, func(r verdicts.RankAgreement) records.Levels { return r.Levels })
	s := c.emptySheet("ranks", "Who is best: ours and "+c.Source, c.factors, rows)
	s.Caption = c.rankCaption()
	s.Heads = slices.Concat(s.Heads, sheet.TextHeads("same best", "same set"), sheet.NumberHeads("tau"),
		sheet.TextHeads("ours", "published"))
	for i, r := range c.ranks {
		sameSet := sheet.Entry{Main: "–"} // unknown without standard deviations
		if r.Tested {
			sameSet = yesNo(r.SameSet)
		}
		s.Rows[i].Cells = []sheet.Entry{yesNo(r.SameBest), sameSet, sheet.Number(r.Tau, sheet.Fixed(r.Tau, 2)),
			sheet.Word(c.Labels(r.Ours)), sheet.Word(c.Labels(r.Published))}
	}
	return s
}

func (c *Comparison) rankCaption() string {
	shared, untested := "", ""
	if variance := c.varianceWords(); variance != "" { // " with the variance of means over newly drawn folds ...,"
		shared = "," + variance
	}
	if slices.ContainsFunc(c.ranks, func(r verdicts.RankAgreement) bool { return !r.Tested }) {
		untested = " Without standard deviations, the table names the best classifier only."
	}
	return fmt.Sprintf("The best classifier and those compatible with it, by Welch tests from means and standard "+
		"deviations%s at level %s/(k-1) for k classifiers. The tests are unpaired, since the paper's paired results "+
		"are unknown.%s tau: Kendall's tau-b between our mean errors and the published ones.",
		shared, view.Number(c.Test.Alpha), untested)
}

func yesNo(v bool) sheet.Entry {
	if v {
		return sheet.Entry{Main: "yes", SortKey: "1", Class: "agrees", IsText: true}
	}
	return sheet.Entry{Main: "no", SortKey: "0", Class: "differs", IsText: true, Bold: true}
}

// NumberSheet returns a table with a row for each published number.
func (c *Comparison) NumberSheet() *sheet.Sheet {
	rows := stats.Map(c.Items, func(a verdicts.Agreement) records.Levels { return a.Levels })
	s := c.emptySheet("numbers", "Every number of "+c.Source+" beside ours", c.factors, rows)
	s.Caption = c.numberCaption()
	s.Heads = slices.Concat(s.Heads, sheet.TextHeads("classifier"),
		sheet.NumberHeads("ours", "published", "difference", "s.e.", "z", "p", "eq"), sheet.TextHeads("verdict"))
	for i := range c.Items {
		a := &c.Items[i]
		name := c.Label(a.Classifier)
		if !isMean(a) {
			name += ", " + a.Statistic()
		}
		position := strconv.Itoa(slices.Index(c.classifiers, a.Classifier))
		s.Rows[i].Heads = append(s.Rows[i].Heads, sheet.Head{Label: name, SortKey: position, IsText: true})
		s.Rows[i].Cells = numberEntries(a)
	}
	return s
}

func (c *Comparison) numberCaption() string {
	quantity := view.Capital(strings.Replace(c.quantity(), "error", "error rates", 1))
	converted := ""
	if c.Accuracy {
		converted = " The paper prints accuracies. Here, an error rate is 100 percent minus the accuracy, so a " +
			"printed minimum is a maximum here."
	}
	return quantity + " in percent with standard deviations. difference: ours minus published; s.e.: standard error " +
		"of the difference; z: difference / s.e.; p and eq: p-values of the tests for a difference and equivalence, " +
		"both adjusted for all comparisons. " + symbolsCaption + converted
}

func numberEntries(a *verdicts.Agreement) []sheet.Entry {
	o := outcomeOf(a)
	verdict := sheet.Entry{Main: o.symbol + " " + string(a.Verdict), SortKey: string(a.Verdict), Class: o.class,
		IsText: true, Bold: a.Verdict == verdicts.Differs}
	difference, se := a.Difference*points, a.SE*points
	return []sheet.Entry{ours(a), percent(a.Published.Mean, a.Published.SD),
		sheet.Number(difference, sheet.Signed(difference, 2)),
		sheet.Number(se, sheet.Fixed(se, 2)), sheet.Number(a.Z, sheet.Signed(a.Z, 2)),
		pValue(a.Adjusted), pValue(a.Equivalence), verdict}
}

func pValue(p float64) sheet.Entry { return sheet.Number(p, strings.TrimPrefix(sheet.PValue(p), "= ")) }

// ours returns the table entry for our result. A mean has its standard deviation in parentheses.
func ours(a *verdicts.Agreement) sheet.Entry {
	if !isMean(a) {
		return percent(a.Measured(), math.NaN())
	}
	return percent(a.Ours.Mean, a.Ours.SD)
}

// percent returns the table entry for a mean in percent, with its standard deviation if it is known.
func percent(mean, sd float64) sheet.Entry {
	e := sheet.Number(mean, sheet.Fixed(mean*points, 2))
	if !math.IsNaN(mean) && !math.IsNaN(sd) {
		e.Spread = "(" + sheet.Fixed(sd*points, 2) + ")"
	}
	return e
}

// csvColumns are the columns of the CSV file after the factors. Means, standard deviations and differences are
// proportions. ours_mean and published_mean can also be a minimum or maximum: see the column statistic.
var csvColumns = []string{"classifier", "ours_mean", "ours_sd", "ours_n", "published_mean", "published_sd",
	"published_n", "statistic", "difference", "se", "z", "p", "p_adjusted", "p_equivalence",
	"verdict", "basis", "reason"}

// CSV writes one line for each published number.
func (c *Comparison) CSV(w io.Writer) error {
	factors := slices.Concat(c.tables, c.FactorNames())
	lines := [][]string{slices.Concat(factors, csvColumns)}
	for _, a := range c.Items {
		line := append(stats.Map(a.Levels.List(factors), sheet.OrNA), sheet.CSVText(a.Classifier),
			sheet.Full(a.Measured()),
			sheet.Full(a.Ours.SD), strconv.Itoa(a.Ours.N),
			sheet.Full(a.Published.Mean), sheet.Full(a.Published.SD), strconv.Itoa(a.Published.N),
			a.Statistic(), sheet.Full(a.Difference), sheet.Full(a.SE), sheet.Full(a.Z),
			sheet.Full(a.P), sheet.Full(a.Adjusted), sheet.Full(a.Equivalence),
			string(a.Verdict), a.Basis, a.Reason)
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}
