package machines

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// SVMCV is a support vector machine whose cost and kernel parameter are chosen by cross-validation.
// Elidan (2012), section 5, uses this machine for comparison. For two rows x and z with d columns,
// <x,z> is the dot product. The parameter kernel selects one of the two kernels
//
//	exp(-gamma |x-z|^2),  (<x,z>/d + 1)^degree.
//
// The candidates are all combinations of a cost with a gamma or a degree. The candidate with the
// fewest misclassified held-out rows wins. If several tie, the smallest cost wins, and then the
// smallest gamma or degree. Folds are stratified by class. Scores are defined as in svm.
//
// The default costs are 2^-2..2^12, from Hsu and Lin (IEEE Trans. Neural Networks 13:415, 2002).
// The paper cites their protocol, but prints the costs 2^-12..2^-2. It also counts 225 combinations
// with 15 values of gamma. This requires 15 costs, which agrees with Hsu and Lin, but not with the
// printed costs.
//
// The paper stops each evaluation of a candidate after ten minutes. Here the parameter max_steps
// limits the steps of the solver instead, so results do not depend on the computer.
//
// Before version 3, the tolerance was 0.001, as in libsvm. In version 1, the folds also depended on
// the order of the class names.
type SVMCV struct {
	method.Revision
	// kernel: radial (`rbf`) or polynomial (`polynomial`)
	Kernel string `param:"kernel" enum:"rbf,polynomial"`
	// base-2 logarithms of the candidate costs
	LogCosts []float64 `param:"log2_c" range:"[-60,60]"`
	// base-2 logarithms of the candidate values of gamma, for the radial kernel
	LogGammas []float64 `param:"log2_gamma" range:"[-60,60]"`
	// candidate degrees of the polynomial kernel
	Degrees []int `param:"degrees" range:"[1,inf)"`
	// number of cross-validation folds; leave-one-out if there are fewer rows than folds
	Folds int `param:"folds" range:"[2,inf)"`
	// scale each column to mean 0 and standard deviation 1 (divisor n-1) on the training rows
	Standardise bool `param:"standardise"`
	// the solver stops when its duality (KKT) gap falls below this value
	Tolerance float64 `param:"tolerance" range:"(0,inf)"`
	// largest number of solver steps; candidates that need more steps are dropped
	MaxSteps int `param:"max_steps" range:"[1,inf)"`
	// memory for kernel values, in megabytes
	CacheMB int `param:"cache_mb" range:"[1,inf)"`
}

// NewSVMCV returns an SVMCV with the grid of Hsu and Lin (2002) and the degrees of Elidan (2012).
func NewSVMCV() *SVMCV {
	return &SVMCV{
		Kernel:      rbfKernel,
		LogCosts:    steps(-2, 12),
		LogGammas:   steps(-10, 4),
		Degrees:     []int{2, 3, 4, 5, 6, 7, 8, 9, 10},
		Folds:       5,
		Standardise: true,
		Tolerance:   strictTolerance,
		MaxSteps:    1_000_000,
		CacheMB:     100,
	}
}

// Pin selects an older version of the classifier and its default Tolerance.
func (s *SVMCV) Pin(version int) {
	s.Revision.Pin(version)
	s.Tolerance = libsvmTolerance
}

// steps returns the integers from..to.
func steps(from, to int) []float64 {
	var values []float64
	for v := from; v <= to; v++ {
		values = append(values, float64(v))
	}
	return values
}

// Validate returns an error if there are no candidates for the cost or the kernel parameter.
func (s *SVMCV) Validate() error {
	empty := func(key string) error {
		return recipe.Errorf(key, "needs at least one candidate")
	}
	switch {
	case len(s.LogCosts) == 0:
		return empty("log2_c")
	case s.Kernel == rbfKernel && len(s.LogGammas) == 0:
		return empty("log2_gamma")
	case s.Kernel == polynomialKernel && len(s.Degrees) == 0:
		return empty("degrees")
	}
	return nil
}

