package classifiers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// exceptions are the laws that a classifier is not held to, with the reason.
var exceptions = map[string]map[string]string{
	"khrf": {"relabelled classes": "a row without training neighbours in any class lies at the density floor in all; such ties go to the first class"},
}

// TestConformance holds every classifier of the registry to the contract that
// classifier.go states. One classifier: go test ./classifiers -run Conformance/svm
func TestConformance(t *testing.T) {
	for _, spec := range Registry {
		t.Run(spec.Name, func(t *testing.T) {
			for _, law := range laws {
				t.Run(law.name, func(t *testing.T) {
					if reason, ok := exceptions[spec.Name][law.name]; ok {
						t.Skipf("exception: %s", reason)
					}
					law.check(t, spec)
				})
			}
		})
	}
}

func TestExceptionsNameLaws(t *testing.T) {
	for name, reasons := range exceptions {
		if _, ok := Lookup(name); !ok {
			t.Errorf("exception for an unknown classifier %q", name)
		}
		for law, reason := range reasons {
			if !slices.ContainsFunc(laws, func(l contractLaw) bool { return l.name == law }) || reason == "" {
				t.Errorf("%s: exception from %q for the reason %q", name, law, reason)
			}
		}
	}
}

type contractLaw struct {
	name  string
	check func(*testing.T, Spec)
}

var laws = []contractLaw{
	{"parameters are described", parametersDescribed},
	{"recipe and data untouched", untouched},
	{"same stream, same rule", reproducible},
	{"batch is row by row", batchIsRowByRow},
	{"concurrent Predict", concurrentPredict},
	{"Scores' largest is Predict", scoresAgree},
	{"separated classes are told apart", separates},
	{"relabelled classes", relabelled},
	{"three classes", threeClasses},
	{"discrete attributes", discreteAttributes},
	{"missing values", missingValues},
	{"degenerate training sets", degenerate},
	{"impossible training sets", impossible},
	{"cancelled context", cancelled},
	{"wrong rows in Predict", wrongRows},
}

// parametersDescribed: each exported field is a parameter with a name and a line
// of text, and New gives independent recipes.
func parametersDescribed(t *testing.T, spec Spec) {
	if spec.Summary == "" || spec.Source == "" || spec.Version < 1 {
		t.Errorf("summary %q, source %q, version %d", spec.Summary, spec.Source, spec.Version)
	}
	value := reflect.ValueOf(spec.New())
	if value.Kind() != reflect.Pointer || value.Elem().Kind() != reflect.Struct {
		t.Fatalf("New returns a %s, not a pointer to a struct", value.Type())
	}
	for _, f := range reflect.VisibleFields(value.Elem().Type()) {
		if f.IsExported() && !f.Anonymous && (f.Tag.Get("param") == "" || f.Tag.Get("doc") == "") {
			t.Errorf("field %s lacks a param or a doc tag", f.Name)
		}
	}
	if value.Elem().NumField() > 0 && value.Pointer() == reflect.ValueOf(spec.New()).Pointer() {
		t.Error("New returns the same recipe twice")
	}
}

