package classifiers

import (
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/logdensity"
	"copse/stats/dataset"
)

// newSparseRule scores classes by linear functions of the few log densities that have a
// weight, of one at least.
func newSparseRule(densities *logdensity.Map, model *elasticnet.Model) *Rule {
	keep, rule := model.Used(), &Rule{}
	if len(keep) == 0 {
		keep = []int{0}
		rule.Warnings = []string{"the penalty leaves no density: all rows get the most frequent class"}
	}
	densities, model = densities.Select(keep), model.Select(keep)
	rule.model = densities
	rule.Scores = func(x *mat.Dense) *mat.Dense { return model.Link(features(densities, x)) }
	rule.onSet = func(test *dataset.Set) *mat.Dense { return model.Link(densities.FeaturesAt(test)) }
	return rule
}
