package networks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distmv"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/sigmoid"
	"copse/classifiers/method"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

// firstTwo returns the first two columns of s.
func firstTwo(s *dataset.Set) *dataset.Set {
	return dataset.New(mat.DenseCopyOf(s.X.Slice(0, s.N(), 0, 2)), s.Y, s.C())
}

// The linear network of two variables is the normal distribution with the mean and the maximum-likelihood
// covariance of the class.
func TestLinearGaussTANIsNormal(t *testing.T) {
	train, test := firstTwo(methodtest.Gaussians(90, 2, 3, 1)), firstTwo(methodtest.Gaussians(30, 2, 3, 2))
	got := scores(t, NewLinearGaussTAN(), train, test.X)
	var normals []*distmv.Normal
	for c := range 3 {
		columns := train.Columns(train.ClassRows(c))
		cov := mat.NewSymDense(2, nil)
		for i := range 2 {
			for j := i; j < 2; j++ {
				n := float64(len(columns[i]))
				cov.SetSym(i, j, stat.Covariance(columns[i], columns[j], nil)*(n-1)/n)
			}
		}
		normal, ok := distmv.NewNormal([]float64{stat.Mean(columns[0], nil), stat.Mean(columns[1], nil)}, cov, nil)
		if !ok {
			t.Fatal("singular covariance")
		}
		normals = append(normals, normal)
	}
	for i := range test.N() {
		row := test.X.RawRowView(i)
		for c := 1; c < 3; c++ { // scores share an additive constant
			want := normals[c].LogProb(row) - normals[0].LogProb(row)
			if d := got.At(i, c) - got.At(i, 0); math.Abs(d-want) > 1e-9*(1+math.Abs(want)) {
				t.Errorf("row %d, class %d: %v, normal %v", i, c, d, want)
			}
		}
	}
}

// stepSet draws x1 and x3 uniformly from (-3,3), and x2 with mean 4/(1+exp(-5 x1)) in class 0, and mean
// 4/(1+exp(5 x1)) in class 1.
func stepSet(n int, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	x, y := mat.NewDense(n, 3, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		v := 6*rng.Float64() - 3
		slope := 5 * float64(2*y[i]-1)
		x.SetRow(i, []float64{v, 4/(1+math.Exp(slope*v)) + rng.NormFloat64()/2, 6*rng.Float64() - 3})
	}
	return dataset.New(x, y, 2)
}

// The sigmoid network finds the edge from x1 to x2 and its curve.
func TestSigmoidTANWrittenOut(t *testing.T) {
	train, test := stepSet(400, 1), stepSet(20, 2)
	train, test = firstTwo(train), firstTwo(test)
	test.X.Set(0, 0, 50) // where curves are level
	got := scores(t, NewSigmoidTAN(), train, test.X)
	scale := columns.StandardScaling(train.X, stats.Indices(train.N()))
	z := dataset.New(scale.Apply(train.X), train.Y, 2)
	q := scale.Apply(test.X)
	logDensity := func(c, i int) float64 {
		columns := z.Columns(z.ClassRows(c))
		x, y := columns[0], columns[1]
		curve := sigmoid.Fit(x, y, 20/stat.PopStdDev(x, nil))
		residuals := make([]float64, len(y))
		for k := range y {
			residuals[k] = (y[k] - curve.At(x[k])) * (y[k] - curve.At(x[k]))
		}
		return logNormal(q.At(i, 0), stat.Mean(x, nil), stat.PopVariance(x, nil)) +
			logNormal(
				q.At(i, 1),
				curve.At(min(max(q.At(i, 0), slices.Min(x)), slices.Max(x))),
				stat.Mean(residuals, nil),
			)
	}
	for i := range test.N() {
		want := logDensity(1, i) - logDensity(0, i)
		if d := got.At(i, 1) - got.At(i, 0); math.Abs(d-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("row %d: %v, written out %v", i, d, want)
		}
	}
}

func logNormal(x, mean, variance float64) float64 {
	return -(x-mean)*(x-mean)/(2*variance) - math.Log(variance)/2
}

// If the classes differ only in a curve, the sigmoid network separates them. The forest contains no edge of
// the unrelated variable.
func TestSigmoidTANSeesCurves(t *testing.T) {
	train, test := stepSet(400, 3), stepSet(400, 4)
	for _, forest := range []bool{false, true} {
		c := NewSigmoidTAN()
		c.Forest = forest
		if e := methodtest.ErrorRate(methodtest.Fit(t, c, train), test); e > 0.05 {
			t.Errorf("error %v", e)
		}
	}
}

func TestGaussTANWarns(t *testing.T) {
	base := methodtest.WithColumn(methodtest.Gaussians(31, 3, 2, 1), 1, func(int) float64 { return 7 })
	y := make([]int, 31)
	y[30] = 1
	for _, c := range []method.Classifier{NewLinearGaussTAN(), NewSigmoidTAN()} {
		rule := methodtest.Fit(t, c, methodtest.WithLabels(base, y))
		w := rule.Warnings
		if len(w) != 2 || !strings.Contains(w[0], `"x2" is constant`) || !strings.Contains(w[1], "one training row") {
			t.Errorf("%T: warnings %q", c, w)
		}
		methodtest.CheckRule(t, rule, base)
	}
}

// Columns that are constant in one class, except for rounding, do not increase the error.
func TestNetworksTakeConstantsInAClass(t *testing.T) {
	base := methodtest.Gaussians(600, 4, 3, 7)
	train := methodtest.WithColumn(
		base,
		2,
		func(i int) float64 { return []float64{0.1, 0.7, base.X.At(i, 2)}[base.Y[i]] },
	)
	train = methodtest.WithColumn(
		train,
		3,
		func(i int) float64 { return []float64{base.X.At(i, 3), 0.3, 1. / 3}[base.Y[i]] },
	)
	normal := NewCNC()
	normal.Correlation = byNormalScores
	for _, c := range []method.Classifier{NewLinearGaussTAN(), NewSigmoidTAN(), NewCNC(), NewGaussianCNC(), normal} {
		rule := methodtest.Fit(t, c, train)
		methodtest.CheckRule(t, rule, train)
		if e := methodtest.ErrorRate(rule, train); e > 0.1 {
			t.Errorf("%T: error %v", c, e)
		}
	}
}

// An affine map of the columns does not change the scores.
func TestGaussTANUnits(t *testing.T) {
	train, test := stepSet(200, 5), stepSet(100, 6)
	moved := func(s *dataset.Set) *dataset.Set {
		m := methodtest.WithColumn(s, 0, func(i int) float64 { return 1000 - 250*s.X.At(i, 0) })
		return methodtest.WithColumn(m, 1, func(i int) float64 { return 1e-4 * s.X.At(i, 1) })
	}
	for _, c := range []method.Classifier{NewLinearGaussTAN(), NewSigmoidTAN()} {
		a, b := methodtest.Fit(t, c, train).Predict(test.X), methodtest.Fit(t, c, moved(train)).Predict(moved(test).X)
		if !slices.Equal(a, b) {
			t.Errorf("%T: other predictions in other units", c)
		}
	}
}
