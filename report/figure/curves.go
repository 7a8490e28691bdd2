package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
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

	// average returns an empty average for one cell and one classifier, which has the given number in the study.
	average      func(d *predictionChart, cell string, number int) average
	axisEnd      func(d *predictionChart) float64      // upper end of both axes; nil: 1
	captionFacts func(d *predictionChart) captionFacts // facts of this kind of figure
}

// A predictionChart is a page of curves that are computed from stored predictions. Both axes have the same range,
// which begins at 0.
// Each panel shows a single cell, because cells are different problems.
type predictionChart struct {
	*chart
	kind            *curveKind
	collections     []*collection // by cell and classifier
	unitNoun        string        // "replicates" or "tasks"
	positiveClasses []string      // distinct positive classes in words
	oneAgainstRest  bool          // the positive class is compared with more than one other class
}

// page draws one page of curves, with a panel for each cell. It ignores r.panels, which can combine several
// cells.
func (k *curveKind) page(r *request) (*drawnPage, error) {
	if err := r.checkPredictions(); err != nil {
		return nil, err
	}
	// If all factors that vary divide the panels, each group is a single cell.
	factors := view.AddNew(slices.Clone(r.options.Panel), r.Varying(r.pageCells)...)
	cellPanels, err := r.Groups(r.pageCells, factors)
	if err != nil {
		return nil, err
	}
	// Captions follow the order of the study file, but panels may not.
	inStudyOrder := view.SingleCellGroups(r.pageCells)
	d := k.newChart(r, r.UnitNoun(inStudyOrder))
	for i := range cellPanels {
		panel := &cellPanels[i]
		curves, err := d.cellCurves(&panel.Cells[0])
		if err != nil {
			return nil, err
		}
		d.addPanel(panel, curves)
	}
	if err := d.checkAnyCurve(); err != nil {
		return nil, err
	}
	if k.axisEnd != nil {
		d.X.Ranges = panels.OneRange(0, k.axisEnd(d))
		d.Y.Ranges = d.X.Ranges
	}
	d.layOut()
	facts := k.captionFacts(d)
	facts["Class"] = d.classWords()
	facts["Replication"] = d.replication(inStudyOrder) // such as "R = 50 replicates"
	facts["Omitted"] = d.omissions()
	facts["Errors"] = r.errorNoun(inStudyOrder, r.measure)
	facts["HasBands"] = r.options.Band == "2se"
	facts["LargestError"] = d.largestError()
	return d.finish(view.Curves, facts), nil
}

// newChart returns an empty chart with square panels. Each panel has a diagonal line.
func (k *curveKind) newChart(r *request, unitNoun string) *predictionChart {
	own := *r // the curves show rates instead of the metric of the study file
	own.measure = &view.Measure{Name: k.y}
	d := &predictionChart{kind: k, unitNoun: unitNoun, chart: newChart(&own)}
	unit := panels.OneRange(0, 1)
	d.X = panels.Scale{Title: k.x, Grid: true, Ranges: unit}
	d.Y = panels.Scale{Title: k.y, Grid: true, Ranges: unit}
	d.Square, d.drawBehind = true, diagonal
	return d
}

// checkPredictions returns an error if the study does not store predictions, or if the curves cannot have the
// bands in Options.Band.
func (r *request) checkPredictions() error {
	switch {
	case r.Predictions == nil:
		return view.OptionError("kind", "a figure of kind `%s` needs the predictions of the test rows, "+
			"which the study does not keep: add `predictions: keep` and run the study again", r.options.Kind)
	case r.options.Band != "2se" && r.options.Band != "none":
		return view.OptionError("band", "a figure of kind `%s` allows `band: 2se` or `band: none`, not %q",
			r.options.Kind, r.options.Band)
	}
	return nil
}

// diagonal draws the line from (0, 0) to (1, 1): the ROC curve of random guessing, and the reliability curve of
// perfect probabilities.
func diagonal(c draw.Canvas, p *plot.Plot, _ int) {
	line := plotter.Line{XYs: plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}},
		LineStyle: canvas.Line(canvas.DarkGrey, 0.6)}
	line.Plot(c, p)
}

// cellCurves returns the curves of a cell. The best curves are last, so that they are drawn over the others.
func (d *predictionChart) cellCurves(c *records.Cell) ([]curve, error) {
	list, err := d.collect(c)
	if err != nil {
		return nil, err
	}
	d.collections = append(d.collections, list...)
	curves := make([]curve, len(list))
	for k, s := range list {
		curves[k] = s.average.curve()
		curves[k].id = s.id
		d.addErrors(curves[k].points, d.Sampling[c.ID].TestRatio)
	}
	slices.SortStableFunc(curves, func(a, b curve) int { return cmp.Compare(a.area, b.area) })
	return curves, nil
}

// addErrors adds an error band of two standard errors, between 0 and 1, to each point. If Options.Band is
// "none", there are no bands.
//
// For means over folds or splits of one data set, share is the ratio of test rows to training rows. Otherwise,
// share is 0.
func (d *predictionChart) addErrors(points []point, share float64) {
	for i, p := range points {
		p.Summary = p.Sharing(share)
		half := 2 * p.MCSE
		if d.options.Band == "none" {
			half = 0
		}
		p = p.withErrorBand(half)
		p.low, p.high = max(0, p.low), min(1, p.high)
		points[i] = p
	}
}

