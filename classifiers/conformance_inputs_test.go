package classifiers

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/chebyshev"
	"copse/classifiers/internal/methodtest"
	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// The laws about unusual training sets.

// discreteAttributes: the classifier accepts or rejects discrete attributes, as the registry states.
func discreteAttributes(t *testing.T, spec Spec) { takesLevels(t, spec, spec.Discrete, 0, 1) }

// mixedAttributes: the classifier accepts or rejects a mixture of discrete and numeric attributes, as the
// registry states.
func mixedAttributes(t *testing.T, spec Spec) {
	takesLevels(t, spec, spec.Discrete && !spec.OneKind, 1)
}

func takesLevels(t *testing.T, spec Spec, takes bool, columns ...int) {
	train := methodtest.Discretised(methodtest.Gaussians(60, 3, 2, 1), columns...)
	test := methodtest.Discretised(methodtest.Gaussians(60, 3, 2, 2), columns...)
	rule, err := tryFit(t, spec, train)
	if takes != (err == nil) {
		t.Fatalf("Discrete is %v and OneKind %v in the registry: %v", spec.Discrete, spec.OneKind, err)
	}
	if err != nil {
		return
	}
	methodtest.CheckRule(t, rule, test)
	if e := methodtest.ErrorRate(rule, test); e > 0.25 { // 5nn has its neighbours in all columns
		t.Errorf("error rate %g where one column alone has 0.1", e)
	}
	noCode := methodtest.WithColumn(train, 1, func(i int) float64 { return float64(i) })
	if _, err := tryFit(t, spec, noCode); err == nil {
		t.Error("no error for values that are not codes")
	}
}

// missingValues: if the registry states so, the classifier accepts missing values in any place.
func missingValues(t *testing.T, spec Spec) {
	if !spec.Missing {
		t.Skip("does not accept missing values; a law below tests its error")
	}
	holes := func(seed uint64) *dataset.Set {
		s := methodtest.Gaussians(60, 3, 2, seed)
		return methodtest.WithColumn(s, 1, func(i int) float64 {
			if i%4 == 1 {
				return math.NaN()
			}
			return s.X.At(i, 1)
		})
	}
	rule := fit(t, spec, holes(1))
	methodtest.CheckRule(t, rule, holes(2))
	if e := methodtest.ErrorRate(rule, holes(2)); e > 0.2 {
		t.Errorf("error rate %g where Bayes' rule has 0.03", e)
	}
	nothing := methodtest.Gaussians(4, 3, 2, 3)
	nothing.X.Apply(func(int, int, float64) float64 { return math.NaN() }, nothing.X)
	methodtest.CheckRule(t, rule, nothing)
}

// degenerate: a fit to a degenerate training set may fail, but it may not panic or predict anything other
// than a class.
func degenerate(t *testing.T, spec Spec) {
	base := methodtest.Gaussians(24, 3, 2, 1)
	for _, set := range []struct {
		name  string
		train *dataset.Set
	}{
		{"one column", methodtest.Gaussians(30, 1, 2, 1)},
		{"a constant column", methodtest.WithColumn(base, 1, func(int) float64 { return 2 })},
		{"a column constant within each class", methodtest.WithColumn(base, 1, func(i int) float64 {
			return float64(base.Y[i])
		})},
		{"a large constant column", methodtest.WithColumn(base, 1, func(int) float64 { return 1e9 / 3 })},
		{"two equal columns", methodtest.WithColumn(base, 1, func(i int) float64 { return base.X.At(i, 0) })},
		{"values of 1e-150", methodtest.WithColumn(base, 1, func(i int) float64 { return 1e-150 * base.X.At(i, 1) })},
		{"values of 1e150", methodtest.WithColumn(base, 1, func(i int) float64 { return 1e150 * base.X.At(i, 1) })},
		{"every row twice", base.Subset(slices.Concat(stats.Indices(24), stats.Indices(24)))},
		{"all rows equal", methodtest.WithLabels(base.Subset(make([]int, 24)), base.Y)},
		{"one row per class", base.Subset([]int{0, 1})},
		{"two rows per class", base.Subset([]int{0, 1, 2, 3})},
		{"three rows per class", base.Subset(stats.Indices(6))},
		{"one row against many", base.Subset([]int{0, 1, 3, 5, 7, 9, 11, 13, 15})},
		{"more columns than rows", methodtest.Gaussians(6, 9, 2, 1)},
		{"integers", methodtest.WithColumn(base, 1, func(i int) float64 { return float64(i % 3) })},
	} {
		t.Run(set.name, func(t *testing.T) {
			rule, err := tryFit(t, spec, set.train)
			if err != nil {
				t.Logf("refused: %v", err)
				return
			}
			methodtest.CheckRule(t, rule, set.train)
			methodtest.CheckRule(t, rule, far(set.train))
		})
	}
}

