package study_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/classifiers"
	"copse/classifiers/method"
	"copse/experiments/config"
	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/toys"
)

func TestDecisionIsPartOfTheRecipe(t *testing.T) {
	for entry, want := range map[string]string{
		"{classifier: lda, costs: {0: {1: 5}}}":       "lda/1{}+costs=map[0:map[1:5]]",
		"{classifier: svm, threshold: ber}":           "svm/2{}+threshold=ber/3",
		"{classifier: lda, threshold: 'cost:n(1,0)'}": "lda/1{}+threshold=cost:n(1,0)/3",
		"{classifier: lda, tune: {threshold: [error]}}": "lda/1{}+tune/1{threshold/3=[error],by=grid,metric=error," +
			"folds=5,candidates=1:faddd9b233c2}",
		"{classifier: svm, weights: balanced}":       "svm/2{}+weights=balanced",
		"{classifier: lda, weights: {1: 5, 0: 0.5}}": "lda/1{}+weights=map[0:0.5 1:5]",
	} {
		if got := entryOf(t, entry).Spec; got != want {
			t.Errorf("%s: %s, want %s", entry, got, want)
		}
	}
}

// The documentation of the key names all classifiers whose weights change only the priors.
func TestWeightsNameTheClassifiersWithPriors(t *testing.T) {
	keys := study.SharedClassifierKeys()
	doc := keys[slices.Index(config.Names(keys), "weights")].Doc
	_, listed, _ := strings.Cut(doc, "the weight 1. In ")
	listed, _, _ = strings.Cut(listed, ", weights change only the priors")
	named := strings.Split(strings.ReplaceAll(listed, " and ", ", "), ", ")
	var want []string
	for _, spec := range classifiers.Registry {
		if _, ok := spec.New().(method.PriorWeighted); ok {
			want = append(want, spec.Name)
		}
	}
	slices.Sort(named)
	slices.Sort(want)
	if !slices.Equal(named, want) {
		t.Errorf("the comment of `weights` in decision.go names %q, want %q", named, want)
	}
}

func TestDecisionRefuses(t *testing.T) {
	for entry, want := range map[string]string{
		"{classifier: lda, costs: {0: {1: -5}}}": "7:%d: classifiers.lda.costs.0.1: -5 is below 0; " +
			"give a cost of at least 0",
		"{classifier: lda, costs: {0: {0: 5}}}": "7:%d: classifiers.lda.costs.0.0: a correct prediction costs 0; " +
			"subtract this number from all costs of the true class, and remove it",
		"{classifier: lda, costs: {0: {healthy: 5}}}": `7:%d: classifiers.lda.costs.0: ` +
			`the data have no class "healthy"; choose one of: 0, 1`,
		"{classifier: lda, costs: {sick: {0: 5}}}": `7:%d: classifiers.lda.costs: ` +
			`the data have no class "sick"; choose one of: 0, 1`,
		"{classifier: lda, weights: {sick: 5}}": `7:%d: classifiers.lda.weights: ` +
			`the data have no class "sick"; choose one of: 0, 1`,
		"{classifier: lda, weights: {0: 0}}": "7:%d: classifiers.lda.weights.0: want a weight above 0, got 0",
		"{classifier: lda, weights: balance}": "7:%d: classifiers.lda.weights: want `balanced` or a mapping of " +
			"classes to weights such as `{sick: 5}`, got the text \"balance\"",
		"{classifier: lu, weights: balanced}": "7:%d: classifiers.lu.weights: lu does not support class weights; " +
			"these classifiers do: " + strings.Join(classifiers.WeightedNames(), ", "),
		"{classifier: lda, costs: {0: 5}}": "7:%d: classifiers.lda.costs.0: want a mapping, got the number 5",
		"{classifier: svm, costs: {0: {1: 5}}}": "7:%d: classifiers.svm.costs: need class probabilities, " +
			"which svm does not return: add `probabilities: platt`",
		"{classifier: lda, threshold: auc}": "7:%d: classifiers.lda.threshold: auc does not depend on the predicted " +
			"labels: use `error`, `ber`, `f1`, `mcc` or `cost:EXPRESSION`",
		"{classifier: lda, threshold: errr}": `7:%d: classifiers.lda.threshold: no metric "errr"; ` +
			`did you mean "error"?`,
		"{classifier: lda, threshold: 'cost:n(a,0)'}": "7:%d: classifiers.lda.threshold: cost:n(a,0): " +
			`no class "a"; the classes are "0", "1"`,
		"{classifier: lda, threshold: ber, costs: {0: {1: 5}}}": "7:%d: classifiers.lda.threshold: " +
			"cannot be combined with `costs`: remove `threshold` or `costs`",
	} {
		checkRefused(t, entry, want)
	}
	for _, entry := range []string{"{classifier: lda, costs: {a: {0: 1}, b: {0: 1}, c: {0: 1}, d: {0: 1}}}",
		"{classifier: lda, costs: {a: {0: -1}, b: {0: -1}}, weights: {a: -1, b: -1}}"} {
		refusal := func() string { // with the entry set by a flag, so that its values have no line numbers
			_, err := parse(entryText("lda"), "classifiers=["+entry+"]")
			return fmt.Sprint(err)
		}
		first := refusal()
		for range 20 {
			if got := refusal(); got != first {
				t.Fatalf("the order of errors varies:\n%s\n%s", first, got)
			}
		}
	}
	text := toys.RowsStudy(t, "csv: FILE, folds: 5, keep: [row]", "{classifier: lda, threshold: ber}")
	_, err := parse(text)
	errtest.Case(t, "four classes").Contains(err, "classifiers.lda.threshold: works with two classes only")
}

// Every candidate of a tuned threshold must fit the classes of the data, not only the first one.
func TestTunedThresholdsMatchTheClasses(t *testing.T) {
	text := toys.RowsStudy(t, "csv: FILE, folds: 5, keep: [row], rows: [class < 2]",
		"{classifier: lda, tune: {threshold: ['sensitivity:0', 'sensitivity:sick']}}")
	_, err := parse(text)
	if err == nil || !strings.Contains(err.Error(), "classifiers.lda.threshold: ") ||
		!strings.Contains(err.Error(), "sick") || strings.Contains(err.Error(), "sensitivity:0") {
		t.Errorf("error %v", err)
	}
}
