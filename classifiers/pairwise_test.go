package classifiers

import (
	"context"
	"math"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/internal/golden"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// goldenRows returns the given rows of testdata/pairwise.R.
func goldenRows(from, to int) *dataset.Set {
	x, y := mat.NewDense(to-from+1, 3, nil), make([]int, to-from+1)
	for i := from; i <= to; i++ {
		k := float64(i)
		a, b, c := 2*math.Sin(3*k), math.Cos(1.7*k*k), math.Sin(k*k+0.5)
		y[i-from] = i % 2
		if i%2 == 0 {
			x.SetRow(i-from, []float64{a, 0.8*a + b, c})
		} else {
			x.SetRow(i-from, []float64{a, b, c - 0.9*b})
		}
	}
	return dataset.New(x, y, 2)
}

// mustFit fits or ends the test.
func mustFit(t *testing.T, c Classifier, train *dataset.Set) *Rule {
	t.Helper()
	rule, err := Fit(context.Background(), c, train, rand.New(rand.NewSource(1)))
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// compareGolden compares column k of what R wrote with got[k-1].
func compareGolden(t *testing.T, lines [][]string, got [][]float64, tolerances []float64) {
	t.Helper()
	for i, line := range lines[1:] {
		for k, column := range got {
			want := golden.Number(t, line[k+1])
			if !(math.Abs(column[i]-want) <= tolerances[k]) {
				t.Errorf("row %d, %s: %.10g, want %.10g", i+1, lines[0][k+1], column[i], want)
			}
		}
	}
}

// TestPairwiseGolden: R 4.2.2, e1071 1.7-13, KernSmooth 2.23.20,
// testdata/pairwise.R. libsvm, inside e1071, holds its kernel matrix in single
// precision, hence the wider tolerance of the machines.
func TestPairwiseGolden(t *testing.T) {
	lines := golden.Lines(t, "testdata/pairwise.csv")
	minus, forest, tan := NewSLBMinus(), NewForestDens(), NewTAN()
	minus.Tolerance, forest.Tolerance = 1e-9, 1e-9
	tan.Bandwidth, tan.Floor = string(kde.NormalReference), 1e-300
	train, test := goldenRows(1, 60), goldenRows(101, 110)
	got := [][]float64{}
	for _, c := range []Classifier{minus, forest} {
		got = append(got, mat.Col(nil, 1, mustFit(t, c, train).Scores(test.X)))
	}
	scores := mustFit(t, tan, train).Scores(test.X)
	got = append(got, mat.Col(nil, 0, scores), mat.Col(nil, 1, scores))
	compareGolden(t, lines, got, []float64{1e-4, 1e-4, 1e-9, 1e-9})
}

// slb with one candidate that filters nothing is slb-; with one that filters
// every pair it is lu.
func TestThresholdExtremes(t *testing.T) {
	train, test := correlatedSet(80, 4, 2, 1), correlatedSet(50, 4, 2, 2)
	for _, bandwidth := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
		s, minus := NewSLB(), NewSLBMinus()
		s.Bandwidth, minus.Bandwidth = string(bandwidth), string(bandwidth)
		s.Tolerance, minus.Tolerance = 1e-9, 1e-9
		s.Quantiles = []float64{0}
		sameScores(t, mustFit(t, s, train), mustFit(t, minus, train), test.X, 1e-5)

		lu := NewLU()
		s.Quantiles = []float64{1}
		lu.Bandwidth, lu.Tolerance = string(bandwidth), 1e-9
		sameScores(t, mustFit(t, s, train), mustFit(t, lu, train), test.X, 1e-5)
	}
}

func sameScores(t *testing.T, got, want *Rule, x *mat.Dense, tolerance float64) {
	t.Helper()
	if g, w := got.Scores(x), want.Scores(x); !mat.EqualApprox(g, w, tolerance) {
		t.Errorf("scores %v, want %v", mat.Formatted(g.Slice(0, 5, 0, 2)), mat.Formatted(w.Slice(0, 5, 0, 2)))
	}
}

// The cross-validation errors equal those of machines that are each trained
// from nothing on densities which the test estimates itself.
func TestCrossErrorsAgainstPlainCrossValidation(t *testing.T) {
	ctx := context.Background()
	train := correlatedSet(70, 4, 2, 3)
	fold, err := dataset.StratifiedFolds(train.Y, 2, 5, rand.New(rand.NewSource(4)))
	if err != nil {
		t.Fatal(err)
	}
	for _, sel := range []string{refit, inSample} {
		s := NewSLB()
		s.Select, s.Tolerance, s.Quantiles = sel, 1e-9, []float64{0, 0.3, 0.6, 0.8, 1}
		pairs, err := s.rankPairs(ctx, train, rand.New(rand.NewSource(5)))
		if err != nil {
			t.Fatal(err)
		}
		entries := append(logdensity.Univariate(2, 4), pairs...)
		densities, err := logdensity.Fit(ctx, train, kde.NormalReference, logdensity.Floor{Density: s.Floor}, entries)
		if err != nil {
			t.Fatal(err)
		}
		all, without, err := densities.CrossFeatures(ctx, fold, 5)
		if err != nil {
			t.Fatal(err)
		}
		features := without
		if sel == inSample {
			features = []*mat.Dense{all, all, all, all, all}
		}
		sizes := []int{8, 10, 13, 16, 20}
		search := s.newSizeSearch(densities, train.Y, fold, 5, sizes)
		err = search.try(ctx, len(sizes), func(_ []float64, f int, rows []int) (*mat.Dense, []int, error) {
			return features[f], rows, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := make([]int, len(sizes))
		for f := range 5 {
			for i, size := range sizes {
				want[i] += plainFoldErrors(t, s, train, fold, f, entries[:size])
			}
		}
		if !slices.Equal(search.errors, want) {
			t.Errorf("%s: errors %v, want %v", sel, search.errors, want)
		}
	}
}

// plainFoldErrors trains on the rows outside fold f, explicitly standardised,
// and counts the errors inside.
func plainFoldErrors(t *testing.T, s *SLB, train *dataset.Set, fold []int, f int, entries []logdensity.Entry) int {
	in, out := dataset.SplitFold(fold, f)
	feature := func(row int, e logdensity.Entry) float64 {
		columns := train.Columns(train.ClassRows(e.Class))
		var u, v []float64
		for i, r := range train.ClassRows(e.Class) {
			if s.Select == inSample || fold[r] != f {
				u, v = append(u, columns[e.I][i]), append(v, columns[e.J][i])
			}
		}
		p := 0.0
		if e.I == e.J {
			h, _ := kde.NormalReference.Bandwidth(columns[e.I])
			p = plainDensity(u, h, train.X.At(row, e.I))
		} else {
			h, _ := kde.NormalReference.Bandwidth2(columns[e.I], columns[e.J])
			p = plainDensity2(u, v, h, train.X.At(row, e.I), train.X.At(row, e.J))
		}
		scale := kde.StdDev(columns[e.I])
		if e.I != e.J {
			scale *= kde.StdDev(columns[e.J])
		}
		return math.Log(max(p, s.Floor/scale))
	}
	z := mat.NewDense(train.N(), len(entries), nil)
	for k, e := range entries {
		mean, squares := 0.0, 0.0
		for _, r := range in {
			mean += feature(r, e) / float64(len(in))
		}
		for _, r := range in {
			squares += math.Pow(feature(r, e)-mean, 2)
		}
		for r := range train.N() {
			z.Set(r, k, (feature(r, e)-mean)/math.Sqrt(squares/float64(len(in)-1)))
		}
	}
	kernel := func(a, b int) float64 { return mat.Dot(z.RowView(a), z.RowView(b)) }
	inside, y := mat.NewDense(len(in), len(entries), nil), make([]float64, len(in))
	for a, ra := range in {
		y[a] = float64(2*train.Y[ra] - 1)
		inside.SetRow(a, z.RawRowView(ra))
	}
	gram, err := svm.NewGram(context.Background(), svm.Linear{}, inside)
	if err != nil {
		t.Fatal(err)
	}
	alpha, bias, err := gram.Solve(context.Background(), y, s.C, s.Tolerance, nil)
	if err != nil {
		t.Fatal(err)
	}
	errors := 0
	for _, r := range out {
		decision := bias
		for a, ra := range in {
			decision += alpha[a] * y[a] * kernel(ra, r)
		}
		if (decision > 0) != (train.Y[r] == 1) {
			errors++
		}
	}
	return errors
}

// Units do not matter: an affine map of a column shifts its log densities, which
// standardisation takes out, and leaves trees and the threshold alone. Nor does
// the order of the columns. (A reflection would matter a little to TAN, since
// KernSmooth's dpik leaves out the largest value; and to ks's Hpi, here not used,
// so does the order, since its pilot is not symmetric in the variables.)
func TestEquivariance(t *testing.T) {
	train, test := correlatedSet(90, 4, 2, 6), correlatedSet(40, 4, 2, 7)
	mapped := func(s *dataset.Set, affine bool) *dataset.Set {
		x := mat.NewDense(s.N(), 4, nil)
		for i := range s.N() {
			for j, k := range []int{2, 0, 3, 1} {
				v := s.X.At(i, k)
				if affine {
					v = 5 + float64(k+2)*v
				}
				x.Set(i, j, v)
			}
		}
		return dataset.New(x, s.Y, 2)
	}
	slb, minus, tan, forest := NewSLB(), NewSLBMinus(), NewTAN(), NewForestDens()
	slb.Tolerance, minus.Tolerance, forest.Tolerance = 1e-9, 1e-9, 1e-9
	tan.Bandwidth = string(kde.NormalReference)
	for _, c := range []Classifier{slb, minus, tan, forest} {
		affine := c != Classifier(forest) // not standardised: its cost is in the features' units
		before := mustFit(t, c, train).Scores(test.X)
		after := mustFit(t, c, mapped(train, affine)).Scores(mapped(test, affine).X)
		for i := range test.N() {
			b, a := before.At(i, 1)-before.At(i, 0), after.At(i, 1)-after.At(i, 0)
			if math.Abs(a-b) > 1e-4*max(1, math.Abs(b)) {
				t.Errorf("%T, row %d: %g after, %g before", c, i, a, b)
			}
		}
	}
}

// A class with tree-structured dependence is told from one with another tree;
// more than two classes are allowed, and the three choices of tree agree on the
// form of the density but not on its edges.
func TestTANIsTheTreeDensity(t *testing.T) {
	train := correlatedSet(120, 3, 3, 8)
	for _, choice := range []string{treePerClass, treeShared, treePooled} {
		for _, set := range []struct {
			information string
			floor       float64
			of          string
		}{{"mi", 0, floorOfClass}, {"bcmi", 1e-200, floorOfClass}, {"mi", 0.05, floorOfData}} {
			s := NewTAN()
			s.Tree, s.Information, s.Priors, s.Floor, s.FloorOf = choice, set.information, equalPriors, set.floor, set.of
			floored := func(density float64) float64 { return math.Log(max(density, set.floor)) }
			scores := mustFit(t, s, train).Scores(train.X)
			trees, err := s.trees(context.Background(), train, nil)
			if err != nil {
				t.Fatal(err)
			}
			for c, edges := range trees {
				columns := train.Columns(train.ClassRows(c))
				one := func(i, r int) float64 {
					h, _ := kde.PlugIn.Bandwidth(columns[i])
					return floored(plainDensity(columns[i], h, train.X.At(r, i)))
				}
				margin := func(i, r int, variance float64) float64 {
					if set.floor > 0 { // as the paper's Eq. 3 prints it
						return one(i, r)
					}
					return math.Log(plainDensity(columns[i], math.Sqrt(variance), train.X.At(r, i)))
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
						p := plainDensity2(columns[e.I], columns[e.J], h, train.X.At(r, e.I), train.X.At(r, e.J))
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

// The measures rank a strong dependence over none; a constant column has none.
func TestDependences(t *testing.T) {
	variables := correlatedSet(200, 3, 1, 9).Columns(columns.Head(200))
	variables = append(variables, make([]float64, 200))
	rank := func(x []float64) []float64 {
		r, _ := stats.Midranks(x)
		return r
	}
	for _, measure := range []string{hsicDependence, pearsonDependence, spearmanDependence} {
		m, err := dependences(context.Background(), measure, variables)
		if err != nil {
			t.Fatal(err)
		}
		if !(m.At(0, 1) > m.At(0, 2)) {
			t.Errorf("%s: neighbours in the chain %g, others %g", measure, m.At(0, 1), m.At(0, 2))
		}
		if m.At(1, 3) != 0 {
			t.Errorf("%s: constant column %g", measure, m.At(1, 3))
		}
		// Spearman's is Pearson's of the ranks.
		if measure == spearmanDependence {
			r, _ := dependences(context.Background(), pearsonDependence, [][]float64{rank(variables[0]), rank(variables[1])})
			if math.Abs(r.At(0, 1)-m.At(0, 1)) > 1e-12 {
				t.Errorf("spearman %g, pearson of ranks %g", m.At(0, 1), r.At(0, 1))
			}
		}
	}
}

func TestTwoClassesOnly(t *testing.T) {
	three := correlatedSet(30, 2, 3, 10)
	for _, c := range []Classifier{NewSLB(), NewSLBMinus(), NewForestDens()} {
		if _, err := Fit(context.Background(), c, three, rand.New(rand.NewSource(1))); err == nil {
			t.Errorf("%T took three classes", c)
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

// A sample of the rows finds the tree of all of them where it is plain to see.
func TestTANLooksAtASample(t *testing.T) {
	train := correlatedSet(900, 5, 2, 1)
	whole, sampled := NewTAN(), NewTAN()
	sampled.MaxRows = 150
	want, err := whole.trees(context.Background(), train, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sampled.trees(context.Background(), train, newRand(1))
	if err != nil {
		t.Fatal(err)
	}
	if c := 0; !slices.Equal(got[c], want[c]) { // the class of the larger coefficient
		t.Errorf("edges %v of a sample, %v of all rows", got[c], want[c])
	}
}
