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

// A curveKind describes a kind of figure with curves that are computed from predictions.
type curveKind struct {
	x, y     string // titles of the axes
	needs    metrics.Need
	anyClass bool // with more than two classes, the positive class of a row may be its predicted class

	average func(o *Options, number int) average // for the classifier with this number in the study
	facts   func(d *predictionChart) facts       // what only the caption of this kind states
}

// A predictionChart is a page of curves that are computed from stored predictions. Both axes run from
// 0 to 1. Each panel shows a single cell, because different cells are different problems.
type predictionChart struct {
	*chart
	kind      *curveKind
	collected []*collection // by cell and classifier
	units     string        // "replicates" or "tasks"
	positives []string      // positive classes in words, each once
	rest      bool          // the positive class is compared with more than one other class
}

// page draws one page of this kind of figure. It ignores panels that the study file requests, since
// these may combine several cells.
func (k *curveKind) page(r *request, page view.Group, _ []view.Group) (drawn, error) {
	if err := r.checkPredictions(); err != nil {
		return drawn{}, err
	}
	factors := r.o.Panel
	for _, varying := range r.Varying(page.Cells) {
		factors = view.AddNew(slices.Clip(factors), varying)
	}
	groups, err := r.Groups(page.Cells, factors) // each is one cell
	if err != nil {
		return drawn{}, err
	}
	singles := view.Singles(page.Cells)
	d := k.newChart(r, r.Units(singles))
	for i := range groups {
		curves, err := d.cellCurves(&groups[i].Cells[0])
		if err != nil {
			return drawn{}, err
		}
		d.addPanel(&groups[i], curves)
	}
	if err := d.checkAny(); err != nil {
		return drawn{}, err
	}
	d.fit()
	about := k.facts(d)
	about["Class"], about["Over"], about["Omitted"] = d.classWords(), d.replication(), d.omitted()
	about["Band"], about["Errors"], about["LargestError"] = r.o.Band, r.Errors(singles), d.largestError()
	return d.picture(page, about), nil
}

// newChart returns an empty chart with square panels. Each panel has a diagonal line.
func (k *curveKind) newChart(r *request, units string) *predictionChart {
	own := *r
	own.measure = &view.Measure{Name: k.y}
	d := &predictionChart{kind: k, units: units, chart: newChart(&own)}
	unit := []panels.Span{{Low: 0, High: 1}}
	d.X = panels.Scale{Title: k.x, Grid: true, Spans: unit}
	d.Y = panels.Scale{Title: k.y, Grid: true, Spans: unit}
	d.Square, d.behind = true, diagonal
	return d
}

// checkPredictions returns an error if the study does not store predictions, or if the option band is
// neither 2se nor none.
func (r *request) checkPredictions() error {
	switch {
	case r.Predictions == nil:
		return view.Mistaken([]string{"kind"}, "", "a figure of kind %s needs the predictions of the test rows, "+
			"which the study does not keep: add predictions: keep and run the study again", r.o.Kind)
	case r.o.Band != "2se" && r.o.Band != "none":
		return view.Mistaken([]string{"band"}, "", "a figure of kind %s allows band: 2se or band: none, not %s",
			r.o.Kind, r.o.Band)
	}
	return nil
}

// diagonal draws the line from (0, 0) to (1, 1), which is the ROC curve of random guessing and the
// reliability curve of perfect probabilities.
func diagonal(c draw.Canvas, p *plot.Plot, _ int) {
	line := plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}},
		LineStyle: draw.LineStyle{Color: canvas.DarkGrey, Width: vg.Points(0.6)}}
	line.Plot(c, p)
}

// cellCurves returns the curves of a cell in ascending order of the area below them, so that the best
// curves are drawn last.
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

// addErrors adds an error band of two standard errors to each point, clipped to the range from 0 to 1.
// share is the proportion of test rows that two units have in common, which increases standard errors.
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

