package classifiers

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// twoTrees draws n rows of d columns, the classes in turn: in each class every
// column but the first is, with probability 2/3, another one plus standard noise,
// else noise alone, in a random order. Both classes share their means.
func twoTrees(n, d int, structure, seed uint64) *dataset.Set {
	rng := newRand(structure)
	var order, parent [2][]int
	for c := range 2 {
		order[c], parent[c] = rng.Perm(d), make([]int, d)
		for j := range d {
			parent[c][j] = -1
			if j > 0 && rng.Intn(3) > 0 {
				parent[c][j] = rng.Intn(j)
			}
		}
	}
	rng = newRand(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		c := i % 2
		y[i] = c
		for j := range d {
			v := rng.NormFloat64()
			if p := parent[c][j]; p >= 0 {
				v += x.At(i, order[c][p])
			}
			x.Set(i, order[c][j], v)
		}
	}
	return dataset.New(x, y, 2)
}

// BenchmarkClassifiers fits each classifier of the registry to 1000 rows of 20
// columns and predicts 1000 others. One of them:
//
//	go test ./classifiers -run '^$' -bench 'Classifiers/^rf$'
func BenchmarkClassifiers(b *testing.B) {
	train, test := twoTrees(1000, 20, 1, 2), twoTrees(1000, 20, 1, 3)
	for _, spec := range Registry {
		b.Run(spec.Name, func(b *testing.B) {
			fit := func(b *testing.B) *Rule {
				rule, err := Fit(context.Background(), spec.New(), train.WithoutDerived(), newRand(1))
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
				b.ReportMetric(100*errorRate(rule, test), "%errors")
			})
		})
	}
}
