package chebyshev

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/recipe"
)

// The copies that mislead generative rules do not mislead DCC: it predicts S, whose error is 10 percent.
func TestDCCToy(t *testing.T) {
	train, test := methodtest.ToySet(2500, 8, 1), methodtest.ToySet(2500, 8, 2)
	for _, c := range []method.Classifier{NewDCC(), NewGreedyDCC()} {
		rule := methodtest.Fit(t, c, train)
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
	if e := methodtest.ErrorRate(methodtest.Fit(t, onTree, train), test); e > 0.2 {
		t.Errorf("error %v on TAN's tree, twice that of S is 0.2", e)
	}
}

// withRidge returns DCC with a fixed ridge.
func withRidge(ridge float64) *DCC {
	c := NewDCC()
	c.Ridge, c.Ridges = ridge, nil
	return c
}

// A ridge together with candidates is an error that names both remedies.
func TestDCCRefusesAnIgnoredRidge(t *testing.T) {
	c := NewDCC()
	c.Ridge = 0.1
	var mistake *recipe.Error
	if err := c.Validate(); !errors.As(err, &mistake) || mistake.Key != "ridge" ||
		!strings.Contains(mistake.Msg, "`ridges: [0.1]`") {
		t.Errorf("error %v", err)
	}
	c.Pin(2)
	if err := c.Validate(); err != nil {
		t.Errorf("version 2, which has no candidates: %v", err)
	}
}

// With one attribute the rule is the more frequent label of each level.
func TestDCCOneAttribute(t *testing.T) {
	train := methodtest.DiscreteSet(
		[][]float64{{0}, {0}, {0}, {1}, {1}, {2}, {2}, {2}},
		[]int{0, 1, 1, 0, 0, 2, 2, 1},
		[]int{4},
		3,
	)
	for _, c := range []method.Classifier{NewDCC(), NewGreedyDCC()} {
		got := methodtest.Fit(t, c, train).Predict(mat.NewDense(4, 1, []float64{0, 1, 2, 3}))
		// Level 3 was never seen: labels 0 and 1 are the most frequent, 0 is first.
		if want := []int{1, 0, 2, 0}; !slices.Equal(got, want) {
			t.Errorf("%T: %v, want %v", c, got, want)
		}
	}
}

// If the features carry no information, DCC predicts the more frequent label.
func TestDCCTie(t *testing.T) {
	rows := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}
	equal := methodtest.DiscreteSet(slices.Concat(rows, rows), []int{0, 0, 0, 0, 1, 1, 1, 1}, []int{2, 2}, 2)
	more := methodtest.DiscreteSet(
		slices.Concat(rows, rows, rows),
		[]int{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
		[]int{2, 2},
		2,
	)
	for _, c := range []method.Classifier{NewDCC(), NewGreedyDCC()} {
		if got := methodtest.Fit(t, c, equal).Predict(equal.X); slices.Max(got) != 0 {
			t.Errorf("%T: %v, want the first of two equally frequent labels", c, got)
		}
		if got := methodtest.Fit(t, c, more).Predict(equal.X); slices.Min(got) != 1 {
			t.Errorf("%T: %v, want the more frequent label", c, got)
		}
	}
}

// DCC gives the same result if numeric attributes are discretised beforehand.
func TestDCCDiscretises(t *testing.T) {
	train, test := methodtest.Gaussians(90, 4, 3, 1), methodtest.Gaussians(60, 4, 3, 2)
	cut := dataset.FitDiscretiser(train, 5)
	for _, c := range []method.Classifier{NewDCC(), NewGreedyDCC()} {
		numeric, discrete := methodtest.Fit(t, c, train), methodtest.Fit(t, c, dataset.Transformed(train, cut))
		if !mat.Equal(numeric.Scores(test.X), discrete.Scores(cut.Apply(test.X))) {
			t.Errorf("%T: other scores", c)
		}
	}
}

// On the toy problem, the error hardly increases if a quarter of the training values are missing, as in
// section 8.3. Rows without S are predicted from the other attributes.
func TestDCCMissing(t *testing.T) {
	hidden, test := methodtest.Incomplete(methodtest.ToySet(2500, 4, 1), 3), methodtest.ToySet(1000, 4, 2)
	withoutS := methodtest.WithColumn(test, 0, func(int) float64 { return math.NaN() })
	for _, c := range []method.Classifier{NewDCC(), NewGreedyDCC()} {
		rule := methodtest.Fit(t, c, hidden)
		if w := rule.Warnings; len(w) > 0 {
			t.Errorf("%T: %v", c, w)
		}
		if e := methodtest.ErrorRate(rule, test); e > 0.13 {
			t.Errorf("%T: error %v, of S 0.1", c, e)
		}
		methodtest.CheckRule(t, rule, withoutS)
	}
}

// Attributes that are constant or have no values in a class are left out with a warning.
func TestDCCLeavesAttributesOut(t *testing.T) {
	train, test := methodtest.Gaussians(61, 3, 2, 1), methodtest.Gaussians(100, 3, 2, 2)
	emptyInClass := func(i int) float64 { // a value in class 1 only
		if train.Y[i] == 0 {
			return math.NaN()
		}
		return float64(i % 5)
	}
	constant := func(int) float64 { return 7 }
	for _, c := range []method.Classifier{NewDCC(), NewGreedyDCC()} {
		for _, column := range []func(int) float64{emptyInClass, constant} {
			rule := methodtest.Fit(t, c, methodtest.WithColumn(train, 1, column))
			if len(rule.Warnings) != 1 || !strings.HasPrefix(rule.Warnings[0], `column "x2" `) {
				t.Errorf("%T: warnings %q", c, rule.Warnings)
			}
			moved := methodtest.WithColumn(test, 1, func(i int) float64 { return float64(i) })
			if !slices.Equal(rule.Predict(test.X), rule.Predict(moved.X)) {
				t.Errorf("%T: labels depend on the column that is left out", c)
			}
		}
		allConstant := dataset.New(mat.NewDense(61, 2, nil), train.Y, 2)
		if rule := methodtest.Fit(t, c, allConstant); len(rule.Warnings) != 2 {
			t.Errorf("%T: warnings %q", c, rule.Warnings)
		}
	}
}

// Older versions keep such attributes.
func TestOldDCC(t *testing.T) {
	s := NewDCC()
	s.Pin(3)
	constant := dataset.New(mat.NewDense(2, 3, nil), []int{0, 1}, 2)
	if f, warnings := s.features(constant, 5); len(f.Levels) != 3 || warnings != nil || len(s.Ridges) != 5 {
		t.Errorf("%v, warnings %v, %v", f, warnings, s)
	}
}

func TestDCCWarns(t *testing.T) {
	c := withRidge(leastRidge)
	c.Tolerance, c.Absolute, c.MaxIterations = 1e-9, 0, 1
	w := methodtest.Fit(t, c, methodtest.Gaussians(60, 4, 3, 1)).Warnings
	if len(w) != 1 || !strings.Contains(w[0], "after 40 iterations") {
		t.Errorf("warnings %q", w)
	}
}

// The warning recommends a larger tolerance only if the gap between the bounds meets it. After one iteration, the
// lower bound is 0, and no tolerance below 1 suffices.
func TestDCCRecommendsATolerance(t *testing.T) {
	c := withRidge(leastRidge)
	c.MaxIterations = 1
	if w := methodtest.Fit(t, c, methodtest.Gaussians(60, 4, 3, 1)).Warnings; len(w) != 1 ||
		!strings.HasSuffix(w[0], "above the optimum: raise max_iterations") {
		t.Errorf("after one iteration: warnings %q", w)
	}
	c.MaxIterations = 300
	c.Tolerance, c.Absolute = 1e-9, 0
	train := methodtest.ToySet(300, 3, 1)
	w := methodtest.Fit(t, c, train).Warnings
	if len(w) != 1 {
		t.Fatalf("warnings %q", w)
	}
	_, number, _ := strings.Cut(w[0], "raise max_iterations, or set tolerance to ")
	tolerance, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatalf("warning %q", w[0])
	}
	c.Tolerance = tolerance
	if w := methodtest.Fit(t, c, train).Warnings; len(w) != 0 {
		t.Errorf("with tolerance %v: warnings %q", tolerance, w)
	}
}

