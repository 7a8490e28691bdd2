package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
)

// A rankPanel contains the mean ranks of the classifiers in one panel. The means are over blocks, which are
// groups of cells that tests treat as independent.
type rankPanel struct {
	title              string
	blockKey           string // factors or data that the cells of a block share; "" if blocks are dependent
	blocks             string // "9 blocks", or "9 cells" if blocks are dependent
	whyUntested        string // reason for a table instead of a diagram; "" if the ranks are tested
	blockCount         int
	omittedBlocks      []string // each with the reason
	omittedCells       []string // of the other blocks
	ranks              stats.FriedmanResult
	cliques            [][]int // cliques[b] lists the classifiers that bar b joins, best first
	stability          string  // sentence on how often each classifier ranks first in resampled data
	criticalDifference float64 // Nemenyi's critical difference; NaN for pairwise tests

	// unjoined lists pairs whose ranks do not differ significantly although no bar joins them. Such a bar would
	// also join classifiers that differ.
	unjoined [][2]int
}

// Reasons not to test the ranks in a panel, as in the caption.
const (
	tooFew     = "there are too few blocks for any difference to be significant"
	dependent  = "all cells have the same generator or data set and are not independent blocks"
	onTraining = "results on training rows do not measure the accuracy on new rows"
)

// A rankChart is a page of critical-difference diagrams (Demšar 2006, Fig. 1). Bars join classifiers whose mean
// ranks do not differ significantly.
type rankChart struct {
	*request
	panels.Page
	ids      []string
	unranked []string // classifiers with too many failed or undefined results
	partial  []string // classifiers that ran on only part of the data
	nemenyi  bool
	contents []rankPanel
	nameLine vg.Length // distance between names beside a diagram
}

// rankPage draws a critical-difference diagram for each panel, or a table of mean ranks if no test is possible
// there.
func rankPage(r *request) (*drawnPage, error) {
	d := rankChart{request: r, Page: r.emptyPage(), nemenyi: r.options.Cliques == "nemenyi"}
	d.ids, d.unranked, d.partial = r.selectRanked()
	if len(d.ids) < 2 || !r.measure.OfPredictions() {
		return nil, fmt.Errorf("ranks need at least two classifiers and a metric that is computed from "+
			"predictions: the metric is %s and the family has %d", r.measure.Name, len(d.ids))
	}
	var families []view.Family
	for i := range r.panels {
		panel, err := d.newPanel(&r.panels[i])
		if err != nil {
			return nil, err
		}
		d.contents = append(d.contents, panel)
		d.Titles = append(d.Titles, panel.heading(len(d.ids)))
		if panel.whyUntested == "" {
			families = append(families, d.family(&panel))
		}
	}
	d.layOut()
	return r.captioned(&d.Page, d.captionFacts(), families...), nil
}

// selectRanked divides the compared classifiers into ranked and unranked ones (see View.SelectRanked). If fewer
// than two would be ranked, it ranks all of them.
func (r *request) selectRanked() (ranked, unranked, partial []string) {
	compared := r.Compared(r.measure, r.classifiers)
	if ranked, unranked, partial = r.SelectRanked(r.pageCells, r.measure, compared); len(ranked) < 2 {
		return compared, nil, nil
	}
	return ranked, unranked, partial
}

// newPanel computes the mean ranks in one panel. If tests are possible, it also finds cliques.
func (d *rankChart) newPanel(g *view.Group) (p rankPanel, err error) {
	// losses[b][k] is the mean loss of classifier d.ids[k] in block b.
	losses, omittedBlocks, omittedCells := d.BlockLosses(g.Cells, d.measure, d.ids)
	p = rankPanel{
		title:              d.panelTitle(g),
		blockKey:           d.BlockKey(g.Cells),
		blocks:             d.BlockWords(g.Cells, len(losses)),
		whyUntested:        d.whyUntested(g, len(losses)),
		blockCount:         len(losses),
		omittedBlocks:      omittedBlocks,
		omittedCells:       omittedCells,
		criticalDifference: math.NaN(),
	}
	if len(losses) == 0 {
		return p, nil
	}
	if p.stability, err = d.StabilitySentence(g.Cells, d.measure, d.ids); err != nil {
		return p, err
	}
	err = d.rank(&p, losses)
	return p, err
}

