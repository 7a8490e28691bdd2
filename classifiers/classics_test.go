package classifiers

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/svm"
	"copse/internal/golden"
	"copse/stats/dataset"
)

// classics returns the training and test set of testdata/classics.R, with the
// three classes of label or, for c = 2, class 1 where label is 0.
func classics(t *testing.T, c int) (train, all *dataset.Set, g map[string][]float64) {
	t.Helper()
	g = golden.Columns(t, "testdata/classics.csv")
	n := len(g["label"])
	x, y := mat.NewDense(n, 4, nil), make([]int, n)
	for j := range 4 {
		x.SetCol(j, g[fmt.Sprintf("x%d", j+1)])
	}
	for i, label := range g["label"] {
		y[i] = int(label)
		if c == 2 {
			y[i] = map[bool]int{true: 1}[label == 0]
		}
	}
	all = dataset.New(x, y, c)
	return all.Subset(columns.Head(120)), all, g
}

// checkColumn compares got with a golden column wherever that is not NA.
func checkColumn(t *testing.T, g map[string][]float64, name string, got func(i int) float64, tol float64) {
	t.Helper()
	compared := 0
	for i, want := range g[name] {
		if math.IsNaN(want) {
			continue
		}
		compared++
		if v := got(i); !(math.Abs(v-want) <= tol) {
			t.Errorf("row %d: %s %g, want %g", i, name, v, want)
		}
	}
	if compared == 0 {
		t.Errorf("no golden value of %s", name)
	}
}

// libsvmPrecision is what single precision kernel values leave of libsvm's
// decision values at tolerance 1e-6.
const libsvmPrecision = 1e-4

func TestSVMGolden(t *testing.T) {
	two, all, g := classics(t, 2)
	fit := func(change func(*SVM)) *Rule {
		recipe := NewSVM()
		recipe.Tolerance = 1e-6
		change(recipe)
		return mustFit(t, recipe, two)
	}
	for name, change := range map[string]func(*SVM){
		"value2": func(*SVM) {},
		"cubic":  func(s *SVM) { s.Kernel, s.Coef0, s.C = polynomialKernel, 1, 0.5 },
		"plane":  func(s *SVM) { s.Kernel, s.Standardise, s.C = linearKernel, false, 0.1 },
	} {
		scores := fit(change).Scores(all.X)
		checkColumn(t, g, name, func(i int) float64 { return scores.At(i, 1) }, libsvmPrecision)
	}
	labels := fit(func(*SVM) {}).Predict(all.X)
	checkColumn(t, g, "svm2", func(i int) float64 { return float64(labels[i]) }, 0)
}

func TestSVMGoldenThreeClasses(t *testing.T) {
	train, all, g := classics(t, 3)
	recipe := NewSVM()
	recipe.Tolerance = 1e-6
	p := prepare(train, recipe.Standardise)
	options := svm.Options{C: recipe.C, Tol: recipe.Tolerance, CacheBytes: 1 << 20}
	machine, err := svm.Train(context.Background(), recipe.kernel(float64(p.D())), p.x, train.Y, 3, options)
	if err != nil {
		t.Fatal(err)
	}
	values := machine.Decisions(p.Apply(all.X))
	for k, name := range []string{"value01", "value02", "value12"} {
		checkColumn(t, g, name, func(i int) float64 { return values.At(i, k) }, libsvmPrecision)
	}
	labels := mustFit(t, recipe, train).Predict(all.X)
	checkColumn(t, g, "svm3", func(i int) float64 { return float64(labels[i]) }, 0)
}

func TestKNNGolden(t *testing.T) {
	train, all, g := classics(t, 2)
	labels := mustFit(t, NewKNN(), train).Predict(all.X)
	checkColumn(t, g, "near", func(i int) float64 { return float64(labels[i]) }, 0)
}

// TestKNNTies: of classes with equally many neighbours the nearest one's wins,
// whatever its code.
func TestKNNTies(t *testing.T) {
	x := mat.NewDense(4, 1, []float64{0, 3, 4, 10})
	query := mat.NewDense(2, 1, []float64{1, 2})
	for _, test := range []struct{ labels, want []int }{
		{[]int{0, 1, 1, 0}, []int{0, 1}},
		{[]int{1, 0, 0, 1}, []int{1, 0}},
	} {
		rule := mustFit(t, &KNN{K: 2}, dataset.New(x, test.labels, 2))
		for i, got := range rule.Predict(query) {
			if got != test.want[i] {
				t.Errorf("labels %v, query %g: class %d", test.labels, query.At(i, 0), got)
			}
		}
	}
}

