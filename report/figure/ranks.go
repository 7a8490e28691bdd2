package figure

import (
	"cmp"
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
	"copse/stats/records"
)

// A rankPanel contains the mean ranks of the classifiers in one panel. They are means over blocks,
// i.e. groups of cells (combinations of factor levels) that the tests treat as independent.
type rankPanel struct {
	title  string
	by     []string // factors whose levels define the blocks; nil: there are no independent blocks
	plain  bool     // a table of the mean ranks replaces the diagram, because nothing is tested
	blocks int      // number of blocks (of cells, if by is nil) in which every classifier has a result
	left   []string // the cells that are left out, with the reason
	ranks  stats.FriedmanResult
	groups [][]int  // each element lists the classifiers that one bar joins, best first
	apart  [][2]int // pairs that the tests do not distinguish and that no bar can join
	stable string   // sentence on how often each classifier ranks first in resampled data
	cd     float64  // Nemenyi's critical difference; NaN for pairwise tests
}

// A rankChart is a page of critical-difference diagrams (Demšar 2006, Fig. 1). A diagram shows the
// mean ranks on a line, and bars that join classifiers which the tests do not distinguish.
type rankChart struct {
	*request
	panels.Page
	ids      []string
	nemenyi  bool
	contents []rankPanel
}

// rankPage draws one page of this kind of figure: a critical-difference diagram, or a table of mean
// ranks, for each group of cells.
func rankPage(r *request, page view.Group) (drawn, error) {
	d := rankChart{request: r, Page: r.page(), ids: r.rankedIn(page.Cells), nemenyi: r.o.Cliques == "nemenyi"}
	if len(d.ids) < 2 || !r.measure.IsRate {
		return drawn{}, fmt.Errorf("ranks need a metric of predictions and at least two classifiers: the metric is "+
			"%s and the family has %d", r.measure.Name, len(d.ids))
	}
	groups, err := r.Groups(page.Cells, r.o.Panel)
	if err != nil {
		return drawn{}, err
	}
	var families []view.Family
	for i := range groups {
		panel, err := d.rank(&groups[i])
		if err != nil {
			return drawn{}, err
		}
		d.contents = append(d.contents, panel)
		d.Titles = append(d.Titles, d.heading(&panel))
		families = append(families, d.families(&groups[i])...)
	}
	d.fit()
	return drawn{d.Picture(r.caption(&d.Page, d.facts(page))), families}, nil
}

// rankedIn returns the classifiers that can be ranked because they have results in the same cells.
// If there are fewer than two, it returns all classifiers of the family.
func (r *request) rankedIn(cells []records.Cell) []string {
	compared := r.Compared(r.measure, r.columns)
	if ranked, _ := r.Ranked(cells, compared); len(ranked) > 1 {
		return ranked
	}
	return compared
}

// rank computes the mean ranks of one panel and, unless the panel is plain, groups the classifiers
// that the tests do not distinguish.
func (d *rankChart) rank(g *view.Group) (rankPanel, error) {
	blocks, left := d.Blocks(g.Cells, d.measure, d.ids)
	panel := rankPanel{title: d.panelTitle(g), by: d.BlockFactors(g.Cells), blocks: len(blocks), left: left,
		cd: math.NaN()}
	panel.plain = !d.tests(panel.by, len(blocks))
	if len(blocks) == 0 {
		return panel, nil
	}
	var err error
	if panel.stable, err = d.Stability(g.Cells, d.measure, d.ids); err != nil {
		return panel, err
	}
	switch {
	case panel.plain:
		result, err := stats.Friedman(blocks)
		panel.ranks = result
		return panel, err
	case d.nemenyi:
		result, err := stats.Nemenyi(blocks, d.Alpha)
		panel.ranks, panel.groups, panel.cd = result.FriedmanResult, result.Groups, result.CD
		return panel, err
	}
	result, err := stats.WilcoxonHolm(blocks, d.Alpha)
	panel.ranks, panel.groups, panel.apart = result.FriedmanResult, result.Groups, result.Apart
	return panel, err
}

// tests reports whether ranks over so many blocks are tested. They are not if the cells are not
// independent (by is nil), or if there are too few blocks for any difference to be significant.
func (d *rankChart) tests(by []string, blocks int) bool {
	return by != nil && (d.nemenyi || RanksCanDiffer(blocks, len(d.ids), d.Alpha))
}

// byRank returns the indices of the classifiers from the best (smallest) mean rank to the worst.
func byRank(meanRanks []float64) []int {
	order := make([]int, len(meanRanks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(meanRanks[a], meanRanks[b]) })
	return order
}

