package stats

import (
	"math"
	"slices"
	"testing"

	"copse/internal/golden"
	"copse/internal/randtest"
)

// kthPlain returns the k-th smallest value by sorting.
func kthPlain(values []float64, k int) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return sorted[k-1]
}

func TestWalshAveragesAgainstSorting(t *testing.T) {
	rng := randtest.New(1)
	for round := range 60 {
		d := make([]float64, 1+rng.Intn(15))
		for i := range d {
			d[i] = rng.NormFloat64()
			if round%2 == 0 {
				d[i] = float64(rng.Intn(7)-3) / 10
			}
		}
		slices.Sort(d)
		var all []float64
		for i := range d {
			for _, b := range d[i:] {
				all = append(all, (d[i]+b)/2)
			}
		}
		w := sortedDifferences(d)
		if w.averageCount() != len(all) {
			t.Fatalf("%d averages, want %d", w.averageCount(), len(all))
		}
		for k := 1; k <= len(all); k++ {
			if got := w.kthAverage(k); got != kthPlain(all, k) || got == 0 && math.Signbit(got) {
				t.Fatalf("%v: average %d is %v, sorting gives %v", d, k, got, kthPlain(all, k))
			}
		}
	}
}

func TestHodgesLehmannShifts(t *testing.T) {
	x, y := make([]float64, 30), make([]float64, 30)
	rng := randtest.New(2)
	for i := range x {
		x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	a, _ := HodgesLehmann(x, y, 0.9)
	for i := range x {
		x[i] += 3
	}
	b, _ := HodgesLehmann(x, y, 0.9)
	if !golden.Near(b.Estimate-a.Estimate, 3) || !golden.Near(b.Low-a.Low, 3) || !golden.Near(b.High-a.High, 3) ||
		a.Level != b.Level {
		t.Errorf("a shift by 3 moves %+v to %+v", a, b)
	}
	if !(a.Low <= a.Estimate && a.Estimate <= a.High) || a.Level < 0.9 {
		t.Errorf("interval %+v", a)
	}
	if z, err := HodgesLehmann(x, x, 0.95); err != nil || z != (Shift{}) {
		t.Errorf("no difference at all: %+v, %v", z, err)
	}
	if _, err := HodgesLehmann(x, y[:3], 0.95); err == nil {
		t.Error("unequal lengths: no error")
	}
}

func TestRankBiserial(t *testing.T) {
	zero := make([]float64, 4)
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, 1},
		{[]float64{-1, -2, -3, -4}, -1},
		{[]float64{1, 2, 3, -4}, 0.2},    // (6 - 4)/10
		{[]float64{1, -1, 0, 0}, 0},      // a tie, zeros dropped
		{[]float64{0, 0, 0, 0}, 0},       // nothing differs
		{[]float64{-2, 2, 2, 0}, 1. / 3}, // (4 - 2)/6
	} {
		if got, err := RankBiserial(c.x, zero); err != nil || !golden.Near(got, c.want) {
			t.Errorf("%v: %v, %v, want %v", c.x, got, err, c.want)
		}
	}
	if _, err := RankBiserial([]float64{math.NaN()}, []float64{1}); err == nil {
		t.Error("NaN: no error")
	}
	// r = 2 V/(n(n+1)/2) - 1
	for name, p := range goldenPairs(t) {
		test, _ := SignedRank(p[0], p[1], TwoSided)
		r, _ := RankBiserial(p[0], p[1])
		if n := float64(test.N); !golden.Near(r, 4*test.V/(n*(n+1))-1) {
			t.Errorf("%s: r = %v, V = %v of %v", name, r, test.V, n*(n+1)/2)
		}
	}
}
