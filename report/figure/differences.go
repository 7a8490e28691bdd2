package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats"
	"copse/stats/verdicts"
)

// A difference is how far one classifier lies from the one that it is compared with,
// on the same data: the Hodges-Lehmann estimate with its confidence interval, which
// inverts the signed-rank test (Hollander, Wolfe and Chicken 2014, section 3.2).
type difference struct {
	id string
	stats.Shift
}

// differenceDrawing is a page of intervals, a panel per combination of the panel
// factors, a line per classifier.
type differenceDrawing struct {
	*view.View
	panels
	measure *view.Measure
	cells   [][]difference
	spans   []span // of the horizontal axes
	lines   int    // of the panel that has most
}

const differenceLine = vg.Length(13) // from one classifier to the next

func differencePage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	family := v.Compared(m, columns)
	if !m.IsRate {
		return canvas.Picture{}, view.Mistaken([]string{"metric"}, "", "differences need a metric that results keep, not the %s", m.Name)
	}
	if len(family) < 2 || o.Champion != "" && !slices.Contains(family, o.Champion) {
		return canvas.Picture{}, view.Mistaken([]string{"champion", "metric"}, "", "differences need results with %s of two or more classifiers, the champion among them if there is one; there are those of: %s", m.Name, v.Labels(family))
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	d := differenceDrawing{View: v, measure: m}
	var all [][]float64
	for i := range groups {
		against, list, err := differencesIn(v, &groups[i], m, family, o.Champion)
		if err != nil {
			return canvas.Picture{}, err
		}
		title := "less " + v.Label(against)
		if words := v.InWords(groups[i].Factors, groups[i].Levels); words != "" {
			title = words + ", " + title
		}
		values := []float64{0}
		for _, x := range list {
			values = append(values, x.Low, x.High, x.Estimate)
		}
		d.titles, d.cells, all = append(d.titles, title), append(d.cells, list), append(all, values)
		d.lines = max(d.lines, len(list))
	}
	d.panels = panels{options: o, count: len(groups), titles: d.titles, draw: d.panel, key: d.key()}
	d.fewerPerRow(d.namesRoom() + differenceRim + max(leastData, canvas.Style(canvas.Face(canvas.LabelSize)).Width(d.axisTitle())))
	d.height = d.headRoom() + 34 + differenceLine*vg.Length(d.lines)
	d.spans = o.spans(all, func(values []float64) (low, high float64) {
		low, high = slices.Min(values), slices.Max(values)
		pad := max(0.04*(high-low), 1e-9)
		return low - pad, high + pad
	})
	against := "the classifier with the smallest mean of the panel"
	if m.LargerIsBetter() {
		against = "the classifier with the largest mean of the panel"
	}
	if o.Champion != "" {
		against = v.Label(o.Champion)
	}
	low, high := v.Sizes(groups, family, o.Champion)
	fewest, most := comparisonsOf(v, low, o.Champion), comparisonsOf(v, high, o.Champion)
	words := fmt.Sprintf("%s of each classifier less that of %s on paired results (%s): %s with its confidence interval, simultaneous at %s %.3g%% %s (Bonferroni). Hollow: the interval holds 0.",
		view.Capital(m.Title()), against, v.Replication(groups, m, family), v.Estimates(groups), simultaneousLevel(v, most, o.Champion), 100*(1-v.Alpha), countedDifferences(v, fewest, most, o.Champion))
	return d.picture(view.Caption(o.Caption, words+o.axesWordsFor(len(groups), "horizontal"), v.Pooling("Each panel", groups)+" "+v.FailedPairs(page.Cells, family))), nil
}

// comparisonsOf is the number that the intervals of a panel share the level with: of k
// classifiers that run there.
func comparisonsOf(v *view.View, k int, champion string) int {
	if champion != "" { // named before the results are seen
		return k - 1
	}
	return v.Comparisons(k)
}

// simultaneousLevel names the level of so many comparisons in a panel.
func simultaneousLevel(v *view.View, comparisons int, champion string) string {
	if v.Nominal(champion, comparisons) {
		return "nominal level"
	}
	return "level"
}

func countedDifferences(v *view.View, fewest, most int, champion string) string {
	count := fmt.Sprint(most)
	if fewest < most {
		count = fmt.Sprintf("%d to %d", fewest, most)
	}
	switch {
	case v.AllPairs() && champion == "":
		return fmt.Sprintf("over all %s pairs of a panel", count)
	case most == 1:
		return "over the 1 comparison of a panel"
	}
	return fmt.Sprintf("over the %s comparisons of a panel", count)
}

