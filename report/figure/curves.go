package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A curveKind is what kinds of curves differ in.
type curveKind struct {
	x, y    string // titles of the axes
	needs   metrics.Need
	anyOf   bool // classes, more than two, need no class: the predicted one is asked about
	average func(o *Options, place int) average
	caption func(d *curveDrawing) string
}

// A curveDrawing is a page of panels, from 0 to 1 either way, each of one cell: a curve of
// several would be that of no problem.
type curveDrawing struct {
	lineDrawing
	kind      *curveKind
	said      []*said  // by cell and classifier
	units     string   // what the curves are averaged over
	positives []string // in words, what is positive in each cell that has curves
	rest      bool     // what is not are several classes
}

// page draws what was said in the cells of a page.
func (k *curveKind) page(v *view.View, o Options, _ *view.Measure, columns []string, page view.Group) (canvas.Picture, error) {
	if err := checkCurves(v, &o); err != nil {
		return canvas.Picture{}, err
	}
	o.LogX, o.LogY = false, false // of lines
	for _, factor := range v.Varying(page.Cells) {
		if !slices.Contains(o.Panel, factor) {
			o.Panel = append(slices.Clone(o.Panel), factor)
		}
	}
	groups, err := v.Groups(page.Cells, o.Panel)
	if err != nil {
		return canvas.Picture{}, err
	}
	drawn, ref := measured(columns, o.Reference)
	if ref != "" {
		drawn = append(slices.Clone(drawn), ref)
	}
	d := curveDrawing{kind: k, units: v.Units(groups), lineDrawing: lineDrawing{View: v, measure: &view.Measure{Name: k.y}, reference: ref, errors: v.Errors(groups), panels: panels{options: o, vertical: k.y}}}
	named := parts(drawn, ref, len(canvas.Palette), len(canvas.Marks), len(groups))
	var asked []string // by panel
	for i := range groups {
		before := len(d.positives)
		curves, err := d.curvesOf(&groups[i].Cells[0], drawn)
		if err != nil {
			return canvas.Picture{}, err
		}
		for _, ids := range named {
			d.titles, d.spans = append(d.titles, v.InWords(groups[i].Factors, groups[i].Levels)), append(d.spans, span{0, 1})
			asked = append(asked, strings.Join(d.positives[before:], ""))
			d.addPanel(curves, ids)
		}
	}
	if len(d.classes()) > 1 {
		for i, class := range asked {
			if class != "" {
				d.titles[i] += ", " + class
			}
		}
	}
	if err := d.checkAny(); err != nil {
		return canvas.Picture{}, err
	}
	d.remarks = o.manyNames(named[0], ref, len(canvas.Palette))
	d.count, d.draw, d.indent, d.beside = len(d.cells), d.panel, axisRoom(d.spans, d.ticks()), d.mostNames()
	d.fewerPerRow(d.indent + d.namesRoom() + d.leastSide())
	d.height = d.squareHeight()
	return d.picture(view.Caption(o.Caption, k.caption(&d)+d.bandWords()+" "+d.leftOut()+partsWords(named), v.FailedFits(page.Cells, drawn))), nil
}

// checkCurves refuses what is of other kinds, and studies that keep no predictions.
func checkCurves(v *view.View, o *Options) error {
	switch {
	case v.Predictions == nil:
		return view.Mistaken([]string{"kind"}, "", "a figure of kind %s is drawn from predictions of the test rows, which the study does not keep: give it predictions: keep and run it", o.Kind)
	case o.Band != "2se" && o.Band != "none":
		return view.Mistaken([]string{"band"}, "", "the bands of a figure of kind %s are 2se or none, not %s", o.Kind, o.Band)
	}
	return nil
}

