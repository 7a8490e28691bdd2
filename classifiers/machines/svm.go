// Package machines classifies by separating surfaces: support vector machines, also for incomplete
// rows, and the minimax probability machine.
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

// Kernels of the support vector machines.
const (
	rbfKernel        = "rbf"
	linearKernel     = "linear"
	polynomialKernel = "polynomial"
)

// Units of the squared distances in the kernels, s^2.
const (
	columnsScale = "columns" // the number of columns, as libsvm
	matlabScale  = "matlab"  // nearestClassScale squared
)

// SVM is the support vector classification of libsvm (C-SVC; Chang and Lin, ACM TIST 2:27, 2011,
// section 2.1) with the defaults of e1071: a radial kernel on standardised columns. Of two classes
// class 1 scores the decision value and class 0 its negative. More classes are decided by the votes
// of all pairs; of equally many votes the class that comes first wins.
//
// A constant column counts in the kernel's scale s^2 but plays no other part and gives a warning;
// e1071 would leave all columns unscaled because of it. A discrete attribute enters as one
// indicator per level, or as a single indicator where it has two levels.
//
// kernel_scale: matlab with standardise: false is Matlab's fitcsvm with KernelScale 'auto', the machine
// of Dorn et al. (2018). Then s is the median distance of the rows of class 1 to the nearest row of
// class 0 that is not equal, times (m_0/N_0 m_1/N_1)^(1/(2d)) where m_c of the N_c rows of class c
// are sampled.
type SVM struct {
	Kernel      string  `param:"kernel" doc:"exp(-gamma |x-z|^2 / s^2), <x,z>, or (gamma <x,z> / s^2 + coef0)^degree" enum:"rbf,linear,polynomial"`
	KernelScale string  `param:"kernel_scale" doc:"s^2: the number of columns, or, as Matlab's fitcsvm chooses it for two classes, from the distances of rows to the nearest row of the other class" enum:"columns,matlab"`
	ScaleRows   int     `param:"scale_rows" doc:"largest number of rows of a class for kernel_scale: matlab; a larger class is sampled at random" range:"[1,inf)"`
	C           float64 `param:"c" doc:"cost of a unit of slack" range:"(0,inf)"`
	Gamma       float64 `param:"gamma" doc:"gamma of the radial and the polynomial kernel; 1 is the default of libsvm and fitcsvm" range:"(0,inf)"`
	Coef0       float64 `param:"coef0" doc:"constant of the polynomial kernel" range:"[0,inf)"`
	Degree      int     `param:"degree" doc:"degree of the polynomial kernel" range:"[1,inf)"`
	Standardise bool    `param:"standardise" doc:"scale each column to mean 0 and standard deviation 1 (divisor n-1) in the training rows"`
	Tolerance   float64 `param:"tolerance" doc:"duality (KKT) gap at which the solver stops" range:"(0,inf)"`
	CacheMB     int     `param:"cache_mb" doc:"memory for kernel values, in megabytes" range:"[1,inf)"`
}

// NewSVM returns e1071's defaults.
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
		Tolerance:   1e-3,
		CacheMB:     100,
	}
}

// Fit scales the columns and solves the problems of all pairs of classes.
func (s *SVM) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.FitWeighted(ctx, train, nil, rng)
}

// FitWeighted is Fit with a weight for each class, a factor of the cost c of its rows' slack, as
// libsvm's option -w; nil: 1.
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

// squaredScale returns s^2 of the kernels between the rows of x, the columns of train, and
// warnings.
func (s *SVM) squaredScale(
	ctx context.Context, x *mat.Dense, train *dataset.Set, rng *rand.Rand,
) (float64, []string, error) {
	if s.KernelScale == columnsScale {
		_, d := x.Dims()
		return float64(d), nil, nil
	}
	if train.C() > 2 {
		return 0, nil, fmt.Errorf("kernel_scale %s takes two classes, the training set has %d: use %s",
			s.KernelScale, train.C(), columnsScale)
	}
	classes := [2][]int{train.ClassRows(0), train.ClassRows(1)}
	scale, ok, err := nearestClassScale(ctx, x, classes, s.ScaleRows, rng)
	if err != nil {
		return 0, nil, err
	}
	if !ok { // as fitcsvm
		return 1, []string{"most rows coincide with the other class's: the kernel's scale is 1"}, nil
	}
	return scale * scale, nil, nil
}

// kernel returns the kernel with square as s^2.
func (s *SVM) kernel(square float64) svm.Kernel {
	gamma := s.Gamma / square
	switch s.Kernel {
	case rbfKernel:
		return svm.RBF{Gamma: gamma}
	case linearKernel:
		return svm.Linear{}
	case polynomialKernel:
		return svm.Polynomial{Gamma: gamma, Coef0: s.Coef0, Degree: s.Degree}
	}
	panic(fmt.Sprintf("machines: unknown kernel %q", s.Kernel))
}

// machineRule returns the rule of a machine for prepared columns.
func machineRule(p *method.Prepared, machine *svm.Machine, classes int, warnings ...string) *method.Rule {
	decide := func(x *mat.Dense) *mat.Dense { return machine.Decisions(p.Apply(x)) }
	return method.Votes(decide, classes, append(p.Unused(), warnings...))
}
