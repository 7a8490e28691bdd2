package field

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
	"copse/stats"
)

// acyclic reports whether the graph has an order in which parents come first.
func acyclic(parents [][]int) bool {
	placed := make([]bool, len(parents))
	for range parents {
		for v, p := range parents {
			ready := true
			for _, u := range p {
				ready = ready && placed[u]
			}
			placed[v] = placed[v] || ready
		}
	}
	return !slices.Contains(placed, false)
}

// sets lists every graph over d nodes as the set of relatives of each node.
func sets(d int) [][][]int {
	graphs := [][][]int{nil}
	for v := range d {
		var grown [][][]int
		for _, g := range graphs {
			for code := range 1 << d {
				if code>>v&1 == 1 {
					continue
				}
				relatives := []int{}
				for u := range d {
					if code>>u&1 == 1 {
						relatives = append(relatives, u)
					}
				}
				grown = append(grown, append(slices.Clone(g), relatives))
			}
		}
		graphs = grown
	}
	return graphs
}

func total(score func(int, []int) float64, sets [][]int) float64 {
	var sum float64
	for v, p := range sets {
		sum += score(v, p)
	}
	return sum
}

func symmetric(sets [][]int) bool {
	for v, p := range sets {
		for _, u := range p {
			if !slices.Contains(sets[u], v) {
				return false
			}
		}
	}
	return true
}

func TestSearchesReachTheOptimumOfThree(t *testing.T) {
	for seed := range uint64(5) {
		s := NewScorer(chain(randtest.New(seed), 60, 3), kbnRange)
		bestDAG, bestEdges := math.Inf(-1), math.Inf(-1)
		dags := 0
		for _, g := range sets(3) {
			if acyclic(g) {
				dags++
				bestDAG = max(bestDAG, total(s.LogLik, g))
			}
			if symmetric(g) {
				bestEdges = max(bestEdges, total(s.LogLik, g))
			}
		}
		if dags != 25 {
			t.Fatalf("%d acyclic graphs of three nodes", dags)
		}
		directed, err := HillClimb(t.Context(), stats.Indices(3), 2, 1e-9, s)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "best directed graph", total(s.LogLik, directed), bestDAG, 1e-12)
		undirected, err := ToggleEdges(t.Context(), stats.Indices(3), 2, 1e-9, s)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "best undirected graph", total(s.LogLik, undirected), bestEdges, 1e-12)
	}
}

// A scoreFunc is a scorer that needs no preparation.
type scoreFunc func(node int, parents []int) float64

func (f scoreFunc) LogLik(node int, parents []int) float64 { return f(node, parents) }
func (f scoreFunc) Prepare(ctx context.Context, _ int, _, _ []int) error {
	return ctx.Err()
}

// arbitrary gives every pair of node and set a random score.
func arbitrary(rng *rand.Rand) scoreFunc {
	table := map[string]float64{}
	return func(node int, set []int) float64 {
		k := key(node, set)
		if _, ok := table[k]; !ok {
			table[k] = rng.Float64()
		}
		return table[k]
	}
}

func toggled(sets [][]int, v, u int) [][]int {
	changed := slices.Clone(sets)
	if slices.Contains(sets[v], u) {
		changed[v] = slices.DeleteFunc(slices.Clone(sets[v]), func(w int) bool { return w == u })
	} else {
		changed[v] = append(slices.Clone(sets[v]), u)
		slices.Sort(changed[v])
	}
	return changed
}

// For any scores, the result is acyclic and within the limit. No single addition, deletion or reversal that
// keeps these properties increases the score.
func TestHillClimbEndsInLocalOptimum(t *testing.T) {
	const d, limit = 6, 2
	for seed := range uint64(20) {
		score := arbitrary(randtest.New(seed))
		parents, err := HillClimb(t.Context(), stats.Indices(d), limit, 0, score)
		if err != nil {
			t.Fatal(err)
		}
		legal := func(g [][]int) bool {
			return acyclic(g) && !slices.ContainsFunc(g, func(p []int) bool { return len(p) > limit })
		}
		if !legal(parents) {
			t.Fatalf("illegal graph %v", parents)
		}
		for v := range d {
			for u := range d {
				if u == v {
					continue
				}
				moves := [][][]int{toggled(parents, v, u)}
				if slices.Contains(parents[v], u) {
					moves = append(moves, toggled(moves[0], u, v))
				}
				for _, g := range moves {
					if legal(g) && total(score, g) > total(score, parents)+1e-12 {
						t.Errorf("seed %d: %v beats %v", seed, g, parents)
					}
				}
			}
		}
	}
}

func TestToggleEdgesEndsInLocalOptimum(t *testing.T) {
	const d, limit = 6, 3
	for seed := range uint64(20) {
		score := arbitrary(randtest.New(seed))
		sets, err := ToggleEdges(t.Context(), stats.Indices(d), limit, 0, score)
		if err != nil {
			t.Fatal(err)
		}
		if !symmetric(sets) {
			t.Fatalf("not symmetric: %v", sets)
		}
		for v := range d {
			for u := range v {
				g := toggled(toggled(sets, v, u), u, v)
				if len(g[v]) <= limit && len(g[u]) <= limit && total(score, g) > total(score, sets)+1e-12 {
					t.Errorf("seed %d: %v beats %v", seed, g, sets)
				}
			}
		}
	}
}

func TestSearchesStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	score := scoreFunc(func(int, []int) float64 { return 0 })
	if _, err := HillClimb(ctx, stats.Indices(3), 2, 0, score); err != context.Canceled {
		t.Errorf("hill climbing: %v", err)
	}
	if _, err := ToggleEdges(ctx, stats.Indices(3), 2, 0, score); err != context.Canceled {
		t.Errorf("edge toggling: %v", err)
	}
}

func TestSearchOverSomeVariables(t *testing.T) {
	// 7 has the best score with parent 2, and 2 without parents.
	score := scoreFunc(func(node int, parents []int) float64 {
		if node == 7 && reflect.DeepEqual(parents, []int{2}) {
			return 1
		}
		return 0
	})
	parents, err := HillClimb(t.Context(), []int{2, 4, 7}, 2, 0, score)
	if want := [][]int{{}, {}, {2}}; err != nil || !reflect.DeepEqual(parents, want) {
		t.Errorf("parents %v, %v", parents, err)
	}
}
