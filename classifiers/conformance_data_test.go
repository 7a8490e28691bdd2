package classifiers

import (
	"context"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewSource(seed)) }

// spread is the distance of two classes' means in one column, in standard
// deviations.
const spread = 2.4

// gaussians draws n rows, of the classes 0..c-1 in turn. Column j of class k has
// mean spread ((k+j) mod c); the noise has variance 1 and correlation 1/2 between
// neighbouring columns. For c = 2, d = 3 Bayes' rule errs on about 2 in 100.
func gaussians(n, d, c int, seed uint64) *dataset.Set {
	rng := newRand(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		y[i] = i % c
		var noise float64
		for j := range d {
			fresh := rng.NormFloat64()
			if noise = noise/2 + math.Sqrt(0.75)*fresh; j == 0 {
				noise = fresh
			}
			x.Set(i, j, noise+spread*float64((y[i]+j)%c))
		}
	}
	return dataset.New(x, y, c)
}

// withColumn returns the set with another column j.
func withColumn(s *dataset.Set, j int, value func(i int) float64) *dataset.Set {
	changed := s.Subset(columns.Head(s.N()))
	for i := range s.N() {
		changed.X.Set(i, j, value(i))
	}
	return changed
}

func withLabels(s *dataset.Set, y []int) *dataset.Set {
	changed := s.WithoutDerived()
	changed.Y = y
	return changed
}

// far returns rows like those of s, but a thousand times further out.
func far(s *dataset.Set) *dataset.Set {
	distant := s.Subset(columns.Head(s.N()))
	distant.X.Scale(1e3, distant.X)
	return distant
}

// tryFit fits a fresh recipe. A panic fails the test, and so does an error that
// does not begin with the classifier's name.
func tryFit(t *testing.T, spec Spec, train *dataset.Set) (rule *Rule, err error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("Fit panics: %v\n%s", r, debug.Stack())
		}
	}()
	rule, err = Fit(context.Background(), spec.New(), train, newRand(1))
	if err != nil && !strings.HasPrefix(err.Error(), spec.Name+": ") {
		t.Errorf("the error does not begin with the classifier's name: %v", err)
	}
	return rule, err
}

func fit(t *testing.T, spec Spec, train *dataset.Set) *Rule {
	t.Helper()
	rule, err := tryFit(t, spec, train)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// checkRule tests that predictions are class codes and that scores, where there
// are any, are n x C, not NaN and largest at the prediction.
func checkRule(t *testing.T, rule *Rule, test *dataset.Set) {
	t.Helper()
	labels := rule.Predict(test.X)
	if len(labels) != test.N() {
		t.Fatalf("%d predictions for %d rows", len(labels), test.N())
	}
	for i, label := range labels {
		if label < 0 || label >= test.C() {
			t.Fatalf("row %d: class code %d of %d", i, label, test.C())
		}
	}
	if rule.Scores == nil {
		return
	}
	scores := rule.Scores(test.X)
	if n, c := scores.Dims(); n != test.N() || c != test.C() {
		t.Fatalf("%d x %d scores for %d rows and %d classes", n, c, test.N(), test.C())
	}
	for i, label := range labels {
		row := scores.RawRowView(i)
		if slices.ContainsFunc(row, math.IsNaN) {
			t.Fatalf("row %d: scores %v", i, row)
		}
		if row[label] != slices.Max(row) {
			t.Errorf("row %d: class %d with scores %v", i, label, row)
		}
	}
}

func errorRate(rule *Rule, test *dataset.Set) float64 {
	wrong := 0
	for i, label := range rule.Predict(test.X) {
		if label != test.Y[i] {
			wrong++
		}
	}
	return float64(wrong) / float64(test.N())
}

// correlatedSet draws n rows of c classes whose d columns follow a Gaussian
// chain; the classes differ in the chain's coefficient.
func correlatedSet(n, d, c int, seed uint64) *dataset.Set {
	rng := newRand(seed)
	x, y := mat.NewDense(n, d, nil), make([]int, n)
	for r := range n {
		y[r] = r % c
		for j := range d {
			v := rng.NormFloat64()
			if j > 0 {
				v += (0.9 - 1.2*float64(y[r])) * x.At(r, j-1)
			}
			x.Set(r, j, v)
		}
	}
	return dataset.New(x, y, c)
}
