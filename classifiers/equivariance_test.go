package classifiers

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/densities"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/networks"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// Units do not matter: an affine map of a column shifts its log densities, which standardisation removes, and
// does not change trees or the threshold. The signs and the order of the columns do not matter either.
func TestEquivariance(t *testing.T) {
	train, test := methodtest.CorrelatedSet(90, 4, 2, 6), methodtest.CorrelatedSet(40, 4, 2, 7)
	mapped := func(s *dataset.Set, affine bool) *dataset.Set {
		x := mat.NewDense(s.N(), 4, nil)
		for i := range s.N() {
			for j, k := range []int{2, 0, 3, 1} {
				v := s.X.At(i, k)
				if affine {
					v = 5 + float64(k+2)*v*float64(1-k%2*2)
				}
				x.Set(i, j, v)
			}
		}
		return dataset.New(x, s.Y, 2)
	}
	slb, minus, tan, forest := densities.NewSLB(), densities.NewSLBMinus(), networks.NewTAN(), densities.NewForestDens()
	slb.Tolerance, minus.Tolerance, forest.Tolerance = 1e-9, 1e-9, 1e-9
	for _, c := range []Classifier{slb, minus, tan, forest} {
		affine := c != Classifier(forest) // not standardised: its cost is in the features' units
		before := methodtest.Fit(t, c, train).Scores(test.X)
		after := methodtest.Fit(t, c, mapped(train, affine)).Scores(mapped(test, affine).X)
		for i := range test.N() {
			b, a := before.At(i, 1)-before.At(i, 0), after.At(i, 1)-after.At(i, 0)
			if math.Abs(a-b) > 1e-4*max(1, math.Abs(b)) {
				t.Errorf("%T, row %d: %g after, %g before", c, i, a, b)
			}
		}
	}
}

func TestTwoClassesOnly(t *testing.T) {
	three := methodtest.CorrelatedSet(30, 2, 3, 10)
	for _, c := range []Classifier{densities.NewSLB(), densities.NewSLBMinus(), densities.NewForestDens()} {
		if _, err := Fit(t.Context(), c, three, randtest.New(1)); err == nil {
			t.Errorf("%T took three classes", c)
		}
	}
}

// Other names for the classes change neither the folds nor the sampled rows from which dependences are
// estimated. In version 3 of SLB they did.
func TestSamplesIgnoreClassNames(t *testing.T) {
	train, test := methodtest.CorrelatedSet(300, 5, 2, 6), methodtest.CorrelatedSet(200, 5, 2, 7)
	y := make([]int, train.N())
	for i, label := range train.Y {
		y[i] = 1 - label
	}
	renamed := methodtest.WithLabels(train, y)
	differ := func(c Classifier) bool {
		first := mat.Col(nil, 0, methodtest.Fit(t, c, train).Scores(test.X))
		second := mat.Col(nil, 1, methodtest.Fit(t, c, renamed).Scores(test.X))
		return !floats.EqualApprox(first, second, 1e-6)
	}
	slb, old, tan := densities.NewSLB(), densities.NewSLB(), networks.NewTAN()
	for _, s := range []*densities.SLB{slb, old} {
		s.MaxRows, s.SelectRows, s.Tolerance = 40, 100, 1e-9
	}
	old.Pin(3)
	tan.MaxRows = 20
	if differ(slb) || differ(tan) {
		t.Errorf("the scores follow the names: of slb %v, of tan %v", differ(slb), differ(tan))
	}
	if !differ(old) {
		t.Error("the scores of version 3 do not depend on the names, so the test has no power")
	}
}
