package classifiers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/modelsel"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// Costs are the costs of predictions by true class and predicted class. A mistake without
// an entry costs 1, a right prediction 0.
type Costs map[string]map[string]float64

// Decided returns the recipe whose labels are decided by the costs or the threshold of p;
// without either the recipe itself.
func Decided(recipe Classifier, p Preparation) Classifier {
	switch {
	case len(p.Costs) > 0:
		return costRecipe{recipe, p.Costs}
	case p.Threshold != "":
		return thresholdRecipe{recipe, p.Threshold}
	}
	return recipe
}

// costRecipe predicts the class of least expected cost by the probabilities of a recipe
// (Elkan 2001, Eq. 1), of equal ones the first. Scores and probabilities are the recipe's.
type costRecipe struct {
	recipe Classifier
	costs  Costs
}

func (c costRecipe) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	rule, err := Fit(ctx, c.recipe, train, rng)
	if err != nil {
		return nil, err
	}
	if rule.Probabilities == nil {
		return nil, errors.New("costs: the classifier gives no class probabilities; add probabilities: platt")
	}
	costs := c.costs.matrix(train.Classes)
	probabilities := rule.Probabilities
	return rule.WithLabels(func(x *mat.Dense) []int {
		var expected mat.Dense
		expected.Mul(probabilities(x), costs)
		n, _ := expected.Dims()
		labels := make([]int, n)
		for i := range labels {
			row := expected.RawRowView(i)
			labels[i] = slices.Index(row, slices.Min(row))
		}
		return labels
	}), nil
}

// matrix returns the costs by true class (rows) and predicted class (columns).
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

// thresholdRecipe predicts the second of two classes where its lead in scores is at least a
// threshold. The threshold is the one with the best metric over the rows held out by a
// five-fold stratified cross-validation of the training rows, as scikit-learn's
// TunedThresholdClassifierCV; of equal ones the nearest to 0, the recipe's own. The rule is
// the recipe's, with the same random draws.
type thresholdRecipe struct {
	recipe Classifier
	metric string
}

func (t thresholdRecipe) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	if train.C() != 2 {
		return nil, fmt.Errorf("threshold: takes two classes, the training set has %d", train.C())
	}
	metric, err := metrics.Lookup(t.metric)
	if err == nil {
		metric, err = metric.InClasses(train.Classes)
	}
	if err == nil {
		err = modelsel.CheckTwoRows(train)
	}
	if err != nil {
		return nil, fmt.Errorf("threshold: %w", err)
	}
	scorer := calibratedRecipe{recipe: t.recipe, scaling: "threshold"} // the name in its messages
	rule, err := scorer.fitScorer(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	held, err := scorer.holdOut(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	cut := bestThreshold(metric, leads(held.evidence), train.Y)
	return rule.WithLabels(func(x *mat.Dense) []int {
		labels := make([]int, x.RawMatrix().Rows)
		for i, lead := range leads(rule.Scores(x)) {
			if lead >= cut {
				labels[i] = 1
			}
		}
		return labels
	}), nil
}

// leads returns the scores of the second class less the scores of the first.
func leads(scores *mat.Dense) []float64 {
	ahead := mat.Col(nil, 0, pairDifferences(scores))
	floats.Scale(-1, ahead)
	return ahead
}

// bestThreshold returns the threshold with the smallest loss among 0, those that divide
// different leads, and one below all. Of equal losses the nearest to 0 wins.
func bestThreshold(metric *metrics.Metric, leads []float64, truth []int) float64 {
	rows := make([]int, len(leads))
	for i := range rows {
		rows[i] = i
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(leads[a], leads[b]) })
	counts := make(metrics.Confusion, 4)
	for _, y := range truth { // from a threshold below all
		counts[2*y+1]++
	}
	best, least := 0.0, metric.Loss(metric.FromCounts(countsAt(leads, truth, 0)))
	try := func(cut float64) {
		loss := metric.Loss(metric.FromCounts(counts))
		if loss < least || loss == least && math.Abs(cut) < math.Abs(best) {
			best, least = cut, loss
		}
	}
	try(math.Inf(-1))
	for k, row := range rows[:len(rows)-1] {
		counts[2*truth[row]+1]--
		counts[2*truth[row]]++
		if next := leads[rows[k+1]]; next > leads[row] {
			try(between(leads[row], next))
		}
	}
	return best
}

// between returns the middle of two leads; where that is infinite, the upper one.
func between(low, high float64) float64 {
	if middle := low + (high-low)/2; !math.IsInf(middle, 0) && !math.IsNaN(middle) {
		return middle
	}
	return high
}

// countsAt returns the confusion matrix of a threshold.
func countsAt(leads []float64, truth []int, cut float64) metrics.Confusion {
	counts := make(metrics.Confusion, 4)
	for i, lead := range leads {
		if lead >= cut {
			counts[2*truth[i]+1]++
		} else {
			counts[2*truth[i]]++
		}
	}
	return counts
}
