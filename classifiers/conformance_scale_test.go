package classifiers

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/classics"
	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

// Laws about distances: distant classes are separated, and units do not matter.

// apart draws n rows, alternately of two classes. The columns are correlated and normal, and the class means
// are the given number of standard deviations apart.
func apart(n, d int, gap float64, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		shared := rng.NormFloat64()
		for j := range d {
			x.Set(i, j, gap*float64(y[i])+0.5*shared+math.Sqrt(0.75)*rng.NormFloat64())
		}
	}
	return dataset.New(x, y, 2)
}

// farApart: the classifier separates distant classes, with few and with many columns, also if a third class
// is far from both in all columns.
func farApart(t *testing.T, spec Spec) {
	for _, d := range []int{2, 20, 40} {
		if testing.Short() && d > 20 {
			break
		}
		gaps := []float64{8, 40}
		if d > 20 {
			gaps = gaps[:1] // fits to many columns take most of the time
		}
		for _, gap := range gaps {
			train, test := apart(80, d, gap, 1), apart(200, d, gap, 2)
			rule := fit(t, spec, train)
			methodtest.CheckRule(t, rule, test)
			if e := methodtest.ErrorRate(rule, test); e > 0 {
				t.Errorf("%d columns, %g sd apart: error rate %g", d, gap, e)
			}
		}
	}
}

// rescaledColumns: other units of the columns do not change the labels, also if most values of a column are
// equal.
func rescaledColumns(t *testing.T, spec Spec) {
	tied := func(s *dataset.Set) *dataset.Set {
		return methodtest.WithColumn(s, 1, func(i int) float64 { return s.X.At(i, 1) * float64((i/2%5+1)/5) })
	}
	t.Run("continuous", func(t *testing.T) {
		rescaled(t, spec, methodtest.Gaussians(60, 3, 2, 1), methodtest.Gaussians(60, 3, 2, 2))
	})
	t.Run("tied", func(t *testing.T) {
		rescaled(t, spec, tied(methodtest.Gaussians(60, 3, 2, 1)), tied(methodtest.Gaussians(60, 3, 2, 2)))
	})
}

func rescaled(t *testing.T, spec Spec, train, test *dataset.Set) {
	want := fit(t, spec, train).Predict(test.X)
	for _, units := range [][]float64{
		{1e5, 1e5, 1}, {1e-4, 1e3, 7}, {1e100, 1e100, 1e100}, {1e150, 1, 1}, {1e-300, 1e-300, 1e-300},
		{1e-300, 1, 1e100}, {1e300, 1e-290, 1e5},
	} {
		t.Run(fmt.Sprint(units), func(t *testing.T) {
			scaled := func(s *dataset.Set) *dataset.Set {
				for j, u := range units {
					before := s.X
					s = methodtest.WithColumn(s, j, func(i int) float64 { return u * before.At(i, j) })
				}
				return s
			}
			rule := fit(t, spec, scaled(train))
			methodtest.CheckRule(t, rule, scaled(test))
			for i, label := range rule.Predict(scaled(test).X) {
				if label != want[i] {
					t.Errorf("row %d: class %d in these units, %d before", i, label, want[i])
				}
			}
		})
	}
}

// farRows: rows with the largest possible numbers have scores, too.
func farRows(t *testing.T, spec Spec) {
	train, test := methodtest.Gaussians(60, 3, 2, 1), methodtest.Gaussians(60, 3, 2, 2)
	for _, unit := range []float64{1, 1e-300} {
		scaled := methodtest.WithColumn(train, 1, func(i int) float64 { return unit * train.X.At(i, 1) })
		rule := fit(t, spec, scaled)
		for _, far := range []float64{1e200, -1e300, math.MaxFloat64} {
			methodtest.CheckRule(t, rule, methodtest.WithColumn(test, 1, func(int) float64 { return far }))
		}
	}
}

// hugeValue: a training set with one value of 1e170 is fitted or rejected, and no score is NaN.
func hugeValue(t *testing.T, spec Spec) {
	train, test := methodtest.Gaussians(60, 4, 2, 1), methodtest.Gaussians(20, 4, 2, 2)
	for _, huge := range []float64{1e150, 1e170, 1e300} {
		outlier := methodtest.WithColumn(train, 1, func(i int) float64 {
			if i == 3 {
				return huge
			}
			return train.X.At(i, 1)
		})
		rule, err := tryFit(t, spec, outlier)
		if err != nil {
			t.Logf("refused: %v", err)
			continue
		}
		methodtest.CheckRule(t, rule, test)
		methodtest.CheckRule(t, rule, outlier)
	}
}

// The neighbours are the same if all columns change their units. A column of huge values dominates the
// distances.
func TestNeighboursOfExtremeValues(t *testing.T) {
	recipe := &classics.KNN{K: 5}
	train, test := methodtest.Gaussians(60, 3, 2, 1), methodtest.Gaussians(60, 3, 2, 2)
	want := methodtest.Fit(t, recipe, train).Predict(test.X)
	for _, unit := range []float64{0x1p-600, 0x1p600, 0x1p1000} {
		scaled := func(s *dataset.Set) *dataset.Set {
			s = s.Subset(stats.Indices(s.N()))
			s.X.Scale(unit, s.X)
			return s
		}
		if got := methodtest.Fit(t, recipe, scaled(train)).Predict(scaled(test).X); !slices.Equal(got, want) {
			t.Errorf("unit %g: other labels", unit)
		}
	}
	huge := func(s *dataset.Set) *dataset.Set {
		return methodtest.WithColumn(s, 1, func(i int) float64 { return 1e200 * (float64(s.Y[i]) + float64(i)/1000) })
	}
	if e := methodtest.ErrorRate(methodtest.Fit(t, recipe, huge(train)), huge(test)); e > 0 {
		t.Errorf("a separable column of 1e200: error rate %g", e)
	}
}

// Classes without common levels are separated, although the levels of a row do not occur in the other class.
func TestDisjointLevels(t *testing.T) {
	draw := func(seed uint64) *dataset.Set {
		rng, rows, y := randtest.New(seed), make([][]float64, 200), make([]int, 200)
		levels := make([]int, 25)
		for i := range rows {
			y[i] = i % 2
			rows[i] = make([]float64, len(levels))
			for j := range levels {
				levels[j], rows[i][j] = 6, float64(3*y[i]+rng.Intn(3))
			}
		}
		return methodtest.DiscreteSet(rows, y, levels, 2)
	}
	for _, name := range []string{"nb", "tan"} {
		rule := fit(t, lookup(t, name), draw(1))
		methodtest.CheckRule(t, rule, draw(2))
		if e := methodtest.ErrorRate(rule, draw(2)); e > 0 {
			t.Errorf("%s: error rate %g", name, e)
		}
	}
}
