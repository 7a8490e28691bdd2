package stats

import (
	"fmt"
	"math"
	"testing"

	"copse/internal/errtest"
	"copse/internal/golden"
	"copse/internal/randtest"
)

func TestSignedRankGolden(t *testing.T) {
	pairs := goldenPairs(t)
	exact := 0
	for _, row := range golden.Read(t, "testdata/signedrank.csv") {
		name := row.Value["case"] + " " + row.Value["alternative"]
		p := pairs[row.Value["case"]]
		got, err := SignedRank(p[0], p[1], alternativeOf(row))
		if err != nil {
			t.Fatal(name, err)
		}
		want := SignedRankResult{row.Num("V"), row.Num("P"), int(row.Num("N")), row.Value["exact"] == "TRUE"}
		if want.N < normalFrom && !want.Exact { // ties or zeros, for which wilcox.test approximates
			if math.IsNaN(row.Num("exact_ties")) {
				continue
			}
			want.P, want.Exact = row.Num("exact_ties"), true
		}
		if got.V != want.V || !golden.Near(got.P, want.P) || got.N != want.N || got.Exact != want.Exact {
			t.Errorf("%s: got %+v, R says %+v", name, got, want)
		}
		// Small p-values agree relatively too.
		if want.P > 0 && math.Abs(got.P/want.P-1) > 1e-9 {
			t.Errorf("%s: p %v, R gives %v: relative error too large", name, got.P, want.P)
		}
		for _, column := range []string{"exact_ties", "exact_coin"} {
			if math.IsNaN(row.Num(column)) {
				continue
			}
			exact++
			got, err := SignedRankExact(p[0], p[1], alternativeOf(row))
			if err != nil {
				t.Fatal(name, err)
			}
			if !golden.Near(got.P, row.Num(column)) || !got.Exact || got.V != want.V || got.N != want.N {
				t.Errorf("%s: exact %+v, %s gives p = %v", name, got, column, row.Num(column))
			}
		}
	}
	if exact < 50 {
		t.Errorf("only %d golden values with exact ties", exact)
	}
}

// All sign flips of up to 12 differences, enumerated.
func TestSignedRankExactEnumerated(t *testing.T) {
	rng := randtest.New(1)
	for range 50 {
		n := 1 + rng.Intn(12)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(rng.Intn(9) - 4) // ties and zeros
		}
		nonzero := dropZeros(x)
		ranks, _ := Midranks(absolute(nonzero))
		v := 0.0
		for i, d := range nonzero {
			if d > 0 {
				v += ranks[i]
			}
		}
		less, greater := 0, 0
		for signs := range 1 << len(nonzero) {
			w := 0.0
			for i, r := range ranks {
				if signs>>i&1 == 1 {
					w += r
				}
			}
			if w <= v {
				less++
			}
			if w >= v {
				greater++
			}
		}
		all := math.Ldexp(1, len(nonzero))
		want := map[Alternative]float64{Less: float64(less) / all, Greater: float64(greater) / all,
			TwoSided: min(1, 2*min(float64(less), float64(greater))/all)}
		for alternative, p := range want {
			got, err := SignedRankExact(x, y, alternative)
			if err != nil || !golden.Near(got.P, p) {
				t.Errorf("%v %v: got %v (%v), enumeration gives %v", x, alternative, got.P, err, p)
			}
		}
	}
}

func TestSignedRankSwap(t *testing.T) {
	for name, p := range goldenPairs(t) {
		less, _ := SignedRank(p[0], p[1], Less)
		greater, _ := SignedRank(p[1], p[0], Greater)
		if !golden.Near(less.P, greater.P) {
			t.Errorf("%s: x < y has p = %v but y > x has %v", name, less.P, greater.P)
		}
		n := float64(less.N)
		if less.V+greater.V != n*(n+1)/2 {
			t.Errorf("%s: V of both directions add to %v", name, less.V+greater.V)
		}
	}
}

func TestSignedRankAllZero(t *testing.T) {
	x := []float64{1, 2, 3}
	for _, a := range []Alternative{TwoSided, Greater, Less} {
		if got, err := SignedRank(x, x, a); err != nil || got != (SignedRankResult{V: 0, P: 1, N: 0, Exact: true}) {
			t.Errorf("%v: %+v, %v", a, got, err)
		}
	}
}

func TestSignedRankRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		x, y []float64
		want string
	}{
		{nil, nil, "empty"},
		{[]float64{1, 2}, []float64{1}, "unequal length, 2 and 1"},
		{[]float64{1, nan}, []float64{1, 2}, "pair 2 is not finite"},
		{[]float64{inf, 1}, []float64{inf, 2}, "pair 1 is not finite"},
	} {
		for _, test := range []func(x, y []float64, a Alternative) (SignedRankResult, error){SignedRank,
			SignedRankExact} {
			_, err := test(c.x, c.y, TwoSided)
			errtest.Case(t, fmt.Sprintf("%v %v", c.x, c.y)).Contains(err, c.want)
		}
	}
	long := make([]float64, 1001)
	for i := range long {
		long[i] = float64(i + 1)
	}
	_, err := SignedRankExact(long, make([]float64, 1001), Less)
	errtest.Case(t, "1001 exact pairs").Contains(err, "limited to 1000")
	// 2^-1000 still fits.
	if got, err := SignedRankExact(long[:1000], make([]float64, 1000), Greater); err != nil ||
		!(math.Abs(got.P/math.Ldexp(1, -1000)-1) < 1e-9) {
		t.Errorf("1000 exact pairs, all positive: %v, %v", got.P, err)
	}
}

