package chebyshev

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/chebyshev"
	"copse/classifiers/internal/columns"
	"copse/stats"
	"copse/stats/dataset"
)

// features returns the discrete features of the training set.
//
// Unless the user selected an older version, it leaves out unusable attributes, with a warning for
// each.
func (s *solver) features(train *dataset.Set, bins int) (f *columns.Discrete, warnings []string) {
	f = columns.NewDiscrete(train, bins)
	isOlderVersion := s.Pinned() > 0
	if isOlderVersion {
		return f, nil
	}
	var used []int
	for j := range train.Attributes {
		warning := unusable(train, j)
		if warning == "" {
			used = append(used, j)
		} else {
			warnings = append(warnings, warning)
		}
	}
	return f.Select(used), warnings
}

// unusable returns a warning if attribute j has no values in some class or is constant, and
// otherwise "".
func unusable(train *dataset.Set, j int) (warning string) {
	name := train.Attributes[j].Name
	levels := map[float64]bool{}      // the values that occur
	inClass := make([]int, train.C()) // number of values in each class
	for i, v := range mat.Col(nil, j, train.X) {
		if !math.IsNaN(v) {
			levels[v] = true
			inClass[train.Y[i]]++
		}
	}
	if empty := slices.Index(inClass, 0); empty >= 0 {
		return fmt.Sprintf("column %q has no values in class %q, so the classifier ignores it",
			name, train.Classes[empty])
	}
	if len(levels) == 1 {
		return fmt.Sprintf("column %q is constant in the training set and plays no part", name)
	}
	return ""
}

// marginals returns the marginals mu_ij(x_i, x_j, y) of all pairs of features.
//
// With missing values, the marginals of different pairs may be inconsistent. marginals then returns
// the nearest consistent marginals. If the solver did not converge to them, it also returns a
// warning.
func (s *solver) marginals(
	ctx context.Context, f *columns.Discrete, train *dataset.Set,
) (mu *chebyshev.Marginals, warnings []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	sample := chebyshev.Sample{
		Columns: byFeature(f.Codes(train.X), len(f.Levels)),
		Y:       train.Y,
		Levels:  f.Levels,
		Classes: train.C(),
		Pairs:   stats.Pairs(len(f.Levels)),
	}
	isIncomplete := func(codes []int) bool { return slices.Contains(codes, columns.MissingCode) }
	if !slices.ContainsFunc(sample.Columns, isIncomplete) {
		return sample.Frequencies(), nil, nil
	}
	mu, converged, err := sample.CountIncomplete(ctx, s.Projection, s.MaxIterations)
	if err == nil && !converged {
		warnings = []string{fmt.Sprintf("after %d iterations, the fit may not have found the consistent marginals "+
			"nearest to the counts of the incomplete rows: raise max_iterations or projection_tolerance",
			s.MaxIterations)}
	}
	return mu, warnings, err
}

// byFeature returns features[j][i] = codes[i][j], the level of feature j in row i.
func byFeature(codes [][]int, count int) [][]int {
	features := make([][]int, count)
	for j := range features {
		features[j] = make([]int, len(codes))
		for i, row := range codes {
			features[j][i] = row[j]
		}
	}
	return features
}
