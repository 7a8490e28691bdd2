package classifiers

import (
	"testing"

	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
)

// BenchmarkClassifiers fits each classifier of the registry to 1000 rows of 20
// columns and predicts 1000 others. One of them:
//
//	go test ./classifiers -run '^$' -bench 'Classifiers/^rf$'
func BenchmarkClassifiers(b *testing.B) {
	train, test := methodtest.TwoTrees(1000, 20, 1, 2), methodtest.TwoTrees(1000, 20, 1, 3)
	for _, spec := range Registry {
		b.Run(spec.Name, func(b *testing.B) {
			fit := func(b *testing.B) *Rule {
				rule, err := Fit(b.Context(), spec.New(), train.WithoutDerived(), randtest.New(1))
				if err != nil {
					b.Fatal(err)
				}
				return rule
			}
			b.Run("fit", func(b *testing.B) {
				for b.Loop() {
					fit(b)
				}
			})
			b.Run("predict", func(b *testing.B) {
				rule := fit(b)
				for b.Loop() {
					rule.Predict(test.X)
				}
				b.ReportMetric(100*methodtest.ErrorRate(rule, test), "%errors")
			})
		})
	}
}