// positive is the class of a cell that is asked about, of so many; -1: the predicted one.
func (d *curveDrawing) positive(c *records.Cell, classes int) (class int, err error) {
	names, words := d.Classes[c.ID], "the predicted class"
	switch {
	case d.options.Class != "":
		if class, err = metrics.ClassCode(d.options.Class, names); err == nil && class >= classes {
			err = fmt.Errorf("no class %q; there are %d", d.options.Class, classes)
		}
	case classes == 2:
		class = 1
	case d.kind.anyOf:
		class = -1
	default:
		err = fmt.Errorf("a curve is of one class against the others, and there are %d: name it with class", classes)
		if len(names) > 0 {
			err = fmt.Errorf("%w, one of %s", err, strings.Join(names, ", "))
		}
	}
	if err != nil {
		return 0, view.Mistaken([]string{"class"}, "", "%w%s", err, d.Elsewhere(c))
	}
	if class >= 0 {
		words = "class " + strconv.Itoa(class)
		if class < len(names) {
			words = "class " + names[class]
		}
		d.rest = d.rest || classes > 2
	}
	d.positives = append(d.positives, words)
	return class, nil
}

// classes are what is asked about, each once.
func (d *curveDrawing) classes() (list []string) {
	for _, words := range d.positives {
		if !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return list
}

// asked says in words what is asked about; of several classes titles of panels say it.
func (d *curveDrawing) asked() string {
	switch list := d.classes(); len(list) {
	case 0:
		return "a class"
	case 1:
		return list[0]
	}
	return "the class that a panel names"
}

// checkAny wants a curve, if any fit succeeded.
func (d *curveDrawing) checkAny() error {
	var kept, mute []string
	succeeded := 0
	for _, s := range d.said {
		succeeded += s.succeeded
		switch {
		case s.units > 0:
			return nil
		case s.mute:
			mute = append(mute, s.id)
		case s.undefined > 0:
			kept = append(kept, s.id)
		}
	}
	switch {
	case succeeded == 0:
		return nil
	case len(kept) > 0:
		return view.Mistaken([]string{"class"}, "", "the test rows of all %s are all or none of %s", d.units, strings.Join(d.classes(), " or "))
	case len(mute) > 0:
		return view.Mistaken([]string{"columns"}, "", "a curve needs %s, which these classifiers do not give: %s", d.kind.needs, d.Labels(slices.Compact(slices.Sorted(slices.Values(mute)))))
	}
	return view.Mistaken([]string{"kind"}, "", "of these cells no predictions are in the folder predictions beside the records: put it there, or run the study again")
}

// bandWords say in a caption what bands are.
func (d *curveDrawing) bandWords() string {
	if d.options.Band == "none" {
		return d.errorWords() + d.referenceWords()
	}
	return fmt.Sprintf(" Bands, for each point alone: two %s on either side, within 0 and 1.", d.errors) + d.referenceWords()
}

// leftOut says in a caption who has no curve, and what the curves are not of.
func (d *curveDrawing) leftOut() string {
	var mute, lost, absent []string
	undefined, units, ran := 0, 0, map[string]bool{}
	for _, s := range d.said {
		ran[s.id] = ran[s.id] || s.succeeded > 0
	}
	for _, s := range d.said {
		kept := s.units + s.undefined
		switch {
		case s.mute && !slices.Contains(mute, s.id):
			mute = append(mute, s.id)
		case !s.mute && kept < s.succeeded && !slices.Contains(lost, s.id):
			lost = append(lost, s.id)
		case !ran[s.id] && !slices.Contains(absent, s.id):
			absent = append(absent, s.id)
		}
		if s.undefined > undefined {
			undefined, units = s.undefined, kept
		}
	}
	var list []string
	if len(mute) > 0 {
		list = append(list, fmt.Sprintf("Left out, without %s: %s.", d.kind.needs, d.Labels(mute)))
	}
	if undefined > 0 {
		list = append(list, fmt.Sprintf("Left out: up to %d of %d %s whose test rows are all or none of the class.", undefined, units, d.units))
	}
	if len(lost) > 0 {
		list = append(list, fmt.Sprintf("Not of all %s, as some predictions are not kept: %s.", d.units, d.Labels(lost)))
	}
	if len(absent) > 0 {
		list = append(list, fmt.Sprintf("No results of %s.", d.Labels(absent)))
	}
	return strings.Join(list, " ")
}

// over says how many results the curves are averaged over.
func (d *curveDrawing) over() string {
	least, most := 0, 0
	for _, s := range d.said {
		if s.units > 0 && (least == 0 || s.units < least) {
			least = s.units
		}
		most = max(most, s.units)
	}
	return view.Replicated(least, most, d.units)
}

// mostSide is that of a square of data at most.
const mostSide = 80 * vg.Millimeter

// leastSide is that of a square as wide as the title below it.
func (d *curveDrawing) leastSide() vg.Length {
	return max(leastData, canvas.Style(canvas.Face(canvas.LabelSize)).Width(d.kind.x))
}

// squareHeight is that of a panel whose data are square, where a page has room for all
// rows of such panels and the names have room beside the data.
func (d *curveDrawing) squareHeight() vg.Length {
	const large = 1000 * vg.Millimeter
	body := draw.Canvas{Rectangle: vg.Rectangle{Max: vg.Point{X: large, Y: large}}}
	data := canvas.Axes(d.unitAxes(), body)
	perRow := d.options.perRow(d.count)
	rows := (d.count + perRow - 1) / perRow
	side, rest := min(mostSide, d.width()-d.namesRoom()-(large-data.Size().X)), large-data.Size().Y+d.headRoom()
	height, taller := min(side+rest, pageHeight/vg.Length(rows)), max(0, d.headRoom()-titleRoom)
	if d.options.Height > 0 {
		height = d.options.rowHeight(rows, taller) + taller
	}
	return max(height, d.leastSide()+rest, d.namesHeight()+taller, d.verticalStyle().Width(d.vertical)+2*canvas.Margin)
}

// unitAxes is an empty panel from 0 to 1 either way.
func (d *curveDrawing) unitAxes() *plot.Plot {
	p := canvas.NewPlot()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.X.Label.Text = d.kind.x
	horizontalGrid(p)
	verticalGrid(p)
	return p
}

// panel draws the diagonal and the curves, with their names at the right.
func (d *curveDrawing) panel(c draw.Canvas, i int) draw.Canvas {
	p := d.unitAxes()
	for _, other := range d.others[i] {
		p.Add(&plotter.Line{XYs: other.middle(), LineStyle: standsBack})
	}
	d.addBands(p, d.cells[i])
	p.Add(&plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, LineStyle: draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.6)}})
	d.addLines(p, d.cells[i])
	body := draw.Crop(c, 0, -d.namesRoom(), 0, -d.headRoom())
	data := canvas.Axes(p, body)
	wide, needed := data.Size().X-data.Size().Y, nameLine*vg.Length(max(d.beside, leastLines)-1)
	switch {
	case wide > 0:
		body = draw.Crop(body, 0, -wide, 0, 0)
	case data.Size().X >= needed:
		body = draw.Crop(body, 0, 0, -wide, 0)
	}
	data = canvas.Axes(p, body)
	p.Draw(body)
	d.title(c, data.Min.X, i)
	d.names(c, data, p, d.cells[i])
	return data
}

// curvesOf reads what was said in a cell, in the order in which names are written: the
// largest area at the top.
func (d *curveDrawing) curvesOf(c *records.Cell, ids []string) ([]curve, error) {
	list, err := d.listen(c, ids)
	if err != nil {
		return nil, err
	}
	d.said = append(d.said, list...)
	curves := make([]curve, len(list))
	for k, s := range list {
		curves[k] = s.average.curve()
		curves[k].id = s.id
		curves[k].spread(d.options.Band, d.Sampling[c.ID].Share)
	}
	slices.SortStableFunc(curves, func(a, b curve) int { return cmp.Compare(a.area, b.area) })
	return curves, nil
}

// spread makes the band of two standard errors.
func (c *curve) spread(band string, share float64) {
	for _, s := range c.sums {
		s = s.Sharing(share)
		half := 2 * s.MCSE
		if c.widen(s.MCSE); band == "none" || !(half > 0) { // NaN, too: one result has no error
			half = 0
		}
		c.mean, c.low, c.high = append(c.mean, s.Mean), append(c.low, max(0, s.Mean-half)), append(c.high, min(1, s.Mean+half))
	}
}
