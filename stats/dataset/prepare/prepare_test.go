package prepare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// goldenRows returns the columns of testdata/golden.csv whose names begin with a prefix.
func goldenRows(t *testing.T, name string) *mat.Dense {
	t.Helper()
	columns := golden.Columns(t, "testdata/golden.csv")
	x := mat.NewDense(len(columns["x1"]), 3, nil)
	for j := range 3 {
		x.SetCol(j, columns[fmt.Sprintf("%s%d", name, j+1)])
	}
	return x
}

// trainingRows returns the first 40 golden rows in two classes.
func trainingRows(x *mat.Dense) *dataset.Set {
	y := make([]int, 40)
	for i := range y {
		y[i] = i % 2
	}
	return dataset.New(mat.DenseCopyOf(x.Slice(0, 40, 0, 3)), y, 2)
}

// Scales and components equal scikit-learn's, for training rows and for new rows.
func TestStepsAreThoseOfScikitLearn(t *testing.T) {
	x := goldenRows(t, "x")
	train := trainingRows(x)
	for name, step := range map[string]Step{
		"standard": {Scale: "standard"}, "robust": {Scale: "robust"}, "minmax": {Scale: "minmax"},
		"quantile": {Scale: "quantile"}, "pca": {PCA: 3},
	} {
		fitted, _, err := Steps{step}.Fit(train)
		if err != nil {
			t.Fatal(err)
		}
		got, want := fitted[0].Apply(x), goldenRows(t, name)
		for i := range 50 {
			for j := range 3 {
				if math.Abs(got.At(i, j)-want.At(i, j)) > 1e-9 {
					t.Errorf("%s: row %d, column %d: %v, scikit-learn %v", name, i+1, j+1, got.At(i, j), want.At(i, j))
				}
			}
		}
	}
}

// A share of the variance chooses the number of components; the golden ratios are in the first lines of the
// file.
func TestShareOfVariance(t *testing.T) {
	train := trainingRows(goldenRows(t, "x"))
	for share, want := range map[float64]int{0.74: 1, 0.75: 2, 0.996: 3, 2: 2, 9: 3} {
		_, prepared, err := Steps{{PCA: share}}.Fit(train)
		if err != nil || prepared.D() != want {
			t.Errorf("pca %v: %d components, want %d (error %v)", share, prepared.D(), want, err)
		}
	}
}

// mixed returns rows with a numeric attribute that lacks a value, a discrete one with rare
// levels and a constant.
func mixed() *dataset.Set {
	nan := math.NaN()
	x := mat.NewDense(6, 3, []float64{1, 0, 7, 2, 0, 7, 2, 0, 7, nan, 1, 7, 5, 2, 7, 6, nan, 7})
	s := dataset.New(x, []int{0, 1, 0, 1, 0, 1}, 2)
	levels := []string{"red", "green", "other"}
	s.Attributes[1] = dataset.Attribute{Name: "colour", Kind: dataset.Discrete, Levels: levels}
	return s
}

func TestStepsOfColumns(t *testing.T) {
	for _, c := range []struct {
		steps Steps
		names string
		rows  map[int][]float64 // some of the prepared rows
	}{
		{Steps{{Impute: "mode"}}, "x1 colour x3", map[int][]float64{3: {2, 1, 7}, 5: {6, 0, 7}}},
		{Steps{{Impute: "indicator"}}, "x1 colour x3 x1 missing colour missing",
			map[int][]float64{3: {3.2, 1, 7, 1, 0}, 4: {5, 2, 7, 0, 0}, 5: {6, 0, 7, 0, 1}}},
		{Steps{{Impute: "mean"}, {Encode: "onehot"}}, "x1 colour=red colour=green colour=other x3",
			map[int][]float64{0: {1, 1, 0, 0, 7}, 4: {5, 0, 0, 1, 7}}},
		{Steps{{Encode: "ordinal"}, {Drop: "constant"}}, "x1 colour", map[int][]float64{4: {5, 2}}},
		{Steps{{Rare: 0.3}, {Impute: "median"}}, "x1 colour x3",
			map[int][]float64{2: {2, 0, 7}, 3: {2, 1, 7}, 4: {5, 1, 7}}},
		{Steps{{Scale: "minmax"}, {Impute: "mean"}}, "x1 colour x3", map[int][]float64{0: {0, 0, 0}, 5: {1, 0, 0}}},
		{Steps{{Discretise: 2}, {Impute: "mode"}}, "x1 colour x3", map[int][]float64{0: {0, 0, 0}, 5: {1, 0, 0}}},
	} {
		train := mixed()
		_, prepared, err := c.steps.Fit(train)
		if err != nil {
			t.Fatalf("%s: %v", c.steps, err)
		}
		var names []string
		for _, a := range prepared.Attributes {
			names = append(names, a.Name)
		}
		if got := strings.Join(names, " "); got != c.names {
			t.Errorf("%s: columns %s, want %s", c.steps, got, c.names)
		}
		for i, want := range c.rows {
			if got := prepared.X.RawRowView(i); !slices.EqualFunc(got, want, golden.Near) {
				t.Errorf("%s: row %d is %v, want %v", c.steps, i+1, got, want)
			}
		}
		if dataset.Fingerprint(train) != dataset.Fingerprint(mixed()) {
			t.Errorf("%s changed the training set", c.steps)
		}
	}
}

