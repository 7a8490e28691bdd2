package classifiers

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/logdensity"
	"copse/stats/dataset"
)

// Priors that a generative classifier may give the classes.
const (
	trainingPriors = "training" // the training proportions
	equalPriors    = "equal"    // 1/C each
)

// logPriors returns the log prior of each class: the training proportions or
// 1/C each.
func logPriors(train *dataset.Set, priors string) []float64 {
	p := make([]float64, train.C())
	for c, count := range train.Counts() {
		switch priors {
		case trainingPriors:
			p[c] = math.Log(float64(count) / float64(train.N()))
		case equalPriors:
			p[c] = -math.Log(float64(train.C()))
		default:
			panic(fmt.Sprintf("classifiers: unknown priors %q", priors))
		}
	}
	return p
}

// NewBayes returns Bayes' rule for the given log priors and class-conditional
// log densities. Of equal scores the first class wins.
func NewBayes(logPrior []float64, logDensity func(class int, x []float64) float64) *Rule {
	return bayes(logPrior, func(x *mat.Dense) *mat.Dense {
		n, _ := x.Dims()
		out := mat.NewDense(n, len(logPrior), nil)
		for i := range n {
			for c := range logPrior {
				out.Set(i, c, logDensity(c, x.RawRowView(i)))
			}
		}
		return out
	})
}

// NewBayesAt returns Bayes' rule for one test set, whose n x C log densities are known.
// It ignores the rows that it is given.
func NewBayesAt(logPrior []float64, logDensities *mat.Dense) *Rule {
	return bayes(logPrior, func(*mat.Dense) *mat.Dense { return mat.DenseCopyOf(logDensities) })
}

// bayes returns Bayes' rule for priors P_c and densities p_c. logDensities returns the n
// x C log densities of the rows of x. Scores are log P_c + log p_c(x), probabilities
//
//	P(c | x) = P_c p_c(x) / sum_b P_b p_b(x).
func bayes(logPrior []float64, logDensities func(x *mat.Dense) *mat.Dense, warnings ...string) *Rule {
	rule := &Rule{
		Scores:   func(x *mat.Dense) *mat.Dense { return addToRows(logDensities(x), logPrior) },
		Warnings: warnings,
	}
	return rule.withProbabilities(posteriors)
}

// addToRows adds v to each row of m and returns m.
func addToRows(m *mat.Dense, v []float64) *mat.Dense {
	n, _ := m.Dims()
	for i := range n {
		floats.Add(m.RawRowView(i), v)
	}
	return m
}

// sumBayes returns Bayes' rule for log densities that are the sums of parts.
func sumBayes(logPrior []float64, parts []logSum) *Rule {
	sum := func(x *mat.Dense, evaluate func(*logdensity.Map) *mat.Dense) *mat.Dense {
		n, _ := x.Dims()
		sums := mat.NewDense(n, len(logPrior), nil)
		for _, p := range parts {
			p.addTo(sums, x, evaluate)
		}
		return sums
	}
	rule := bayes(logPrior, func(x *mat.Dense) *mat.Dense {
		return sum(x, func(t *logdensity.Map) *mat.Dense { return features(t, x) })
	})
	rule.onSet = func(set *dataset.Set) *mat.Dense {
		return addToRows(sum(set.X, func(t *logdensity.Map) *mat.Dense { return t.FeaturesAt(set) }), logPrior)
	}
	return rule
}

// features returns the log densities of t at the rows of x.
func features(t *logdensity.Map, x *mat.Dense) *mat.Dense {
	logs, err := t.Features(context.Background(), x)
	if err != nil {
		panic(err) // the background context is never done
	}
	return logs
}
