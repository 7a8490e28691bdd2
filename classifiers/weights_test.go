package classifiers

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"copse/classifiers/classics"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/machines"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// goldenWeights maps the letters in testdata/weights.py to weights.
var goldenWeights = map[string]Weights{
	"b": {Balanced: true},
	"o": {ByClass: map[string]float64{"0": 3, "1": 0.5, "2": 1}},
}

// Class weights have the same effect as in scikit-learn 1.2.1 (testdata/weights.py). There the kernel values
// of svm and the derivatives of boosting have single precision.
func TestWeightsGolden(t *testing.T) {
	want := golden.Read(t, "testdata/weights.csv")
	likelihood := classics.NewLogistic()
	likelihood.Penalty, likelihood.Tolerance = "none", 1e-14
	boosting := classics.NewBoosting()
	boosting.Rounds = 20
	svm := machines.NewSVM()
	svm.C, svm.Tolerance = 2, 1e-10
	for _, golden := range []struct {
		name      string
		recipe    Classifier
		tolerance float64
	}{{"logistic", likelihood, 1e-7}, {"boosting", boosting, 1e-5}, {"svm", svm, 1e-4}} {
		for classes := 2; classes <= 3; classes++ {
			train, test := classicsRows(t)
			if classes == 2 {
				train, test = zeroOrNot(train), zeroOrNot(test)
			}
			for letter, weights := range goldenWeights {
				rule, err := Fit(t.Context(), Prepared(golden.recipe, Preparation{Weights: weights}), train,
					randtest.New(1))
				if err != nil {
					t.Fatal(err)
				}
				value := rule.Probabilities
				if golden.name == "svm" {
					value = rule.PairScores
				}
				got := value(test.X)
				_, values := got.Dims()
				for i, row := range want {
					for k := range values {
						name := fmt.Sprintf("%s%d%s%d", golden.name, classes, letter, k)
						g := got.At(i, k)
						if golden.name == "svm" && classes == 2 {
							g = -g // scikit-learn's positive side of two classes is the second
						}
						if w := row.Num(name); math.Abs(g-w) > golden.tolerance {
							t.Fatalf("%s, row %d: %v, want %v", name, i, g, w)
						}
					}
				}
			}
		}
	}
}

// zeroOrNot returns the set with label 1 for class 0 and label 0 for all other classes.
func zeroOrNot(s *dataset.Set) *dataset.Set {
	labels := make([]int, s.N())
	for i, class := range s.Y {
		if class == 0 {
			labels[i] = 1
		}
	}
	return dataset.New(s.X, labels, 2)
}

// Weights of Bayes' rule multiply the priors. A class with weight 3 is therefore like a class with three
// times as many rows.
func TestWeightsOfPriors(t *testing.T) {
	train, test := methodtest.Gaussians(60, 2, 2, 1), methodtest.Gaussians(20, 2, 2, 2)
	for _, name := range []string{"lda", "qda", "nb"} {
		plain := fit(t, lookup(t, name), train)
		weights := Weights{ByClass: map[string]float64{train.Classes[1]: 3}}
		weighted, err := Fit(t.Context(), Prepared(lookup(t, name).New(), Preparation{Weights: weights}),
			train, randtest.New(1))
		if err != nil {
			t.Fatal(err)
		}
		p, q := plain.Probabilities(test.X), weighted.Probabilities(test.X)
		for i := range test.N() {
			odds := 3 * p.At(i, 1) / p.At(i, 0)
			if want := odds / (1 + odds); math.Abs(q.At(i, 1)-want) > 1e-12 {
				t.Errorf("%s, row %d: %v, want %v", name, i, q.At(i, 1), want)
			}
		}
	}
}

// Weights for a classifier that does not accept them are a mistake of the caller.
func TestWeightsNotAccepted(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for a classifier without class weights")
		}
	}()
	Prepared(lookup(t, "knn").New(), Preparation{Weights: Weights{Balanced: true}})
}

// Every classifier with weights predicts a class more often if it has a larger weight, and weights
// of 1 change nothing.
func TestWeightedConformance(t *testing.T) {
	train, test := methodtest.Gaussians(80, 3, 2, 1), methodtest.Gaussians(200, 3, 2, 2)
	noisy := func(s *dataset.Set) *dataset.Set { // labels, so that the classes overlap
		labels := slices.Clone(s.Y)
		for i := range labels {
			if i%7 < 2 {
				labels[i] = 1 - labels[i]
			}
		}
		return methodtest.WithLabels(s, labels)
	}
	train, test = noisy(train), noisy(test)
	for _, name := range WeightedNames() {
		fitted := func(weight float64) *Rule {
			w := Weights{ByClass: map[string]float64{train.Classes[1]: weight}}
			rule, err := Fit(t.Context(), Prepared(lookup(t, name).New(), Preparation{Weights: w}), train,
				randtest.New(1))
			if err != nil {
				t.Fatal(err)
			}
			return rule
		}
		methodtest.SameScores(t, fitted(1), fit(t, lookup(t, name), train), test.X, 1e-12)
		ones := func(rule *Rule) (n int) {
			for _, label := range rule.Predict(test.X) {
				n += label
			}
			return n
		}
		// Trees that are grown until all rows of a leaf have one class hardly depend on weights.
		if low, high := ones(fitted(0.1)), ones(fitted(10)); low >= high && name != "rf" {
			t.Errorf("%s: weight 0.1 predicts class 1 %d times, weight 10 %d times", name, low, high)
		}
	}
	for _, name := range []string{"nb", "svm", "rf", "boosting", "lda", "qda", "logistic"} {
		if !slices.Contains(WeightedNames(), name) {
			t.Errorf("%s no longer accepts class weights", name)
		}
	}
}