// whyUntested returns the reason why the ranks over the given number of blocks cannot be tested, or "".
func (d *rankChart) whyUntested(g *view.Group, blocks int) string {
	if d.ScoresTraining(*g) {
		return onTraining
	}
	if d.BlockKey(g.Cells) == "" {
		return dependent
	}
	// Nemenyi's test needs no minimum: with too few blocks, its critical difference exceeds all differences.
	if !d.nemenyi && blocks < LeastBlocks(len(d.ids), d.Alpha) {
		return tooFew
	}
	return ""
}

// rank sets the mean ranks of the panel p and, unless p.whyUntested is set, the results of the test. losses[b][k]
// is the loss of classifier d.ids[k] in block b.
func (d *rankChart) rank(p *rankPanel, losses [][]float64) error {
	if p.whyUntested != "" {
		ranks, err := stats.Friedman(losses)
		p.ranks = ranks
		return err
	}
	if d.nemenyi {
		result, err := stats.Nemenyi(losses, d.Alpha)
		p.ranks, p.cliques = result.FriedmanResult, result.Groups
		p.criticalDifference = result.CD
		return err
	}
	result, err := stats.WilcoxonHolm(losses, d.Alpha)
	p.ranks, p.cliques = result.FriedmanResult, result.Groups
	p.unjoined = result.Unjoined // always empty for Nemenyi's test
	return err
}

// family describes the hypotheses that a panel tests, one for each pair of classifiers.
func (d *rankChart) family(p *rankPanel) view.Family {
	f := view.Family{Measure: d.measure.Name, Members: d.ids, Unit: "panel", Hypotheses: view.Pairs(len(d.ids))}
	blocks := "blocks of the panel"
	if len(d.options.Panel) == 0 && len(d.options.Page) == 0 {
		blocks = p.blocks
	}
	if d.nemenyi {
		f.Compares = fmt.Sprintf("Each pair of classifiers is compared by Nemenyi's test on the average ranks over "+
			"the %s in which all classifiers ran.", blocks)
		f.Level = fmt.Sprintf("family-wise level %s, by Nemenyi's test", view.Number(d.Alpha))
	} else {
		f.Compares = fmt.Sprintf("Each pair of classifiers is compared by a two-sided Wilcoxon signed-rank test on "+
			"the means of the %s in which all classifiers ran.", blocks)
		f.Level = fmt.Sprintf("family-wise level %s, Holm", view.Number(d.Alpha))
		f.LeastResults = fmt.Sprintf("%d blocks", LeastBlocks(len(d.ids), d.Alpha))
	}
	f.Compares += fmt.Sprintf(" A block contains the cells with the same %s; cells on the same data count as one. "+
		"Friedman's test compares all classifiers.", p.blockKey)
	return f
}

// LeastBlocks returns the smallest number of blocks with which the ranks of k classifiers can differ
// significantly in signed-rank tests of all pairs at the given family-wise level. Holm's method
// compares the smallest p-value with this level divided by the number of pairs.
func LeastBlocks(k int, level float64) int {
	const from = 1
	return stats.SignedRankTest().Needed(from, level/float64(view.Pairs(k)), stats.TwoSided)
}

// heading returns the title of a panel with k classifiers: "n = 200 – 9 blocks, Friedman p = 0.012 (1 left
// out)".
func (p *rankPanel) heading(k int) string {
	words := p.blocks
	if p.whyUntested == "" {
		words += ", Friedman p " + sheet.PValue(p.ranks.P)
	}
	if len(p.omittedBlocks) > 0 {
		words += fmt.Sprintf(" (%d left out)", len(p.omittedBlocks))
	}
	if p.blockCount == 0 {
		words = fmt.Sprintf("no cell has results for all %d classifiers", k)
	}
	return joinNonEmpty(" – ", p.title, words)
}

