package generators

import (
	"errors"
	"math"
	"slices"
	"testing"

	"copse/internal/randtest"
	"copse/stats/recipe"
)

// checkNetwork checks that every node comes after its parents and that every column occurs once. It returns
// the order of the columns.
func checkNetwork(t *testing.T, net network, d int) (order []int) {
	t.Helper()
	placed := make([]bool, d)
	for _, n := range net {
		for k, parent := range n.parents {
			if !placed[parent] {
				t.Errorf("x%d comes before its parent x%d", n.column+1, parent+1)
			}
			if slices.Contains(n.parents[:k], parent) {
				t.Errorf("x%d has the parent x%d twice", n.column+1, parent+1)
			}
		}
		if placed[n.column] {
			t.Errorf("x%d appears twice", n.column+1)
		}
		placed[n.column] = true
		order = append(order, n.column)
	}
	if len(net) != d {
		t.Errorf("%d nodes, want %d", len(net), d)
	}
	return order
}

func countEdges(net network) int {
	edges := 0
	for _, n := range net {
		edges += len(n.parents)
	}
	return edges
}

func TestForestStructure(t *testing.T) {
	rng := randtest.New(11)
	g := NewForest()
	edges, repetitions := 0, 1000
	for range repetitions {
		p := mustNew(t, g, rng).(*networkProblem)
		for _, net := range firstNetworks(p) {
			checkNetwork(t, net, 20)
			for _, n := range net {
				if len(n.parents) > 1 {
					t.Fatalf("x%d has parents %v", n.column+1, n.parents)
				}
			}
			edges += countEdges(net)
		}
	}
	// 2000 forests x 19 Bernoulli(2/3) edges: standard error 0.046
	if mean := float64(edges) / float64(2*repetitions); math.Abs(mean-19*2.0/3) > 0.2 {
		t.Errorf("mean number of edges %v, want %v", mean, 19*2.0/3)
	}
	for _, want := range []int{0, 2, 13, 19} {
		g.EdgeRule, g.NEdges = "exact", want
		for _, net := range firstNetworks(mustNew(t, g, rng).(*networkProblem)) {
			checkNetwork(t, net, 20)
			if got := countEdges(net); got != want {
				t.Errorf("%d edges, want %d", got, want)
			}
		}
	}
}

// The parent of the last of six variables is each earlier one with probability
// 1/5; in 5000 draws a count has standard deviation 28.
func TestForestParentsAreUniform(t *testing.T) {
	rng := randtest.New(16)
	g := NewForest()
	g.D, g.EdgeProb = 6, 1
	counts := make([]int, 5)
	for range 2500 {
		for _, net := range firstNetworks(mustNew(t, g, rng).(*networkProblem)) {
			counts[slices.Index(checkNetwork(t, net, 6), net[5].parents[0])]++
		}
	}
	for position, n := range counts {
		if n < 880 || n > 1120 {
			t.Errorf("position %d is the last variable's parent %d times in 5000: %v", position, n, counts)
		}
	}
}

func TestForestOrders(t *testing.T) {
	rng := randtest.New(12)
	g := NewForest()
	orders := func() (first, second []int) {
		p := mustNew(t, g, rng).(*networkProblem)
		return checkNetwork(t, p.classes[0][0], 20), checkNetwork(t, p.classes[1][0], 20)
	}
	if first, second := orders(); slices.Equal(first, second) {
		t.Error("per_class: equal orders")
	}
	g.Order = "common"
	if first, second := orders(); !slices.Equal(first, second) {
		t.Error("common: different orders")
	}
	g.Order, g.BlockCuts = "blocks", []int{10}
	first, second := orders()
	if slices.Max(first[:10]) > 9 || slices.Max(second[:10]) > 9 || slices.Equal(first, second) {
		t.Errorf("blocks of 10: orders %v and %v", first, second)
	}
}

func TestForestReadings(t *testing.T) {
	tests := []struct {
		change   func(*Forest)
		edgeRule string
		nEdges   int
	}{
		{func(*Forest) {}, "bernoulli", 13},
		{func(g *Forest) { g.CPD = "complex" }, "bernoulli", 13},
		{func(g *Forest) { g.Reading = calibrated }, "bernoulli", 13},
		{func(g *Forest) { g.Reading, g.CPD = calibrated, "complex" }, "exact", 2},
		{func(g *Forest) { g.Reading, g.CPD, g.NEdges = calibrated, "complex", 3 }, "exact", 3},
		{func(g *Forest) { g.Reading, g.CPD, g.EdgeRule = calibrated, "complex", "bernoulli" }, "bernoulli", 2},
		{func(g *Forest) { g.EdgeRule = "exact" }, "exact", 13},
	}
	for i, tt := range tests {
		g := NewForest()
		tt.change(g)
		r, err := g.resolve()
		if err != nil {
			t.Fatal(err)
		}
		if r.EdgeRule != tt.edgeRule || r.NEdges != tt.nEdges || r.TypeLevel != "sample" {
			t.Errorf("case %d: %s with %d edges, types by %s", i, r.EdgeRule, r.NEdges, r.TypeLevel)
		}
		if g.TypeLevel != byReading {
			t.Error("resolve changed the recipe")
		}
	}
}

// checkParamError fails unless err names the given parameter.
func checkParamError(t *testing.T, err error, key string) {
	t.Helper()
	var pe *recipe.Error
	if !errors.As(err, &pe) || pe.Key != key {
		t.Errorf("got error %v, want one about %s", err, key)
	}
}

func TestForestMistakes(t *testing.T) {
	g := NewForest()
	g.NEdges = 20
	checkParamError(t, g.Validate(), "n_edges")
	g = NewForest()
	for _, cuts := range [][]int{nil, {0, 5}, {5, 5}, {10, 21}} {
		g.Order, g.BlockCuts = "blocks", cuts
		checkParamError(t, g.Validate(), "block_cuts")
		if _, err := g.New(randtest.New(1)); err == nil {
			t.Errorf("New accepts block_cuts %v", cuts)
		}
	}
}
