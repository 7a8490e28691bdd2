package networks

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/internal/randtest"
	"copse/stats/copula"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// claytonSet draws n rows of two classes with normal margins: (x1,x2) and
// (x3,x4) are Clayton pairs with theta = 4 in class 0 and Gaussian pairs with
// r = 0.8 in class 1.
func claytonSet(n int, seed uint64) *dataset.Set {
	rng := randtest.New(seed)
	x, y := mat.NewDense(n, 4, nil), make([]int, n)
	for i := range n {
		y[i] = i % 2
		for j := 0; j < 4; j += 2 {
			if y[i] == 0 {
				u, w := 1-rng.Float64(), 1-rng.Float64()
				v := math.Pow(1+math.Pow(u, -4)*(math.Pow(w, -4./5)-1), -1./4)
				x.Set(i, j, distuv.UnitNormal.Quantile(min(u, 1-1e-12)))
				x.Set(i, j+1, distuv.UnitNormal.Quantile(min(v, 1-1e-12)))
				continue
			}
			a := rng.NormFloat64()
			x.Set(i, j, a)
			x.Set(i, j+1, 0.8*a+0.6*rng.NormFloat64())
		}
	}
	return dataset.New(x, y, 2)
}

// scores fits c to train and returns log prior + log density for the rows of test.
func scores(t *testing.T, c method.Classifier, train *dataset.Set, test *mat.Dense) *mat.Dense {
	t.Helper()
	return methodtest.Fit(t, c, train).Scores(test)
}

// The log densities of two variables equal the formula, written out with kernel sums.
func TestCNCWrittenOut(t *testing.T) {
	train, test := claytonSet(400, 1), claytonSet(20, 2)
	train, test = firstTwo(train), firstTwo(test)
	got := scores(t, NewCNC(), train, test.X)
	gaussian := scores(t, NewGaussianCNC(), train, test.X)
	for c := range 2 {
		columns := train.Columns(train.ClassRows(c))
		var f [2]*kde.Density
		for j, x := range columns {
			h, err := kde.Matlab.Bandwidth(x)
			if err != nil {
				t.Fatal(err)
			}
			f[j] = kde.New(x, h)
		}
		a, b := copula.Rank(columns[0]), copula.Rank(columns[1])
		normal := copula.GaussianBySpearman(a.Spearman(b), 0.999)
		family := copula.Copula(normal)
		if c == 0 { // the Clayton class
			family, _ = copula.ClaytonByKendall(a.Kendall(b), 30)
		}
		for i := range test.N() {
			x, y := test.X.At(i, 0), test.X.At(i, 1)
			u, v := copula.At(f[0].CDF(x)), copula.At(f[1].CDF(y))
			margins := math.Log(f[0].At(x)) + math.Log(f[1].At(y)) + math.Log(0.5)
			if want := margins + family.LogDensity(u, v); math.Abs(got.At(i, c)-want) > 1e-8 {
				t.Errorf("class %d, row %d: %v, written out %v", c, i, got.At(i, c), want)
			}
			if want := margins + normal.LogDensity(u, v); math.Abs(gaussian.At(i, c)-want) > 1e-8 {
				t.Errorf("Gaussian, class %d, row %d: %v, written out %v", c, i, gaussian.At(i, c), want)
			}
		}
	}
}

// The tree joins the pairs that depend on each other, the families are the true ones, and a pair without gain
// gets no edge.
func TestCNCStructure(t *testing.T) {
	train := claytonSet(1000, 3)
	network, err := newCopulaNetwork(t.Context(), train, *NewCNC())
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for k, e := range network.edges {
		if (e != spanning.Edge{I: 0, J: 1}) && (e != spanning.Edge{I: 2, J: 3}) {
			continue
		}
		found++
		for c, want := range []string{"copula.Clayton", "copula.Gaussian"} {
			if got := fmt.Sprintf("%T", network.classes[c].copulas[k]); got != want {
				t.Errorf("edge %v, class %d: %s", e, c, got)
			}
		}
	}
	if found != 2 || len(network.edges) != 3 {
		t.Errorf("edges %v", network.edges)
	}
	forest := NewCNC()
	forest.Forest = true
	network, err = newCopulaNetwork(t.Context(), train, *forest)
	if err != nil {
		t.Fatal(err)
	}
	if len(network.edges) != 2 || network.edges[0] != (spanning.Edge{I: 0, J: 1}) ||
		network.edges[1] != (spanning.Edge{I: 2, J: 3}) {
		t.Errorf("edges %v", network.edges)
	}
}

// The density of a class integrates to 1, except for the margin and the floor.
func TestCNCIntegrates(t *testing.T) {
	train := firstTwo(claytonSet(300, 4))
	const step = 0.1
	var grid []float64
	for a := -6.0; a < 6; a += step {
		for b := -6.0; b < 6; b += step {
			grid = append(grid, a, b)
		}
	}
	for _, correlation := range []string{bySpearman, byKendall, byNormalScores} {
		c := NewCNC()
		c.Correlation = correlation
		s := scores(t, c, train, mat.NewDense(len(grid)/2, 2, grid))
		for class := range 2 {
			sum := 0.0
			for i := range len(grid) / 2 {
				sum += step * step * 2 * math.Exp(s.At(i, class))
			}
			if math.Abs(sum-1) > 0.005 {
				t.Errorf("%s, class %d: the density integrates to %v", correlation, class, sum)
			}
		}
	}
}

func TestCNCOneRowClass(t *testing.T) {
	base := methodtest.Gaussians(31, 3, 2, 1)
	y := make([]int, 31)
	y[30] = 1
	for _, c := range []method.Classifier{NewCNC(), NewGaussianCNC()} {
		rule := methodtest.Fit(t, c, methodtest.WithLabels(base, y))
		if w := rule.Warnings; len(w) != 1 || !strings.Contains(w[0], "one training row") {
			t.Errorf("warnings %q", w)
		}
		methodtest.CheckRule(t, rule, base)
	}
}
