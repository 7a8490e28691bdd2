package networks

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// A term is one summand of the log density of a class: weight times log p(x_I, x_J). If I equals J,
// it is weight times log p(x_I).
type term struct {
	logdensity.Entry
	weight float64
}

// univariateTerms returns the terms log p_c(x_v) of all classes c and variables v. The index of a
// term is c*d + v.
func univariateTerms(classes, d int) []term {
	var terms []term
	for _, e := range logdensity.Univariate(classes, d) {
		terms = append(terms, term{e, 1})
	}
	return terms
}

// A logSum computes all or some terms of the log density of each class.
type logSum interface {
	// addTo adds the sum for class c at row i of x to sums[i,c], without terms with missing values.
	addTo(sums, x *mat.Dense, evaluate logDensitiesOf)
	warnings() []string
}

// A logDensitiesOf function evaluates all log densities of a logdensity.Map at a fixed set of rows.
// The result has a row for each of these rows and a column for each density. If a value is missing,
// its log density is arbitrary.
type logDensitiesOf func(*logdensity.Map) *mat.Dense

type densityEstimator struct {
	logdensity.Options                         // Floor also limits relative frequencies
	pseudo             func(cells int) float64 // pseudo-count of each cell in a table with this many cells
	ratios             bool                    // divide bivariate kernel densities by their margins
}

// fit estimates the densities of the terms, by kernels for numeric variables and by frequencies for
// discrete variables. The variables of a pair must have the same kind.
func (e densityEstimator) fit(ctx context.Context, train *dataset.Set, terms []term) ([]logSum, error) {
	var numeric, discrete []term
	for _, t := range terms {
		if train.Attributes[t.I].Kind == dataset.Discrete {
			discrete = append(discrete, t)
		} else {
			numeric = append(numeric, t)
		}
	}
	var sums []logSum
	if len(numeric) > 0 {
		kernels, err := e.fitKernels(ctx, train, numeric)
		if err != nil {
			return nil, err
		}
		sums = append(sums, kernels)
	}
	if len(discrete) > 0 {
		tables, err := countFrequencies(ctx, train, discrete, e.pseudo, e.Floor)
		if err != nil {
			return nil, err
		}
		sums = append(sums, tables)
	}
	return sums, nil
}

// kernelSum implements logSum for numeric variables. The sum of class c is
//
//	sum_k weights_k log p_k(x) - sum_m log q_m(x).
//
// The first sum is over the densities p_k of class c, and the second over the univariate densities
// q_m in margins[c].
type kernelSum struct {
	densities *logdensity.Map
	weights   []float64             // weight of each entry of densities
	margins   [][]logdensity.Margin // margins of the pairs in each class; nil: not subtracted
}

// fitKernels estimates kernel densities for terms with numeric variables. If e.ratios is true, the
// result divides the density of each pair, whose weight must be 1, by its two margins.
func (e densityEstimator) fitKernels(ctx context.Context, train *dataset.Set, terms []term) (*kernelSum, error) {
	entries, weights := make([]logdensity.Entry, len(terms)), make([]float64, len(terms))
	for k, t := range terms {
		entries[k], weights[k] = t.Entry, t.weight
	}
	densities, err := logdensity.Fit(ctx, train, e.Options, entries)
	if err != nil {
		return nil, err
	}
	sum := &kernelSum{densities: densities, weights: weights}
	if e.ratios {
		sum.margins = marginsOfPairs(densities, train.C())
	}
	return sum, nil
}

func marginsOfPairs(densities *logdensity.Map, classes int) [][]logdensity.Margin {
	margins := make([][]logdensity.Margin, classes)
	for k, e := range densities.Entries {
		if e.I != e.J {
			marginI, marginJ := densities.Margins(k)
			margins[e.Class] = append(margins[e.Class], marginI, marginJ)
		}
	}
	return margins
}

// warnings implements logSum.
func (s *kernelSum) warnings() []string { return s.densities.Warnings() }

// addTo implements logSum. It adds the weighted log densities of class c at row i of x to
// sums[i,c], without terms with missing values, and subtracts the log densities of s.margins.
func (s *kernelSum) addTo(sums, x *mat.Dense, evaluate logDensitiesOf) {
	logs := evaluate(s.densities) // column k belongs to entry k of the densities
	n, _ := x.Dims()
	for i := range n {
		classSums, values := sums.RawRowView(i), x.RawRowView(i)
		for k, log := range logs.RawRowView(i) {
			e := s.densities.Entries[k]
			isMissing := math.IsNaN(values[e.I]) || math.IsNaN(values[e.J]) // I = J: a single variable
			if !isMissing {
				classSums[e.Class] += s.weights[k] * log
			}
		}
	}
	// Only TAN divides pair densities by their margins, and it panics if x has missing values. A
	// variable has a separate margin for each of its pairs, because bandwidths differ between pairs.
	for c, margins := range s.margins {
		for _, m := range margins {
			for i, log := range m.At(x) {
				sums.Set(i, c, sums.At(i, c)-log)
			}
		}
	}
}

// sumBayes returns Bayes' rule for classes whose log density is the sum of the given parts. The
// scores are log priors plus log densities.
//
// If allowMissing is true, the rule skips terms with missing values. Otherwise, it panics at missing
// values. SetScores stores kernel densities in the cache of the data set.
func sumBayes(train *dataset.Set, priors string, parts []logSum, allowMissing bool) *method.Rule {
	classes, d, logPrior := train.C(), train.D(), method.LogPriors(train, priors)
	var warnings []string
	for _, p := range parts {
		warnings = append(warnings, p.warnings()...)
	}
	// Zeros replace missing values, so that all densities can be evaluated. sumOf also receives the
	// original values x, and skips the terms whose values are missing there.
	logDensities := func(x *mat.Dense) *mat.Dense {
		columns.Check(x, d, allowMissing)
		complete := method.ZerosForMissing(x)
		evaluate := func(m *logdensity.Map) *mat.Dense { return m.Values(nil, complete) } // nil: in new memory
		return sumOf(parts, x, classes, evaluate)
	}
	rule := method.Bayes(logPrior, logDensities, warnings...)
	rule.SetScores = func(set *dataset.Set) *mat.Dense {
		columns.Check(set.X, d, allowMissing)
		complete := withZeros(set)
		evaluate := func(m *logdensity.Map) *mat.Dense { return m.FeaturesAt(complete) } // uses the cache
		return method.AddToRows(sumOf(parts, set.X, classes, evaluate), logPrior)
	}
	return rule
}

// sumOf returns the n x classes matrix of log densities at the rows of x, without terms with
// missing values.
func sumOf(parts []logSum, x *mat.Dense, classes int, evaluate logDensitiesOf) *mat.Dense {
	n, _ := x.Dims()
	sums := mat.NewDense(n, classes, nil)
	for _, part := range parts {
		part.addTo(sums, x, evaluate)
	}
	return sums
}

// withZeros returns s with zeros for missing values, or s itself, with its cache, if no values are
// missing.
func withZeros(s *dataset.Set) *dataset.Set {
	x := method.ZerosForMissing(s.X)
	if x == s.X {
		return s
	}
	return s.WithValues(x)
}
