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

// A rankPanel contains the mean ranks of the classifiers in one panel. The means are over blocks,
// which are groups of cells that the tests treat as independent.
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

// A rankChart is a page of critical-difference diagrams (Demšar 2006, Fig. 1). A diagram shows mean
// ranks on an axis. Bars join classifiers whose ranks do not differ significantly.
type rankChart struct {
	*request
	panels.Page
	ids      []string
	nemenyi  bool
	contents []rankPanel
}

// rankPage draws a critical-difference diagram, or a table of mean ranks, for each group of cells.
func rankPage(r *request, page view.Group, groups []view.Group) (drawn, error) {
	d := rankChart{request: r, Page: r.page(), ids: r.rankedIn(page.Cells), nemenyi: r.o.Cliques == "nemenyi"}
	if len(d.ids) < 2 || !r.measure.IsRate {
		return drawn{}, fmt.Errorf("ranks need a metric of predictions and at least two classifiers: the metric is "+
			"%s and the family has %d", r.measure.Name, len(d.ids))
	}
	var families []view.Family
	for i := range groups {
		panel, err := d.rank(&groups[i])
		if err != nil {
			return drawn{}, err
		}
		d.contents = append(d.contents, panel)
		d.Titles = append(d.Titles, panel.heading(len(d.ids)))
		if !panel.plain {
			families = append(families, d.family(&panel))
		}
	}
	d.fit()
	return drawn{d.Picture(r.caption(&d.Page, d.facts(page))), families}, nil
}

// rankedIn returns the classifiers that View.Ranked admits to ranks over the given cells. If it admits
// fewer than two, rankedIn returns all compared classifiers.
func (r *request) rankedIn(cells []records.Cell) []string {
	compared := r.Compared(r.measure, r.columns)
	if ranked, _ := r.Ranked(cells, compared); len(ranked) > 1 {
		return ranked
	}
	return compared
}

// rank computes the mean ranks in one panel. Unless the panel is plain, it also finds the groups of
// classifiers whose ranks do not differ significantly.
func (d *rankChart) rank(g *view.Group) (p rankPanel, err error) {
	blocks, left := d.Blocks(g.Cells, d.measure, d.ids)
	p = rankPanel{title: d.panelTitle(g), by: d.BlockFactors(g.Cells), blocks: len(blocks), left: left, cd: math.NaN()}
	p.plain = p.by == nil || !d.nemenyi && !RanksCanDiffer(len(blocks), len(d.ids), d.Alpha)
	if len(blocks) == 0 {
		return p, nil
	}
	if p.stable, err = d.Stability(g.Cells, d.measure, d.ids); err != nil {
		return p, err
	}
	switch {
	case p.plain:
		p.ranks, err = stats.Friedman(blocks)
	case d.nemenyi:
		result, nemenyiErr := stats.Nemenyi(blocks, d.Alpha)
		p.ranks, p.groups, p.cd, err = result.FriedmanResult, result.Groups, result.CD, nemenyiErr
	default:
		result, holmErr := stats.WilcoxonHolm(blocks, d.Alpha)
		p.ranks, p.groups, p.apart, err = result.FriedmanResult, result.Groups, result.Apart, holmErr
	}
	return p, err
}

// family returns the family of hypotheses that a panel tests. It has a hypothesis for each pair of
// classifiers.
func (d *rankChart) family(p *rankPanel) view.Family {
	f := view.Family{Measure: d.measure.Name, Members: d.ids, Each: "panel", Hypotheses: view.Pairs(len(d.ids))}
	test := "Nemenyi's test on the average ranks over"
	f.Level = fmt.Sprintf("family-wise level %s, by Nemenyi's test", view.Number(d.Alpha))
	if !d.nemenyi {
		test = "a two-sided Wilcoxon signed-rank test on the means of"
		f.Level = fmt.Sprintf("family-wise level %s, Holm", view.Number(d.Alpha))
		needed := stats.Tests[0].Needed(1, d.Alpha/float64(f.Hypotheses), stats.TwoSided)
		f.Needed = fmt.Sprintf("%d blocks", needed)
	}
	blocks := "blocks of the panel"
	if len(d.o.Panel) == 0 && len(d.o.Page) == 0 { // the figure has one panel
		blocks = p.counted()
	}
	f.Asked = fmt.Sprintf("Each pair of classifiers is compared by %s the %s in which all classifiers ran. A block "+
		"contains the cells with the same %s; cells on the same data count once. Friedman's test compares all "+
		"classifiers.", test, blocks, strings.Join(d.factorLabels(p.by), " and "))
	return f
}

// byRank returns the indices of the classifiers in ascending order of their mean ranks. The best is
// first.
func byRank(meanRanks []float64) []int {
	order := make([]int, len(meanRanks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(meanRanks[a], meanRanks[b]) })
	return order
}

