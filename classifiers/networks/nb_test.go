package networks

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/stats/kde"
)

func TestNBPriorsAndFloor(t *testing.T) {
	train := methodtest.CorrelatedSet(60, 2, 2, 1).Subset(columns.Head(40))
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

// TestNBGolden: R 4.2.2, ks 1.14.0, testdata/univariate.R. ks bins the samples for the
// bandwidths.
func TestNBGolden(t *testing.T) {
	normal, plugIn := NewNB(), NewNB()
	normal.Bandwidth = string(kde.NormalReference)
	var got [][]float64
	for _, c := range []*NB{normal, plugIn} {
		scores := methodtest.Fit(t, c, methodtest.UnivariateRows()).Scores(methodtest.GoldenRows(101, 110).X)
		got = append(got, mat.Col(nil, 0, scores), mat.Col(nil, 1, scores))
	}
	methodtest.CompareGolden(
		t,
		golden.Lines(t, "../testdata/univariate.csv"),
		2,
		got,
		[]float64{1e-9, 1e-9, 0.02, 0.02},
	)
}
