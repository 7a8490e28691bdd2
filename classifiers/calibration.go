package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/platt"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// A Scaling makes class probabilities of scores; "": none.
type Scaling string

const (
	// PlattScaling is the method of Platt (1999) as libsvm implements it: a sigmoid of the
	// score of each pair of classes. More than two classes couple their pairs (Wu, Lin and
	// Weng 2004). A pair's score is the value of its own machine where the classifier
	// decides by pairs, else the difference of the two classes' scores.
	PlattScaling Scaling = "platt"
	// TemperatureScaling divides the classes' scores by one number before the softmax (Guo
	// et al. 2017), which keeps their order.
	TemperatureScaling Scaling = "temperature"
)

// calibrationFolds is the number of folds of libsvm.
const calibrationFolds = 5

// calibratedRecipe fits a recipe, and then a calibration of its scores. The calibration
// looks at scores of held-out rows: those of a five-fold stratified cross-validation of
// the training rows, or one row at a time where there are fewer. The rule that the scores
// come from is the recipe's own, with the same random draws.
//
// The predicted class is the recipe's own, or with calibrated labels the class of the
// largest probability, as with libsvm's option -b 1.
type calibratedRecipe struct {
	recipe           Classifier
	scaling          Scaling
	calibratedLabels bool
}

func (c calibratedRecipe) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	if err := modelsel.CheckTwoRows(train); err != nil {
		return nil, fmt.Errorf("%s: %w", c.scaling, err)
	}
	rule, err := c.fitScorer(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	held, err := c.holdOut(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	fitted, warnings := c.scaling.fit(held, columns.Head(train.N()))
	if worse := c.scaling.worseThanShares(held); worse != "" {
		warnings = append(warnings, worse)
	}
	warnings = append(slices.Clone(rule.Warnings), warnings...)
	if c.calibratedLabels {
		logs := func(x *mat.Dense) *mat.Dense {
			return fitted.logProbabilities(c.scaling.evidence(rule, x), train.C())
		}
		return (&Rule{Scores: logs, Warnings: warnings}).WithProbabilities(shares), nil
	}
	return c.scaling.withProbabilities(rule, fitted, train.C(), warnings), nil
}

// fitScorer fits the recipe; a rule without scores is an error.
func (c calibratedRecipe) fitScorer(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	rule, err := Fit(ctx, c.recipe, train, rng)
	if err != nil {
		return nil, err
	}
	if rule.Scores == nil {
		return nil, fmt.Errorf("%s: the classifier returns only labels, no scores", c.scaling)
	}
	return rule, nil
}

// heldOut is the evidence of rows to which the rule had not been fitted.
type heldOut struct {
	evidence *mat.Dense // n x k, see Scaling.evidence
	y        []int
	classes  []string
	fold     []int
	folds    int
}

// holdOut fits the recipe to all folds but one at a time and evaluates that one.
func (c calibratedRecipe) holdOut(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*heldOut, error) {
	fold, folds, err := modelsel.Deal(train.Y, train.C(), calibrationFolds, false, rng)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.scaling, err)
	}
	held := &heldOut{y: train.Y, classes: train.Classes, fold: fold, folds: folds}
	for f := range folds {
		in, out := dataset.SplitFold(fold, f)
		rule, err := c.fitScorer(ctx, train.Subset(in), rng)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: fold %d of %d: %w", c.scaling, f+1, folds, err)
		}
		evidence := c.scaling.evidence(rule, train.Subset(out).X)
		if held.evidence == nil {
			_, k := evidence.Dims()
			held.evidence = mat.NewDense(train.N(), k, nil)
		}
		for i, row := range out {
			held.evidence.SetRow(row, evidence.RawRowView(i))
		}
	}
	return held, nil
}

// A calibration writes the logarithms of the class probabilities of a row.
type calibration func(evidence, logs []float64)

// logProbabilities returns n x classes logarithms.
func (c calibration) logProbabilities(evidence *mat.Dense, classes int) *mat.Dense {
	n, _ := evidence.Dims()
	logs := mat.NewDense(n, classes, nil)
	for i := range n {
		c(evidence.RawRowView(i), logs.RawRowView(i))
	}
	return logs
}

// evidence returns what the scaling looks at: the scores of pairs, n x C(C-1)/2, or the
// scores of classes, n x C.
func (s Scaling) evidence(rule *Rule, x *mat.Dense) *mat.Dense {
	if s == PlattScaling {
		return pairScores(rule, x)
	}
	return rule.Scores(x)
}

// withProbabilities returns rule with calibrated probabilities. They are computed from
// the scores of the labels where these determine them.
func (s Scaling) withProbabilities(rule *Rule, fitted calibration, classes int, warnings []string) *Rule {
	calibrated := &Rule{
		Labels:     rule.Labels,
		Scores:     rule.Scores,
		PairScores: rule.PairScores,
		SetScores:  rule.SetScores,
		Warnings:   warnings,
	}
	if rule.Labels != nil || s == PlattScaling && rule.PairScores != nil {
		calibrated.Probabilities = func(x *mat.Dense) *mat.Dense {
			return shares(fitted.logProbabilities(s.evidence(rule, x), classes))
		}
		return calibrated
	}
	return calibrated.WithProbabilities(func(scores *mat.Dense) *mat.Dense {
		if s == PlattScaling {
			scores = pairDifferences(scores)
		}
		return shares(fitted.logProbabilities(scores, classes))
	})
}

