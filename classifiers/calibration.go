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
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/platt"
	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/dataset"
)

// A Scaling is a method that converts scores to class probabilities; "" means no conversion.
type Scaling string

const (
	// PlattScaling fits a sigmoid to the scores of each pair of classes (Platt 1999), as in libsvm.
	// For more than two classes, it combines the probabilities of the pairs (Wu, Lin and Weng
	// 2004).
	PlattScaling Scaling = "platt"
	// TemperatureScaling divides all class scores by the same number before the softmax (Guo et al.
	// 2017). The fit uses the targets of Platt (1999).
	TemperatureScaling Scaling = "temperature"
)

// calibrationFolds is the number of cross-validation folds, as in libsvm.
const calibrationFolds = 5

// A calibratedRecipe fits a recipe and then a calibration to held-out scores (see crossFit). If
// calibratedLabels is true, the calibrated probabilities determine the predicted classes (libsvm's
// option -b 1).
type calibratedRecipe struct {
	recipe           Classifier
	scaling          Scaling
	calibratedLabels bool
}

// Fit implements Classifier. With c.calibratedLabels, the scores of the rule are the calibrated log
// probabilities, so that they determine its labels. Otherwise, the rule keeps its scores and labels.
func (c calibratedRecipe) Fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	cross := crossFit{recipe: c.recipe, errorPrefix: string(c.scaling), scores: c.scaling.scores}
	rule, heldOutScores, err := cross.fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	allRows := stats.Indices(train.N())
	calibrate, warnings := c.scaling.fit(heldOutScores, allRows)
	if warning := c.scaling.lossWarning(heldOutScores); warning != "" {
		warnings = append(warnings, warning)
	}
	warnings = append(slices.Clone(rule.Warnings), warnings...)
	if !c.calibratedLabels {
		return c.scaling.withProbabilities(rule, calibrate, train.C(), warnings), nil
	}
	logProbabilities := func(x *mat.Dense) *mat.Dense {
		return calibrate.logProbabilities(c.scaling.scores(rule, x), train.C())
	}
	calibrated := &Rule{Scores: logProbabilities, Warnings: warnings}
	return calibrated.WithProbabilities(exponentials), nil
}

// A crossFit fits a recipe to all training rows and computes held-out scores for them by
// cross-validation.
type crossFit struct {
	recipe      Classifier
	errorPrefix string                                    // first word of error messages
	scores      func(rule *Rule, x *mat.Dense) *mat.Dense // returns an n x k matrix for the n rows of x
}

// fit returns the rule fitted to all rows and the held-out scores. It fails if a class has fewer
// than two rows or the rule has no scores.
func (c crossFit) fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, *heldOut, error) {
	if err := crossval.CheckTwoRows(train); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.errorPrefix, err)
	}
	// The fit to all rows comes first, so that it draws the same random numbers as a fit without
	// held-out scores.
	rule, err := c.fitScorer(ctx, train, rng)
	if err != nil {
		return nil, nil, err
	}
	held, err := c.holdOut(ctx, train, rng)
	return rule, held, err
}

func (c crossFit) fitScorer(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	rule, err := Fit(ctx, c.recipe, train, rng)
	if err != nil {
		return nil, err
	}
	if rule.Scores == nil {
		return nil, fmt.Errorf("%s: the classifier returns only labels, no scores", c.errorPrefix)
	}
	return rule, nil
}

// heldOut contains the scores of every training row by rules fitted to the folds that do not
// contain this row.
type heldOut struct {
	scores  *mat.Dense // one row for each training row, see crossFit
	y       []int      // class code of each row
	classes []string
	fold    []int // fold of each row
	folds   int
}

// holdOut computes the held-out scores.
func (c crossFit) holdOut(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*heldOut, error) {
	fold, folds, err := crossval.Folds(train, calibrationFolds, crossval.ClassesByFirstRow, rng)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.errorPrefix, err)
	}
	held := &heldOut{y: train.Y, classes: train.Classes, fold: fold, folds: folds}
	for f := range folds {
		trainRows, testRows := dataset.SplitFold(fold, f)
		rule, err := c.fitScorer(ctx, train.Subset(trainRows), rng)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: fit without fold %d of %d: %w", c.errorPrefix, f+1, folds, err)
		}
		scores := c.scores(rule, train.Subset(testRows).X)
		if held.scores == nil {
			_, k := scores.Dims()
			held.scores = mat.NewDense(train.N(), k, nil)
		}
		for i, row := range testRows {
			held.scores.SetRow(row, scores.RawRowView(i))
		}
	}
	return held, nil
}

