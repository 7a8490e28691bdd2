package networks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

func TestNBPriorsAndFloor(t *testing.T) {
	train := methodtest.CorrelatedSet(60, 2, 2, 1).Subset(stats.Indices(40))
	kept := []int{}
	for r, label := range train.Y {
		if label == 1 || r%3 == 0 {
			kept = append(kept, r)
		}
	}
	train = train.Subset(kept)
	far := mat.NewDense(1, 2, []float64{1e6, -1e300})
	for _, priors := range []string{method.TrainingPriors, method.EqualPriors} {
		nb := NewNB()
		nb.Priors, nb.Floor = priors, 1e-7
		got := methodtest.Fit(t, nb, train).Scores(far)
		for c, prior := range method.LogPriors(train, priors) {
			want := prior
			for _, x := range train.Columns(train.ClassRows(c)) {
				want += math.Log(1e-7 / kde.StdDev(x))
			}
			if !(math.Abs(got.At(0, c)-want) <= 1e-12) {
				t.Errorf("%s priors, class %d: %v, want %v", priors, c, got.At(0, c), want)
			}
		}
	}
}

// TestNBGolden compares with ks 1.14.0 in R 4.2.2 (testdata/univariate.R). ks bins the samples for the
// bandwidths.
func TestNBGolden(t *testing.T) {
	normal, plugIn := NewNB(), NewNB()
	normal.Bandwidth = string(kde.NormalReference)
	g := golden.Columns(t, "../testdata/univariate.csv")
	check := func(c *NB, tolerance float64, names ...string) {
		t.Helper()
		scores := methodtest.Fit(t, c, methodtest.UnivariateRows()).Scores(methodtest.GoldenRows(101, 110).X)
		for class, name := range names {
			methodtest.CheckColumn(t, g, name, func(i int) float64 { return scores.At(i, class) }, tolerance)
		}
	}
	check(normal, 1e-9, "nb0", "nb1")
	check(plugIn, 0.02, "nbks0", "nbks1")
}

// The density of a variable uses the rows that have a value. A missing value of a test row is ignored.
func TestNBMissingValues(t *testing.T) {
	nan := math.NaN()
	train := methodtest.Discretised(methodtest.Gaussians(60, 3, 2, 1), 2)
	test := methodtest.Discretised(methodtest.Gaussians(20, 3, 2, 2), 2)
	for j := range 3 {
		absent := func(i int) bool { return i%5 == j }
		holes := func(s *dataset.Set) *dataset.Set {
			return methodtest.WithColumn(s, j, func(i int) float64 {
				if absent(i) {
					return nan
				}
				return s.X.At(i, j)
			})
		}
		got := methodtest.Fit(t, NewNB(), holes(train)).Scores(holes(test).X)
		var present []int
		for i := range train.N() {
			if !absent(i) {
				present = append(present, i)
			}
		}
		all := methodtest.Fit(t, NewNB(), train)
		some := methodtest.Fit(t, NewNB(), train.Subset(present))
		prior := method.LogPriors(train, method.TrainingPriors)
		priorOfSome := method.LogPriors(train.Subset(present), method.TrainingPriors)
		for i := range test.N() {
			row := test.X.Slice(i, i+1, 0, 3).(*mat.Dense)
			own := func(rule *method.Rule, prior []float64, c int, kept ...int) float64 {
				other := mat.DenseCopyOf(row)
				for k := range 3 {
					if !slices.Contains(kept, k) {
						other.Set(0, k, nan)
					}
				}
				return rule.Scores(other).At(0, c) - prior[c]
			}
			for c := range 2 {
				want := prior[c]
				for k := range 3 {
					switch {
					case k != j:
						want += own(all, prior, c, k)
					case !absent(i):
						want += own(some, priorOfSome, c, k)
					}
				}
				if math.Abs(got.At(i, c)-want) > 1e-9 {
					t.Fatalf("column %d, row %d, class %d: %v, want %v", j, i, c, got.At(i, c), want)
				}
			}
		}
	}
}

// A variable without values in a class is ignored.
func TestNBWithoutValuesInAClass(t *testing.T) {
	train := methodtest.Gaussians(60, 3, 2, 1)
	empty := methodtest.WithColumn(train, 1, func(i int) float64 {
		if train.Y[i] == 0 {
			return math.NaN()
		}
		return train.X.At(i, 1)
	})
	rule := methodtest.Fit(t, NewNB(), empty)
	if len(rule.Warnings) != 1 || !strings.Contains(rule.Warnings[0], "the classifier ignores it") {
		t.Errorf("warnings %q", rule.Warnings)
	}
	x := mat.DenseCopyOf(train.X)
	for i := range train.N() {
		x.Set(i, 1, float64(i))
	}
	methodtest.CheckRule(t, rule, dataset.New(x, train.Y, 2))
	if !mat.Equal(rule.Scores(x), rule.Scores(train.X)) {
		t.Error("the scores depend on the variable")
	}
}
