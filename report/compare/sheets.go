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
	"copse/stats/records"
	"copse/stats/verdicts"
)

// Sheets are the printed tables of a comparison, most condensed first.
func (c *Comparison) Sheets() []*sheet.Sheet {
	return []*sheet.Sheet{c.tallySheet(), c.differenceSheet(), c.rankSheet(), c.longSheet()}
}

// blocks are the factors that tallies are split by: all that vary but the
// innermost.
func (c *Comparison) blocks() []string {
	if len(c.factors) == 0 {
		return nil
	}
	return c.factors[:len(c.factors)-1]
}

// block is the levels of a cell on some factors.
func (c *Comparison) block(cell string, factors []string) records.Levels {
	return c.levels[cell].On(factors)
}

// rowsBy lists the distinct levels on some factors, in the order of the cells.
func (c *Comparison) rowsBy(factors []string) []records.Levels {
	var rows []records.Levels
	for _, cell := range c.cellIDs {
		rows = view.AddNew(rows, c.block(cell, factors))
	}
	return rows
}

// frame makes a sheet whose rows are levels of factors.
func (c *Comparison) frame(id, title string, factors []string, rows []records.Levels) *sheet.Sheet {
	return table.Frame(c.View, "table-"+c.Name+"-"+id, title, factors, rows)
}

// tallySheet shows mean differences and shares that agree by block and
// classifier.
func (c *Comparison) tallySheet() *sheet.Sheet {
	factors := c.blocks()
	rows := c.rowsBy(factors)
	s := c.frame("tally", "Agreement with "+c.Source, factors, rows)
	s.Caption = "Mean difference, ours less published, in percentage points; in parentheses how many numbers agree, " +
		"differ and are undecided."
	s.Remarks = []string{c.Findings()}
	s.Heads = append(s.Heads, sheet.Head{Label: "all"})
	for _, id := range c.ids {
		s.Heads = append(s.Heads, sheet.Head{Label: c.Label(id)})
	}
	tally := func(on []string, levels records.Levels, id string) verdicts.Tally {
		none := verdicts.Tally{MeanDifference: math.NaN()}
		for _, t := range c.TallyBy(func(a *verdicts.Agreement) string {
			if c.block(a.Cell, on) == levels && (id == "" || id == a.Classifier) {
				return "in"
			}
			return "out"
		}) {
			if t.Key == "in" {
				return t
			}
		}
		return none
	}
	for i, levels := range rows {
		for _, id := range append([]string{""}, c.ids...) {
			t := tally(factors, levels, id)
			s.Rows[i].Cells = append(s.Rows[i].Cells, tallyEntry(t))
		}
	}
	if len(rows) > 1 {
		foot := sheet.Foot{Span: len(s.Rows[0].Heads), Label: "all"}
		for _, id := range append([]string{""}, c.ids...) {
			e := tallyEntry(tally(nil, records.Levels{}, id))
			foot.Values = append(foot.Values, strings.TrimSpace(e.Main+" "+e.Spread))
		}
		s.Foot = append(s.Foot, foot)
	}
	return s
}

func tallyEntry(t verdicts.Tally) sheet.Entry {
	e := sheet.Entry{Main: "–"}
	if !math.IsNaN(t.MeanDifference) {
		e.Main, e.Value = sheet.Signed(t.MeanDifference*points, 2), sheet.Sortable(t.MeanDifference)
	}
	if t.Agree+t.Differ+t.Undecided > 0 {
		e.Spread = fmt.Sprintf("(%d/%d/%d)", t.Agree, t.Differ, t.Undecided)
	}
	return e
}

