package densities

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
	"copse/stats/kde"
)

// TestPairwiseGolden compares with e1071 1.7-13 and KernSmooth 2.23.20 in R 4.2.2 (testdata/pairwise.R). The
// tolerance of the machines is wider because libsvm, which e1071 uses, stores its kernel matrix in single
// precision.
func TestPairwiseGolden(t *testing.T) {
	g := golden.Columns(t, "../testdata/pairwise.csv")
	minus, forest := NewSLBMinus(), NewForestDens()
	minus.Tolerance, forest.Tolerance = 1e-9, 1e-9
	train, test := methodtest.GoldenRows(1, 60), methodtest.GoldenRows(101, 110)
	for name, c := range map[string]method.Classifier{"slb-": minus, "forestdens": forest} {
		scores := methodtest.Fit(t, c, train).Scores(test.X)
		methodtest.CheckColumn(t, g, name, func(i int) float64 { return scores.At(i, 1) }, 1e-4)
	}
}

// slb with a single candidate threshold that keeps every pair equals slb-. With one that removes every pair,
// it equals lu.
func TestThresholdExtremes(t *testing.T) {
	train, test := methodtest.CorrelatedSet(80, 4, 2, 1), methodtest.CorrelatedSet(50, 4, 2, 2)
	for _, bandwidth := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
		s, minus := NewSLB(), NewSLBMinus()
		s.Bandwidth, minus.Bandwidth = string(bandwidth), string(bandwidth)
		s.Tolerance, minus.Tolerance = 1e-9, 1e-9
		s.Quantiles = []float64{0}
		methodtest.SameScores(t, methodtest.Fit(t, s, train), methodtest.Fit(t, minus, train), test.X, 1e-5)

		lu := NewLU()
		s.Quantiles = []float64{1}
		lu.Bandwidth, lu.Tolerance = string(bandwidth), 1e-9
		methodtest.SameScores(t, methodtest.Fit(t, s, train), methodtest.Fit(t, lu, train), test.X, 1e-5)
	}
}

// The cross-validation errors equal those of machines that are trained separately on densities that the test
// estimates itself.
func TestCrossErrorsAgainstPlainCrossValidation(t *testing.T) {
	ctx := t.Context()
	train := methodtest.CorrelatedSet(70, 4, 2, 3)
	fold := datasettest.Folds(t, train.Y, 5, randtest.New(4))
	for _, sel := range []string{refit, inSample} {
		s := NewSLB()
		s.Select, s.Tolerance, s.Quantiles = sel, 1e-9, []float64{0, 0.3, 0.6, 0.8, 1}
		pairs, err := s.rankPairs(ctx, train, randtest.New(5))
		if err != nil {
			t.Fatal(err)
		}
		entries := append(logdensity.Univariate(2, 4), pairs...)
		densities := estimated(t, s, train, entries)
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
		err = search.trySizes(ctx, len(sizes), func(_ []float64, f int, rows []int) (*mat.Dense, []int, error) {
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

// plainFoldErrors trains on the standardised rows outside fold f and counts the errors in it.
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
			p = methodtest.PlainDensity(u, h, train.X.At(row, e.I))
		} else {
			h, _ := kde.NormalReference.Bandwidth2(columns[e.I], columns[e.J])
			p = methodtest.PlainDensity2(u, v, h, train.X.At(row, e.I), train.X.At(row, e.J))
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
	unscaled := slices.Repeat([]float64{1}, len(y))
	machine, err := svm.SolveScaled(t.Context(), inside, y, unscaled, s.C, s.Tolerance, nil)
	if err != nil {
		t.Fatal(err)
	}
	errors := 0
	for _, r := range out {
		decision := machine.Bias
		for a, ra := range in {
			decision += machine.Alpha[a] * y[a] * kernel(ra, r)
		}
		if (decision > 0) != (train.Y[r] == 1) {
			errors++
		}
	}
	return errors
}

// The measures of a strong dependence exceed those of independence. A constant column has no dependence.
func TestDependences(t *testing.T) {
	variables := methodtest.CorrelatedSet(200, 3, 1, 9).Columns(stats.Indices(200))
	variables = append(variables, make([]float64, 200))
	rank := func(x []float64) []float64 {
		r, _ := stats.Midranks(x)
		return r
	}
	for _, measure := range []string{hsicDependence, pearsonDependence, spearmanDependence} {
		m, err := dependences(t.Context(), measure, variables)
		if err != nil {
			t.Fatal(err)
		}
		if !(m.At(0, 1) > m.At(0, 2)) {
			t.Errorf("%s: neighbours in the chain %g, others %g", measure, m.At(0, 1), m.At(0, 2))
		}
		if m.At(1, 3) != 0 {
			t.Errorf("%s: constant column %g", measure, m.At(1, 3))
		}
		// Spearman's correlation is Pearson's correlation of the ranks.
		if measure == spearmanDependence {
			r, _ := dependences(
				t.Context(),
				pearsonDependence,
				[][]float64{rank(variables[0]), rank(variables[1])},
			)
			if math.Abs(r.At(0, 1)-m.At(0, 1)) > 1e-12 {
				t.Errorf("spearman %g, pearson of ranks %g", m.At(0, 1), r.At(0, 1))
			}
		}
	}
}
