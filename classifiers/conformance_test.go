package classifiers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/chebyshev"
	"copse/classifiers/classics"
	"copse/classifiers/densities"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/machines"
	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/recipe/recipetest"
)

// Reasons that several exceptions share.
const (
	middleBin     = "the middle one of five quantile bins holds rows of both classes"
	drawnFolds    = "folds or halves of the training set depend on the places of rows"
	binsFromBelow = "quantile bins count from the smallest value, and equal values share the lower bin"
)

// exceptions lists the laws that a classifier need not satisfy, each with the reason.
var exceptions = map[string]map[string]string{
	"lu":                 {"reflected columns": "the plug-in bandwidth of R's ks leaves out the largest value"},
	"dcc":                {"classes far apart": middleBin, "reflected columns": binsFromBelow},
	"chow-liu":           {"classes far apart": middleBin, "reflected columns": binsFromBelow},
	"tan-discriminative": {"classes far apart": middleBin, "reflected columns": binsFromBelow},
	"gdcc":               {"classes far apart": middleBin, "reflected columns": binsFromBelow},
	"qda":                {"classes far apart": "40 rows of a class do not determine a covariance of 40 columns"},
	"rf": {
		"permuted columns":  "trees draw columns by their places",
		"reordered rows":    "trees draw rows by their places",
		"a constant column": "trees draw columns at random",
		"an empty column":   "trees draw columns at random",
		"reflected columns": "of equally good splits the leftmost is taken",
	},
	"fans":       {"reordered rows": drawnFolds},
	"fans2":      {"reordered rows": drawnFolds},
	"logistic":   {"reordered rows": drawnFolds},
	"slb-l1":     {"reordered rows": drawnFolds},
	"slb-l1-svm": {"reordered rows": drawnFolds},
	"svm-mean":   {"an empty column": "its mean is undefined"},
	"khrf": {
		"relabelled classes": "a row without training neighbours in any class lies at the density floor in all; " +
			"such ties go to the first class",
	},
}

