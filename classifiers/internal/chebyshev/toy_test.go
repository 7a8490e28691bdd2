package chebyshev

import (
	"math"
	"testing"

	"copse/internal/randtest"
	"copse/stats"
)

// toyMarginals are the exact pairwise marginals of section 8.1 of the paper
// with k copies C_i of W_1 and k exclusive ors D_i of two W: features S,
// W_1..W_10, C, D; P(S = Y) = 0.9, P(W = Y) = 0.6, P(Y = 1) = 1/2. D_i is the
// exclusive or of W_(1+i mod 10) and W_(1+(i+1+i/10) mod 10).
func toyMarginals(k int) (m *Marginals, features func(s, w int) []int) {
	features = func(s, w int) []int {
		x := []int{s}
		for i := range 10 {
			x = append(x, w>>i&1)
		}
		for range k {
			x = append(x, w&1)
		}
		for i := range k {
			x = append(x, (w>>(i%10)^w>>((i+1+i/10)%10))&1)
		}
		return x
	}
	levels := make([]int, 2*k+11)
	for i := range levels {
		levels[i] = 2
	}
	m = newMarginals(levels, 2, stats.Pairs(len(levels)))
	for y := range 2 {
		m.Prior[y] = 0.5
		for s := range 2 {
			for w := range 1 << 10 {
				p := toyProbability(y, s, w)
				x := features(s, w)
				for e, pair := range m.Pairs {
					m.Mu[m.Start[e]+(y*2+x[pair.I])*2+x[pair.J]] += p
				}
			}
		}
	}
	return m, features
}

func toyProbability(y, s, w int) float64 {
	p := 0.5 * 0.1
	if s == y {
		p = 0.5 * 0.9
	}
	for i := range 10 {
		if w>>i&1 == y {
			p *= 0.6
		} else {
			p *= 0.4
		}
	}
	return p
}

// The bound of any pair with S is twice the error of predicting S. No rule has a smaller bound, because in
// the worst case W and its functions carry no information where S is wrong. So DCC_h = 0.2, the rule predicts
// S, and its true error is half of the bound, as Lemma 4.1 allows.
func TestToy(t *testing.T) {
	m, features := toyMarginals(2)
	s := solve(t, m, options(1e-3))
	if !s.Converged || s.Lower > 0.2 || s.Bound < 0.2-1e-12 {
		t.Errorf("[%v, %v] after %d iterations, want a bracket of 0.2", s.Lower, s.Bound, s.Iterations)
	}
	wrong := 0.0
	for bit := range 2 {
		for w := range 1 << 10 {
			x := features(bit, w)
			label := 0
			if m.total(s.Costs, x, 1) < m.total(s.Costs, x, 0) {
				label = 1
			}
			if label != bit {
				t.Fatalf("S = %d, W = %010b: label %d", bit, w, label)
			}
			wrong += toyProbability(1-label, bit, w)
		}
	}
	if math.Abs(wrong-0.1) > 1e-12 {
		t.Errorf("error %v, want 0.1", wrong)
	}
}

func BenchmarkSolveToy51(b *testing.B) {
	m, _ := toyMarginals(20)
	o := options(1e-3)
	for b.Loop() {
		if s, err := Solve(b.Context(), m, o); err != nil || !s.Converged {
			b.Fatal(s, err)
		}
	}
	s, _ := Solve(b.Context(), m, o)
	b.ReportMetric(float64(s.Iterations), "iterations")
	b.ReportMetric((s.Upper-s.Lower)/s.Upper, "gap")
}

func BenchmarkGreedyToy31(b *testing.B) {
	m, _ := toyMarginals(10)
	for b.Loop() {
		if _, err := Greedy(b.Context(), m, options(1e-2)); err != nil {
			b.Fatal(err)
		}
	}
}

// Seven features with four levels, three labels.
func BenchmarkSolveThreeLabels(b *testing.B) {
	m := randomMarginals(randtest.New(1), 300, []int{4, 4, 4, 4, 4, 4, 4}, 3, stats.Pairs(7))
	for b.Loop() {
		if s, err := Solve(b.Context(), m, options(1e-3)); err != nil || !s.Converged {
			b.Fatal(s, err)
		}
	}
}