// differenceSheet shows every difference with its verdict, a row per cell.
func (c *Comparison) differenceSheet() *sheet.Sheet {
	rows := c.rowsBy(c.factors)
	s := c.frame("differences", "Differences from "+c.Source, c.factors, rows)
	s.Caption = "Ours less published, in percentage points, with the standard score z of the difference. " +
		symbolsCaption
	for _, id := range c.ids {
		s.Heads = append(s.Heads, sheet.Head{Label: c.Label(id)})
	}
	for i, levels := range rows {
		for _, id := range c.ids {
			e := sheet.Entry{Main: "–"}
			if a := c.find(levels, id); a != nil {
				e = sheet.Entry{Main: symbol(a), Class: class(a.Verdict), Value: sheet.Sortable(a.Difference),
					Bold: a.Verdict == verdicts.Differs}
				if !math.IsNaN(a.Difference) {
					e.Main = sheet.Signed(a.Difference*points, 2) + " " + symbol(a)
				}
				if !math.IsNaN(a.Z) {
					e.Spread = fmt.Sprintf("(z %s)", sheet.Signed(a.Z, 1))
				}
			}
			s.Rows[i].Cells = append(s.Rows[i].Cells, e)
		}
	}
	return s
}

// find returns the agreement of a classifier's mean in the cell of these levels.
func (c *Comparison) find(levels records.Levels, id string) *verdicts.Agreement {
	for i := range c.Items {
		if c.Items[i].Classifier == id && c.Items[i].Extreme == nil && c.block(c.Items[i].Cell, c.factors) == levels {
			return &c.Items[i]
		}
	}
	return nil
}

// rankSheet shows whether the paper's order and its best classifiers return.
func (c *Comparison) rankSheet() *sheet.Sheet {
	var rows []records.Levels
	for _, r := range c.ranks {
		rows = append(rows, c.block(r.Cell, c.factors))
	}
	s := c.frame("ranks", "Who is best: ours and "+c.Source, c.factors, rows)
	s.Caption = c.rankCaption()
	for _, label := range []string{"same best", "same set", "tau", "ours", "published"} {
		s.Heads = append(s.Heads, sheet.Head{Label: label, Text: label != "tau"})
	}
	for i, r := range c.ranks {
		tau := sheet.Entry{Main: "–"}
		if !math.IsNaN(r.Tau) {
			tau = sheet.Entry{Main: sheet.Fixed(r.Tau, 2), Value: sheet.Sortable(r.Tau)}
		}
		set := sheet.Entry{Main: "–"}
		if r.Tested {
			set = yesNo(r.SameSet)
		}
		s.Rows[i].Cells = []sheet.Entry{yesNo(r.SameBest), set, tau,
			{Main: c.Labels(r.Ours), Value: c.Labels(r.Ours), Text: true},
			{Main: c.Labels(r.Published), Value: c.Labels(r.Published), Text: true}}
	}
	return s
}

// rankCaption says how the sets were found, and of which side they are not known.
func (c *Comparison) rankCaption() string {
	shared, untested := "", ""
	if words := c.sharing(); words != "" {
		shared = "," + words
	}
	if slices.ContainsFunc(c.ranks, func(r verdicts.RankAgreement) bool { return !r.Tested }) {
		untested = " Where standard deviations are missing the best alone is named, and sets are not compared."
	}
	return fmt.Sprintf("The best classifier and those compatible with it, by Welch tests of means and standard "+
		"deviations%s at level %s/(k-1) on either side: the paper's paired results are not known.%s tau: Kendall's "+
		"tau-b of the mean errors.",
		shared, view.Number(c.Alpha), untested)
}

func yesNo(v bool) sheet.Entry {
	if v {
		return sheet.Entry{Main: "yes", Value: "1", Class: "agrees", Text: true}
	}
	return sheet.Entry{Main: "no", Value: "0", Class: "differs", Text: true, Bold: true}
}