// RanksCanDiffer reports whether k classifiers on so many blocks can ever differ significantly.
// That is the case if the smallest possible p-value of a signed-rank test does not exceed the first
// level of Holm's method for all pairs.
func RanksCanDiffer(blocks, k int, level float64) bool {
	return stats.Tests[0].MinP(blocks, stats.TwoSided) <= level/float64(view.Pairs(k))
}

// counted returns the number of blocks in words, "9 blocks". It returns "9 cells" if the cells are
// not independent.
func (p *rankPanel) counted() string {
	if p.by == nil {
		return view.Plural(p.blocks, "cell", "cells")
	}
	return view.Plural(p.blocks, "block", "blocks")
}

// heading returns the title of a panel: "n = 200 – 9 blocks, Friedman p 0.01 (1 cell left out)".
func (d *rankChart) heading(p *rankPanel) string {
	if p.blocks == 0 {
		return p.titled(fmt.Sprintf("no cell has results of all %d classifiers", len(d.ids)), " – ")
	}
	words := p.counted()
	if !p.plain {
		words += ", Friedman p " + sheet.PValue(p.ranks.P)
	}
	if len(p.left) > 0 {
		words += fmt.Sprintf(" (%s left out)", view.Plural(len(p.left), "cell", "cells"))
	}
	return p.titled(words, " – ")
}

// titled returns words after the title of the panel, if it has one, and a separator.
func (p *rankPanel) titled(words, separator string) string {
	if p.title == "" {
		return words
	}
	return p.title + separator + words
}

// facts returns what the caption of a page of critical-difference diagrams states.
func (d *rankChart) facts(page view.Group) facts {
	var blocks, by, apart, left, stable []string
	var tested, dependent, few bool
	for i := range d.contents {
		p := &d.contents[i]
		tested = tested || !p.plain
		dependent = dependent || p.by == nil
		few = few || p.plain && p.by != nil
		blocks = append(blocks, p.counted())
		apart = append(apart, d.apartWords(p)...)
		left = append(left, p.sentences(view.LeftOut(p.left))...)
		stable = append(stable, p.sentences(p.stable)...)
		for _, label := range d.factorLabels(p.by) {
			by = addOnce(by, label)
		}
	}
	return facts{"Metric": d.measure.Name, "Blocks": strings.Join(blocks, ", "), "Nemenyi": d.nemenyi,
		"By": strings.Join(by, " and "), "Tested": tested, "Dependent": dependent, "Few": few,
		"Level": view.Number(d.Alpha), "Pairs": view.Plural(view.Pairs(len(d.ids)), "pair", "pairs"),
		"Apart": strings.Join(apart, "; "), "Left": left, "Failed": d.FailedRanks(page.Cells, d.measure, d.ids),
		"Stable": strings.Join(stable, " ")}
}

// apartWords returns the names of the pairs in p.apart, "SLB and NB (n = 200)", for the caption.
func (d *rankChart) apartWords(p *rankPanel) (pairs []string) {
	for _, pair := range p.apart {
		words := d.Label(d.ids[pair[0]]) + " and " + d.Label(d.ids[pair[1]])
		if p.title != "" { // several panels
			words += " (" + p.title + ")"
		}
		pairs = append(pairs, words)
	}
	return pairs
}

// sentences returns a list of one sentence about the panel, after the title of the panel. It returns
// nil if the sentence is empty.
func (p *rankPanel) sentences(sentence string) []string {
	if sentence == "" {
		return nil
	}
	if p.title == "" {
		return []string{sentence}
	}
	return []string{view.Capital(p.title) + ": " + strings.TrimSpace(sentence)}
}

// Distances in a diagram, in points: from one name to the next, from one bar to the next, from the
// top to the axis, and from the axis to the first bar.
const rankLine, rankBar, rankTop, rankGap = vg.Length(12), vg.Length(5), vg.Length(29), vg.Length(6)

// rankWidth is the width for a mean rank beside the name of a classifier, and for the line that
// leads to it.
const rankWidth = vg.Length(36)

// fit makes room for the names at both sides of the axis, and for the bars below it. An axis is at
// least leastAxis points long. All panels get the height that the highest diagram or table needs.
func (d *rankChart) fit() {
	const leastAxis = 120
	longest := vg.Length(0)
	for _, id := range d.ids {
		longest = max(longest, canvas.Text(canvas.TickSize).Width(d.Label(id)))
	}
	bars := 0
	for _, p := range d.contents {
		bars = max(bars, len(p.groups))
	}
	d.X = panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 1, High: float64(len(d.ids))}}}
	d.Y = panels.Scale{Hidden: true, Spans: []panels.Span{{Low: 0, High: 1}}}
	d.Room.Left, d.Room.Right, d.Marks = longest+rankWidth, longest+rankWidth, d.diagram
	if d.o.PerRow == 0 {
		d.PerRow = 1
	}
	d.FitWidth(leastAxis) // the height of titles depends on the width of panels
	for _, p := range d.contents {
		d.Height = max(d.Height, d.panelHeight(&p, bars))
	}
}