// The box affects only problems without a ridge, and the warning states this.
func TestDCCWarnsOfTheBox(t *testing.T) {
	train := methodtest.Gaussians(60, 4, 3, 1)
	c := withRidge(leastRidge)
	c.Box = 1e-3
	if w := methodtest.Fit(t, c, train).Warnings; len(w) != 0 {
		t.Errorf("with a ridge: warnings %q", w)
	}
	c.Ridge = 0
	if w := methodtest.Fit(t, c, train).Warnings; len(w) == 0 || !strings.Contains(w[len(w)-1], "raise box") {
		t.Errorf("without a ridge: warnings %q", w)
	}
}

// The scores are a function of the sample: the order of rows and attributes changes them only within the
// tolerance.
func TestDCCIgnoresTheOrder(t *testing.T) {
	train, test := methodtest.ToySet(300, 3, 1), methodtest.ToySet(200, 3, 2)
	n, d := train.X.Dims()
	rng := randtest.New(3)
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
	a := methodtest.Fit(t, withRidge(leastRidge), train).Scores(test.X)
	b := methodtest.Fit(t, withRidge(leastRidge), shuffled).Scores(other)
	var apart mat.Dense
	apart.Sub(a, b)
	if largest := max(mat.Max(&apart), -mat.Min(&apart)); largest > 0.02 {
		t.Errorf("scores up to %v apart", largest)
	}
}

