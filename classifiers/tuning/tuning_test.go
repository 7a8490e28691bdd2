package tuning

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/classics"
	"copse/classifiers/machines"
	"copse/classifiers/method"
	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/metrics"
)

// drawGolden draws a data set and its folds as testdata/golden.py does.
func drawGolden(state, n int) (*dataset.Set, []int) {
	uniform := func() float64 {
		state = (1103515245*state + 12345) % (1 << 31)
		return float64(state) / (1 << 31)
	}
	x, y, fold := mat.NewDense(n, 3, nil), make([]int, n), make([]int, n)
	for i := range n {
		y[i], fold[i] = i%2, i/2%5
		for j := range 3 {
			x.Set(i, j, uniform()+uniform()+uniform()+uniform()-2)
		}
		x.Set(i, 0, x.At(i, 0)+0.5*float64(y[i]))
		x.Set(i, 1, x.At(i, 1)*float64(1+y[i]))
	}
	return dataset.New(x, y, 2), fold
}

// goldenGrids returns the candidates of testdata/golden.py in its order.
func goldenGrids() map[string][]method.Classifier {
	grids := map[string][]method.Classifier{}
	for _, k := range []int{1, 3, 7, 15, 25} {
		knn := &classics.KNN{}
		knn.K = k
		grids["knn"] = append(grids["knn"], knn)
	}
	for _, c := range []float64{0.1, 1, 10} {
		for _, gamma := range []float64{0.1, 1, 3} {
			svm := machines.NewSVM()
			svm.C, svm.Gamma, svm.Tolerance = c, gamma, 1e-8
			grids["svm"] = append(grids["svm"], svm)
		}
	}
	return grids
}

// fitting fits candidates that draw no random numbers.
func fitting(candidates []method.Classifier) Fit {
	return func(ctx context.Context, k int, train, test *dataset.Set) (p metrics.Predictions, err error) {
		rule, err := candidates[k].Fit(ctx, train, nil)
		if err != nil {
			return p, err
		}
		p.Truth = test.Y
		p.Labels, p.Scores = rule.PredictSet(test)
		p.Probabilities = rule.ProbabilitiesFrom(p.Scores, test.X)
		return p, nil
	}
}

