package machines

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// SVMCV is a support vector machine whose cost and kernel parameter are chosen by
// cross-validation, the rival in section 5 of Elidan (2012). The kernel is exp(-gamma |x-z|^2)
// with gamma from a grid, or (<x,z>/d + 1)^degree with degree from a grid and d columns. The
// fewest misclassified rows win; of equal candidates the smaller cost, then the smaller parameter. Folds
// hold the classes in proportion. Scores are defined as in svm.
//
// The paper prints the costs 2^-12..2^-2 but counts 225 combinations with 15 values of gamma. That
// is the grid 2^-2..2^12 of Hsu and Lin (IEEE Trans. Neural Networks 13:415, 2002), whose protocol
// it cites. Instead of its limit of ten minutes per candidate, max_steps limits the steps of the
// solver, so that results do not depend on the computer. In version 1 the folds depended on the
// order of the class names.
type SVMCV struct {
	method.Revision
	Kernel      string    `param:"kernel" doc:"radial or polynomial kernel" enum:"rbf,polynomial"`
	LogCosts    []float64 `param:"log2_c" doc:"exponents of the candidate costs, which are powers of 2" range:"[-60,60]"`
	LogGammas   []float64 `param:"log2_gamma" doc:"exponents of the candidate gammas of the radial kernel, which are powers of 2" range:"[-60,60]"`
	Degrees     []int     `param:"degrees" doc:"candidate degrees of the polynomial kernel" range:"[1,inf)"`
	Folds       int       `param:"folds" doc:"number of folds of the cross-validation; leave-one-out if there are fewer rows than folds" range:"[2,inf)"`
	Standardise bool      `param:"standardise" doc:"scale each column to mean 0 and standard deviation 1 (divisor n-1) in the training rows"`
	Tolerance   float64   `param:"tolerance" doc:"duality (KKT) gap at which the solver stops" range:"(0,inf)"`
	MaxSteps    int       `param:"max_steps" doc:"largest number of steps of the solver; a candidate that needs more is given up" range:"[1,inf)"`
	CacheMB     int       `param:"cache_mb" doc:"memory for kernel values, in megabytes" range:"[1,inf)"`
}

// NewSVMCV returns the grid of Hsu and Lin (2002) and the degrees of Elidan
// (2012).
func NewSVMCV() *SVMCV {
	return &SVMCV{
		Kernel:      rbfKernel,
		LogCosts:    steps(-2, 12),
		LogGammas:   steps(-10, 4),
		Degrees:     []int{2, 3, 4, 5, 6, 7, 8, 9, 10},
		Folds:       5,
		Standardise: true,
		Tolerance:   1e-3,
		MaxSteps:    1_000_000,
		CacheMB:     100,
	}
}

// steps returns from, from+1, ..., to.
func steps(from, to int) []float64 {
	var values []float64
	for v := from; v <= to; v++ {
		values = append(values, float64(v))
	}
	return values
}

// Validate returns an error for an empty grid.
func (s *SVMCV) Validate() error {
	empty := func(key string) error {
		return &recipe.Error{Key: key, Msg: "needs at least one candidate"}
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

// Fit chooses the parameters, then fits the machine to all rows.
func (s *SVMCV) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	p := method.Prepare(train, s.Standardise)
	if err := modelsel.CheckTwoRows(train); err != nil {
		return nil, err
	}
	kernel, cost, warnings, err := s.search(ctx, train, p.X, rng)
	if err != nil {
		return nil, fmt.Errorf("choosing the parameters: %w", err)
	}
	options := svm.Options{C: cost, Tol: s.Tolerance, CacheBytes: s.CacheMB << 20}
	machine, err := svm.Train(ctx, kernel, p.X, train.Y, train.C(), options)
	if err != nil {
		return nil, err
	}
	return machineRule(p, machine, train.C(), warnings...), nil
}

// search returns the kernel and the cost with the fewest errors in held-out rows. x has the scaled
// columns of train. All candidates have the same folds.
func (s *SVMCV) search(
	ctx context.Context, train *dataset.Set, x *mat.Dense, rng *rand.Rand,
) (kernel svm.Kernel, cost float64, warnings []string, err error) {
	fold, folds, err := modelsel.Deal(train.Y, train.C(), s.Folds, s.Before(2), rng)
	if err != nil {
		return nil, 0, nil, err
	}
	_, d := x.Dims()
	kernels, costs := s.kernels(d), powersOfTwo(s.LogCosts)
	wrong := make([]int, len(costs)*len(kernels)) // at cost*len(kernels) + kernel: smaller costs win ties
	givenUp := 0
	for k, kernel := range kernels {
		errors, reached, err := s.pathErrors(ctx, kernel, costs, train, x, fold, folds)
		if err != nil {
			return nil, 0, nil, err
		}
		givenUp += len(costs) - reached
		for c, e := range errors {
			wrong[c*len(kernels)+k] = e
		}
	}
	if givenUp > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d candidates given up after %d steps of the solver",
			givenUp, len(wrong), s.MaxSteps))
	}
	best := modelsel.Best(wrong)
	return kernels[best%len(kernels)], costs[best/len(kernels)], warnings, nil
}

// pathErrors returns the number of misclassified held-out rows for each of the ascending costs,
// and how many of the costs the solver reached within its steps in every fold.
func (s *SVMCV) pathErrors(
	ctx context.Context, kernel svm.Kernel, costs []float64, train *dataset.Set, x *mat.Dense, fold []int, folds int,
) (errors []int, reached int, err error) {
	options := svm.PathOptions{Costs: costs, Tol: s.Tolerance, MaxSteps: s.MaxSteps, CacheBytes: s.CacheMB << 20}
	path, err := svm.NewPath(ctx, kernel, x, train.Y, train.C(), options)
	if err != nil {
		return nil, 0, err
	}
	reached = len(costs)
	errors, err = modelsel.CrossValidate(ctx, fold, folds, func(in, out []int) ([]int, error) {
		errors, trained, err := path.Errors(ctx, in, out)
		reached = min(reached, trained)
		return errors, err
	})
	return errors, reached, err
}

// kernels returns the candidate kernels for d columns, the smoothest first.
func (s *SVMCV) kernels(d int) []svm.Kernel {
	var kernels []svm.Kernel
	switch s.Kernel {
	case rbfKernel:
		for _, e := range slices.Sorted(slices.Values(s.LogGammas)) {
			kernels = append(kernels, svm.RBF{Gamma: math.Exp2(e)})
		}
	case polynomialKernel:
		for _, degree := range slices.Sorted(slices.Values(s.Degrees)) {
			kernels = append(kernels, svm.Polynomial{Gamma: 1 / float64(d), Coef0: 1, Degree: degree})
		}
	default:
		panic(fmt.Sprintf("machines: unknown kernel %q", s.Kernel))
	}
	return kernels
}

// powersOfTwo returns 2^e of each exponent, ascending.
func powersOfTwo(exponents []float64) []float64 {
	var powers []float64
	for _, e := range slices.Sorted(slices.Values(exponents)) {
		powers = append(powers, math.Exp2(e))
	}
	return powers
}
