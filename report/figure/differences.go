package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// A difference is an estimated difference between two classifiers on paired results. With the signed-rank test,
// Estimate is the Hodges-Lehmann estimate (Hollander, Wolfe and Chicken 2014, section 3.2).
type difference struct {
	id string
	stats.Shift
	differs bool // the test of the interval rejects equality
}

// A comparedPanel contains the differences that one panel shows.
type comparedPanel struct {
	group       view.Group
	compared    []string
	leftOut     []string // classifiers that the panel omits, see View.Partial
	baseline    string   // the classifier compared with all others; "" if there is none
	differences []difference
	results     view.Range // numbers of results of the compared classifiers
}

// differencePage draws a row for each classifier in each panel: its difference from the champion or, without a
// champion, from the best classifier in the panel.
func differencePage(r *request) (*drawnPage, error) {
	compared := r.Compared(r.measure, r.classifiers)
	if err := r.checkDifferences(compared); err != nil {
		return nil, err
	}
	list := make([]comparedPanel, len(r.panels))
	for i, g := range r.panels {
		var err error
		if list[i], err = r.comparePanel(g, compared); err != nil {
			return nil, err
		}
	}
	var contents []rowPanel
	var all []difference
	var families []view.Family // of hypotheses, one for each panel with tests
	for i := range list {
		p := &list[i]
		contents = append(contents, r.differencePanel(p))
		all = append(all, p.differences...)
		if r.hasTests(p) {
			families = append(families, r.differenceFamily(&p.group, p.compared))
		}
	}
	d := newRowChart(r, panels.Scale{Title: r.measure.DifferenceTitle()}, contents)
	marks := marksOf(all)
	d.Legend = marks.legend()
	facts := r.differenceFacts(compared, list)
	facts["Marks"] = marks
	return r.captioned(&d.Page, facts, families...), nil
}

// hasTests reports whether a panel compares at least two classifiers, one of which is the champion if the figure
// has one.
func (r *request) hasTests(p *comparedPanel) bool {
	return view.CanCompare(p.compared, r.options.Champion)
}

// comparePanel computes the differences in the panel of g. It compares the classifiers of the family that have
// results in g, except p.leftOut.
func (r *request) comparePanel(g view.Group, family []string) (p comparedPanel, err error) {
	pooled := r.PoolFor(&g, r.measure, family)
	p.group = g
	p.leftOut = r.Partial(&g, &pooled, family, r.options.Champion)
	p.compared = verdicts.Ran(&pooled, view.Except(family, p.leftOut...))
	// Like verdicts.Best, use only replicates with a loss of every classifier, unless each pair has its own test.
	if r.options.Champion == "" && (r.Joint(len(p.compared)) || !r.AllPairs()) {
		pooled = pooled.Comparable(r.measure.Metric, p.compared)
	}
	p.baseline, p.differences, err = r.differencesIn(&pooled, p.compared)
	for _, id := range p.compared {
		p.results.Add(r.Summary(&g, &pooled, r.measure, id).N)
	}
	return p, err
}

// checkDifferences returns an error if the options or the results allow no comparison of the classifiers in
// family.
func (r *request) checkDifferences(family []string) error {
	switch {
	case slices.ContainsFunc(r.panels, r.PoolsOneDataSet):
		return view.OptionError("panel", "a panel pools cells of one data set, whose results count as "+
			"one, so no test is possible: add the factors that vary within a panel to `panel` or `page`")
	case !r.measure.OfPredictions():
		return r.needsPredictions()
	case len(family) < 2:
		return view.OptionError("metric family columns", "a comparison needs at least two classifiers with results "+
			"for %s, but this figure compares only these: %s; list more in `family` and `columns`, or set another "+
			"`metric`",
			r.measure.Name, cmp.Or(r.Labels(family), "none"))
	}
	return r.checkTests(family)
}