// RanksCanDiffer reports whether the ranks of k classifiers over the given number of blocks can differ
// significantly. This requires that the smallest possible p-value of a signed-rank test is at most the
// first level of Holm's method for all pairs.
func RanksCanDiffer(blocks, k int, level float64) bool {
	return stats.Tests[0].MinP(blocks, stats.TwoSided) <= level/float64(view.Pairs(k))
}

// counted returns a phrase such as "9 blocks", or "9 cells" if the cells are not independent.
func (p *rankPanel) counted() string {
	if p.by == nil {
		return view.Plural(p.blocks, "cell", "cells")
	}
	return view.Plural(p.blocks, "block", "blocks")
}

// heading returns the title of a panel with k classifiers: "n = 200 – 9 blocks, Friedman p 0.01 (1
// cell left out)".
func (p *rankPanel) heading(k int) string {
	words := p.counted()
	if !p.plain {
		words += ", Friedman p " + sheet.PValue(p.ranks.P)
	}
	if len(p.left) > 0 {
		words += fmt.Sprintf(" (%s left out)", view.Plural(len(p.left), "cell", "cells"))
	}
	if p.blocks == 0 {
		words = fmt.Sprintf("no cell has results of all %d classifiers", k)
	}
	return strings.TrimPrefix(p.title+" – "+words, " – ")
}

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
			by = view.AddNew(by, label)
		}
	}
	return facts{"Metric": d.measure.Name, "Blocks": strings.Join(blocks, ", "), "Nemenyi": d.nemenyi,
		"By": strings.Join(by, " and "), "Tested": tested, "Dependent": dependent, "Few": few,
		"Level": view.Number(d.Alpha), "Pairs": view.Plural(view.Pairs(len(d.ids)), "pair", "pairs"),
		"Apart": strings.Join(apart, "; "), "Left": left, "Failed": d.FailedRanks(page.Cells, d.measure, d.ids),
		"Stable": strings.Join(stable, " ")}
}

// apartWords returns a phrase such as "SLB and NB (n = 200)" for each pair in p.apart.
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

// sentences puts the title of the panel before a sentence and returns it as a list. The list is nil if
// the sentence is "".
func (p *rankPanel) sentences(sentence string) []string {
	if sentence == "" {
		return nil
	}
	if p.title == "" {
		return []string{sentence}
	}
	return []string{view.Capital(p.title) + ": " + strings.TrimSpace(sentence)}
}

// Distances in a critical-difference diagram, in points.
const (
	rankLine  = vg.Length(12) // between names
	rankBar   = vg.Length(5)  // between bars
	rankTop   = vg.Length(29) // from the top to the axis
	rankGap   = vg.Length(6)  // from the axis to the first bar
	rankWidth = vg.Length(36) // for a mean rank beside a name, with the line that leads to it
)

// fit makes room for the names and bars. All panels are as high as the highest diagram or table.
func (d *rankChart) fit() {
	const leastAxis = 120 // smallest length of an axis
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

// panelHeight returns the height of a diagram with the given number of bars, or the height of a table
// if the panel is plain.
func (d *rankChart) panelHeight(p *rankPanel, bars int) vg.Length {
	const rim = 6
	if p.plain {
		return d.HeadHeight() + rankLine*vg.Length(len(d.ids)+2) + rim
	}
	names := vg.Length((len(d.ids) + 1) / 2)
	return d.HeadHeight() + rankTop + rankGap + rankBar*vg.Length(bars) + rankLine*names + rim
}

var rankAxis = draw.LineStyle{Color: canvas.Black, Width: vg.Points(0.7)}

// diagram draws panel i. From top to bottom, it has the critical difference, the axis, the bars and
// the names.
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

// drawBars draws a bar for each group of classifiers whose ranks do not differ significantly. The
// first bar is at height y. It returns the height below the last bar.
func (p *rankPanel) drawBars(c draw.Canvas, at func(rank float64) vg.Length, y vg.Length) vg.Length {
	thick := draw.LineStyle{Color: canvas.Black, Width: vg.Points(2.4)}
	for _, group := range p.groups {
		best, worst := p.ranks.MeanRanks[group[0]], p.ranks.MeanRanks[group[len(group)-1]]
		c.StrokeLine2(thick, at(best)-2, y, at(worst)+2, y)
		y -= rankBar
	}
	return y
}

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

// drawAxis draws the axis of ranks at height y. It omits numbers that would touch the previous number.
// The function at maps a rank to its position.
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

// drawCD draws the critical difference at height y as a line from rank 1 to rank 1+cd. If the line
// would be longer than the axis, it writes only the number.
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

// writeNames writes the names of the classifiers. The better half is on the left with the best on top,
// and the other half is on the right with the worst on top. top is the height of the first line of
// names.
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

// writeName writes the rank and the name of classifier i at one side of the panel, on the left if
// align is XRight. A line leads from the rank on the axis down to height y and then to the name.
func (d *rankChart) writeName(c draw.Canvas, i int, rank float64, start vg.Point, y vg.Length, align text.XAlignment) {
	// lineEnd is the distance between the panel and the end of the line. gap is the distance between
	// the rank and the name.
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
