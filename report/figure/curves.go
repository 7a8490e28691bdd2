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
	"copse/report/panels"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A curveKind is what ROC curves and reliability curves differ in.
type curveKind struct {
	x, y     string // titles of the axes
	needs    metrics.Need
	anyClass bool // of more than two classes the curve may be of each row's predicted class
	average  func(o *Options, place int) average
	facts    func(d *predictionChart) facts
}

// A predictionChart is a page of curves from 0 to 1 on both axes, made from kept predictions. A panel is one cell: the
// curve of several cells would be that of no problem.
type predictionChart struct {
	*chart
	kind      *curveKind
	collected []*collection // by cell and classifier
	units     string        // that the curves average
	positives []string      // the positive class of each cell with curves, in words
	rest      bool          // the other classes are several
}

// page draws the curves of the cells of a page.
func (k *curveKind) page(r *request, page view.Group) (drawn, error) {
	if err := r.checkPredictions(); err != nil {
		return drawn{}, err
	}
	r = r.byCell(page.Cells)
	singles := view.Singles(page.Cells)
	d := predictionChart{kind: k, units: r.Units(singles), chart: newChart(r)}
	d.X = panels.Scale{Title: k.x, Grid: true, Spans: []panels.Span{{Low: 0, High: 1}}}
	d.Y = panels.Scale{Title: k.y, Grid: true, Spans: d.X.Spans}
	d.measure, d.Square, d.behind = &view.Measure{Name: k.y}, true, diagonal
	var classes []string // by group; "" without predictions
	_, err := d.add(page, func(g *view.Group) ([]curve, error) {
		before := len(d.positives)
		curves, err := d.cellCurves(&g.Cells[0])
		classes = append(classes, strings.Join(d.positives[before:], ""))
		return curves, err
	})
	if err == nil {
		err = d.checkAny()
	}
	if err != nil {
		return drawn{}, err
	}
	d.nameClasses(classes)
	d.fit()
	about := k.facts(&d)
	about["Class"], about["Over"] = d.positiveWords(), d.replication()
	about["Band"], about["Errors"], about["LargestError"] = r.o.Band, r.Errors(singles), d.largestError()
	about["Omitted"] = d.omitted()
	return d.picture(page, about), nil
}

// checkPredictions refuses studies that keep no predictions, and bands of other kinds.
func (r *request) checkPredictions() error {
	switch {
	case r.Predictions == nil:
		return view.Mistaken([]string{"kind"}, "", "a figure of kind %s is drawn from predictions of the test rows, "+
			"which the study does not keep: give it predictions: keep and run it", r.o.Kind)
	case r.o.Band != "2se" && r.o.Band != "none":
		return view.Mistaken([]string{"band"}, "", "the bands of a figure of kind %s are 2se or none, not %s",
			r.o.Kind, r.o.Band)
	}
	return nil
}

// byCell returns the request with a panel for each of the cells.
func (r *request) byCell(cells []records.Cell) *request {
	other := *r
	for _, factor := range r.Varying(cells) {
		if !slices.Contains(other.o.Panel, factor) {
			other.o.Panel = append(slices.Clone(other.o.Panel), factor)
		}
	}
	return &other
}

// diagonal draws the ROC curve of guessing, which is also where predicted probabilities are observed frequencies.
func diagonal(c draw.Canvas, p *plot.Plot, _ int) {
	line := plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}},
		LineStyle: draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.6)}}
	line.Plot(c, p)
}

// cellCurves returns the curves of a cell, those with the largest area last: their names are written at the top.
func (d *predictionChart) cellCurves(c *records.Cell) ([]curve, error) {
	list, err := d.collect(c)
	if err != nil {
		return nil, err
	}
	d.collected = append(d.collected, list...)
	curves := make([]curve, len(list))
	for k, s := range list {
		curves[k] = s.average.curve()
		curves[k].id = s.id
		d.addErrors(curves[k].points, d.Sampling[c.ID].Share)
	}
	slices.SortStableFunc(curves, func(a, b curve) int { return cmp.Compare(a.area, b.area) })
	return curves, nil
}

// addErrors adds bands of two standard errors, within 0 and 1, to points whose units share test rows in this part.
func (d *predictionChart) addErrors(points []point, share float64) {
	for i, p := range points {
		s := p.Sharing(share)
		half := 2 * s.MCSE
		if d.o.Band == "none" {
			half = 0
		}
		p = withError(p.x, s, half)
		p.low, p.high = max(0, p.low), min(1, p.high)
		points[i] = p
	}
}

