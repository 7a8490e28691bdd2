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

// A term is a summand of the log density of a class: weight times log p(x_i), if the entry's
// I and J are equal, else times log p(x_i, x_j).
type term struct {
	logdensity.Entry
	weight float64
}

// univariateTerms lists log p_c(x_i), class by class, with weight 1.
func univariateTerms(classes, d int) []term {
	var terms []term
	for _, e := range logdensity.Univariate(classes, d) {
		terms = append(terms, term{e, 1})
	}
	return terms
}

// A logSum is a sum of terms, a part of the log density of each class. It is
// immutable.
type logSum interface {
	// addTo adds the part of each class at each row of x to sums, n x C. It leaves out the
	// terms of variables whose value in the row is missing. evaluate returns log densities
	// at these rows, any numbers for missing values.
	addTo(sums, x *mat.Dense, evaluate func(*logdensity.Map) *mat.Dense)
	// warnings returns the caveats of the estimates.
	warnings() []string
}

// estimates defines how the densities in terms are estimated: by kernels for numeric variables, by
// relative frequencies for discrete ones.
type estimates struct {
	bandwidth kde.Rule
	pseudo    func(cells int) float64 // count added to each cell of a table with so many cells
	floor     logdensity.Floor        // least density, or least frequency of a cell
	ratios    bool                    // divide bivariate kernel densities by their margins
}

// fit estimates the densities of the terms. It returns up to two sums: first over the terms of
// numeric variables, then over the terms of discrete ones. A term has variables of one kind.
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

// kernelSum is a logSum of kernel densities.
type kernelSum struct {
	densities *logdensity.Map
	weights   []float64             // of each entry of densities
	margins   [][]logdensity.Margin // by class: their logs are subtracted
}

// fitKernels estimates the terms, all of numeric variables.
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

// warnings returns the caveats of the densities.
func (s *kernelSum) warnings() []string { return s.densities.Warnings() }

// addTo adds the log densities of each row of x to sums, n x C, each times its weight, and then
// subtracts the logs of the margins. It leaves out the terms of missing values. evaluate returns the
// log densities at the rows, n x entries.
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

// sumBayes returns Bayes' rule for log densities that are the sums of parts. Its functions panic
// on missing values unless missing allows them.
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

// sumOf returns the sum of the parts at the rows of x, n x classes. evaluate returns log densities
// at these rows.
func sumOf(parts []logSum, classes int, x *mat.Dense, evaluate func(*logdensity.Map) *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	sums := mat.NewDense(n, classes, nil)
	for _, p := range parts {
		p.addTo(sums, x, evaluate)
	}
	return sums
}

// withoutMissing returns the set with zeros in place of missing values; the set itself if it
// has none.
func withoutMissing(s *dataset.Set) *dataset.Set {
	x := method.ZerosForMissing(s.X)
	if x == s.X {
		return s
	}
	return &dataset.Set{X: x, Y: s.Y, Attributes: s.Attributes, Classes: s.Classes}
}
