// Package readings prints the results of a calibration. A paper may leave some parameters of a
// generator open. A reading is a choice of values for these parameters.
package readings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/verdicts"
)

// A Reading is a choice of parameter values that the search tried.
type Reading struct {
	Number   int
	Stage    int               // the last search stage that evaluated the reading
	Distance verdicts.Distance // from the printed numbers
	Failed   bool              // the reading has no distance
}

// unchanged is the number of the reading that keeps all parameter values of the study.
const unchanged = 0

// A Finalist is a reading (choice of parameter values) that was evaluated again on new replicates.
// Reading 0, the unchanged study, is always evaluated again.
type Finalist struct {
	Number                            int
	Values                            []string          // parameter values; "" means the value in the study
	AtRangeEnd                        []bool            // whether each value is at an end of its range
	Searched, HeldOut                 verdicts.Distance // distances over the searched and over the held-out cells
	P                                 float64           // adjusted p-value of the test against the nearest finalist
	Kept                              bool              // the test does not distinguish it from the nearest finalist
	SearchedDiffer, HeldOutDiffer     int               // how many means differ from the printed numbers
	SearchedCompared, HeldOutCompared int               // how many numbers are compared
	Means                             []Number          // in the order of Calibration.Targets
}

// A Number is a mean error and its standard deviation. Both are proportions from 0 to 1.
type Number struct{ Mean, SD float64 }

// A Target is a published number that the calibration should reproduce.
type Target struct {
	Cell, Classifier string // in words
	HeldOut          bool   // held out from the search
	Number
}

// A Calibration describes a search for parameter values that reproduce published numbers as closely as
// possible.
type Calibration struct {
	Title, Source string
	Parameters    []string   // names
	Tried         []Reading  // in the order in which they were tried
	Impossible    int        // proposals that the generator refused
	Seen, Held    int        // numbers of cells searched and held out, all with printed numbers
	SeenWords     string     // the cells searched
	Confirm       int        // fresh replicates
	Alpha         float64    // family-wise level
	Failed        []int      // numbers of the nearest readings with failed fits on the fresh replicates
	Finalists     []Finalist // reading 0, which is the unchanged study, followed by the others, nearest first
	Targets       []Target
}

// Findings describes the search and the kept finalists.
func (c *Calibration) Findings() string {
	searched := fmt.Sprintf("The search tried %d readings on %s (%s). A reading is a choice of values for the open "+
		"parameters. The generator rejected %d other combinations of values. %s", len(c.Tried),
		view.Plural(c.Seen, "cell", "cells"), c.SeenWords, c.Impossible, c.confirmed())
	kept := view.Without(c.Finalists, func(f Finalist) bool { return !f.Kept })
	near := fmt.Sprintf("%s be distinguished from the nearest one; this number includes the nearest one. The tests "+
		"are one-sided t tests on paired jackknife pseudo-values of the squared distance, at the family-wise level "+
		"%v with Bonferroni's correction over %s.",
		view.Plural(len(kept), "reading cannot", "readings cannot"), c.Alpha,
		view.Plural(len(c.Finalists)-1, "comparison", "comparisons"))
	return strings.Join([]string{searched, near, reproduction(kept)}, " ")
}

// reproduction returns a sentence on the finalists that were kept: it counts those that reproduce
// all published numbers.
func reproduction(kept []Finalist) string {
	reproduced := 0
	for _, f := range kept {
		if f.SearchedDiffer+f.HeldOutDiffer == 0 {
			reproduced++
		}
	}
	if reproduced == 0 {
		return "None of them reproduces the printed table: under each, some means are shown to differ from the " +
			"printed ones."
	}
	return view.Plural(reproduced, "of them reproduces", "of them reproduce") +
		" the printed table: no mean is shown to differ from the printed one."
}

// confirmed returns sentences on the readings (choices of parameter values) that were evaluated again on new
// replicates.
func (c *Calibration) confirmed() string {
	others := len(c.Finalists) + len(c.Failed) - 1 // without reading 0
	again := fmt.Sprintf("The %d nearest readings and the study as it stands (reading 0) were measured again on %d "+
		"fresh replicates of all %d cells with printed numbers.", others, c.Confirm, c.Seen+c.Held)
	if len(c.Failed) == 0 {
		return again
	}
	numbers := strings.Fields(strings.Trim(fmt.Sprint(c.Failed), "[]"))
	return fmt.Sprintf("%s The distance of %s (%s) on these cells is unknown, because fits failed; the column message "+
		"of losses.csv.gz contains the reasons.", again, view.Plural(len(numbers), "reading", "readings"),
		view.And(numbers))
}

// distanceDefinition defines the distance of a reading from the printed numbers, for captions.
const distanceDefinition = "For each printed number, the squared differences of the means and of the standard " +
	"deviations are added, in units of the printed standard deviation. The squared distance is the mean of these " +
	"sums, minus the value expected if both distributions are equal. Standard deviations are divided by c4, which " +
	"removes their bias under normality. In parentheses: the squared distance and its jackknife standard error."

// finalistTable returns a table with a column for each finalist.
//
// Its rows are the parameter values, distances from the printed numbers, p-values and counts of means that
// differ.
func (c *Calibration) finalistTable() *sheet.Sheet {
	marks := fmt.Sprintf(" Bold: the test does not distinguish this reading from the reading nearest to the printed "+
		"numbers; p-values are adjusted. Differ: how many means are shown to differ from the printed ones by "+
		"more than rounding (Welch's test at the family-wise level %v, with Holm's correction over all numbers "+
		"of a reading). A dot means the value in the study.", c.Alpha)
	s := &sheet.Sheet{ID: "readings", Title: "Readings", Caption: distanceDefinition + marks,
		Heads: sheet.TextHeads("reading")}
	for _, f := range c.Finalists {
		s.Heads = append(s.Heads, sheet.Head{Label: fmt.Sprint(f.Number)})
	}
	for i, name := range c.Parameters {
		s.Rows = append(s.Rows, c.finalistRow(name, func(f *Finalist) sheet.Entry { return parameter(f, i) }))
	}
	isAtRangeEnd := func(f Finalist) bool { return slices.Contains(f.AtRangeEnd, true) }
	if slices.ContainsFunc(c.Finalists, isAtRangeEnd) {
		s.Notes = []string{rangeEndNote}
	}
	s.Rows = append(s.Rows, c.agreementRows()...)
	return s
}

