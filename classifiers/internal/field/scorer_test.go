package field

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
	"copse/stats"
)

// withTies is a small sample with repeated rows, ties and a constant column.
func withTies(rng *rand.Rand) [][]float64 {
	x := chain(rng, 24, 4)
	for i := range x[0] {
		x[0][i] = math.Round(4*x[0][i]) / 4
		x[3][i] = 0.5
	}
	for j := range x {
		x[j][7], x[j][8] = x[j][6], x[j][6]
	}
	return x
}

var relations = []struct {
	node    int
	parents []int
}{{0, nil}, {1, []int{0}}, {0, []int{1, 2}}, {3, []int{0}}, {1, []int{3}}, {2, []int{0, 1, 3}}}

// cvll returns the scores of one family.
func cvll(s *Scorer, node int, parents []int, g grid, floor float64, alone func(float64) []float64) [2][2]float64 {
	common, own := splitLast(parents)
	list := s.families(node, common, own)
	s.scratch.setScores(g, floor, list, alone)
	return list[0].scores
}

// The windowed sums equal Eq. 9, written out.
func TestCVLLIsEquationNine(t *testing.T) {
	rng := randtest.New(1)
	for _, n := range []int{2, 7, 8, 9, 64, 65, 72, 200} { // less and more than a tile has
		isEquationNine(t, chain(rng, n, 4), grid{[2]float64{0.1, 0.25}, [2]float64{0.2, 0.7}})
	}
	for _, x := range [][][]float64{withTies(rng), chain(rng, 200, 4)} {
		isEquationNine(t, x, grid{[2]float64{0.1, 0.25}, [2]float64{0.2, 0.7}})
		isEquationNine(t, x, grid{[2]float64{0.01, 0.04}, [2]float64{0.1, 0.4}})
	}
}

func isEquationNine(t *testing.T, x [][]float64, g grid) {
	t.Helper()
	n := len(x[0])
	const floor = 1e-6
	for _, f := range relations {
		got := cvll(NewScorer(x, khrfRange), f.node, f.parents, g, floor, unbounded(n))
		for k, h1 := range g.h1 {
			for l, h2 := range g.h2 {
				var want float64
				for i := range n {
					var sum float64
					for j := range n {
						if j == i {
							continue
						}
						v := kernel(differences(x, []int{f.node}, i, j), h1)
						if len(f.parents) > 0 {
							v *= kernel(differences(x, f.parents, i, j), h2)
						}
						sum += v
					}
					want += math.Log(max(sum/float64(n-1), floor)) / float64(n)
				}
				within(t, "CVLL", got[k][l], want, 1e-12)
			}
		}
	}
}

// unbounded makes cvll evaluate all pairs.
func unbounded(n int) func(float64) []float64 {
	sums := slices.Repeat([]float64{math.Inf(1)}, n)
	return func(float64) []float64 { return sums }
}

// A pair without a score has a lower score than the best one. The other scores are the same as without
// bounds.
func TestOnlyLowerPairsAreLeftOut(t *testing.T) {
	rng := randtest.New(5)
	for _, x := range [][][]float64{withTies(rng), chain(rng, 120, 4)} {
		n, left, evaluated := len(x[0]), 0, 0
		for _, h := range [][2]float64{{0.05, 0.5}, {2, 1}, {1, 2}, {0.3, 20}} {
			g := grid{[2]float64{h[0] / 4, h[0] * 3 / 4}, [2]float64{h[1] / 4, h[1] * 3 / 4}}
			for _, f := range relations {
				s := NewScorer(x, khrfRange)
				all := cvll(s, f.node, f.parents, g, 1e-6, unbounded(n))
				univariate := func(h1 float64) []float64 { return s.univariateSums(f.node, h1) }
				got := cvll(s, f.node, f.parents, g, 1e-6, univariate)
				best := max(all[0][0], all[1][0])
				for k := range 2 {
					switch {
					case got[k][0] != all[k][0]:
						t.Errorf("%v given %v: %v, want %v", f.node, f.parents, got[k][0], all[k][0])
					case math.IsInf(got[k][1], -1):
						left++
						if all[k][1] >= best {
							t.Errorf("%v given %v: %v is left out, the best is %v", f.node, f.parents, all[k][1], best)
						}
					default:
						evaluated++
						if got[k][1] != all[k][1] {
							t.Errorf("%v given %v: %v, want %v", f.node, f.parents, got[k][1], all[k][1])
						}
					}
				}
			}
		}
		if left == 0 || evaluated == 0 {
			t.Errorf("%d pairs left out, %d evaluated", left, evaluated)
		}
	}
}

// The bound without kernels of parents.
func TestAloneIsTheSumOfTheNodesKernels(t *testing.T) {
	x := withTies(randtest.New(6))
	s := NewScorer(x, khrfRange)
	for t2, i := range s.order[1] {
		var want float64
		for j := range x[1] {
			u := (x[1][i] - x[1][j]) / 0.3
			if j != i {
				want += max(0, 1-u*u)
			}
		}
		within(t, "sum", s.univariateSums(1, 0.3)[t2], want, 1e-12)
	}
}

