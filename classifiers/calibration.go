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

// A Scaling is a method that converts scores to class probabilities; "" means none.
type Scaling string

const (
	// PlattScaling fits a sigmoid to the score of each pair of classes (Platt 1999), like libsvm.
	// For more than two classes, it couples the probabilities of all pairs (Wu, Lin and Weng
	// 2004). The score of a pair is its decision value if the classifier decides by pairs.
	// Otherwise it is the difference of the scores of the two classes.
	PlattScaling Scaling = "platt"
	// TemperatureScaling divides all class scores by the same number before the softmax (Guo et
	// al. 2017). The order of the classes does not change.
	TemperatureScaling Scaling = "temperature"
)

// calibrationFolds is the number of folds of the cross-validation, as in libsvm.
const calibrationFolds = 5

// A calibratedRecipe fits a recipe to all training rows, and then fits a calibration to held-out
// scores (see crossFit). The recipe is fitted first, so it gets the same random numbers as without
// calibration.
//
// The calibration does not change the predicted class. With calibratedLabels, however, the predicted
// class is the class with the largest calibrated probability, as with libsvm's option -b 1.
type calibratedRecipe struct {
	recipe           Classifier
	scaling          Scaling
	calibratedLabels bool
}

// Fit returns the rule of the wrapped recipe, with calibrated class probabilities.
func (c calibratedRecipe) Fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	rule, held, err := c.crossFit().fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	fitted, warnings := c.scaling.fit(held, columns.Head(train.N()))
	if warning := c.scaling.lossWarning(held); warning != "" {
		warnings = append(warnings, warning)
	}
	warnings = append(slices.Clone(rule.Warnings), warnings...)
	if c.calibratedLabels { // the log probabilities become the scores, which determine the labels
		logs := func(x *mat.Dense) *mat.Dense {
			return fitted.logProbabilities(c.scaling.evidence(rule, x), train.C())
		}
		return (&Rule{Scores: logs, Warnings: warnings}).WithProbabilities(shares), nil
	}
	return c.scaling.withProbabilities(rule, fitted, train.C(), warnings), nil
}

// crossFit returns the cross-validation whose held-out scores fit the calibration.
func (c calibratedRecipe) crossFit() crossFit {
	return crossFit{c.recipe, string(c.scaling), c.scaling.evidence}
}

// A crossFit fits a recipe to all training rows. It also computes evidence, e.g. scores, at each
// training row from a rule that was fitted without this row. For this it uses five-fold
// cross-validation, stratified by class, or leave-one-out if there are fewer than five rows.
type crossFit struct {
	recipe   Classifier
	purpose  string                                    // first word of errors
	evidence func(rule *Rule, x *mat.Dense) *mat.Dense // n x k values of the n rows of x
}

// fit returns the rule that is fitted to all rows, and the held-out evidence. It returns an error if
// a class has fewer than two rows or the rule has no scores.
func (c crossFit) fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, *heldOut, error) {
	if err := modelsel.CheckTwoRows(train); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.purpose, err)
	}
	rule, err := c.fitScorer(ctx, train, rng)
	if err != nil {
		return nil, nil, err
	}
	held, err := c.holdOut(ctx, train, rng)
	return rule, held, err
}

// fitScorer fits the recipe. It returns an error if the rule has no scores.
func (c crossFit) fitScorer(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	rule, err := Fit(ctx, c.recipe, train, rng)
	if err != nil {
		return nil, err
	}
	if rule.Scores == nil {
		return nil, fmt.Errorf("%s: the classifier returns only labels, no scores", c.purpose)
	}
	return rule, nil
}

// heldOut holds the evidence at the training rows. The evidence at a row comes from a rule that was
// fitted without the row's fold.
type heldOut struct {
	evidence *mat.Dense // one row for each training row, see crossFit
	y        []int      // class code of each row
	classes  []string
	fold     []int // fold of each row
	folds    int
}