// Fit chooses the cost and the kernel by cross-validation and then fits the machine to all rows. It
// uses rng to draw the folds.
func (s *SVMCV) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	p := method.Prepare(train, s.Standardise)
	if err := crossval.CheckTwoRows(train); err != nil {
		return nil, err
	}
	kernel, cost, warnings, err := s.search(ctx, train, p.X, rng)
	if err != nil {
		return nil, fmt.Errorf("choosing the parameters: %w", err)
	}
	options := svm.Options{
		C: cost, Weights: method.EqualWeights(train), Tol: s.Tolerance, CacheBytes: s.CacheMB << 20,
	}
	machine, err := svm.Train(ctx, kernel, p.X, train.Y, train.C(), options)
	if err != nil {
		return nil, err
	}
	return machineRule(p, machine, train.C(), warnings...), nil
}

// search returns the kernel and cost with the fewest cross-validation errors, and any warnings. x
// contains the numeric columns of train.
func (s *SVMCV) search(
	ctx context.Context, train *dataset.Set, x *mat.Dense, rng *rand.Rand,
) (kernel svm.Kernel, cost float64, warnings []string, err error) {
	fold, folds, err := crossval.Folds(train, s.Folds, crossval.ClassesByCodeIf(s.BeforeVersion(2)), rng)
	if err != nil {
		return nil, 0, nil, err
	}
	_, d := x.Dims()
	kernels, costs := s.kernels(d), powersOfTwo(s.LogCosts)
	// wrong[c*len(kernels)+k] is the number of errors with costs[c] and kernels[k]. Ties go to the
	// first candidate, which has the smaller cost.
	wrong := make([]int, len(costs)*len(kernels))
	dropped := 0 // number of candidates without convergence
	for k, kernel := range kernels {
		// For costs[converged:], the solver did not converge, and held-out rows count as errors.
		errors, converged, err := s.pathErrors(ctx, kernel, costs, train, x, fold, folds)
		if err != nil {
			return nil, 0, nil, err
		}
		dropped += len(costs) - converged
		for c, count := range errors {
			wrong[c*len(kernels)+k] = count
		}
	}
	if dropped > 0 {
		warnings = append(warnings, fmt.Sprintf(
			"%d of %d candidates were dropped because the solver did not converge in %d steps",
			dropped, len(wrong), s.MaxSteps))
	}
	best := crossval.Best(wrong)
	return kernels[best%len(kernels)], costs[best/len(kernels)], warnings, nil
}

// pathErrors returns the number of misclassified held-out rows for each cost, in ascending order. For
// costs[:converged], the solver converged within MaxSteps steps in all folds. For any other cost, all
// held-out rows of a fold without convergence count as errors.
func (s *SVMCV) pathErrors(
	ctx context.Context, kernel svm.Kernel, costs []float64, train *dataset.Set, x *mat.Dense, fold []int, folds int,
) (errors []int, converged int, err error) {
	options := svm.PathOptions{Costs: costs, Tol: s.Tolerance, MaxSteps: s.MaxSteps, CacheBytes: s.CacheMB << 20}
	path, err := svm.NewPath(ctx, kernel, x, train.Y, train.C(), options)
	if err != nil {
		return nil, 0, err
	}
	converged = len(costs)
	errors, err = crossval.CountErrors(ctx, fold, folds, func(trainRows, testRows []int) ([]int, error) {
		errors, convergedInFold, err := path.Errors(ctx, trainRows, testRows)
		converged = min(converged, convergedInFold)
		return errors, err
	})
	return errors, converged, err
}

// kernels returns the candidate kernels for d columns, in ascending order of gamma or degree.
func (s *SVMCV) kernels(d int) []svm.Kernel {
	var kernels []svm.Kernel
	if s.Kernel == rbfKernel {
		for _, gamma := range powersOfTwo(s.LogGammas) {
			kernels = append(kernels, svm.RBF{Gamma: gamma})
		}
		return kernels
	}
	for _, degree := range slices.Sorted(slices.Values(s.Degrees)) {
		kernels = append(kernels, svm.Polynomial{Gamma: 1 / float64(d), Coef0: 1, Degree: degree})
	}
	return kernels
}

// powersOfTwo returns 2^e for each exponent e, in ascending order.
func powersOfTwo(exponents []float64) []float64 {
	var powers []float64
	for _, e := range slices.Sorted(slices.Values(exponents)) {
		powers = append(powers, math.Exp2(e))
	}
	return powers
}