// positive returns the positive class of a cell with so many classes; -1: each row's predicted class.
func (d *predictionChart) positive(c *records.Cell, classes int) (int, error) {
	class, err := d.positiveOf(d.Classes[c.ID], classes)
	if err != nil {
		return 0, view.Mistaken([]string{"class"}, "", "%w%s", err, d.Elsewhere(c))
	}
	d.positives = append(d.positives, className(class, d.Classes[c.ID]))
	d.rest = d.rest || class >= 0 && classes > 2
	return class, nil
}

// positiveOf returns the class that the key class names or, without one, the second of two.
func (d *predictionChart) positiveOf(names []string, classes int) (int, error) {
	switch {
	case d.o.Class != "":
		class, err := metrics.ClassCode(d.o.Class, names)
		if err == nil && class >= classes {
			err = fmt.Errorf("no class %q; there are %d", d.o.Class, classes)
		}
		return class, err
	case classes == 2:
		return 1, nil
	case d.kind.anyClass:
		return -1, nil
	case len(names) > 0:
		return 0, fmt.Errorf("a curve is of one class against the others, and there are %d: name it with class, one "+
			"of %s",
			classes, strings.Join(names, ", "))
	}
	return 0, fmt.Errorf("a curve is of one class against the others, and there are %d: name it with class", classes)
}

// className returns a class in words.
func className(class int, names []string) string {
	switch {
	case class < 0:
		return "the predicted class"
	case class < len(names):
		return "class " + names[class]
	}
	return "class " + strconv.Itoa(class)
}

// classes returns the positive classes of all cells, each once.
func (d *predictionChart) classes() (list []string) {
	for _, words := range d.positives {
		if !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return list
}

// nameClasses adds the positive class of each group to the titles of its panels where the groups differ in it.
func (d *predictionChart) nameClasses(classes []string) {
	if len(d.classes()) < 2 {
		return
	}
	for i := range d.Titles {
		if class := classes[i]; class != "" {
			d.Titles[i] += ", " + class
		}
	}
}

// positiveWords returns the positive class for the caption.
func (d *predictionChart) positiveWords() string {
	switch list := d.classes(); len(list) {
	case 0:
		return "a class"
	case 1:
		return list[0]
	}
	return "the class that a panel names"
}

// checkAny returns an error if fits succeeded and none of them makes a curve.
func (d *predictionChart) checkAny() error {
	var undefined, lacking []string
	succeeded := 0
	for _, s := range d.collected {
		succeeded += s.succeeded
		switch {
		case s.units > 0:
			return nil
		case s.lacking:
			lacking = addOnce(lacking, s.id)
		case s.undefined > 0:
			undefined = addOnce(undefined, s.id)
		}
	}
	switch {
	case succeeded == 0:
		return nil
	case len(undefined) > 0:
		return view.Mistaken([]string{"class"}, "", "the test rows of all %s are all or none of %s",
			d.units, strings.Join(d.classes(), " or "))
	case len(lacking) > 0:
		slices.Sort(lacking)
		return view.Mistaken([]string{"columns"}, "", "a curve needs %s, which these classifiers do not give: %s",
			d.kind.needs, d.Labels(lacking))
	}
	return view.Mistaken([]string{"kind"}, "", "of these cells no predictions are in the folder predictions "+
		"beside the records: put it there, or run the study again")
}

// addOnce appends a string that the list does not have.
func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// omissions are the classifiers without a whole curve, by reason.
type omissions struct {
	Needs                 metrics.Need
	Units                 string
	Lacking, Lost, Absent string
	Undefined, Of         int // units whose test rows make no curve, at most, and the units of that classifier
}

// omitted returns the omissions of the page.
func (d *predictionChart) omitted() omissions {
	var lacking, lost, absent []string
	o := omissions{Needs: d.kind.needs, Units: d.units}
	ran := map[string]bool{}
	for _, s := range d.collected {
		ran[s.id] = ran[s.id] || s.succeeded > 0
	}
	for _, s := range d.collected {
		switch {
		case s.lacking:
			lacking = addOnce(lacking, s.id)
		case s.kept() < s.succeeded:
			lost = addOnce(lost, s.id)
		case !ran[s.id]:
			absent = addOnce(absent, s.id)
		}
		if s.undefined > o.Undefined {
			o.Undefined, o.Of = s.undefined, s.kept()
		}
	}
	o.Lacking, o.Lost, o.Absent = d.Labels(lacking), d.Labels(lost), d.Labels(absent)
	return o
}

// replication returns the number of units that the curves average, in words.
func (d *predictionChart) replication() string {
	least, most := 0, 0
	for _, s := range d.collected {
		if s.units > 0 && (least == 0 || s.units < least) {
			least = s.units
		}
		most = max(most, s.units)
	}
	return view.Replicated(least, most, d.units)
}