func TestConditionalInformation(t *testing.T) {
	// For y = 0 the attributes are independent: 0. For y = 1 one is a copy of a fair bit: log 2.
	table := []float64{0.1, 0.1, 0.15, 0.15, 0.25, 0, 0, 0.25}
	if got, want := conditionalInformation(table, 2, 2, 2), 0.5*math.Ln2; math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkDCCPredictToy51(b *testing.B) {
	train := methodtest.ToySet(2500, 20, 1)
	rule, err := NewDCC().Fit(b.Context(), train, randtest.New(1))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rule.Predict(train.X)
	}
}

func BenchmarkDCCNumeric20(b *testing.B) {
	methodtest.BenchmarkFit(b, NewDCC(), methodtest.Gaussians(500, 20, 2, 1))
}
func BenchmarkGDCCNumeric20(b *testing.B) {
	methodtest.BenchmarkFit(b, NewGreedyDCC(), methodtest.Gaussians(500, 20, 2, 1))
}

// The chosen ridge is the smallest of those with the fewest cross-validation errors.
func TestDCCChoosesRidge(t *testing.T) {
	train, test := methodtest.ToySet(90, 2, 1), methodtest.ToySet(200, 2, 2)
	candidates := []float64{10, 1e-6, 0.1, 1e-3}
	fold, folds, err := crossval.Folds(train, 5, crossval.ClassesByFirstRow, randtest.New(3))
	if err != nil {
		t.Fatal(err)
	}
	errorsOf := func(ridge float64) (wrong int) {
		for f := range folds {
			in, out := dataset.SplitFold(fold, f)
			held := train.Subset(out)
			for i, label := range methodtest.Fit(t, withRidge(ridge), train.Subset(in)).Predict(held.X) {
				if label != held.Y[i] {
					wrong++
				}
			}
		}
		return wrong
	}
	best, fewest, most := 0.0, train.N()+1, 0
	for _, ridge := range slices.Sorted(slices.Values(candidates)) {
		wrong := errorsOf(ridge)
		most = max(most, wrong)
		if wrong < fewest {
			best, fewest = ridge, wrong
		}
	}
	if most == fewest {
		t.Fatal("all candidates have equally many errors, so the test has no power")
	}
	choosing := NewDCC()
	choosing.Ridges = candidates
	got, err := choosing.Fit(t.Context(), train, randtest.New(3))
	if err != nil {
		t.Fatal(err)
	}
	methodtest.SameScores(t, got, methodtest.Fit(t, withRidge(best), train), test.X, 0)
}