// captionFacts returns the facts that the caption states about all panels together.
func (d *rankChart) captionFacts() captionFacts {
	var unjoinedPairs, omitted, stability []string
	isTested := false            // some panel is tested
	reasons := map[string]bool{} // reasons why other panels are not tested
	for i := range d.contents {
		p := &d.contents[i]
		if p.whyUntested == "" {
			isTested = true
		} else {
			reasons[p.whyUntested] = true
		}
		unjoinedPairs = append(unjoinedPairs, d.unjoinedWords(p)...)
		omitted = append(omitted, p.withTitle(p.omittedSentences()))
		stability = append(stability, p.withTitle(p.stability))
	}
	doesNotOccur := func(reason string) bool { return !reasons[reason] }
	// The caption counts missing results of all other classifiers, even of those without any value of the measure.
	counted := view.Except(d.allCompared(), slices.Concat(d.unranked, d.partial)...)
	return captionFacts{
		"Blocks":    view.DistinctWords(d.contents, func(p rankPanel) string { return p.blocks }),
		"By":        view.DistinctWords(d.contents, func(p rankPanel) string { return p.blockKey }),
		"Nemenyi":   d.nemenyi,
		"Tested":    isTested,
		"Untested":  view.Without([]string{tooFew, dependent, onTraining}, doesNotOccur),
		"Level":     view.Number(d.Alpha),
		"Pairs":     view.Pairs(len(d.ids)),
		"Unjoined":  strings.Join(unjoinedPairs, "; "), // pairs that no bar joins although they do not differ
		"Omitted":   strings.Join(omitted, " "),        // blocks and cells
		"Unranked":  strings.Join(d.NotRankedSentences(d.unranked, d.partial), " "),
		"Undefined": d.LeftOutResults(view.SingleCellGroups(d.pageCells), d.measure, counted),
		"Failed":    d.FailedRanksSentence(d.pageCells, d.measure, d.ids),
		"Stable":    strings.Join(stability, " "),
	}
}

// omittedSentences describes the blocks and cells that the ranks omit because a result is missing.
func (p *rankPanel) omittedSentences() string {
	noun := "block"
	if p.blockKey == "" {
		noun = "cell" // there are no independent blocks
	}
	return view.LeftOutSentence(p.omittedBlocks, noun) + view.LeftOutSentence(p.omittedCells, "cell")
}

// unjoinedWords names the pairs in p.unjoined. If there are several panels, it adds the panel's title, as in
// "SLB and NB (n = 200)".
func (d *rankChart) unjoinedWords(p *rankPanel) (pairs []string) {
	for _, pair := range p.unjoined {
		words := d.Label(d.ids[pair[0]]) + " and " + d.Label(d.ids[pair[1]])
		if p.title != "" { // several panels
			words += " (" + p.title + ")"
		}
		pairs = append(pairs, words)
	}
	return pairs
}

// withTitle returns the panel's title and the sentence, as in "n = 200: ...", or "" if the sentence is "".
func (p *rankPanel) withTitle(sentence string) string {
	if sentence == "" {
		return ""
	}
	return joinNonEmpty(": ", p.title, strings.TrimSpace(sentence))
}

// Distances in a critical-difference diagram, in points.
const (
	rankLine  = vg.Length(12) // between names of one line
	rankBar   = vg.Length(5)  // between bars
	rankTop   = vg.Length(29) // from the top to the axis
	rankGap   = vg.Length(6)  // from the axis to the first bar
	rankWidth = vg.Length(36) // width of a mean rank and the line from the axis to it
)

// layOut sets the axes, the space for names beside each diagram, and the height of the tallest diagram or table.
func (d *rankChart) layOut() {
	d.X = panels.Scale{Hidden: true, Ranges: panels.OneRange(1, float64(len(d.ids)))}
	d.Y = panels.Scale{Hidden: true, Ranges: panels.OneRange(0, 1)}
	d.DrawMarks = d.drawDiagram
	if d.options.PerRow == 0 {
		d.PerRow = 1
	}
	// Names first: they take width from the panels, and a narrower panel may need more lines of title.
	d.nameLine = rankLineHeight(d.fitRankNames())
	mostBars := 0
	for _, p := range d.contents {
		mostBars = max(mostBars, len(p.cliques))
	}
	for _, p := range d.contents {
		d.Height = max(d.Height, d.panelHeight(&p, mostBars))
	}
}

