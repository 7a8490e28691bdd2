package spanning

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/mutual"
)

func randomWeights(d, levels int, rng *rand.Rand) *mat.SymDense {
	w := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i + 1; j < d; j++ {
			w.SetSym(i, j, rng.NormFloat64())
			if levels > 0 { // few distinct weights: many ties
				w.SetSym(i, j, float64(rng.Intn(levels))-1)
			}
		}
	}
	return w
}

func total(w mat.Symmetric, edges []Edge) float64 {
	sum := 0.0
	for _, e := range edges {
		sum += w.At(e.I, e.J)
	}
	return sum
}

// subsets calls f with every set of edges of the complete graph on d vertices.
func subsets(d int, f func([]Edge)) {
	all := stats.Pairs(d)
	for bits := range 1 << len(all) {
		var chosen []Edge
		for k, e := range all {
			if bits>>k&1 == 1 {
				chosen = append(chosen, e)
			}
		}
		f(chosen)
	}
}

// components counts the connected components; acyclic reports whether the edges contain no cycle.
func components(d int, edges []Edge) (count int, acyclic bool) {
	p := stats.NewPartition(d)
	count, acyclic = d, true
	for _, e := range edges {
		if p.Smallest(e.I) == p.Smallest(e.J) {
			acyclic = false
			continue
		}
		count--
		p.Join(e.I, e.J)
	}
	return count, acyclic
}

// Among all subsets of the edges, no tree (or forest) has a larger weight.
func TestBruteForce(t *testing.T) {
	rng := randtest.New(1)
	for trial := range 60 {
		d := 1 + trial%5
		w := randomWeights(d, trial%3*2, rng)
		tree, forest := Maximum(w), MaximumOf(w, true)
		if count, acyclic := components(d, tree); count != 1 || !acyclic || len(tree) != d-1 {
			t.Fatalf("d = %d: %v is not a spanning tree", d, tree)
		}
		subsets(d, func(edges []Edge) {
			count, acyclic := components(d, edges)
			if acyclic && count == 1 && total(w, edges) > total(w, tree)+1e-12 {
				t.Fatalf("tree %v weighs %g, but %v weighs %g", tree, total(w, tree), edges, total(w, edges))
			}
			if acyclic && total(w, edges) > total(w, forest)+1e-12 {
				t.Fatalf("forest %v weighs %g, but %v weighs %g", forest, total(w, forest), edges, total(w, edges))
			}
		})
	}
}

// With ties, the result is the same as choosing edges greedily in the order of weight and then of (I, J).
func TestTieRule(t *testing.T) {
	rng := randtest.New(2)
	for trial := range 50 {
		d := 2 + trial%9
		w := randomWeights(d, 1+trial%3, rng)
		all := stats.Pairs(d)
		slices.SortStableFunc(all, func(a, b Edge) int {
			return int(w.At(b.I, b.J) - w.At(a.I, a.J)) // whole numbers
		})
		var want []Edge
		for _, e := range all {
			if _, acyclic := components(d, append(slices.Clone(want), e)); acyclic {
				want = append(want, e)
			}
		}
		slices.SortFunc(want, compareByIndex)
		if got := Maximum(w); !slices.Equal(got, want) {
			t.Fatalf("d = %d: got %v, want %v", d, got, want)
		}
	}
}

// Weights that differ only by rounding are ties: the order in which their terms are summed does not matter.
func TestRoundingBreaksNoTies(t *testing.T) {
	rng := randtest.New(3)
	for trial := range 50 {
		d, scale := 2+trial%9, math.Pow(10, float64(trial%7-3))
		exact := randomWeights(d, 3, rng)
		rounded, arcs, roundedArcs := mat.NewSymDense(d, nil), mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
		for i := range d {
			for j := range d {
				noise := 2e-15 * (2*rng.Float64() - 1)
				rounded.SetSym(i, j, scale*(exact.At(i, j)+noise))
				arcs.Set(i, j, float64(rng.Intn(3)-1))
				roundedArcs.Set(i, j, scale*(arcs.At(i, j)+noise))
			}
		}
		if a, b := Maximum(exact), Maximum(rounded); !slices.Equal(a, b) {
			t.Errorf("d = %d: tree %v, with rounding %v", d, a, b)
		}
		if mat.Max(exact) == 0 && mat.Min(exact) == 0 {
			continue // nothing but rounding is left
		}
		if a, b := MaximumOf(exact, true), MaximumOf(rounded, true); !slices.Equal(a, b) {
			t.Errorf("d = %d: forest %v, with rounding %v", d, a, b)
		}
		for _, spanning := range []bool{true, false} {
			if a, b := Arborescence(arcs, spanning), Arborescence(roundedArcs, spanning); !slices.Equal(a, b) {
				t.Errorf("d = %d: arborescence %v, with rounding %v", d, a, b)
			}
		}
	}
}

