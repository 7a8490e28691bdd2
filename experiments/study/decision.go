package study

import (
	"maps"
	"slices"
	"strings"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/stats/metrics"
)

type deciding struct {
	// weights of the training rows, by class. `balanced` gives all classes the same total weight.
	// `{sick: 5}` gives rows of the class sick the weight 5 and all other rows the weight 1. In
	// lda, qda and nb, weights change only the priors
	Weights config.Place `param:"weights" node:"balanced, or mapping of classes to numbers"`
	// costs of mistakes, by true class and then by predicted class. The predicted class is the
	// class with the smallest expected cost, given the class probabilities. `{sick: {healthy: 5}}`
	// means that predicting healthy for the true class sick costs 5. Other mistakes cost 1, and
	// correct predictions 0
	Costs classifiers.Costs `param:"costs" node:"mapping of true classes to mappings of predicted classes to costs"`
	// metric that a threshold optimises, such as `ber` or `cost:EXPRESSION`; only for two classes.
	// The second class is predicted if its score exceeds the score of the first class by more than
	// the threshold. Five-fold cross-validation on the training rows chooses the threshold. Six
	// fits are therefore needed instead of one
	Threshold string `param:"threshold"`
}

// checkCosts reports errors in the costs that can be found without the data. e.Preparation must be
// set.
func (keys *deciding) checkCosts(costs config.Place, e *Entry) {
	for _, truth := range slices.Sorted(maps.Keys(keys.Costs)) { // sorted, so that errors have a fixed order
		row := keys.Costs[truth]
		for _, predicted := range slices.Sorted(maps.Keys(row)) {
			if cost := row[predicted]; cost < 0 {
				costs.Key(truth).Key(predicted).Fail("%v is below 0; give a cost of at least 0", cost)
			}
		}
	}
	if costs.Exists() && e.LacksProbabilities() {
		costs.Fail("need class probabilities, which %s does not return: add `probabilities: platt`", e.Name)
	}
}

// checkThreshold checks the key "threshold", which names a metric. It reports only errors that do
// not depend on the data.
func (keys *deciding) checkThreshold(at config.Place, e *Entry) {
	if keys.Threshold == "" {
		return
	}
	threshold := at.Key("threshold")
	m, err := metrics.Lookup(keys.Threshold)
	switch {
	case err != nil:
		threshold.Fail("%s", err)
	case m.Needs != metrics.Counts:
		threshold.Fail("%s does not depend on the predicted labels: "+
			"use `error`, `ber`, `f1`, `mcc` or `cost:EXPRESSION`", keys.Threshold)
	case at.Key("costs").Exists():
		threshold.Fail("cannot be combined with `costs`: remove `threshold` or `costs`")
	case e.Program != nil:
		threshold.Fail("a program fits and predicts in one step, so copse cannot cross-validate its scores: " +
			"let the program choose its own threshold")
	}
}

// weights decodes the class weights of e, or returns the zero value if there are none. It reports
// weights that are invalid or that the classifier does not support.
func (keys *deciding) weights(e *Entry) (w classifiers.Weights) {
	at := keys.Weights
	switch {
	case !at.Exists():
		return w
	case e.Classifier == nil || !classifiers.AcceptsWeights(e.Classifier):
		at.Fail("%s does not support class weights; these classifiers do: %s",
			e.Name, strings.Join(classifiers.WeightedNames(), ", "))
	case at.Text() == "balanced":
		w.Balanced = true
	case !at.IsMapping() || at.IsEmpty():
		at.Fail("want `balanced` or a mapping of classes to weights such as `{sick: 5}`, got %s", at.Describe())
	case at.Decode("class", &w.ByClass): // false after an error
		for _, class := range slices.Sorted(maps.Keys(w.ByClass)) {
			if weight := w.ByClass[class]; weight <= 0 {
				at.Key(class).Fail("want a weight above 0, got %v", weight)
			}
		}
	}
	return w
}

// checkDecisionIn reports weights, costs and thresholds that do not match the classes of the data,
// and costs of correct predictions. If the classes are unknown, it checks nothing.
func checkDecisionIn(at config.Place, e Entry, d *Data) {
	classes := d.ClassNames()
	if len(classes) == 0 {
		return
	}
	const unknown = "the data have no class"
	for _, name := range slices.Sorted(maps.Keys(e.Preparation.Weights.ByClass)) {
		at.Key("weights").CheckAmong(unknown, name, classes)
	}
	costs := at.Key("costs")
	for _, truth := range slices.Sorted(maps.Keys(e.Preparation.Costs)) {
		costs.CheckAmong(unknown, truth, classes)
		row := e.Preparation.Costs[truth]
		for _, predicted := range slices.Sorted(maps.Keys(row)) {
			costs.Key(truth).CheckAmong(unknown, predicted, classes)
		}
		if row[truth] != 0 {
			costs.Key(truth).Key(truth).Fail("a correct prediction costs 0; subtract this number from all costs of " +
				"the true class, and remove it")
		}
	}
	if metric := e.Preparation.Threshold; metric != "" {
		checkThresholdIn(at.Key("threshold"), metric, d)
	}
}

// checkThresholdIn checks the key "threshold" of a classifier. The data must have at most two
// classes, and the class that the metric names, as in sensitivity:sick.
func checkThresholdIn(at config.Place, metric string, d *Data) {
	classes := d.ClassNames()
	if len(classes) > 2 {
		at.Fail("works with two classes only, but %s has %d; remove `threshold`", d.sourceName(), len(classes))
	}
	m, err := metrics.Lookup(metric)
	if err != nil {
		return // checkThreshold has reported the unknown metric
	}
	if _, err := m.InClasses(classes); err != nil {
		at.Fail("%s", err)
	}
}
