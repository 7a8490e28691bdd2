package classifiers

import (
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/classics"
	"copse/classifiers/networks"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// withRareClass returns a set with 30 rows of each of the classes 0 and 1, and the given number of rows of class 2.
// Column 1 separates all three classes: their means have a distance of 6 standard deviations. If the columns are
// discrete, column 1 has a level for each class, whose width is this distance.
func withRareClass(rare int, discrete bool) *dataset.Set {
	rng := randtest.New(3)
	n := 60 + rare
	x, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		if y[i] = i % 2; i >= 60 {
			y[i] = 2
		}
		for j := range 3 {
			v, width := rng.NormFloat64(), 3.0
			if j == 0 {
				const distance = 6.0
				v, width = v+distance*float64(y[i]), distance
			}
			if discrete {
				v = float64(max(0, min(3, int(math.Round(v/width)+1))))
			}
			x.Set(i, j, v)
		}
	}
	s := dataset.New(x, y, 3)
	if discrete {
		for j := range s.Attributes {
			s.Attributes[j] = dataset.Attribute{
				Name:   s.Attributes[j].Name,
				Kind:   dataset.Discrete,
				Levels: []string{"a", "b", "c", "d"},
			}
		}
	}
	return s
}

// separatesBesideRare: with fewer than four training rows of a class, the classifier still separates the other classes.
// It keeps the class or drops it with a warning.
func separatesBesideRare(t *testing.T, spec Spec) {
	if spec.MaxClasses == 2 {
		t.Skip("the classifier accepts two classes only")
	}
	for rare := range 4 {
		train := withRareClass(rare, spec.Discrete)
		stream := func() *rand.Rand { return randtest.New(1) }
		rule, err := FitDroppingRare(t.Context(), spec.New(), train, stream)
		if err != nil {
			t.Errorf("%d rows: %v", rare, err)
			continue
		}
		wrong := 0
		for i, label := range rule.Predict(train.X) {
			if label < 0 || label > 2 {
				t.Fatalf("label %d", label)
			}
			if label != train.Y[i] && train.Y[i] < 2 {
				wrong++
			}
		}
		if wrong > 6 {
			t.Errorf("%d rows: %d of 60 others wrong", rare, wrong)
		}
		if rule.Scores != nil {
			if n, c := rule.Scores(train.X).Dims(); n != train.N() || c != 3 {
				t.Errorf("%d x %d scores", n, c)
			}
		}
		if rule.Probabilities != nil {
			for i := range train.N() {
				if sum := mat.Sum(rule.Probabilities(train.X).RowView(i)); math.Abs(sum-1) > 1e-9 {
					t.Errorf("probabilities sum to %v", sum)
					break
				}
			}
		}
		warned := slices.ContainsFunc(rule.Warnings, func(text string) bool {
			return strings.HasPrefix(text, "left out, with ") && strings.HasSuffix(text, ": class 2")
		})
		if rare == 0 && !warned {
			t.Error("no word of the class without rows")
		}
	}
}

func TestFitDroppingRareNeedsTwoClasses(t *testing.T) {
	one := withRareClass(0, false)
	two, _ := one.WithoutClasses([]int{2})
	only, _ := two.WithoutClasses([]int{1})
	only.Classes = []string{"0", "1"}
	stream := func() *rand.Rand { return randtest.New(1) }
	if _, err := FitDroppingRare(t.Context(), classics.NewLDA(), only, stream); err == nil {
		t.Error("fitted to a single class")
	}
}

// A prepared recipe gives the results of its recipe on data prepared by hand from the training
// rows, and supports the same outputs.
func TestPrepared(t *testing.T) {
	train, _ := withRareClass(0, false).WithoutClasses([]int{2})
	for i := range train.N() {
		if i%7 == 0 {
			train.X.Set(i, 2, math.NaN())
		}
		train.X.Set(i, 1, float64(i%3))
	}
	test := mat.NewDense(2, 3, []float64{0, 1, math.NaN(), 6, 2, 0})
	for _, how := range []dataset.Imputation{dataset.ImputeMean, dataset.ImputeMedian, dataset.ImputeKNN} {
		imputer, err := dataset.FitImputer(train, how)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Fit(t.Context(), classics.NewLDA(), dataset.Transformed(train, imputer), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Prepared(classics.NewLDA(), Preparation{Impute: how}).Fit(t.Context(), train, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(got.Scores(test), want.Scores(imputer.Apply(test))) ||
			!slices.Equal(got.Predict(test), want.Predict(imputer.Apply(test))) {
			t.Errorf("%s: other scores", how)
		}
		if want.Probabilities != nil {
			if !mat.Equal(got.Probabilities(test), want.Probabilities(imputer.Apply(test))) {
				t.Errorf("%s: other probabilities", how)
			}
		}
	}
	p := Preparation{Discrete: []string{"x2"}, Impute: dataset.ImputeMedian}
	if _, err := Prepared(networks.NewNB(), p).Fit(t.Context(), train, nil); err != nil ||
		p.String() != `+discrete=["x2"]+impute=median` {
		t.Errorf("%v %s", err, p)
	}
	if recipe := classics.NewLDA(); Prepared(recipe, Preparation{}) != Classifier(recipe) {
		t.Error("without preparation, the recipe differs")
	}
}