func lookup(t *testing.T, name string) *metrics.Metric {
	t.Helper()
	m, err := metrics.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// On ten data sets, the choice and the scores equal those of GridSearchCV for the same grid and folds.
func TestChoiceIsThatOfGridSearchCV(t *testing.T) {
	metric := map[string]*metrics.Metric{"knn": lookup(t, "brier"), "svm": lookup(t, "auc")}
	grids := goldenGrids()
	for _, row := range golden.Read(t, "testdata/golden.csv") {
		name := row.Value["learner"]
		set, fold := drawGolden(row.Int("seed"), row.Int("n"))
		want := row.List("scores")
		c := comparison{metric[name], fitting(grids[name]),
			&Result{Scores: make([]float64, len(want)), Failed: make([]error, len(want))}}
		if err := c.crossValidate(t.Context(), stats.Indices(len(want)), set, fold, 5); err != nil {
			t.Fatal(err)
		}
		for k, score := range c.Scores {
			if !golden.Near(score, want[k]) {
				t.Errorf("%s, seed %d: candidate %d scores %v, GridSearchCV %v", name, row.Int("seed"), k, score,
					want[k])
			}
		}
		if best := c.ranked(stats.Indices(len(want)))[0]; best != row.Int("choice") {
			t.Errorf("%s, seed %d: candidate %d, GridSearchCV %d", name, row.Int("seed"), best, row.Int("choice"))
		}
	}
}

// scored is a Fit for which candidate k mislabels the given share of the test rows, or fails if the share is
// NaN. It records the training rows of each fit.
func scored(shares []float64, rows map[int][]int) Fit {
	return func(_ context.Context, k int, train, test *dataset.Set) (p metrics.Predictions, err error) {
		rows[k] = append(rows[k], train.N())
		if math.IsNaN(shares[k]) {
			return p, errors.New("no such thing")
		}
		p.Truth, p.Labels = test.Y, slices.Clone(test.Y)
		for i := range int(shares[k] * float64(test.N())) {
			p.Labels[i] = 1 - p.Labels[i]
		}
		return p, nil
	}
}

func TestFailedCandidatesAreNotChosen(t *testing.T) {
	set, _ := drawGolden(1, 40)
	s := Search{Metric: metrics.ErrorRate, Folds: 2}
	nan := math.NaN()
	choose := func(shares ...float64) (*Result, error) {
		fit := scored(shares, map[int][]int{})
		return s.Choose(t.Context(), len(shares), set, randtest.New(1), fit)
	}
	r, err := choose(nan, 0.5, 0.25, 0.25)
	if err != nil {
		t.Fatal(err)
	}
	if r.Best != 2 || r.Scores[2] != 0.25 || !math.IsNaN(r.Scores[0]) ||
		r.Failed[0] == nil || r.Failed[0].Error() != "fold 1 of 2: no such thing" || r.Failed[1] != nil {
		t.Errorf("%+v", r)
	}
	_, err = choose(nan, nan)
	errtest.Case(t, "all failed").Equal(err,
		"all 2 candidates failed; error of the first one: fold 1 of 2: no such thing")
	for metric, want := range map[string]string{
		"log_loss":           "the metric log_loss has no value: the classifier returns no class probabilities",
		"auc":                "the metric auc has no value: the classifier returns no scores",
		"cost:n/(n(1,0)-10)": "has no value: it is undefined if the expression divides by 0",
	} {
		s.Metric = lookup(t, metric)
		_, err = choose(1) // each fold has 20 rows, and all labels are wrong
		errtest.Case(t, metric).Contains(err, want)
	}
}

// Successive halving doubles the rows for the better half of the candidates.
func TestHalving(t *testing.T) {
	set, _ := drawGolden(1, 160)
	s, rows := Search{Metric: metrics.ErrorRate, Folds: 2, Halving: true}, map[int][]int{}
	fit := scored([]float64{0.5, 0.4, 0.1, 0.3, 0.2}, rows)
	r, err := s.Choose(t.Context(), 5, set, randtest.New(1), fit)
	if err != nil {
		t.Fatal(err)
	}
	few, half, all := []int{20, 20}, []int{20, 20, 40, 40}, []int{20, 20, 40, 40, 80, 80}
	for k, want := range [][]int{few, few, all, half, all} {
		if !slices.Equal(rows[k], want) {
			t.Errorf("candidate %d: training rows %v, want %v", k, rows[k], want)
		}
	}
	if r.Best != 2 {
		t.Errorf("candidate %d", r.Best)
	}
}

// Each fold of a round has two test rows of each class, even if a class is rare or absent.
func TestHalvingKeepsRareClasses(t *testing.T) {
	for name, test := range map[string]struct {
		counts []int // training rows of each class
		sizes  []int // rows of each round
	}{
		"equal":       {[]int{80, 80}, []int{40, 80, 160}},
		"unequal":     {[]int{180, 20}, []int{100, 100, 200}},
		"rare":        {[]int{155, 5}, []int{160, 160, 160}},
		"absent":      {[]int{80, 0, 80}, []int{40, 80, 160}},
		"indivisible": {[]int{97, 13}, []int{85, 85, 110}},
	} {
		var y []int
		for c, n := range test.counts {
			y = append(y, slices.Repeat([]int{c}, n)...)
		}
		set := dataset.New(mat.NewDense(len(y), 1, nil), y, len(test.counts))
		s := Search{Metric: metrics.ErrorRate, Folds: 5, Halving: true}
		if got := s.roundSizes(8, set); !slices.Equal(got, test.sizes) {
			t.Errorf("%s: rounds of %v rows, want %v", name, got, test.sizes)
		}
		fit := func(_ context.Context, _ int, _, fold *dataset.Set) (metrics.Predictions, error) {
			for c, n := range fold.Counts() {
				if n < min(2, test.counts[c]/s.Folds) {
					t.Errorf("%s: a fold has %d rows of class %d", name, n, c)
				}
			}
			return metrics.Predictions{Truth: fold.Y, Labels: fold.Y}, nil
		}
		if _, err := s.Choose(t.Context(), 8, set, randtest.New(1), fit); err != nil {
			t.Error(err)
		}
	}
}

// Each patient has ten nearly equal rows of one class, and the nearest other patients have the other class. If the
// folds divided patients, a single neighbour would seem to predict the class without error.
func TestSearchKeepsGroupsTogether(t *testing.T) {
	const patients, rowsPerPatient = 30, 10
	rng := randtest.New(1)
	x, y := mat.NewDense(patients*rowsPerPatient, 1, nil), make([]int, patients*rowsPerPatient)
	groups := make([]int, len(y))
	for i := range y {
		groups[i] = i / rowsPerPatient
		y[i] = groups[i] % 2
		x.Set(i, 0, float64((7*groups[i])%patients)+0.001*rng.Float64())
	}
	set := dataset.New(x, y, 2)
	grid := goldenGrids()["knn"]
	lowest := func() float64 {
		search := Search{Metric: metrics.ErrorRate, Folds: 5}
		result, err := search.Choose(t.Context(), len(grid), set, rng, fitting(grid))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Min(result.Scores)
	}
	if rate := lowest(); rate > 0.01 {
		t.Errorf("error rate %v with divided patients", rate)
	}
	set.Groups = groups
	if rate := lowest(); rate < 0.3 {
		t.Errorf("error rate %v with whole patients", rate)
	}
}

// A search stops when its context is cancelled.
func TestSearchStops(t *testing.T) {
	set, _ := drawGolden(1, 40)
	ctx, cancel := context.WithCancel(t.Context())
	fits := 0
	_, err := Search{Metric: metrics.ErrorRate, Folds: 2}.Choose(ctx, 3, set, randtest.New(1),
		func(context.Context, int, *dataset.Set, *dataset.Set) (metrics.Predictions, error) {
			fits++
			cancel()
			return metrics.Predictions{}, ctx.Err()
		})
	if !errors.Is(err, context.Canceled) || fits != 1 {
		t.Errorf("%d fits, error %v", fits, err)
	}
}
