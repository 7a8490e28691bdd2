package classifiers

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// discreteFeatures are a training set's attributes as discrete features:
// discrete ones as they are, numeric ones in quantile bins. A set with one
// attribute gets a constant feature beside it, so that there is a pair.
type discreteFeatures struct {
	discretiser *dataset.Discretiser
	levels      []int
}

// newDiscreteFeatures fits the bins.
func newDiscreteFeatures(train *dataset.Set, bins int) *discreteFeatures {
	f := &discreteFeatures{discretiser: dataset.FitDiscretiser(train, bins)}
	for _, a := range f.discretiser.Attributes() {
		f.levels = append(f.levels, len(a.Levels))
	}
	if len(f.levels) == 1 {
		f.levels = append(f.levels, 1)
	}
	return f
}

// codes returns the features of each row of x, chebyshev.Missing for NaN. It panics on
// values that are no codes.
func (f *discreteFeatures) codes(x *mat.Dense) [][]int {
	attributes := f.discretiser.Attributes()
	columns.Check(x, len(attributes), true)
	x = f.discretiser.Apply(x)
	columns.Codes(x, attributes)
	n, _ := x.Dims()
	flat, codes := make([]int, n*len(f.levels)), make([][]int, n)
	for i := range n {
		codes[i] = flat[i*len(f.levels):][:len(f.levels)]
		for j, v := range x.RawRowView(i) {
			codes[i][j] = chebyshev.Missing
			if !math.IsNaN(v) {
				codes[i][j] = int(v)
			}
		}
	}
	return codes
}

// marginals returns mu_ij(x_i, x_j, y) of all pairs of features. With missing
// values these are projected; a warning says when that is not known to be exact
// to the tolerance.
func (f *discreteFeatures) marginals(ctx context.Context, train *dataset.Set, tolerance float64, maxIterations int) (mu *chebyshev.Marginals, warnings []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	codes := f.codes(train.X)
	features, incomplete := make([][]int, len(f.levels)), false
	for j := range features {
		features[j] = make([]int, len(codes))
		for i, row := range codes {
			features[j][i] = row[j]
			incomplete = incomplete || row[j] == chebyshev.Missing
		}
	}
	sample := chebyshev.Sample{Columns: features, Y: train.Y, Levels: f.levels, Classes: train.C(), Pairs: chebyshev.AllPairs(len(f.levels))}
	if !incomplete {
		return sample.Count(), nil, nil
	}
	mu, proved, err := sample.CountIncomplete(ctx, tolerance, maxIterations)
	if err == nil && !proved {
		warnings = []string{fmt.Sprintf("the marginals of the incomplete rows may be further than needed from the counts after %d iterations: raise max_iterations or projection_tolerance", maxIterations)}
	}
	return mu, warnings, err
}
