package densities

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/classifiers/classics"
	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
	"copse/stats/kde"
)

// TestFANSRatios: the columns are log ratios of the kernel densities of the first half. In FANS2, the
// variables follow.
func TestFANSRatios(t *testing.T) {
	train, test := methodtest.Gaussians(60, 3, 2, 1), methodtest.Gaussians(20, 3, 2, 2)
	fold := datasettest.Folds(t, crossval.Strata(train.Y, crossval.ClassesByFirstRow), 2, randtest.New(1))
	first, _ := dataset.SplitFold(fold, 1)
	half := train.Subset(first)
	split, err := NewFANS().split(t.Context(), columns.NewScaled(train, true), train, randtest.New(1))
	if err != nil {
		t.Fatal(err)
	}
	z, err := split.columns(t.Context(), test.X)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 3 {
		for i := range test.N() {
			var logs [2]float64
			for c := range logs {
				x := half.Columns(half.ClassRows(c))[j]
				h, err := kde.NormalReference.Bandwidth(x)
				if err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for _, v := range x {
					sum += distuv.Normal{Mu: v, Sigma: h}.Prob(test.X.At(i, j)) / float64(len(x))
				}
				logs[c] = math.Log(sum)
			}
			if want := logs[1] - logs[0]; math.Abs(logs[0]) < 15 && math.Abs(logs[1]) < 15 &&
				math.Abs(z.At(i, j)-want) > 1e-6 {
				t.Errorf("row %d, column %d: %v, want %v", i, j, z.At(i, j), want)
			}
			if r := (test.X.At(i, j) - test.X.At(0, j)) / (test.X.At(1, j) - test.X.At(0, j)); math.Abs(
				(z.At(i, 3+j)-z.At(0, 3+j))/(z.At(1, 3+j)-z.At(0, 3+j))-r,
			) > 1e-9 {
				t.Errorf("row %d: column %d is not there", i, j)
			}
		}
	}
}

// TestFANSAverages: two splits give the mean of the results of each split.
func TestFANSAverages(t *testing.T) {
	train, test := methodtest.Gaussians(60, 3, 2, 1), methodtest.Gaussians(20, 3, 2, 2)
	rng, one, two := randtest.New(3), NewFANS(), NewFANS()
	one.Splits, two.Splits = 1, 2
	sum := mat.NewDense(20, 2, nil)
	for range 2 {
		rule, err := one.Fit(t.Context(), train, rng)
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(sum, rule.Scores(test.X))
	}
	sum.Scale(0.5, sum)
	both, err := two.Fit(t.Context(), train, randtest.New(3))
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(both.Scores(test.X), sum, 1e-14) {
		t.Error("two splits are not the mean of both")
	}
}

// TestFANSBendsTheBoundary: if classes differ only in their spread, FANS is nearly as good as Bayes' rule,
// and logistic regression is no better than chance.
func TestFANSBendsTheBoundary(t *testing.T) {
	draw := func(n int, seed uint64) *dataset.Set {
		rng := randtest.New(seed)
		x, y := mat.NewDense(n, 4, nil), make([]int, n)
		for i := range n {
			y[i] = i % 2
			for j := range 4 {
				x.Set(i, j, rng.NormFloat64()*float64(1+2*y[i]))
			}
		}
		return dataset.New(x, y, 2)
	}
	train, test := draw(400, 1), draw(2000, 2)
	oracle := method.NewBayes([]float64{0, 0}, func(c int, x []float64) (sum float64) {
		for _, v := range x {
			sum += distuv.Normal{Sigma: float64(1 + 2*c)}.LogProb(v)
		}
		return sum
	})
	floor := methodtest.ErrorRate(oracle, test)
	for _, recipe := range []method.Classifier{NewFANS(), NewFANS2()} {
		if e := methodtest.ErrorRate(methodtest.Fit(t, recipe, train), test); e > floor+0.04 {
			t.Errorf("%T errs %g, Bayes' rule %g", recipe, e, floor)
		}
	}
	if e := methodtest.ErrorRate(methodtest.Fit(t, classics.NewLogistic(), train), test); e < 0.4 {
		t.Errorf("logistic regression errs %g", e)
	}
}