// differencePanel returns the title and the rows of a panel.
func (r *request) differencePanel(p *comparedPanel) rowPanel {
	content := rowPanel{title: "Difference from " + r.Label(p.baseline), dashedAt: 0}
	words := r.panelTitle(&p.group)
	if words != "" {
		content.title = words + ", difference from " + r.Label(p.baseline)
	}
	if len(p.differences) == 0 {
		content.title = joinNonEmpty(": ", words, "fewer than two classifiers can be compared")
	}
	for _, x := range p.differences {
		content.rows = append(content.rows, r.differenceRow(&x))
	}
	return content
}

// differencesIn compares classifiers with a baseline: the champion or, without a champion, the best classifier.
// If there is no such classifier, baseline is "".
func (r *request) differencesIn(cell *records.Cell, ids []string) (baseline string, list []difference, err error) {
	baseline = cmp.Or(r.options.Champion, verdicts.BestOf(cell, r.measure.Metric, ids))
	test, err := r.Paired(cell)
	if err != nil || baseline == "" {
		return "", nil, err
	}
	if r.usesJointTest(len(ids)) { // there is no champion, so the baseline is the best classifier
		list, err = r.jointDifferences(cell, ids, test)
	} else {
		list, err = r.pairedDifferences(cell, ids, baseline, test)
	}
	return baseline, list, err
}

// usesJointTest reports whether one joint test of all pairs gives the intervals of a panel with k classifiers.
// Otherwise, each interval comes from a paired test.
func (r *request) usesJointTest(k int) bool { return r.options.Champion == "" && r.Joint(k) }

// pairedDifferences compares each classifier with the baseline. Paired tests give the intervals, and a Bonferroni
// correction makes them simultaneous.
func (r *request) pairedDifferences(
	cell *records.Cell, ids []string, baseline string, paired verdicts.Paired,
) (list []difference, err error) {
	comparisons := max(1, r.comparisons(len(ids))) // 1: avoids a division by 0 if ids has a single classifier
	level := 1 - r.Alpha/float64(comparisons)
	for _, id := range view.Except(ids, baseline) {
		pairs, err := cell.Pairs(r.measure.Metric, id, baseline)
		if err != nil {
			return nil, err
		}
		if len(pairs.X) == 0 {
			continue
		}
		shift, differs, err := paired.Shift(cell.ID, &pairs, level)
		if err != nil {
			return nil, err
		}
		list = append(list, difference{id, r.inUnit(shift), differs})
	}
	return list, nil
}

// jointDifferences returns the difference of each classifier from the best classifier, with
// simultaneous intervals. They are from the joint test that a table of the same cells uses.
func (r *request) jointDifferences(
	cell *records.Cell, ids []string, paired verdicts.Paired,
) (list []difference, err error) {
	set, err := verdicts.Best(cell, verdicts.BestOptions{Metric: r.measure.Metric, Family: ids, Paired: paired,
		Alpha: r.Alpha, Correction: r.Adjustment(), AllPairs: true, Joint: true})
	if err != nil {
		return nil, err
	}
	for _, q := range set.Comparisons {
		// q.Shift is the loss of the best classifier minus the loss of the other; the figure shows the opposite.
		list = append(list, difference{q.Other, r.inUnit(q.Shift.Times(-1)), q.Worse || q.Better})
	}
	return list, nil
}

// inUnit converts a difference in loss to the unit of the measure. The sign changes if larger values are better.
func (r *request) inUnit(s stats.Shift) stats.Shift {
	if r.measure.Metric.Higher {
		return s.Times(-r.measure.Scale)
	}
	return s.Times(r.measure.Scale)
}

