package field

import (
	"fmt"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
	"copse/stats"
)

// chain draws n rows of d variables on [0,1], each close to a function of the previous one.
func chain(rng *rand.Rand, n, d int) [][]float64 {
	x := make([][]float64, d)
	for j := range x {
		x[j] = make([]float64, n)
		for i := range x[j] {
			x[j][i] = rng.Float64()
			if j > 0 {
				u := x[j-1][i]
				x[j][i] = 0.3*x[j][i] + 2.8*(u-u*u)
			}
		}
	}
	return x
}

var (
	khrfRange = Bandwidths{Max1: 0.05, Max2: 0.5, Iterations: 2, Floor: 1e-6}
	kbnRange  = Bandwidths{Max1: 2, Max2: 1, Iterations: 2, Floor: 1e-6}
	kmrfRange = Bandwidths{Max1: 1, Max2: 2, Iterations: 2, Floor: 1e-6}
)

func BenchmarkScore(b *testing.B) {
	x := chain(randtest.New(1), 250, 12)
	for name, r := range map[string]Bandwidths{"khrf": khrfRange, "kbn": kbnRange} {
		for _, parents := range [][]int{{}, {1}, {1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8}} {
			b.Run(fmt.Sprintf("%s/parents=%d", name, len(parents)), func(b *testing.B) {
				s := NewScorer(x, r)
				for b.Loop() {
					clear(s.sums)
					clear(s.scores)
					s.Score(0, parents)
				}
			})
		}
	}
}

func BenchmarkLearn(b *testing.B) {
	x := chain(randtest.New(1), 250, 20)
	ctx := b.Context()
	report := func(b *testing.B, s *Scorer) { b.ReportMetric(float64(len(s.scores)), "families") }
	b.Run("khrf", func(b *testing.B) {
		m := Merging{Measure: Eta, Relatives: 5, MaxRelatives: 10, MaxParents: 3, Merge: MergeNetworks, MinGain: 1e-6}
		for b.Loop() {
			s := NewScorer(x, khrfRange)
			m.Learn(ctx, s)
			report(b, s)
		}
	})
	b.Run("kbn", func(b *testing.B) {
		for b.Loop() {
			s := NewScorer(x, kbnRange)
			HillClimb(ctx, stats.Indices(20), 3, 1e-6, s)
			report(b, s)
		}
	})
	b.Run("kmrf", func(b *testing.B) {
		for b.Loop() {
			s := NewScorer(x, kmrfRange)
			ToggleEdges(ctx, stats.Indices(20), 10, 1e-6, s)
			report(b, s)
		}
	})
}
