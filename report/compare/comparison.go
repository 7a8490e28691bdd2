// Package compare sets a study's results beside the numbers that a paper printed:
// differences, their standard errors, verdicts, and whether the paper's order of
// the classifiers returns.
package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A Options is what a paper printed beside what the study measured.
type Options struct {
	Name     string // of its files; empty: "comparison"
	Source   string // paper and table, for captions
	Pairs    []verdicts.Counterpart
	Missing  []string // published numbers that no cell of the records meets
	Variants []string // factors that the paper does not have, such as readings of its text
	Test     verdicts.AgreementOptions
}

// Comparison is the content of every comparison table and figure.
type Comparison struct {
	*view.View
	Options
	verdicts.Agreements
	ranks   []verdicts.RankAgreement
	levels  map[string]records.Levels // of a cell
	cellIDs []string                  // in the order of the pairs
	ids     []string                  // classifiers that occur, in the study's order
	factors []string                  // that vary among the cells
}

// New tests the pairs and compares the orders of the classifiers.
func New(v *view.View, o Options) (*Comparison, error) {
	c := &Comparison{View: v, Options: o, levels: map[string]records.Levels{}}
	c.Name = sheet.SafeName(cmp.Or(o.Name, "comparison"))
	var cells []records.Cell
	for _, p := range o.Pairs {
		if p.Levels.On(v.FactorNames()) != p.Levels {
			return nil, fmt.Errorf("comparison: cell %s has the levels %s, the records have the factors %s", p.Cell,
				p.Levels, strings.Join(v.FactorNames(), ", "))
		}
		if _, known := c.levels[p.Cell]; !known {
			c.levels[p.Cell] = p.Levels
			c.cellIDs = append(c.cellIDs, p.Cell)
			cells = append(cells, records.Cell{ID: p.Cell, Levels: p.Levels})
		}
	}
	if len(o.Pairs) == 0 {
		return nil, fmt.Errorf("comparison with %s: no published number has a counterpart in the records", o.Source)
	}
	pairs := slices.Clone(o.Pairs)
	for _, id := range v.Records.Classifiers {
		if slices.ContainsFunc(pairs, func(p verdicts.Counterpart) bool { return p.Classifier == id }) {
			c.ids = append(c.ids, id)
		}
	}
	c.factors = v.Varying(cells)
	place := func(p verdicts.Counterpart) int { return slices.Index(c.cellIDs, p.Cell) }
	slices.SortStableFunc(pairs, func(a, b verdicts.Counterpart) int { return place(a) - place(b) })
	var err error
	if c.Agreements, err = verdicts.CompareWithPublished(pairs, o.Test); err != nil {
		return nil, err
	}
	c.ranks = verdicts.CompareRanks(pairs, o.Test.Alpha)
	return c, nil
}

// percentage points are the unit of differences.
const points = 100.0

// Findings says in sentences how far the numbers reproduce.
func (c *Comparison) Findings() string {
	all := c.TallyBy(func(*verdicts.Agreement) string { return "" })[0]
	var b strings.Builder
	comparable := all.Agree + all.Differ + all.Undecided
	fmt.Fprintf(&b, "Of %s that can be compared with %s, %d %s, %d %s and %d %s undecided.",
		view.Plural(comparable, "number", "numbers"), c.Source,
		all.Agree, verb(all.Agree, "agrees", "agree"), all.Differ, verb(all.Differ, "differs", "differ"),
		all.Undecided, verb(all.Undecided, "is", "are"))
	fmt.Fprintf(&b, " %s. A number agrees when two one-sided tests show that it lies within %s percentage points of "+
		"the printed one; else it differs when a two-sided Welch test rejects equality; else the %s do not decide. "+
		"Both%s %s; what the rounding of print may hide speaks for neither.",
		view.Capital(c.replication()), view.Number(c.Margin*points), c.units(), c.sharing(), c.level())
	if c.drawn() {
		b.WriteString(" Problems are drawn anew: the folds behind a printed number are of another problem than ours, " +
			"and a difference may be that of the problems.")
	}
	if words := c.variants(); words != "" {
		fmt.Fprintf(&b, " A printed number stands beside several results of ours, which differ in what the paper "+
			"does not have: %s.", words)
	}
	for _, basis := range c.bases() {
		fmt.Fprintf(&b, " %s.", basis)
	}
	if !math.IsNaN(all.MeanDifference) {
		fmt.Fprintf(&b, " Ours less published is %s percentage points on average%s.",
			sheet.Signed(all.MeanDifference*points, 2), c.meansAlone())
	}
	if all.Incomparable > 0 {
		numbers := view.Plural(all.Incomparable, "number", "numbers")
		fmt.Fprintf(&b, " %s cannot be compared (%s).", view.Capital(numbers), strings.Join(c.reasons(), "; "))
	}
	if n := len(c.Missing); n > 0 {
		have := view.Plural(n, "published number has", "published numbers have")
		fmt.Fprintf(&b, " %s no counterpart among the results.", view.Capital(have))
	}
	b.WriteString(" " + c.rankSummary())
	return b.String()
}

