package densities

import (
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// A sparseModel contains a linear function of log densities for each class. It stores only the
// densities with a nonzero weight. If there are none, it stores the first density.
type sparseModel struct {
	densities *logdensity.Map
	linear    *elasticnet.Model
	warnings  []string
}

func newSparseModel(densities *logdensity.Map, linear *elasticnet.Model) *sparseModel {
	used := linear.Used()
	var warnings []string
	if len(used) == 0 {
		used = []int{0}
		warnings = []string{"the penalty leaves no density: all rows get the most frequent class"}
	}
	return &sparseModel{densities.Select(used), linear.Select(used), append(densities.Warnings(), warnings...)}
}

func (m *sparseModel) rule() *method.Rule {
	return &method.Rule{
		Scores: func(x *mat.Dense) *mat.Dense {
			return m.linear.LinearPredictors(m.densities.Values(nil, x))
		},
		SetScores: func(test *dataset.Set) *mat.Dense {
			return m.linear.LinearPredictors(m.densities.FeaturesAt(test))
		},
		Warnings: m.warnings,
	}
}
