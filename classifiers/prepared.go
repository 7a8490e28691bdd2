package classifiers

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
	"copse/stats/dataset/prepare"
)

// A Preparation defines the steps before and after the fit of a recipe. All these steps are fitted
// to training rows only. Discrete, Impute and Steps prepare the data, in this order.
type Preparation struct {
	Discrete      []string           // numeric attributes to treat as discrete (dataset.FitRecoder)
	Impute        dataset.Imputation // imputation of missing values; "": none
	Steps         prepare.Steps      // further steps of data preparation
	Weights       Weights            // weights of the training rows by class
	Multiclass    Multiclass
	Probabilities Scaling // calibration; "": the recipe's probabilities, if any
	// These fields change the predicted class. Only one of Costs and Threshold may be set. Both
	// take precedence over CalibratedLabels.
	CalibratedLabels bool   // predict the class with the largest calibrated probability
	Costs            Costs  // predict the class with the smallest expected cost
	Threshold        string // for two classes: metric that chooses the threshold on the scores
}

// plattVersion is the version of PlattScaling in canonical texts of recipes (see Spec.Recipe). In
// version 1, Platt scaling also changed the predicted labels.
const plattVersion = "/2"

// ThresholdVersion is the version of the threshold rule in canonical texts of recipes (see
// Spec.Recipe). Version 1 assigned rows at the threshold to the second class. Version 2 did not
// consider the threshold +Inf, which assigns all rows to the first class.
const ThresholdVersion = "/3"

// String returns the text that a preparation adds to the canonical text of a recipe, such as
// "+impute=median+probabilities=platt/2".
func (p Preparation) String() string {
	text := ""
	if len(p.Discrete) > 0 {
		text += fmt.Sprintf("+discrete=%q", p.Discrete)
	}
	if p.Impute != "" {
		text += "+impute=" + string(p.Impute)
	}
	if len(p.Steps) > 0 {
		text += "+prepare=[" + p.Steps.String() + "]"
	}
	if weights := p.Weights.String(); weights != "" {
		text += "+weights=" + weights
	}
	if p.Multiclass != "" {
		text += "+multiclass=" + string(p.Multiclass)
	}
	if p.Probabilities != "" {
		text += "+probabilities=" + string(p.Probabilities)
	}
	if p.Probabilities == PlattScaling {
		text += plattVersion
	}
	if p.CalibratedLabels {
		text += "+labels=calibrated"
	}
	if len(p.Costs) > 0 {
		text += fmt.Sprintf("+costs=%v", p.Costs) // fmt prints the keys of a map in ascending order
	}
	if p.Threshold != "" {
		text += "+threshold=" + p.Threshold + ThresholdVersion
	}
	return text
}

// Prepared wraps a recipe in class weights, the multiclass extension, data preparation, calibration
// and the decision rule, from the innermost to the outermost. It panics if the recipe does not
// accept the weights of p.
//
// The data of each calibration fold are thus prepared separately.
func Prepared(recipe Classifier, p Preparation) Classifier {
	if p.Weights.String() != "" {
		if !AcceptsWeights(recipe) {
			panic("classifiers: the classifier does not accept class weights")
		}
		recipe = weightedRecipe{recipe, p.Weights}
	}
	if p.Multiclass != "" {
		recipe = multiclassRecipe{recipe, p.Multiclass}
	}
	if len(p.Discrete) > 0 || p.Impute != "" || len(p.Steps) > 0 {
		recipe = preparedRecipe{recipe, p}
	}
	if p.Probabilities != "" {
		recipe = calibratedRecipe{recipe: recipe, scaling: p.Probabilities, calibratedLabels: p.CalibratedLabels}
	}
	return WithDecisionRule(recipe, p)
}

type preparedRecipe struct {
	recipe Classifier
	Preparation
}

// Fit implements Classifier.
func (p preparedRecipe) Fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	steps, train, err := p.fit(train)
	if err != nil {
		return nil, err
	}
	rule, err := Fit(ctx, p.recipe, train, rng)
	if err != nil {
		return nil, err
	}
	for _, step := range slices.Backward(steps) {
		rule = rule.After(step.Apply)
	}
	return rule, nil
}

// fit fits recoding, imputation, and then p.Steps, each to the output of the previous step. It
// returns the fitted steps and the prepared training set.
func (p Preparation) fit(
	train *dataset.Set,
) (steps []dataset.Transform, prepared *dataset.Set, err error) {
	if len(p.Discrete) > 0 {
		steps = append(steps, dataset.FitRecoder(train, p.Discrete))
		train = dataset.Transformed(train, steps[0])
	}
	if p.Impute != "" {
		imputer, err := dataset.FitImputer(train, p.Impute)
		if err != nil {
			return nil, nil, err
		}
		steps = append(steps, imputer)
		train = dataset.Transformed(train, imputer)
	}
	further, train, err := p.Steps.Fit(train)
	return append(steps, further...), train, err
}

// FillsMissing reports whether the preparation imputes all missing values.
func (p Preparation) FillsMissing() bool { return p.Impute != "" || p.Steps.FillsMissing() }

// Sets returns train and test after data preparation, which is fitted to train.
func (p Preparation) Sets(train, test *dataset.Set) (_, _ *dataset.Set, err error) {
	steps, train, err := p.fit(train)
	if err != nil {
		return nil, nil, err
	}
	for _, step := range steps {
		test = dataset.Transformed(test, step)
	}
	return train, test, nil
}