// fitRankNames makes room for the names: on both sides of diagrams, but only to the left of tables. It returns
// the largest number of lines of a name.
func (d *rankChart) fitRankNames() (mostLines int) {
	names := d.LabelList(d.ids)
	isDiagram := func(p rankPanel) bool { return p.whyUntested == "" }
	if slices.ContainsFunc(d.contents, isDiagram) {
		const legibleAxis = 120 // points
		return d.FitNames(names, panels.BothSides, legibleAxis, func(width vg.Length) {
			d.Room.Left = width + rankWidth
			d.Room.Right = d.Room.Left
		})
	}
	return d.FitNames(names, panels.OneSide, panels.LegibleWidth, func(width vg.Length) {
		d.Room.Left = width + rankWidth
	})
}

// panelHeight returns the height of a diagram with the given number of bars or, without tests, of a table.
func (d *rankChart) panelHeight(p *rankPanel, bars int) vg.Length {
	const rim = 6
	if p.whyUntested != "" {
		height := d.HeadHeight() + rankLine*2 + rim
		for _, id := range d.ids {
			height += rankLineHeight(canvas.Lines(d.name(id)))
		}
		return height
	}
	names := vg.Length((len(d.ids) + 1) / 2)
	return d.HeadHeight() + rankTop + rankGap + rankBar*vg.Length(bars) + d.nameLine*names + rim
}

func (d *rankChart) name(id string) string { return d.Page.Name(d.Label(id)) }

// rankLineHeight returns the height of a name with the given number of lines, including the gap to the next
// name.
func rankLineHeight(lines int) vg.Length { return rankLine + canvas.TickSize*vg.Length(lines-1) }

var rankAxis = canvas.Line(canvas.Black, 0.7)

// drawDiagram draws panel i: the critical difference, the axis, the bars and the names, or a table of untested
// ranks.
func (d *rankChart) drawDiagram(c draw.Canvas, p *plot.Plot, i int) {
	panel := &d.contents[i]
	switch {
	case panel.blockCount == 0:
		return
	case panel.whyUntested != "":
		d.writeTable(c, panel.ranks.MeanRanks)
		return
	}
	const cdAbove, nameGap = 20, 4 // distances from the axis and from the bars
	axis := rowCanvas{c, func(rank float64) vg.Length { return c.X(p.X.Norm(rank)) }, c.Max.Y - rankTop}
	d.drawAxis(axis)
	if !math.IsNaN(panel.criticalDifference) { // NaN for pairwise tests
		d.drawCD(rowCanvas{c, axis.x, axis.y + cdAbove}, panel.criticalDifference)
	}
	belowBars := panel.drawBars(axis)
	d.writeNames(axis, panel.ranks.MeanRanks, belowBars-nameGap)
}

// drawBars draws the bars below the axis, one for each clique, and returns the height just below the last bar.
func (p *rankPanel) drawBars(axis rowCanvas) vg.Length {
	y := axis.y - rankGap
	thick := canvas.Line(canvas.Black, 2.4)
	for _, group := range p.cliques {
		best, worst := p.ranks.MeanRanks[group[0]], p.ranks.MeanRanks[group[len(group)-1]]
		axis.StrokeLine2(thick, axis.x(best)-2, y, axis.x(worst)+2, y)
		y -= rankBar
	}
	return y
}

// writeTable writes a table of the classifiers and their mean ranks, starting with the best. ranks[i] is the
// mean rank of classifier d.ids[i].
func (d *rankChart) writeTable(c draw.Canvas, ranks []float64) {
	const numberColumn = 80 // wide enough for the head of the column
	names, numbers := canvas.TickText(), canvas.TickText()
	numbers.XAlign = draw.XRight
	left := c.Min.X - d.Room.Left
	// The longest name ends at the distance rankWidth to the left of the data (see fitRankNames). The
	// column of ranks begins there.
	namesEnd := left + d.Room.Left - rankWidth
	right := namesEnd + numberColumn
	y := c.Max.Y - rankLine
	canvas.WriteText(c, names, left, y, "classifier")
	canvas.WriteText(c, numbers, right, y, "average rank")
	y -= rankLine / 2
	c.StrokeLine2(rankAxis, left, y, right, y)
	y -= rankLine / 2
	for _, i := range stats.Ascending(ranks) {
		name := d.name(d.ids[i])
		half := rankLineHeight(canvas.Lines(name)) / 2
		y -= half
		canvas.WriteText(c, names, left, y, name)
		canvas.WriteText(c, numbers, right, y, sheet.Fixed(ranks[i], 2))
		y -= half
	}
}

