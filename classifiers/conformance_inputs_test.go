package classifiers

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// The laws about unusual training sets.

// discretised replaces columns of gaussians: one of three levels in column j, a
// fourth is never seen, and one of two, wrong once in ten rows, in the last one.
func discretised(s *dataset.Set, columns ...int) *dataset.Set {
	last := s.D() - 1
	for _, j := range columns {
		from := s
		s = withColumn(from, j, func(i int) float64 { return math.Mod(math.Abs(math.Trunc(from.X.At(i, j))), 3) })
	}
	s = withColumn(s, last, func(i int) float64 { return float64((s.Y[i] + i/2%10/9) % 2) })
	s.Attributes = slices.Clone(s.Attributes)
	for _, j := range columns {
		s.Attributes[j] = dataset.Attribute{Name: fmt.Sprintf("d%d", j+1), Kind: dataset.Discrete, Levels: []string{"a", "b", "c", "never seen"}}
	}
	s.Attributes[last] = dataset.Attribute{Name: "last", Kind: dataset.Discrete, Levels: []string{"no", "yes"}}
	return s
}

// discreteAttributes: taken or refused, as the registry says.
func discreteAttributes(t *testing.T, spec Spec) { takesLevels(t, spec, 0, 1) }

// mixedAttributes: taken beside numeric ones where discrete ones are taken.
func mixedAttributes(t *testing.T, spec Spec) { takesLevels(t, spec, 1) }

func takesLevels(t *testing.T, spec Spec, columns ...int) {
	train, test := discretised(gaussians(60, 3, 2, 1), columns...), discretised(gaussians(60, 3, 2, 2), columns...)
	rule, err := tryFit(t, spec, train)
	if spec.Discrete != (err == nil) {
		t.Fatalf("Discrete is %v in the registry: %v", spec.Discrete, err)
	}
	if err != nil {
		return
	}
	checkRule(t, rule, test)
	if e := errorRate(rule, test); e > 0.25 { // 5nn has its neighbours in all columns
		t.Errorf("error rate %g where one column alone has 0.1", e)
	}
	noCode := withColumn(train, 1, func(i int) float64 { return float64(i) })
	if _, err := tryFit(t, spec, noCode); err == nil {
		t.Error("no error for values that are no codes")
	}
}

// missingValues: where the registry says so, in any place.
func missingValues(t *testing.T, spec Spec) {
	if !spec.Missing {
		t.Skip("takes no missing values; a law below tests that it says so")
	}
	holes := func(seed uint64) *dataset.Set {
		s := gaussians(60, 3, 2, seed)
		return withColumn(s, 1, func(i int) float64 {
			if i%4 == 1 {
				return math.NaN()
			}
			return s.X.At(i, 1)
		})
	}
	rule := fit(t, spec, holes(1))
	checkRule(t, rule, holes(2))
	if e := errorRate(rule, holes(2)); e > 0.2 {
		t.Errorf("error rate %g where Bayes' rule has 0.03", e)
	}
	nothing := gaussians(4, 3, 2, 3)
	nothing.X.Apply(func(int, int, float64) float64 { return math.NaN() }, nothing.X)
	checkRule(t, rule, nothing)
}

// degenerate: training sets with which a recipe may succeed or fail, but not
// panic or answer with something else than a class.
func degenerate(t *testing.T, spec Spec) {
	base := gaussians(24, 3, 2, 1)
	for _, set := range []struct {
		name  string
		train *dataset.Set
	}{
		{"one column", gaussians(30, 1, 2, 1)},
		{"a constant column", withColumn(base, 1, func(int) float64 { return 2 })},
		{"a column constant within each class", withColumn(base, 1, func(i int) float64 { return float64(base.Y[i]) })},
		{"a large constant column", withColumn(base, 1, func(int) float64 { return 1e9 / 3 })},
		{"two equal columns", withColumn(base, 1, func(i int) float64 { return base.X.At(i, 0) })},
		{"values of 1e-150", withColumn(base, 1, func(i int) float64 { return 1e-150 * base.X.At(i, 1) })},
		{"values of 1e150", withColumn(base, 1, func(i int) float64 { return 1e150 * base.X.At(i, 1) })},
		{"every row twice", base.Subset(slices.Concat(columns.Head(24), columns.Head(24)))},
		{"all rows equal", withLabels(base.Subset(make([]int, 24)), base.Y)},
		{"one row per class", base.Subset([]int{0, 1})},
		{"two rows per class", base.Subset([]int{0, 1, 2, 3})},
		{"three rows per class", base.Subset(columns.Head(6))},
		{"one row against many", base.Subset([]int{0, 1, 3, 5, 7, 9, 11, 13, 15})},
		{"more columns than rows", gaussians(6, 9, 2, 1)},
		{"integers", withColumn(base, 1, func(i int) float64 { return float64(i % 3) })},
	} {
		t.Run(set.name, func(t *testing.T) {
			rule, err := tryFit(t, spec, set.train)
			if err != nil {
				t.Logf("refused: %v", err)
				return
			}
			checkRule(t, rule, set.train)
			checkRule(t, rule, far(set.train))
		})
	}
}

// impossible: training sets that every recipe refuses.
func impossible(t *testing.T, spec Spec) {
	base := gaussians(20, 3, 2, 1)
	empty := base.Subset(nil)
	third := withLabels(base, base.Y)
	third.Classes = []string{"a", "b", "c"}
	one := withLabels(base, make([]int, base.N()))
	one.Classes = []string{"a"}
	type set struct {
		name  string
		train *dataset.Set
	}
	sets := []set{
		{"no rows", empty},
		{"a class without rows", third},
		{"one class", one},
		{"rows of one class only", withLabels(base, make([]int, base.N()))},
		{"+Inf", withColumn(base, 1, func(i int) float64 { return math.Inf(1 - 2*(i%2)) })},
		{"-Inf in one place", withColumn(base, 2, func(i int) float64 { return map[bool]float64{true: math.Inf(-1)}[i == 7] })},
	}
	if !spec.Missing {
		sets = append(sets, set{"NaN", withColumn(base, 0, func(i int) float64 { return map[bool]float64{true: math.NaN()}[i == 3] })})
	}
	for _, set := range sets {
		t.Run(set.name, func(t *testing.T) {
			if _, err := tryFit(t, spec, set.train); err == nil {
				t.Error("no error")
			}
		})
	}
}

// manyFolds: a recipe that cross-validates holds out one row at a time where it is
// asked for more folds than there are rows.
func manyFolds(t *testing.T, spec Spec) {
	if _, ok := recipe.ParamFields(reflect.TypeOf(spec.New()).Elem())["folds"]; !ok {
		t.Skip("has no folds")
	}
	train, test := gaussians(12, 3, 2, 1), gaussians(30, 3, 2, 2)
	scores := func(folds int64) *mat.Dense {
		r := spec.New()
		fields := reflect.ValueOf(r).Elem()
		fields.FieldByName("Folds").SetInt(folds)
		if f := fields.FieldByName("Criterion"); f.IsValid() {
			f.SetString(criterionCV)
		}
		rule, err := Fit(context.Background(), r, train, newRand(1))
		if err != nil {
			t.Fatalf("%d folds: %v", folds, err)
		}
		return rule.Scores(test.X)
	}
	if !mat.Equal(scores(12), scores(1000)) {
		t.Error("12 rows have other rules with 12 folds than with 1000")
	}
}
