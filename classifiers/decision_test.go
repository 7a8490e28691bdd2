package classifiers

import (
	"context"
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// told predicts class 1 with the probability in the first column.
type told struct{}

func (told) Fit(context.Context, *dataset.Set, *rand.Rand) (*Rule, error) {
	rule := &Rule{Scores: func(x *mat.Dense) *mat.Dense {
		n, _ := x.Dims()
		p := mat.NewDense(n, 2, nil)
		for i := range n {
			p.SetRow(i, []float64{1 - x.At(i, 0), x.At(i, 0)})
		}
		return p
	}}
	return rule.WithProbabilities(func(p *mat.Dense) *mat.Dense { return p }), nil
}

func fitDecided(t *testing.T, p Preparation, train *dataset.Set) *Rule {
	t.Helper()
	rule, err := Prepared(told{}, p).Fit(t.Context(), train, randtest.New(1))
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// With two classes, class 1 is predicted if p > c/(c+d), where c is the cost of a wrong 1 and d
// is the cost of a wrong 0 (Elkan 2001, Eq. 2).
func TestCostsMoveTheBoundary(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{0.1, 0.19, 0.21, 0.4, 0.51, 0.9})
	train := dataset.New(x, []int{0, 1, 0, 1, 0, 1}, 2)
	for _, c := range []struct {
		costs Costs
		want  []int
	}{
		{Costs{"1": {"0": 4}}, []int{0, 0, 1, 1, 1, 1}},                        // from 1/5 on
		{Costs{"1": {"0": 1}}, []int{0, 0, 0, 0, 1, 1}},                        // the usual ones: from 1/2 on
		{Costs{"0": {"1": 10}}, []int{0, 0, 0, 0, 0, 0}},                       // from 10/11 on
		{Costs{"0": {"1": 2, "0": 1}, "1": {"0": 4}}, []int{0, 0, 1, 1, 1, 1}}, // a right 0 costs, too: from 1/5 on
	} {
		rule := fitDecided(t, Preparation{Costs: c.costs}, train)
		if got := rule.Predict(x); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.costs, got, c.want)
		}
		if labels, _ := rule.PredictSet(train); !slices.Equal(labels, c.want) {
			t.Errorf("%v: PredictSet %v, want %v", c.costs, labels, c.want)
		}
		if rule.Probabilities(x).At(2, 1) != 0.21 {
			t.Errorf("%v changed the probabilities", c.costs)
		}
	}
}

// A rule with costs or a threshold predicts no label from NaN.
func TestDecisionsRefuseNaN(t *testing.T) {
	train := dataset.New(mat.NewDense(6, 1, []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.9}), []int{0, 1, 0, 1, 0, 1}, 2)
	for want, p := range map[string]Preparation{
		"row 2: a probability is NaN: [NaN NaN]": {Costs: Costs{"1": {"0": 4}}},
		"row 2: a score is NaN: [NaN NaN]":       {Threshold: "error"},
	} {
		rule := fitDecided(t, p, train)
		message := func() (message any) {
			defer func() { message = recover() }()
			return rule.Predict(mat.NewDense(2, 1, []float64{0.5, math.NaN()}))
		}()
		if message != want {
			t.Errorf("got %v, want the panic %q", message, want)
		}
	}
}

// The threshold equals the result of an exhaustive search over all divisions of the rows.
func TestBestThreshold(t *testing.T) {
	rng := randtest.New(3)
	for trial := range 20 {
		n := 5 + trial
		leads, truth := make([]float64, n), make([]int, n)
		for i := range leads {
			truth[i] = i % 2
			leads[i] = math.Round(4*rng.NormFloat64())/4 + float64(truth[i]) // with ties
		}
		for _, name := range []string{"error", "ber", "f1", "cost:5*n(1,0)+n(0,1)"} {
			metric, err := metrics.Lookup(name)
			if err == nil {
				metric, err = metric.InClasses([]string{"0", "1"})
			}
			if err != nil {
				t.Fatal(err)
			}
			loss := func(cut float64) float64 {
				return metric.Loss(metric.FromCounts(metrics.NewConfusion(2, truth, labelsAt(leads, cut))))
			}
			least := min(loss(0), loss(math.Inf(-1)))
			for _, lead := range leads {
				least = min(least, loss(lead))
			}
			if cut := bestThreshold(metric, leads, truth); loss(cut) != least {
				t.Errorf("%s: threshold %v has loss %v, the best %v", name, cut, loss(cut), least)
			}
		}
	}
	if cut := bestThreshold(metrics.ErrorRate, []float64{-4, -3, 3.5, 4}, []int{0, 0, 1, 1}); cut != 0 {
		t.Errorf("of equal thresholds %v is chosen, not the classifier's own", cut)
	}
	cut := bestThreshold(metrics.ErrorRate, []float64{0.1, 0.2, 0.4, 0.45}, []int{0, 0, 1, 1})
	if math.Abs(cut-0.3) > 1e-12 {
		t.Errorf("%v, want the middle of 0.2 and 0.4", cut)
	}
	inf := math.Inf(1)
	if cut := bestThreshold(metrics.ErrorRate, []float64{-1, 0.5, 2}, []int{0, 0, 0}); cut != inf {
		t.Errorf("%v, want infinity: class 0 for all rows", cut)
	}
	if cut := bestThreshold(metrics.ErrorRate, []float64{-inf, 3, inf}, []int{0, 0, 1}); !(cut >= 3 && cut < inf) {
		t.Errorf("%v does not divide 3 and infinity", cut)
	}
}