// LogLik is the sum of the log densities of rows that were left out of the fit.
func TestScoreLeavesOneOut(t *testing.T) {
	x := withTies(randtest.New(2))
	n := len(x[0])
	for _, b := range []Bandwidths{khrfRange, kbnRange} {
		full := NewScorer(x, b)
		for _, f := range relations {
			score := full.Score(f.node, f.parents)
			var want float64
			for i := range n {
				rest, row := make([][]float64, len(x)), make([]float64, len(x))
				for j := range x {
					rest[j] = append(append([]float64{}, x[j][:i]...), x[j][i+1:]...)
					row[j] = x[j][i]
				}
				c := NewScorer(rest, b).conditional(f.node, f.parents, rest)
				c.H1, c.H2 = score.H1, score.H2
				want += c.LogDensity(row)
			}
			within(t, "sum of leave-one-out log densities", score.LogLik, want, 1e-12)
		}
	}
}

func TestCachedEqualsFresh(t *testing.T) {
	x := withTies(randtest.New(3))
	shared := NewScorer(x, khrfRange)
	for range 2 {
		for _, f := range relations {
			if got, want := shared.Score(f.node, f.parents),
				NewScorer(x, khrfRange).Score(f.node, f.parents); got != want {
				t.Errorf("node %d given %v: %v from the cache, %v fresh", f.node, f.parents, got, want)
			}
		}
	}
}

// Families that are scored together have the same scores as separately.
func TestPreparedEqualsAlone(t *testing.T) {
	rng := randtest.New(7)
	for _, x := range [][][]float64{chain(rng, 90, 25), append(withTies(rng), withTies(rng)...)} {
		for _, b := range []Bandwidths{khrfRange, kbnRange, {Max1: 0.3, Max2: 20, Iterations: 4, Floor: 1e-6}} {
			for _, parents := range [][]int{nil, {2}, {1, 4}, {1, 4, 5}} {
				together, alone := NewScorer(x, b), NewScorer(x, b)
				more := slices.DeleteFunc(stats.Indices(len(x)),
					func(j int) bool { return j == 3 || slices.Contains(parents, j) })
				if err := together.Prepare(t.Context(), 3, parents, more); err != nil {
					t.Fatal(err)
				}
				if len(together.scores) != len(more) {
					t.Fatalf("%d families, want %d", len(together.scores), len(more))
				}
				for _, j := range more {
					got, want := together.Score(3, withParent(parents, j)), alone.Score(3, withParent(parents, j))
					within(t, "log-likelihood", got.LogLik, want.LogLik, 1e-11)
					if got.H1 != want.H1 || got.H2 != want.H2 {
						t.Errorf("given %v: bandwidths %v, %v", withParent(parents, j), got, want)
					}
				}
			}
		}
	}
}

// The score depends on the order of the rows only through rounding.
func TestScoreIgnoresRowOrder(t *testing.T) {
	rng := randtest.New(4)
	x := chain(rng, 50, 3)
	shuffled := make([][]float64, len(x))
	order := rng.Perm(50)
	for j := range x {
		for _, i := range order {
			shuffled[j] = append(shuffled[j], x[j][i])
		}
	}
	a, b := NewScorer(x, kmrfRange).Score(0, []int{1, 2}), NewScorer(shuffled, kmrfRange).Score(0, []int{1, 2})
	within(t, "log-likelihood", b.LogLik, a.LogLik, 1e-12)
	if a.H1 != b.H1 || a.H2 != b.H2 {
		t.Errorf("bandwidths %v, %v", a, b)
	}
}

// searched returns the best pair by Algorithm 1, and the pairs that it evaluated.
func searched(b Bandwidths, score func(g grid, k, l int) float64) (s search, seen []grid, improved int) {
	s = b.start()
	for range b.Iterations {
		var scores [2][2]float64
		g := s.grid()
		seen = append(seen, g)
		for k := range 2 {
			for l := range 2 {
				scores[k][l] = score(g, k, l)
			}
		}
		if _, _, best := s.narrow(scores); best {
			improved++
		}
	}
	return s, seen, improved
}

func TestSearchEvaluatesThePapersBandwidths(t *testing.T) {
	b := Bandwidths{Max1: 0.05, Max2: 0.5, Iterations: 2, Floor: 1e-6}
	// For a score that increases with h1 and decreases with h2, the search keeps the upper half of the range
	// of h1 and the lower half of that of h2.
	s, seen, _ := searched(b, func(g grid, k, l int) float64 { return g.h1[k] - g.h2[l] })
	want := []grid{
		{[2]float64{0.05 / 4, 0.05 * 3 / 4}, [2]float64{0.5 / 4, 0.5 * 3 / 4}},
		{[2]float64{0.05 * 5 / 8, 0.05 * 7 / 8}, [2]float64{0.5 / 8, 0.5 * 3 / 8}},
	}
	for i := range want {
		for k := range 2 {
			within(t, "h1", seen[i].h1[k], want[i].h1[k], 1e-15)
			within(t, "h2", seen[i].h2[k], want[i].h2[k], 1e-15)
		}
	}
	within(t, "best h1", s.h1, 0.05*7/8, 1e-15)
	within(t, "best h2", s.h2, 0.5/8, 1e-15)
}

// The search returns the best pair of all evaluations, although later iterations are limited to a
// neighbourhood that may be worse.
func TestSearchKeepsTheBestOfAll(t *testing.T) {
	calls := 0.0
	s, _, improved := searched(Bandwidths{Max1: 1, Max2: 1, Iterations: 3}, func(g grid, k, l int) float64 {
		if k == 1 && l == 0 {
			calls++
			return 1 / calls
		}
		return 0
	})
	if s.h1 != 0.75 || s.h2 != 0.25 || improved != 1 {
		t.Errorf("got (%v, %v) after %d improvements", s.h1, s.h2, improved)
	}
}
