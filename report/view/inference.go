package view

import (
	"errors"
	"fmt"

	"copse/stats"
)

// Inference is how the classifiers of a cell are compared.
type Inference struct {
	Test        string   `param:"test" doc:"paired test, of copse list tests; auto: signed-rank where results are independent, corrected-t for folds of one data set" enum:"auto,signed-rank,signed-rank-exact,sign,permutation,t,corrected-t"`
	Unit        string   `param:"unit" doc:"what counts as one result: a replicate (for a data set, a fold), or a task, the mean over the folds of a problem; auto: tasks where problems drawn anew have folds" enum:"auto,replicate,task"`
	Alternative string   `param:"alternative" doc:"of the best against each other classifier: they differ, or the best has less loss" enum:"two-sided,less"`
	Alpha       float64  `param:"alpha" doc:"family-wise level" range:"[1e-12,1)"`
	Correction  string   `param:"correction" doc:"over the comparisons of one cell" enum:"bonferroni,holm,none"`
	Family      []string `param:"family" doc:"classifier ids compared; empty: all but the oracle"`
	Margin      float64  `param:"margin" doc:"losses closer than this are equivalent (two one-sided tests); 0: not asked" range:"[0,inf)"`
	Rope        float64  `param:"rope" doc:"region of practical equivalence, either way from 0, of the Bayesian signed-rank test; 0: not asked" range:"[0,inf)"`
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
	OneSet bool    // replicates are folds or splits of one data set
	Share  float64 // of them, test rows per training row
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

// Check returns why results that came about in this way cannot be compared as
// asked, and names what can be done. The key is the option at fault.
func (o *Inference) Check(s Sampling) (key string, err error) {
	switch {
	case s.OneSet && o.Unit == task:
		return "unit", errors.New("task means of one data set are those of splits of the same rows, no more independent than its folds: leave unit out; its folds are compared by the corrected t test")
	case s.Folds > 1 && !s.OneSet && o.Unit == replicate:
		return "unit", errors.New("the folds of one drawn problem share rows and are no independent replicates: use unit: task, the mean over the folds of each problem")
	case s.OneSet && o.Rope > 0:
		return "rope", fmt.Errorf("%w: the Bayesian signed-rank test assumes independent differences, folds of one data set share rows: use margin, whose two one-sided tests are valid there", stats.ErrAssumption)
	}
	_, err = o.test(s.design())
	return "test", err
}