// A calibration computes the log class probabilities of a row from its scores.
type calibration func(scores, logs []float64)

func (c calibration) logProbabilities(scores *mat.Dense, classes int) *mat.Dense {
	n, _ := scores.Dims()
	logs := mat.NewDense(n, classes, nil)
	for i := range n {
		c(scores.RawRowView(i), logs.RawRowView(i))
	}
	return logs
}

// scores returns the scores that the calibration uses: of pairs of classes, or of classes.
func (s Scaling) scores(rule *Rule, x *mat.Dense) *mat.Dense {
	if s == PlattScaling {
		return pairScores(rule, x)
	}
	return rule.Scores(x)
}

// withProbabilities returns a copy of rule with the given warnings and with calibrated probabilities:
// calibrate computes their logarithms from the scores in s.scores.
func (s Scaling) withProbabilities(
	rule *Rule, calibrate calibration, classes int, warnings []string,
) *Rule {
	calibrated := &Rule{
		Labels:     rule.Labels,
		Scores:     rule.Scores,
		PairScores: rule.PairScores,
		SetScores:  rule.SetScores,
		Warnings:   warnings,
	}
	// If labels and probabilities both follow from the class scores, WithProbabilities lets callers
	// compute these scores only once.
	usesPairScores := s == PlattScaling && rule.PairScores != nil
	sharesClassScores := rule.Labels == nil && !usesPairScores
	if !sharesClassScores {
		calibrated.Probabilities = func(x *mat.Dense) *mat.Dense {
			return exponentials(calibrate.logProbabilities(s.scores(rule, x), classes))
		}
		return calibrated
	}
	return calibrated.WithProbabilities(func(classScores *mat.Dense) *mat.Dense {
		scores := classScores
		if s == PlattScaling { // the sigmoids use the score difference of each pair of classes
			scores = pairDifferences(classScores)
		}
		return exponentials(calibrate.logProbabilities(scores, classes))
	})
}

// fit fits the calibration to the held-out scores of the given rows, and returns warnings.
func (s Scaling) fit(held *heldOut, rows []int) (calibration, []string) {
	if s == TemperatureScaling {
		return fitSoftmax(held, rows)
	}
	return fitSigmoids(held, rows)
}

// lossWarning returns a warning if, by the cross-validated log loss, the calibrated probabilities
// are worse than the class proportions.
func (s Scaling) lossWarning(held *heldOut) string {
	loss, lossOfProportions := s.logLosses(held)
	if loss <= lossOfProportions {
		return ""
	}
	return fmt.Sprintf("%s scaling: the cross-validated log loss %.3g is larger than %.3g, "+
		"the loss of constant class shares", s, loss, lossOfProportions)
}

// logLosses returns the mean log losses of the calibrated probabilities and of the class
// proportions. The calibration of a row is fitted to the other folds.
func (s Scaling) logLosses(held *heldOut) (loss, lossOfProportions float64) {
	n := float64(len(held.y))
	counts := make([]float64, len(held.classes)) // number of rows in each class
	for _, class := range held.y {
		counts[class]++
	}
	logs := make([]float64, len(held.classes)) // log probabilities of one row
	for f := range held.folds {
		trainRows, testRows := dataset.SplitFold(held.fold, f)
		calibrate, _ := s.fit(held, trainRows) // without its warnings
		for _, row := range testRows {
			class := held.y[row]
			calibrate(held.scores.RawRowView(row), logs)
			loss -= logs[class] / n
			lossOfProportions -= math.Log(counts[class]/n) / n
		}
	}
	return loss, lossOfProportions
}

// pairScores returns the rule's PairScores or, if it has none, the differences of class scores.
func pairScores(rule *Rule, x *mat.Dense) *mat.Dense {
	if rule.PairScores != nil {
		return rule.PairScores(x)
	}
	return pairDifferences(rule.Scores(x))
}

