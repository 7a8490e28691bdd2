// Package densities implements classifiers that use the logarithms of kernel densities of variables
// and pairs of variables. These are SLB and its variants (Tenzer et al. 2020), LU, FANS (Fan et al.
// 2016) and ForestDens (Dorn et al. 2018).
package densities

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/recipe"
)

// These values of Select determine which densities the cross-validation uses.
const (
	refit    = "refit"     // in each fold, densities estimated without the held-out rows
	inSample = "in-sample" // in all folds, densities estimated from all training rows
)

// SLB is the sparse log-bivariate density classifier of Tenzer et al. (2020), Algorithm 1, for two
// classes. It is a linear support vector machine on log densities. In each class, it uses the log
// densities of all variables, and of those pairs of variables that are dependent. The density
// estimate at a training row includes the kernel of this row.
//
// As in R's e1071, the cost is 1. The log densities are scaled to mean 0 and standard deviation 1
// (divisor n-1) in the training rows.
//
// The default bandwidths are normal-reference. In section 5, the paper uses the R package ks, whose
// default bandwidths are plug-in. The studies of the paper therefore set bandwidth: plug-in.
//
// The dependence of a pair of variables is measured by HSIC, the Hilbert-Schmidt independence
// criterion. Consider the n rows of a class. K and L are the n x n kernel matrices of the two
// variables. I is the identity matrix, 1 is a vector of ones, and tr is the trace:
//
//	n^-2 tr(KHLH),  H = I - 11'/n.
//
// The kernel of two values x and x' is exp(-(x-x')^2/m). As in R's dHSIC, m is the median of
// (x-x')^2 over all pairs of rows of the class. If the number of pairs is even, m is the larger of
// the two middle values.
//
// The paper chooses a threshold on the dependence by cross-validation (section 6), but does not
// state the candidates. In this implementation, the dependence of each pair in each class is
// ranked. One ranking and one threshold apply to both classes. Each candidate threshold removes a
// given fraction of the entries of the ranking, the weakest ones.
//
// The candidate with the fewest misclassified held-out rows wins. If several tie, the one with the
// fewest pairs wins.
//
// The ranking uses all training rows. The parameter select determines which rows the
// cross-validation uses to estimate the densities:
//
//   - select: refit uses the rows outside the fold. The bandwidths are still computed from all
//     rows.
//   - select: in-sample uses all rows. Held-out rows then look easier than new rows, and the
//     classifier keeps too many pairs.
//
// On Gaussian forests, in-sample selection gives error rates closer to the paper's than refitting
// does. The classifier slb- with floor 0 comes even closer.
//
// If two variables are linearly dependent in a class, the plug-in rule gives no bandwidth matrix.
// Their density then has a product kernel with the bandwidths of normal-reference.
//
// Before version 5, the tolerance of the solver was 0.001, as in e1071, and rounding could change
// the order of scores. Before version 4, the folds also depended on the order of the class names.
type SLB struct {
	// measure of dependence used to rank the pairs
	Dependence string `param:"dependence" enum:"hsic,pearson,spearman"`
	// largest number of rows per class used for the ranking; larger classes are sampled at random
	MaxRows int `param:"max_rows" range:"[2,inf)"`
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"normal-reference,plug-in"`
	linearMachine
	// estimation of the densities when the threshold is cross-validated: from the other folds
	// (`refit`), or from all rows (`in-sample`)
	Select string `param:"select" enum:"refit,in-sample"`
	// candidate thresholds, each given as the fraction of pairs to remove
	Quantiles []float64 `param:"quantiles" range:"[0,1]"`
	// largest number of rows used for cross-validation; larger training sets are replaced by a
	// random sample stratified by class
	SelectRows int `param:"select_rows" range:"[2,inf)"`
	// number of folds for choosing the threshold by cross-validation; leave-one-out if there are
	// fewer rows than folds
	Folds int `param:"folds" range:"[2,inf)"`
}

// NewSLB returns an SLB with the default cost of e1071. The paper states neither the candidate
// thresholds nor the number of folds. Their defaults are choices of this package.
func NewSLB() *SLB {
	return &SLB{
		Dependence:    hsicDependence,
		MaxRows:       2000,
		Bandwidth:     string(kde.NormalReference),
		linearMachine: newLinearMachine(),
		Select:        refit,
		SelectRows:    20000,
		Quantiles:     []float64{0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1},
		Folds:         5,
	}
}

// Validate returns an error if there are no candidate thresholds.
func (s *SLB) Validate() error {
	if len(s.Quantiles) == 0 {
		return recipe.Errorf("quantiles", "needs at least one candidate")
	}
	return nil
}

// Fit runs Algorithm 1 of the paper. It uses rng to sample rows and to draw the folds.
func (s *SLB) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	// Step 1: rank the pairs of variables in each class by their dependence.
	pairs, err := s.rankPairs(ctx, columns.InModerateUnits(train), rng)
	if err != nil {
		return nil, err
	}
	// Step 2: choose the dependence threshold, and estimate the densities of all variables and of
	// the pairs above the threshold.
	entries := append(logdensity.Univariate(2, train.D()), pairs...) // 2 classes
	// The matrix logs contains the log densities of the training rows.
	densities, logs, err := s.aboveThreshold(ctx, train, entries, len(pairs), rng)
	if err != nil {
		return nil, err
	}
	// Step 3: fit the machine to the standardised log densities.
	fitted, err := s.machine(s.Bandwidth, columns.Standardise).fit(ctx, train, densities, logs)
	if err != nil {
		return nil, err
	}
	return fitted.rule(), nil
}

// aboveThreshold chooses the dependence threshold by cross-validation. It returns the densities of
// all variables and of the pairs above the threshold. logs contains their logarithms at the rows of
// train. It is nil if the search did not compute them or did not keep them in memory.
//
// entries lists all variables, and then the pairs by descending dependence. The argument pairs is
// the number of pairs.
func (s *SLB) aboveThreshold(
	ctx context.Context, train *dataset.Set, entries []logdensity.Entry, pairs int, rng *rand.Rand,
) (densities *logdensity.Map, logs *mat.Dense, err error) {
	machine := s.machine(s.Bandwidth, columns.Standardise)
	sizes := s.candidateSizes(len(entries), pairs) // numbers of entries to keep, ascending
	sample, err := s.searchSample(train, sizes, rng)
	if err != nil {
		return nil, nil, err
	}
	largest := sizes[len(sizes)-1]
	densities, err = machine.estimate(ctx, sample, entries[:largest])
	if err != nil {
		return nil, nil, err
	}
	search, err := s.search(ctx, densities, sample, sizes, rng)
	if err != nil {
		return nil, nil, fmt.Errorf("choosing the threshold: %w", err)
	}
	isSampled := sample != train
	if isSampled { // the search has estimated the densities from only some rows
		best := entries[:search.bestSize()]
		densities, err = machine.estimate(ctx, train, best)
		return densities, nil, err
	}
	return search.bestDensities(ctx, train.X)
}

// searchSample returns the rows used for cross-validation: train, or a random sample of SelectRows
// rows, stratified by class.
func (s *SLB) searchSample(train *dataset.Set, sizes []int, rng *rand.Rand) (*dataset.Set, error) {
	if train.N() <= s.SelectRows || len(sizes) == 1 {
		return train, nil
	}
	strata := crossval.Strata(train.Y, crossval.ClassesByCodeIf(s.BeforeVersion(4)))
	rows, err := dataset.Subsample(strata, s.SelectRows, rng)
	if err != nil {
		return nil, err
	}
	return train.Subset(rows), nil
}

// A dependenceKey is the key under which a training set caches the dependence matrix of one class.
type dependenceKey struct {
	measure string
	class   int
}

// rankPairs returns all pairs of variables in each class by descending dependence. Ties keep the
// order of classes and pairs.
func (s *SLB) rankPairs(ctx context.Context, train *dataset.Set, rng *rand.Rand) ([]logdensity.Entry, error) {
	measured := make([]*mat.SymDense, train.C()) // measured[c]: dependence of each pair in class c
	for _, c := range crossval.ClassOrder(train.Y, train.C(), crossval.ClassesByCodeIf(s.BeforeVersion(4))) {
		var err error
		if measured[c], err = s.dependences(ctx, train, c, rng); err != nil {
			return nil, err
		}
	}
	pairs := logdensity.Pairs(train.C(), train.D())
	slices.SortStableFunc(pairs, func(a, b logdensity.Entry) int {
		return cmp.Compare(measured[b.Class].At(b.I, b.J), measured[a.Class].At(a.I, a.J))
	})
	return pairs, nil
}

// dependences returns the d x d matrix of dependences between variables in class c.
//
// It uses a random sample of MaxRows rows. If the class has fewer, it uses all rows and caches the
// matrix with the training set.
func (s *SLB) dependences(ctx context.Context, train *dataset.Set, c int, rng *rand.Rand) (*mat.SymDense, error) {
	rows := train.ClassRows(c)
	if len(rows) > s.MaxRows {
		return dependences(ctx, s.Dependence, train.Columns(dataset.SampleRows(rows, s.MaxRows, rng)))
	}
	return logdensity.Derived(ctx, train, dependenceKey{s.Dependence, c}, func() (*mat.SymDense, error) {
		return dependences(ctx, s.Dependence, train.Columns(rows))
	})
}

// candidateSizes returns the distinct numbers of entries that the candidate thresholds keep, in
// ascending order. Threshold q removes the fraction q of the pairs.
func (s *SLB) candidateSizes(entries, pairs int) []int {
	var sizes []int
	for _, q := range s.Quantiles {
		sizes = append(sizes, entries-int(math.Round(q*float64(pairs))))
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// SLBMinus is slb without the selection of pairs (Tenzer et al. 2020, section 5.1.2). It uses the
// log densities of all pairs of variables.
//
// The default tolerance of its support vector machine is 1e-8. Before version 4, it was 0.001, as
// in e1071.
type SLBMinus struct {
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"normal-reference,plug-in"`
	linearMachine
}

// NewSLBMinus returns an SLBMinus with the parameters of NewSLB.
func NewSLBMinus() *SLBMinus {
	s := NewSLB()
	return &SLBMinus{s.Bandwidth, s.linearMachine}
}

// Fit implements method.Classifier. It does not use rng.
func (s *SLBMinus) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return s.machine(s.Bandwidth, columns.Standardise).rule(ctx, train, logdensity.All(2, train.D()))
}