// panelHeight returns the height of a diagram with so many bars. For a plain panel, it returns the
// height of the table of mean ranks.
func (d *rankChart) panelHeight(p *rankPanel, bars int) vg.Length {
	const rim = 6
	if p.plain {
		return d.HeadHeight() + rankLine*vg.Length(len(d.ids)+2) + rim
	}
	names := vg.Length((len(d.ids) + 1) / 2)
	return d.HeadHeight() + rankTop + rankGap + rankBar*vg.Length(bars) + rankLine*names + rim
}

var rankAxis = draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.7)}

// diagram draws panel i. From top to bottom it shows the critical difference, the axis, the bars
// and the names.
func (d *rankChart) diagram(c draw.Canvas, p *plot.Plot, i int) {
	panel := &d.contents[i]
	switch {
	case panel.blocks == 0:
		return
	case panel.plain:
		d.writeTable(c, panel.ranks.MeanRanks)
		return
	}
	at := func(rank float64) vg.Length { return c.X(p.X.Norm(rank)) }
	axis := c.Max.Y - rankTop
	d.drawAxis(c, at, axis)
	if !math.IsNaN(panel.cd) {
		d.drawCD(c, panel.cd, at, axis+20)
	}
	below := panel.drawBars(c, at, axis-rankGap)
	d.writeNames(c, panel.ranks.MeanRanks, at, axis, below-4)
}

// drawBars draws a thick bar for each group of classifiers that the tests do not distinguish. The
// first bar is at height y and the others follow below. drawBars returns the height below the last.
func (p *rankPanel) drawBars(c draw.Canvas, at func(rank float64) vg.Length, y vg.Length) vg.Length {
	thick := draw.LineStyle{Color: canvas.Black, Width: vg.Points(2.4)}
	for _, group := range p.groups {
		best, worst := p.ranks.MeanRanks[group[0]], p.ranks.MeanRanks[group[len(group)-1]]
		c.StrokeLine2(thick, at(best)-2, y, at(worst)+2, y)
		y -= rankBar
	}
	return y
}

// writeTable writes a table of the classifiers and their mean ranks, the best first.
func (d *rankChart) writeTable(c draw.Canvas, ranks []float64) {
	left := c.Min.X - d.Room.Left
	names, numbers := canvas.Text(canvas.TickSize), canvas.Text(canvas.TickSize)
	numbers.XAlign = draw.XRight
	right := left + d.Room.Left - rankWidth + 80
	y := c.Max.Y - rankLine
	canvas.FillMiddle(c, names, vg.Point{X: left, Y: y}, "classifier")
	canvas.FillMiddle(c, numbers, vg.Point{X: right, Y: y}, "average rank")
	y -= rankLine / 2
	c.StrokeLine2(rankAxis, left, y, right, y)
	for _, i := range byRank(ranks) {
		y -= rankLine
		canvas.FillMiddle(c, names, vg.Point{X: left, Y: y}, d.Label(d.ids[i]))
		canvas.FillMiddle(c, numbers, vg.Point{X: right, Y: y}, sheet.Fixed(ranks[i], 2))
	}
}

// drawAxis draws the axis of ranks at height y. at maps a rank to its horizontal position. drawAxis
// omits the number of a rank if it would touch the number before it.
func (d *rankChart) drawAxis(c draw.Canvas, at func(float64) vg.Length, y vg.Length) {
	const gap = 4 // between numbers
	sty := canvas.Text(canvas.TickSize)
	sty.XAlign = draw.XCenter
	k := len(d.ids)
	c.StrokeLine2(rankAxis, at(1), y, at(float64(k)), y)
	lastEnd := vg.Length(math.Inf(-1)) // right end of the last number written
	for rank := 1; rank <= k; rank++ {
		x, number := at(float64(rank)), strconv.Itoa(rank)
		c.StrokeLine2(rankAxis, x, y, x, y+4)
		half := (sty.Width(number) + gap) / 2
		if x-half >= lastEnd {
			c.FillText(sty, vg.Point{X: x, Y: y + 5}, number)
			lastEnd = x + half
		}
	}
}

