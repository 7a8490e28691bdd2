// Package compare compares the results of a study with the numbers printed in a paper.
package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// Name is the common base name of the files of a comparison.
const Name = "comparison"

// TableFactor is the name of a factor whose levels are published tables. The classifiers are ranked separately
// for each table. The name contains a space, unlike the names of a study's own factors.
const TableFactor = "published table"

// Options contains the published numbers and the results to compare with them.
type Options struct {
	Source       string // paper and table, for captions
	Pairs        []verdicts.Counterpart
	Missing      []string // rows of the published tables without results in the records
	ExtraFactors []string // factors that are not in the paper, such as interpretations of its text
	Accuracy     bool     // the paper prints accuracies, which are converted to error rates
	Test         verdicts.AgreementOptions
}

// A Comparison contains a verdict on each published number.
type Comparison struct {
	*view.View
	Options
	verdicts.Agreements
	ranks       []verdicts.RankAgreement // of the rows with at least two classifiers
	cells       []records.Cell           // cells with published numbers, before the treatment of failed fits
	rows        []records.Levels         // distinct levels of the pairs, in their order
	classifiers []string                 // classifiers with a printed number, in the study's order
	tables      []string                 // TableFactor, if the tables are ranked separately; otherwise nil
	factors     []string                 // TableFactor, if used, and the varying factors of our cells
}

// New compares the results in v with the published numbers in o. o.Pairs must not be empty, and v must contain
// the cells of all pairs.
func New(v *view.View, o Options) *Comparison {
	c := &Comparison{View: v, Options: o}
	for _, cell := range v.Cells {
		isOfCell := func(p verdicts.Counterpart) bool { return p.Cell == cell.ID }
		if slices.ContainsFunc(o.Pairs, isOfCell) {
			c.cells = append(c.cells, cell)
		}
	}
	for _, id := range v.Records.Classifiers {
		isOfClassifier := func(p verdicts.Counterpart) bool { return p.Classifier == id }
		if slices.ContainsFunc(o.Pairs, isOfClassifier) {
			c.classifiers = append(c.classifiers, id)
		}
	}
	c.rows = view.AddNew(nil, stats.Map(o.Pairs, levelsOf)...)
	ranksEachTable := c.rows[0].Of(TableFactor) != "" // all rows have this factor, or none
	if ranksEachTable {
		c.tables = []string{TableFactor}
	}
	c.factors = slices.Concat(c.tables, v.Varying(v.Cells)) // of all cells, so that a row names its cell
	byRow := slices.Clone(o.Pairs)
	slices.SortStableFunc(byRow, func(a, b verdicts.Counterpart) int {
		return slices.Index(c.rows, a.Levels) - slices.Index(c.rows, b.Levels)
	})
	c.Agreements = verdicts.CompareWithPublished(byRow, o.Test)
	hasOneClassifier := func(r verdicts.RankAgreement) bool { return r.Classifiers < 2 }
	c.ranks = slices.DeleteFunc(verdicts.CompareRanks(byRow, o.Test.Alpha), hasOneClassifier)
	return c
}

func levelsOf(p verdicts.Counterpart) records.Levels { return p.Levels }

// points is the factor that converts proportions to percentage points.
const points = 100.0

// itemsOf returns the verdicts for a classifier in the cells with the given factor levels. The id
// "" means all classifiers.
func (c *Comparison) itemsOf(id string, factors []string, levels records.Levels) (items []*verdicts.Agreement) {
	for i := range c.Items {
		a := &c.Items[i]
		if (id == "" || id == a.Classifier) && a.Levels.Restrict(factors) == levels {
			items = append(items, a)
		}
	}
	return items
}

// TallyAll counts the verdicts on all numbers.
func (c *Comparison) TallyAll() verdicts.Tally {
	return verdicts.NewTally(c.itemsOf("", nil, records.Levels{}))
}

