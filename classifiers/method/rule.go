package method

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// A Rule is a fitted decision rule for C classes, safe for concurrent use. Its functions panic on
// rows with a wrong number of columns or with infinite values. They also panic on missing values
// that the classifier does not accept.
type Rule struct {
	// Labels returns the class code of each row. If Labels is nil, the rule predicts the class with
	// the largest score. The first class wins if several tie.
	Labels func(x *mat.Dense) []int
	// Scores returns an n x C matrix of class scores. Larger scores favour the class. Scores is nil
	// if the rule predicts only labels.
	Scores func(x *mat.Dense) *mat.Dense
	// Probabilities returns an n x C matrix of class probabilities or shares of votes. Each row
	// sums to 1. After Platt scaling, a class other than the predicted one may have the largest
	// probability. Probabilities is nil if the rule has no probabilities.
	Probabilities func(x *mat.Dense) *mat.Dense
	// Warnings appear in records and in footnotes of reports.
	Warnings []string

	// fromScores converts scores to probabilities. If probabilities do not depend on the scores
	// alone, fromScores is nil.
	fromScores func(scores *mat.Dense) *mat.Dense
	// PairScores returns an n x C(C-1)/2 matrix of decision values. It has a column for each pair
	// of classes, in the order of stats.Pairs. Positive values favour the first class. If
	// PairScores is nil, callers use the differences of class scores.
	PairScores func(x *mat.Dense) *mat.Dense
	// SetScores returns the scores of the rows of a set. It can reuse densities that other rules
	// have evaluated. If SetScores is nil, callers use Scores.
	SetScores func(set *dataset.Set) *mat.Dense
}

// Predict returns the class code of each row of x.
func (r *Rule) Predict(x *mat.Dense) []int {
	if r.Labels != nil {
		return r.Labels(x)
	}
	return Argmax(r.Scores(x))
}

// PredictSet returns the predicted labels of test and the scores that determine them, or nil if
// labels do not come from scores. It uses SetScores if possible.
func (r *Rule) PredictSet(test *dataset.Set) (labels []int, scores *mat.Dense) {
	switch {
	case r.SetScores != nil:
		scores = r.SetScores(test)
	case r.Labels != nil:
		return r.Labels(test.X), nil
	default:
		scores = r.Scores(test.X)
	}
	return Argmax(scores), scores
}

// ProbabilitiesFrom returns the probabilities at the rows of x, or nil if the rule has none. scores
// contains the scores of x.
func (r *Rule) ProbabilitiesFrom(scores, x *mat.Dense) *mat.Dense {
	switch {
	case r.Probabilities == nil:
		return nil
	case r.fromScores != nil:
		return r.fromScores(mat.DenseCopyOf(scores))
	}
	return r.Probabilities(x)
}

// WithProbabilities sets r.Probabilities to the function that maps x to convert(r.Scores(x)), and
// returns r. convert may overwrite its argument.
func (r *Rule) WithProbabilities(convert func(scores *mat.Dense) *mat.Dense) *Rule {
	scores := r.Scores
	r.Probabilities = func(x *mat.Dense) *mat.Dense { return convert(scores(x)) }
	r.fromScores = convert
	return r
}

// WithLabels returns a copy of r whose Labels function is labels.
func (r *Rule) WithLabels(labels func(x *mat.Dense) []int) *Rule {
	other := *r
	other.Labels, other.SetScores = labels, nil
	return &other
}

// WithPriorWeights returns a copy of r in which the prior of each class c is multiplied by
// weights[c]. The scores of r must be log priors plus log densities.
func (r *Rule) WithPriorWeights(weights []float64) *Rule {
	logs := make([]float64, len(weights))
	for c, w := range weights {
		logs[c] = math.Log(w)
	}
	scores, setScores := r.Scores, r.SetScores
	weighted := &Rule{
		Scores:   func(x *mat.Dense) *mat.Dense { return AddToRows(scores(x), logs) },
		Warnings: r.Warnings,
	}
	if setScores != nil {
		weighted.SetScores = func(set *dataset.Set) *mat.Dense { return AddToRows(setScores(set), logs) }
	}
	return weighted.WithProbabilities(Posteriors)
}

// After returns a rule that applies transform to the rows and then applies r.
func (r *Rule) After(transform func(x *mat.Dense) *mat.Dense) *Rule {
	after := &Rule{
		Scores:        composed(r.Scores, transform),
		Probabilities: composed(r.Probabilities, transform),
		Warnings:      r.Warnings,
		fromScores:    r.fromScores,
		PairScores:    composed(r.PairScores, transform),
	}
	if r.Labels != nil {
		after.Labels = func(x *mat.Dense) []int { return r.Labels(transform(x)) }
	}
	return after
}

// composed returns the function that maps x to f(g(x)), or nil if f or g is nil.
func composed(f, g func(x *mat.Dense) *mat.Dense) func(x *mat.Dense) *mat.Dense {
	if f == nil || g == nil {
		return nil
	}
	return func(x *mat.Dense) *mat.Dense { return f(g(x)) }
}

// AmongClasses extends a rule that was fitted without some of the classes. known[k] is the code of the
// rule's class k, and the argument all is the total number of classes. The missing classes get score
// -Inf and probability 0.
func (r *Rule) AmongClasses(known []int, all int) *Rule {
	// widened returns a function that adds columns for the missing classes to a matrix. Column k becomes
	// column known[k], and the added columns contain the value others.
	widened := func(others float64) func(m *mat.Dense) *mat.Dense {
		return func(m *mat.Dense) *mat.Dense {
			n, _ := m.Dims()
			wide := mat.NewDense(n, all, slices.Repeat([]float64{others}, n*all))
			for k, c := range known {
				wide.SetCol(c, mat.Col(nil, k, m))
			}
			return wide
		}
	}
	return &Rule{
		Labels:        func(x *mat.Dense) []int { return dataset.At(known, r.Predict(x)) },
		Scores:        composed(widened(math.Inf(-1)), r.Scores),
		Probabilities: composed(widened(0), r.Probabilities),
		Warnings:      r.Warnings,
	}
}

// Argmax returns the column of the largest entry in each row. If several tie, it returns the first.
// It panics if an entry is NaN.
func Argmax(scores *mat.Dense) []int {
	RefuseNaN("score", scores)
	n, _ := scores.Dims()
	labels := make([]int, n)
	for i := range labels {
		labels[i] = floats.MaxIdx(scores.RawRowView(i))
	}
	return labels
}

// RefuseNaN panics if an entry of x is NaN. The message contains the name of an entry, such as
// "score".
func RefuseNaN(name string, x *mat.Dense) {
	n, _ := x.Dims()
	for i := range n {
		if row := x.RawRowView(i); slices.ContainsFunc(row, math.IsNaN) {
			panic(fmt.Sprintf("row %d: a %s is NaN: %v", i+1, name, row))
		}
	}
}