func TestLDAGolden(t *testing.T) {
	train, all, g := classics(t, 3)
	p := mustFit(t, NewLDA(), train).Probabilities(all.X)
	for c, name := range []string{"lda.0", "lda.1", "lda.2"} {
		checkColumn(t, g, name, func(i int) float64 { return p.At(i, c) }, 1e-12)
	}
}

// TestLDACollinear: a column that repeats another changes nothing.
func TestLDACollinear(t *testing.T) {
	train, all, _ := classics(t, 3)
	want := mustFit(t, NewLDA(), train).Scores(all.X)
	wider := func(s *dataset.Set) *dataset.Set {
		x := mat.NewDense(s.N(), 5, nil)
		x.Slice(0, s.N(), 0, 4).(*mat.Dense).Copy(s.X)
		for i := range s.N() {
			x.Set(i, 4, 3-2*s.X.At(i, 0))
		}
		return dataset.New(x, s.Y, 3)
	}
	rule := mustFit(t, NewLDA(), wider(train))
	if !mat.EqualApprox(rule.Scores(wider(all).X), want, 1e-9) {
		t.Error("scores differ")
	}
	if len(rule.Warnings) != 1 {
		t.Errorf("warnings %q", rule.Warnings)
	}
}

// TestForestGolden: the mean test error of our forests is that of
// randomForest's, within the Monte-Carlo error of both.
func TestForestGolden(t *testing.T) {
	const fits, goldenFits = 200, 400
	g := golden.Columns(t, "testdata/classics-forest.csv")
	for k, classes := range g["classes"] {
		train, all, _ := classics(t, int(classes))
		test := all.Subset(columns.Head(200)[120:])
		rng := newRand(1)
		var sum float64
		for range fits {
			rule, err := Fit(context.Background(), NewForest(), train, rng)
			if err != nil {
				t.Fatal(err)
			}
			sum += errorRate(rule, test) / fits
		}
		se := g["sd"][k] * math.Sqrt(1.0/fits+1.0/goldenFits)
		if math.Abs(sum-g["mean"][k]) > 3.5*se {
			t.Errorf("%g classes: mean error %.4f, randomForest's %.4f, standard error of the difference %.4f", classes, sum, g["mean"][k], se)
		}
	}
}

// TestSVMCVIsGridSearch: the rule is that of SVM with the parameters that a plain
// search over the same folds finds.
func TestSVMCVIsGridSearch(t *testing.T) {
	radial, polynomial := NewSVMCV(), NewSVMCV()
	radial.LogCosts, radial.LogGammas = []float64{6, -2, 2}, []float64{-2, -8, 1}
	polynomial.Kernel, polynomial.LogCosts, polynomial.Degrees = polynomialKernel, []float64{0, -6, -3}, []int{4, 2}
	var radials, polynomials []*SVM // by cost, then parameter
	for _, logCost := range []float64{-2, 2, 6} {
		for _, logGamma := range []float64{-8, -2, 1} {
			c := NewSVM()
			c.C, c.Gamma = math.Exp2(logCost), 4*math.Exp2(logGamma)
			radials = append(radials, c)
		}
	}
	for _, logCost := range []float64{-6, -3, 0} {
		for _, degree := range []int{2, 4} {
			c := NewSVM()
			c.Kernel, c.C, c.Degree, c.Coef0 = polynomialKernel, math.Exp2(logCost), degree, 1
			polynomials = append(polynomials, c)
		}
	}
	train, all, _ := classics(t, 3)
	isGridSearch(t, radial, radials, train, all)
	isGridSearch(t, polynomial, polynomials, gaussians(90, 3, 3, 1), gaussians(90, 3, 3, 2))
}

// isGridSearch tests that the recipe is the first of the candidates with the fewest
// errors over its folds.
func isGridSearch(t *testing.T, recipe *SVMCV, candidates []*SVM, train, test *dataset.Set) {
	t.Helper()
	recipe.Standardise = false
	fold, err := dataset.StratifiedFolds(train.Y, 3, recipe.Folds, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	var best *SVM
	least := train.N() + 1
	for _, candidate := range candidates {
		candidate.Standardise = false
		wrong := 0
		for f := range recipe.Folds {
			in, out := dataset.SplitFold(fold, f)
			wrong += int(math.Round(errorRate(mustFit(t, candidate, train.Subset(in)), train.Subset(out)) * float64(len(out))))
		}
		if wrong < least {
			best, least = candidate, wrong
		}
	}
	got, want := mustFit(t, recipe, train).Scores(test.X), mustFit(t, best, train).Scores(test.X)
	if !mat.Equal(got, want) {
		t.Errorf("%s kernel: another rule than that of %+v", recipe.Kernel, *best)
	}
}
