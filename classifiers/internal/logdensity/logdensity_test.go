package logdensity

import (
	"context"
	"math"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// correlatedSet draws n rows of c classes whose d columns follow a Gaussian
// chain; the classes differ in the chain's coefficient.
func correlatedSet(n, d, c int, seed uint64) *dataset.Set {
	rng := rand.New(rand.NewSource(seed))
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

// A held-out row's features are those of an estimate from the other folds'
// rows with the whole sample's bandwidths.
func TestCrossFeaturesAgainstPlainEstimates(t *testing.T) {
	train := correlatedSet(61, 3, 2, 1)
	fold, err := dataset.StratifiedFolds(train.Y, 2, 4, nil)
	if err != nil {
		t.Fatal(err)
	}
	entries := append(Univariate(2, 3), Pairs(2, 3)...)
	for _, rule := range []kde.Rule{kde.PlugIn, kde.NormalReference, kde.Matlab} {
		features, err := Fit(context.Background(), train, rule, 1e-10, entries)
		if err != nil {
			t.Fatal(err)
		}
		all, without, err := features.CrossFeatures(context.Background(), train, fold, 4)
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range entries {
			rows := train.ClassRows(e.Class)
			columns := train.Columns(rows)
			for f := -1; f < 4; f++ {
				var u, v []float64
				for i, r := range rows {
					if fold[r] != f {
						u, v = append(u, columns[e.I][i]), append(v, columns[e.J][i])
					}
				}
				got := all
				if f >= 0 {
					got = without[f]
				}
				for r := range train.N() {
					p := 0.0
					if e.I == e.J {
						h, _ := rule.Bandwidth(columns[e.I])
						p = plainDensity(u, h, train.X.At(r, e.I))
					} else {
						h, _ := rule.Bandwidth2(columns[e.I], columns[e.J])
						p = plainDensity2(u, v, h, train.X.At(r, e.I), train.X.At(r, e.J))
					}
					want := math.Log(max(p, 1e-10))
					if g := got.At(r, k); !(math.Abs(g-want) <= 1e-10*max(1, math.Abs(want))) {
						t.Fatalf("%s, entry %v, without fold %d, row %d: %v, want %v", rule, e, f, r, g, want)
					}
				}
			}
		}
	}
}

func plainDensity(x []float64, h, t float64) float64 {
	sum := 0.0
	for _, xi := range x {
		sum += math.Exp(-0.5*(t-xi)*(t-xi)/(h*h)) / (h * math.Sqrt(2*math.Pi))
	}
	return sum / float64(len(x))
}

func plainDensity2(x, y []float64, h kde.H2, s, t float64) float64 {
	det := h.XX*h.YY - h.XY*h.XY
	sum := 0.0
	for i := range x {
		a, b := s-x[i], t-y[i]
		sum += math.Exp(-0.5*(h.YY*a*a-2*h.XY*a*b+h.XX*b*b)/det) / (2 * math.Pi * math.Sqrt(det))
	}
	return sum / float64(len(x))
}

// d = 20, 1000 training and 1000 test rows, all 420 entries.
func BenchmarkLogDensities(b *testing.B) {
	train, test := correlatedSet(1000, 20, 2, 1), correlatedSet(1000, 20, 2, 2)
	entries := append(Univariate(2, 20), Pairs(2, 20)...)
	fold, err := dataset.StratifiedFolds(train.Y, 2, 5, nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	for _, rule := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
		b.Run(string(rule)+"/fit", func(b *testing.B) {
			for b.Loop() {
				if _, err := Fit(ctx, train.Anew(), rule, 1e-10, entries); err != nil {
					b.Fatal(err)
				}
			}
		})
		features, err := Fit(ctx, train, rule, 1e-10, entries)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(string(rule)+"/test rows", func(b *testing.B) {
			for b.Loop() {
				features.Features(ctx, test.X)
			}
		})
		b.Run(string(rule)+"/training rows with 5 folds", func(b *testing.B) {
			for b.Loop() {
				features.CrossFeatures(ctx, train, fold, 5)
			}
		})
	}
}
