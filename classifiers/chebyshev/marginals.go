package chebyshev

import (
	"context"
	"fmt"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// marginals returns mu_ij(x_i, x_j, y) of all pairs of features. With missing
// values these are projected; a warning says when that is not known to be exact
// to the tolerance.
func marginals(ctx context.Context, f *columns.Discrete, train *dataset.Set, tolerance float64,
	maxIterations int) (mu *chebyshev.Marginals, warnings []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	codes := f.Codes(train.X)
	features, incomplete := make([][]int, len(f.Levels)), false
	for j := range features {
		features[j] = make([]int, len(codes))
		for i, row := range codes {
			features[j][i] = row[j]
			incomplete = incomplete || row[j] == chebyshev.Missing
		}
	}
	sample := chebyshev.Sample{
		Columns: features, Y: train.Y, Levels: f.Levels, Classes: train.C(), Pairs: chebyshev.AllPairs(len(f.Levels)),
	}
	if !incomplete {
		return sample.Count(), nil, nil
	}
	mu, proved, err := sample.CountIncomplete(ctx, tolerance, maxIterations)
	if err == nil && !proved {
		warnings = []string{
			fmt.Sprintf("the marginals of the incomplete rows may be further than needed from the counts "+
				"after %d iterations: raise max_iterations or projection_tolerance", maxIterations),
		}
	}
	return mu, warnings, err
}