// longSheet has one row per published number.
func (c *Comparison) longSheet() *sheet.Sheet {
	var rows []records.Levels
	for _, a := range c.Items {
		rows = append(rows, c.block(a.Cell, c.factors))
	}
	s := c.frame("numbers", "Every number of "+c.Source+" beside ours", c.factors, rows)
	s.Caption = view.Capital(strings.Replace(c.quantity(), "error", "error rates", 1)) +
		" in percent with standard deviations; difference: ours less published; s.e.: its joint standard error; z: " +
		"their ratio; p: of the difference, eq: of equivalence, both adjusted for all comparisons. " +
		symbolsCaption
	s.Heads = append(s.Heads, sheet.Head{Label: "classifier", Text: true})
	for _, label := range []string{"ours", "published", "difference", "s.e.", "z", "p", "eq"} {
		s.Heads = append(s.Heads, sheet.Head{Label: label})
	}
	s.Heads = append(s.Heads, sheet.Head{Label: "verdict", Text: true})
	for i := range c.Items {
		a := &c.Items[i]
		name := c.Label(a.Classifier)
		if a.Extreme != nil {
			name += ", " + a.Statistic()
		}
		place := strconv.Itoa(slices.Index(c.ids, a.Classifier))
		s.Rows[i].Heads = append(s.Rows[i].Heads, sheet.Head{Label: name, Value: place, Text: true})
		s.Rows[i].Cells = []sheet.Entry{ours(a), percent(a.Published.Mean, a.Published.SD),
			sheet.Number(a.Difference*points, sheet.Signed(a.Difference*points, 2)),
			sheet.Number(a.SE*points, sheet.Fixed(a.SE*points, 2)), sheet.Number(a.Z, sheet.Signed(a.Z, 2)),
			sheet.Number(a.Adjusted, strings.TrimPrefix(sheet.PValue(a.Adjusted), "= ")),
			sheet.Number(a.Equivalence, strings.TrimPrefix(sheet.PValue(a.Equivalence), "= ")),
			{Main: symbol(a) + " " + string(a.Verdict), Value: string(a.Verdict), Class: class(a.Verdict),
				Text: true, Bold: a.Verdict == verdicts.Differs}}
	}
	return s
}

// ours is what the published number is compared with.
func ours(a *verdicts.Agreement) sheet.Entry {
	if a.Extreme != nil {
		return percent(a.Measured(), math.NaN())
	}
	return percent(a.Ours.Mean, a.Ours.SD)
}

func percent(mean, sd float64) sheet.Entry {
	e := sheet.Number(mean, sheet.Fixed(mean*points, 2))
	if !math.IsNaN(mean) && !math.IsNaN(sd) {
		e.Spread = "(" + sheet.Fixed(sd*points, 2) + ")"
	}
	return e
}

// csvColumns follow the factors in the CSV of a comparison; shares, in
// full precision. Where statistic is no mean, ours_mean and published_mean are
// the minima or maxima that are compared, ours_sd is that of all results.
var csvColumns = []string{"classifier", "ours_mean", "ours_sd", "ours_n", "published_mean", "published_sd",
	"published_n", "statistic", "difference", "se", "z", "p", "p_adjusted", "p_equivalence",
	"verdict", "basis", "reason"}

// CSV writes one line per published number, for other programs.
func (c *Comparison) CSV(w io.Writer) error {
	lines := [][]string{append(c.FactorNames(), csvColumns...)}
	for _, a := range c.Items {
		var line []string
		for _, level := range c.levels[a.Cell].In(c.FactorNames()) {
			line = append(line, sheet.OrNA(level))
		}
		line = append(line, sheet.CSVText(a.Classifier),
			sheet.Full(a.Measured()), sheet.Full(a.Ours.SD), strconv.Itoa(a.Ours.N),
			sheet.Full(a.Published.Mean), sheet.Full(a.Published.SD), strconv.Itoa(a.Published.N),
			a.Statistic(), sheet.Full(a.Difference), sheet.Full(a.SE), sheet.Full(a.Z),
			sheet.Full(a.P), sheet.Full(a.Adjusted), sheet.Full(a.Equivalence),
			string(a.Verdict), a.Basis, a.Reason)
		lines = append(lines, line)
	}
	return csv.NewWriter(w).WriteAll(lines)
}