// variants names the factors in which the results beside a printed number differ.
func (c *Comparison) variants() string {
	var labels []string
	for _, name := range c.factors {
		if slices.Contains(c.Variants, name) { // each of the printed tables may name it
			labels = append(labels, c.FactorLabel(name))
		}
	}
	return strings.Join(labels, " and ")
}

// meansAlone says that averages leave out minima and maxima, if there are any.
func (c *Comparison) meansAlone() string {
	if c.extremes() {
		return ", minima and maxima left out"
	}
	return ""
}

// level says of the two tests how many share it.
func (c *Comparison) level() string {
	if c.Correction == stats.Uncorrected {
		return fmt.Sprintf("each at level %s, uncorrected", view.Number(c.Alpha))
	}
	return fmt.Sprintf("at the family-wise level %s, %s over all %s", view.Number(c.Alpha), c.Correction,
		view.Plural(c.Family, "comparison", "comparisons"))
}

// units names what means are over.
func (c *Comparison) units() string { return c.Units(view.Singles(c.Records.Cells())) }

// replication says over how many results both sides' means are.
func (c *Comparison) replication() string {
	side := func(n func(*verdicts.Agreement) int) string {
		least, most := 0, 0
		for i := range c.Items {
			if k := n(&c.Items[i]); k > 0 {
				if least == 0 || k < least {
					least = k
				}
				most = max(most, k)
			}
		}
		if most == 0 {
			return "a number of results that it does not give"
		}
		return view.Replicated(least, most, c.units())
	}
	return "ours are means over " + side(func(a *verdicts.Agreement) int { return a.Ours.N + a.Ours.Failed }) +
		", print's over " + side(func(a *verdicts.Agreement) int { return a.Published.N })
}

// sharing returns which variances the tests use where results are of one data set, such as
// " with the variance of means over redrawn folds of the same data,"; "" where none are.
func (c *Comparison) sharing() string {
	var cells []records.Cell
	for _, a := range c.Items {
		if a.Share > 0 {
			cells = append(cells, records.Cell{ID: a.Cell})
		}
	}
	if len(cells) == 0 {
		return ""
	}
	return fmt.Sprintf(" with the variance of means over redrawn %s of the same data,", c.Units(view.Singles(cells)))
}

// drawn says whether print's folds are of problems that ours cannot be of.
func (c *Comparison) drawn() bool {
	return slices.ContainsFunc(c.Items, func(a verdicts.Agreement) bool { return c.Sampling[a.Cell].Drawn })
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// bases counts the verdicts that do not rest on both sides' spread.
func (c *Comparison) bases() []string {
	count := map[string]int{}
	var order, list []string
	for _, a := range c.Items {
		if a.Basis != "" && count[a.Basis] == 0 {
			order = append(order, a.Basis)
		}
		count[a.Basis]++
	}
	for _, basis := range order {
		list = append(list, fmt.Sprintf("%s on %s", view.Plural(count[basis], "verdict rests", "verdicts rest"), basis))
	}
	return list
}

// reasons lists why numbers cannot be compared, each once.
func (c *Comparison) reasons() []string {
	var list []string
	for _, a := range c.Items {
		if a.Reason != "" {
			list = view.AddNew(list, a.Reason)
		}
	}
	return list
}

func (c *Comparison) rankSummary() string {
	best, set, tested, cells := 0, 0, 0, 0
	var taus []float64
	for _, r := range c.ranks {
		if r.Classifiers < 2 {
			continue
		}
		cells++
		if r.SameBest {
			best++
		}
		if r.Tested {
			tested++
		}
		if r.Tested && r.SameSet {
			set++
		}
		if !math.IsNaN(r.Tau) {
			taus = append(taus, r.Tau)
		}
	}
	if cells == 0 {
		return "No cell has two classifiers to rank."
	}
	text := fmt.Sprintf("The same classifier is best in %d of %s", best, view.Plural(cells, "cell", "cells"))
	switch tested {
	case 0:
		text += "; which others are compatible with it cannot be compared, since standard deviations are missing"
	case cells:
		text += fmt.Sprintf(", the same ones are compatible with the best in %d", set)
	default:
		text += fmt.Sprintf(", the same ones are compatible with the best in %d of the %d where standard deviations "+
			"are known", set, tested)
	}
	if len(taus) > 0 {
		slices.Sort(taus)
		text += fmt.Sprintf("; Kendall's tau of the order within a cell has median %s and minimum %s",
			sheet.Fixed(stats.Quantile(taus, 0.5), 2), sheet.Fixed(taus[0], 2))
	}
	return text + "."
}

// symbol shows a verdict without colour.
func symbol(a *verdicts.Agreement) string {
	switch {
	case a.Verdict == verdicts.Agrees:
		return "≈"
	case a.Verdict == verdicts.Differs && a.Difference > 0:
		return "↑"
	case a.Verdict == verdicts.Differs:
		return "↓"
	case a.Verdict == verdicts.Undecided:
		return "?"
	}
	return "–"
}

const symbolsCaption = "≈ agrees; ↑ ours is larger; ↓ ours is smaller; ? undecided; – cannot be compared."

// class is the verdict's class in HTML.
func class(v verdicts.Verdict) string {
	switch v {
	case verdicts.Agrees:
		return "agrees"
	case verdicts.Differs:
		return "differs"
	case verdicts.Undecided:
		return "undecided"
	}
	return "incomparable"
}
