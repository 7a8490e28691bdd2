// Package networks implements classifiers that model the variables by Bayesian networks: naive
// Bayes, trees (TAN, Chow-Liu, Tan et al. 2010), Markov chains (Park et al. 2011), and copula
// networks (Elidan 2012).
package networks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// NB is naive Bayes: it applies Bayes' rule to the density p_c of each class c. The density is a
// product over the variables i:
//
//	log p_c(x) = sum_i log p_c(x_i).
//
// For a numeric variable, p_c(x_i) is a Gaussian kernel estimate from the training rows of class c.
// The default bandwidths are plug-in bandwidths of the R package ks, as in Tenzer et al. (2020),
// section 5.
//
// For a discrete variable, p_c(x_i) is a relative frequency. By default, it is smoothed by
// Laplace's rule: each level gets 1 pseudo-count.
//
// With smoothing: 0, there are no pseudo-counts. The frequencies are then the marginals of Eban et
// al. (2014), section 8.1. A level without rows in a class has the frequency 0, which the parameter
// floor replaces.
//
// If a value is missing in a row, its factor is left out of the product. Rows without a value of a
// variable are not used to estimate its densities (Kohavi, Becker and Sommerfield, ECML 1997). The
// fit ignores a variable that has no values in some class.
//
// If a numeric variable is constant in a class, its density in this class is normal. Its standard
// deviation is the smaller of two numbers:
//
//   - the smallest difference between distinct values of the variable
//   - the smallest bandwidth of the variable in the other classes
//
// Version 2 always used the first of these numbers. With bandwidth: matlab, the standard deviation
// is instead 1. The predictions then depend on the units of the variable.
type NB struct {
	method.Revision
	// rule for choosing the bandwidths of numeric variables
	Bandwidth string `param:"bandwidth" enum:"plug-in,normal-reference,matlab"`
	// pseudo-count added to each level of a discrete variable in each class
	Smoothing float64 `param:"smoothing" range:"[0,inf)"`
	// lower bound on each density or frequency before its logarithm is taken. For densities,
	// columns are first divided by their standard deviations in the class. 0 means no bound
	Floor float64 `param:"floor" range:"[0,inf)"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// NewNB returns an NB with the bandwidths of Tenzer et al. (2020). Neither this paper nor Eban et
// al. (2014) states the priors or the treatment of levels without training rows. NewNB uses the
// class proportions and Laplace's rule.
func NewNB() *NB {
	return &NB{Bandwidth: string(kde.PlugIn), Smoothing: 1, Priors: method.TrainingPriors}
}

// Validate returns an error if Smoothing and Floor are both 0. Levels without training rows would
// then have probability 0.
func (s *NB) Validate() error { return checkUnseen("smoothing", s.Smoothing, s.Floor) }

// Fit implements method.Classifier. It does not use rng.
func (s *NB) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	estimator := s.estimator()
	terms := univariateTerms(train.C(), train.D())
	incomplete := incompleteVariables(train)
	complete := slices.DeleteFunc(terms, func(t term) bool { return slices.Contains(incomplete, t.I) })
	parts, err := estimator.fit(ctx, withZeros(train), complete) // zeros replace missing values; no term uses them
	if err != nil {
		return nil, err
	}
	var warnings []string
	for _, v := range incomplete {
		part, warning, err := estimator.fitIncomplete(ctx, train, v)
		if err != nil {
			return nil, err
		}
		if warning != "" {
			warnings = append(warnings, warning)
		}
		parts = append(parts, part...)
	}
	rule := sumBayes(train, s.Priors, parts, columns.AllowMissing)
	rule.Warnings = append(rule.Warnings, warnings...)
	return rule, nil
}

// incompleteVariables returns the variables with missing values.
func incompleteVariables(train *dataset.Set) (incomplete []int) {
	for v := range train.D() {
		if len(dataset.Present(train, v)) < train.N() {
			incomplete = append(incomplete, v)
		}
	}
	return incomplete
}

func (s *NB) estimator() densityEstimator {
	return densityEstimator{
		Options: logdensity.Options{
			Rule:   kde.Rule(s.Bandwidth),
			Narrow: !s.BeforeVersion(3), // since version 3, variables that are constant in a class have narrow kernels
			Floor:  s.Floor,
		},
		pseudo: func(int) float64 { return s.Smoothing },
	}
}

// WeightsPriors implements method.PriorWeighted.
func (s *NB) WeightsPriors() {}

// fitIncomplete estimates the densities of a variable from the rows in which it is present, or
// returns a warning if it has no values in some class.
func (e densityEstimator) fitIncomplete(
	ctx context.Context, train *dataset.Set, variable int,
) (parts []logSum, warning string, err error) {
	var rows []int
	for i, v := range mat.Col(nil, variable, train.X) {
		if !math.IsNaN(v) {
			rows = append(rows, i)
		}
	}
	present := train.Subset(rows)
	if empty := slices.Index(present.Counts(), 0); empty >= 0 {
		return nil, fmt.Sprintf("column %q has no values in class %q, so the classifier ignores it",
			train.Attributes[variable].Name, train.Classes[empty]), nil
	}
	terms := univariateTerms(train.C(), train.D())
	terms = slices.DeleteFunc(terms, func(t term) bool { return t.I != variable })
	parts, err = e.fit(ctx, withZeros(present), terms) // zeros replace missing values; no term uses them
	return parts, "", err
}
