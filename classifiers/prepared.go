package classifiers

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats/dataset"
	"copse/stats/dataset/prepare"
)

// A Preparation is what is done around a recipe: to the data before it sees them, to
// its scores afterwards. Whatever it needs to know comes from the training rows alone.
type Preparation struct {
	Discrete []string           // numeric attributes to take as discrete ones (dataset.Recoder)
	Impute   dataset.Imputation // how missing values are filled in, after that; "": they stay
	Steps    prepare.Steps      // what is done to the data after that
	// Multiclass makes a method for two classes decide between many; "": it stays one for two.
	Multiclass Multiclass
	// Probabilities are made of the scores in this way; "": the recipe's own, if it
	// has any.
	Probabilities Scaling
	// CalibratedLabels are the classes of the largest scaled probabilities, in place of
	// the recipe's own labels.
	CalibratedLabels bool
	Costs            Costs  // of the decision; nil: the recipe's own labels
	Threshold        string // the metric by which the threshold between two classes is chosen; "": the recipe's own
}

// plattVersion is that of PlattScaling: the labels of the first version were calibrated.
const plattVersion = "/2"

// String is what a preparation adds to a recipe's canonical text.
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
		text += fmt.Sprintf("+costs=%v", p.Costs) // fmt sorts maps
	}
	if p.Threshold != "" {
		text += "+threshold=" + p.Threshold
	}
	return text
}

// Prepared returns the recipe that prepares the data, does as the given one, and
// scales its scores, and decides by costs or a threshold. What the scaling fits to parts of the training rows prepares
// these anew.
func Prepared(recipe Classifier, p Preparation) Classifier {
	if p.Multiclass != "" {
		recipe = multiclassRecipe{recipe, p.Multiclass}
	}
	if len(p.Discrete) > 0 || p.Impute != "" || len(p.Steps) > 0 {
		recipe = preparedRecipe{recipe, p}
	}
	if p.Probabilities != "" {
		recipe = calibratedRecipe{recipe, p.Probabilities, p.CalibratedLabels}
	}
	return Decided(recipe, p)
}

type preparedRecipe struct {
	recipe Classifier
	Preparation
}

func (p preparedRecipe) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
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

// fit learns the steps of the preparation from a training set and takes them.
func (p Preparation) fit(train *dataset.Set) (steps []dataset.Transform, prepared *dataset.Set, err error) {
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

// FillsMissing reports whether the recipe sees no missing value.
func (p Preparation) FillsMissing() bool { return p.Impute != "" || p.Steps.FillsMissing() }

// Sets returns both sets prepared, for who fits and predicts in one go.
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
