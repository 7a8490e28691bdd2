package randomfields

import (
	"context"
	"fmt"

	"copse/classifiers/internal/field"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// kernelField has the parameters that KHRF, KBN and KMRF share. Each model is a product of
// Nadaraya-Watson densities of a variable given its relatives, such as its parents. Algorithm 1 of
// Freno et al. (2010) chooses the bandwidths. For p relatives, n rows and w rows within a
// bandwidth, it takes O(iterations n w p) operations.
//
// The leave-one-out likelihood uses only the distinct rows of a class. With copies of the left-out
// row, it would grow without bound as the bandwidth shrinks. The fitted densities have kernels at
// all rows, including repeated ones.
type kernelField struct {
	method.Revision
	// upper bound on h1, in units of the scaled features. h1 is the bandwidth of x_i in each
	// conditional density p(x_i | ...). The bandwidth of the other variables is h2
	HMax1 float64 `param:"hmax1" range:"(0,inf)"`
	// upper bound on h2 (see `hmax1`), in scaled units
	HMax2 float64 `param:"hmax2" range:"(0,inf)"`
	// number of iterations s in the bandwidth search; each iteration evaluates four bandwidth pairs
	Iterations int `param:"iterations" range:"[1,50]"`
	// lower bound on each conditional density, in scaled units
	Floor float64 `param:"floor" range:"[1e-200,1)"`
	// the graph changes only if the log likelihood increases by more than this amount, in nats
	MinGain float64 `param:"min_gain" range:"[0,inf)"`
	// scaling of the features: to [0,1] on the training rows (`minmax`), or none (`none`)
	Scale string `param:"scale" enum:"minmax,none"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// newKernelField returns the parameters of Freno et al. (2010) with the given HMax1 and HMax2. The
// paper does not state Floor. Its default is 1e-6.
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

// A structureSearch returns a list for each variable: the variables on which it depends in the
// class of the scorer.
type structureSearch func(ctx context.Context, s *field.Scorer) ([][]int, error)

// fit fits a random field to each class and returns Bayes' rule for the fields. The structure and
// the bandwidths are estimated from the rows that k.scoredRows returns, which may be fewer. The
// conditional densities are estimated from all rows of the class.
func (k *kernelField) fit(ctx context.Context, train *dataset.Set, search structureSearch) (*method.Rule, error) {
	bandwidths := field.Bandwidths{Max1: k.HMax1, Max2: k.HMax2, Iterations: k.Iterations, Floor: k.Floor}
	fitField := func(ctx context.Context, columns [][]float64) (logDensity, error) {
		scorer := field.NewScorer(k.scoredRows(columns), bandwidths)
		parents, err := search(ctx, scorer) // parents[v] lists the variables on which v depends
		if err != nil {
			return nil, err
		}
		return scorer.Field(parents, columns).LogDensity, nil
	}
	rule, err := fitFields(ctx, train, k.Scale, k.Priors, fitField)
	if err != nil {
		return nil, err
	}
	rule.Warnings = k.warnings(train)
	return rule, nil
}

// scoredRows returns the columns of the rows from which structure and bandwidths are estimated.
func (k *kernelField) scoredRows(columns [][]float64) [][]float64 {
	if k.BeforeVersion(3) {
		return columns
	}
	return field.DistinctRows(columns)
}

// manyTwins is the fraction of repeated rows above which a class gets a warning.
const manyTwins = 0.1

// warnings returns a warning for each class in which many rows repeat others.
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
