package chebyshev

import (
	"context"
	"fmt"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

// marginals returns the marginals mu_ij(x_i, x_j, y) of all pairs of features. If rows have missing
// values, the marginals of different pairs may contradict each other. In this case, marginals returns the
// nearest consistent marginals, with a warning if their computation did not converge.
func (s *solver) marginals(
	ctx context.Context, f *columns.Discrete, train *dataset.Set,
) (mu *chebyshev.Marginals, warnings []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	codes := f.Codes(train.X) // codes[i][j]: level of feature j in row i
	incomplete := false
	features := make([][]int, len(f.Levels)) // features[j][i]: the same level, indexed by feature first
	for j := range features {
		features[j] = make([]int, len(codes))
		for i, row := range codes {
			features[j][i] = row[j]
			incomplete = incomplete || row[j] == chebyshev.Missing
		}
	}
	sample := chebyshev.Sample{
		Columns: features,
		Y:       train.Y,
		Levels:  f.Levels,
		Classes: train.C(),
		Pairs:   chebyshev.AllPairs(len(f.Levels)),
	}
	if !incomplete {
		return sample.Count(), nil, nil
	}
	mu, converged, err := sample.CountIncomplete(ctx, s.Projection, s.MaxIterations)
	if err == nil && !converged {
		warnings = []string{fmt.Sprintf("after %d iterations, the fit may not have found the consistent marginals "+
			"nearest to the counts of the incomplete rows: raise max_iterations or projection_tolerance",
			s.MaxIterations)}
	}
	return mu, warnings, err
}
