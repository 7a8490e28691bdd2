// Package machines implements classifiers that separate classes by a surface: support vector
// machines, also for rows with missing values, and the minimax probability machine.
package machines

import (
	"context"
	"fmt"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// Values of SVM.Kernel and SVMCV.Kernel.
const (
	rbfKernel        = "rbf"
	linearKernel     = "linear"
	polynomialKernel = "polynomial"
)

// Values of SVM.KernelScale, which defines s^2 in the kernels.
const (
	columnsScale = "columns" // s^2 is the number of columns, as in libsvm
	matlabScale  = "matlab"  // s is the result of nearestClassScale
)

// Default tolerances of SVM and SVMCV.
const (
	libsvmTolerance = 1e-3 // for the versions that use libsvm's tolerance
	strictTolerance = 1e-6 // small enough that rounding does not change the order of scores
)

// SVM is the support vector classifier of libsvm (C-SVC; Chang and Lin, ACM TIST 2:27, 2011,
// section 2.1). Except for a smaller tolerance, its defaults are the defaults of R's e1071. By
// default, the kernel is radial, and columns are standardised.
//
// With two classes, the score of class 0 is the decision value, and the score of class 1 is its
// negative. With more than two classes, there is a machine for each pair of classes, and the
// machines vote. If several classes have the most votes, the first of them wins.
//
// The kernel divides squared distances by a number s^2. By default, s^2 is the number of columns. A
// discrete attribute becomes one indicator column per level, or a single indicator if it has two
// levels.
//
// A constant column causes a warning. It is included in the number of columns, but has no other
// effect. In e1071, a constant column would prevent the scaling of all columns.
//
// With kernel_scale: matlab and standardise: false, this is the machine of Dorn et al. (2018) for
// two classes: Matlab's fitcsvm with KernelScale 'auto'. The fit then computes s in three steps:
//
//  1. It draws m_c of the N_c rows of each class c at random. m_c is at most the parameter
//     scale_rows.
//  2. For each drawn row of class 1, it computes the smallest positive distance to a drawn row of
//     class 0. It takes the median of these distances.
//  3. It multiplies the median by (m_0/N_0 m_1/N_1)^(1/(2d)), where d is the number of columns. The
//     result is s.
//
// If most values are zero, many test rows can be identical and have the same score. This score can
// be very close to the boundary between the classes, closer than the tolerance of the solver. The
// label of all these rows then depends on where the solver stops. With a smaller tolerance, this
// happens less often.
//
// In version 1, the tolerance was 0.001, as in libsvm, and rounding could change the order of
// scores.
type SVM struct {
	method.Revision
	// `rbf`: exp(-gamma |x-z|^2 / s^2); `linear`: <x,z>; `polynomial`: (gamma <x,z> / s^2 +
	// coef0)^degree
	Kernel string `param:"kernel" enum:"rbf,linear,polynomial"`
	// rule for s^2 in the kernel. `columns`: the number of columns. `matlab`: the rule of Matlab's
	// fitcsvm for two classes. It uses the distances from rows to the nearest row of the other
	// class
	KernelScale string `param:"kernel_scale" enum:"columns,matlab"`
	// largest number of rows per class for choosing s^2 if `kernel_scale` is `matlab`; larger
	// classes are sampled at random
	ScaleRows int `param:"scale_rows" range:"[1,inf)"`
	// cost of a unit of slack
	C float64 `param:"c" range:"(0,inf)"`
	// gamma in the radial and the polynomial kernel; 1 is the default of libsvm and fitcsvm
	Gamma float64 `param:"gamma" range:"(0,inf)"`
	// constant in the polynomial kernel
	Coef0 float64 `param:"coef0" range:"[0,inf)"`
	// degree of the polynomial kernel
	Degree int `param:"degree" range:"[1,inf)"`
	// scale each column to mean 0 and standard deviation 1 (divisor n-1) on the training rows
	Standardise bool `param:"standardise"`
	// the solver stops when its duality (KKT) gap falls below this value
	Tolerance float64 `param:"tolerance" range:"(0,inf)"`
	// memory for kernel values, in megabytes
	CacheMB int `param:"cache_mb" range:"[1,inf)"`
}

// NewSVM returns an SVM with e1071's defaults except for the tolerance.
func NewSVM() *SVM {
	return &SVM{
		Kernel:      rbfKernel,
		KernelScale: columnsScale,
		ScaleRows:   100,
		C:           1,
		Gamma:       1,
		Coef0:       0,
		Degree:      3,
		Standardise: true,
		Tolerance:   strictTolerance,
		CacheMB:     100,
	}
}

// Pin selects an older version of the classifier and its default Tolerance.
func (s *SVM) Pin(version int) {
	s.Revision.Pin(version)
	s.Tolerance = libsvmTolerance
}

// Fit scales the columns and fits a machine to each pair of classes. It uses rng only to sample
// rows for KernelScale "matlab".
func (s *SVM) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, method.EqualWeights(train), rng)
}

// FitWeighted is like Fit, but multiplies the cost C for rows of class c by weights[c], like
// libsvm's option -w.
func (s *SVM) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	p := method.Prepare(train, s.Standardise)
	square, warnings, err := s.squaredScale(ctx, p.X, train, rng)
	if err != nil {
		return nil, err
	}
	options := svm.Options{C: s.C, Weights: weights, Tol: s.Tolerance, CacheBytes: s.CacheMB << 20}
	machine, err := svm.Train(ctx, s.kernel(square), p.X, train.Y, train.C(), options)
	if err != nil {
		return nil, err
	}
	return machineRule(p, machine, train.C(), warnings...), nil
}

// squaredScale returns s^2, the divisor in the kernels, and any warnings. x contains the numeric
// columns of train.
func (s *SVM) squaredScale(
	ctx context.Context, x *mat.Dense, train *dataset.Set, rng *rand.Rand,
) (float64, []string, error) {
	if s.KernelScale == columnsScale {
		_, d := x.Dims()
		return float64(d), nil, nil
	}
	if train.C() > 2 {
		return 0, nil, fmt.Errorf("kernel_scale: %s needs two classes, but the training set has %d: "+
			"use kernel_scale: %s",
			s.KernelScale, train.C(), columnsScale)
	}
	classes := [2][]int{train.ClassRows(0), train.ClassRows(1)}
	scale, ok, err := nearestClassScale(ctx, x, classes, s.ScaleRows, rng)
	if err != nil {
		return 0, nil, err
	}
	if !ok { // fitcsvm also uses 1 in this case
		warning := "most rows equal all rows of the other class, so the kernel's scale is undefined and set to 1"
		return 1, []string{warning}, nil
	}
	return scale * scale, nil, nil
}

// kernel returns the kernel with the name s.Kernel for the squared scale (see squaredScale).
func (s *SVM) kernel(square float64) svm.Kernel {
	gamma := s.Gamma / square
	switch s.Kernel {
	case rbfKernel:
		return svm.RBF{Gamma: gamma}
	case linearKernel:
		return svm.Linear{}
	default: // polynomialKernel
		return svm.Polynomial{Gamma: gamma, Coef0: s.Coef0, Degree: s.Degree}
	}
}

// machineRule returns a rule that converts rows with p and predicts by the votes of the machine.
func machineRule(p *method.Prepared, machine *svm.Machine, classes int, warnings ...string) *method.Rule {
	decide := func(x *mat.Dense) *mat.Dense { return machine.Decisions(p.Apply(x)) }
	return method.Votes(decide, classes, append(p.Unused(), warnings...))
}