// drawAxis draws the axis of ranks. It omits numbers that would touch the previous number.
func (d *rankChart) drawAxis(axis rowCanvas) {
	const gap = 4 // between numbers
	sty := canvas.TickText()
	sty.XAlign = draw.XCenter
	k := len(d.ids)
	axis.line(rankAxis, 1, float64(k))
	lastEnd := vg.Length(math.Inf(-1))
	for rank := 1; rank <= k; rank++ {
		x, number := axis.x(float64(rank)), strconv.Itoa(rank)
		axis.StrokeLine2(rankAxis, x, axis.y, x, axis.y+4)
		half := (sty.Width(number) + gap) / 2
		if x-half >= lastEnd {
			axis.FillText(sty, vg.Point{X: x, Y: axis.y + 5}, number)
			lastEnd = x + half
		}
	}
}

// drawCD draws the critical difference cd as a line from rank 1 to rank 1+cd. It writes only the number if the
// line would be longer than the axis.
func (d *rankChart) drawCD(c rowCanvas, cd float64) {
	words := canvas.TickText()
	from, to := c.at(1), c.at(1+cd)
	if cd > float64(len(d.ids)-1) {
		canvas.WriteText(c.Canvas, words, from.X, from.Y, fmt.Sprintf("CD %.2f (wider than the axis)", cd))
		return
	}
	c.line(rankAxis, 1, 1+cd)
	for _, end := range []vg.Point{from, to} {
		c.StrokeLine2(rankAxis, end.X, end.Y-2, end.X, end.Y+2)
	}
	canvas.WriteText(c.Canvas, words, to.X+4, to.Y, fmt.Sprintf("CD %.2f", cd))
}

// writeNames writes the better half of the names on the left of the diagram, best first, and the others on the
// right, worst first. The argument top is the height of the first line.
func (d *rankChart) writeNames(axis rowCanvas, ranks []float64, top vg.Length) {
	order := stats.Ascending(ranks)
	left := (len(order) + 1) / 2 // number of names on the left
	top -= (d.nameLine - rankLine) / 2
	for place, i := range order {
		line, align := place, draw.XRight
		if place >= left {
			line, align = len(order)-1-place, draw.XLeft // from the worst
		}
		d.writeName(axis, i, ranks[i], top-d.nameLine*vg.Length(line), align)
	}
}

// writeName writes the rank and the name of classifier i at height y, beside the panel. If align is XRight, they
// are on the left. A line joins them to the axis.
func (d *rankChart) writeName(axis rowCanvas, i int, rank float64, y vg.Length, align text.XAlignment) {
	const (
		lineEnd    = vg.Length(6) // distance from the panel to the end of the line
		beforeRank = lineEnd + 3  // distance from the panel to the rank
		nameSpace  = 4            // gap before the name
		widestRank = "00.00"
	)
	nameStyle := canvas.TickText()
	nameStyle.XAlign = align
	rankStyle := nameStyle
	rankStyle.Color = canvas.DarkGrey
	edge, outwards := axis.Max.X, vg.Length(1) // outwards is 1 on the right and -1 on the left
	if align == draw.XRight {
		edge, outwards = axis.Min.X, -1
	}
	outside := func(distance vg.Length) vg.Length { return edge + outwards*distance }
	start := axis.at(rank)
	canvas.Annotate(axis.Canvas, canvas.Annotation{Series: d.ids[i]}, func() {
		axis.StrokeLines(rankAxis, []vg.Point{start, {X: start.X, Y: y}, {X: outside(lineEnd), Y: y}})
		canvas.WriteText(axis.Canvas, rankStyle, outside(beforeRank), y, sheet.Fixed(rank, 2))
		beforeName := beforeRank + nameSpace + rankStyle.Width(widestRank)
		canvas.WriteText(axis.Canvas, nameStyle, outside(beforeName), y, d.name(d.ids[i]))
	})
}
