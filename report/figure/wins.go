package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// winPage draws a panel for each group of cells, with a row for each rival of the champion. A row
// shows the proportion of cells in which the champion is significantly better, as in Figure 5 of Dorn
// (2018). The page also lists the families of hypotheses that it tests.
func winPage(r *request, page view.Group, groups []view.Group) (drawnPage, error) {
	compared := r.Compared(r.measure, r.classifiers) // the champion and its rivals
	if err := r.checkChampion(compared); err != nil {
		return drawnPage{}, err
	}
	options := verdicts.WinOptions{Metric: r.measure.Metric, Alpha: r.Alpha, Paired: r.Paired}
	rivals := view.Except(compared, r.options.Champion)
	var contents []rowPanel
	var families []view.Family // of hypotheses
	var all []verdicts.Wins    // in all panels
	for i := range groups {
		cells := r.TreatFailuresInEach(groups[i].Cells)
		wins, err := verdicts.CountWins(cells, r.options.Champion, rivals, options)
		if err != nil {
			return drawnPage{}, err
		}
		all = append(all, wins...)
		contents = append(contents, r.winPanel(&groups[i], wins))
		families = append(families, r.winFamilies(cells, compared)...)
	}
	unit := []panels.Range{{Low: 0, High: 1}}
	shares := panels.Scale{Title: "cells won by " + r.Label(r.options.Champion), Hidden: true, Ranges: unit}
	d := newRowChart(r, shares, contents)
	return r.captioned(&d.Page, r.winFacts(page, compared, all), families...), nil
}

// winFacts returns the facts for the template of the caption. The parameter compared lists the champion and its rivals,
// and all contains the tests of all panels.
func (r *request) winFacts(page view.Group, compared []string, all []verdicts.Wins) captionFacts {
	singles := view.SingleCellGroups(page.Cells) // each cell has its own tests
	hasChampion := func(c records.Cell) bool {
		return len(verdicts.Ran(&c, []string{r.options.Champion})) > 0
	}
	withoutChampion := slices.DeleteFunc(r.TreatFailuresInEach(page.Cells), hasChampion)
	return captionFacts{"Champion": r.Label(r.options.Champion), "Metric": r.measure.Name,
		"Tests": r.TestLabels(singles, false), "Replication": r.Replication(singles, r.measure, compared),
		"Level": view.Number(r.Alpha), "Impossible": impossibleWins(all),
		"Without": len(withoutChampion), "Cells": len(page.Cells),
		"Failed": r.FailedFitsSentence("Comparisons", page.Cells, compared)}
}

// checkChampion returns an error if the figure cannot count wins. The figure needs a metric that is computed from
// predictions of test rows, at least two compared classifiers, and a champion among them.
func (r *request) checkChampion(compared []string) error {
	switch {
	case !r.measure.OfPredictions:
		return view.OptionError("metric",
			"wins need a metric that is computed from predictions, not %s", r.measure.Name)
	case len(compared) < 2:
		return view.OptionError("family columns",
			"wins need a champion and at least one rival, but the number of compared classifiers is %d", len(compared))
	case r.options.Champion == "":
		return view.OptionError("champion",
			"a figure of kind `wins` needs the key `champion`, the classifier whose wins it counts: one of %s",
			strings.Join(compared, ", "))
	case !slices.Contains(compared, r.options.Champion):
		return view.ValueError("champion", r.options.Champion,
			"the champion is %q; set it to the classifier whose wins the figure counts, one of %s",
			r.options.Champion, strings.Join(compared, ", "))
	}
	return r.checkTestRows("wins")
}

// winPanel returns the panel for a group of cells. It omits a rival if there is no cell in which
// both the rival and the champion have results.
func (r *request) winPanel(g *view.Group, wins []verdicts.Wins) rowPanel {
	content := rowPanel{title: r.panelTitle(g), cells: g.Cells, dashedAt: math.NaN()}
	for _, w := range wins {
		if cells := comparedCells(&w); cells > 0 {
			content.rows = append(content.rows, r.winRow(w.Competitor, w.Won, cells))
		}
	}
	if len(content.rows) == 0 {
		content.title = joinNonEmpty(": ", content.title, "no cell has results of the champion and a rival")
	}
	return content
}

// comparedCells returns the number of cells in which both the champion and the rival have results.
func comparedCells(w *verdicts.Wins) int {
	n := 0
	for _, t := range w.Tests {
		if t.Pairs > 0 {
			n++
		}
	}
	return n
}

// impossibleWins returns how many tests cannot show a win, as in "all tests" or "3 of 48 tests". It
// returns "" if every test can.
func impossibleWins(all []verdicts.Wins) string {
	tests, impossible := 0, 0
	for _, w := range all {
		for _, test := range w.Tests {
			if test.Pairs == 0 {
				continue // the champion or the rival has no results in this cell
			}
			tests++
			if !test.Attainable {
				impossible++
			}
		}
	}
	switch impossible {
	case 0:
		return ""
	case tests:
		return "all tests"
	}
	return fmt.Sprintf("%d of %d tests", impossible, tests)
}

// winRow returns the row of a rival. The outlined rectangle represents all cells, and the filled part those
// that the champion won.
func (r *request) winRow(rival string, won, cells int) row {
	const halfHeight = 5 // points
	count := fmt.Sprintf("%d of %d", won, cells)
	return row{id: rival, note: count, hover: []string{"cells won: " + count},
		draw: func(c draw.Canvas, x func(float64) vg.Length, y vg.Length) {
			share := float64(won) / float64(cells)
			fill := canvas.FillColour(Colour(r.View, rival))
			canvas.FillRectangle(c, fill, x(0), y-halfHeight, x(share), y+halfHeight)
			canvas.StrokeRectangle(c, canvas.DarkGrey, vg.Points(0.4), x(0), y-halfHeight, x(1), y+halfHeight)
		}}
}

// winFamilies describes in words the families of hypotheses that a panel tests, one for each rival of the
// champion. A family has one hypothesis, and so one test, for each cell in which both the champion and the rival
// have results. A rival without such cells has no family. classifiers lists the champion and all rivals.
func (r *request) winFamilies(cells []records.Cell, classifiers []string) (list []view.Family) {
	singles := view.SingleCellGroups(cells)
	for _, rival := range view.Except(classifiers, r.options.Champion) {
		sharedCells := verdicts.Shared(cells, r.options.Champion, rival)
		if sharedCells == 0 {
			continue
		}
		list = append(list, view.Family{
			Measure: r.measure.Name, Members: classifiers, Unit: "rival", Hypotheses: sharedCells,
			Level: fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(r.Alpha)),
			Compares: fmt.Sprintf("In each cell, a one-sided %s on paired %s tests whether %s has a smaller loss than "+
				"the rival.", r.TestLabels(singles, false), r.UnitNoun(singles), r.Label(r.options.Champion)),
		})
	}
	return list
}
