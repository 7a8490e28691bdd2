package classifiers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/classics"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/machines"
	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

var multiclassWays = []Multiclass{OneVsOne, OneVsRest}

// classicsRows returns the first 120 rows of classics.csv, and the remaining rows.
func classicsRows(t *testing.T) (train, test *dataset.Set) {
	t.Helper()
	rows := golden.Read(t, "testdata/classics.csv")
	x, y := mat.NewDense(len(rows), 4, nil), make([]int, len(rows))
	for i, row := range rows {
		y[i] = row.Int("label")
		for j := range 4 {
			x.Set(i, j, row.Num(fmt.Sprintf("x%d", j+1)))
		}
	}
	all := dataset.New(x, y, 3)
	var rest []int
	for i := 120; i < len(rows); i++ {
		rest = append(rest, i)
	}
	return all.Subset(stats.Indices(120)), all.Subset(rest)
}

// scikit-learn gives the same combined scores of linear machines and the same normalised probabilities of
// LDA, and scipy the same coupled probabilities.
func TestMulticlassGolden(t *testing.T) {
	train, test := classicsRows(t)
	linear := machines.NewSVM()
	linear.Kernel, linear.Standardise, linear.Tolerance = "linear", false, 1e-10
	want := golden.Read(t, "testdata/multiclass.csv")
	for _, c := range []struct {
		columns       string
		way           Multiclass
		recipe        Classifier
		probabilities bool
		tolerance     float64
	}{
		{"v", OneVsOne, linear, false, 3e-4}, // libsvm has kernel values in single precision
		{"r", OneVsRest, linear, false, 3e-4},
		{"c", OneVsOne, classics.NewLDA(), true, 1e-5}, // SLSQP's precision
		{"p", OneVsRest, classics.NewLDA(), true, 1e-9},
	} {
		rule, err := Prepared(c.recipe, Preparation{Multiclass: c.way}).
			Fit(t.Context(), train, randtest.New(1))
		if err != nil {
			t.Fatal(err)
		}
		got := rule.Scores(test.X)
		if c.probabilities {
			got = rule.Probabilities(test.X)
		}
		for i, row := range want {
			for class := range 3 {
				if w := row.Num(fmt.Sprint(c.columns, class)); math.Abs(got.At(i, class)-w) > c.tolerance {
					t.Fatalf("%s%d, row %d: %v, want %v", c.columns, class, i, got.At(i, class), w)
				}
			}
		}
	}
}

// TestMulticlassConformance tests the contract of multiclass rules for every two-class method,
// with both extensions.
func TestMulticlassConformance(t *testing.T) {
	for _, spec := range quickRegistry() {
		if spec.MaxClasses != 2 {
			continue
		}
		for _, way := range multiclassWays {
			t.Run(spec.Name+"/"+string(way), func(t *testing.T) {
				recipe := Prepared(spec.New(), Preparation{Multiclass: way})
				train, test := methodtest.Gaussians(90, 3, 3, 1), methodtest.Gaussians(90, 3, 3, 2)
				rule := fitTo(t, recipe, train)
				methodtest.CheckRule(t, rule, test)
				methodtest.CheckRule(t, rule, far(test))
				if e := methodtest.ErrorRate(rule, test); e > 0.2 {
					t.Errorf("error rate %g where Bayes' rule has 0.05", e)
				}
				if (rule.Probabilities != nil) != spec.Probabilities {
					t.Errorf("the rule has probabilities: %v", rule.Probabilities != nil)
				}
				checkRenamed(t, recipe, rule, train, test)
				two := methodtest.Gaussians(60, 3, 2, 1)
				if !mat.Equal(fitTo(t, recipe, two).Scores(test.X), fitTo(t, spec.New(), two).Scores(test.X)) {
					t.Error("two classes have other scores than without multiclass")
				}
				done, cancel := context.WithCancel(t.Context())
				cancel()
				if _, err := recipe.Fit(done, train, randtest.New(1)); !errors.Is(err, context.Canceled) {
					t.Errorf("cancelled: error %v", err)
				}
			})
		}
	}
}

