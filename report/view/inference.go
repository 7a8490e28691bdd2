package view

import (
	"errors"
	"slices"

	"copse/stats"
	"copse/stats/recipe"
)

// Inference contains the options for comparing classifiers.
type Inference struct {
	// name of a paired test (see `copse list tests`). `auto` chooses `signed-rank` for independent
	// results and `corrected-t` for folds of one data set. If `correction: best` compares all pairs
	// of at least three classifiers, `auto` chooses `max-type` or `corrected-t-pairs` instead. If
	// all replicates have the same test set, `auto` chooses a test on its rows: `mcnemar` (errors
	// of one fit), `delong` (AUC of two classes) or `row-bootstrap`
	Test string `param:"test" enum:"auto,signed-rank,signed-rank-exact,sign,permutation,t,corrected-t,calibrated-t,mcnemar,delong,row-bootstrap"`
	// what counts as one result in a test. `replicate`: each replicate, or each fold. `task`: the
	// mean over the folds of a problem. `auto`: `task` for cross-validation of newly drawn
	// problems, otherwise `replicate`
	Unit string `param:"unit" enum:"auto,replicate,task"`
	// alternative hypothesis of a comparison. `two-sided`: the best classifier of the row and
	// another one differ. `less`: the champion has a smaller loss than another classifier
	Alternative string `param:"alternative" enum:"two-sided,less"`
	// if `alternative` is `less`: the classifier to compare with all others
	Champion string `param:"champion"`
	// family-wise level
	Alpha float64 `param:"alpha" range:"[1e-12,1)" share:"true"`
	// correction for the comparisons of one row. `best`: one max-type test of the means over all
	// pairs, with simultaneous intervals. This test is valid although the best classifier is chosen
	// on the same data. `pairs`: Bonferroni over all pairs. `bonferroni`, `holm`: over the
	// comparisons with the best classifier, as in the reproduced papers. The level of these two is
	// only nominal. `none`: no correction. If there is a `champion`, `best` is the same as
	// `bonferroni`. If there is none but `test` names a test, `best` is the same as `pairs`
	Correction string `param:"correction" enum:"best,bonferroni,holm,pairs,none"`
	// ids of the classifiers to compare; if empty, all classifiers except the oracle
	Family []string `param:"family"`
	// largest difference in loss that counts as equivalence in two one-sided tests. 0.03 is three
	// percentage points. 0 means no test. In joint tests of all pairs, the simultaneous interval
	// must lie within the margin
	Margin float64 `param:"margin" range:"[0,1)" share:"true"`
	// half-width of the region of practical equivalence of the Bayesian signed-rank test. 0.03 is
	// three percentage points. 0 means no test. The test needs independent results. Folds or splits
	// of one data set are dependent, so each row of a table must then pool several data sets
	// (`rows: []`)
	Rope float64 `param:"rope" range:"[0,1)" share:"true"`
	// desired half-width of the confidence interval for a difference. 0.01 is one percentage point.
	// The CSV file of a table gives the number of replicates that this half-width requires
	HalfWidth float64 `param:"half_width" range:"(0,1)" share:"true"`
	// factors that define the independent blocks for average ranks. Cells with the same levels of
	// these factors form a block. If the list is empty, cells with the same generator or data set
	// form a block. Two blocks must not contain the same generator, because they would not be
	// independent. A block must not contain both cells of a generator and cells of a data set. This
	// applies to all cells of the study, even those that `where` leaves out. If necessary, add
	// a factor that separates them
	Blocks []string `param:"blocks" distinct:"true"`
	// treatments of failed fits. `common`: the replicate of a failed fit is left out for all
	// classifiers. `fallback`: the fit gets the score of the classifier in the key `fallback`.
	// `worst`: the fit gets the score of the worst classifier in its replicate. Tables use the
	// first treatment in the list. Variants of the tables use the others
	Failures []string `param:"failures" enum:"common,fallback,worst" short:"list" least:"1" distinct:"true"`
	// largest share of results in a cell for which the metric may be undefined. If `failures` is
	// `common`, it is also the largest share of failed fits. A classifier that exceeds one of these
	// shares in a cell is not compared in rows that contain this cell. A single undefined result in
	// a cell is always allowed
	MaxFailureRate float64 `param:"set_aside" range:"[0,1]" share:"true"`
	// if `failures` is `fallback`: id of the classifier whose results replace failed fits. If
	// empty, or if this classifier fails too, the results are from a rule that predicts the class
	// proportions of the test rows
	Fallback string `param:"fallback"`
}

// Values of the options of Inference.
const (
	auto      = "auto"
	replicate = "replicate"
	task      = "task"
)

// DefaultInference returns two-sided tests against the best classifier at the family-wise level 0.05.
func DefaultInference() Inference {
	return Inference{Test: auto, Unit: auto, Alternative: "two-sided", Alpha: 0.05, Correction: "best", HalfWidth: 0.01,
		Failures: []string{Common}, MaxFailureRate: 0.05}
}

// PapersInference returns the tests of Tenzer et al. (2020): two-sided signed-rank tests at level
// 0.05/(k-1) for k classifiers. Their family-wise level is only nominal.
func PapersInference() Inference {
	o := DefaultInference()
	o.Correction = "bonferroni"
	return o
}

