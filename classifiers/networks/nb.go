// Package networks implements classifiers that model the variables by Bayesian networks: naive Bayes,
// trees (TAN, Chow and Liu, Tan et al. 2010), Markov chains (Park et al. 2011), and copula networks
// with the methods that Elidan (2012) compares them with.
package networks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// NB is naive Bayes: Bayes' rule for the densities
//
//	log p_c(x) = sum_i log p_c(x_i).
//
// For a numeric variable, p_c(x_i) is a Gaussian kernel estimate from the training rows of class c.
// Tenzer et al. (2020), section 5, use R's package ks, so the default bandwidths are its plug-in
// bandwidths. For a discrete variable, p_c(x_i) is a relative frequency with Laplace's rule: each
// level gets 1 pseudo-count. Without pseudo-counts, but with a floor for levels without rows in a
// class, the frequencies are the marginals of Eban et al. (2014), section 8.1.
//
// If a value of a row is missing, the variable is left out of the sum for this row. A training row
// with a missing value is left out of the densities of this variable (Kohavi, Becker and
// Sommerfield, ECML 1997). The fit ignores a variable that has no values in some class.
type NB struct {
	Bandwidth string  `param:"bandwidth" doc:"rule that chooses the bandwidths of numeric variables" enum:"plug-in,normal-reference,matlab"`
	Smoothing float64 `param:"smoothing" doc:"pseudo-count of each level of a discrete variable in each class" range:"[0,inf)"`
	Floor     float64 `param:"floor" doc:"lower bound on each density or frequency before its logarithm is taken; densities are for columns divided by their standard deviations in the class. 0: no bound" range:"[0,inf)"`
	Priors    string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// NewNB returns an NB as in the papers. The papers do not state how they handle levels without
// training rows, nor which priors they use.
func NewNB() *NB {
	return &NB{Bandwidth: string(kde.PlugIn), Smoothing: 1, Priors: method.TrainingPriors}
}

// Validate returns an error if levels without training rows would have probability 0.
func (s *NB) Validate() error { return checkUnseen("smoothing", s.Smoothing, s.Floor) }

// Fit estimates the density of each variable in each class, from the rows in which the variable has a
// value. It does not use rng.
func (s *NB) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	estimator := densityEstimator{
		bandwidth: kde.Rule(s.Bandwidth),
		pseudo:    func(int) float64 { return s.Smoothing },
		floor:     logdensity.Floor{Density: s.Floor},
	}
	complete, incomplete := completeTerms(train)
	parts, err := estimator.fit(ctx, withoutMissing(train), complete)
	if err != nil {
		return nil, err
	}
	incompleteParts, warnings, err := estimator.fitIncomplete(ctx, train, incomplete)
	if err != nil {
		return nil, err
	}
	rule := sumBayes(train, s.Priors, append(parts, incompleteParts...), true)
	rule.Warnings = append(rule.Warnings, warnings...)
	return rule, nil
}

// FitWeighted does the same as Fit, but multiplies the prior of class c by weights[c]. If weights
// is nil, the priors do not change.
func (s *NB) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	rule, err := s.Fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	return rule.WithPriorWeights(weights), nil
}

// fitIncomplete estimates the terms of variables with missing training values. incomplete has one
// list of terms for each such variable. The estimates use the rows in which the variable has a
// value. If a variable has no value in some class, fitIncomplete skips it and returns a warning.
func (e densityEstimator) fitIncomplete(
	ctx context.Context, train *dataset.Set, incomplete [][]term,
) (parts []logSum, warnings []string, err error) {
	for _, terms := range incomplete {
		variable := terms[0].I
		present := rowsWith(train, variable)
		if empty := slices.Index(present.Counts(), 0); empty >= 0 {
			warnings = append(warnings, fmt.Sprintf("column %q has no values in class %q, so the classifier ignores it",
				train.Attributes[variable].Name, train.Classes[empty]))
			continue
		}
		part, err := e.fit(ctx, withoutMissing(present), terms)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, part...)
	}
	return parts, warnings, nil
}

// completeTerms divides the terms of all variables. complete has the terms of variables without missing
// training values; incomplete has one list of terms for each other variable.
func completeTerms(train *dataset.Set) (complete []term, incomplete [][]term) {
	byVariable := make([][]term, train.D()) // nil for complete variables
	for _, t := range univariateTerms(train.C(), train.D()) {
		if lacksValues(train, t.I) {
			byVariable[t.I] = append(byVariable[t.I], t)
		} else {
			complete = append(complete, t)
		}
	}
	isComplete := func(terms []term) bool { return terms == nil }
	return complete, slices.DeleteFunc(byVariable, isComplete)
}

// lacksValues reports whether any value of column j of s is missing.
func lacksValues(s *dataset.Set, j int) bool {
	return slices.ContainsFunc(mat.Col(nil, j, s.X), math.IsNaN)
}

// rowsWith returns the rows of s in which column j is not missing.
func rowsWith(s *dataset.Set, j int) *dataset.Set {
	var rows []int
	for i, v := range mat.Col(nil, j, s.X) {
		if !math.IsNaN(v) {
			rows = append(rows, i)
		}
	}
	return s.Subset(rows)
}