// The names of levels and the order of rows do not matter: columns that differ only in the names of their
// levels tie.
func TestLevelsHaveNoNames(t *testing.T) {
	rng := randtest.New(4)
	for trial := range 40 {
		const n, d = 90, 6
		levels, columns := make([]int, d), make([][]float64, d)
		renamed := make([][]float64, d)
		for j := range d {
			levels[j], columns[j], renamed[j] = 3, make([]float64, n), make([]float64, n)
			name := rng.Perm(3)
			for i := range n {
				columns[j][i] = float64(rng.Intn(3))
				if j >= d/2 {
					columns[j][i] = float64(name[int(columns[j-d/2][i])])
				}
			}
		}
		order := rng.Perm(n)
		for j := range d {
			name := rng.Perm(3)
			for i, r := range order {
				renamed[j][r] = float64(name[int(columns[j][i])])
			}
		}
		edges := func(columns [][]float64) []Edge {
			information, err := mutual.Discrete(t.Context(), columns, levels)
			if err != nil {
				t.Fatal(err)
			}
			return Maximum(information)
		}
		if a, b := edges(columns), edges(renamed); !slices.Equal(a, b) {
			t.Errorf("trial %d: tree %v, after renaming %v", trial, a, b)
		}
	}
}

// Weights that differ by more than rounding keep their order.
func TestQuantiseKeepsTheOrder(t *testing.T) {
	w := []float64{1, 1 + 1e-15, 1 - 1e-11, 1e-13, -1e-11, 0.5, -0.5, -1e-13}
	quantise(w, 0)
	if w[0] != w[1] || !(w[2] < w[0]) || w[3] != 0 || w[7] != 0 || !(w[4] < 0) || w[5] != 0.5 || w[6] != -0.5 {
		t.Errorf("%v", w)
	}
}

// Without information there is no edge. Ranks break ties, so the order of the vertices does not matter.
func TestInformative(t *testing.T) {
	rng := randtest.New(5)
	for trial := range 50 {
		d := 2 + trial%7
		weight, ranks, order := randomWeights(d, 3, rng), rng.Perm(d), rng.Perm(d) // -1, 0 or 1
		moved, movedRanks := mat.NewSymDense(d, nil), make([]int, d)
		for i := range d {
			movedRanks[order[i]] = ranks[i]
			for j := range i {
				noise := 2e-13 * (2*rng.Float64() - 1)
				moved.SetSym(order[i], order[j], weight.At(i, j)+noise)
			}
		}
		var want []Edge
		for _, e := range Informative(weight, func() []int { return ranks }) {
			if weight.At(e.I, e.J) <= 0 {
				t.Errorf("edge %v has weight %g", e, weight.At(e.I, e.J))
			}
			want = append(want, edge(order[e.I], order[e.J]))
		}
		slices.SortFunc(want, compareByIndex)
		if forest := MaximumOf(weight, true); len(forest) != len(want) {
			t.Errorf("%d edges, the forest has %d", len(want), len(forest))
		}
		if got := Informative(moved, func() []int { return movedRanks }); !slices.Equal(got, want) {
			t.Errorf("edges %v, in another order %v", want, got)
		}
	}
	unused := func() []int { t.Error("ranks are computed without a tie"); return []int{0, 1, 2} }
	distinct := mat.NewSymDense(3, []float64{0, 1, 2, 1, 0, 0, 2, 0, 0})
	if got := Informative(distinct, unused); !slices.Equal(got, []Edge{{I: 0, J: 1}, {I: 0, J: 2}}) {
		t.Errorf("edges %v", got)
	}
}

func TestParents(t *testing.T) {
	parent, order := Parents(6, []Edge{{I: 0, J: 4}, {I: 1, J: 2}, {I: 2, J: 4}})
	if want := []int{-1, 2, 4, -1, 0, -1}; !slices.Equal(parent, want) {
		t.Errorf("parents %v, want %v", parent, want)
	}
	if want := []int{0, 4, 2, 1, 3, 5}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

func TestNaNPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	w := mat.NewSymDense(3, nil)
	w.SetSym(0, 2, math.NaN())
	Maximum(w)
}

func BenchmarkMaximum(b *testing.B) {
	w := randomWeights(100, 0, randtest.New(1))
	for b.Loop() {
		Maximum(w)
	}
}
