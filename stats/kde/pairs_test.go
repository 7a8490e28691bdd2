package kde

import (
	"math"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
)

func plainKernel2(h H2, a, b float64) float64 {
	return math.Exp(-0.5*(h.YY*a*a-2*h.XY*a*b+h.XX*b*b)/h.Det()) / (2 * math.Pi * math.Sqrt(h.Det()))
}

// Both kinds of pair sums, part by part, against the sum of the kernels; all
// pairs and scattered ones, with parts of all sizes.
func TestPairSumsAgainstFormula(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	const n, d = 331, 7
	columns, h := make([][]float64, d), make([]float64, d)
	for j := range columns {
		columns[j] = make([]float64, n)
		h[j] = 0.2 + rng.Float64()
		for i := range columns[j] {
			columns[j][i] = 50 + rng.NormFloat64()
		}
	}
	part := make([]int, n)
	for i := range part {
		part[i] = min(3, rng.Intn(9)) // the last part is longer than a span
	}
	var all []Pair
	for i := range d {
		for j := range i {
			all = append(all, Pair{j, i})
		}
	}
	for _, pairs := range [][]Pair{all, {{5, 6}}, {{6, 2}, {0, 1}, {2, 4}}} {
		var diagonal, full []H2
		for q, p := range pairs {
			diagonal = append(diagonal, H2{XX: h[p.I] * h[p.I], YY: h[p.J] * h[p.J]})
			full = append(full, H2{0.3 + 0.1*float64(q%3), 0.29 * math.Cos(float64(q)), 0.4})
		}
		for _, partition := range []Partition{Whole(n), NewPartition(part, 5)} { // part 4 is empty
			check := func(name string, s PairSums, hs []H2) {
				parts := partition.Parts()
				var x, dst [][]float64
				for range 5 {
					at := make([]float64, d)
					for j := range at {
						at[j] = 50 + 2*rng.NormFloat64()
					}
					x, dst = append(x, at), append(dst, make([]float64, len(pairs)*parts))
				}
				s.Sums(x, dst)
				for r := range x {
					for q, p := range pairs {
						for g := range parts {
							want := 0.0
							for i := range n {
								if parts == 1 || part[i] == g {
									want += plainKernel2(hs[q], x[r][p.I]-columns[p.I][i], x[r][p.J]-columns[p.J][i])
								}
							}
							if got := dst[r][q*parts+g] * s.Norm(q); !(math.Abs(got-want) <= 1e-12*want) {
								t.Fatalf("%s, pair %v of %v, part %d: %v, want %v", name, p, pairs, g, got, want)
							}
						}
					}
				}
			}
			check("product", ProductPairs(columns, h, pairs, partition), diagonal)
			check("full", FullPairs(columns, full, pairs, partition), full)
		}
	}
}

func TestPairSumsFarAway(t *testing.T) {
	columns := [][]float64{{0, 1, 2}, {3, 5, 4}}
	pairs := []Pair{{0, 1}}
	for name, s := range map[string]PairSums{
		"product": ProductPairs(columns, []float64{0.1, 0.2}, pairs, Whole(3)),
		"full":    FullPairs(columns, []H2{{0.02, -0.0199, 0.02}}, pairs, Whole(3)),
	} {
		for _, far := range []float64{1e3, 1e200, math.MaxFloat64, -math.MaxFloat64} {
			dst := []float64{1}
			s.Sums([][]float64{{far, far}}, [][]float64{dst})
			if dst[0] != 0 {
				t.Errorf("%s: sum at %v is %v", name, far, dst[0])
			}
		}
	}
}

func BenchmarkPairs(b *testing.B) {
	const n, d = 500, 20
	columns, h := make([][]float64, d), make([]float64, d)
	var pairs []Pair
	var hs []H2
	at := make([]float64, d)
	for j := range columns {
		columns[j], _ = benchmarkSample(n)
		h[j] = 0.35
		for i := range j {
			pairs = append(pairs, Pair{i, j})
			hs = append(hs, H2{0.1, 0.03, 0.1})
		}
	}
	for name, s := range map[string]PairSums{
		"product": ProductPairs(columns, h, pairs, Whole(n)),
		"full":    FullPairs(columns, hs, pairs, Whole(n)),
	} {
		b.Run(name, func(b *testing.B) {
			x, dst := [][]float64{at}, [][]float64{make([]float64, len(pairs))}
			for b.Loop() {
				s.Sums(x, dst)
			}
		})
	}
}