// TestConformance tests that every classifier of the registry satisfies the contract of package classifiers.
// One classifier: go test ./classifiers -run Conformance/svm
func TestConformance(t *testing.T) {
	for _, spec := range quickRegistry() {
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

// quickRegistry returns the registry with recipes that repeat less work than the defaults, because some
// classifiers would otherwise take most of the time of the tests. With COPSE_LONG=1, it returns the registry
// itself.
func quickRegistry() []Spec {
	specs := slices.Clone(Registry)
	if os.Getenv("COPSE_LONG") != "" {
		return specs
	}
	for i := range specs {
		usual := specs[i].New
		specs[i].New = func() Classifier {
			recipe := usual()
			switch r := recipe.(type) {
			case *densities.FANS:
				r.Splits, r.Folds = 3, 4
			case *densities.FANS2:
				r.Splits, r.Folds = 3, 4
			case *machines.SVMCV:
				r.LogCosts, r.LogGammas = []float64{0, 5, 10}, []float64{-9, -5, -1, 3}
			case *chebyshev.DCC:
				r.Ridges = []float64{1e-4, 1e-1}
			case *classics.Logistic:
				r.Penalties = 20
			case *densities.SLBL1:
				r.Penalties = 20
			}
			return recipe
		}
	}
	return specs
}

func TestExceptionsNameLaws(t *testing.T) {
	for name, reasons := range exceptions {
		if _, ok := Registry.Lookup(name); !ok {
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
	{"probabilities", probabilities},
	{"separated classes are told apart", separates},
	{"classes far apart", farApart},
	{"columns in other units", rescaledColumns},
	{"rows far away", farRows},
	{"a huge training value", hugeValue},
	{"relabelled classes", relabelled},
	{"three classes", threeClasses},
	{"ten classes", tenClasses},
	{"rare classes", separatesBesideRare},
	{"renamed classes", renamedClasses},
	{"permuted columns", permutedColumns},
	{"reflected columns", reflectedColumns},
	{"a constant column", constantColumn},
	{"an empty column", emptyColumn},
	{"reordered rows", reorderedRows},
	{"duplicated rows", duplicatedRows},
	{"discrete attributes", discreteAttributes},
	{"mixed attributes", mixedAttributes},
	{"missing values", missingValues},
	{"degenerate training sets", degenerate},
	{"constant columns", constantColumns},
	{"dependent columns", dependentColumns},
	{"more folds than rows", manyFolds},
	{"impossible training sets", impossible},
	{"cancelled context", cancelled},
	{"wrong rows in Predict", wrongRows},
}

// parametersDescribed: each exported field is a parameter with a name, a line of text and a default that its
// tags allow, and New gives independent recipes.
func parametersDescribed(t *testing.T, spec Spec) {
	if spec.Summary == "" || spec.Source == "" || spec.Version < 1 {
		t.Errorf("summary %q, source %q, version %d", spec.Summary, spec.Source, spec.Version)
	}
	value := reflect.ValueOf(spec.New())
	if value.Kind() != reflect.Pointer || value.Elem().Kind() != reflect.Struct {
		t.Fatalf("New returns a %s, not a pointer to a struct", value.Type())
	}
	recipetest.CheckParameters(t, spec.Name, spec.New())
	if value.Elem().NumField() > 0 && value.Pointer() == reflect.ValueOf(spec.New()).Pointer() {
		t.Error("New returns the same recipe twice")
	}
}

func untouched(t *testing.T, spec Spec) {
	train, test := methodtest.Gaussians(40, 3, 2, 1), methodtest.Gaussians(10, 3, 2, 2)
	before := dataset.Fingerprint(train, test)
	recipe := spec.New()
	rule, err := Fit(t.Context(), recipe, train, randtest.New(1))
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
	fresh := fit(t, spec, methodtest.Gaussians(40, 3, 2, 1)).Predict(test.X)
	if !slices.Equal(again, fresh) {
		t.Error("the rule reads the training set after Fit")
	}
}

func reproducible(t *testing.T, spec Spec) {
	test := methodtest.Gaussians(100, 3, 2, 2)
	a, b := fit(t, spec, methodtest.Gaussians(50, 3, 2, 1)), fit(t, spec, methodtest.Gaussians(50, 3, 2, 1))
	if !slices.Equal(a.Predict(test.X), b.Predict(test.X)) {
		t.Error("the same stream gives another rule")
	}
	if s := a; s.Scores != nil && !mat.Equal(s.Scores(test.X), b.Scores(test.X)) {
		t.Error("the same stream gives other scores")
	}
}

func batchIsRowByRow(t *testing.T, spec Spec) {
	train, test := methodtest.Gaussians(40, 3, 2, 1), methodtest.Gaussians(37, 3, 2, 2)
	rule := fit(t, spec, train)
	batch := rule.Predict(test.X)
	for i, label := range batch {
		if one := rule.Predict(test.Subset([]int{i}).X); one[0] != label {
			t.Errorf("row %d: %d alone, %d in the batch", i, one[0], label)
		}
		if rule.Scores != nil &&
			!slices.Equal(rule.Scores(test.Subset([]int{i}).X).RawRowView(0), rule.Scores(test.X).RawRowView(i)) {
			t.Errorf("row %d: other scores alone than in the batch", i)
		}
	}
	sliced := test.X.Slice(5, 20, 0, 3).(*mat.Dense)
	if !slices.Equal(rule.Predict(sliced), batch[5:20]) {
		t.Error("a view of the rows is predicted differently")
	}
}

func concurrentPredict(t *testing.T, spec Spec) {
	train, test := methodtest.Gaussians(40, 3, 2, 1), methodtest.Gaussians(30, 3, 2, 2)
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
	rule := fit(t, spec, methodtest.Gaussians(40, 3, 2, 1))
	if rule.Scores == nil {
		t.Skip("the rule has no scores")
	}
	methodtest.CheckRule(t, rule, methodtest.Gaussians(100, 3, 2, 2))
}

// probabilities: they are in [0,1], sum to 1 and are largest at the prediction, also far from the training
// rows. The registry states correctly whether the classifier has them.
func probabilities(t *testing.T, spec Spec) {
	classes := 2
	if spec.MaxClasses == 0 {
		classes = 3
	}
	rule := fit(t, spec, methodtest.Gaussians(60, 3, classes, 1))
	prober, ok := rule, rule.Probabilities != nil
	if ok != spec.Probabilities {
		t.Fatalf("the rule has probabilities: %v, by the registry: %v", ok, spec.Probabilities)
	}
	if !ok {
		t.Skip("the rule has no probabilities")
	}
	near := methodtest.Gaussians(100, 3, classes, 2)
	for _, test := range []*dataset.Set{near, far(near)} {
		labels, p := rule.Predict(test.X), prober.Probabilities(test.X)
		if _, scores := rule.PredictSet(test); !mat.Equal(rule.ProbabilitiesFrom(scores, test.X), p) {
			t.Errorf("other probabilities from the scores of a set")
		}
		if n, c := p.Dims(); n != test.N() || c != classes {
			t.Fatalf("%d x %d probabilities for %d rows and %d classes", n, c, test.N(), classes)
		}
		for i, label := range labels {
			row := p.RawRowView(i)
			if !(slices.Min(row) >= 0) || math.Abs(floats.Sum(row)-1) > 1e-12 {
				t.Fatalf("row %d: probabilities %v", i, row)
			}
			if row[label] != slices.Max(row) {
				t.Errorf("row %d: class %d with probabilities %v", i, label, row)
			}
		}
	}
}

func separates(t *testing.T, spec Spec) {
	train, test := methodtest.Gaussians(60, 3, 2, 1), methodtest.Gaussians(60, 3, 2, 2)
	if e := methodtest.ErrorRate(fit(t, spec, train), test); e > 0.15 {
		t.Errorf("error rate %g where Bayes' rule has 0.02", e)
	}
}

// relabelled: the classes' codes carry no meaning. Rows stay where they are.
func relabelled(t *testing.T, spec Spec) {
	for c := 2; c <= 3 && (spec.MaxClasses == 0 || c <= spec.MaxClasses); c++ {
		train, test := methodtest.Gaussians(20*c, 3, c, 1), methodtest.Gaussians(30*c, 3, c, 2)
		want := fit(t, spec, train).Predict(test.X)
		labels := make([]int, train.N())
		for i, y := range train.Y {
			labels[i] = (y + 1) % c
		}
		for i, got := range fit(t, spec, methodtest.WithLabels(train, labels)).Predict(test.X) {
			if got != (want[i]+1)%c {
				t.Errorf("%d classes, row %d: class %d before, %d after renaming", c, i, want[i], got)
			}
		}
	}
}

func threeClasses(t *testing.T, spec Spec) {
	if spec.MaxClasses == 2 {
		if _, err := tryFit(t, spec, methodtest.Gaussians(60, 3, 3, 1)); err == nil {
			t.Error("accepts three classes, although the registry states two")
		}
		return
	}
	train, test := methodtest.Gaussians(60, 3, 3, 1), methodtest.Gaussians(60, 3, 3, 2)
	rule := fit(t, spec, train)
	methodtest.CheckRule(t, rule, test)
	if e := methodtest.ErrorRate(rule, test); e > 0.3 {
		t.Errorf("error rate %g where Bayes' rule has 0.05", e)
	}
}

// countdown is a context that is done at the n-th check.
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
	train := func() *dataset.Set { return methodtest.Gaussians(40, 3, 2, 1) } // anew: nothing derived from it yet
	whole := &countdown{Context: t.Context(), n: math.MaxInt}
	if _, err := Fit(whole, spec.New(), train(), randtest.New(1)); err != nil {
		t.Fatal(err)
	}
	if whole.asked == 0 {
		t.Fatal("Fit never looks at its context")
	}
	for _, n := range []int{1, (whole.asked + 1) / 2, whole.asked} {
		_, err := spec.New().Fit(&countdown{Context: t.Context(), n: n}, train(), randtest.New(1))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("done at question %d of %d: error %v", n, whole.asked, err)
		}
	}
}

// wrongRows: the rule panics for rows whose form differs from the training rows, because this is a bug of the
// caller.
func wrongRows(t *testing.T, spec Spec) {
	rule := fit(t, spec, methodtest.Gaussians(40, 3, 2, 1))
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
		if strings.Contains(want, "columns") {
			continue
		}
		err := CheckTest(spec.Name, Preparation{}, dataset.New(x, []int{0}, 2))
		errtest.Case(t, "a test set with "+want).Contains(err, want)
	}
}