// positive returns the positive class of a cell, as positiveOf does, and records it for the caption.
func (d *predictionChart) positive(c *records.Cell, classes int) (int, error) {
	class, err := d.positiveOf(d.Classes[c.ID], classes)
	if err != nil {
		return 0, view.Mistaken([]string{"class"}, "", "%w%s", err, d.Elsewhere(c))
	}
	d.positives = view.AddNew(d.positives, className(class, d.Classes[c.ID]))
	d.rest = d.rest || class >= 0 && classes > 2
	return class, nil
}

// positiveOf returns the index of the class that the option class names. Without this option, it
// returns 1 if there are two classes. If there are more, it returns -1 for the predicted class of each
// row, or an error if this kind of curve needs a single class.
func (d *predictionChart) positiveOf(names []string, classes int) (int, error) {
	switch {
	case d.o.Class != "":
		class, err := metrics.ClassCode(d.o.Class, names)
		if err == nil && class >= classes {
			err = fmt.Errorf("class %q does not exist: there are %d classes", d.o.Class, classes)
		}
		return class, err
	case classes == 2:
		return 1, nil
	case d.kind.anyClass:
		return -1, nil
	}
	choices := fmt.Sprintf("the codes 0 to %d", classes-1)
	if len(names) > 0 {
		choices = strings.Join(names, ", ")
	}
	return 0, fmt.Errorf("a ROC curve compares one class with the others: set class to one of %s", choices)
}

// className returns the name of a class for captions, such as "class yes". For -1, it returns "the
// predicted class".
func className(class int, names []string) string {
	switch {
	case class < 0:
		return "the predicted class"
	case class < len(names):
		return "class " + names[class]
	}
	return "class " + strconv.Itoa(class)
}

func (d *predictionChart) classWords() string {
	if d.positives == nil {
		return "a class"
	}
	return strings.Join(d.positives, " or ")
}

// checkAny returns an error with the reason if fits succeeded but no classifier has a curve.
func (d *predictionChart) checkAny() error {
	var undefined, lacking []string
	succeeded := 0
	for _, s := range d.collected {
		succeeded += s.succeeded
		switch {
		case s.units > 0:
			return nil
		case s.lacking:
			lacking = view.AddNew(lacking, s.id)
		case s.undefined > 0:
			undefined = view.AddNew(undefined, s.id)
		}
	}
	switch {
	case succeeded == 0:
		return nil
	case len(undefined) > 0:
		return view.Mistaken([]string{"class"}, "", "no curve can be drawn, because all or none of the test rows "+
			"belong to %s in each of the %s", d.classWords(), d.units)
	case len(lacking) > 0:
		slices.Sort(lacking)
		return view.Mistaken([]string{"columns"}, "", "a curve needs %s, but these classifiers return none: %s",
			d.kind.needs, d.Labels(lacking))
	}
	return view.Mistaken([]string{"kind"}, "", "the folder predictions beside the records has no predictions for "+
		"this figure: restore the folder, or run the study again")
}

// omissions contains what the caption states about results without a curve.
type omissions struct {
	Needs   metrics.Need
	Units   string
	Lacking string // classifiers that return no scores or probabilities
	Lost    string // classifiers for which some predictions were not kept
	Absent  string // classifiers without results
	// Undefined is the largest number of units without a curve that any classifier has, and Of is the
	// number of all units of this classifier.
	Undefined, Of int
}

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
			lacking = view.AddNew(lacking, s.id)
		case s.kept() < s.succeeded:
			lost = view.AddNew(lost, s.id)
		case !ran[s.id]: // in no cell
			absent = view.AddNew(absent, s.id)
		}
		if s.undefined > o.Undefined {
			o.Undefined, o.Of = s.undefined, s.kept()
		}
	}
	o.Lacking, o.Lost, o.Absent = d.Labels(lacking), d.Labels(lost), d.Labels(absent)
	return o
}

// replication returns how many units a curve averages, such as "R = 45 to 50 replicates".
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