// Validate checks rules that involve several options.
func (o *Inference) Validate() error {
	const mostAlpha = 0.5 // larger levels are meaningless
	switch {
	case o.Alpha > mostAlpha:
		return recipe.Errorf("alpha", "%v looks like a confidence level, but `alpha` is the significance level; "+
			"write `%.3g`", o.Alpha, 1-o.Alpha)
	case o.Fallback != "" && !slices.Contains(o.Failures, Fallback):
		return recipe.Errorf("fallback", "needs `failures: fallback`")
	case o.Alternative == "less" && o.Champion == "":
		return recipe.Errorf("alternative", "`less` needs a champion: before you see results, set `champion` "+
			"to the classifier that you expect to have the smallest loss, or use `two-sided`. A one-sided "+
			"test against the best classifier of the row exceeds its level (10 %% instead of 5 %% with two "+
			"classifiers)")
	case o.Alternative != "less" && o.Champion != "":
		return recipe.Errorf("champion", "a champion needs `alternative: less`; two-sided tests compare "+
			"with the best classifier of each row")
	case o.Champion != "" && o.Correction == "pairs":
		return recipe.Errorf("correction", "`pairs` corrects for the choice of the best classifier from "+
			"the results; with a champion, use `bonferroni` or `holm`")
	case o.Champion != "" && len(o.Family) > 0 && !slices.Contains(o.Family, o.Champion):
		return recipe.Errorf("champion", "%s is not a classifier in `family`", o.Champion)
	}
	return nil
}

// WithTreatment returns a view with the given treatment of failed fits.
func (v *View) WithTreatment(treatment string) *View {
	other := *v
	other.Failures = []string{treatment}
	return &other
}

// Adjustment returns the correction for multiple testing.
func (o *Inference) Adjustment() stats.Correction {
	switch o.Correction {
	case "holm":
		return stats.Holm
	case "none":
		return stats.Uncorrected
	}
	return stats.Bonferroni
}

// AllPairs reports whether the correction for multiple testing counts all pairs of classifiers.
// Tests then keep their level even if the same data choose the best classifier.
func (o *Inference) AllPairs() bool {
	return o.Correction == "pairs" || o.Correction == "best" && o.Champion == ""
}

// Joint reports whether k classifiers are compared by a joint test of all pairs.
func (o *Inference) Joint(k int) bool {
	return o.Correction == "best" && o.Champion == "" && o.Test == auto && k > 2
}

// Side returns the alternative hypothesis.
func (o *Inference) Side() stats.Alternative {
	if o.Alternative == "less" {
		return stats.Less
	}
	return stats.TwoSided
}

// A Sampling describes how the replicates of a cell are drawn. The zero value means that each
// replicate draws new data.
type Sampling struct {
	Folds         int     // number of folds of a cross-validation; 0 if there is none
	DrawnProblems bool    // cross-validation of drawn problems
	OneDataSet    bool    // replicates are folds or splits of one data set, which may be one drawn problem
	Source        string  // equal for cells that share data; "" means unknown, so fingerprints are used
	Split         string  // equal for cells of one data set whose replicates are the same folds or splits
	TestRatio     float64 // number of test rows per training row in folds or splits

	// OneTestSet means that all replicates share one test set. They differ only in training rows or
	// random numbers, so they support no conclusions on other test rows.
	OneTestSet bool

	// DependentRows means that several rows of the single test set belong to one group, such as the
	// visits of a patient. Tests and intervals over test rows are then invalid.
	DependentRows bool

	// OnTrainingRows means that classifiers are scored on their own training rows. These scores are
	// not tested, because they do not measure the accuracy on new rows.
	OnTrainingRows bool
}

// TimesTested returns how often each row of the data set is a test row, on average, in the given number of
// replicates. It is 1 if each replicate draws its own rows, and at least 1 otherwise.
func (s Sampling) TimesTested(replicates int) float64 {
	n := float64(replicates)
	switch {
	case s.OneTestSet || s.OnTrainingRows:
		return max(1, n)
	case !s.OneDataSet:
		return 1
	case s.Folds > 1:
		return max(1, n/float64(s.Folds))
	}
	return max(1, n*s.TestRatio/(1+s.TestRatio)) // splits
}

// isDataSet reports whether replicates are folds or splits of a given data set, and not of a drawn problem.
func (s Sampling) isDataSet() bool { return s.OneDataSet && !s.DrawnProblems }

// averagesFolds reports whether each result is the mean over the folds of a cross-validation.
func (o *Inference) averagesFolds(s Sampling) bool {
	return s.Folds > 1 && !s.OneDataSet && o.Unit != replicate
}

// design returns the kind of dependence between the results of a cell, which determines the valid tests.
func (s Sampling) design() stats.Design {
	switch {
	case s.OneTestSet:
		return stats.TestRows
	case s.OneDataSet:
		return stats.Resampled
	}
	return stats.Independent
}

// test returns the test for results of the given design. It returns an error if the test in the study
// file is not valid for this design.
func (o *Inference) test(design stats.Design) (stats.Test, error) {
	if o.Test == auto {
		return stats.FindTest("", design)
	}
	return stats.FindTest(o.Test, design)
}

// A Misfit is an error about an inference option that is not valid for the design of a cell.
type Misfit struct {
	Key   string // of the option
	Value string // the wrong item if the option is a list
	Cause error
}

func (e *Misfit) Error() string { return "inference." + e.Key + ": " + e.Cause.Error() }

func (e *Misfit) Unwrap() error { return e.Cause }

// CheckUnit returns an error if o.Unit is not valid for the sampling of a cell.
func (o *Inference) CheckUnit(s Sampling) error {
	switch {
	case s.OneDataSet && o.Unit == task:
		return errors.New("tasks of one data set use the same rows, so they are not independent: remove the key " +
			"`unit`; then the corrected t test compares the folds")
	case s.Folds > 1 && !s.OneDataSet && o.Unit == replicate:
		return errors.New("the folds of one drawn problem share rows, so they are not independent: use " +
			"`unit: task`, whose results are the means over the folds of each problem")
	}
	return nil
}
