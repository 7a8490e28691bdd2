package classifiers

import (
	"context"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// gaussianForests draws counts[0] training and counts[1] test rows of two
// classes with 20 variables, each class a random Gaussian forest: two in three
// variables have one earlier variable as parent and are N(parent, 1).
func gaussianForests(counts [2]int, seed uint64) (train, test *dataset.Set) {
	const d = 20
	rng := rand.New(rand.NewSource(seed))
	var order, parent [2][]int
	for c := range order {
		order[c], parent[c] = rng.Perm(d), make([]int, d)
		for k := range d {
			parent[c][k] = -1
			if k > 0 && rng.Float64() < 2.0/3 {
				parent[c][k] = order[c][rng.Intn(k)]
			}
		}
	}
	draw := func(n int) *dataset.Set {
		x, y := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			y[i] = i % 2
			for k, j := range order[y[i]] {
				v := rng.NormFloat64()
				if p := parent[y[i]][k]; p >= 0 {
					v += x.At(i, p)
				}
				x.Set(i, j, v)
			}
		}
		return dataset.New(x, y, 2)
	}
	return draw(counts[0]), draw(counts[1])
}

// BenchmarkPairwise times fit and predict on 1000 training and 1000 test rows.
func BenchmarkPairwise(b *testing.B) {
	train, test := gaussianForests([2]int{1000, 1000}, 1)
	plugIn, paper := NewSLB(), NewSLB()
	plugIn.Bandwidth, paper.Bandwidth, paper.Select = string(kde.PlugIn), string(kde.PlugIn), inSample
	corrected := NewTAN()
	corrected.Information = "bcmi"
	for _, c := range []struct {
		name       string
		classifier Classifier
	}{
		{"slb", NewSLB()}, {"slb,plug-in", plugIn}, {"slb,plug-in,in-sample", paper}, {"slb-", NewSLBMinus()},
		{"tan", NewTAN()}, {"tan,bcmi", corrected}, {"forestdens", NewForestDens()},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				rule, err := c.classifier.Fit(context.Background(), train, rand.New(rand.NewSource(1)))
				if err != nil {
					b.Fatal(err)
				}
				rule.Predict(test.X)
			}
		})
	}
}
