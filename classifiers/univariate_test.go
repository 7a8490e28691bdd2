package classifiers

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/internal/golden"
	"copse/stats/kde"
)

// TestUnivariateGolden: R 4.2.2, e1071 1.7-13, ks 1.14.0, testdata/univariate.R.
// libsvm holds its kernel matrix in single precision; ks bins the samples for
// the bandwidths.
func TestUnivariateGolden(t *testing.T) {
	lines := golden.Lines(t, "testdata/univariate.csv")
	all, test := goldenRows(1, 60), goldenRows(101, 110)
	var kept []int
	for r := range all.N() {
		if (r+1)%4 != 0 {
			kept = append(kept, r)
		}
	}
	train := all.Subset(kept)
	lu, nb, nbks := NewLU(), NewNB(), NewNB()
	lu.Tolerance = 1e-9
	lu.Bandwidth, nb.Bandwidth = string(kde.NormalReference), string(kde.NormalReference)
	got := [][]float64{mat.Col(nil, 1, mustFit(t, lu, train).Scores(test.X))}
	for _, c := range []Classifier{nb, nbks} {
		scores := mustFit(t, c, train).Scores(test.X)
		got = append(got, mat.Col(nil, 0, scores), mat.Col(nil, 1, scores))
	}
	compareGolden(t, lines, got, []float64{1e-4, 1e-9, 1e-9, 0.02, 0.02})
}

func TestNBPriorsAndFloor(t *testing.T) {
	train := correlatedSet(60, 2, 2, 1).Subset(columns.Head(40))
	kept := []int{}
	for r, label := range train.Y {
		if label == 1 || r%3 == 0 {
			kept = append(kept, r)
		}
	}
	train = train.Subset(kept)
	far := mat.NewDense(1, 2, []float64{1e6, -1e300})
	for _, priors := range []string{trainingPriors, equalPriors} {
		nb := NewNB()
		nb.Priors, nb.Floor = priors, 1e-7
		got := mustFit(t, nb, train).Scores(far)
		for c, prior := range logPriors(train, priors) {
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

// d = 20, 1000 training and 1000 test rows.
func BenchmarkUnivariate(b *testing.B) {
	train, test := correlatedSet(1000, 20, 2, 1), correlatedSet(1000, 20, 2, 2)
	for name, c := range map[string]Classifier{"nb": NewNB(), "lu": NewLU()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rule, err := Fit(context.Background(), c, train, nil)
				if err != nil {
					b.Fatal(err)
				}
				rule.Predict(test.X)
			}
		})
	}
}