// drawCD draws the critical difference as a line from rank 1 to rank 1+cd, at height y above the
// axis. If the line does not fit the axis, drawCD writes only the number.
func (d *rankChart) drawCD(c draw.Canvas, cd float64, at func(float64) vg.Length, y vg.Length) {
	words := canvas.Text(canvas.TickSize)
	from, to := at(1), at(1+cd)
	if cd > float64(len(d.ids)-1) {
		canvas.FillMiddle(c, words, vg.Point{X: from, Y: y}, fmt.Sprintf("CD %.2f (wider than the axis)", cd))
		return
	}
	c.StrokeLine2(rankAxis, from, y, to, y)
	c.StrokeLine2(rankAxis, from, y-2, from, y+2)
	c.StrokeLine2(rankAxis, to, y-2, to, y+2)
	canvas.FillMiddle(c, words, vg.Point{X: to + 4, Y: y}, fmt.Sprintf("CD %.2f", cd))
}

// writeNames writes the names of the classifiers with lines to their mean ranks on the axis. The
// better half is at the left with the best at the top, the other half at the right with the worst at
// the top. top is the height of the first names.
func (d *rankChart) writeNames(c draw.Canvas, ranks []float64, at func(float64) vg.Length, axis, top vg.Length) {
	order := byRank(ranks)
	left := (len(order) + 1) / 2 // names at the left
	for place, i := range order {
		start := vg.Point{X: at(ranks[i]), Y: axis}
		if place < left {
			d.writeName(c, i, ranks[i], start, top-rankLine*vg.Length(place), draw.XRight)
		} else {
			fromWorst := len(order) - 1 - place
			d.writeName(c, i, ranks[i], start, top-rankLine*vg.Length(fromWorst), draw.XLeft)
		}
	}
}

// writeName draws a line from start, a point on the axis, down to height y and from there to one
// side of the panel. There it writes the mean rank and the name of classifier i: at the left side
// if align is XRight, else at the right side.
func (d *rankChart) writeName(c draw.Canvas, i int, rank float64, start vg.Point, y vg.Length, align text.XAlignment) {
	// lineEnd is the distance from the panel to the end of the line. gap separates number and name.
	const lineEnd, gap = vg.Length(6), vg.Length(3)
	name := canvas.Text(canvas.TickSize)
	name.XAlign = align
	number := name
	number.Color = canvas.DarkGrey
	edge, outwards := c.Max.X, vg.Length(1)
	if align == draw.XRight {
		edge, outwards = c.Min.X, -1
	}
	place := func(distance vg.Length) vg.Point { return vg.Point{X: edge + outwards*distance, Y: y} }
	canvas.Marked(c, canvas.Mark{Series: d.ids[i]}, func() {
		c.StrokeLines(rankAxis, []vg.Point{start, {X: start.X, Y: y}, place(lineEnd)})
		canvas.FillMiddle(c, number, place(lineEnd+gap), sheet.Fixed(rank, 2))
		beyond := lineEnd + 2*gap + 1 + number.Width("00.00")
		canvas.FillMiddle(c, name, place(beyond), d.Label(d.ids[i]))
	})
}

// families returns the family of hypotheses that the panel of g tests: all pairs of classifiers
// over its blocks. It returns nil if the panel shows only a table of mean ranks.
func (d *rankChart) families(g *view.Group) []view.Family {
	values, _ := d.Blocks(g.Cells, d.measure, d.ids)
	by := d.BlockFactors(g.Cells)
	if !d.tests(by, len(values)) {
		return nil
	}
	blocks := "blocks of the panel"
	if len(g.Factors) == 0 && len(d.o.Page) == 0 { // the figure has one page with one panel
		blocks = view.Plural(len(values), "block", "blocks")
	}
	f := view.Family{Measure: d.measure.Name, Members: d.ids, Each: "panel", Hypotheses: view.Pairs(len(d.ids))}
	test := "Nemenyi's test on the average ranks over"
	f.Level = fmt.Sprintf("family-wise level %s, by Nemenyi's test", view.Number(d.Alpha))
	if !d.nemenyi {
		test = "a two-sided Wilcoxon signed-rank test on the means of"
		f.Level = fmt.Sprintf("family-wise level %s, Holm", view.Number(d.Alpha))
		needed := stats.Tests[0].Needed(1, d.Alpha/float64(f.Hypotheses), stats.TwoSided)
		f.Needed = fmt.Sprintf("%d blocks", needed)
	}
	f.Asked = fmt.Sprintf("Each pair of classifiers is compared by %s the %s in which all classifiers ran. A block "+
		"contains the cells with the same %s; cells on the same data count once. Friedman's test compares all "+
		"classifiers.", test, blocks, strings.Join(d.factorLabels(by), " and "))
	return []view.Family{f}
}
