package kde

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"copse/internal/randtest"
	"copse/stats"
)

func plainKernel2(h H2, a, b float64) float64 {
	return math.Exp(-0.5*(h.YY*a*a-2*h.XY*a*b+h.XX*b*b)/h.Det()) / (2 * math.Pi * math.Sqrt(h.Det()))
}

// pairSums is what ProductSums offers.
type pairSums interface {
	Sums(x, dst [][]float64)
	Norm(q int) float64
}

// fullList returns direct sums with bandwidth matrices.
type fullList []onePair

type onePair struct {
	stats.Pair
	*MatrixSums
}

func (l fullList) Norm(q int) float64 { return l[q].MatrixSums.Norm() }

func (l fullList) Sums(x, dst [][]float64) {
	for r, at := range x {
		for q, p := range l {
			parts := len(p.sample.offset) - 1
			sums := matrix(parts, 1)
			p.MatrixSums.Sums(new(MatrixMemory), at[p.I:p.I+1], at[p.J:p.J+1], 0, sums)
			for g := range parts {
				dst[r][q*parts+g] = sums[g][0]
			}
		}
	}
}

// Both kinds of pair sums agree with the sum of the kernels in every part, for all pairs and for some of
// them, with parts of all sizes.
func TestPairSumsAgainstFormula(t *testing.T) {
	rng := randtest.New(1)
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
	var all []stats.Pair
	for i := range d {
		for j := range i {
			all = append(all, stats.Pair{I: j, J: i})
		}
	}
	for _, pairs := range [][]stats.Pair{all, {{I: 5, J: 6}}, {{I: 6, J: 2}, {I: 0, J: 1}, {I: 2, J: 4}}} {
		var diagonal, full []H2
		for q, p := range pairs {
			diagonal = append(diagonal, H2{XX: h[p.I] * h[p.I], YY: h[p.J] * h[p.J]})
			full = append(full, H2{0.3 + 0.1*float64(q%3), 0.29 * math.Cos(float64(q)), 0.4})
		}
		for _, partition := range []Partition{Whole(n), NewPartition(part, 5)} { // part 4 is empty
			check := func(name string, s pairSums, hs []H2) {
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
			var list fullList
			for q, p := range pairs {
				s := &MatrixSums{}
				s.sample.fit(columns[p.I], columns[p.J], full[q], partition)
				list = append(list, onePair{p, s})
			}
			check("full", list, full)
		}
	}
}

func TestPairSumsFarAway(t *testing.T) {
	columns := [][]float64{{0, 1, 2}, {3, 5, 4}}
	pairs := stats.Pairs(2)
	for name, s := range map[string]pairSums{
		"product": ProductPairs(columns, []float64{0.1, 0.2}, pairs, Whole(3)),
		"full":    fullList{{pairs[0], fitted(columns[0], columns[1], H2{0.02, -0.0199, 0.02}, Whole(3))}},
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

// BenchmarkPairs sums kernels at 1000 points, for 190 pairs of 20 variables with product kernels and for one
// pair with a bandwidth matrix.
func BenchmarkPairs(b *testing.B) {
	const d, points = 20, 1000
	for _, n := range []int{100, 200, 300, 500, 1000, 4000, 8000} {
		columns, h := make([][]float64, d), make([]float64, d)
		var pairs []stats.Pair
		for j := range columns {
			columns[j], _ = benchmarkSample(n)
			h[j] = 1.1 * math.Pow(float64(n), -1.0/6)
			for i := range j {
				pairs = append(pairs, stats.Pair{I: i, J: j})
			}
		}
		x, y := benchmarkSample(max(n, points))
		x, y = x[len(x)-points:], y[len(y)-points:]
		run := func(name string, pairs int, f func()) {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*points*pairs), "ns/sum")
			})
		}
		product, dst := ProductPairs(columns, h, pairs, Whole(n)), matrix(points, len(pairs))
		at := matrix(points, d)
		for r := range at {
			for j := range at[r] {
				at[r][j] = x[(r+j)%points]
			}
		}
		run("product", len(pairs), func() { product.Sums(at, dst) })
		u, v := benchmarkSample(n)
		bandwidths, err := Hpi(u, v, false)
		if err != nil {
			b.Fatal(err)
		}
		sums := matrix(1, points)
		var s MatrixSums
		var m MatrixMemory
		run("full,direct", 1, func() {
			s.sample.fit(u, v, bandwidths, Whole(n))
			s.Sums(&m, x, y, 1e-10, sums)
		})
		if m.Fit(u, v, bandwidths, Whole(n)).gridded {
			run("full,grid", 1, func() { m.Fit(u, v, bandwidths, Whole(n)).Sums(&m, x, y, 1e-10, sums) })
		}
	}
}

// Parts keep the order of the rows; each row is in one of them.
func TestPartition(t *testing.T) {
	p := NewPartition([]int{2, 0, 2, 3, 0, 2}, 5)
	for g, want := range [][]int{{1, 4}, {}, {0, 2, 5}, {3}, {}} {
		if got := p.Part(g); !slices.Equal(got, want) || p.Count(g) != len(want) {
			t.Errorf("part %d: rows %v, want %v", g, got, want)
		}
	}
	if got, want := p.Outside(2), []int{1, 4, 3}; !slices.Equal(got, want) {
		t.Errorf("outside part 2: rows %v, want %v", got, want)
	}
	for _, part := range []int{-1, 5} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for part %d of 5", part)
				}
			}()
			NewPartition([]int{part}, 5)
		}()
	}
}

// Sums sets dst[r][q*parts+g] to the sum of the kernels of pair q over the rows of part g
// at the point x[r].
func (s *ProductSums) Sums(x, dst [][]float64) {
	var m ProductMemory
	for r, t := range x {
		for g, sums := range s.SumsAt(&m, t) {
			for q, at := range s.place {
				dst[r][q*s.parts+g] = sums[at]
			}
		}
	}
}