func fitTo(t *testing.T, recipe Classifier, train *dataset.Set) *Rule {
	t.Helper()
	rule, err := Fit(t.Context(), recipe, train.WithoutDerived(), randtest.New(1))
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// checkRenamed tests that other codes for three classes change nothing but the codes of the labels.
func checkRenamed(t *testing.T, recipe Classifier, rule *Rule, train, test *dataset.Set) {
	t.Helper()
	code := []int{2, 0, 1}
	y := make([]int, train.N())
	for i, class := range train.Y {
		y[i] = code[class]
	}
	renamed := fitTo(t, recipe, methodtest.WithLabels(train, y)).Predict(test.X)
	for i, class := range rule.Predict(test.X) {
		if renamed[i] != code[class] {
			t.Errorf("row %d: class %d, with other codes %d", i, class, renamed[i])
		}
	}
}

// Probabilities sum to 1 and are largest at the label, both for the extension's own probabilities and with
// Platt scaling, which uses the same pairs of classes as the machines.
func TestMulticlassProbabilities(t *testing.T) {
	train, test := methodtest.Gaussians(90, 3, 3, 1), methodtest.Gaussians(60, 3, 3, 2)
	for _, way := range multiclassWays {
		for _, p := range []Preparation{
			{Multiclass: way},
			{Multiclass: way, Probabilities: PlattScaling, CalibratedLabels: true},
			{Multiclass: way, Probabilities: TemperatureScaling},
		} {
			rule := fitTo(t, Prepared(classics.NewQDA(), p), train)
			labels, probabilities := rule.Predict(test.X), rule.Probabilities(test.X)
			for i, label := range labels {
				row := probabilities.RawRowView(i)
				if math.Abs(floats.Sum(row)-1) > 1e-9 || row[label] != floats.Max(row) {
					t.Errorf("%v, row %d: class %d, probabilities %v", p, i, label, row)
				}
			}
		}
	}
}

// The votes of pairs with infinite and zero decision values are numbers and have the right order.
func TestConfidentVotes(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ decisions, want []float64 }{
		{[]float64{2, 1, -1}, []float64{2 + 3./4/3, 0 - 3./4/3, 1}},
		{[]float64{0, 0, 0}, []float64{1, 1, 1}},
		{[]float64{inf, 1, 0}, []float64{2 + 1./3, 0.5 - 1./3, 0.5 - 1./2/3}},
		{[]float64{inf, -inf, 0}, []float64{1, 0.5 - 1./3, 1.5 + 1./3}},
	} {
		got := confidentVotes(mat.NewDense(1, 3, c.decisions), 3).RawRowView(0)
		if !floats.EqualApprox(got, c.want, 1e-12) {
			t.Errorf("decisions %v: votes %v, want %v", c.decisions, got, c.want)
		}
	}
	if stats.Pairs(3)[1] != (stats.Pair{I: 0, J: 2}) {
		t.Error("the decisions above are in the order (0,1), (0,2), (1,2)")
	}
}

// Errors and warnings name the classes of the task.
func TestMulticlassRefusals(t *testing.T) {
	train := methodtest.Gaussians(30, 3, 3, 1)
	_, err := Fit(t.Context(), lookup(t, "slb").New(), train, randtest.New(1))
	errtest.Case(t, "three classes").Contains(err, "multiclass: ovo")
	ovo := Prepared(lookup(t, "slb").New(), Preparation{Multiclass: OneVsOne})
	train.X.Set(4, 1, math.NaN())
	_, err = Fit(t.Context(), ovo, train, randtest.New(1))
	errtest.Case(t, "a missing value in row 5").HasPrefix(err, "slb: row 5")
	single := methodtest.Gaussians(30, 3, 3, 1).Subset([]int{0, 1, 2, 3, 4})
	_, err = Fit(t.Context(), ovo, single, randtest.New(1))
	errtest.Case(t, "one row of class 2").Contains(err, "class 0 against 2: slb: ")
}
