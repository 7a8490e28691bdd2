package randomfields

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/methodtest"
	"copse/classifiers/method"
	"copse/internal/errtest"
	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

// fields are the random fields of Freno et al. (2010).
var fields = []method.Classifier{NewKHRF(), NewKBN(), NewKMRF(), NewGMRF(), NewNPMRF()}

// With one column, every field is a proper density: exp(score) divided by the prior integrates to 1 in each
// class.
func TestFieldsIntegrateToOne(t *testing.T) {
	train := methodtest.Gaussians(60, 1, 2, 1)
	for _, recipe := range fields {
		rule := methodtest.Fit(t, recipe, train)
		width := slices.Max(mat.Col(nil, 0, train.X)) - slices.Min(mat.Col(nil, 0, train.X))
		const step = 1e-3
		x := mat.NewDense(40000, 1, nil)
		for i := range 40000 {
			x.Set(i, 0, -20+step*float64(i))
		}
		scores := rule.Scores(x)
		for c := range 2 {
			total := 0.0
			for i := range 40000 {
				total += math.Exp(scores.At(i, c)) / 0.5 * step / width
			}
			if math.Abs(total-1) > 1e-3 {
				t.Errorf("%T: density of class %d integrates to %v", recipe, c, total)
			}
		}
	}
}

// Variables are mapped to [0,1], so units do not matter.
func TestFieldsIgnoreUnits(t *testing.T) {
	train, test := methodtest.Gaussians(60, 4, 2, 1), methodtest.Gaussians(40, 4, 2, 2)
	rescaled := func(s *dataset.Set) *dataset.Set {
		x := mat.DenseCopyOf(s.X)
		x.Apply(func(_, j int, v float64) float64 { return math.Pow(2, float64(3*j-5))*v + float64(j) }, x)
		return dataset.New(x, s.Y, s.C())
	}
	for _, recipe := range fields {
		a := methodtest.Fit(t, recipe, train).Scores(test.X)
		b := methodtest.Fit(t, recipe, rescaled(train)).Scores(rescaled(test).X)
		if !mat.EqualApprox(a, b, 1e-6) {
			t.Errorf("%T: scores depend on the units of the features", recipe)
		}
	}
}

// A constant column does not affect the choice of the penalty.
func TestPenaltyIgnoresConstantColumns(t *testing.T) {
	train, test := methodtest.Gaussians(60, 6, 2, 1), methodtest.Gaussians(40, 6, 2, 2)
	withConstant := func(s *dataset.Set) *dataset.Set {
		return dataset.New(s.X.Grow(0, 1).(*mat.Dense), s.Y, s.C()) // the new column contains zeros
	}
	margins := func(scores *mat.Dense) []float64 {
		return floats.SubTo(make([]float64, test.N()), mat.Col(nil, 0, scores), mat.Col(nil, 1, scores))
	}
	for _, criterion := range []string{criterionEBIC, criterionBIC, criterionCV} {
		gmrf, npmrf := NewGMRF(), NewNPMRF()
		gmrf.Criterion, npmrf.Criterion = criterion, criterion
		for _, recipe := range []method.Classifier{gmrf, npmrf} {
			without := methodtest.Fit(t, recipe, train).Scores(test.X)
			with := methodtest.Fit(t, recipe, withConstant(train)).Scores(withConstant(test).X)
			if !floats.EqualApprox(margins(with), margins(without), 1e-9) {
				t.Errorf("%T, %s: the differences of scores depend on a constant column", recipe, criterion)
			}
		}
	}
}

// Leave-one-out and variances need at least two rows.
func TestFieldsNeedTwoRowsPerClass(t *testing.T) {
	train := methodtest.Gaussians(20, 2, 2, 1).Subset([]int{0, 2, 4, 6, 1})
	for _, recipe := range fields {
		if _, err := recipe.Fit(t.Context(), train, randtest.New(1)); err == nil {
			t.Errorf("%T: no error for a class with one row", recipe)
		}
	}
}

// A single variable has no relatives. The density is then a Parzen estimate. Its bandwidth has the largest
// leave-one-out likelihood of those that Algorithm 1 tries.
func TestKHRFOfOneColumn(t *testing.T) {
	train, test := methodtest.Gaussians(80, 1, 2, 1), methodtest.Gaussians(30, 1, 2, 2)
	k := NewKHRF()
	k.HMax1, k.Scale = 4, scaleNone
	rule := methodtest.Fit(t, k, train)
	scores := rule.Scores(test.X)
	for c := range 2 {
		x := train.Columns(train.ClassRows(c))[0]
		loo := func(h float64) (sum float64) {
			for i, v := range x {
				rest := append(append([]float64{}, x[:i]...), x[i+1:]...)
				sum += math.Log(max(parzen(rest, v, h), k.Floor))
			}
			return sum
		}
		first, h := 1.0, 1.0 // quarters of (0, 4): 1 and 3
		if loo(3) > loo(1) {
			first, h = 3, 3
		}
		for _, next := range []float64{first - 0.5, first + 0.5} {
			if loo(next) > loo(h) {
				h = next
			}
		}
		for i := range test.N() {
			want := math.Log(0.5) + math.Log(max(parzen(x, test.X.At(i, 0), h), k.Floor))
			if got := scores.At(i, c); math.Abs(got-want) > 1e-12 {
				t.Errorf("class %d, row %d: score %v, want %v", c, i, got, want)
			}
		}
	}
}