func TestHodgesLehmannGolden(t *testing.T) {
	pairs, tied := goldenPairs(t), tiedShifts(t)
	for _, row := range golden.Read(t, "testdata/shift.csv") {
		p := pairs[row.Value["case"]]
		if tied[row.Value["case"]] {
			continue // fewer than 50 pairs with ties or zeros: shifttied.csv
		}
		got, err := HodgesLehmann(p[0], p[1], row.Num("level"))
		if err != nil {
			t.Fatal(err)
		}
		name := row.Value["case"] + " " + row.Value["level"]
		if math.IsNaN(row.Num("low")) { // R: cannot compute confidence interval when all observations are tied
			if got.Level != 0 || got.Low != got.Estimate || got.High != got.Estimate ||
				!golden.Near(got.Estimate, row.Num("estimate")) {
				t.Errorf("%s: %+v, R gives %v", name, got, row.Value)
			}
			continue
		}
		// If the statistic is zero between two Walsh averages, R's root search ends anywhere between them.
		// The median is their midpoint.
		d := make([]float64, len(p[0]))
		for i := range d {
			d[i] = p[0][i] - p[1][i]
		}
		gap := middleGap(d)
		if !golden.Near(got.Low, row.Num("low")) || !golden.Near(got.High, row.Num("high")) ||
			!golden.Near(got.Level, row.Num("achieved")) ||
			math.Abs(got.Estimate-row.Num("estimate")) > gap/2+1e-9 {
			t.Errorf("%s: %+v, R gives %v", name, got, row.Value)
		}
	}
}

// tiedShifts returns the cases of testdata/shifttied.csv, which testdata/shifttied.R wrote.
func tiedShifts(t *testing.T) map[string]bool {
	cases := map[string]bool{}
	for _, row := range golden.Read(t, "testdata/shifttied.csv") {
		cases[row.Value["case"]] = true
	}
	return cases
}

func TestHodgesLehmannWithTies(t *testing.T) {
	pairs := goldenPairs(t)
	for _, row := range golden.Read(t, "testdata/shifttied.csv") {
		p := pairs[row.Value["case"]]
		got, err := HodgesLehmann(p[0], p[1], row.Num("level"))
		if err != nil {
			t.Fatal(err)
		}
		for name, pair := range map[string][2]float64{
			"estimate": {got.Estimate, row.Num("estimate")},
			"low":      {got.Low, row.Num("low")},
			"high":     {got.High, row.Num("high")},
			"level":    {got.Level, row.Num("achieved")},
		} {
			if !golden.Near(pair[0], pair[1]) {
				t.Errorf("%s %s: %s is %v, want %v", row.Value["case"], row.Value["level"], name, pair[0], pair[1])
			}
		}
	}
}

// middleGap returns the distance between the two middle Walsh averages.
func middleGap(d []float64) float64 {
	var walsh []float64
	for i := range d {
		for j := i; j < len(d); j++ {
			walsh = append(walsh, (d[i]+d[j])/2)
		}
	}
	m := len(walsh)
	rank := func(k int) float64 { return kthPlain(walsh, k) }
	return rank(m/2+1) - rank((m+1)/2)
}

// For few pairs with ties, the p-value is computed from all 2^n signs and not by a normal approximation.
func TestSignedRankOfFewTiedPairs(t *testing.T) {
	for n, want := range map[int]float64{1: 1, 2: 0.5, 5: 0.0625, 6: 0.03125} {
		d := make([]float64, n)
		for i := range d {
			d[i] = 0.01
		}
		if got, err := SignedRankOf(d, TwoSided, false); err != nil || got.P != want || !got.Exact {
			t.Errorf("%d equal differences: %+v, %v, want P = %v", n, got, err, want)
		}
	}
}

// If a constant is added to all differences, the estimate and the interval move by this constant, even
// if some differences were 0.
func TestHodgesLehmannMoves(t *testing.T) {
	const by = 8
	rng := randtest.New(5)
	for range 200 {
		d := make([]float64, 2+rng.Intn(70))
		moved := make([]float64, len(d))
		for i := range d {
			d[i] = float64(rng.Intn(4) * rng.Intn(3)) // many zeros and ties
			moved[i] = d[i] + by
		}
		got, want := HodgesLehmannOf(moved, 0.95), HodgesLehmannOf(d, 0.95)
		want.Estimate, want.Low, want.High = want.Estimate+by, want.Low+by, want.High+by
		if got != want {
			t.Errorf("%v: %+v, want %+v", moved, got, want)
		}
	}
}

// Two classifiers with rare errors have equal errors in most replicates. The median of the Walsh averages of
// their differences is half an error. The interval contains it as often as its level states.
func TestHodgesLehmannCoversWithZeros(t *testing.T) {
	const samples, replicates, rows = 400, 100, 50
	rng := randtest.New(6)
	errors := func(rate float64) (count float64) { // of one classifier on the test rows
		for range rows {
			if rng.Float64() < rate {
				count++
			}
		}
		return count
	}
	covered := 0
	for range samples {
		d := make([]float64, replicates)
		for i := range d {
			d[i] = errors(0.015) - errors(0.005)
		}
		if s := HodgesLehmannOf(d, 0.95); s.Low <= 0.5 && 0.5 <= s.High {
			covered++
		}
	}
	if share := float64(covered) / samples; share < 0.95 {
		t.Errorf("the interval covers the shift in %.1f%% of the samples", 100*share)
	}
}
