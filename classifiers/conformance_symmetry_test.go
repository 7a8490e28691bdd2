package classifiers

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/stats"
	"copse/stats/dataset"
)

// sameLabels fits the classifier to both training sets and tests that it predicts the
// same labels, after translate, for the rows of both test sets.
func sameLabels(t *testing.T, spec Spec, train, otherTrain, test, otherTest *dataset.Set,
	translate func(label int) int) {
	t.Helper()
	labels := fit(t, spec, train).Predict(test.X)
	others := fit(t, spec, otherTrain).Predict(otherTest.X)
	changed := 0
	for i, label := range labels {
		if translate(label) != others[i] {
			changed++
		}
	}
	if changed > 0 {
		t.Errorf("%d of %d labels differ", changed, len(labels))
	}
}

func same(label int) int { return label }

// onOrdinaryData runs the check on training and test sets of continuous columns and of columns with many
// ties. Their numbers of rows cannot be divided into equal folds or bins.
func onOrdinaryData(t *testing.T, check func(t *testing.T, train, test *dataset.Set)) {
	train, test := methodtest.Gaussians(83, 4, 2, 1), methodtest.Gaussians(200, 4, 2, 2)
	rounded := func(s *dataset.Set) *dataset.Set {
		s = s.Subset(stats.Indices(s.N()))
		s.X.Apply(func(_, _ int, v float64) float64 { return math.Round(v) }, s.X)
		return s
	}
	t.Run("continuous", func(t *testing.T) { check(t, train, test) })
	t.Run("tied", func(t *testing.T) { check(t, rounded(train), rounded(test)) })
}

// permutedColumns: the order of the columns does not change the labels.
func permutedColumns(t *testing.T, spec Spec) {
	order := []int{2, 0, 3, 1}
	permuted := func(s *dataset.Set) *dataset.Set {
		x := mat.NewDense(s.N(), len(order), nil)
		for to, from := range order {
			x.SetCol(to, mat.Col(nil, from, s.X))
		}
		return dataset.New(x, s.Y, s.C())
	}
	onOrdinaryData(t, func(t *testing.T, train, test *dataset.Set) {
		sameLabels(t, spec, train, permuted(train), test, permuted(test), same)
	})
}

// reflectedColumns: a column with the opposite sign does not change the labels.
func reflectedColumns(t *testing.T, spec Spec) {
	reflected := func(s *dataset.Set) *dataset.Set {
		return methodtest.WithColumn(s, 1, func(i int) float64 { return -s.X.At(i, 1) })
	}
	onOrdinaryData(t, func(t *testing.T, train, test *dataset.Set) {
		sameLabels(t, spec, train, reflected(train), test, reflected(test), same)
	})
}

// mislabel gives each sixth row the wrong one of two classes. The labels of a test set then depend on few
// training rows.
func mislabel(s *dataset.Set) {
	for i := 0; i < s.N(); i += 6 {
		s.Y[i] = 1 - s.Y[i]
	}
}

// renamedClasses: other codes for the classes change nothing but the codes of the labels.
func renamedClasses(t *testing.T, spec Spec) {
	renamed := func(s *dataset.Set) *dataset.Set {
		y := make([]int, s.N())
		for i, label := range s.Y {
			y[i] = 1 - label
		}
		return methodtest.WithLabels(s, y)
	}
	onOrdinaryData(t, func(t *testing.T, train, test *dataset.Set) {
		mislabel(train)
		sameLabels(t, spec, train, renamed(train), test, test, func(label int) int { return 1 - label })
	})
}

// constantColumn: a column with the same value in all rows does not change the labels.
func constantColumn(t *testing.T, spec Spec) { ignoresColumnOf(t, spec, 7.3) }

// emptyColumn: a column without values does not change the labels.
func emptyColumn(t *testing.T, spec Spec) {
	if !spec.Missing {
		t.Skip("the classifier refuses missing values")
	}
	ignoresColumnOf(t, spec, math.NaN())
}

// ignoresColumnOf tests that the labels do not change if a column that contains only v is appended.
func ignoresColumnOf(t *testing.T, spec Spec, v float64) {
	appended := func(s *dataset.Set) *dataset.Set {
		x := s.X.Grow(0, 1).(*mat.Dense)
		for i := range s.N() {
			x.Set(i, s.D(), v)
		}
		return dataset.New(x, s.Y, s.C())
	}
	onOrdinaryData(t, func(t *testing.T, train, test *dataset.Set) {
		sameLabels(t, spec, train, appended(train), test, appended(test), same)
	})
}

// reorderedRows: the order of the training rows does not change the labels.
func reorderedRows(t *testing.T, spec Spec) {
	onOrdinaryData(t, func(t *testing.T, train, test *dataset.Set) {
		mislabel(train)
		backwards := stats.Indices(train.N())
		slices.Reverse(backwards)
		sameLabels(t, spec, train, train.Subset(backwards), test, test, same)
	})
}

// duplicatedRows: if every row occurs twice, the classifier still separates the classes.
func duplicatedRows(t *testing.T, spec Spec) {
	train, test := methodtest.Gaussians(60, 4, 2, 1), methodtest.Gaussians(200, 4, 2, 2)
	once := stats.Indices(train.N())
	twice := train.Subset(append(once, once...))
	if e := methodtest.ErrorRate(fit(t, spec, twice), test); e > 0.1 {
		t.Errorf("error rate %g, Bayes' rule has 0.02", e)
	}
}

// tenClasses: the classifier separates ten classes or rejects them.
func tenClasses(t *testing.T, spec Spec) {
	if spec.MaxClasses > 0 {
		t.Skip("takes fewer classes; a law above tests that it refuses more")
	}
	train, test := methodtest.Gaussians(100, 3, 10, 1), methodtest.Gaussians(200, 3, 10, 2)
	if e := methodtest.ErrorRate(fit(t, spec, train), test); e > 0.5 {
		t.Errorf("error rate %g, chance has 0.9", e)
	}
}