func parzen(x []float64, v, h float64) float64 {
	var sum float64
	for _, u := range x {
		sum += 0.75 / h * max(0, 1-(v-u)*(v-u)/(h*h))
	}
	return sum / float64(len(x))
}

// Each of two dependent variables is normal around its regression on the other.
func TestGMRFOfTwoColumns(t *testing.T) {
	train, test := methodtest.Gaussians(60, 2, 2, 1), methodtest.Gaussians(20, 2, 2, 2)
	g := NewGMRF()
	g.Criterion, g.Lambda, g.Ridge, g.Scale = criterionFixed, 0, 0, scaleNone
	rule := methodtest.Fit(t, g, train)
	scores := rule.Scores(test.X)
	for c := range 2 {
		x := train.Columns(train.ClassRows(c))
		for i := range test.N() {
			row := test.X.RawRowView(i)
			want := math.Log(0.5)
			for a := range 2 {
				intercept, slope := stat.LinearRegression(x[1-a], x[a], nil, false)
				r := stat.Correlation(x[0], x[1], nil)
				variance := stat.PopVariance(x[a], nil) * (1 - r*r)
				u := row[a] - intercept - slope*row[1-a]
				want -= 0.5 * (u*u/variance + math.Log(2*math.Pi*variance))
			}
			if got := scores.At(i, c); math.Abs(got-want) > 1e-9 {
				t.Errorf("class %d, row %d: score %v, want %v", c, i, got, want)
			}
		}
	}
}

// Monotone transforms of normal variables hardly increase the error of the nonparanormal field.
func TestNPMRFOfSkewedVariables(t *testing.T) {
	train, test := methodtest.Gaussians(200, 3, 2, 1), methodtest.Gaussians(400, 3, 2, 2)
	skew := func(s *dataset.Set) *dataset.Set {
		x := mat.DenseCopyOf(s.X)
		x.Apply(func(_, _ int, v float64) float64 { return math.Exp(1.5 * v) }, x)
		return dataset.New(x, s.Y, s.C())
	}
	plain := methodtest.ErrorRate(methodtest.Fit(t, NewGMRF(), train), test)
	skewed := methodtest.ErrorRate(methodtest.Fit(t, NewNPMRF(), skew(train)), skew(test))
	if skewed > plain+0.04 {
		t.Errorf("error %v on skewed features, the Gaussian field has %v on normal ones", skewed, plain)
	}
}

func TestGMRFCriteria(t *testing.T) {
	train, test := methodtest.Gaussians(60, 4, 2, 1), methodtest.Gaussians(60, 4, 2, 2)
	for _, criterion := range []string{criterionEBIC, criterionBIC, criterionCV, criterionFixed} {
		for _, conditional := range []string{"sample", "glasso"} {
			g := NewGMRF()
			g.Criterion, g.Conditional = criterion, conditional
			rule := methodtest.Fit(t, g, train)
			if e := methodtest.ErrorRate(rule, test); e > 0.1 {
				t.Errorf("%s, %s: error rate %v", criterion, conditional, e)
			}
		}
	}
}

// If the range of a column or the inverse of the range overflows, the error names the column.
func TestFieldsRefuseExtremeRanges(t *testing.T) {
	for value, want := range map[float64]string{
		1e308:  `the range of column "x1" exceeds the largest float64: divide the column by 10`,
		1e-310: `the range of column "x1" is only 2e-310, which is too small for float64: multiply the column by 1e100`,
	} {
		x := mat.NewDense(8, 2, []float64{value, 0.1, -value, 0.3, value, 0.2, -value, 0.7,
			value, 1.1, -value, 1.4, value, 1.2, -value, 1.9})
		train := dataset.New(x, []int{0, 0, 0, 0, 1, 1, 1, 1}, 2)
		for _, c := range []method.Classifier{NewNPMRF(), NewGMRF(), NewKHRF(), NewKBN()} {
			_, err := c.Fit(t.Context(), train, nil)
			errtest.Case(t, fmt.Sprintf("%T", c)).Equal(err, want)
		}
	}
}

// If every row occurs twice, the kernel fields give a warning and the same result as for one copy of each
// row. In version 2, the copy of a left-out row changed the bandwidths.
func TestDuplicateRowsChangeNothing(t *testing.T) {
	train, test := methodtest.Gaussians(60, 4, 2, 1), methodtest.Gaussians(40, 4, 2, 2)
	once := stats.Indices(train.N())
	twice := train.Subset(append(once, once...))
	for version, equal := range map[int]bool{0: true, 2: false} {
		khrf, kbn, kmrf := NewKHRF(), NewKBN(), NewKMRF()
		khrf.Pin(version)
		kbn.Pin(version)
		kmrf.Pin(version)
		for _, recipe := range []method.Classifier{khrf, kbn, kmrf} {
			one, two := methodtest.Fit(t, recipe, train), methodtest.Fit(t, recipe, twice)
			if mat.EqualApprox(one.Scores(test.X), two.Scores(test.X), 1e-9) != equal {
				t.Errorf("%T, version %d: equal scores are %v", recipe, version, !equal)
			}
			if len(one.Warnings) > 0 {
				t.Errorf("%T: warnings %q without twins", recipe, one.Warnings)
			}
			const want = "30 of 60 rows of class 1 repeat others"
			if warned := strings.Contains(strings.Join(two.Warnings, "; "), want); warned != equal {
				t.Errorf("%T, version %d: warnings %q", recipe, version, two.Warnings)
			}
		}
	}
}
