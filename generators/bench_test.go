package generators

import (
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
)

// benchmarkEach runs a benchmark of each generator, with its defaults and with complex densities. The benchmarks
// draw a problem, draw 2000 rows, and compute the log density of one row.
func benchmarkEach(b *testing.B, run func(b *testing.B, g Generator, rng *rand.Rand)) {
	all := make(map[string]Generator)
	for _, spec := range Registry {
		all[spec.Name] = spec.New()
	}
	forest, network, mvn := NewForest(), NewBayesNet(), NewForestMVN()
	forest.CPD, network.CPD, mvn.Marginals = "complex", "complex", "complex"
	all["forest-complex"], all["bayesnet-complex"], all["forestmvn-complex"] = forest, network, mvn
	for name, g := range all {
		b.Run(name, func(b *testing.B) { run(b, g, randtest.New(1)) })
	}
}

func BenchmarkNew(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, g Generator, rng *rand.Rand) {
		for b.Loop() {
			mustNew(b, g, rng)
		}
	})
}

func BenchmarkSample(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, g Generator, rng *rand.Rand) {
		p := mustNew(b, g, rng)
		for b.Loop() {
			p.Sample([]int{1000, 1000}, rng)
		}
	})
}

func BenchmarkLogDensity(b *testing.B) {
	benchmarkEach(b, func(b *testing.B, g Generator, rng *rand.Rand) {
		p := mustNew(b, g, rng).(DensityProblem)
		set := p.Sample([]int{500, 500}, rng)
		for i := 0; b.Loop(); i++ {
			p.LogDensity(i%2, set.X.RawRowView(i%set.N()))
		}
	})
}
