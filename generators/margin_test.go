package generators

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/randtest"
)

func TestTailsAgainstR(t *testing.T) {
	for _, row := range readGolden(t, "margins.csv") {
		x, df, want := number(t, row[1]), number(t, row[2]), number(t, row[3])
		var got float64
		switch row[0] {
		case "pnorm":
			got = logNormalCDF(x)
		case "qnorm":
			got = normalQuantile(x)
		case "pt":
			got = newTMargin(df).logTail(x, 1)
		case "dt":
			got = newTMargin(df).logDensity(x)
		}
		if math.Abs(got-want) > 1e-10*math.Abs(want) {
			t.Errorf("%v: got %v", row, got)
		}
		if row[0] == "pnorm" && x < 0 { // and backwards, where R's qnorm is inexact
			checkClose(t, "normal quantile", normalQuantile(want), x, 1e-10)
		}
	}
}

func testMargins() map[string]margin {
	return map[string]margin{
		"t1": newTMargin(1), "t3": newTMargin(3), "t30": newTMargin(30),
		"mixture":        newMixtureMargin(0.5, [2]float64{-1, 1}, [2]float64{0.5, 1}),
		"modes apart":    newMixtureMargin(0.3, [2]float64{-20, 15}, [2]float64{0.2, 2}),
		"spike":          newMixtureMargin(0.999, [2]float64{100, 100}, [2]float64{0.01, 30}),
		"standard":       newMixtureMargin(0.5, [2]float64{0, 0}, [2]float64{1, 1}),
		"heavy shoulder": newMixtureMargin(0.05, [2]float64{3, 0}, [2]float64{0.1, 1}),
	}
}

// The distribution function of the mixture agrees with gonum, and both tails sum to 1.
func TestMarginTails(t *testing.T) {
	a, b := distuv.Normal{Mu: -20, Sigma: 0.2}, distuv.Normal{Mu: 15, Sigma: 2}
	m := testMargins()["modes apart"]
	for _, x := range []float64{-21, -19.9, 0, 13, 20} {
		checkClose(t, "distribution function", math.Exp(m.logTail(x, 1)), 0.3*a.CDF(x)+0.7*b.CDF(x), 1e-12)
		checkClose(t, "density", math.Exp(m.logDensity(x)), 0.3*a.Prob(x)+0.7*b.Prob(x), 1e-12)
	}
	for name, m := range testMargins() {
		for _, x := range []float64{-20, -0.3, 1, 99} {
			checkClose(t, name+": both tails", math.Exp(m.logTail(x, 1))+math.Exp(m.logTail(x, -1)), 1, 1e-12)
		}
	}
	for _, x := range []float64{0, 1e-3, -2, 7, 30} {
		checkClose(t, "score of the standard normal", normalScore(testMargins()["standard"], x), x, 1e-9)
	}
}

// The value in the table has the requested score, also far in the tails and between distant modes. Values
// increase with scores.
func TestQuantileTable(t *testing.T) {
	for name, m := range testMargins() {
		table := newQuantileTable(m)
		last := math.Inf(-1)
		for z := -8.49; z <= 8.49; z += 0.0037 {
			x := table.at(z)
			if got := normalScore(m, x); math.Abs(got-z) > 2*tableError {
				t.Errorf("%s: x(%v) = %v has score %v", name, z, x, got)
			}
			if !(x >= last) {
				t.Errorf("%s: x(%v) = %v falls", name, z, x)
			}
			last = x
		}
		if low, high := table.at(-40), table.at(40); math.IsInf(low, 0) || math.IsInf(high, 0) || !(low < high) {
			t.Errorf("%s: x(-40) = %v, x(40) = %v", name, low, high)
		}
	}
}

// Scores from the table agree with the distribution function, at the points of the table, between them and
// outside.
func TestScoreTable(t *testing.T) {
	for name, m := range testMargins() {
		table := newQuantileTable(m)
		if name == "t3" || name == "mixture" { // the design's
			if exact := slices.Index(table.quinticFits[64:len(table.quinticFits)-64], false); exact >= 0 {
				t.Errorf("%s: piece %d, within 6.5 standard deviations, is not used", name, 64+exact)
			}
		}
		for i := range table.cubicFits {
			for _, s := range []float64{0, 1e-9, 0.21, 0.5, 0.83, 1} {
				x := table.x[i] + s*(table.x[i+1]-table.x[i])
				tolerance := 1.1 * scoreError
				if math.Abs(x) < 1e-6 {
					tolerance = 1e-8 // t's distribution function sees x^2 beside df
				}
				if got, want := table.score(x), normalScore(m, x); !(math.Abs(got-want) <= tolerance) {
					t.Errorf("%s: z(%v) = %v, want %v", name, x, got, want)
				}
			}
		}
		for _, x := range []float64{2*table.x[0] - 1, 2*table.x[len(table.x)-1] + 1} {
			if got, want := table.score(x), normalScore(m, x); got != want {
				t.Errorf("%s: z(%v) = %v outside, want %v", name, x, got, want)
			}
		}
	}
}

func TestQuantileTableDrawsTheMargin(t *testing.T) {
	rng := randtest.New(41)
	table := newQuantileTable(newTMargin(3))
	u := make([]float64, 50000)
	for i := range u {
		u[i] = distuv.StudentsT{Sigma: 1, Nu: 3}.CDF(table.at(rng.NormFloat64()))
	}
	checkUniform(t, "t with 3 degrees of freedom", u, 1.95)
}
