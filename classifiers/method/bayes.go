package method

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Kinds of prior probabilities of the classes in generative classifiers.
const (
	TrainingPriors = "training" // the training proportions
	EqualPriors    = "equal"    // 1/C each
)

// LogPriors returns the log prior of each class. priors is TrainingPriors or EqualPriors.
func LogPriors(train *dataset.Set, priors string) []float64 {
	p := make([]float64, train.C())
	for c, count := range train.Counts() {
		if priors == TrainingPriors {
			p[c] = math.Log(float64(count) / float64(train.N()))
		} else {
			p[c] = -math.Log(float64(train.C()))
		}
	}
	return p
}

// NewBayes is like Bayes, but computes log densities row by row: logDensity returns the log density
// of a class at x.
func NewBayes(logPrior []float64, logDensity func(class int, x []float64) float64) *Rule {
	return Bayes(logPrior, func(x *mat.Dense) *mat.Dense {
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

// NewBayesAt returns Bayes' rule for a fixed test set. The argument logDensities is the n x C
// matrix of log densities at the rows of this set. The functions of the rule ignore the rows that
// they receive.
func NewBayesAt(logPrior []float64, logDensities *mat.Dense) *Rule {
	return Bayes(logPrior, func(*mat.Dense) *mat.Dense { return mat.DenseCopyOf(logDensities) })
}

// Bayes returns a rule that chooses the class with the largest posterior probability
//
//	P(c | x) = P_c p_c(x) / sum_b P_b p_b(x),  P_c = exp(logPrior[c]).
//
// logDensities returns the n x C matrix of log p_c(x). The scores are log P_c + log p_c(x).
func Bayes(logPrior []float64, logDensities func(x *mat.Dense) *mat.Dense, warnings ...string) *Rule {
	rule := &Rule{
		Scores:   func(x *mat.Dense) *mat.Dense { return AddToRows(logDensities(x), logPrior) },
		Warnings: warnings,
	}
	return rule.WithProbabilities(Posteriors)
}

// AddToRows adds v to each row of m and returns m.
func AddToRows(m *mat.Dense, v []float64) *mat.Dense {
	n, _ := m.Dims()
	for i := range n {
		floats.Add(m.RawRowView(i), v)
	}
	return m
}