// dependentColumns: every classifier separates the classes, even if a column is a linear function of another
// one, in one class or in all rows. The error may be larger than without this column: a
// pseudo-likelihood uses only conditional densities, so it ignores the marginal density of such columns.
func dependentColumns(t *testing.T, spec Spec) {
	for name, classes := range map[string]int{"in class 0": 1, "in all rows": 2} {
		t.Run(name, func(t *testing.T) {
			separatesWith(t, spec, func(s *dataset.Set, i int) float64 {
				if s.Y[i] < classes {
					return 3 - 2*s.X.At(i, 0)
				}
				return s.X.At(i, 1)
			}, 0.3)
		})
	}
}

// constantColumns: every classifier accepts a column that is constant in one class, in each class or in all
// rows. It still separates the classes by the other columns.
func constantColumns(t *testing.T, spec Spec) {
	for name, constant := range map[string]func(s *dataset.Set, i int) float64{
		"in class 0": func(s *dataset.Set, i int) float64 {
			if s.Y[i] == 0 {
				return 2
			}
			return s.X.At(i, 1)
		},
		"in each class": func(s *dataset.Set, i int) float64 { return float64(s.Y[i]) },
		"in all rows":   func(*dataset.Set, int) float64 { return 2 },
	} {
		t.Run(name, func(t *testing.T) {
			separatesWith(t, spec, constant, 0.15)
		})
	}
}

// separatesWith: the classifier accepts rows whose second column is replaced. Its error rate is at most largest;
// with the other two columns alone, an error rate of 0.05 is possible.
func separatesWith(t *testing.T, spec Spec, column func(s *dataset.Set, i int) float64, largest float64) {
	t.Helper()
	draw := func(seed uint64) *dataset.Set {
		s := methodtest.Gaussians(80, 3, 2, seed)
		return methodtest.WithColumn(s, 1, func(i int) float64 { return column(s, i) })
	}
	train, test := draw(1), draw(2)
	rule := fit(t, spec, train)
	methodtest.CheckRule(t, rule, test)
	methodtest.CheckRule(t, rule, far(test))
	if e := methodtest.ErrorRate(rule, test); e > largest {
		t.Errorf("error rate %g", e)
	}
}

// impossible: every recipe rejects these training sets.
func impossible(t *testing.T, spec Spec) {
	base := methodtest.Gaussians(20, 3, 2, 1)
	empty := base.Subset(nil)
	third := methodtest.WithLabels(base, base.Y)
	third.Classes = []string{"a", "b", "c"}
	one := methodtest.WithLabels(base, make([]int, base.N()))
	one.Classes = []string{"a"}
	withValue := func(j, at int, v float64) *dataset.Set {
		return methodtest.WithColumn(base, j, func(i int) float64 {
			if i == at {
				return v
			}
			return base.X.At(i, j)
		})
	}
	type set struct {
		name  string
		train *dataset.Set
	}
	sets := []set{
		{"no rows", empty},
		{"a class without rows", third},
		{"one class", one},
		{"rows of one class only", methodtest.WithLabels(base, make([]int, base.N()))},
		{"+Inf", methodtest.WithColumn(base, 1, func(i int) float64 { return math.Inf(1 - 2*(i%2)) })},
		{"-Inf in one place", withValue(2, 7, math.Inf(-1))},
	}
	if !spec.Missing {
		sets = append(sets, set{"NaN", withValue(0, 3, math.NaN())})
	}
	for _, set := range sets {
		t.Run(set.name, func(t *testing.T) {
			if _, err := tryFit(t, spec, set.train); err == nil {
				t.Error("no error")
			}
		})
	}
}

// manyFolds: if a recipe has more cross-validation folds than there are rows, it holds out one row at a time.
func manyFolds(t *testing.T, spec Spec) {
	if _, ok := recipe.ParamFields(reflect.TypeOf(spec.New()).Elem())["folds"]; !ok {
		t.Skip("has no folds")
	}
	train, test := methodtest.Gaussians(12, 3, 2, 1), methodtest.Gaussians(30, 3, 2, 2)
	scores := func(folds int64) *mat.Dense {
		r := spec.New()
		fields := reflect.ValueOf(r).Elem()
		fields.FieldByName("Folds").SetInt(folds)
		if f := fields.FieldByName("Criterion"); f.IsValid() {
			f.SetString("cv")
		}
		rule, err := Fit(t.Context(), r, train, randtest.New(1))
		if err != nil {
			t.Fatalf("%d folds: %v", folds, err)
		}
		return rule.Scores(test.X)
	}
	if !mat.Equal(scores(12), scores(1000)) {
		t.Error("12 rows have other rules with 12 folds than with 1000")
	}
}

func TestDCCRefusesCodes(t *testing.T) {
	for _, v := range []float64{2, -1, 0.5} {
		train := methodtest.DiscreteSet([][]float64{{0, 1}, {1, v}}, []int{0, 1}, []int{2, 2}, 2)
		for _, c := range []Classifier{chebyshev.NewDCC(), chebyshev.NewGreedyDCC()} {
			_, err := Fit(t.Context(), c, train, randtest.New(1))
			errtest.Case(t, fmt.Sprintf("%T: code %v", c, v)).Contains(err, `row 2, column "x2"`)
		}
	}
}