// differencesIn compares the family with one of it, or with its best.
func differencesIn(v *view.View, g *view.Group, m *view.Measure, family []string, champion string) (against string, list []difference, err error) {
	pooled := v.Pool(g)
	family = verdicts.Ran(&pooled, family)
	level := 1 - v.Alpha/float64(comparisonsOf(v, max(len(family), 2), champion))
	if against = champion; against == "" {
		least := math.Inf(1)
		for _, id := range family {
			if mean := stats.Steps(pooled.Summary(m.Metric, id).Mean); mean < least {
				against, least = id, mean
			}
		}
	}
	paired, err := v.Paired(&pooled)
	if err != nil {
		return "", nil, err
	}
	for _, id := range family {
		if id == against || against == "" {
			continue
		}
		pairs, err := pooled.Pairs(m.Metric, id, against)
		if err != nil {
			return "", nil, err
		}
		if len(pairs.X) == 0 {
			continue
		}
		s := paired.Shift(pooled.ID, &pairs, level)
		if m.Metric.Higher { // from losses to the metric's own direction
			s.Estimate, s.Low, s.High = -s.Estimate, -s.High, -s.Low
		}
		s.Estimate, s.Low, s.High = s.Estimate*m.Scale, s.Low*m.Scale, s.High*m.Scale
		list = append(list, difference{id, s})
	}
	return against, list, nil
}

// certain says whether the interval excludes 0.
func (d *difference) certain() bool { return d.Level > 0 && (d.Low > 0 || d.High < 0) }

// key explains the marks that occur.
func (d *differenceDrawing) key() []canvas.KeyItem {
	var items []canvas.KeyItem
	add := func(words string, hollow, bar bool, such func(difference) bool) {
		if slices.ContainsFunc(d.cells, func(list []difference) bool { return slices.ContainsFunc(list, such) }) {
			items = append(items, canvas.KeyItem{Words: words, Sketch: func(c draw.Canvas, at vg.Point) {
				if bar {
					c.StrokeLine2(draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(1.1)}, at.X-8, at.Y, at.X+8, at.Y)
				}
				paintEstimate(c, at, draw.GlyphStyle{Color: canvas.DarkGrey, Radius: vg.Points(2.4)}, hollow)
			}})
		}
	}
	add("interval without 0", false, true, func(x difference) bool { return x.certain() })
	add("interval with 0", true, true, func(x difference) bool { return !x.certain() && x.Level > 0 })
	add("no interval: too few, or all equal", true, false, func(x difference) bool { return x.Level == 0 })
	return items
}

func (d *differenceDrawing) axisTitle() string { return d.measure.DifferenceTitle() }

// differenceRim is at the right of a panel.
const differenceRim = vg.Length(8)

// namesRoom is that for the names of the classifiers, the same in all panels.
func (d *differenceDrawing) namesRoom() (room vg.Length) {
	for _, list := range d.cells {
		for _, x := range list {
			room = max(room, canvas.Style(canvas.Face(canvas.TickSize)).Width(d.Label(x.id)))
		}
	}
	return room + 6
}

// panel draws one line per classifier, from the top.
func (d *differenceDrawing) panel(c draw.Canvas, i int) draw.Canvas {
	p := canvas.NewPlot()
	p.HideY()
	p.X.Min, p.X.Max = d.spans[i].low, d.spans[i].high
	p.Y.Min, p.Y.Max = 0, 1
	p.X.Tick.Marker = canvas.Ticks(8)
	p.X.Label.Text = d.axisTitle()
	names := canvas.Style(canvas.Face(canvas.TickSize))
	names.XAlign = draw.XRight
	body := draw.Crop(c, d.namesRoom(), -differenceRim, 0, -d.headRoom())
	data := canvas.Axes(p, body)
	p.Draw(body)
	d.title(c, c.Min.X, i)
	at := func(v float64) vg.Length { return data.X(p.X.Norm(v)) }
	data.StrokeLine2(canvas.Dashed, at(0), data.Min.Y, at(0), data.Max.Y)
	for k := range d.cells[i] {
		d.line(data, at, &d.cells[i][k], data.Max.Y-differenceLine*(vg.Length(k)+0.5), names, data.Min.X-6)
	}
	return data
}

// line draws one classifier's interval.
func (d *differenceDrawing) line(c draw.Canvas, at func(float64) vg.Length, x *difference, y vg.Length, names text.Style, right vg.Length) {
	clr := colour(d.View, x.id)
	canvas.FillMiddle(c, names, vg.Point{X: right, Y: y}, d.Label(x.id))
	if x.Level > 0 {
		c.StrokeLine2(draw.LineStyle{Color: clr, Width: vg.Points(1.3)}, at(x.Low), y, at(x.High), y)
	}
	paintEstimate(c, vg.Point{X: at(x.Estimate), Y: y}, draw.GlyphStyle{Color: clr, Radius: vg.Points(2.4)}, !x.certain())
}

// paintEstimate is a dot, hollow where nothing is shown.
func paintEstimate(c draw.Canvas, at vg.Point, sty draw.GlyphStyle, hollow bool) {
	sty.Shape = draw.CircleGlyph{}
	c.DrawGlyphNoClip(sty, at)
	if hollow {
		sty.Color, sty.Radius = canvas.Tint(canvas.Black, 0), sty.Radius-vg.Points(1)
		c.DrawGlyphNoClip(sty, at)
	}
}
