package classifiers

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// cutAtZero returns the set with every column divided at 0 into two levels.
func cutAtZero(s *dataset.Set) *dataset.Set {
	n, d := s.X.Dims()
	x := mat.NewDense(n, d, nil)
	attributes := make([]dataset.Attribute, d)
	for j := range d {
		attributes[j] = dataset.Attribute{
			Name:   s.Attributes[j].Name,
			Kind:   dataset.Discrete,
			Levels: []string{"-", "+"},
		}
		for i := range n {
			if s.X.At(i, j) > 0 {
				x.Set(i, j, 1)
			}
		}
	}
	return &dataset.Set{X: x, Y: s.Y, Attributes: attributes, Classes: s.Classes}
}

// BenchmarkLarge fits classifiers at the sizes where their time grows fastest.
// One of them:
//
//	go test ./classifiers -run '^$' -bench 'Large/^khrf' -benchtime 1x
func BenchmarkLarge(b *testing.B) {
	for _, size := range []struct {
		name   string
		n, d   int
		binary bool
	}{
		{"sigmoid-tan", 1000, 100, false},
		{"dcc", 5000, 200, true}, {"gdcc", 5000, 100, true}, {"gdcc", 5000, 200, true},
		{"khrf", 1000, 50, false}, {"kbn", 1000, 50, false}, {"kmrf", 1000, 50, false},
		{"slb", 1000, 200, false}, {"slb", 1000, 500, false}, {"slb-", 1000, 500, false},
		{"khrf", 10000, 20, false}, {"npmrf", 20000, 20, false},
	} {
		b.Run(fmt.Sprintf("%s/n=%d,d=%d", size.name, size.n, size.d), func(b *testing.B) {
			train := methodtest.TwoTrees(size.n, size.d, 1, 2)
			if size.binary {
				train = cutAtZero(train)
			}
			spec, _ := Registry.Lookup(size.name)
			for b.Loop() {
				_, err := Fit(b.Context(), spec.New(), train.WithoutDerived(), randtest.New(1))
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
