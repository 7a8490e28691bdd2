package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
)

// A curve is one classifier's mean over a numeric factor.
type curve struct {
	id   string
	x    []float64
	mean []float64
	mcse float64   // the largest of the means' Monte-Carlo standard errors; 0: none is known
	low  []float64 // edges of the band; the mean where it is not determined
	high []float64

	sums   []stats.Summary // that mean and band are made of, where they are not at once
	marked []int           // the points with a mark; nil: all
	note   string          // beside the name
	area   float64         // below it
}

// lineDrawing is a page of panels with one curve per classifier.
type lineDrawing struct {
	*view.View
	panels
	measure     *view.Measure
	cells       [][]curve // by panel, those that it names
	others      [][]curve // by panel, those that stand back
	spans       []span    // of the vertical axes
	reference   string
	levels      []float64 // of the horizontal factor
	pooling     string    // says what a point pools, and which fits failed
	replication string    // of the points
	errors      string    // what those of the points are called
	shown       shown     // of a curve
}

// shown is what of a curve is drawn, for the names that explain it.
type shown int

const (
	linesAndMarks shown = iota
	linesAlone
	marksAlone
)

// linePage draws the measure against a numeric factor.
func linePage(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	if o.X == "" {
		return canvas.Picture{}, view.Mistaken([]string{"x"}, "", "a line needs x, the numeric factor on the horizontal axis; the factors are %s", strings.Join(v.FactorNames(), ", "))
	}
	if slices.Contains(slices.Concat(o.Page, o.Panel), o.X) {
		return canvas.Picture{}, view.Mistaken([]string{"x"}, "", "%s is a factor of page or panel, too: a panel would have one point of each line", o.X)
	}
	drawn, ref := measured(columns, o.Reference)
	l := lineDrawing{View: v, measure: m, reference: ref, panels: panels{options: o, vertical: m.Title()}}
	if ref != "" {
		drawn = append(slices.Clone(drawn), ref)
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	var all []view.Group
	named := parts(drawn, ref, len(canvas.Palette), len(canvas.Marks), len(groups))
	for _, g := range groups {
		points, err := v.Groups(g.Cells, []string{o.X})
		if err != nil {
			return canvas.Picture{}, fmt.Errorf("horizontal factor: %w", err)
		}
		l.pooling = cmp.Or(l.pooling, v.Pooling("Each point", points))
		all = append(all, points...)
		curves, err := l.curves(drawn, points)
		if err != nil {
			return canvas.Picture{}, err
		}
		for _, ids := range named {
			l.titles = append(l.titles, v.InWords(g.Factors, g.Levels))
			l.addPanel(curves, ids)
		}
	}
	l.spans = o.spans(l.values(), l.span)
	l.remarks = o.manyNames(named[0], ref, len(canvas.Palette))
	l.count, l.draw, l.indent, l.beside = len(l.cells), l.panel, axisRoom(l.spans, l.ticks()), l.mostNames()
	l.fewerPerRow(l.indent + l.namesRoom() + max(leastData, canvas.Style(canvas.Face(canvas.LabelSize)).Width(l.FactorLabel(o.X))))
	l.replication, l.errors = v.Replication(all, m, drawn), v.Errors(all)
	l.pooling = partsWords(named) + l.pooling + " " + v.FailedFits(page.Cells, drawn)
	return l.picture(l.caption()), nil
}

// mostPanels is how many fit on a page where classifiers are cut into parts.
const mostPanels = 10

// parts cuts classifiers, of which more than `enough` cannot be told apart, into as few
// runs as have at most so many each, all of about one length, if a page has room for
// such panels of all groups. The reference is in each.
func parts(ids []string, reference string, enough, most, groups int) [][]string {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == reference })
	n := (len(ids) + most - 1) / most
	if len(ids) <= enough || n*groups > mostPanels {
		n = 1
	}
	list := make([][]string, n)
	for k := range list {
		list[k] = slices.Clone(ids[k*len(ids)/n : (k+1)*len(ids)/n])
		if reference != "" {
			list[k] = append(list[k], reference)
		}
	}
	return list
}

// widen makes the largest standard error at least this; one that is not known is none.
func (c *curve) widen(mcse float64) {
	if mcse > c.mcse {
		c.mcse = mcse
	}
}

// errorWords say in a caption what a figure of means does not draw.
func (l *lineDrawing) errorWords() string {
	largest := 0.0
	for i, curves := range l.cells {
		for _, c := range slices.Concat(curves, l.others[i]) {
			largest = max(largest, c.mcse)
		}
	}
	if largest == 0 {
		return ""
	}
	size := strings.TrimSpace(sheet.Fixed(largest, l.measure.Digits()) + " " + l.measure.DifferenceUnit())
	return fmt.Sprintf(" Not drawn: Monte-Carlo standard errors, of %s at most.", size)
}

// manyNames remarks on a page without room for the parts that it needs: where a panel
// names more classifiers than can be told apart.
func (o *Options) manyNames(named []string, reference string, enough int) []string {
	n := len(named)
	if slices.Contains(named, reference) {
		n--
	}
	if n <= enough {
		return nil
	}
	return []string{fmt.Sprintf("each panel names %d classifiers, of which %d can be told apart without colour; a page with at most %d panels in all would name some in each: name fewer (columns), or %s", n, enough, mostPanels, o.fewerPanels())}
}

// partsWords says in a caption what the panels of several parts show.
func partsWords(parts [][]string) string {
	if len(parts) < 2 {
		return ""
	}
	return fmt.Sprintf(" Each panel names some of the classifiers, %d panels all of them; the others are grey.", len(parts))
}

