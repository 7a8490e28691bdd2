package logdensity

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// A column is 0 in all rows of class 0, and 1 in one of twenty rows of class 1. With narrow point masses, the value
// 0 is at least as likely in class 0 as in class 1, and the value 1 is less likely.
func TestNarrowPointMass(t *testing.T) {
	const n = 200
	train := &dataset.Set{X: mat.NewDense(2*n, 1, nil), Y: make([]int, 2*n), Classes: []string{"a", "b"},
		Attributes: []dataset.Attribute{{Name: "x"}}}
	for i := n; i < 2*n; i++ {
		train.Y[i] = 1
		if i%20 == 0 {
			train.X.Set(i, 0, 1)
		}
	}
	at := mat.NewDense(2, 1, []float64{0, 1})
	logs := func(narrow bool, set *dataset.Set) *mat.Dense {
		densities := fit(t, set, Options{Rule: kde.NormalReference, Narrow: narrow}, Univariate(2, 1))
		return densities.Values(nil, at)
	}
	wide, narrow := logs(false, train), logs(true, train)
	if wide.At(0, 0) > wide.At(0, 1) {
		t.Error("the wide density is larger at 0; the test needs other data")
	}
	if narrow.At(0, 0) < narrow.At(0, 1) || narrow.At(1, 0) >= narrow.At(1, 1) {
		t.Errorf("log densities %v", mat.Formatted(narrow))
	}
	if wide.At(0, 1) != narrow.At(0, 1) || wide.At(1, 1) != narrow.At(1, 1) {
		t.Error("the density of a class without constant columns has changed")
	}
	// The other order gives the same densities: the cache of the training set tells them apart.
	other := train.Subset(stats.Indices(2 * n))
	if narrowFirst := logs(true, other); !mat.Equal(narrowFirst, narrow) || !mat.Equal(logs(false, other), wide) {
		t.Error("the densities depend on the order of the fits")
	}
	// A continuous column has a resolution that is smaller than the bandwidths.
	for i := n; i < 2*n; i++ {
		train.X.Set(i, 0, math.Sin(float64(i)))
	}
	other = train.Subset(stats.Indices(2 * n))
	if !mat.Equal(logs(true, other), logs(false, other)) {
		t.Error("a column of many values has another density")
	}
}
