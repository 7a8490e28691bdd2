package classics

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/stats"
	"copse/stats/dataset"
)

// The golden values come from scikit-learn 1.2.1 (testdata/defaults.py).
func TestDefaultsGolden(t *testing.T) {
	want := golden.Read(t, "../testdata/defaults.csv")
	likelihood := NewLogistic()
	likelihood.Penalty, likelihood.Tolerance = noPenalty, 1e-14
	for name, recipe := range map[string]method.Classifier{"knn": NewKNN(), "none": likelihood} {
		for classes := 2; classes <= 3; classes++ {
			train, all, _ := methodtest.Classics(t, classes)
			test := all.Subset(stats.Indices(all.N())[train.N():])
			got := methodtest.Fit(t, recipe, train).Probabilities(test.X)
			for i, row := range want {
				for c := range classes {
					w := row.Num(fmt.Sprintf("%s%d%d", name, classes, c))
					if math.Abs(got.At(i, c)-w) > 1e-7 {
						t.Fatalf("%s, row %d, class %d of %d: %v, want %v", name, i, c, classes, got.At(i, c), w)
					}
				}
			}
		}
	}
}

// Penalty ridge is the elastic net with alpha 0, which is tested against glmnet.
func TestRidgeIsAlphaZero(t *testing.T) {
	train, all, _ := methodtest.Classics(t, 2)
	ridge, zero := NewLogistic(), NewLogistic()
	ridge.Penalty, zero.Alpha = ridgePenalty, 0
	methodtest.SameScores(t, methodtest.Fit(t, ridge, train), methodtest.Fit(t, zero, train), all.X, 0)
}

// If a line separates the classes, the likelihood has no maximum.
func TestSeparatedClasses(t *testing.T) {
	train := methodtest.Gaussians(60, 2, 2, 1)
	apart := methodtest.WithColumn(train, 0, func(i int) float64 { return float64(train.Y[i]) + float64(i)/1000 })
	recipe := NewLogistic()
	recipe.Penalty = noPenalty
	rule := methodtest.Fit(t, recipe, apart)
	if e := methodtest.ErrorRate(rule, apart); e > 0 {
		t.Errorf("error rate %g", e)
	}
	if w := strings.Join(rule.Warnings, "\n"); !strings.Contains(w, "linearly separable") {
		t.Errorf("warnings %q", w)
	}
}

// A level with one row separates this row, so the likelihood has no maximum. With a row of each class, it has.
func TestPartlySeparatedClasses(t *testing.T) {
	train := methodtest.Gaussians(60, 2, 3, 1)
	for rows := 1; rows <= 3; rows++ {
		rare := methodtest.WithColumn(train, 0, func(i int) float64 {
			if i < rows {
				return 1
			}
			return 0
		})
		rare = methodtest.WithLabels(rare, append([]int{0, 1, 2}, train.Y[3:]...))
		recipe := NewLogistic()
		recipe.Penalty = noPenalty
		rule := methodtest.Fit(t, recipe, rare)
		if warned := strings.Contains(strings.Join(rule.Warnings, ""), "no maximum"); warned != (rows < 3) {
			t.Errorf("with %d rows, the warnings are %q", rows, rule.Warnings)
		}
	}
}

// Trees separate classes that differ only in whether a value is missing.
func TestTreesSplitOnMissingValues(t *testing.T) {
	holes := func(s *dataset.Set) *dataset.Set {
		return methodtest.WithColumn(s, 0, func(i int) float64 {
			if s.Y[i] == 1 {
				return math.NaN()
			}
			return float64(i % 7)
		})
	}
	train := holes(methodtest.WithLabels(methodtest.Gaussians(80, 2, 2, 1), halves(80)))
	test := holes(methodtest.WithLabels(methodtest.Gaussians(80, 2, 2, 2), halves(80)))
	for _, recipe := range []method.Classifier{NewForest(), NewBoosting()} {
		if e := methodtest.ErrorRate(methodtest.Fit(t, recipe, train), test); e > 0 {
			t.Errorf("%T: error rate %g", recipe, e)
		}
	}
}

// halves returns n labels, the first half 0 and the others 1.
func halves(n int) []int {
	labels := make([]int, n)
	for i := n / 2; i < n; i++ {
		labels[i] = 1
	}
	return labels
}

// A column that lacks training values enters twice. In a column with complete training values, the median
// replaces missing test values.
func TestTreeTable(t *testing.T) {
	nan := math.NaN()
	train := dataset.New(mat.NewDense(3, 2, []float64{1, 5, nan, 7, 3, 9}), []int{0, 1, 0}, 2)
	table, trained := newTreeTable(train)
	const below, above = -math.MaxFloat64, math.MaxFloat64
	for _, c := range []struct{ got, want *mat.Dense }{
		{trained, mat.NewDense(3, 3, []float64{1, 5, 1, below, 7, above, 3, 9, 3})},
		{
			table.apply(mat.NewDense(2, 2, []float64{nan, nan, 2, 6})),
			mat.NewDense(2, 3, []float64{below, 7, above, 2, 6, 2}),
		},
	} {
		if !mat.Equal(c.got, c.want) {
			t.Errorf("%v, want %v", mat.Formatted(c.got), mat.Formatted(c.want))
		}
	}
}
