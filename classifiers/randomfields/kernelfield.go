package randomfields

import (
	"context"
	"fmt"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// kernelField holds the parameters that KHRF, KBN and KMRF share. Their models are products of
// Nadaraya-Watson conditional densities. Algorithm 1 of Freno et al. (2010) chooses the bandwidths of
// each family, a variable with its relatives, that is the variables that it is conditioned on. A
// family of p relatives costs O(iterations n w p), where w rows of n are within the bandwidth of a
// row. Each family is scored once.
//
// Structure and bandwidths are chosen by leave-one-out over the distinct rows of a class. With
// repeated rows the twin of a left-out row would make its likelihood grow as the bandwidth
// shrinks. The fitted densities have kernels at all rows.
type kernelField struct {
	method.Revision
	HMax1      float64 `param:"hmax1" doc:"range (0, hmax1) of a variable's own bandwidth, in scaled units" range:"(0,inf)"`
	HMax2      float64 `param:"hmax2" doc:"range (0, hmax2) of its relatives' bandwidth, in scaled units" range:"(0,inf)"`
	Iterations int     `param:"iterations" doc:"number of iterations of the bandwidth search, s; each evaluates four bandwidths" range:"[1,50]"`
	Floor      float64 `param:"floor" doc:"smallest conditional density, in scaled units" range:"[1e-200,1)"`
	MinGain    float64 `param:"min_gain" doc:"smallest gain of log-likelihood, in nats, for which the structure changes" range:"[0,inf)"`
	Scale      string  `param:"scale" doc:"minmax: map the training range of each feature to [0,1]; none: leave features unchanged" enum:"minmax,none"`
	Priors     string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// newKernelField returns the paper's setting with the given ranges. The paper does not state the
// floor.
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

// A structureSearch returns the relatives of each variable in a class.
type structureSearch func(ctx context.Context, s *field.Scorer) ([][]int, error)

// fit returns Bayes' rule for the random fields of the classes, whose structure search finds.
func (k *kernelField) fit(ctx context.Context, train *dataset.Set, search structureSearch) (*method.Rule, error) {
	rule, err := fitFields(ctx, train, k.Scale, k.Priors, func(ctx context.Context, columns [][]float64) (
		logDensity, error) {
		return k.fitField(ctx, columns, search)
	})
	if err != nil {
		return nil, err
	}
	rule.Warnings = k.warnings(train)
	return rule, nil
}

// fitField returns the density of a class with the given columns.
func (k *kernelField) fitField(
	ctx context.Context, columns [][]float64, search structureSearch,
) (logDensity, error) {
	bandwidths := field.Bandwidths{Max1: k.HMax1, Max2: k.HMax2, Iterations: k.Iterations, Floor: k.Floor}
	scorer := field.NewScorer(k.scoredRows(columns), bandwidths)
	relatives, err := search(ctx, scorer)
	if err != nil {
		return nil, err
	}
	return scorer.Field(relatives, columns), nil
}

// scoredRows returns the rows of a class, given as columns, that choose structure and bandwidths.
func (k *kernelField) scoredRows(columns [][]float64) [][]float64 {
	if k.Before(3) {
		return columns
	}
	return field.DistinctRows(columns)
}

// manyTwins is the share of repeated rows above which a class gets a warning.
const manyTwins = 0.1

// warnings returns a warning for each class with many repeated rows.
func (k *kernelField) warnings(train *dataset.Set) []string {
	var warnings []string
	for c, class := range train.Classes {
		columns := train.Columns(train.ClassRows(c))
		n, scored := len(columns[0]), len(k.scoredRows(columns)[0])
		if float64(n-scored) > manyTwins*float64(n) {
			warnings = append(warnings, fmt.Sprintf("%d of %d rows of class %s repeat others; "+
				"distinct rows alone choose structure and bandwidths", n-scored, n, class))
		}
	}
	return warnings
}