// positiveClass returns the positive class of a cell (see findPositive). It also records the class for the
// caption.
func (d *predictionChart) positiveClass(c *records.Cell, classes int) (int, error) {
	class, err := d.findPositive(d.Classes[c.ID], classes)
	if err != nil {
		return 0, view.OptionError("class", "%w%s", err, d.CellHint(c))
	}
	d.positiveClasses = view.AddNew(d.positiveClasses, className(class, d.Classes[c.ID]))
	d.oneAgainstRest = d.oneAgainstRest || class != predictedClass && classes > 2
	return class, nil
}

// predictedClass is returned by findPositive if the positive class of each test row is the class predicted for it.
const predictedClass = -1

// findPositive returns the code of the positive class: the class in the option class or, by default, class 1 of
// two classes. With more classes, it returns an error or, if the kind of figure allows any class, predictedClass.
//
// The list names contains the class names, or is empty if they are unknown.
func (d *predictionChart) findPositive(names []string, classes int) (int, error) {
	switch {
	case d.options.Class != "":
		class, err := metrics.ClassCode(d.options.Class, names)
		if err == nil && class >= classes {
			err = fmt.Errorf("class %q does not exist: there are %d classes", d.options.Class, classes)
		}
		return class, err
	case classes == 2:
		return 1, nil
	case d.kind.anyClass:
		return predictedClass, nil
	}
	// Only ROC curves remain. Their positive class must be chosen.
	choices := fmt.Sprintf("the codes 0 to %d", classes-1)
	if len(names) > 0 {
		choices = strings.Join(names, ", ")
	}
	return 0, fmt.Errorf("a ROC curve compares one class with the others: set `class` to one of %s", choices)
}

// className returns the name of a class for captions, such as "class yes". For predictedClass, it returns "the
// predicted class".
func className(class int, names []string) string {
	switch {
	case class == predictedClass:
		return "the predicted class"
	case class < len(names):
		return "class " + names[class]
	}
	return "class " + strconv.Itoa(class)
}

// classWords names the positive classes of all cells.
func (d *predictionChart) classWords() string {
	if d.positiveClasses == nil {
		return "a class"
	}
	return strings.Join(d.positiveClasses, " or ")
}

// checkAnyCurve returns an error if fits succeeded but no classifier has a curve. For example, all test rows may
// belong to the positive class.
func (d *predictionChart) checkAnyCurve() error {
	var undefined, lacking []string
	succeeded := 0 // over all classifiers
	for _, s := range d.collections {
		succeeded += s.succeeded
		switch {
		case s.averagedUnits > 0:
			return nil // this classifier has a curve
		case s.lacksScores:
			lacking = view.AddNew(lacking, s.id)
		case s.undefinedUnits > 0:
			undefined = view.AddNew(undefined, s.id)
		}
	}
	switch {
	case succeeded == 0:
		return nil // the caption counts the failed fits
	case len(undefined) > 0:
		return view.OptionError("class", "no curve can be drawn, because all or none of the test rows "+
			"belong to %s in each of the %s", d.classWords(), d.unitNoun)
	case len(lacking) > 0:
		slices.Sort(lacking)
		return view.OptionError("columns", "a curve needs %s, but these classifiers return none: %s",
			d.kind.needs, d.Labels(lacking))
	}
	return view.OptionError("kind", "the predictions folder beside the records contains no predictions "+
		"for this figure: restore the folder, or run the study again")
}

// omissions describes the results without a curve, for the caption.
type omissions struct {
	Needs   metrics.Need
	Units   string
	Lacking string // classifiers that return no scores or probabilities
	Lost    string // classifiers for which some predictions were not kept
	Absent  string // classifiers without results
	// Stored is the number of units, such as replicates, with stored predictions. Undefined of them have no
	// curve. Both are from the collection with the most units without a curve.
	Undefined, Stored int
}

// omissions describes the results without a curve, except failed fits: classifiers that return no
// scores (Lacking), with results but lost predictions (Lost), and without any successful result
// (Absent). It also counts the units (replicates or tasks) for which the curve is undefined.
func (d *predictionChart) omissions() omissions {
	var withoutScores, withoutPredictions, withoutResults []string // classifiers
	o := omissions{Needs: d.kind.needs, Units: d.unitNoun}
	ran := map[string]bool{}
	for _, s := range d.collections {
		ran[s.id] = ran[s.id] || s.succeeded > 0
	}
	for _, s := range d.collections {
		switch {
		case s.lacksScores:
			withoutScores = view.AddNew(withoutScores, s.id)
		case s.storedUnits() < s.succeeded: // some successful units lack predictions
			withoutPredictions = view.AddNew(withoutPredictions, s.id)
		case !ran[s.id]:
			withoutResults = view.AddNew(withoutResults, s.id)
		}
		if s.undefinedUnits > o.Undefined { // the largest number of any collection
			o.Undefined, o.Stored = s.undefinedUnits, s.storedUnits()
		}
	}
	o.Lacking = d.Labels(withoutScores)
	o.Lost = d.Labels(withoutPredictions)
	o.Absent = d.Labels(withoutResults)
	return o
}

// replication returns how many units each curve averages, as in "R = 45 to 50 replicates".
func (d *predictionChart) replication(cells []view.Group) string {
	var units view.Range
	for _, s := range d.collections {
		units.Add(s.averagedUnits)
	}
	return d.ResultWords(units, cells)
}