// holdOut divides the rows into folds. For each fold, it fits the recipe to the other folds and
// computes the evidence at the rows of the fold.
func (c crossFit) holdOut(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*heldOut, error) {
	fold, folds, err := modelsel.Deal(train.Y, train.C(), calibrationFolds, false, rng)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.purpose, err)
	}
	held := &heldOut{y: train.Y, classes: train.Classes, fold: fold, folds: folds}
	for f := range folds {
		in, out := dataset.SplitFold(fold, f)
		rule, err := c.fitScorer(ctx, train.Subset(in), rng)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: fold %d of %d: %w", c.purpose, f+1, folds, err)
		}
		evidence := c.evidence(rule, train.Subset(out).X)
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

// A calibration writes the log class probabilities of one row to logs, given the evidence of the row.
type calibration func(evidence, logs []float64)

// logProbabilities returns the n x classes matrix of log class probabilities, given the evidence of n
// rows.
func (c calibration) logProbabilities(evidence *mat.Dense, classes int) *mat.Dense {
	n, _ := evidence.Dims()
	logs := mat.NewDense(n, classes, nil)
	for i := range n {
		c(evidence.RawRowView(i), logs.RawRowView(i))
	}
	return logs
}

// evidence returns the input of the calibration at the n rows of x: for Platt scaling the
// n x C(C-1)/2 scores of pairs of classes, else the n x C scores of classes.
func (s Scaling) evidence(rule *Rule, x *mat.Dense) *mat.Dense {
	if s == PlattScaling {
		return pairScores(rule, x)
	}
	return rule.Scores(x)
}