func untouched(t *testing.T, spec Spec) {
	train, test := gaussians(40, 3, 2, 1), gaussians(10, 3, 2, 2)
	before := dataset.Fingerprint(train, test)
	recipe := spec.New()
	rule, err := recipe.Fit(context.Background(), train, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	rule.Predict(test.X)
	if dataset.Fingerprint(train, test) != before {
		t.Error("Fit or Predict changed the data")
	}
	if !reflect.DeepEqual(recipe, spec.New()) {
		t.Errorf("Fit changed its recipe from %+v to %+v", spec.New(), recipe)
	}
	train.X.Zero()
	again := rule.Predict(test.X)
	fresh := fit(t, spec, gaussians(40, 3, 2, 1)).Predict(test.X)
	if !slices.Equal(again, fresh) {
		t.Error("the rule reads the training set after Fit")
	}
}

func reproducible(t *testing.T, spec Spec) {
	train, test := gaussians(50, 3, 2, 1), gaussians(100, 3, 2, 2)
	a, b := fit(t, spec, train), fit(t, spec, train)
	if !slices.Equal(a.Predict(test.X), b.Predict(test.X)) {
		t.Error("the same stream gives another rule")
	}
	if s, ok := a.(Scorer); ok && !mat.Equal(s.Scores(test.X), b.(Scorer).Scores(test.X)) {
		t.Error("the same stream gives other scores")
	}
}

func batchIsRowByRow(t *testing.T, spec Spec) {
	train, test := gaussians(40, 3, 2, 1), gaussians(37, 3, 2, 2)
	rule := fit(t, spec, train)
	batch := rule.Predict(test.X)
	for i, label := range batch {
		if one := rule.Predict(test.Subset([]int{i}).X); one[0] != label {
			t.Errorf("row %d: %d alone, %d in the batch", i, one[0], label)
		}
		scorer, ok := rule.(Scorer)
		if ok && !slices.Equal(scorer.Scores(test.Subset([]int{i}).X).RawRowView(0), scorer.Scores(test.X).RawRowView(i)) {
			t.Errorf("row %d: other scores alone than in the batch", i)
		}
	}
	sliced := test.X.Slice(5, 20, 0, 3).(*mat.Dense)
	if !slices.Equal(rule.Predict(sliced), batch[5:20]) {
		t.Error("a view of the rows is predicted differently")
	}
}

func concurrentPredict(t *testing.T, spec Spec) {
	train, test := gaussians(40, 3, 2, 1), gaussians(30, 3, 2, 2)
	rule := fit(t, spec, train)
	want := rule.Predict(test.X)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if !slices.Equal(rule.Predict(test.X), want) {
				t.Error("predictions differ under concurrency")
			}
		})
	}
	wg.Wait()
}

func scoresAgree(t *testing.T, spec Spec) {
	rule := fit(t, spec, gaussians(40, 3, 2, 1))
	if _, ok := rule.(Scorer); !ok {
		t.Skip("the rule has no scores")
	}
	checkRule(t, rule, gaussians(100, 3, 2, 2))
}

func separates(t *testing.T, spec Spec) {
	train, test := gaussians(60, 3, 2, 1), gaussians(60, 3, 2, 2)
	if e := errorRate(fit(t, spec, train), test); e > 0.15 {
		t.Errorf("error rate %g where Bayes' rule has 0.02", e)
	}
}

// relabelled: the classes' codes carry no meaning. Rows stay where they are.
func relabelled(t *testing.T, spec Spec) {
	for c := 2; c <= 3 && (spec.MaxClasses == 0 || c <= spec.MaxClasses); c++ {
		train, test := gaussians(20*c, 3, c, 1), gaussians(30*c, 3, c, 2)
		want := fit(t, spec, train).Predict(test.X)
		renamed := *train
		renamed.Y = make([]int, train.N())
		for i, y := range train.Y {
			renamed.Y[i] = (y + 1) % c
		}
		for i, got := range fit(t, spec, &renamed).Predict(test.X) {
			if got != (want[i]+1)%c {
				t.Errorf("%d classes, row %d: class %d before, %d after renaming", c, i, want[i], got)
			}
		}
	}
}

func threeClasses(t *testing.T, spec Spec) {
	if spec.MaxClasses == 2 {
		if _, err := tryFit(t, spec, gaussians(60, 3, 3, 1)); err == nil {
			t.Error("takes three classes, the registry says two")
		}
		return
	}
	train, test := gaussians(60, 3, 3, 1), gaussians(60, 3, 3, 2)
	rule := fit(t, spec, train)
	checkRule(t, rule, test)
	if e := errorRate(rule, test); e > 0.3 {
		t.Errorf("error rate %g where Bayes' rule has 0.05", e)
	}
}

