package randomfields

import (
	"context"
	"fmt"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// kernelField holds the parameters that KHRF, KBN and KMRF share: their models
// are products of Nadaraya-Watson conditional densities whose bandwidths
// Algorithm 1 of Freno et al. (2010) chooses for each variable and its relatives.
// A variable with p relatives costs O(iterations n w p), w the rows within the
// variable's bandwidth of a row, n at most; every such family is scored once.
//
// Structure and bandwidths are chosen by leave-one-out over the distinct rows of a class:
// the twin of a left-out row would make its likelihood grow as the bandwidth shrinks. Their
// kernels lie at all rows.
type kernelField struct {
	method.Revision
	HMax1      float64 `param:"hmax1" doc:"range (0, hmax1) of a variable's own bandwidth, in scaled units" range:"(0,inf)"`
	HMax2      float64 `param:"hmax2" doc:"range (0, hmax2) of its relatives' bandwidth, in scaled units" range:"(0,inf)"`
	Iterations int     `param:"iterations" doc:"iterations s of the bandwidth search, four evaluations each" range:"[1,50]"`
	Floor      float64 `param:"floor" doc:"least conditional density, in scaled units" range:"[1e-200,1)"`
	MinGain    float64 `param:"min_gain" doc:"least gain of log-likelihood, in nats, for a change of structure" range:"[0,inf)"`
	Scale      string  `param:"scale" doc:"map each feature to [0,1] by its training range, or leave it" enum:"minmax,none"`
	Priors     string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// newKernelField returns the paper's setting with the given ranges; the floor is
// what it leaves open.
func newKernelField(hmax1, hmax2 float64) kernelField {
	return kernelField{
		HMax1:      hmax1,
		HMax2:      hmax2,
		Iterations: 2,
		Floor:      1e-6,
		MinGain:    1e-6,
		Scale:      scaleMinMax,
		Priors:     method.TrainingPriors,
	}
}

// fit learns each class's structure, the relatives that every variable is
// conditioned on, and the densities.
func (k *kernelField) fit(ctx context.Context, train *dataset.Set,
	structure func(ctx context.Context, s *field.Scorer) ([][]int, error)) (*method.Rule, error) {
	bandwidths := field.Bandwidths{Max1: k.HMax1, Max2: k.HMax2, Iterations: k.Iterations, Floor: k.Floor}
	fit := func(ctx context.Context, columns [][]float64) (logDensity, error) {
		scorer := field.NewScorer(k.judged(columns), bandwidths)
		relatives, err := structure(ctx, scorer)
		if err != nil {
			return nil, err
		}
		return scorer.Field(relatives, columns), nil
	}
	rule, err := fitFields(ctx, train, k.Scale, k.Priors, fit)
	if err != nil {
		return nil, err
	}
	rule.Warnings = k.warnings(train)
	return rule, nil
}

// judged returns the rows of a class that choose structure and bandwidths.
func (k *kernelField) judged(columns [][]float64) [][]float64 {
	if k.Before(3) {
		return columns
	}
	return field.DistinctRows(columns)
}

// manyTwins is the share of rows with an earlier twin from which a warning counts them.
const manyTwins = 0.1

// warnings names the classes of which many rows repeat others.
func (k *kernelField) warnings(train *dataset.Set) []string {
	var warnings []string
	for c, class := range train.Classes {
		columns := train.Columns(train.ClassRows(c))
		n, chosen := len(columns[0]), len(k.judged(columns)[0])
		if float64(n-chosen) > manyTwins*float64(n) {
			warnings = append(warnings, fmt.Sprintf("%d of %d rows of class %s repeat others; "+
				"distinct rows alone choose structure and bandwidths", n-chosen, n, class))
		}
	}
	return warnings
}
