package densities

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/elasticnet"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/methodtest"
	"copse/internal/randtest"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// TestSparseRule: the scores do not change if densities with weight 0 are omitted.
func TestSparseRule(t *testing.T) {
	train, test := methodtest.Gaussians(90, 4, 3, 1), methodtest.Gaussians(30, 4, 3, 2)
	options := logdensity.Options{Rule: kde.NormalReference, Floor: 1e-10}
	densities, err := logdensity.Fit(t.Context(), train, options, logdensity.All(3, 4))
	if err != nil {
		t.Fatal(err)
	}
	at := func(x *mat.Dense) *mat.Dense {
		f, err := densities.FeaturesIn(t.Context(), nil, x)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	problem, err := elasticnet.New(at(train.X), train.Y, []float64{1, 1, 1}, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	path, err := problem.Path(t.Context(), problem.Penalties(10, 0.01), 1e-7)
	if err != nil {
		t.Fatal(err)
	}
	for _, model := range path {
		sparse := newSparseModel(densities, &model)
		kept := len(sparse.densities.Entries)
		if used := len(model.Used()); kept != max(1, used) || (used == 0) != (len(sparse.warnings) > 0) {
			t.Errorf("%d of %d densities with a weight kept, warnings %q", kept, used, sparse.warnings)
		}
		if !mat.EqualApprox(sparse.rule().Scores(test.X), model.LinearPredictors(at(test.X)), 1e-9) {
			t.Errorf("penalty %g: other scores", model.Penalty)
		}
	}
}

// TestSLBL1Selects: the classes differ only in the correlation of columns 1 and 2. Both losses select few
// densities, including that of this pair, and have small errors, although single variables carry no
// information.
func TestSLBL1Selects(t *testing.T) {
	train, test := tied(400, 6, 1), tied(1000, 6, 2)
	for _, loss := range []string{elasticnet.Deviance, elasticnet.Hinge} {
		model, err := NewSLBL1().fit(t.Context(), train, randtest.New(1), loss)
		if err != nil {
			t.Fatal(err)
		}
		densities, rule := model.densities, model.rule()
		pair := false
		for _, e := range densities.Entries {
			pair = pair || e.I == 0 && e.J == 1
		}
		if n := len(densities.Entries); !pair || n > 21 { // of 42
			t.Errorf("%s: %d densities; they include the pair: %v", loss, n, pair)
		}
		if e := methodtest.ErrorRate(rule, test); e > 0.2 {
			t.Errorf("%s errs %g", loss, e)
		}
		if e := methodtest.ErrorRate(methodtest.Fit(t, NewLU(), train), test); e < 0.4 {
			t.Errorf("LU errs %g", e)
		}
	}
}

// tied draws n rows of d standard normal columns, the first two with correlation 0.9
// in class 0 and -0.9 in class 1.
func tied(n, d int, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	x, y := mat.NewDense(n, d, randtest.Normals(rng, n*d)), make([]int, n)
	for i := range n {
		y[i] = i % 2
		x.Set(i, 1, 0.9*float64(1-2*y[i])*x.At(i, 0)+math.Sqrt(1-0.81)*x.At(i, 1))
	}
	return dataset.New(x, y, 2)
}
