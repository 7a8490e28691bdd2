package classifiers

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/classics"
	"copse/classifiers/internal/platt"
	"copse/classifiers/machines"
	"copse/classifiers/networks"
	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
)

// cloud returns n normally distributed rows of each class. The class means are the given distance apart.
func cloud(n, d, classes int, apart float64, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	x, y := mat.NewDense(n*classes, d, nil), make([]int, n*classes)
	for i := range y {
		y[i] = i % classes
		for j := range d {
			v := rng.NormFloat64()
			if j == y[i]%d {
				v += apart
			}
			x.Set(i, j, v)
		}
	}
	return dataset.New(x, y, classes)
}

func fitPlatt(t *testing.T, recipe Classifier, train *dataset.Set) *Rule {
	t.Helper()
	rule, err := FitDroppingRare(
		t.Context(),
		Prepared(recipe, Preparation{Probabilities: PlattScaling}),
		train,
		func() *rand.Rand { return randtest.New(5) },
	)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// heldOutOf returns the held-out scores to which fitPlatt fits its sigmoids.
func heldOutOf(t *testing.T, recipe Classifier, train *dataset.Set) *heldOut {
	t.Helper()
	c := crossFit{recipe: recipe, errorPrefix: string(PlattScaling), scores: PlattScaling.scores}
	_, held, err := c.fit(t.Context(), train, randtest.New(5))
	if err != nil {
		t.Fatal(err)
	}
	return held
}

// Every registered classifier can be calibrated with each method. Its labels stay the same; its
// probabilities sum to 1. They are largest at the predicted class with calibrated labels
// and with one temperature, which also keeps the order of the scores.
func TestCalibrationConformance(t *testing.T) {
	for _, spec := range quickRegistry() {
		t.Run(spec.Name, func(t *testing.T) {
			for classes := 2; classes <= 3; classes++ {
				if spec.MaxClasses > 0 && classes > spec.MaxClasses || testing.Short() && classes > 2 {
					continue
				}
				train, test := cloud(25, 3, classes, 1.5, 7), cloud(20, 3, classes, 1.5, 8)
				plain, err := Fit(t.Context(), spec.New(), train, randtest.New(5))
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range []Preparation{
					{Probabilities: PlattScaling},
					{Probabilities: PlattScaling, CalibratedLabels: true},
					{Probabilities: TemperatureScaling},
				} {
					rule, err := Prepared(spec.New(), p).Fit(t.Context(), train, randtest.New(5))
					if err != nil {
						t.Fatal(err)
					}
					checkCalibrated(t, p, plain, rule, test)
				}
			}
		})
	}
}

// checkCalibrated tests the labels and probabilities of a calibrated rule for a test set.
func checkCalibrated(t *testing.T, p Preparation, plain, rule *Rule, test *dataset.Set) {
	t.Helper()
	labels, scores := rule.PredictSet(test)
	probabilities := rule.Probabilities(test.X)
	if !mat.Equal(rule.ProbabilitiesFrom(scores, test.X), probabilities) {
		t.Errorf("%v: the scores of a set give other probabilities", p)
	}
	if !p.CalibratedLabels && !slices.Equal(labels, plain.Predict(test.X)) {
		t.Errorf("%v: the labels are not the classifier's own", p)
	}
	own := plain.Scores(test.X)
	for i, label := range labels {
		row := probabilities.RawRowView(i)
		if math.Abs(floats.Sum(row)-1) > 1e-9 || floats.Min(row) < 0 {
			t.Fatalf("%v, row %d: probabilities %v", p, i, row)
		}
		if (p.CalibratedLabels || p.Probabilities == TemperatureScaling) && row[label] != floats.Max(row) {
			t.Errorf("%v, row %d: label %d, probabilities %v", p, i, label, row)
		}
		if p.Probabilities == TemperatureScaling {
			checkOrder(t, own.RawRowView(i), row)
		}
		if test.C() == 2 && i > 0 {
			a, b := own.At(i, 0)-own.At(i, 1), own.At(i-1, 0)-own.At(i-1, 1)
			checkOrder(t, []float64{a, b}, []float64{row[0], probabilities.At(i-1, 0)})
		}
	}
}

// checkOrder tests that a larger score never has a smaller probability.
func checkOrder(t *testing.T, scores, probabilities []float64) {
	t.Helper()
	for a := range scores {
		for b := range a {
			if (scores[a]-scores[b])*(probabilities[a]-probabilities[b]) < 0 {
				t.Errorf("scores %v have probabilities %v", scores, probabilities)
			}
		}
	}
}

// There is a warning about the log loss if one fold's scores contradict the other folds, and for
// temperature scaling if it cannot represent unequal class shares.
func TestCalibrationWarnsOfLogLoss(t *testing.T) {
	held := func(size float64, rareEvery int) *heldOut {
		h := &heldOut{scores: mat.NewDense(40, 2, nil), classes: []string{"a", "b"}, folds: 2}
		for i := range 40 {
			class, fold := 0, i/20
			if i%rareEvery == 0 {
				class = 1
			}
			score := float64(1-2*class) + 0.1*float64(i%4)
			if fold == 1 {
				score = size * float64(1-2*class)
			}
			h.y, h.fold = append(h.y, class), append(h.fold, fold)
			h.scores.SetRow(i, []float64{score, -score})
		}
		return h
	}
	for _, scaling := range []Scaling{PlattScaling, TemperatureScaling} {
		if w := scaling.lossWarning(held(1, 2)); w != "" {
			t.Errorf("%s, scores that tell the classes apart: %s", scaling, w)
		}
		if w := scaling.lossWarning(held(-50, 2)); !strings.Contains(w, "log loss") {
			t.Errorf("%s, a fold that contradicts the other: warning %q", scaling, w)
		}
	}
	if w := TemperatureScaling.lossWarning(held(0, 10)); !strings.Contains(w, "log loss") {
		t.Errorf("one class has a tenth of the rows, scores are 0 in half: warning %q", w)
	}
}

// If the scores of the wrong class are larger, the temperature is infinite, and a warning states it.
func TestTemperatureWarnsOfEqualProbabilities(t *testing.T) {
	wrong := &heldOut{scores: mat.NewDense(2, 2, []float64{0, 1, 1, 0}), y: []int{0, 1}, classes: []string{"a", "b"}}
	if _, w := TemperatureScaling.fit(wrong, stats.Indices(2)); len(w) != 1 ||
		!strings.Contains(w[0], "all probabilities are equal") {
		t.Errorf("warnings %v", w)
	}
}

// The sigmoids are fitted to held-out scores: a simple loop over the folds gives the same sigmoids, also with
// only four rows. If the rows were not held out, their nearest neighbour would always be right.
func TestPlattCrossValidates(t *testing.T) {
	for _, perClass := range []int{2, 60} {
		train := cloud(perClass, 2, 2, 1, 9)
		recipe := &classics.KNN{K: 1}
		got := fitPair(heldOutOf(t, recipe, train), stats.Indices(train.N()), 0, stats.Pair{I: 0, J: 1})
		rng := randtest.New(5) // 1-NN draws nothing before the folds
		fold := datasettest.Folds(t, train.Y, min(5, train.N()), rng)
		f, first, right := make([]float64, train.N()), make([]bool, train.N()), 0
		for i := range f {
			in, _ := dataset.SplitFold(fold, fold[i])
			rule, err := Fit(t.Context(), recipe, train.Subset(in), nil)
			if err != nil {
				t.Fatal(err)
			}
			row := mat.NewDense(1, 2, train.X.RawRowView(i))
			s := rule.Scores(row)
			f[i], first[i] = s.At(0, 0)-s.At(0, 1), train.Y[i] == 0
			if rule.Predict(row)[0] == train.Y[i] {
				right++
			}
		}
		if want := platt.Fit(f, first); math.Abs(got.A-want.A) > 1e-6 ||
			math.Abs(got.B-want.B) > 1e-6 {
			t.Errorf("%d rows: %+v, want %+v", train.N(), got, want)
		}
		if perClass < 60 {
			continue
		}
		// the share of rows whose nearest neighbour is right; the probability equals it
		share, p := float64(right)/float64(train.N()), fitPlatt(t, recipe, train).Probabilities(train.X)
		if largest := mat.Max(p); share > 0.9 || math.Abs(largest-share) > 0.05 {
			t.Errorf("largest probability %v, the neighbour is right in %v", largest, share)
		}
	}
}

// Duplicate columns make naive Bayes overconfident; calibration corrects it.
func TestPlattCalibrates(t *testing.T) {
	double := func(s *dataset.Set) *dataset.Set {
		n, d := s.X.Dims()
		x := mat.NewDense(n, 6*d, nil)
		for i := range n {
			for j := range 6 * d {
				x.Set(i, j, s.X.At(i, j%d))
			}
		}
		return dataset.New(x, s.Y, s.C())
	}
	for _, classes := range []int{2, 3} {
		train, test := double(cloud(150, 3, classes, 1, 11)), double(cloud(1000, 3, classes, 1, 12))
		loss := func(rule *Rule) float64 {
			p, sum := rule.Probabilities(test.X), 0.0
			for i, y := range test.Y {
				sum -= math.Log(max(p.At(i, y), 1e-15)) / float64(test.N())
			}
			return sum
		}
		own, err := Fit(t.Context(), networks.NewNB(), train, nil)
		if err != nil {
			t.Fatal(err)
		}
		chance := math.Log(float64(classes))
		plain, scaled := loss(own), loss(fitPlatt(t, networks.NewNB(), train))
		if !(scaled < plain && scaled < chance) {
			t.Errorf("%d classes: log loss %v, scaled %v, chance %v", classes, plain, scaled, chance)
		}
	}
}

// Calibration of machines uses the decision values of pairs, also after imputation.
func TestPlattPairs(t *testing.T) {
	train := cloud(20, 3, 3, 2, 13)
	rng := func() *rand.Rand { return randtest.New(5) }
	plain, err := Fit(t.Context(), machines.NewSVM(), train, rng())
	if err != nil {
		t.Fatal(err)
	}
	imputed, err := Prepared(
		machines.NewSVM(),
		Preparation{Impute: dataset.ImputeMean},
	).Fit(t.Context(), train, rng())
	if err != nil {
		t.Fatal(err)
	}
	linear, err := Fit(t.Context(), machines.NewAvgW(), train, rng())
	if err != nil {
		t.Fatal(err)
	}
	want := plain.PairScores(train.X)
	if got := pairScores(imputed, train.X); !mat.Equal(got, want) {
		t.Error("other decisions behind the imputation")
	}
	for _, rule := range []*Rule{plain, linear} { // the votes of the pairs are the scores
		scores, pairs := rule.Scores(train.X), pairScores(rule, train.X)
		for i := range train.N() {
			votes := make([]float64, 3)
			for k, pair := range stats.Pairs(3) {
				if pairs.At(i, k) > 0 {
					votes[pair.I]++
				} else {
					votes[pair.J]++
				}
			}
			if !slices.Equal(votes, scores.RawRowView(i)) {
				t.Fatalf("row %d: %v, votes %v", i, votes, scores.RawRowView(i))
			}
		}
	}
}

// Infinite scores count as the most extreme finite score; no probability is NaN.
func TestPlattInfiniteScores(t *testing.T) {
	inf := math.Inf(1)
	f := mat.NewDense(6, 1, []float64{-inf, -2, -1, 1, 2, inf})
	s := fitPair(&heldOut{scores: f, y: []int{1, 1, 0, 1, 0, 0}}, stats.Indices(6), 0, stats.Pair{I: 0, J: 1})
	want := platt.Fit([]float64{-2, -2, -1, 1, 2, 2}, []bool{false, false, true, false, true, true})
	if s.Sigmoid != want || s.finite(inf) != 2 || s.finite(-inf) != -2 || s.finite(7) != 7 {
		t.Errorf("%+v, want %+v", s, want)
	}
	two := &heldOut{scores: mat.NewDense(2, 1, []float64{-inf, inf}), y: []int{1, 0}}
	all := fitPair(two, stats.Indices(2), 0, stats.Pair{I: 0, J: 1})
	if p, _ := all.Logs(all.finite(inf)); math.IsNaN(p) || !(p < 0) {
		t.Errorf("%+v: %v", all, p)
	}
}

// A class with too few rows for the folds is dropped with a warning. A classifier without scores cannot be
// calibrated.
func TestPlattRefusals(t *testing.T) {
	rule := fitPlatt(t, classics.NewLDA(), withRareClass(1, false))
	if w := rule.Warnings; len(w) == 0 || !strings.Contains(w[0], "fewer than two training rows: class 2") {
		t.Errorf("warnings %v", w)
	}
	crossValidated := fitPlatt(t, classics.NewLogistic(), withRareClass(2, false)) // a fold has one row left
	if w := crossValidated.Warnings; len(w) == 0 || !strings.Contains(w[0], "fewer than three training rows: class 2") {
		t.Errorf("warnings %v", w)
	}
	if sum := mat.Sum(rule.Probabilities(mat.NewDense(1, 3, []float64{1, 2, 3}))); math.Abs(sum-1) > 1e-9 {
		t.Errorf("probabilities sum to %v", sum)
	}
	labels := Prepared(labelsOnly{}, Preparation{Probabilities: PlattScaling})
	_, err := Fit(t.Context(), labels, cloud(5, 2, 2, 1, 1), randtest.New(1))
	errtest.Contains(t, err, "only labels")
}

type labelsOnly struct{}

func (labelsOnly) Fit(context.Context, *dataset.Set, *rand.Rand) (*Rule, error) {
	return &Rule{Labels: func(x *mat.Dense) []int { return make([]int, x.RawMatrix().Rows) }}, nil
}
