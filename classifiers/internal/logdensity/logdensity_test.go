package logdensity

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/methodtest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
	"copse/stats/kde"
)

// fit returns fitted log densities. An error ends the test.
func fit(t *testing.T, train *dataset.Set, o Options, entries []Entry) *Map {
	t.Helper()
	m, err := Fit(t.Context(), train, o, entries)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The features of a held-out row come from an estimate on the rows of the other folds, with the bandwidths of
// the whole sample.
func TestCrossFeaturesAgainstPlainEstimates(t *testing.T) {
	crossFeatures(t, methodtest.CorrelatedSet(61, 3, 2, 1))
	far := methodtest.CorrelatedSet(61, 3, 2, 1)
	for r, class := range far.Y { // hundreds of bandwidths apart, some rows thousands
		for j := range 3 {
			far.X.Set(r, j, far.X.At(r, j)+300*float64(class)*float64(1+9*(r%7/6)))
		}
	}
	crossFeatures(t, far)
}

func crossFeatures(t *testing.T, train *dataset.Set) {
	fold := datasettest.Folds(t, train.Y, 4, nil)
	entries := All(2, 3)
	for _, rule := range []kde.Rule{kde.PlugIn, kde.NormalReference, kde.Matlab} {
		for _, o := range []Options{{}, {Floor: 1e-10}, {Floor: 1e-3, FloorOfData: true}} {
			o.Rule = rule
			features := fit(t, train, o, entries)
			all, without, err := features.CrossFeatures(t.Context(), fold, 4)
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
						want, scale := 0.0, kde.StdDev(columns[e.I])
						if e.I == e.J {
							h, _ := rule.Bandwidth(columns[e.I])
							want = plainLog(u, h, train.X.At(r, e.I))
						} else {
							h, _ := rule.Bandwidth2(columns[e.I], columns[e.J])
							want = plainLog2(u, v, h, train.X.At(r, e.I), train.X.At(r, e.J))
							scale *= kde.StdDev(columns[e.J])
						}
						if o.FloorOfData {
							scale = 1
						}
						want = max(want, math.Log(o.Floor/scale))
						if g := got.At(r, k); !(math.Abs(g-want) <= 1e-10*max(1, math.Abs(want))) {
							t.Fatalf("%+v, entry %v, without fold %d, row %d: %v, want %v",
								o, e, f, r, g, want)
						}
					}
				}
			}
		}
	}
}

// Estimates for one fold after the other are the same as for all folds together, with sums and with grids.
func TestRotationAgainstCrossFeatures(t *testing.T) {
	for _, c := range []struct {
		n, folds  int
		rule      kde.Rule
		tolerance float64
	}{
		{90, 2, kde.NormalReference, 1e-12}, {90, 3, kde.NormalReference, 1e-12}, {1201, 5, kde.NormalReference, 1e-12},
		{90, 4, kde.PlugIn, 1e-10}, {1200, 4, kde.PlugIn, kde.LogError},
	} {
		train := methodtest.CorrelatedSet(c.n, 4, 2, 1)
		fold := datasettest.Folds(t, train.Y, c.folds, nil)
		m := fit(t, train, Options{Rule: c.rule, Floor: 1e-10}, All(2, 4))
		_, want, err := m.CrossFeatures(t.Context(), fold, c.folds)
		if err != nil {
			t.Fatal(err)
		}
		for f, alone := range rotated(t, m, fold, c.folds) {
			if !mat.EqualApprox(alone, want[f], 3*c.tolerance) {
				t.Errorf("%+v, fold %d: other densities alone than together", c, f)
			}
		}
	}
}

// rotated returns T at the training rows without each fold.
func rotated(t *testing.T, m *Map, fold []int, folds int) []*mat.Dense {
	w := m.Rotate(fold, folds)
	var features []*mat.Dense
	for f := range folds {
		features = append(features, mat.NewDense(len(fold), len(m.Entries), nil))
		outside, inside := dataset.SplitFold(fold, f)
		for _, rows := range [][]int{outside, inside} {
			x, err := w.FeaturesIn(t.Context(), nil, f, rows)
			if err != nil {
				t.Fatal(err)
			}
			for k, r := range rows {
				features[f].SetRow(r, x.RawRowView(k))
			}
		}
	}
	return features
}

// plainLog and plainLog2 are the logarithms of the formulas of the estimates. Kernel values are divided by
// the largest one.
func plainLog(x []float64, h, t float64) float64 {
	return plainLog2(x, make([]float64, len(x)), kde.H2{XX: h * h, YY: 1 / (2 * math.Pi)}, t, 0)
}

func plainLog2(x, y []float64, h kde.H2, s, t float64) float64 {
	det := h.XX*h.YY - h.XY*h.XY
	q, least := make([]float64, len(x)), math.Inf(1)
	for i := range x {
		a, b := s-x[i], t-y[i]
		q[i] = (h.YY*a*a - 2*h.XY*a*b + h.XX*b*b) / det
		least = min(least, q[i])
	}
	sum := 0.0
	for _, v := range q {
		sum += math.Exp((least - v) / 2)
	}
	return math.Log(sum/float64(len(x))/(2*math.Pi*math.Sqrt(det))) - least/2
}

// d = 20, 1000 training and 1000 test rows, all 420 entries.
func BenchmarkLogDensities(b *testing.B) {
	train, test := methodtest.CorrelatedSet(1000, 20, 2, 1), methodtest.CorrelatedSet(1000, 20, 2, 2)
	entries := All(2, 20)
	fold := datasettest.Folds(b, train.Y, 5, nil)
	ctx := b.Context()
	for _, rule := range []kde.Rule{kde.NormalReference, kde.PlugIn} {
		o := Options{Rule: rule, Floor: 1e-10}
		b.Run(string(rule)+"/fit", func(b *testing.B) {
			for b.Loop() {
				_, err := Fit(ctx, train.WithoutDerived(), o, entries)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		features, err := Fit(ctx, train, o, entries)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(string(rule)+"/test rows", func(b *testing.B) {
			for b.Loop() {
				features.FeaturesIn(ctx, nil, test.X)
			}
		})
		b.Run(string(rule)+"/training rows with 5 folds", func(b *testing.B) {
			for b.Loop() {
				features.CrossFeatures(ctx, fold, 5)
			}
		})
	}
}

// If two variables are linearly dependent in a class, their density there has a product kernel, with a warning.
func TestDependentVariables(t *testing.T) {
	train := methodtest.CorrelatedSet(60, 3, 2, 3)
	for _, i := range train.ClassRows(0) {
		train.X.Set(i, 1, 1-2*train.X.At(i, 0))
	}
	for _, rule := range []kde.Rule{kde.PlugIn, kde.SymmetricPlugIn, kde.NormalReference} {
		features := fit(t, train, Options{Rule: rule}, Pairs(2, 3))
		warnings := features.Warnings()
		if rule.Product() {
			if len(warnings) != 0 {
				t.Errorf("%s: warnings %q", rule, warnings)
			}
			continue
		}
		if len(warnings) != 1 || !strings.HasSuffix(warnings[0], `product kernel estimate: columns "x1" and "x2"`) ||
			!strings.HasPrefix(warnings[0], `linearly dependent in class "0"`) {
			t.Errorf("%s: warnings %q", rule, warnings)
		}
		columns := train.Columns(train.ClassRows(0))
		if want, _ := kde.NormalReference.Bandwidth2(columns[0], columns[1]); features.classes[0].pairs[0].h != want {
			t.Errorf("%s: bandwidth %v, want %v", rule, features.classes[0].pairs[0].h, want)
		}
	}
}