// CountSentence returns a summary such as "Compared with a paper: of 18 comparable numbers, 12 agree, 4
// differ and 2 are undecided."
func (c *Comparison) CountSentence() string {
	all := c.TallyAll()
	numbers := view.Plural(all.Agree+all.Differ+all.Undecided, "comparable number", "comparable numbers")
	return fmt.Sprintf("Compared with %s: of %s, %s, %s and %s undecided.", c.Source, numbers,
		view.Plural(all.Agree, "agrees", "agree"), view.Plural(all.Differ, "differs", "differ"),
		view.Plural(all.Undecided, "is", "are"))
}

// Findings returns sentences that summarise the comparison.
func (c *Comparison) Findings() string {
	sentences := []string{c.CountSentence(), view.Capital(c.replicationWords()) + ".", c.ruleSentence(),
		c.problemSentence(), c.repeatedNumberSentence()}
	sentences = slices.Concat(sentences, c.basisSentences(), c.exceptionSentences())
	sentences = append(sentences, c.FailedFitsSentence("Means and ranks", c.cells, c.Records.Classifiers))
	if c.tables != nil {
		sentences = append(sentences, "Each published table has its own ranks; a cell may count in several tables.")
	}
	sentences = append(sentences, c.rankSentences())
	return strings.Join(view.Except(sentences, ""), " ")
}

// problemSentence warns that the randomly drawn problems of the authors differ from ours. It returns "" unless
// a cell is a cross-validation of a single drawn problem.
func (c *Comparison) problemSentence() string {
	hasOneProblem := func(a verdicts.Agreement) bool {
		s := c.Sampling[a.Cell]
		return s.DrawnProblems && s.OneDataSet
	}
	if !slices.ContainsFunc(c.Items, hasOneProblem) {
		return ""
	}
	return "The authors and we drew different problems, so a difference may come from the problems."
}

// repeatedNumberSentence names the factors that vary in our study but not in the paper. It returns
// "" if there are none.
func (c *Comparison) repeatedNumberSentence() string {
	variants := c.variantFactors()
	if len(variants) == 0 {
		return ""
	}
	return fmt.Sprintf("Several of our results are compared with the same printed number, because our study varies "+
		"factors that the paper does not (%s).", view.And(c.FactorLabels(variants)))
}

// ruleSentence explains the verdicts and the tests behind them.
func (c *Comparison) ruleSentence() string {
	test, remark := c.equalityTest()
	return fmt.Sprintf("A number agrees if two one-sided tests show that it lies within %s percentage points of the "+
		"printed one. Otherwise, it differs if %s rejects equality; if not, it is undecided.%s "+
		"All tests are carried out%s %s. They allow for the rounding of the printed number.",
		view.Number(c.Test.Margin*points), test, remark, c.varianceWords(), c.levelWords())
}

// equalityTest names the test of equality with a published number. It is Welch's test if the paper
// gives a standard deviation, and otherwise a t test that assumes our standard deviation. Repeats
// of a cross-validation also have a t test.
//
// If some numbers have repeats, remark states which test applies when. It begins with a space.
func (c *Comparison) equalityTest() (test, remark string) {
	isComparable := func(a verdicts.Agreement) bool { return a.Reason == "" }
	assumesOurSD := func(a verdicts.Agreement) bool { return isComparable(a) && a.AssumesOurSD() }
	usesRepeats := func(a verdicts.Agreement) bool { return a.UsesRepeats() }
	someLackSD := slices.ContainsFunc(c.Items, assumesOurSD) // basisSentences describes their t test
	if !slices.ContainsFunc(c.Items, usesRepeats) {
		if someLackSD {
			return "a two-sided t test", ""
		}
		return "a two-sided Welch test", ""
	}
	remark = " With at least three repeats of a cross-validation, or with several tasks, this test is a t test " +
		"on their means, and the printed standard deviation is not used. Otherwise, it is Welch's test"
	if someLackSD {
		remark += " if the paper gives a standard deviation"
	}
	return "a two-sided test", remark + "."
}

