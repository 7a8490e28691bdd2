package classifiers

import (
	"testing"

	"copse/classifiers/densities"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/networks"
	"copse/internal/randtest"
	"copse/stats/kde"
)

// BenchmarkPairwise times fit and predict, 1000 rows each, of the pairwise classifiers with other settings
// than their defaults.
func BenchmarkPairwise(b *testing.B) {
	train, test := methodtest.TwoTrees(1000, 20, 1, 2), methodtest.TwoTrees(1000, 20, 1, 3)
	plugIn, paper, corrected := densities.NewSLB(), densities.NewSLB(), networks.NewTAN()
	plugIn.Bandwidth, paper.Bandwidth, paper.Select = string(kde.PlugIn), string(kde.PlugIn), "in-sample"
	corrected.Information = "bcmi"
	for _, c := range []struct {
		name       string
		classifier Classifier
	}{{"slb,plug-in", plugIn}, {"slb,plug-in,in-sample", paper}, {"tan,bcmi", corrected}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				rule, err := Fit(b.Context(), c.classifier, train.WithoutDerived(), randtest.New(1))
				if err != nil {
					b.Fatal(err)
				}
				rule.Predict(test.X)
			}
		})
	}
}
