// Package networks classifies by Bayes' rule on Bayesian networks of the variables: naive Bayes,
// trees (TAN, Chow and Liu, Tan et al. 2010), Markov chains (Park et al. 2011) and copula
// networks with their rivals (Elidan 2012).
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
// For a numeric variable p_c is a Gaussian kernel estimate from the training rows of class c. Tenzer
// et al. (2020), section 5, take it from R's ks, so the bandwidths are its plug-in ones. For a
// discrete variable p_c is the relative frequency under Laplace's rule, 1 pseudo-count per level.
// Without pseudo-counts and with a floor for levels that a class lacks, these are the marginals of
// Eban et al. (2014), section 8.1.
//
// A missing value leaves its variable out of the row's sum, and a training row out of the variable's
// densities (Kohavi, Becker and Sommerfield, ECML 1997). A variable without values in a class
// plays no part.
type NB struct {
	Bandwidth string  `param:"bandwidth" doc:"bandwidth rule of the densities of numeric variables" enum:"plug-in,normal-reference,matlab"`
	Smoothing float64 `param:"smoothing" doc:"pseudo-count of each level of a discrete variable in each class" range:"[0,inf)"`
	Floor     float64 `param:"floor" doc:"lower bound on each density or frequency before its logarithm is taken; densities are for columns divided by their standard deviations in the class. 0: no bound" range:"[0,inf)"`
	Priors    string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// NewNB returns the papers' setting. The papers do not state how they treat unseen levels, nor the
// priors.
func NewNB() *NB {
	return &NB{Bandwidth: string(kde.PlugIn), Smoothing: 1, Priors: method.TrainingPriors}
}

// Validate reports a setting in which unseen levels have no logarithm.
func (s *NB) Validate() error { return checkUnseen("smoothing", s.Smoothing, s.Floor) }

// Fit estimates the density of every variable in every class.
func (s *NB) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	how := estimates{
		bandwidth: kde.Rule(s.Bandwidth),
		pseudo:    func(int) float64 { return s.Smoothing },
		floor:     logdensity.Floor{Density: s.Floor},
	}
	complete, incomplete := completeTerms(train)
	parts, err := how.fit(ctx, withoutMissing(train), complete)
	if err != nil {
		return nil, err
	}
	others, warnings, err := how.fitIncomplete(ctx, train, incomplete)
	if err != nil {
		return nil, err
	}
	rule := sumBayes(train, s.Priors, append(parts, others...), true)
	rule.Warnings = append(rule.Warnings, warnings...)
	return rule, nil
}

// FitWeighted is Fit with a weight for each class, which multiplies its prior; nil: 1.
func (s *NB) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	rule, err := s.Fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	return rule.WithPriorWeights(weights), nil
}

// fitIncomplete estimates the terms of each variable that lacks training values, from the rows that
// have them. It leaves out, with a warning, variables without any value in a class.
func (s estimates) fitIncomplete(
	ctx context.Context, train *dataset.Set, incomplete [][]term,
) (parts []logSum, warnings []string, err error) {
	for _, terms := range incomplete {
		variable := terms[0].I
		present := rowsWith(train, variable)
		if empty := slices.Index(present.Counts(), 0); empty >= 0 {
			warnings = append(warnings, fmt.Sprintf("column %q has no values in class %q and plays no part",
				train.Attributes[variable].Name, train.Classes[empty]))
			continue
		}
		part, err := s.fit(ctx, withoutMissing(present), terms)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, part...)
	}
	return parts, warnings, nil
}

// completeTerms returns the terms of the variables without missing training values, and the terms
// of each other variable.
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

// lacksValues reports whether a value of column j is missing.
func lacksValues(s *dataset.Set, j int) bool {
	return slices.ContainsFunc(mat.Col(nil, j, s.X), math.IsNaN)
}

// rowsWith returns the rows of s whose value of column j is present.
func rowsWith(s *dataset.Set, j int) *dataset.Set {
	var rows []int
	for i, v := range mat.Col(nil, j, s.X) {
		if !math.IsNaN(v) {
			rows = append(rows, i)
		}
	}
	return s.Subset(rows)
}