// exceptionSentences returns sentences on the mean difference and on numbers without a verdict.
func (c *Comparison) exceptionSentences() (sentences []string) {
	all := c.TallyAll()
	if !math.IsNaN(all.MeanDifference) {
		excluded := ""
		if c.hasExtremes() {
			excluded = ", without minima and maxima"
		}
		sentences = append(sentences, fmt.Sprintf("The mean difference, ours minus published, is %s percentage "+
			"points%s.", sheet.Signed(all.MeanDifference*points, 2), excluded))
	}
	if all.Incomparable > 0 {
		reason := func(a verdicts.Agreement) string { return a.Reason }
		reasons := view.AddNew(nil, stats.Map(c.Items, reason)...)
		sentences = append(sentences, fmt.Sprintf("%s cannot be compared (%s).",
			view.Plural(all.Incomparable, "number", "numbers"), strings.Join(view.Except(reasons, ""), "; ")))
	}
	if n := len(c.Missing); n > 0 {
		have := view.Plural(n, "row of published numbers has", "rows of published numbers have")
		sentences = append(sentences, have+" no counterpart among our results.")
	}
	return sentences
}

// variantFactors returns the factors that vary in our study but not in the paper.
func (c *Comparison) variantFactors() []string {
	return view.Without(c.factors, func(name string) bool { return !slices.Contains(c.ExtraFactors, name) })
}

func (c *Comparison) levelWords() string {
	return fmt.Sprintf("at the family-wise level %s, Holm over all %s", view.Number(c.Test.Alpha),
		view.Plural(c.Family, "comparison", "comparisons"))
}

// replicationWords returns a phrase such as "ours are means over R = 100 replicates, the paper's over R =
// 50 replicates".
func (c *Comparison) replicationWords() string {
	unit := c.UnitNoun(view.SingleCellGroups(c.Records.Cells()))
	ours := c.resultWords(unit, func(a *verdicts.Agreement) int { return a.Ours.N })
	// The paper's number of results counts folds. Ours may count tasks, each with several folds.
	folds := strings.ReplaceAll(unit, "tasks", "folds")
	paper := c.resultWords(folds, func(a *verdicts.Agreement) int { return a.Published.N })
	return fmt.Sprintf("ours are means over %s, the paper's over %s", ours, paper)
}

// resultWords describes the number of results behind each mean, as in "R = 98 to 100 replicates". The
// function results returns the number for one mean, or 0 if it is unknown.
func (c *Comparison) resultWords(unit string, results func(*verdicts.Agreement) int) string {
	var counts view.Range
	for i := range c.Items {
		counts.Add(results(&c.Items[i]))
	}
	if counts.Most == 0 {
		return "an unknown number of results"
	}
	return counts.Replicated(unit)
}

// varianceWords returns a phrase on the variance for folds or splits of one data set, or "" if there are no
// such cells.
func (c *Comparison) varianceWords() string {
	var cells []records.Cell
	for _, a := range c.Items {
		if a.Share > 0 {
			cells = append(cells, records.Cell{ID: a.Cell})
		}
	}
	if len(cells) == 0 {
		return ""
	}
	return fmt.Sprintf(" with the variance of means over newly drawn %s of the same data,",
		c.UnitNoun(view.SingleCellGroups(cells)))
}

// basisSentences returns sentences on the verdicts for which a standard deviation is missing, such
// as "3 verdicts rest on a t test that assumes our standard deviation for both means, because the
// paper gives none."
func (c *Comparison) basisSentences() (sentences []string) {
	for _, alike := range stats.Grouped(c.Items, func(a verdicts.Agreement) string { return a.Basis }) {
		if basis := alike[0].Basis; basis != "" {
			rest := view.Plural(len(alike), "verdict rests", "verdicts rest")
			sentences = append(sentences, fmt.Sprintf("%s on %s.", rest, basis))
		}
	}
	return sentences
}

type rankCount struct {
	sameBest        int
	tested, sameSet int       // cells with known standard deviations, and how many of them have the same best set
	taus            []float64 // Kendall's tau of each cell that has one, ascending
}

// countRanks compares our ranking of the classifiers with the published one in each cell. It counts
// the cells with the same best classifier, and the cells in which the same classifiers are not
// significantly worse than the best.
func (c *Comparison) countRanks() (n rankCount) {
	for _, r := range c.ranks {
		if r.SameBest {
			n.sameBest++
		}
		if r.Tested {
			n.tested++
			if r.SameSet {
				n.sameSet++
			}
		}
		if !math.IsNaN(r.Tau) {
			n.taus = append(n.taus, r.Tau)
		}
	}
	slices.Sort(n.taus)
	return n
}

