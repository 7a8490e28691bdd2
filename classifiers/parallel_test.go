package classifiers

import (
	"context"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats/parallel"
)

// The number and order of parallel workers do not change any bit of the scores.
func TestSharedWorkHasTheSameBits(t *testing.T) {
	train, test := methodtest.TwoTrees(150, 6, 1, 2), methodtest.TwoTrees(90, 6, 1, 3)
	for _, spec := range quickRegistry() {
		t.Run(spec.Name, func(t *testing.T) {
			fit := func(ctx context.Context) (labels []int, scores *mat.Dense) {
				train := train.WithoutDerived()
				rule, err := Fit(ctx, spec.New(), train, randtest.New(1))
				if err != nil {
					t.Fatal(err)
				}
				if scorer := rule; scorer.Scores != nil {
					scores = scorer.Scores(test.X)
				}
				return rule.Predict(test.X), scores
			}
			labels, scores := fit(t.Context())
			for name, do := range methodtest.Schedules {
				gotLabels, gotScores := fit(parallel.With(t.Context(), do))
				if !slices.Equal(gotLabels, labels) || scores != nil && !mat.Equal(gotScores, scores) {
					t.Errorf("%s: another rule", name)
				}
			}
		})
	}
}
