package page

import (
	"fmt"
	"slices"
	"strings"

	"copse/report/view"
	"copse/stats/records"
)

// A fact is a named number, or range of numbers, that describes a study.
type fact struct {
	Name  string
	Value any
}

// facts returns the numbers of cells, classifiers, trials and fits of a study. The number of results per cell
// may be a range such as "45–50".
func facts(v *view.View) []fact {
	fits, failed := fitsOf(v)
	trials := 0
	for _, c := range v.FitCells { // each replicate is a trial
		trials += len(c.Replicates)
	}
	perCell, unit := repetitions(v)
	resultsPerCell := fmt.Sprint(perCell.Most)
	if perCell.Least < perCell.Most {
		resultsPerCell = fmt.Sprintf("%d–%d", perCell.Least, perCell.Most)
	}
	return []fact{
		{"cells (combinations of levels)", len(v.Cells)},
		{unit + " per cell", resultsPerCell},
		{"classifiers", len(v.Records.Classifiers)},
		{"trials (training and test sets)", trials},
		{"fits", fits},
		{"failed fits", len(failed)},
	}
}

// repetitions returns the numbers of results per cell, without failed draws of data. unit is the plural noun for
// results, such as "replicates" or "folds".
func repetitions(v *view.View) (perCell view.Range, unit string) {
	for _, c := range v.Cells {
		perCell.Add(view.CountDrawn(c))
	}
	return perCell, v.UnitNoun(view.SingleCellGroups(v.Cells))
}

// targets describes the estimands of the study: the expected values of the measures in the tables.
func targets(v *view.View, tables []Table) string {
	var names []string
	for _, t := range tables {
		for _, ofMetric := range t.MetricTables() {
			names = view.AddNew(names, ofMetric.Measure.Title())
		}
	}
	if names == nil {
		names = []string{"the " + v.ScoredRows(v.Cells) + " error"} // "the test error"
	}
	text := fmt.Sprintf("For each classifier in each cell, the study estimates the expected value of: %s, "+
		"%s.", strings.Join(names, ", "), randomVariation(v))
	for _, c := range v.Classifiers {
		if c.Oracle {
			text += fmt.Sprintf(" %s is the Bayes rule of the randomly drawn problem. It has the smallest expected "+
				"error. On a sample of test rows, another classifier can make fewer errors by chance.", v.Label(c.ID))
		}
	}
	return text
}

// randomVariation returns a phrase on the draws over which expectations are taken, such as "over new problems and
// new training sets".
func randomVariation(v *view.View) string {
	var words []string
	for _, c := range v.Cells {
		variation := "over new problems and new training sets"
		switch s := v.Sampling[c.ID]; {
		case s.OneTestSet:
			variation = "over fits evaluated on one test set of a data set"
		case s.OneDataSet:
			variation = "over splits of a data set"
		}
		words = view.AddNew(words, variation)
	}
	return strings.Join(words, ", ")
}

// performance returns sentences that explain means, standard errors, failed fits and tests.
func performance(v *view.View, tables []Table) string {
	units := v.UnitNoun(view.SingleCellGroups(v.Cells))
	sentences := []string{
		standardErrorSentences(v, units),
		"All classifiers of a trial see the same data, so comparisons are paired.",
		v.TreatmentSentence("Means and tests"),
	}
	if strings.Contains(units, "tasks") {
		sentences = append(sentences, "A task is one problem under cross-validation; its result is the mean over its "+
			"folds.")
	}
	// All tables use the same tests. Captions state the number of comparisons and the level.
	hasTests := func(t Table) bool { return t.HasTests() }
	if i := slices.IndexFunc(tables, hasTests); i >= 0 {
		sentences = append(sentences, tables[i].TestSentences())
	}
	return strings.Join(sentences, " ")
}

// standardErrorSentences returns sentences on means, standard deviations and standard errors over units such as
// "replicates", with the formula for folds or splits of one data set if a cell needs it.
func standardErrorSentences(v *view.View, units string) string {
	ofSplits := ""
	// Folds and splits share rows, so the usual standard error of a mean would be too small.
	splitsOneSet := func(c records.Cell) bool { return v.Sampling[c.ID].OneDataSet && !v.Sampling[c.ID].OneTestSet }
	if slices.ContainsFunc(v.Cells, splitsOneSet) {
		ofSplits = "; for folds or splits of one data set: standard deviation × √(1/R + test rows / all other rows)"
		if v.ScoresTraining(view.Group{Cells: v.Cells}) {
			ofSplits += "; for results on training rows: standard deviation × √(1/R + 1)"
		}
	}
	return fmt.Sprintf("Mean and standard deviation over the %s; Monte-Carlo standard error of a mean: standard "+
		"deviation / √R%s. The standard error of a mean over several cells uses the standard deviations within "+
		"cells or, if a cell has a single result, of all results. Tests of such a row use the standard deviation of "+
		"all its differences.", units, ofSplits)
}
