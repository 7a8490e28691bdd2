package classifiers

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// Costs contains the costs of predictions: costs[true class][predicted class]. A missing entry is 1
// for a misclassification and 0 for a correct prediction.
type Costs map[string]map[string]float64

// WithDecisionRule wraps a recipe so that p.Costs or p.Threshold, if any, determines the predicted classes.
func WithDecisionRule(recipe Classifier, p Preparation) Classifier {
	switch {
	case len(p.Costs) > 0:
		return costRecipe{recipe, p.Costs}
	case p.Threshold != "":
		return thresholdRecipe{recipe, p.Threshold}
	}
	return recipe
}

// A costRecipe predicts the class with the smallest expected cost (Elkan 2001, Eq. 1). If several
// classes tie, it predicts the first.
type costRecipe struct {
	recipe Classifier
	costs  Costs
}

// Fit implements Classifier. It fails if the rule has no class probabilities.
func (c costRecipe) Fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	rule, err := Fit(ctx, c.recipe, train, rng)
	if err != nil {
		return nil, err
	}
	if rule.Probabilities == nil {
		return nil, errors.New(
			"costs: the classifier has no class probabilities: add probabilities: platt")
	}
	costs := c.costs.matrix(train.Classes)
	probabilities := rule.Probabilities
	return rule.WithLabels(func(x *mat.Dense) []int {
		p := probabilities(x)
		method.RefuseNaN("probability", p)
		var expected mat.Dense
		expected.Mul(p, costs) // (i,c): expected cost of predicting class c for row i
		labels := make([]int, expected.RawMatrix().Rows)
		for i := range labels {
			labels[i] = floats.MinIdx(expected.RawRowView(i))
		}
		return labels
	}), nil
}

// matrix returns all costs. Rows are true classes; columns are predicted classes.
func (c Costs) matrix(classes []string) *mat.Dense {
	m := mat.NewDense(len(classes), len(classes), nil)
	for i, truth := range classes {
		for j, predicted := range classes {
			cost, given := c[truth][predicted]
			if !given && i != j {
				cost = 1
			}
			m.Set(i, j, cost)
		}
	}
	return m
}

// A thresholdRecipe predicts the second of two classes if its score minus the score of the first
// exceeds a threshold.
//
// The threshold has the best metric on held-out rows, as in scikit-learn's
// TunedThresholdClassifierCV.
type thresholdRecipe struct {
	recipe Classifier
	metric string
}

// Fit implements Classifier. It fails unless there are two classes.
func (t thresholdRecipe) Fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	if train.C() != 2 {
		return nil, fmt.Errorf("threshold: the training set must have two classes, but has %d", train.C())
	}
	metric, err := metrics.Lookup(t.metric)
	if err == nil {
		metric, err = metric.InClasses(train.Classes)
	}
	if err != nil {
		return nil, fmt.Errorf("threshold: %w", err)
	}
	classScores := func(rule *Rule, x *mat.Dense) *mat.Dense { return rule.Scores(x) }
	cross := crossFit{recipe: t.recipe, errorPrefix: "threshold", scores: classScores}
	rule, held, err := cross.fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	threshold := bestThreshold(metric, leads(held.scores), train.Y)
	if math.IsNaN(threshold) {
		return nil, fmt.Errorf("threshold: the metric %s is undefined for every threshold", metric.Name)
	}
	return rule.WithLabels(func(x *mat.Dense) []int {
		return labelsAt(leads(rule.Scores(x)), threshold)
	}), nil
}

// leads returns, for each row, the score of class 1 minus the score of class 0.
func leads(scores *mat.Dense) []float64 {
	ahead := mat.Col(nil, 0, pairDifferences(scores))
	floats.Scale(-1, ahead)
	return ahead
}

// bestThreshold returns the threshold with the smallest loss, or NaN if the metric is undefined for
// every threshold.
//
// For each row i, leads[i] is the score of class 1 minus the score of class 0, and truth[i] is the
// class.
func bestThreshold(metric *metrics.Metric, leads []float64, truth []int) float64 {
	search := cutSearch{metric: metric, best: math.NaN(), leastLoss: math.Inf(1)}
	// The threshold 0 does not change the predictions. It comes first and wins ties. Infinite
	// thresholds assign all rows to one class.
	search.try(0, metrics.NewConfusion(2, truth, labelsAt(leads, 0)))
	highest := math.Inf(1)
	search.try(highest, metrics.NewConfusion(2, truth, labelsAt(leads, highest)))
	lowest := math.Inf(-1)
	counts := metrics.NewConfusion(2, truth, labelsAt(leads, lowest))
	search.try(lowest, counts)
	search.tryBetween(leads, truth, counts)
	return search.best
}

// tryBetween tries the threshold halfway between each two successive distinct leads, in ascending
// order. counts is the confusion matrix at the threshold -Inf, which tryBetween updates. counts[2*t+p]
// is the number of rows of class t with the prediction p.
func (s *cutSearch) tryBetween(leads []float64, truth []int, counts metrics.Confusion) {
	ascending := stats.Ascending(leads) // row numbers in ascending order of the leads
	for k, row := range ascending[:len(ascending)-1] {
		if math.IsInf(leads[row], -1) {
			continue // the threshold -Inf already assigns the row to class 0
		}
		// The threshold is no longer below the lead of the row, so its prediction changes from 1 to 0.
		t := truth[row]
		counts[2*t+1]--
		counts[2*t]++
		if next := leads[ascending[k+1]]; next > leads[row] { // no threshold separates equal leads
			s.try(dataset.Midpoint(leads[row], next), counts)
		}
	}
}

type cutSearch struct {
	metric    *metrics.Metric
	best      float64 // best threshold so far
	leastLoss float64 // loss at this threshold
}

// try compares the threshold cut with the best one so far. counts is the confusion matrix at cut.
// If the losses are equal, the threshold nearer to 0 wins.
func (s *cutSearch) try(cut float64, counts metrics.Confusion) {
	loss := s.metric.Loss(s.metric.FromCounts(counts))
	if loss < s.leastLoss || loss == s.leastLoss && math.Abs(cut) < math.Abs(s.best) {
		s.best, s.leastLoss = cut, loss
	}
}

// labelsAt returns the class of each row: 1 if the row's lead (see leads) is above the threshold cut,
// and otherwise 0.
func labelsAt(leads []float64, cut float64) []int {
	labels := make([]int, len(leads))
	for i, lead := range leads {
		if lead > cut {
			labels[i] = 1
		}
	}
	return labels
}