// differenceFacts returns the facts that the caption states, except for the marks. The figure compares the given
// classifiers.
func (r *request) differenceFacts(compared []string, list []comparedPanel) captionFacts {
	var leftOut [][]string // leftOut[i]: classifiers that panel i omits
	var results view.Range // numbers of results of the compared classifiers
	for _, p := range list {
		leftOut = append(leftOut, p.leftOut)
		results.Add(p.results.Least)
		results.Add(p.results.Most)
	}
	tested := r.testedPanels(compared, list)
	pooling := []string{
		r.PoolingSentence(r.eachPanel(), r.panels, r.measure, compared),
		r.pooledTestsSentence(tested),
		r.AddedCountsSentence(r.panels, r.measure),
		r.LeftOutResults(r.panels, r.measure, r.allCompared()),
	}
	facts := captionFacts{
		"Difference":  r.measure.DifferenceTitle(),
		"Larger":      r.measure.LargerIsBetter(),
		"Pooling":     strings.Join(pooling, " "),
		"Failed":      r.FailedFitsSentence("Comparisons", r.pageCells, r.allCompared()),
		"Champion":    r.Label(r.options.Champion),
		"Replication": r.ResultWords(results, r.panels),
		"Partial": r.PartialSentence("Not compared", r.panels, leftOut) + " " +
			r.UndefinedSentence("Not shown", r.panels, r.measure, compared),
	}
	maps.Copy(facts, r.intervalFacts(tested))
	return facts
}

// testedPanels returns the panels with tests, which the caption describes. If no panel has tests, it returns panels
// that compare all given classifiers.
func (r *request) testedPanels(compared []string, list []comparedPanel) []comparedPanel {
	tested := view.Without(list, func(p comparedPanel) bool { return !r.hasTests(&p) })
	if len(tested) > 0 {
		return tested
	}
	return stats.Map(r.panels, func(g view.Group) comparedPanel {
		return comparedPanel{group: g, compared: compared}
	})
}

// pooledTestsSentence returns view.TestsOfPooledCells if this sentence applies to any of the given panels, and
// otherwise "".
func (r *request) pooledTestsSentence(tested []comparedPanel) string {
	hasErrorWithinCells := func(p comparedPanel) bool { return r.HasErrorWithinCells(p.group, r.measure) }
	if slices.ContainsFunc(tested, hasErrorWithinCells) {
		return view.TestsOfPooledCells
	}
	return ""
}

// intervalFacts returns the caption's facts about the intervals in the given panels and their tests.
func (r *request) intervalFacts(tested []comparedPanel) captionFacts {
	var comparisons view.Range                 // in a panel
	var jointPanels, pairedPanels []view.Group // panels with a joint test, and panels with paired tests
	for _, p := range tested {
		comparisons.Add(r.comparisons(len(p.compared)))
		if r.usesJointTest(len(p.compared)) {
			jointPanels = append(jointPanels, p.group)
		} else {
			pairedPanels = append(pairedPanels, p.group)
		}
	}
	return captionFacts{
		// JointLabel names the joint tests of all pairs. Estimates names the quantities that paired tests
		// estimate. Each is "" if there are no such tests.
		"JointLabel": r.TestLabels(jointPanels, view.JointTests),
		"Estimates":  r.Estimates(pairedPanels, view.PairedTests),
		"AllPairs":   r.AllPairs() && r.options.Champion == "", // the level holds for all pairs of a panel
		"Level":      fmt.Sprintf("%.3g%%", 100*(1-r.Alpha)),
		// Nominal is true if the level does not allow for the choice of the best classifier from the same
		// data.
		"Nominal":     r.Nominal(r.options.Champion, comparisons.Most),
		"Comparisons": comparisons,
	}
}

// comparisons returns the number of simultaneous intervals in a panel with k classifiers.
func (r *request) comparisons(k int) int {
	if r.options.Champion != "" {
		return k - 1 // one for each rival of the champion
	}
	return r.Comparisons(k)
}

// isFilled reports whether the marker of the difference is filled. The test decides, because an interval can end
// exactly at 0 although the test rejects equality.
func (x *difference) isFilled() bool { return x.Level > 0 && x.differs }

// differenceMarks records which kinds of marks occur on a page. The legend and the caption explain only these.
type differenceMarks struct {
	ExcludeZero, ContainZero bool // filled and hollow dots with an interval
	ReachZero                bool // filled dots with an interval that ends at 0 or contains it
	NoInterval               bool // hollow dots alone
}

func (m differenceMarks) HasIntervals() bool { return m.ExcludeZero || m.ContainZero }