// fit fits the calibration to the given held-out rows.
func (s Scaling) fit(held *heldOut, rows []int) (calibration, []string) {
	if s == TemperatureScaling {
		return fitSoftmax(held, rows), nil
	}
	return fitSigmoids(held, rows)
}

// worseThanShares returns a warning where the probabilities have a greater log loss than
// the classes' shares; "" where they have not. Each fold is evaluated by the calibration
// of the others.
func (s Scaling) worseThanShares(held *heldOut) string {
	counts := make([]float64, len(held.classes))
	for _, class := range held.y {
		counts[class]++
	}
	n := float64(len(held.y))
	var loss, lossOfShares float64
	logs := make([]float64, len(held.classes))
	for f := range held.folds {
		in, out := dataset.SplitFold(held.fold, f)
		fitted, _ := s.fit(held, in)
		for _, row := range out {
			class := held.y[row]
			fitted(held.evidence.RawRowView(row), logs)
			loss -= logs[class] / n
			lossOfShares -= math.Log(counts[class]/n) / n
		}
	}
	if loss <= lossOfShares {
		return ""
	}
	return fmt.Sprintf("%s scaling: the cross-validated log loss %.3g is worse than %.3g, the loss of the class shares",
		s, loss, lossOfShares)
}

// pairScores returns n x C(C-1)/2 scores in the order of method.PairsOf, above 0 for the
// first class of a pair: the rule's own, if it decides by pairs, else differences of the
// classes' scores.
func pairScores(rule *Rule, x *mat.Dense) *mat.Dense {
	if rule.PairScores != nil {
		return rule.PairScores(x)
	}
	return pairDifferences(rule.Scores(x))
}

// pairDifferences returns the differences of the scores of all pairs of classes, 0 where
// neither class is possible.
func pairDifferences(scores *mat.Dense) *mat.Dense {
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

// fitSigmoids returns the calibration of PlattScaling, a sigmoid for each pair of classes,
// and a warning for each sigmoid that falls.
func fitSigmoids(held *heldOut, rows []int) (calibration, []string) {
	classes := len(held.classes)
	var pairs []pairSigmoid // in the order of method.PairsOf
	var warnings []string
	for k, ab := range method.PairsOf(classes) {
		pair := fitPair(held, rows, k, ab)
		if pair.A >= 0 {
			warnings = append(warnings, fmt.Sprintf("platt scaling: cross-validated scores did not separate "+
				"class %s from %s", held.classes[ab[0]], held.classes[ab[1]]))
		}
		pairs = append(pairs, pair)
	}
	return func(pairScores, logs []float64) {
		if classes == 2 {
			logs[0], logs[1] = pairs[0].Logs(pairs[0].finite(pairScores[0]))
			return
		}
		firstShares := make([]float64, len(pairs))
		for k, pair := range pairs {
			first, _ := pair.Logs(pair.finite(pairScores[k]))
			firstShares[k] = math.Exp(first)
		}
		for c, p := range platt.Couple(classes, firstShares) {
			logs[c] = math.Log(p)
		}
	}, warnings
}

// A pairSigmoid is a sigmoid with the range of the finite scores that it was fitted to.
type pairSigmoid struct {
	platt.Sigmoid
	scoreRange
}

// fitPair fits the sigmoid of pair k to the rows of its two classes.
func fitPair(held *heldOut, rows []int, k int, ab [2]int) pairSigmoid {
	var scores []float64
	var first []bool
	for _, i := range rows {
		if class := held.y[i]; class == ab[0] || class == ab[1] {
			scores, first = append(scores, held.evidence.At(i, k)), append(first, class == ab[0])
		}
	}
	within := rangeOf(scores)
	for i, v := range scores {
		scores[i] = within.finite(v)
	}
	return pairSigmoid{platt.Fit(scores, first), within}
}

// fitSoftmax returns the calibration of TemperatureScaling.
func fitSoftmax(held *heldOut, rows []int) calibration {
	scores := columns.Rows(held.evidence, rows)
	within := rangeOf(scores.RawMatrix().Data)
	y := make([]int, len(rows))
	for i, row := range rows {
		y[i] = held.y[row]
		within.makeFinite(scores.RawRowView(i))
	}
	inverse := platt.InverseTemperature(scores, y)
	return func(scores, logs []float64) {
		copy(logs, scores)
		within.makeFinite(logs)
		floats.Scale(inverse, logs)
		floats.AddConst(-floats.LogSumExp(logs), logs)
	}
}

// A scoreRange is the range of finite scores, [-1, 1] where there are none.
type scoreRange struct{ low, high float64 }

func rangeOf(scores []float64) scoreRange {
	r := scoreRange{math.Inf(1), math.Inf(-1)}
	for _, v := range scores {
		if !math.IsInf(v, 0) {
			r.low, r.high = min(r.low, v), max(r.high, v)
		}
	}
	if r.low > r.high {
		return scoreRange{-1, 1}
	}
	return r
}

// finite returns v, or the end of the range in the direction of an infinite v.
func (r scoreRange) finite(v float64) float64 {
	switch {
	case math.IsInf(v, 1):
		return r.high
	case math.IsInf(v, -1):
		return r.low
	}
	return v
}

// makeFinite replaces infinite scores of a row, which stay the largest or the least.
func (r scoreRange) makeFinite(row []float64) {
	own := rangeOf(row)
	wide := scoreRange{min(r.low, own.low), max(r.high, own.high)}
	for c, v := range row {
		row[c] = wide.finite(v)
	}
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
