package networks

import (
	"context"
	"math"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/stats/kde"
)

// A class with tree-structured dependence is told from one with another tree;
// more than two classes are allowed, and the three choices of tree agree on the
// form of the density but not on its edges.
func TestTANIsTheTreeDensity(t *testing.T) {
	train := methodtest.CorrelatedSet(120, 3, 3, 8)
	for _, choice := range []string{treePerClass, treeShared, treePooled} {
		for _, set := range []struct {
			information string
			floor       float64
			of          string
		}{{"mi", 0, floorOfClass}, {"bcmi", 1e-200, floorOfClass}, {"mi", 0.05, floorOfData}} {
			s := NewTAN()
			s.Tree, s.Information, s.Priors = choice, set.information, method.EqualPriors
			s.Floor, s.FloorOf = set.floor, set.of
			floored := func(density float64) float64 { return math.Log(max(density, set.floor)) }
			scores := methodtest.Fit(t, s, train).Scores(train.X)
			trees, err := s.trees(context.Background(), train, nil)
			if err != nil {
				t.Fatal(err)
			}
			for c, edges := range trees {
				columns := train.Columns(train.ClassRows(c))
				one := func(i, r int) float64 {
					h, _ := kde.PlugIn.Bandwidth(columns[i])
					return floored(methodtest.PlainDensity(columns[i], h, train.X.At(r, i)))
				}
				margin := func(i, r int, variance float64) float64 {
					if set.floor > 0 { // as the paper's Eq. 3 prints it
						return one(i, r)
					}
					return math.Log(methodtest.PlainDensity(columns[i], math.Sqrt(variance), train.X.At(r, i)))
				}
				for r := 0; r < train.N(); r += 17 {
					want := -math.Log(3)
					for i := range 3 {
						want += one(i, r)
					}
					for _, e := range edges {
						h, err := kde.PlugIn.Bandwidth2(columns[e.I], columns[e.J])
						if err != nil {
							t.Fatal(err)
						}
						p := methodtest.PlainDensity2(
							columns[e.I],
							columns[e.J],
							h,
							train.X.At(r, e.I),
							train.X.At(r, e.J),
						)
						want += floored(p) - margin(e.I, r, h.XX) - margin(e.J, r, h.YY)
					}
					if math.Abs(scores.At(r, c)-want) > 1e-8 {
						t.Errorf("%s, class %d, row %d: %g, want %g", choice, c, r, scores.At(r, c), want)
					}
				}
			}
		}
	}
}

// A sample of the rows finds the tree of all of them where it is plain to see.
func TestTANLooksAtASample(t *testing.T) {
	train := methodtest.CorrelatedSet(900, 5, 2, 1)
	whole, sampled := NewTAN(), NewTAN()
	sampled.MaxRows = 150
	want, err := whole.trees(context.Background(), train, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sampled.trees(context.Background(), train, methodtest.NewRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if c := 0; !slices.Equal(got[c], want[c]) { // the class of the larger coefficient
		t.Errorf("edges %v of a sample, %v of all rows", got[c], want[c])
	}
}

// TestTANGolden: R 4.2.2, KernSmooth 2.23.20, testdata/pairwise.R.
func TestTANGolden(t *testing.T) {
	lines := golden.Lines(t, "../testdata/pairwise.csv")
	tan := NewTAN()
	tan.Bandwidth, tan.Floor = string(kde.NormalReference), 1e-300
	scores := methodtest.Fit(t, tan, methodtest.GoldenRows(1, 60)).Scores(methodtest.GoldenRows(101, 110).X)
	methodtest.CompareGolden(
		t,
		lines,
		3,
		[][]float64{mat.Col(nil, 0, scores), mat.Col(nil, 1, scores)},
		[]float64{1e-9, 1e-9},
	)
}