// pairDifferences returns the score of the first class minus the score of the second, for each pair
// in stats.Pairs. If both scores are -Inf, the difference is 0. No score may be NaN.
func pairDifferences(scores *mat.Dense) *mat.Dense {
	method.RefuseNaN("score", scores)
	n, classes := scores.Dims()
	pairs := stats.Pairs(classes)
	all := mat.NewDense(n, len(pairs), nil)
	for i := range n {
		row := scores.RawRowView(i)
		for k, pair := range pairs {
			if d := row[pair.I] - row[pair.J]; !math.IsNaN(d) {
				all.Set(i, k, d)
			}
		}
	}
	return all
}

func fitSigmoids(held *heldOut, rows []int) (calibration, []string) {
	var pairs pairSigmoids
	var warnings []string
	for k, pair := range stats.Pairs(len(held.classes)) {
		sigmoid := fitPair(held, rows, k, pair)
		if sigmoid.A >= 0 { // the sigmoid does not increase with the score
			warnings = append(warnings, fmt.Sprintf(
				"platt scaling: cross-validated scores did not separate class %s from %s",
				held.classes[pair.I], held.classes[pair.J]))
		}
		pairs = append(pairs, sigmoid)
	}
	return pairs.calibrate, warnings
}

// pairSigmoids contains a sigmoid for each pair in stats.Pairs.
type pairSigmoids []pairSigmoid

// calibrate implements calibration.
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

// A pairSigmoid consists of a sigmoid and the range of the scores to which it was fitted.
type pairSigmoid struct {
	platt.Sigmoid
	scoreRange
}

// logs returns the log probabilities of both classes for a score, which may be infinite.
func (p pairSigmoid) logs(score float64) (first, second float64) {
	return p.Logs(p.finite(score))
}

// fitPair fits the sigmoid of a pair of classes, the k-th in stats.Pairs, to the given rows.
func fitPair(held *heldOut, rows []int, k int, pair stats.Pair) pairSigmoid {
	var scores []float64
	var first []bool
	for _, i := range rows {
		if class := held.y[i]; class == pair.I || class == pair.J {
			scores = append(scores, held.scores.At(i, k))
			first = append(first, class == pair.I)
		}
	}
	finiteRange := rangeOf(scores)
	for i, v := range scores {
		scores[i] = finiteRange.finite(v)
	}
	return pairSigmoid{platt.Fit(scores, first), finiteRange}
}

// fitSoftmax fits TemperatureScaling to the held-out scores of the given rows. The returned function
// sets logs to the log probabilities for a row's scores: the log softmax of scores/temperature.
func fitSoftmax(held *heldOut, rows []int) (calibration, []string) {
	scores := columns.Rows(held.scores, rows) // a copy
	finiteRange := rangeOf(scores.RawMatrix().Data)
	for i := range rows {
		finiteRange.makeFinite(scores.RawRowView(i))
	}
	inverseTemperature := platt.InverseTemperature(scores, dataset.At(held.y, rows))
	var warnings []string
	if inverseTemperature == 0 {
		warnings = []string{
			"temperature scaling: cross-validated scores did not separate the classes: all probabilities are equal",
		}
	}
	calibrate := func(scores, logs []float64) {
		copy(logs, scores)
		finiteRange.makeFinite(logs)
		floats.Scale(inverseTemperature, logs)
		floats.AddConst(-floats.LogSumExp(logs), logs)
	}
	return calibrate, warnings
}

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

// finite replaces +Inf and -Inf with the upper and the lower end of the range.
func (r scoreRange) finite(v float64) float64 {
	switch {
	case math.IsInf(v, 1):
		return r.high
	case math.IsInf(v, -1):
		return r.low
	}
	return v
}

// makeFinite replaces infinite scores in a row by the ends of the range r.
//
// It first extends the range to finite scores of the row, so that the order of the scores does not
// change.
func (r scoreRange) makeFinite(row []float64) {
	own := rangeOf(row)
	wide := scoreRange{min(r.low, own.low), max(r.high, own.high)}
	for c, v := range row {
		row[c] = wide.finite(v)
	}
}

// exponentials converts log probabilities to probabilities in place and makes each row sum to 1.
func exponentials(logs *mat.Dense) *mat.Dense {
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