// The joined rare levels get a name that no other level has.
func TestRareLevels(t *testing.T) {
	codes, levels := poolLevels([]string{"other", "b", "c"}, []float64{0, 0, 0, 1, 2}, 2)
	if !slices.Equal(codes, []float64{0, 1, 1}) || !slices.Equal(levels, []string{"other", "other'"}) {
		t.Errorf("codes %v, levels %q", codes, levels)
	}
	if codes, levels = poolLevels([]string{"a", "b"}, []float64{0, 0, 1}, 2); codes != nil || len(levels) != 2 {
		t.Errorf("a single rare level: codes %v, levels %q", codes, levels)
	}
}

// An error names the step and the remedy.
func TestErrorsNameTheStep(t *testing.T) {
	empty := mixed()
	for i := range empty.N() {
		empty.X.Set(i, 0, math.NaN())
	}
	keep := dataset.SelectAll(mixed().Attributes)
	keep.From, keep.To = keep.From[2:], keep.To[2:]
	constant := dataset.Transformed(mixed(), keep)
	for _, c := range []struct {
		train *dataset.Set
		steps Steps
		want  string
	}{
		{mixed(), Steps{{Impute: "mean"}, {PCA: 2}},
			`prepare: step 2, pca=2: attribute "colour" is discrete; put a step ` + "`encode: onehot` before `pca`"},
		{mixed(), Steps{{Encode: "onehot"}, {PCA: 2}},
			`prepare: step 2, pca=2: attribute "x1" has missing values; put a step ` + "`impute: mean` before `pca`"},
		{empty, Steps{{Impute: "indicator"}}, `prepare: step 1, impute=indicator: column "x1" has no value`},
		{empty, Steps{{Scale: "robust"}},
			`prepare: step 1, scale=robust: column "x1" has no value in the training rows`},
		{constant, Steps{{Drop: "constant"}}, "prepare: step 1, drop=constant: every attribute is constant"},
		{constant, Steps{{PCA: 1}}, "prepare: step 1, pca=1: every attribute is constant"},
		{constant, Steps{{Discretise: 2}, {Encode: "dummy"}},
			"prepare: step 2, encode=dummy: every attribute is constant"},
	} {
		_, _, err := c.steps.Fit(c.train)
		errtest.Case(t, c.steps).HasPrefix(err, c.want)
	}
}

// Principal components do not depend on the unit that all columns share, even if squares overflow.
func TestPCAInAnyUnit(t *testing.T) {
	rng := randtest.New(1)
	x := mat.NewDense(20, 3, nil)
	for i := range 20 {
		shared := rng.NormFloat64()
		x.SetRow(i, []float64{shared + rng.NormFloat64(), shared, rng.NormFloat64()})
	}
	components := func(unit float64) *mat.Dense {
		var scaled mat.Dense
		scaled.Scale(unit, x)
		p, err := fitPCA(dataset.New(&scaled, make([]int, 20), 1), 2)
		if err != nil {
			t.Fatal(err)
		}
		return p.components
	}
	want := components(1)
	for _, exponent := range []int{-1000, -600, 600, 1000} {
		if got := components(math.Ldexp(1, exponent)); !mat.EqualApprox(got, want, 1e-12) {
			t.Errorf("unit 2^%d: %v, want %v", exponent, mat.Formatted(got), mat.Formatted(want))
		}
	}
}