// discreteAttributes: taken or refused, as the registry says.
func discreteAttributes(t *testing.T, spec Spec) {
	mixed := func(seed uint64) *dataset.Set {
		s := gaussians(60, 3, 2, seed)
		s = withColumn(s, 1, func(i int) float64 { return math.Mod(math.Abs(math.Trunc(s.X.At(i, 1))), 3) })
		s = withColumn(s, 2, func(i int) float64 { return float64((s.Y[i] + i/2%10/9) % 2) }) // one in ten is wrong
		s.Attributes[1] = dataset.Attribute{Name: "x2", Kind: dataset.Discrete, Levels: []string{"a", "b", "c", "never seen"}}
		s.Attributes[2] = dataset.Attribute{Name: "x3", Kind: dataset.Discrete, Levels: []string{"no", "yes"}}
		return s
	}
	rule, err := tryFit(t, spec, mixed(1))
	if spec.Discrete != (err == nil) {
		t.Fatalf("Discrete is %v in the registry: %v", spec.Discrete, err)
	}
	if err != nil {
		return
	}
	checkRule(t, rule, mixed(2))
	if e := errorRate(rule, mixed(2)); e > 0.2 {
		t.Errorf("error rate %g where one column alone has 0.1", e)
	}
	noCode := withColumn(mixed(1), 1, func(i int) float64 { return float64(i) })
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
		{"values of 1e-20", withColumn(base, 1, func(i int) float64 { return 1e-20 * base.X.At(i, 1) })},
		{"values of 1e20", withColumn(base, 1, func(i int) float64 { return 1e20 * base.X.At(i, 1) })},
		{"every row twice", base.Subset(slices.Concat(head(24), head(24)))},
		{"all rows equal", withLabels(base.Subset(make([]int, 24)), base.Y)},
		{"one row per class", base.Subset([]int{0, 1})},
		{"two rows per class", base.Subset([]int{0, 1, 2, 3})},
		{"three rows per class", base.Subset(head(6))},
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
	third := *base
	third.Classes = []string{"a", "b", "c"}
	one := *base
	one.Classes, one.Y = []string{"a"}, make([]int, base.N())
	type set struct {
		name  string
		train *dataset.Set
	}
	sets := []set{
		{"no rows", empty},
		{"a class without rows", &third},
		{"one class", &one},
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

// countdown is a context that is done at its n-th question.
type countdown struct {
	context.Context
	n, asked int
}

func (c *countdown) Err() error {
	if c.asked++; c.asked >= c.n {
		return context.Canceled
	}
	return nil
}

func cancelled(t *testing.T, spec Spec) {
	train := gaussians(40, 3, 2, 1)
	whole := &countdown{Context: context.Background(), n: math.MaxInt}
	if _, err := spec.New().Fit(whole, train, newRand(1)); err != nil {
		t.Fatal(err)
	}
	if whole.asked == 0 {
		t.Fatal("Fit never looks at its context")
	}
	for _, n := range []int{1, (whole.asked + 1) / 2, whole.asked} {
		_, err := spec.New().Fit(&countdown{Context: context.Background(), n: n}, train, newRand(1))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("done at question %d of %d: error %v", n, whole.asked, err)
		}
	}
}

// wrongRows: rows that the rule cannot have been fitted for are the caller's bug.
func wrongRows(t *testing.T, spec Spec) {
	rule := fit(t, spec, gaussians(40, 3, 2, 1))
	bad := map[string]*mat.Dense{
		"2 columns":      mat.NewDense(1, 2, nil),
		"4 columns":      mat.NewDense(1, 4, nil),
		"infinite value": mat.NewDense(1, 3, []float64{0, math.Inf(1), 0}),
	}
	if !spec.Missing {
		bad["missing value"] = mat.NewDense(1, 3, []float64{0, math.NaN(), 0})
	}
	for want, x := range bad {
		message := func() (message string) {
			defer func() { message = fmt.Sprint(recover()) }()
			rule.Predict(x)
			return ""
		}()
		if !strings.Contains(message, want) {
			t.Errorf("Predict of a row with %s panics with %q", want, message)
		}
	}
}
