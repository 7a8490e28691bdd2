package trial

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/classifiers/method"
	"copse/experiments/study"
	"copse/stats/dataset"
)

// The labels, scores and probabilities of a Bayes rule are computed from its log densities, which are
// evaluated once for each test row and class.
func TestDensitiesAreEvaluatedOnce(t *testing.T) {
	test := dataset.New(mat.NewDense(3, 1, []float64{-1, 0.5, 2}), []int{0, 1, 1}, 2)
	evaluated := 0
	rule := method.NewBayes([]float64{math.Log(0.5), math.Log(0.5)}, func(class int, x []float64) float64 {
		evaluated++
		return -0.5 * (x[0] - float64(class)) * (x[0] - float64(class))
	})
	o := Outcome{}
	fitted := func(context.Context) (*classifiers.Rule, error) { return rule, nil }
	s := &study.Study{Metrics: []string{"log_loss", "auc"}}
	draw := &Draw{Train: test, Test: test}
	if err := o.fitAndPredict(t.Context(), draw, s, fitted); err != nil {
		t.Fatal(err)
	}
	answer := o.Predictions
	if evaluated != 3*2 {
		t.Errorf("%d evaluations of 3 rows and 2 classes", evaluated)
	}
	// log p(1) - log p(0) = x - 1/2
	loss := 0.0
	for i, x := range []float64{-1, 0.5, 2} {
		p := 1 / (1 + math.Exp(0.5-x))
		if got := answer.Probabilities.At(i, 1); math.Abs(got-p) > 1e-12 {
			t.Errorf("row %d: probability %v, want %v", i+1, got, p)
		}
		loss -= math.Log([]float64{1 - p, p}[test.Y[i]]) / 3
	}
	if got := o.Metrics["log_loss"]; math.Abs(got-loss) > 1e-12 {
		t.Errorf("log loss %v, want %v", got, loss)
	}
	if want := rule.Scores(test.X); !mat.Equal(answer.Scores, want) {
		t.Errorf("scores %v, want %v", answer.Scores, want)
	}
}

// A NaN score or probability makes the fit fail, with the row in the message. A score may be -Inf.
func TestNaNFailsTheFit(t *testing.T) {
	nan, low := math.NaN(), math.Inf(-1)
	output := func(values ...float64) func(*mat.Dense) *mat.Dense {
		return func(*mat.Dense) *mat.Dense { return mat.NewDense(2, 2, values) }
	}
	labels := func(*mat.Dense) []int { return []int{0, 1} }
	halves := output(0.5, 0.5, 0.5, 0.5)
	for _, test := range []struct {
		name, metric string
		rule         classifiers.Rule
		want         string // beginning of the error; "" if there is none
	}{
		{"all scores of a row", "error", classifiers.Rule{Scores: output(1, 2, nan, nan)},
			"panic: row 2: a score is NaN: [NaN NaN]"},
		{"one score", "error", classifiers.Rule{Scores: output(1, nan, 1, 2)},
			"panic: row 1: a score is NaN: [1 NaN]"},
		{"a score beside labels", "auc", classifiers.Rule{Labels: labels, Scores: output(1, 2, 1, nan)},
			"panic: row 2: a score is NaN: [1 NaN]"},
		{"a probability", "brier", classifiers.Rule{Labels: labels, Probabilities: output(0, 1, nan, 1)},
			"panic: row 2: a probability is NaN: [NaN 1]"},
		{"scores of -Inf", "brier", classifiers.Rule{Scores: output(low, 1, low, low), Probabilities: halves}, ""},
	} {
		set := dataset.New(mat.NewDense(2, 1, []float64{0, 1}), []int{0, 1}, 2)
		fitted := func(context.Context) (*classifiers.Rule, error) { return &test.rule, nil }
		o := Outcome{}
		err := o.fitAndPredict(t.Context(), &Draw{Train: set, Test: set},
			&study.Study{Metrics: []string{test.metric}}, fitted)
		message := ""
		if err != nil {
			message = err.Error()
		}
		if !strings.HasPrefix(message, test.want) || test.want == "" && err != nil {
			t.Errorf("%s: error %q, want %q", test.name, message, test.want)
		}
	}
}
