package classifiers

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/logdensity"
	"copse/stats/dataset"
)

// A sparseRule scores classes by linear functions of few of the log densities.
type sparseRule struct {
	densities *logdensity.Map // those with a weight, one at least
	model     *elasticnet.Model
	warnings  []string
}

// newSparseRule leaves out the densities without a weight.
func newSparseRule(densities *logdensity.Map, model *elasticnet.Model) *sparseRule {
	keep := model.Used()
	r := &sparseRule{}
	if len(keep) == 0 {
		keep = []int{0}
		r.warnings = []string{"the penalty leaves no density: all rows get the most frequent class"}
	}
	r.densities, r.model = densities.Select(keep), model.Select(keep)
	return r
}

func (r *sparseRule) Scores(x *mat.Dense) *mat.Dense {
	t, err := r.densities.Features(context.Background(), x)
	if err != nil {
		panic(err) // the background context is never done
	}
	return r.model.Link(t)
}

func (r *sparseRule) Predict(x *mat.Dense) []int { return argmaxRows(r.Scores(x)) }

func (r *sparseRule) predictSet(test *dataset.Set) []int {
	return argmaxRows(r.model.Link(r.densities.FeaturesAt(test)))
}

func (r *sparseRule) Warnings() []string { return r.warnings }

// sparseLogistic is a sparseRule whose scores are log probabilities but for what
// all classes share.
type sparseLogistic struct{ *sparseRule }

// Probabilities are those of the fitted logistic model.
func (r sparseLogistic) Probabilities(x *mat.Dense) *mat.Dense { return posteriors(r.Scores(x)) }
