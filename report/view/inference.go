package view

import (
	"errors"
	"fmt"
	"slices"

	"copse/stats"
	"copse/stats/recipe"
)

// Inference is how the classifiers of a cell are compared.
type Inference struct {
	Test        string   `param:"test" doc:"paired test, of copse list tests; auto: signed-rank where results are independent, corrected-t for folds of one data set" enum:"auto,signed-rank,signed-rank-exact,sign,permutation,t,corrected-t,calibrated-t"`
	Unit        string   `param:"unit" doc:"what counts as one result: a replicate (for a data set, a fold), or a task, the mean over the folds of a problem; auto: tasks where problems drawn anew have folds" enum:"auto,replicate,task"`
	Alternative string   `param:"alternative" doc:"they differ: the best of the row, chosen on the same data, and each other classifier; less: the champion, named before, has less loss than the other" enum:"two-sided,less"`
	Champion    string   `param:"champion" doc:"the classifier that alternative less speaks of"`
	Alpha       float64  `param:"alpha" doc:"family-wise level" range:"[1e-12,1)" share:"true"`
	Correction  string   `param:"correction" doc:"over the comparisons of one row, with the best or the champion: as the papers count them; pairs: Bonferroni over all pairs of the family, which holds the level although the best is chosen on the same data" enum:"bonferroni,holm,pairs,none"`
	Family      []string `param:"family" doc:"classifier ids compared; empty: all but the oracle"`
	Margin      float64  `param:"margin" doc:"losses closer than this are equivalent (two one-sided tests): 0.03 is three percentage points; 0: not asked" range:"[0,1)" share:"true"`
	Rope        float64  `param:"rope" doc:"region of practical equivalence, either way from 0, of the Bayesian signed-rank test: 0.03 is three percentage points; 0: not asked" range:"[0,1)" share:"true"`
	Policy      string   `param:"policy" doc:"replicates in which a fit failed" enum:"complete-pairs"`
}

// Choices of Inference.
const (
	auto      = "auto"
	replicate = "replicate"
	task      = "task"
)

// DefaultInference is Tenzer et al. (2020), two-sided signed-rank tests at
// 0.05/(k-1), where results are independent.
func DefaultInference() Inference {
	return Inference{Test: auto, Unit: auto, Alternative: "two-sided", Alpha: 0.05, Correction: "bonferroni", Policy: "complete-pairs"}
}

// Validate is what the tags cannot say. The best of a row is the best because its
// loss came out small, so a one-sided test against it on the same data would reject
// twice as often as its level says with two classifiers, and oftener with more.
func (o *Inference) Validate() error {
	switch {
	case o.Alternative == "less" && o.Champion == "":
		return &recipe.Error{Key: "alternative", Msg: "less needs champion: the classifier that shall have less loss, named before its results are seen; one-sided tests against whichever turns out best have not the level that they state (10 % in place of 5 % with two classifiers). Or leave it two-sided"}
	case o.Alternative != "less" && o.Champion != "":
		return &recipe.Error{Key: "champion", Msg: "goes with alternative: less; two-sided tests compare with the best of each row"}
	case o.Champion != "" && o.AllPairs():
		return &recipe.Error{Key: "correction", Msg: "pairs is for the best of a row; the champion was named before: use bonferroni or holm"}
	case o.Champion != "" && len(o.Family) > 0 && !slices.Contains(o.Family, o.Champion):
		return &recipe.Error{Key: "champion", Msg: fmt.Sprintf("%s is not of the family", o.Champion)}
	}
	return nil
}

// Adjustment returns the correction as stats knows it.
func (o *Inference) Adjustment() stats.Correction {
	switch o.Correction {
	case "holm":
		return stats.Holm
	case "none":
		return stats.Uncorrected
	}
	return stats.Bonferroni
}

// AllPairs tells whether the correction counts all pairs of the family.
func (o *Inference) AllPairs() bool { return o.Correction == "pairs" }

// Side returns the alternative as stats knows it.
func (o *Inference) Side() stats.Alternative {
	if o.Alternative == "less" {
		return stats.Less
	}
	return stats.TwoSided
}

// A Sampling says how the replicates of a cell came about. The zero value is data
// drawn anew for each.
type Sampling struct {
	Folds  int     // of a cross-validation; 0: none
	Drawn  bool    // it is of problems that a generator draws
	OneSet bool    // replicates are folds or splits of one data set
	Source string  // which data set that is, or which draws; "": not known, those of the fingerprints
	Share  float64 // of them, test rows per training row
	Refits bool    // replicates have one split of one data set: they differ by what classifiers draw
}

// overFolds tells whether a result is the mean over the folds of a task.
func (o *Inference) overFolds(s Sampling) bool {
	return s.Folds > 1 && !s.OneSet && o.Unit != replicate
}

func (s Sampling) design() stats.Design {
	if s.OneSet {
		return stats.Resampled
	}
	return stats.Independent
}

// test returns the test of results that came about in one way.
func (o *Inference) test(design stats.Design) (stats.Test, error) {
	if o.Test == auto {
		return stats.FindTest("", design)
	}
	return stats.FindTest(o.Test, design)
}

// A Misfit is an option of the inference that the design rules out.
type Misfit struct {
	Key   string // of the option
	Cause error
}

func (e *Misfit) Error() string { return "inference." + e.Key + ": " + e.Cause.Error() }

func (e *Misfit) Unwrap() error { return e.Cause }

// CheckUnit returns why results that came about in this way cannot be counted as
// asked, and names what can be done. Whether a test fits is seen where results are
// tested: folds of one data set are no more than one result where rows pool several.
func (o *Inference) CheckUnit(s Sampling) error {
	switch {
	case s.OneSet && o.Unit == task:
		return errors.New("task means of one data set are those of splits of the same rows, no more independent than its folds: leave unit out; its folds are compared by the corrected t test")
	case s.Folds > 1 && !s.OneSet && o.Unit == replicate:
		return errors.New("the folds of one drawn problem share rows and are no independent replicates: use unit: task, the mean over the folds of each problem")
	}
	return nil
}