// agreementRows returns the rows of the finalist table that compare the finalists with the printed numbers.
func (c *Calibration) agreementRows() []sheet.Row {
	return []sheet.Row{
		c.finalistRow("distance, searched cells", func(f *Finalist) sheet.Entry {
			return distanceEntry(f.Searched, f.SearchedCompared, f.Kept)
		}),
		c.finalistRow("distance, held-out cells", func(f *Finalist) sheet.Entry {
			const bold = false
			return distanceEntry(f.HeldOut, f.HeldOutCompared, bold)
		}),
		c.finalistRow("p", func(f *Finalist) sheet.Entry {
			return sheet.Entry{Main: strings.TrimPrefix(sheet.PValue(f.P), "= ")}
		}),
		c.finalistRow("differ, searched cells", func(f *Finalist) sheet.Entry {
			return share(f.SearchedDiffer, f.SearchedCompared)
		}),
		c.finalistRow("differ, held-out cells", func(f *Finalist) sheet.Entry {
			return share(f.HeldOutDiffer, f.HeldOutCompared)
		}),
	}
}

func (c *Calibration) finalistRow(label string, entry func(*Finalist) sheet.Entry) sheet.Row {
	row := sheet.Row{Heads: sheet.TextHeads(label)}
	for i := range c.Finalists {
		row.Cells = append(row.Cells, entry(&c.Finalists[i]))
	}
	return row
}

const rangeEndNote = "at an end of the range in the study: a wider range, if it makes sense, may contain readings " +
	"nearer to the printed numbers"

// parameter returns the table entry for parameter i of a finalist. A dot means that the finalist
// has the same value as the study.
func parameter(f *Finalist, i int) sheet.Entry {
	e := sheet.Entry{Main: cmp.Or(f.Values[i], "·")}
	if f.Values[i] != "" && f.AtRangeEnd[i] {
		e.Note = 1
	}
	return e
}

// distanceEntry returns an entry with the distance, the squared distance and its standard error.
// The entry is a dash if no numbers were compared.
func distanceEntry(d verdicts.Distance, compared int, bold bool) sheet.Entry {
	if compared == 0 {
		return sheet.Entry{Main: "–"}
	}
	spread := fmt.Sprintf("(%s ± %s)", sheet.Fixed(d.Squared, 2), sheet.Fixed(d.SE, 2))
	return sheet.Entry{Main: sheet.Fixed(d.RMS(), 2), Spread: spread, Bold: bold}
}

// share returns a table entry such as "3 of 18", or a dash if n is 0.
func share(k, n int) sheet.Entry {
	if n == 0 {
		return sheet.Entry{Main: "–"}
	}
	return sheet.Entry{Main: fmt.Sprintf("%d of %d", k, n)}
}

const mostShown = 6

// numberTable returns a table with a row for each published number. The columns contain this number and our
// means under several readings.
func (c *Calibration) numberTable() *sheet.Sheet {
	shown := c.shownInNumbers()
	s := &sheet.Sheet{ID: "numbers", Title: "Numbers", Caption: "Test error (%): mean (standard deviation), as " +
		"printed, under reading 0 and under the nearest readings whose distances are bold above.",
		Heads: append(sheet.TextHeads("cell", "searched", "classifier"), sheet.NumberHeads("printed")...)}
	for _, f := range shown {
		s.Heads = append(s.Heads, sheet.Head{Label: fmt.Sprintf("reading %d", f.Number)})
	}
	for i, t := range c.Targets {
		searched := "yes"
		if t.HeldOut {
			searched = "no"
		}
		row := sheet.Row{Cells: []sheet.Entry{{Main: t.Cell}, {Main: searched}, {Main: t.Classifier}, number(t.Number)}}
		for _, f := range shown {
			row.Cells = append(row.Cells, number(f.Means[i]))
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// shownInNumbers returns the readings that numberTable shows: reading 0, unless its fits failed, and the
// nearest kept readings.
func (c *Calibration) shownInNumbers() (shown []Finalist) {
	for _, f := range c.Finalists {
		if f.Number == unchanged || f.Kept && len(shown) < mostShown {
			shown = append(shown, f)
		}
	}
	return shown
}

func number(n Number) sheet.Entry {
	return sheet.Entry{Main: sheet.Fixed(100*n.Mean, 1), Spread: "(" + sheet.Fixed(100*n.SD, 1) + ")"}
}

// Markdown returns a Markdown page with the findings, the picture and the tables.
func (c *Calibration) Markdown(picture string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", c.Title)
	if c.Source != "" {
		fmt.Fprintf(&b, "%s.\n\n", strings.TrimSuffix(c.Source, "."))
	}
	fmt.Fprintf(&b, "%s\n\nThe search chose the readings to fit the printed numbers. A reading near these "+
		"numbers fits the table, but it does not show what the authors ran.\n\n![%s](%s)\n\n%s\n\n",
		c.Findings(), sheet.EscapeMarkdown(c.Title), picture, c.caption())
	for _, s := range []*sheet.Sheet{c.finalistTable(), c.numberTable()} {
		if err := s.Markdown(&b); err != nil {
			return "", err
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}