// A threshold for which the metric is undefined is not chosen. If the metric is always undefined, the fit
// fails.
func TestThresholdWithUndefinedMetric(t *testing.T) {
	leads, truth := []float64{-5, -4, -3, -2}, []int{0, 0, 1, 1}
	for expression, want := range map[string]float64{
		"n(1,0)/n(1,_)+n(0,1)/n(_,1)": -3.5, // undefined at 0, which predicts class 1 for no row
		"n/0":                         math.NaN(),
	} {
		metric, err := metrics.Lookup("cost:" + expression)
		if err == nil {
			metric, err = metric.InClasses([]string{"0", "1"})
		}
		if err != nil {
			t.Fatal(err)
		}
		got := bestThreshold(metric, leads, truth)
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: threshold %v, want %v", expression, got, want)
		}
	}
}

// A tuned threshold raises the sensitivity if missing the class costs more. The scores stay the
// classifier's.
func TestThreshold(t *testing.T) {
	test := methodtest.Gaussians(400, 2, 2, 2)
	train := methodtest.Gaussians(120, 2, 2, 1).FlipLabels(0.2, randtest.New(4))
	plain := lookup(t, "lda").New()
	moved := Prepared(plain, Preparation{Threshold: "cost:20*n(1,0)+n(0,1)"})
	fit := func(c Classifier) *Rule {
		rule := methodtest.Fit(t, c, train)
		return rule
	}
	own, shifted := fit(plain), fit(moved)
	ones := func(labels []int) (n int) {
		for _, label := range labels {
			n += label
		}
		return n
	}
	if a, b := ones(own.Predict(test.X)), ones(shifted.Predict(test.X)); b <= a {
		t.Errorf("%d ones by the own threshold, %d where missing them is dear", a, b)
	}
	if !mat.Equal(own.Probabilities(test.X), shifted.Probabilities(test.X)) {
		t.Error("the threshold changed the probabilities")
	}
	again := fit(moved)
	if !slices.Equal(again.Predict(test.X), shifted.Predict(test.X)) {
		t.Error("another threshold with the same seed")
	}
}

// If the threshold 0 is the best, a tied row keeps the class that the classifier predicts.
func TestThresholdKeepsTies(t *testing.T) {
	x, y := mat.NewDense(20, 1, nil), make([]int, 20)
	for i := range y {
		y[i] = i % 2
		x.Set(i, 0, 0.1+0.8*float64(y[i]))
	}
	rule := fitDecided(t, Preparation{Threshold: "error"}, dataset.New(x, y, 2))
	test := mat.NewDense(3, 1, []float64{0.4, 0.5, 0.6})
	if got, want := rule.Predict(test), method.Argmax(rule.Scores(test)); !slices.Equal(got, want) {
		t.Errorf("%v with the threshold 0, %v without", got, want)
	}
}

func TestDecisionsRefuse(t *testing.T) {
	two, three := methodtest.Gaussians(30, 2, 2, 1), methodtest.Gaussians(30, 2, 3, 1)
	for _, c := range []struct {
		recipe Classifier
		p      Preparation
		train  *dataset.Set
		want   string
	}{
		{lookup(t, "svm").New(), Preparation{Costs: Costs{"0": {"1": 2}}}, two,
			"costs: the classifier has no class probabilities"},
		{told{}, Preparation{Threshold: "error"}, three,
			"threshold: the training set must have two classes, but has 3"},
		{labelsOnly{}, Preparation{Threshold: "error"}, two, "threshold: the classifier returns only labels"},
		{told{}, Preparation{Threshold: "eror"}, two, "threshold: no metric"},
		{told{}, Preparation{Threshold: "cost:n/0"}, two, "threshold: the metric cost:n/0 is undefined for every"},
	} {
		_, err := Prepared(c.recipe, c.p).Fit(t.Context(), c.train, randtest.New(1))
		errtest.Case(t, c.p).HasPrefix(err, c.want)
	}
}

// Classes without training rows do not affect the costs of the other classes.
func TestCostsOfPresentClasses(t *testing.T) {
	set := methodtest.Gaussians(60, 2, 3, 1).FlipLabels(0.3, randtest.New(4))
	var rows []int
	for i, y := range set.Y {
		if y != 1 {
			rows = append(rows, i)
		}
	}
	costs := Costs{"2": {"0": 50}}
	rule, err := FitDroppingRare(t.Context(), Prepared(lookup(t, "lda").New(), Preparation{Costs: costs}),
		set.Subset(rows), func() *rand.Rand { return randtest.New(1) })
	if err != nil {
		t.Fatal(err)
	}
	counts := map[int]int{}
	for _, label := range rule.Predict(set.X) {
		counts[label]++
	}
	if counts[1] > 0 || counts[2] <= counts[0] {
		t.Errorf("labels %v", counts)
	}
}