// withProbabilities returns a copy of rule with the probabilities of the calibration fitted, and with
// the given warnings. If class scores determine both the labels and the evidence, the new rule
// computes the scores only once.
func (s Scaling) withProbabilities(
	rule *Rule, fitted calibration, classes int, warnings []string,
) *Rule {
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

// fit fits the calibration to the given rows of held. It returns the calibration and warnings.
func (s Scaling) fit(held *heldOut, rows []int) (calibration, []string) {
	if s == TemperatureScaling {
		return fitSoftmax(held, rows), nil
	}
	return fitSigmoids(held, rows)
}

// lossWarning returns a warning if calibrated probabilities have a larger cross-validated log loss than
// constant probabilities, which are the shares of the classes. Otherwise it returns "".
func (s Scaling) lossWarning(held *heldOut) string {
	loss, lossOfShares := s.logLosses(held)
	if loss <= lossOfShares {
		return ""
	}
	return fmt.Sprintf("%s scaling: the cross-validated log loss %.3g is larger than %.3g, "+
		"the loss of constant class shares", s, loss, lossOfShares)
}

// logLosses returns the mean log losses of two predictions of the training rows. loss is the loss of
// calibrated probabilities; for the rows of a fold, the calibration is fitted to the other folds.
// lossOfShares is the loss if the probabilities are the shares of the classes.
func (s Scaling) logLosses(held *heldOut) (loss, lossOfShares float64) {
	n := float64(len(held.y))
	counts := make([]float64, len(held.classes)) // rows of each class
	for _, class := range held.y {
		counts[class]++
	}
	logs := make([]float64, len(held.classes)) // log class probabilities of a row
	for f := range held.folds {
		in, out := dataset.SplitFold(held.fold, f)
		calibrate, _ := s.fit(held, in)
		for _, row := range out {
			class := held.y[row]
			calibrate(held.evidence.RawRowView(row), logs)
			loss -= logs[class] / n
			lossOfShares -= math.Log(counts[class]/n) / n
		}
	}
	return loss, lossOfShares
}

// pairScores returns an n x C(C-1)/2 matrix: the scores of all pairs of classes at the n rows of x, in
// the order of method.PairsOf. A positive score favours the first class of the pair. If the rule
// has no scores of pairs, the score of a pair is the difference of two class scores.
func pairScores(rule *Rule, x *mat.Dense) *mat.Dense {
	if rule.PairScores != nil {
		return rule.PairScores(x)
	}
	return pairDifferences(rule.Scores(x))
}

// pairDifferences returns, for each pair of classes in the order of method.PairsOf, the score of the
// first class minus the score of the second class. The difference is 0 if both scores are -Inf.
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

// fitSigmoids fits PlattScaling to the given rows of held: a sigmoid for each pair of classes. It
// returns a warning for each pair of classes that the scores do not separate.
func fitSigmoids(held *heldOut, rows []int) (calibration, []string) {
	var pairs pairSigmoids
	var warnings []string
	for k, ab := range method.PairsOf(len(held.classes)) {
		pair := fitPair(held, rows, k, ab)
		if pair.A >= 0 { // the sigmoid does not increase with the score
			warnings = append(warnings, fmt.Sprintf(
				"platt scaling: cross-validated scores did not separate class %s from %s",
				held.classes[ab[0]], held.classes[ab[1]]))
		}
		pairs = append(pairs, pair)
	}
	return pairs.calibrate, warnings
}

// pairSigmoids holds the sigmoid of each pair of classes, in the order of method.PairsOf.
type pairSigmoids []pairSigmoid

// calibrate implements calibration for the scores of all pairs of classes. For more than two classes,
// it couples the probabilities of the pairs.
func (p pairSigmoids) calibrate(pairScores, logs []float64) {
	if len(p) == 1 {
		logs[0], logs[1] = p[0].logs(pairScores[0])
		return
	}
	firstShares := make([]float64, len(p))
	for k, pair := range p {
		first, _ := pair.logs(pairScores[k])
		firstShares[k] = math.Exp(first)
	}
	for c, share := range platt.Couple(len(logs), firstShares) {
		logs[c] = math.Log(share)
	}
}

// A pairSigmoid is a sigmoid and the range of the finite scores to which it was fitted.
type pairSigmoid struct {
	platt.Sigmoid
	scoreRange
}

// logs returns the log probabilities of both classes for a score, which may be infinite.
func (p pairSigmoid) logs(score float64) (first, second float64) {
	return p.Logs(p.finite(score))
}

// fitPair fits the sigmoid of pair k, whose classes are ab[0] and ab[1]. It uses only the given rows
// that belong to one of these classes.
func fitPair(held *heldOut, rows []int, k int, ab [2]int) pairSigmoid {
	var scores []float64
	var first []bool
	for _, i := range rows {
		if class := held.y[i]; class == ab[0] || class == ab[1] {
			scores = append(scores, held.evidence.At(i, k))
			first = append(first, class == ab[0])
		}
	}
	within := rangeOf(scores)
	for i, v := range scores {
		scores[i] = within.finite(v)
	}
	return pairSigmoid{platt.Fit(scores, first), within}
}

// fitSoftmax fits TemperatureScaling to the given rows of held.
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

// A scoreRange is the interval from the smallest to the largest finite score.
type scoreRange struct{ low, high float64 }

// rangeOf returns the range of the finite scores, or [-1, 1] if all scores are infinite.
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

// finite returns v if v is finite. It returns the upper end of the range for +Inf, and the lower end
// for -Inf.
func (r scoreRange) finite(v float64) float64 {
	switch {
	case math.IsInf(v, 1):
		return r.high
	case math.IsInf(v, -1):
		return r.low
	}
	return v
}

// makeFinite replaces the infinite scores of a row by the ends of the range. It first extends the range
// to include the finite scores of the row, so that the order of the scores does not change.
func (r scoreRange) makeFinite(row []float64) {
	own := rangeOf(row)
	wide := scoreRange{min(r.low, own.low), max(r.high, own.high)}
	for c, v := range row {
		row[c] = wide.finite(v)
	}
}

// shares converts log probabilities to probabilities in place, divides each row by its sum, and
// returns the same matrix.
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