// marksOf returns the kinds of marks that show the given differences.
func marksOf(all []difference) (m differenceMarks) {
	for _, x := range all {
		switch {
		case x.Level == 0:
			m.NoInterval = true
		case x.isFilled():
			m.ExcludeZero = true
			m.ReachZero = m.ReachZero || x.Low <= 0 && x.High >= 0
		default:
			m.ContainZero = true
		}
	}
	return m
}

func (m differenceMarks) legend() (legend canvas.Legend) {
	const hollow, withInterval = true, true
	if m.ExcludeZero {
		words := "interval excludes 0"
		if m.ReachZero { // see isFilled
			words = "test rejects a difference of 0"
		}
		legend.Add(words, sketchEstimate(!hollow, withInterval))
	}
	if m.ContainZero {
		legend.Add("interval contains 0", sketchEstimate(hollow, withInterval))
	}
	if m.NoInterval {
		legend.Add("no interval: too few pairs, or all differences equal", sketchEstimate(hollow, !withInterval))
	}
	return legend
}

// sketchEstimate returns a function that draws the symbol of an estimate, with or without an interval.
func sketchEstimate(hollow, interval bool) canvas.Sketch {
	return func(c draw.Canvas, at vg.Point) {
		if interval {
			sketchLine(c, at, canvas.Line(canvas.DarkGrey, 1.1))
		}
		paintEstimate(c, at, canvas.DarkGrey, hollow)
	}
}

// differenceRow returns a row that shows a difference as a dot, with its confidence interval.
func (r *request) differenceRow(x *difference) row {
	digits, clr := r.measure.Digits(x.Estimate), Colour(r.View, x.id)
	hover := []string{r.measure.DifferenceTitle() + ": " + sheet.Signed(x.Estimate, digits)}
	if x.Level > 0 {
		hover = append(hover, "interval: "+sheet.Signed(x.Low, digits)+" to "+sheet.Signed(x.High, digits))
	}
	return row{id: x.id, values: []float64{x.Low, x.High, x.Estimate}, hover: hover,
		draw: func(c rowCanvas) {
			if x.Level > 0 {
				c.line(canvas.Line(clr, 1.3), x.Low, x.High)
			}
			paintEstimate(c.Canvas, c.at(x.Estimate), clr, !x.isFilled())
		}}
}

// paintEstimate draws the dot of an estimate, either filled or hollow (see isFilled).
func paintEstimate(c draw.Canvas, at vg.Point, clr color.Color, hollow bool) {
	dot := draw.GlyphStyle{Color: clr, Radius: 2.4, Shape: draw.CircleGlyph{}}
	c.DrawGlyphNoClip(dot, at)
	if hollow {
		dot.Color, dot.Radius = color.White, 1.4
		c.DrawGlyphNoClip(dot, at)
	}
}

// differenceFamily describes the hypotheses that the panel of group g tests, one for each interval.
func (r *request) differenceFamily(g *view.Group, compared []string) view.Family {
	n := r.comparisons(len(compared))
	baseline := "the method with the best mean in the panel"
	if r.options.Champion != "" {
		baseline = r.Label(r.options.Champion)
	}
	joint := r.usesJointTest(len(compared))
	correction := "Bonferroni" // for paired tests
	if joint {
		correction = "over all pairs" // one test covers all pairs
	}
	level := "level"
	if r.Nominal(r.options.Champion, n) {
		// The best classifier is chosen on the same data. The correction ignores this choice, so false
		// rejections can be more frequent than the level allows.
		level = "nominal level"
	}
	panel := []view.Group{*g}
	return view.Family{
		Measure: r.measure.Name, Members: compared, Unit: "panel", Hypotheses: n,
		Level: fmt.Sprintf("simultaneous %s %.3g%%, %s", level, 100*(1-r.Alpha), correction),
		Compares: fmt.Sprintf("The %s on paired %s estimates how far every other method is from %s, with a confidence "+
			"interval.", r.Estimates(panel, joint), r.UnitNoun(panel), baseline),
	}
}
