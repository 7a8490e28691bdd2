package tree

import (
	"math"
	"slices"
	"testing"

	//lint:ignore SA1019 golang.org/x/exp/rand is the module's random source
	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
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
	var all []Edge
	for i := range d {
		for j := i + 1; j < d; j++ {
			all = append(all, Edge{i, j})
		}
	}
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

// components labels the vertices by component; acyclic tells whether the edges
// close no cycle.
func components(d int, edges []Edge) (count int, acyclic bool) {
	label := make([]int, d)
	for v := range label {
		label[v] = v
	}
	count, acyclic = d, true
	for _, e := range edges {
		a, b := label[e.I], label[e.J]
		if a == b {
			acyclic = false
			continue
		}
		count--
		for v := range label {
			if label[v] == b {
				label[v] = a
			}
		}
	}
	return count, acyclic
}

// Every subset of edges is tried: none that is a tree (a forest) is heavier.
func TestBruteForce(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for trial := range 60 {
		d := 1 + trial%5
		w := randomWeights(d, trial%3*2, rng)
		tree, forest := Maximum(w), MaximumForest(w)
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

// With ties the result is that of taking edges greedily in the order of weight,
// then (I, J).
func TestTieRule(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for trial := range 50 {
		d := 2 + trial%9
		w := randomWeights(d, 1+trial%3, rng)
		var all []Edge
		for i := range d {
			for j := i + 1; j < d; j++ {
				all = append(all, Edge{i, j})
			}
		}
		slices.SortStableFunc(all, func(a, b Edge) int {
			return int(w.At(b.I, b.J) - w.At(a.I, a.J)) // whole numbers
		})
		var want []Edge
		for _, e := range all {
			if _, acyclic := components(d, append(slices.Clone(want), e)); acyclic {
				want = append(want, e)
			}
		}
		slices.SortFunc(want, compare)
		if got := Maximum(w); !slices.Equal(got, want) {
			t.Fatalf("d = %d: got %v, want %v", d, got, want)
		}
	}
}

func TestParents(t *testing.T) {
	parent, order := Parents(6, []Edge{{0, 4}, {1, 2}, {2, 4}})
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
	w := randomWeights(100, 0, rand.New(rand.NewSource(1)))
	for b.Loop() {
		Maximum(w)
	}
}
