package generators

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

// forEachBits calls f with every row of n binary values.
func forEachBits(n int, f func(x []float64)) {
	x := make([]float64, n)
	for code := range 1 << n {
		for j := range x {
			x[j] = float64(code >> j & 1)
		}
		f(x)
	}
}

func TestChebyshevToyEnumeration(t *testing.T) {
	tests := []ChebyshevToy{
		{K: 2, NWeak: 10, PStrong: 0.9, PWeak: 0.6},
		{K: 3, NWeak: 5, PStrong: 0.7, PWeak: 0.8},
		{K: 0, NWeak: 2, PStrong: 0.5, PWeak: 1},
	}
	for _, g := range tests {
		p := mustNew(t, &g, randtest.New(21)).(*chebyshevProblem)
		d := 2*g.K + g.NWeak + 1
		total, bayes := [2]float64{}, 0.0
		forEachBits(d, func(x []float64) {
			q0, q1 := math.Exp(p.LogDensity(0, x)), math.Exp(p.LogDensity(1, x))
			total[0] += q0
			total[1] += q1
			bayes += min(q0, q1) / 2
		})
		checkClose(t, "sum of probabilities of class 0", total[0], 1, 1e-12)
		checkClose(t, "sum of probabilities of class 1", total[1], 1, 1e-12)
		checkClose(t, "Bayes error", p.bayesError(), bayes, 1e-12)
	}
	// only S if the W carry no information
	p := mustNew(t, &ChebyshevToy{K: 1, NWeak: 10, PStrong: 0.9, PWeak: 0.5}, randtest.New(1)).(*chebyshevProblem)
	checkClose(t, "Bayes error of S", p.bayesError(), 0.1, 1e-12)
	if drawn := p.Model().(description).Drawn.(map[string]any); drawn["bayes_error_equal_classes"] != p.bayesError() {
		t.Errorf("the model lacks the error for equal classes: %v", drawn)
	}
}

func TestChebyshevToySample(t *testing.T) {
	rng := randtest.New(22)
	g := NewChebyshevToy()
	g.K = 6
	p := mustNew(t, g, rng).(*chebyshevProblem)
	if len(p.names) != 2*6+11 {
		t.Fatalf("%d variables: %v", len(p.names), p.names)
	}
	const n = 10000
	set := p.Sample([]int{n, n}, rng)
	agree := make([]float64, len(p.names))
	for i, y := range set.Y {
		x := set.X.RawRowView(i)
		if math.IsInf(p.LogDensity(y, x), -1) {
			t.Fatalf("row %d has probability 0: %v", i, x)
		}
		for j, v := range x {
			if v == float64(y) {
				agree[j]++
			}
		}
	}
	for j, want := range []float64{0.9, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6} {
		se := math.Sqrt(want * (1 - want) / (2 * n))
		if got := agree[j] / (2 * n); math.Abs(got-want) > 4*se {
			t.Errorf("%s agrees with the class with frequency %v, want %v", p.names[j], got, want)
		}
	}
	for i, pair := range p.pairs {
		if pair[0] == pair[1] {
			t.Errorf("D%d has the parents %v", i+1, pair)
		}
		d := set.X.At(0, 1+10+6+i)
		if (d == 1) != (set.X.At(0, 1+pair[0]) != set.X.At(0, 1+pair[1])) {
			t.Errorf("D%d is not the exclusive or of its parents", i+1)
		}
	}
}

func TestChebyshevToyImpossibleRows(t *testing.T) {
	p := mustNew(t, NewChebyshevToy(), randtest.New(23)).(*chebyshevProblem)
	x := make([]float64, len(p.names)) // all zero is possible
	if v := p.LogDensity(0, x); math.IsInf(v, 0) {
		t.Fatalf("log probability %v of the zero row", v)
	}
	for j, v := range map[int]float64{0: 0.5, 3: 2, 11: 1, 14: 1} {
		y := append([]float64(nil), x...)
		y[j] = v
		if got := p.LogDensity(0, y); !math.IsInf(got, -1) {
			t.Errorf("log probability %v of %s = %v, want -Inf", got, p.names[j], v)
		}
	}
}