// addPanel adds a panel that names some of the curves.
func (l *lineDrawing) addPanel(curves []curve, ids []string) {
	var named, others []curve
	for _, c := range curves {
		if slices.Contains(ids, c.id) {
			named = append(named, c)
		} else {
			others = append(others, c)
		}
	}
	l.cells, l.others = append(l.cells, named), append(l.others, others)
}

// place is that of a classifier among those that panel i names; -1: it stands back.
func (l *lineDrawing) place(i int, id string) int {
	return slices.IndexFunc(l.cells[i], func(c curve) bool { return c.id == id })
}

// curves summarises each classifier at each level of the horizontal factor.
func (l *lineDrawing) curves(ids []string, points []view.Group) ([]curve, error) {
	curves := make([]curve, len(ids))
	for k, id := range ids {
		curves[k].id = id
	}
	for _, point := range points {
		level := point.Levels.Of(l.options.X)
		if level == "" {
			continue
		}
		x, err := strconv.ParseFloat(level, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, view.Mistaken([]string{"x"}, l.options.X, "horizontal factor %s: level %q is not a number", l.options.X, level)
		}
		if l.options.LogX && x <= 0 {
			return nil, view.Mistaken([]string{"log_x"}, "", "horizontal factor %s: level %q has no logarithm", l.options.X, level)
		}
		pooled := l.Pool(&point)
		for k, id := range ids {
			sum := l.Summary(&point, &pooled, l.measure, id)
			if sum.N == 0 || l.options.LogY && sum.Mean <= 0 {
				continue
			}
			curves[k].x = append(curves[k].x, x)
			curves[k].mean = append(curves[k].mean, sum.Mean)
			curves[k].widen(sum.MCSE)
			low, high := l.band(&point, &pooled, id, sum)
			curves[k].low, curves[k].high = append(curves[k].low, low), append(curves[k].high, high)
		}
		if !slices.Contains(l.levels, x) {
			l.levels = append(l.levels, x)
		}
	}
	slices.Sort(l.levels)
	for k := range curves {
		curves[k].sort()
	}
	return curves, nil
}

// band returns its edges; a mean of one replicate has none.
func (l *lineDrawing) band(g *view.Group, pooled *records.Cell, id string, s stats.Summary) (low, high float64) {
	half := 0.0
	switch {
	case s.N < 2:
	case l.options.Band == "quartiles":
		values, _ := l.Values(g, pooled, l.measure, id)
		slices.Sort(values)
		return stats.Quantile(values, 0.25), stats.Quantile(values, 0.75)
	case l.options.Band == "2se":
		half = 2 * s.MCSE
	case l.options.Band == "sd":
		half = s.SD
	}
	return s.Mean - half, s.Mean + half
}

func (c *curve) sort() {
	order := make([]int, len(c.x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.x[a], c.x[b]) })
	sorted := curve{id: c.id, mcse: c.mcse}
	for _, i := range order {
		sorted.x, sorted.mean = append(sorted.x, c.x[i]), append(sorted.mean, c.mean[i])
		sorted.low, sorted.high = append(sorted.low, c.low[i]), append(sorted.high, c.high[i])
	}
	*c = sorted
}

// values are what each panel's axis must hold.
func (l *lineDrawing) values() [][]float64 {
	list := make([][]float64, len(l.cells))
	for i, curves := range l.cells {
		for _, c := range slices.Concat(curves, l.others[i]) {
			for k := range c.x {
				list[i] = append(list[i], c.mean[k], c.high[k], c.bottom(k, l.options.LogY))
			}
		}
	}
	return list
}

func (l *lineDrawing) span(values []float64) (low, high float64) {
	switch {
	case l.options.LogY && len(values) == 0:
		return 1, 10
	case l.options.LogY:
		return slices.Min(values) / 1.1, slices.Max(values) * 1.1
	}
	return canvas.Span(values)
}

// ticks are those of the vertical axis.
func (l *lineDrawing) ticks() plot.Ticker {
	if l.options.LogY {
		return canvas.LogTicks(0)
	}
	return canvas.Ticks(8)
}

// bottom is the lower edge of the band; on a logarithmic axis it stays above a
// tenth of the mean.
func (c *curve) bottom(i int, logarithmic bool) float64 {
	if logarithmic {
		return max(c.low[i], c.mean[i]/10)
	}
	return c.low[i]
}

// referenceWords say in a caption who is drawn otherwise than the rest.
func (l *lineDrawing) referenceWords() string {
	if l.reference == "" {
		return ""
	}
	return fmt.Sprintf(" %s is drawn for reference, without marks.", l.Label(l.reference))
}

func (l *lineDrawing) caption() string {
	var s strings.Builder
	fmt.Fprintf(&s, "Mean %s over %s against %s.", l.measure.Title(), l.replication, l.FactorLabel(l.options.X))
	switch l.options.Band {
	case "2se":
		fmt.Fprintf(&s, " Bands: two %s on either side.", l.errors)
	case "sd":
		s.WriteString(" Bands: one standard deviation on either side.")
	case "quartiles":
		s.WriteString(" Bands: from the lower to the upper quartile of the results.")
	case "none":
		s.WriteString(l.errorWords())
	}
	s.WriteString(l.referenceWords())
	if l.options.LogX || l.options.LogY {
		s.WriteString(" Logarithmic scale where the ticks are not evenly spaced.")
	}
	s.WriteString(l.options.axesWords(l.count))
	return view.Caption(l.options.Caption, s.String(), l.pooling)
}
