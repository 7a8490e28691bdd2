package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// discreteSet returns a set of discrete attributes with the given numbers of
// levels.
func discreteSet(rows [][]float64, y []int, levels []int, classes int) *dataset.Set {
	x := mat.NewDense(len(rows), len(levels), nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	s := dataset.New(x, y, classes)
	for j, d := range levels {
		s.Attributes[j].Kind = dataset.Discrete
		for v := range d {
			s.Attributes[j].Levels = append(s.Attributes[j].Levels, fmt.Sprint(v))
		}
	}
	return s
}

// toySet draws n rows of section 8.1 of Eban et al. with k copies and k
// exclusive ors: S, W_1..W_10, C_1..C_k, D_1..D_k.
func toySet(n, k int, seed uint64) *dataset.Set {
	rng := newRand(seed)
	rows, y := make([][]float64, n), make([]int, n)
	flip := func(y int, p float64) int {
		if rng.Float64() < p {
			return 1 - y
		}
		return y
	}
	for r := range n {
		y[r] = rng.Intn(2)
		x := []float64{float64(flip(y[r], 0.1))}
		w := make([]int, 10)
		for i := range w {
			w[i] = flip(y[r], 0.4)
			x = append(x, float64(w[i]))
		}
		for range k {
			x = append(x, float64(w[0]))
		}
		for i := range k {
			x = append(x, float64(w[i%10]^w[(i+1+i/10)%10]))
		}
		rows[r] = x
	}
	return discreteSet(rows, y, slices.Repeat([]int{2}, 2*k+11), 2)
}

func fitWith(t *testing.T, c Classifier, train *dataset.Set) *Rule {
	t.Helper()
	rule, err := Fit(context.Background(), c, train, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// DCC sees through the copies that mislead generative rules: it predicts S,
// whose error is 10 %.
func TestDCCToy(t *testing.T) {
	train, test := toySet(2500, 8, 1), toySet(2500, 8, 2)
	for _, c := range []Classifier{NewDCC(), NewGreedyDCC()} {
		rule := fitWith(t, c, train)
		if w := rule.Warnings; len(w) > 0 {
			t.Errorf("%T: %v", c, w)
		}
		for i, label := range rule.Predict(test.X) {
			if float64(label) != test.X.At(i, 0) {
				t.Fatalf("%T: row %d: label %d, S is %v", c, i+1, label, test.X.At(i, 0))
			}
		}
	}
	onTree := NewDCC()
	onTree.Edges = tanTree
	if e := errorRate(fitWith(t, onTree, train), test); e > 0.2 {
		t.Errorf("error %v on TAN's tree, twice that of S is 0.2", e)
	}
}

// With one attribute the rule is the more frequent label of each level.
func TestDCCOneAttribute(t *testing.T) {
	train := discreteSet([][]float64{{0}, {0}, {0}, {1}, {1}, {2}, {2}, {2}}, []int{0, 1, 1, 0, 0, 2, 2, 1}, []int{4}, 3)
	for _, c := range []Classifier{NewDCC(), NewGreedyDCC()} {
		got := fitWith(t, c, train).Predict(mat.NewDense(4, 1, []float64{0, 1, 2, 3}))
		// Level 3 was never seen: labels 0 and 1 are the most frequent, 0 is first.
		if want := []int{1, 0, 2, 0}; !slices.Equal(got, want) {
			t.Errorf("%T: %v, want %v", c, got, want)
		}
	}
}

// Features that say nothing leave the more frequent label.
func TestDCCTie(t *testing.T) {
	rows := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	equal := discreteSet(slices.Concat(rows, rows), []int{0, 0, 0, 0, 1, 1, 1, 1}, []int{2, 2}, 2)
	more := discreteSet(slices.Concat(rows, rows, rows), []int{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, []int{2, 2}, 2)
	for _, c := range []Classifier{NewDCC(), NewGreedyDCC()} {
		if got := fitWith(t, c, equal).Predict(equal.X); slices.Max(got) != 0 {
			t.Errorf("%T: %v, want the first of two equally frequent labels", c, got)
		}
		if got := fitWith(t, c, more).Predict(equal.X); slices.Min(got) != 1 {
			t.Errorf("%T: %v, want the more frequent label", c, got)
		}
	}
}

// Cutting numeric attributes first changes nothing.
func TestDCCDiscretises(t *testing.T) {
	train, test := gaussians(90, 4, 3, 1), gaussians(60, 4, 3, 2)
	cut := dataset.FitDiscretiser(train, 5)
	for _, c := range []Classifier{NewDCC(), NewGreedyDCC()} {
		numeric, discrete := fitWith(t, c, train), fitWith(t, c, dataset.Transformed(train, cut))
		if !mat.Equal(numeric.Scores(test.X), discrete.Scores(cut.Apply(test.X))) {
			t.Errorf("%T: other scores", c)
		}
	}
}

func TestDCCRefusesCodes(t *testing.T) {
	for _, v := range []float64{2, -1, 0.5} {
		train := discreteSet([][]float64{{0, 1}, {1, v}}, []int{0, 1}, []int{2, 2}, 2)
		for _, c := range []Classifier{NewDCC(), NewGreedyDCC()} {
			_, err := Fit(context.Background(), c, train, newRand(1))
			if err == nil || !strings.Contains(err.Error(), `row 2, column "x2"`) {
				t.Errorf("%T: code %v: error %v", c, v, err)
			}
		}
	}
}

// A quarter of the training values missing, as in section 8.3, hardly hurts on
// the toy problem; rows without S are predicted from what is left.
func TestDCCMissing(t *testing.T) {
	hidden, test := incomplete(toySet(2500, 4, 1), 3), toySet(1000, 4, 2)
	withoutS := withColumn(test, 0, func(int) float64 { return math.NaN() })
	for _, c := range []Classifier{NewDCC(), NewGreedyDCC()} {
		rule := fitWith(t, c, hidden)
		if w := rule.Warnings; len(w) > 0 {
			t.Errorf("%T: %v", c, w)
		}
		if e := errorRate(rule, test); e > 0.13 {
			t.Errorf("%T: error %v, of S 0.1", c, e)
		}
		checkRule(t, rule, withoutS)
	}
}

func TestDCCWarns(t *testing.T) {
	c := NewDCC()
	c.Tolerance, c.Absolute, c.MaxIterations = 1e-9, 0, 1
	w := fitWith(t, c, gaussians(60, 4, 3, 1)).Warnings
	if len(w) != 1 || !strings.Contains(w[0], "after 40 iterations") {
		t.Errorf("warnings %q", w)
	}
}

// The box concerns problems without a ridge alone, and the warning says so.
func TestDCCWarnsOfTheBox(t *testing.T) {
	train := gaussians(60, 4, 3, 1)
	c := NewDCC()
	c.Box = 1e-3
	if w := fitWith(t, c, train).Warnings; len(w) != 0 {
		t.Errorf("with a ridge: warnings %q", w)
	}
	c.Ridge = 0
	if w := fitWith(t, c, train).Warnings; len(w) == 0 || !strings.Contains(w[len(w)-1], "raise box") {
		t.Errorf("without a ridge: warnings %q", w)
	}
}

// The scores are a function of the sample: the order of rows and attributes
// changes them within the tolerance alone.
func TestDCCIgnoresTheOrder(t *testing.T) {
	train, test := toySet(300, 3, 1), toySet(200, 3, 2)
	n, d := train.X.Dims()
	rng := newRand(3)
	rows, columns := rng.Perm(n), rng.Perm(d)
	x, y, other := mat.NewDense(n, d, nil), make([]int, n), mat.NewDense(200, d, nil)
	for i, r := range rows {
		y[i] = train.Y[r]
		for j, c := range columns {
			x.Set(i, j, train.X.At(r, c))
		}
	}
	for i := range 200 {
		for j, c := range columns {
			other.Set(i, j, test.X.At(i, c))
		}
	}
	shuffled := &dataset.Set{X: x, Y: y, Attributes: train.Attributes, Classes: train.Classes}
	a := fitWith(t, NewDCC(), train).Scores(test.X)
	b := fitWith(t, NewDCC(), shuffled).Scores(other)
	var apart mat.Dense
	apart.Sub(a, b)
	if largest := max(mat.Max(&apart), -mat.Min(&apart)); largest > 0.02 {
		t.Errorf("scores up to %v apart", largest)
	}
}

func TestConditionalInformation(t *testing.T) {
	// y = 0: independent, nothing; y = 1: a copy of a fair bit, log 2.
	table := []float64{0.1, 0.1, 0.15, 0.15, 0.25, 0, 0, 0.25}
	if got, want := conditionalInformation(table, 2, 2, 2), 0.5*math.Ln2; math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v", got, want)
	}
}

func benchmarkFit(b *testing.B, c Classifier, train *dataset.Set) {
	for b.Loop() {
		if _, err := Fit(context.Background(), c, train.WithoutDerived(), newRand(1)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDCCPredictToy51(b *testing.B) {
	train := toySet(2500, 20, 1)
	rule, err := Fit(context.Background(), NewDCC(), train, newRand(1))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rule.Predict(train.X)
	}
}

func BenchmarkDCCNumeric20(b *testing.B)  { benchmarkFit(b, NewDCC(), gaussians(500, 20, 2, 1)) }
func BenchmarkGDCCNumeric20(b *testing.B) { benchmarkFit(b, NewGreedyDCC(), gaussians(500, 20, 2, 1)) }
