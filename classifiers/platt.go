package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/platt"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// A Scaling makes class probabilities of scores; "": none.
type Scaling string

// PlattScaling is that of Platt (1999), as libsvm does it.
const PlattScaling Scaling = "platt"

// plattFolds are libsvm's.
const plattFolds = 5

// plattRecipe fits a recipe, and then a sigmoid of its scores for each pair of
// classes (a, b), to scores that no row had a part in: those of a five-fold
// stratified cross-validation of the training rows, or one row at a time where there
// are fewer. A pair's score is that of its own machine where the classifier decides
// by pairs, else the difference of the two classes' scores. For more than two classes
// the pairs are coupled (Wu, Lin and Weng 2004).
//
// As with libsvm's option -b 1 the predicted class is the one of the largest
// probability, which need not be that of the largest score. The rule that the scores
// come from is the recipe's own, with the same random draws.
type plattRecipe struct{ recipe Classifier }

func (p plattRecipe) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	fitted, err := p.fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	return (&Rule{Scores: fitted.scores, Warnings: fitted.warnings}).WithProbabilities(shares), nil
}

// fit fits the rule and the sigmoids of its scores.
func (p plattRecipe) fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*plattRule, error) {
	for c, count := range train.Counts() {
		if count < 2 {
			return nil, fmt.Errorf(
				"platt: class %q has %d training rows, a cross-validation needs two",
				train.Classes[c],
				count,
			)
		}
	}
	rule, err := fitScorer(ctx, p.recipe, train, rng)
	if err != nil {
		return nil, err
	}
	fold, folds, err := modelsel.Deal(train.Y, train.C(), plattFolds, false, rng)
	if err != nil {
		return nil, fmt.Errorf("platt: %w", err)
	}
	var scores []*mat.Dense // by fold
	var truth [][]int
	for f := range folds {
		in, out := dataset.SplitFold(fold, f)
		inner, err := fitScorer(ctx, p.recipe, train.Subset(in), rng)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("platt: fold %d of %d: %w", f+1, folds, err)
		}
		left := train.Subset(out)
		scores, truth = append(scores, pairScores(inner, left.X)), append(truth, left.Y)
	}
	r := &plattRule{rule: rule, classes: train.C(), warnings: slices.Clone(rule.Warnings)}
	for k, ab := range method.PairsOf(train.C()) {
		s := fitPair(scores, truth, k, ab)
		if s.A >= 0 {
			r.warnings = append(r.warnings, fmt.Sprintf("Platt scaling: in the cross-validation larger scores "+
				"did not speak for class %s against %s", train.Classes[ab[0]], train.Classes[ab[1]]))
		}
		r.pairs = append(r.pairs, s)
	}
	return r, nil
}

func fitScorer(ctx context.Context, recipe Classifier, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	rule, err := Fit(ctx, recipe, train, rng)
	if err != nil {
		return nil, err
	}
	if rule.Scores == nil {
		return nil, fmt.Errorf("platt: the classifier gives labels only, no scores")
	}
	return rule, nil
}

// pairScores returns n x C(C-1)/2 scores in the order of pairsOf, above 0 for the
// first class of a pair: the rule's own, if it decides by pairs, else differences of
// the classes' scores, 0 where neither class is possible.
func pairScores(rule *Rule, x *mat.Dense) *mat.Dense {
	if rule.PairScores != nil {
		return rule.PairScores(x)
	}
	scores := rule.Scores(x)
	n, classes := scores.Dims()
	pairs := method.PairsOf(classes)
	all := mat.NewDense(n, len(pairs), nil)
	for i := range n {
		row := scores.RawRowView(i)
		for k, ab := range pairs {
			if d := row[ab[0]] - row[ab[1]]; !math.IsNaN(d) {
				all.Set(i, k, d)
			}
		}
	}
	return all
}

// A pairSigmoid takes scores beyond those that it was fitted to when they are
// infinite as the most extreme of these.
type pairSigmoid struct {
	platt.Sigmoid
	low, high float64
}

// fitPair fits the sigmoid of pair k to the rows of its two classes.
func fitPair(scores []*mat.Dense, truth [][]int, k int, ab [2]int) pairSigmoid {
	s := pairSigmoid{low: math.Inf(1), high: math.Inf(-1)}
	var f []float64
	var first []bool
	for part, labels := range truth {
		for i, y := range labels {
			if y != ab[0] && y != ab[1] {
				continue
			}
			v := scores[part].At(i, k)
			f, first = append(f, v), append(first, y == ab[0])
			if !math.IsInf(v, 0) {
				s.low, s.high = min(s.low, v), max(s.high, v)
			}
		}
	}
	if s.low > s.high { // all are infinite
		s.low, s.high = -1, 1
	}
	for i, v := range f {
		f[i] = s.finite(v)
	}
	s.Sigmoid = platt.Fit(f, first)
	return s
}

func (s pairSigmoid) finite(v float64) float64 {
	switch {
	case math.IsInf(v, 1):
		return s.high
	case math.IsInf(v, -1):
		return s.low
	}
	return v
}

type plattRule struct {
	rule     *Rule
	classes  int
	pairs    []pairSigmoid // in the order of pairsOf
	warnings []string
}

// scores are the logarithms of the probabilities.
func (r *plattRule) scores(x *mat.Dense) *mat.Dense {
	f := pairScores(r.rule, x)
	n, _ := f.Dims()
	logs := mat.NewDense(n, r.classes, nil)
	for i := range n {
		row := logs.RawRowView(i)
		if r.classes == 2 {
			row[0], row[1] = r.logs(0, f.At(i, 0))
			continue
		}
		k := 0
		copy(row, platt.Couple(r.classes, func(_, _ int) float64 { // asks in the order of pairsOf
			first, _ := r.logs(k, f.At(i, k))
			k++
			return math.Exp(first)
		}))
		for c, p := range row {
			row[c] = math.Log(p)
		}
	}
	return logs
}

func (r *plattRule) logs(pair int, f float64) (first, second float64) {
	return r.pairs[pair].Logs(r.pairs[pair].finite(f))
}

// shares turns each row of logarithms of probabilities into probabilities, which sum to 1.
func shares(logs *mat.Dense) *mat.Dense {
	n, _ := logs.Dims()
	for i := range n {
		row := logs.RawRowView(i)
		for c, v := range row {
			row[c] = math.Exp(v)
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return logs
}
