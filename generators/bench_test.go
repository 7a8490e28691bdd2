package generators

import (
	"testing"

	"copse/internal/randtest"
)

// The benchmarks draw 2000 rows and compute the log density of one row, for each generator with its defaults
// and with complex densities.
func benchmarked() map[string]Generator {
	all := make(map[string]Generator)
	for _, spec := range Registry {
		all[spec.Name] = spec.New()
	}
	forest, network, mvn := NewForest(), NewBayesNet(), NewForestMVN()
	forest.CPD, network.CPD, mvn.Marginals = "complex", "complex", "complex"
	all["forest-complex"], all["bayesnet-complex"], all["forestmvn-complex"] = forest, network, mvn
	return all
}

func BenchmarkNew(b *testing.B) {
	for name, g := range benchmarked() {
		b.Run(name, func(b *testing.B) {
			rng := randtest.New(1)
			for b.Loop() {
				mustNew(b, g, rng)
			}
		})
	}
}

func BenchmarkSample(b *testing.B) {
	for name, g := range benchmarked() {
		b.Run(name, func(b *testing.B) {
			rng := randtest.New(1)
			p := mustNew(b, g, rng)
			for b.Loop() {
				p.Sample([]int{1000, 1000}, rng)
			}
		})
	}
}

func BenchmarkLogDensity(b *testing.B) {
	for name, g := range benchmarked() {
		b.Run(name, func(b *testing.B) {
			rng := randtest.New(1)
			p := mustNew(b, g, rng).(DensityProblem)
			set := p.Sample([]int{500, 500}, rng)
			for i := 0; b.Loop(); i++ {
				p.LogDensity(i%2, set.X.RawRowView(i%set.N()))
			}
		})
	}
}