// rankSentences returns sentences that compare our rankings with the published ones. A classifier is compatible
// with the best one if it is not significantly worse.
func (c *Comparison) rankSentences() string {
	n := c.countRanks()
	cells := len(c.ranks)
	if cells == 0 {
		return "No cell has two classifiers to rank."
	}
	text := c.variantSentence()
	text += fmt.Sprintf("Our best classifier is also the best published one in %d of %s", n.sameBest,
		view.Plural(cells, "cell", "cells"))
	switch n.tested {
	case 0:
		text += "; standard deviations are missing, so it is unknown which classifiers are compatible with the " +
			"best."
	case cells:
		text += fmt.Sprintf("; the same classifiers are compatible with the best in %s.",
			view.Plural(n.sameSet, "cell", "cells"))
	default:
		text += fmt.Sprintf("; the same classifiers are compatible with the best in %d of the %s with known "+
			"standard deviations.", n.sameSet, view.Plural(n.tested, "cell", "cells"))
	}
	if len(n.taus) > 0 { // in ascending order
		text += fmt.Sprintf(" Kendall's tau between our order and the printed one has median %s and minimum %s over "+
			"the cells.", sheet.Fixed(stats.Quantile(n.taus, 0.5), 2), sheet.Fixed(n.taus[0], 2))
	}
	return text
}

// variantSentence names the classifiers that the ranks omit, because another of our classifiers has
// the same published numbers and is ranked instead. It returns "" if there are none.
func (c *Comparison) variantSentence() string {
	var ids []string
	for i := range c.Items {
		if c.Items[i].Variant {
			ids = view.AddNew(ids, c.Items[i].Classifier)
		}
	}
	if ids == nil {
		return ""
	}
	return fmt.Sprintf("The ranks leave out %s, because another of our classifiers is compared with the same "+
		"published numbers. ", c.Labels(ids))
}

// An outcome determines how tables and figures show a verdict.
type outcome struct {
	symbol string // in tables; symbolsCaption explains it
	words  string // in the legend of pictures
	class  string // in HTML
	glyph  draw.GlyphStyle
}

const (
	agrees = iota
	larger
	smaller
	undecided
	cannotBeCompared
)

// outcomes lists the possible outcomes. Their markers differ in colour and shape.
var outcomes = []outcome{
	agrees: {"≈", "agrees", "agrees",
		draw.GlyphStyle{Color: canvas.Palette[0], Radius: 1.4, Shape: draw.CircleGlyph{}}},
	larger: {"↑", "differs, ours is larger", "differs",
		draw.GlyphStyle{Color: canvas.Palette[3], Radius: 2, Shape: draw.PyramidGlyph{}}},
	smaller: {"↓", "differs, ours is smaller", "differs",
		draw.GlyphStyle{Color: canvas.Palette[3], Radius: 2, Shape: inverted{}}},
	undecided: {"?", "undecided", "undecided",
		draw.GlyphStyle{Color: canvas.Palette[0], Radius: 1.6, Shape: draw.RingGlyph{}}},
	cannotBeCompared: {"–", "cannot be compared", "incomparable",
		draw.GlyphStyle{Color: canvas.DarkGrey, Radius: 1.4, Shape: draw.CrossGlyph{}}},
}

const symbolsCaption = "≈ agrees; ↑ ours is larger; ↓ ours is smaller; ? undecided; – cannot be compared."

// outcomeOf returns the symbol, words and style of a verdict.
func outcomeOf(a *verdicts.Agreement) *outcome {
	switch {
	case a.Verdict == verdicts.Agrees:
		return &outcomes[agrees]
	case a.Verdict == verdicts.Differs && a.Difference > 0:
		return &outcomes[larger]
	case a.Verdict == verdicts.Differs:
		return &outcomes[smaller]
	case a.Verdict == verdicts.Undecided:
		return &outcomes[undecided]
	}
	return &outcomes[cannotBeCompared]
}
