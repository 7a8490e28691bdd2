package trial

import (
	"context"
	"math"
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
	fitted := func() (*classifiers.Rule, error) { return rule, nil }
	s := &study.Study{Metrics: []string{"log_loss", "auc"}}
	draw := &Draw{Train: test, Test: test}
	if err := o.fitAndPredict(context.Background(), draw, s, fitted); err != nil {
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
