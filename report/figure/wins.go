package figure

import (
	"fmt"
	"math"
	"strings"

	"copse/report/canvas"
	"copse/report/panels"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// winPage draws a panel for each group of cells. A row shows the proportion of cells in which the
// champion is significantly better than a rival (Dorn 2018, Figure 5).
func winPage(r *request) (*drawnPage, error) {
	compared := r.Compared(r.measure, r.classifiers) // the champion and its rivals
	if err := r.checkChampion(compared); err != nil {
		return nil, err
	}
	wins, err := r.countWins(compared)
	if err != nil {
		return nil, err
	}
	var contents []rowPanel
	for i := range r.panels {
		contents = append(contents, r.winPanel(&r.panels[i], wins))
	}
	shares := panels.Scale{Title: "cells won by " + r.Label(r.options.Champion), Hidden: true,
		Ranges: panels.OneRange(0, 1)}
	d := newRowChart(r, shares, contents)
	families := r.winFamilies(compared, wins) // the hypotheses that the page tests
	return r.captioned(&d.Page, r.winFacts(compared, wins), families...), nil
}

// countWins tests within each cell whether the champion is better than a rival. It returns the tests
// against each rival. The compared classifiers include the champion.
func (r *request) countWins(compared []string) ([]verdicts.Wins, error) {
	var used []records.Cell // the results that the tests use
	for _, single := range view.SingleCellGroups(r.pageCells) {
		used = append(used, r.PoolFor(&single, r.measure, compared))
	}
	rivals := view.Except(compared, r.options.Champion)
	return verdicts.CountWins(used, r.options.Champion, rivals,
		verdicts.WinOptions{Metric: r.measure.Metric, Alpha: r.Alpha, Paired: r.Paired})
}

// winFacts returns the facts that the caption's template inserts. The compared classifiers
// include the champion. wins[i] contains the tests against one rival, with one test for each cell.
func (r *request) winFacts(compared []string, wins []verdicts.Wins) captionFacts {
	cells := view.SingleCellGroups(r.pageCells) // a group for each cell, because a test uses the results of one cell
	var tests []verdicts.Win                    // one for each rival and cell
	for _, w := range wins {
		tests = append(tests, w.Tests...)
	}
	var pairs view.Range // numbers of paired results in a test
	for _, test := range tests {
		pairs.Add(test.Pairs)
	}
	counted := r.allCompared() // classifiers whose missing results the caption counts
	lackingMetric := r.LeftOutResults(cells, r.measure, counted)
	// notCompared is a sentence that names the classifiers with too many undefined results.
	notCompared := r.UndefinedSentence("Not compared", cells, r.measure, compared)
	return captionFacts{
		"Champion":    r.Label(r.options.Champion),
		"Better":      r.measure.Better(),                    // "smaller" or "larger"
		"Level":       view.Number(r.Alpha),                  // significance level
		"Tests":       r.TestLabels(cells, view.PairedTests), // names of the paired tests
		"Replication": r.ResultWords(pairs, cells),           // number of results in a test, such as "R = 10 folds"
		"Impossible":  impossibleWins(tests),
		"Without":     r.cellsWithoutChampion(),
		"Cells":       len(r.pageCells),
		"Undefined":   lackingMetric + " " + notCompared,
		"Failed":      r.FailedFitsSentence("Comparisons", r.pageCells, counted),
	}
}

// cellsWithoutChampion returns the number of cells in which the champion has no results.
func (r *request) cellsWithoutChampion() (count int) {
	for _, cell := range r.TreatFailuresInEach(r.pageCells) {
		if values, _ := cell.Values(r.measure.Metric, r.options.Champion); len(values) == 0 {
			count++
		}
	}
	return count
}

// checkChampion returns an error if the figure cannot count wins. It needs a metric of predictions,
// at least two compared classifiers, and a champion among them.
func (r *request) checkChampion(compared []string) error {
	switch {
	case !r.measure.OfPredictions():
		return r.needsPredictions()
	case len(compared) < 2:
		return view.OptionError("family columns", // both keys can exclude rivals
			"a figure of kind `wins` compares a champion with at least one rival, but this figure has %s; list more "+
				"in `family` and `columns`", view.Plural(len(compared), "compared classifier", "compared classifiers"))
	case r.options.Champion == "":
		return view.OptionError("champion",
			"a figure of kind `wins` needs the key `champion`, the classifier whose wins it counts: one of %s",
			strings.Join(compared, ", "))
	}
	return r.checkTests(compared)
}

// winPanel returns the panel for a group of cells. wins contains the tests of all panels. The panel
// omits a rival that never has results in the same cell as the champion.
func (r *request) winPanel(g *view.Group, wins []verdicts.Wins) rowPanel {
	content := rowPanel{title: r.panelTitle(g), dashedAt: math.NaN()}
	for _, w := range wins {
		if won, cells := w.Count(g.Cells); cells > 0 {
			content.rows = append(content.rows, r.winRow(w.Competitor, won, cells))
		}
	}
	if len(content.rows) == 0 {
		content.title = joinNonEmpty(": ", content.title, "no cell has results for both the champion and a rival")
	}
	return content
}

// impossibleWins counts the tests that cannot show a win, as in "all tests" or "3 of 48 tests". It
// returns "" if every test can show a win.
func impossibleWins(tests []verdicts.Win) string {
	possible := view.Without(tests, func(t verdicts.Win) bool { return !t.Attainable })
	switch len(possible) {
	case len(tests):
		return ""
	case 0:
		return "all tests"
	}
	return fmt.Sprintf("%d of %d tests", len(tests)-len(possible), len(tests))
}

// winRow returns the row of a rival. An outlined rectangle represents all cells, and its filled
// part represents the cells that the champion won.
func (r *request) winRow(rival string, won, cells int) row {
	const halfHeight = 5 // points
	count := fmt.Sprintf("%d of %d", won, cells)
	return row{id: rival, note: count, hover: []string{"cells won: " + count},
		draw: func(c rowCanvas) {
			share := float64(won) / float64(cells)
			fill := canvas.FillColour(Colour(r.View, rival))
			bottom, top := c.y-halfHeight, c.y+halfHeight
			canvas.FillRectangle(c.Canvas, fill, c.x(0), bottom, c.x(share), top)
			canvas.StrokeRectangle(c.Canvas, canvas.Line(canvas.DarkGrey, 0.4), c.x(0), bottom, c.x(1), top)
		}}
}

// winFamilies describes the families of hypotheses that a page tests, one for each rival of the
// champion. A family has one hypothesis for each cell with results of both classifiers.
func (r *request) winFamilies(classifiers []string, wins []verdicts.Wins) (list []view.Family) {
	singles := view.SingleCellGroups(r.pageCells)
	for _, w := range wins {
		if len(w.Tests) == 0 {
			continue // no cell has results of this rival and the champion
		}
		list = append(list, view.Family{
			Measure: r.measure.Name, Members: classifiers, Hypotheses: len(w.Tests),
			Unit:  "rival", // there is one family for each rival
			Level: fmt.Sprintf("family-wise level %s, Bonferroni", view.Number(r.Alpha)),
			Compares: fmt.Sprintf("In each cell, a one-sided %s on paired %s tests whether %s has a %s %s than "+
				"the rival.", r.TestLabels(singles, view.PairedTests), r.UnitNoun(singles), r.Label(r.options.Champion),
				r.measure.Better(), r.measure.Name),
		})
	}
	return list
}
