package machines

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
)

// libsvmPrecision is the precision of libsvm's decision values at tolerance 1e-6, given kernel values in
// single precision.
const libsvmPrecision = 1e-4

func TestSVMGolden(t *testing.T) {
	two, all, g := methodtest.Classics(t, 2)
	fit := func(change func(*SVM)) *method.Rule {
		recipe := NewSVM()
		recipe.Tolerance = 1e-6
		change(recipe)
		return methodtest.Fit(t, recipe, two)
	}
	for name, change := range map[string]func(*SVM){
		"value2": func(*SVM) {},
		"cubic":  func(s *SVM) { s.Kernel, s.Coef0, s.C = polynomialKernel, 1, 0.5 },
		"plane":  func(s *SVM) { s.Kernel, s.Standardise, s.C = linearKernel, false, 0.1 },
	} {
		scores := fit(change).Scores(all.X)
		methodtest.CheckColumn(t, g, name, func(i int) float64 { return scores.At(i, 1) }, libsvmPrecision)
	}
	labels := fit(func(*SVM) {}).Predict(all.X)
	methodtest.CheckColumn(t, g, "svm2", func(i int) float64 { return float64(labels[i]) }, 0)
}

func TestSVMGoldenThreeClasses(t *testing.T) {
	train, all, g := methodtest.Classics(t, 3)
	recipe := NewSVM()
	recipe.Tolerance = 1e-6
	p := method.Prepare(train, recipe.Standardise)
	weights := method.EqualWeights(train)
	options := svm.Options{C: recipe.C, Weights: weights, Tol: recipe.Tolerance, CacheBytes: 1 << 20}
	machine, err := svm.Train(t.Context(), recipe.kernel(float64(p.D())), p.X, train.Y, 3, options)
	if err != nil {
		t.Fatal(err)
	}
	values := machine.Decisions(p.Apply(all.X))
	for k, name := range []string{"value01", "value02", "value12"} {
		methodtest.CheckColumn(t, g, name, func(i int) float64 { return values.At(i, k) }, libsvmPrecision)
	}
	labels := methodtest.Fit(t, recipe, train).Predict(all.X)
	methodtest.CheckColumn(t, g, "svm3", func(i int) float64 { return float64(labels[i]) }, 0)
}

// TestSVMCVIsGridSearch: the rule equals SVM with the parameters that a simple search over the same folds
// finds.
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
	train, all, _ := methodtest.Classics(t, 3)
	isGridSearch(t, radial, radials, train, all)
	isGridSearch(t, polynomial, polynomials, methodtest.Gaussians(90, 3, 3, 1), methodtest.Gaussians(90, 3, 3, 2))
}

// isGridSearch tests that the recipe is the first candidate with the fewest cross-validation errors.
func isGridSearch(t *testing.T, recipe *SVMCV, candidates []*SVM, train, test *dataset.Set) {
	t.Helper()
	recipe.Standardise = false
	fold := datasettest.Folds(t, train.Y, recipe.Folds, randtest.New(1))
	var best *SVM
	least := train.N() + 1
	for _, candidate := range candidates {
		candidate.Standardise = false
		wrong := 0
		for f := range recipe.Folds {
			in, out := dataset.SplitFold(fold, f)
			wrong += int(
				math.Round(
					methodtest.ErrorRate(
						methodtest.Fit(t, candidate, train.Subset(in)),
						train.Subset(out),
					) * float64(
						len(out),
					),
				),
			)
		}
		if wrong < least {
			best, least = candidate, wrong
		}
	}
	got, want := methodtest.Fit(t, recipe, train).Scores(test.X), methodtest.Fit(t, best, train).Scores(test.X)
	if !mat.Equal(got, want) {
		t.Errorf("%s kernel: another rule than that of %+v", recipe.Kernel, *best)
	}
}
