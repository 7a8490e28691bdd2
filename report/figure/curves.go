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

// A curveKind is a kind of curves made from predictions.
type curveKind struct {
	x, y     string // titles of the axes
	needs    metrics.Need
	anyClass bool // of more than two classes the curve may be of each row's predicted class
	average  func(o *Options, place int) average
	facts    func(d *predictionChart) facts // that only the caption of this kind states
}

// A predictionChart is a page of curves from 0 to 1 on both axes, made from kept predictions. A panel is
// one cell, since the cells of a group are different problems.
type predictionChart struct {
	*chart
	kind      *curveKind
	collected []*collection // by cell and classifier
	units     string        // "replicates" or "tasks"
	positives []string      // positive classes in words, each once
	rest      bool          // the positive class is one against several others
}

// page draws the curves of the cells of a page.
func (k *curveKind) page(r *request, page view.Group) (drawn, error) {
	if err := r.checkPredictions(); err != nil {
		return drawn{}, err
	}
	r = r.byCell(page.Cells)
	singles := view.Singles(page.Cells)
	d := predictionChart{kind: k, units: r.Units(singles), chart: newChart(r)}
	unit := []panels.Span{{Low: 0, High: 1}}
	d.X = panels.Scale{Title: k.x, Grid: true, Spans: unit}
	d.Y = panels.Scale{Title: k.y, Grid: true, Spans: unit}
	d.measure, d.Square, d.behind = &view.Measure{Name: k.y}, true, diagonal
	_, err := d.add(page, func(g *view.Group) ([]curve, error) { return d.cellCurves(&g.Cells[0]) })
	if err != nil {
		return drawn{}, err
	}
	if err := d.checkAny(); err != nil {
		return drawn{}, err
	}
	d.fit()
	about := k.facts(&d)
	about["Class"], about["Over"], about["Omitted"] = d.classWords(), d.replication(), d.omitted()
	about["Band"], about["Errors"], about["LargestError"] = r.o.Band, r.Errors(singles), d.largestError()
	return d.picture(page, about), nil
}

// checkPredictions returns an error if the study keeps no predictions or the band is one of means.
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

// byCell returns a copy of the request in which each cell has a panel of its own.
func (r *request) byCell(cells []records.Cell) *request {
	other := *r
	for _, factor := range r.Varying(cells) {
		if !slices.Contains(other.o.Panel, factor) {
			other.o.Panel = append(slices.Clone(other.o.Panel), factor)
		}
	}
	return &other
}

// diagonal draws the line of equal values: the ROC curve of guessing, or perfect reliability.
func diagonal(c draw.Canvas, p *plot.Plot, _ int) {
	line := plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}},
		LineStyle: draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.6)}}
	line.Plot(c, p)
}

// cellCurves returns the curves of a cell, those with the largest area last.
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

// addErrors adds bands of two standard errors, within 0 and 1, to points. share is the share of test rows
// that units have in common.
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
	d.positives = addOnce(d.positives, className(class, d.Classes[c.ID]))
	d.rest = d.rest || class >= 0 && classes > 2
	return class, nil
}

// positiveOf returns the class that the key class names. Without the key it is the second of two classes;
// of more classes it is -1, if the kind allows that, or an error.
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
	}
	err := fmt.Errorf("a curve is of one class against the others, and there are %d: name it with class", classes)
	if len(names) > 0 {
		err = fmt.Errorf("%w, one of %s", err, strings.Join(names, ", "))
	}
	return 0, err
}

// className returns "class yes"; a class of -1 is the predicted class of each row.
func className(class int, names []string) string {
	switch {
	case class < 0:
		return "the predicted class"
	case class < len(names):
		return "class " + names[class]
	}
	return "class " + strconv.Itoa(class)
}

// classWords returns the positive classes for the caption.
func (d *predictionChart) classWords() string {
	if d.positives == nil {
		return "a class"
	}
	return strings.Join(d.positives, " or ")
}

// checkAny returns an error if fits succeeded but no classifier has a curve.
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
			d.units, d.classWords())
	case len(lacking) > 0:
		slices.Sort(lacking)
		return view.Mistaken([]string{"columns"}, "", "a curve needs %s, which these classifiers do not give: %s",
			d.kind.needs, d.Labels(lacking))
	}
	return view.Mistaken([]string{"kind"}, "", "of these cells no predictions are in the folder predictions "+
		"beside the records: put it there, or run the study again")
}

// omissions are the results that curves leave out, for the caption.
type omissions struct {
	Needs         metrics.Need
	Units         string
	Lacking       string // classifiers without the scores or probabilities needed
	Lost          string // classifiers whose predictions are not all kept
	Absent        string // classifiers without results
	Undefined, Of int    // largest number of units without a curve, of so many units of one classifier
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
