package chebyshev

import (
	"fmt"
	"slices"
	"sort"
	"testing"

	"copse/internal/randtest"
	"copse/stats"
)

// plainGreedy is gDCC without shortcuts: it adds every allowed pair in turn and solves the whole forest anew.
func plainGreedy(t *testing.T, m *Marginals, tolerance float64) (chosen []int) {
	order := stats.Indices(len(m.Pairs))
	sort.SliceStable(order, func(a, b int) bool { return m.pairBound(order[a]) < m.pairBound(order[b]) })
	bound := 2.0
	for len(chosen) < len(m.Levels)-1 {
		best := -1
		for _, e := range order {
			edges := append(slices.Clone(chosen), e)
			r := m.Restrict(edges)
			if newForest(r) == nil {
				continue
			}
			if best < 0 {
				best = e
			}
			if s := solve(t, r, options(tolerance/100)); s.Upper < bound*(1-tolerance) {
				best, bound = e, s.Upper
			}
		}
		chosen = append(chosen, best)
	}
	return chosen
}

// The shortcuts do not change the choice.
func TestGreedyIsGreedy(t *testing.T) {
	for _, c := range []struct {
		levels  []int
		classes int
	}{
		{[]int{2, 2, 2, 2, 2, 2, 2}, 2},
		{[]int{3, 2, 4, 2, 3, 2}, 2},
		{[]int{2, 3, 2, 3, 2}, 3},
	} {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(c.levels, c.classes, seed), func(t *testing.T) {
				m := randomMarginals(randtest.New(seed), 150, c.levels, c.classes, stats.Pairs(len(c.levels)))
				got, err := Greedy(t.Context(), m, options(1e-4))
				if err != nil {
					t.Fatal(err)
				}
				if want := plainGreedy(t, m, 1e-4); !slices.Equal(got, want) {
					t.Errorf("pairs %v, plain %v", got, want)
				}
				if newForest(m.Restrict(got)) == nil || len(got) != len(c.levels)-1 {
					t.Errorf("%v is not a spanning tree", got)
				}
			})
		}
	}
}

// The bound of the screening never exceeds the bound of the tree with the added pair. With accurate beliefs,
// it often equals it.
func TestScreenIsALowerBound(t *testing.T) {
	attained := 0
	for seed := range uint64(20) {
		m := randomMarginals(randtest.New(seed), 150, []int{2, 3, 2, 4, 2}, 2, stats.Pairs(5))
		for _, tolerance := range []float64{1e-2, 1e-6} {
			g := newGrowth(m, options(tolerance))
			for _, e := range []int{0, 1, 9} { // a tree of three features and a pair
				if err := g.add(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			for e := range m.Pairs {
				if i, j := g.treesOf(e); i == j {
					continue
				}
				s := solve(t, m.Restrict(edgesOf(g.joined(e), e)), options(1e-7))
				bound := g.screenBound(e)
				if bound > s.Upper+1e-9 {
					t.Errorf("seed %d, pair %d: screened %v, bound %v", seed, e, bound, s.Upper)
				}
				if bound > s.Upper*(1-1e-3) {
					attained++
				}
			}
		}
	}
	if attained < 20 {
		t.Errorf("attained %d times", attained)
	}
}

// With two classes the bound of a forest is the smallest of its trees' bounds.
func TestForestBoundIsLeastTreeBound(t *testing.T) {
	m := randomMarginals(randtest.New(9), 150, []int{2, 3, 2, 2, 3}, 2, edges(0, 1, 2, 3, 3, 4))
	whole := solve(t, m, options(1e-7))
	first, second := solve(t, m.Restrict([]int{0}), options(1e-7)), solve(t, m.Restrict([]int{1, 2}), options(1e-7))
	if least := min(first.Bound, second.Bound); whole.Lower > least+1e-12 || whole.Bound < least-1e-7*least {
		t.Errorf("[%v, %v], trees %v and %v", whole.Lower, whole.Bound, first.Bound, second.Bound)
	}
}

// A single feature spans itself.
func TestGreedyOfOneFeature(t *testing.T) {
	chosen, err := Greedy(t.Context(), newMarginals([]int{3}, 2, nil), options(1e-3))
	if err != nil || len(chosen) != 0 {
		t.Errorf("pairs %v, error %v", chosen, err)
	}
}
