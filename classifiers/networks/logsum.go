package networks

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// A term is a summand of the log density of the class Entry.Class. It is weight * log p(x_I, x_J), or
// weight * log p(x_I) if Entry.I and Entry.J are equal.
type term struct {
	logdensity.Entry
	weight float64
}

// univariateTerms returns the term log p_c(x_v), with weight 1, for each class c and variable v. The
// index of the term is c*d + v.
func univariateTerms(classes, d int) []term {
	var terms []term
	for _, e := range logdensity.Univariate(classes, d) {
		terms = append(terms, term{e, 1})
	}
	return terms
}

// A logSum is a sum of terms for each class: the log density of the class, or a part of it. A logSum
// is immutable.
type logSum interface {
	// addTo adds the sum of class c at row i of x to sums[i,c]. It leaves out terms of variables
	// with a missing value in the row. evaluate returns the log densities of a map at the rows
	// of x; its results for missing values are arbitrary.
	addTo(sums, x *mat.Dense, evaluate func(*logdensity.Map) *mat.Dense)
	// warnings returns caveats of the estimated densities.
	warnings() []string
}

// estimates defines how to estimate the densities in terms: by kernels for numeric variables, and by
// relative frequencies for discrete variables.
type estimates struct {
	bandwidth kde.Rule
	pseudo    func(cells int) float64 // pseudo-count of each cell in a table with this many cells
	floor     logdensity.Floor        // lower bound on densities and frequencies
	ratios    bool                    // divide bivariate kernel densities by their margins
}

// fit estimates the densities of the terms. Both variables of a term must be numeric or both
// discrete. fit returns the sum of the terms of numeric variables, followed by the sum of the terms
// of discrete variables. It omits a sum without terms.
func (s estimates) fit(ctx context.Context, train *dataset.Set, terms []term) ([]logSum, error) {
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
		kernels, err := s.fitKernels(ctx, train, numeric)
		if err != nil {
			return nil, err
		}
		sums = append(sums, kernels)
	}
	if len(discrete) > 0 {
		tables, err := countFrequencies(ctx, train, discrete, s.pseudo, s.floor.Density)
		if err != nil {
			return nil, err
		}
		sums = append(sums, tables)
	}
	return sums, nil
}

// kernelSum implements logSum for numeric variables. The sum of a class is the weighted sum of its
// log kernel densities, minus the log densities of margins, which are variables of bivariate densities.
type kernelSum struct {
	densities *logdensity.Map
	weights   []float64             // weight of each entry of densities
	margins   [][]logdensity.Margin // margins of each class to subtract
}

// fitKernels estimates the terms, which must have numeric variables. If s.ratios is true, each
// bivariate density is divided by its two margins.
func (s estimates) fitKernels(ctx context.Context, train *dataset.Set, terms []term) (*kernelSum, error) {
	entries, weights := make([]logdensity.Entry, len(terms)), make([]float64, len(terms))
	for k, t := range terms {
		entries[k], weights[k] = t.Entry, t.weight
	}
	densities, err := logdensity.Fit(ctx, train, s.bandwidth, s.floor, entries)
	if err != nil {
		return nil, err
	}
	sum := &kernelSum{densities, weights, make([][]logdensity.Margin, train.C())}
	for k, e := range entries {
		if s.ratios && e.I != e.J {
			i, j := densities.Margins(k)
			sum.margins[e.Class] = append(sum.margins[e.Class], i, j)
		}
	}
	return sum, nil
}

// warnings returns caveats of the kernel densities.
func (s *kernelSum) warnings() []string { return s.densities.Warnings() }

// addTo implements logSum. For each row i of x and class c, it adds to sums[i,c]
//
//	sum_k weight_k log p_k(x_i) - sum_m log q_m(x_i).
//
// p_k are the densities of class c; q_m are its margins. addTo leaves out densities of missing values.
// evaluate returns the matrix of log p_k at the rows of x, with a column for each entry k.
func (s *kernelSum) addTo(sums, x *mat.Dense, evaluate func(*logdensity.Map) *mat.Dense) {
	logs := evaluate(s.densities)
	n, _ := x.Dims()
	for i := range n {
		sum, values := sums.RawRowView(i), x.RawRowView(i)
		for k, log := range logs.RawRowView(i) {
			e := s.densities.Entries[k]
			if !math.IsNaN(values[e.I]) && !math.IsNaN(values[e.J]) {
				sum[e.Class] += s.weights[k] * log
			}
		}
	}
	for c, margins := range s.margins {
		for _, m := range margins {
			for i, log := range m.At(x) {
				sums.Set(i, c, sums.At(i, c)-log)
			}
		}
	}
}

// sumBayes returns Bayes' rule for classes whose log densities are the sums of parts. The functions of
// the rule panic on missing values if missing is false.
func sumBayes(train *dataset.Set, priors string, parts []logSum, missing bool) *method.Rule {
	logPrior, d := method.LogPriors(train, priors), train.D()
	var warnings []string
	for _, p := range parts {
		warnings = append(warnings, p.warnings()...)
	}
	rule := method.Bayes(logPrior, func(x *mat.Dense) *mat.Dense {
		columns.Check(x, d, missing)
		complete := method.ZerosForMissing(x)
		atRows := func(t *logdensity.Map) *mat.Dense { return t.Values(complete) }
		return sumOf(parts, len(logPrior), x, atRows)
	}, warnings...)
	rule.SetScores = func(set *dataset.Set) *mat.Dense {
		columns.Check(set.X, d, missing)
		complete := withoutMissing(set)
		atSet := func(t *logdensity.Map) *mat.Dense { return t.FeaturesAt(complete) } // reuses densities
		return method.AddToRows(sumOf(parts, len(logPrior), set.X, atSet), logPrior)
	}
	return rule
}

// sumOf returns the n x classes matrix of the sum of the parts for each row of x and each class.
// evaluate returns the log densities of a map at the rows of x.
func sumOf(parts []logSum, classes int, x *mat.Dense, evaluate func(*logdensity.Map) *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	sums := mat.NewDense(n, classes, nil)
	for _, p := range parts {
		p.addTo(sums, x, evaluate)
	}
	return sums
}

// withoutMissing returns a copy of s with zeros in place of missing values. If s has no missing
// values, withoutMissing returns s itself.
func withoutMissing(s *dataset.Set) *dataset.Set {
	x := method.ZerosForMissing(s.X)
	if x == s.X {
		return s
	}
	return &dataset.Set{X: x, Y: s.Y, Attributes: s.Attributes, Classes: s.Classes}
}
