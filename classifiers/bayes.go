package classifiers

import (
	"context"
	"fmt"
	"math"

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

// bayes is Bayes' rule: the class with the largest log prior + log density.
type bayes struct {
	logPrior []float64
	// logDensities returns the n x C log densities of the rows of x.
	logDensities func(x *mat.Dense) *mat.Dense
	// setLogDensities returns those of a set, sharing what other rules have evaluated
	// there; nil where there is nothing to share.
	setLogDensities func(*dataset.Set) *mat.Dense
}

// NewBayes returns Bayes' rule for the given log priors and class-conditional
// log densities. Of equal scores the first class wins.
func NewBayes(logPrior []float64, logDensity func(class int, x []float64) float64) Scorer {
	return &bayes{logPrior: logPrior, logDensities: func(x *mat.Dense) *mat.Dense {
		n, _ := x.Dims()
		out := mat.NewDense(n, len(logPrior), nil)
		for i := range n {
			for c := range logPrior {
				out.Set(i, c, logDensity(c, x.RawRowView(i)))
			}
		}
		return out
	}}
}

// NewBayesAt returns Bayes' rule for rows at which the log densities are known: it
// decides them, n x C, and no others.
func NewBayesAt(logPrior []float64, logDensities *mat.Dense) Scorer {
	return &bayes{logPrior: logPrior, logDensities: func(*mat.Dense) *mat.Dense { return mat.DenseCopyOf(logDensities) }}
}

// sumBayes returns Bayes' rule for log densities that are the sums of parts.
func sumBayes(logPrior []float64, parts []logSum) *bayes {
	sum := func(x *mat.Dense, evaluate func(*logdensity.Map) *mat.Dense) *mat.Dense {
		n, _ := x.Dims()
		sums := mat.NewDense(n, len(logPrior), nil)
		for _, p := range parts {
			p.addTo(sums, x, evaluate)
		}
		return sums
	}
	return &bayes{logPrior: logPrior,
		logDensities: func(x *mat.Dense) *mat.Dense {
			return sum(x, func(t *logdensity.Map) *mat.Dense {
				logs, err := t.Features(context.Background(), x)
				if err != nil {
					panic(err) // the background context is never done
				}
				return logs
			})
		},
		setLogDensities: func(set *dataset.Set) *mat.Dense {
			return sum(set.X, func(t *logdensity.Map) *mat.Dense { return t.FeaturesAt(set) })
		},
	}
}

// Scores returns log prior + log density, n x C.
func (b *bayes) Scores(x *mat.Dense) *mat.Dense { return b.addPriors(b.logDensities(x)) }

// addPriors makes scores of log densities, in their place.
func (b *bayes) addPriors(scores *mat.Dense) *mat.Dense {
	n, _ := scores.Dims()
	for i := range n {
		row := scores.RawRowView(i)
		for c, p := range b.logPrior {
			row[c] += p
		}
	}
	return scores
}

func (b *bayes) Predict(x *mat.Dense) []int { return argmaxRows(b.Scores(x)) }

func (b *bayes) predictSet(test *dataset.Set) []int {
	if b.setLogDensities == nil {
		return b.Predict(test.X)
	}
	return argmaxRows(b.addPriors(b.setLogDensities(test)))
}
