package method

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// A Rule is a fitted decision rule, immutable and safe for concurrent use. Its functions take rows
// x (n x d). They panic if x has another number of columns than the training set, an infinite
// value, or a missing value that the classifier does not accept.
type Rule struct {
	// Labels returns the class code of each row. If it is nil, the rule predicts the class of
	// the largest score, the first of equal ones.
	Labels func(x *mat.Dense) []int
	// Scores returns the n x C numbers that the rule compares. It is nil if the rule has only
	// labels.
	Scores func(x *mat.Dense) *mat.Dense
	// Probabilities returns n x C class probabilities: posterior probabilities of the
	// classifier's model, or shares of votes. Each row sums to 1, and no class has a larger
	// probability than the predicted one, except after Platt scaling. It is nil if the
	// classifier has no probabilities, as machines with margins and pseudo-likelihoods.
	Probabilities func(x *mat.Dense) *mat.Dense
	// Warnings are caveats of the fit, for the record and the footnotes of a report.
	Warnings []string

	// fromScores returns the probabilities of rows with the given scores. It is nil if
	// probabilities do not follow from scores.
	fromScores func(scores *mat.Dense) *mat.Dense
	// PairScores returns n x C(C-1)/2 decision values, one for each pair of classes in the
	// order of PairsOf. Positive values favour the first class of the pair. If it is nil, the
	// values are differences of scores.
	PairScores func(x *mat.Dense) *mat.Dense
	// SetScores returns the scores of a set and reuses densities that other rules have
	// evaluated there. If it is nil, Scores does the same without reuse.
	SetScores func(set *dataset.Set) *mat.Dense
}

// Predict returns the class code of each row of x.
func (r *Rule) Predict(x *mat.Dense) []int {
	if r.Labels != nil {
		return r.Labels(x)
	}
	return Argmax(r.Scores(x))
}

// PredictSet returns Predict(test.X) and the scores that determine these labels; nil if something
// else determines them. Rules that were fitted to the same training set and share densities
// evaluate each density once for the test set.
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

// ProbabilitiesFrom returns Probabilities(x), given the scores of these rows, so that they are not
// evaluated again; nil if the rule has no probabilities.
func (r *Rule) ProbabilitiesFrom(scores, x *mat.Dense) *mat.Dense {
	switch {
	case r.Probabilities == nil:
		return nil
	case r.fromScores != nil:
		return r.fromScores(mat.DenseCopyOf(scores))
	}
	return r.Probabilities(x)
}

// WithProbabilities sets the probabilities of r to convert(Scores) and returns r. convert may
// overwrite its argument.
func (r *Rule) WithProbabilities(convert func(scores *mat.Dense) *mat.Dense) *Rule {
	scores := r.Scores
	r.Probabilities = func(x *mat.Dense) *mat.Dense { return convert(scores(x)) }
	r.fromScores = convert
	return r
}

// WithLabels returns the rule with labels in place of the classes of the largest scores.
func (r *Rule) WithLabels(labels func(x *mat.Dense) []int) *Rule {
	other := *r
	other.Labels, other.SetScores = labels, nil
	return &other
}

// WithPriorWeights returns a rule of Bayes' rule with the prior of each class multiplied by a weight;
// r itself if weights is nil.
func (r *Rule) WithPriorWeights(weights []float64) *Rule {
	if weights == nil {
		return r
	}
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

// After returns the rule that applies transform to rows, then r.
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

// composed returns the function f(g(x)); nil if f or g is nil.
func composed(f, g func(x *mat.Dense) *mat.Dense) func(x *mat.Dense) *mat.Dense {
	if f == nil || g == nil {
		return nil
	}
	return func(x *mat.Dense) *mat.Dense { return f(g(x)) }
}

// AmongClasses returns a rule of the known classes, given by their codes, as a rule of all classes.
// The other classes have score -Inf and probability 0.
func (r *Rule) AmongClasses(known []int, all int) *Rule {
	widened := func(absent float64) func(m *mat.Dense) *mat.Dense {
		return func(m *mat.Dense) *mat.Dense { return widenColumns(m, known, all, absent) }
	}
	return &Rule{
		Labels:        func(x *mat.Dense) []int { return dataset.At(known, r.Predict(x)) },
		Scores:        composed(widened(math.Inf(-1)), r.Scores),
		Probabilities: composed(widened(0), r.Probabilities),
		Warnings:      r.Warnings,
	}
}

// widenColumns returns a matrix with the given number of columns: column k of m at
// places[k], absent elsewhere.
func widenColumns(m *mat.Dense, places []int, columns int, absent float64) *mat.Dense {
	n, _ := m.Dims()
	wide := mat.NewDense(n, columns, nil)
	for i := range n {
		row := wide.RawRowView(i)
		for c := range row {
			row[c] = absent
		}
		for k, c := range places {
			row[c] = m.At(i, k)
		}
	}
	return wide
}

// Argmax returns the column of the largest entry of each row, the first of equal
// ones.
func Argmax(scores *mat.Dense) []int {
	n, _ := scores.Dims()
	labels := make([]int, n)
	for i := range labels {
		row := scores.RawRowView(i)
		for c, v := range row {
			if v > row[labels[i]] {
				labels[i] = c
			}
		}
	}
	return labels
}
