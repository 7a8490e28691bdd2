package generators

import (
	"reflect"
	"slices"
	"testing"

	"copse/internal/randtest"
)

// parentCounts returns the number of parents of each variable, in the order of the network.
func parentCounts(net network) []int {
	counts := make([]int, len(net))
	for i, n := range net {
		counts[i] = len(n.parents)
	}
	return counts
}

func TestBayesNetLiteralStructure(t *testing.T) {
	rng := randtest.New(13)
	want := []int{0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}
	for range 50 {
		p := mustNew(t, NewBayesNet(), rng).(*networkProblem)
		for _, net := range firstNetworks(p) {
			checkNetwork(t, net, 20)
			if got := parentCounts(net); !slices.Equal(got, want) {
				t.Fatalf("numbers of parents %v, want %v", got, want)
			}
		}
	}
}

// In the calibrated reading the first four variables, the same in both classes,
// are the only parents, and the first two of each class are roots.
func TestBayesNetPool(t *testing.T) {
	rng := randtest.New(14)
	g := NewBayesNet()
	g.Reading = calibrated
	want := []int{0, 0, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}
	differ := false
	for range 50 {
		p := mustNew(t, g, rng).(*networkProblem)
		var pools [2][]int
		for c, net := range firstNetworks(p) {
			order := checkNetwork(t, net, 20)
			if got := parentCounts(net); !slices.Equal(got, want) {
				t.Fatalf("numbers of parents %v, want %v", got, want)
			}
			pools[c] = order[:4]
			for _, n := range net {
				for _, k := range n.parents {
					if !slices.Contains(pools[c], k) {
						t.Fatalf("x%d has the parent x%d outside the pool %v", n.column+1, k+1, pools[c])
					}
				}
			}
		}
		differ = differ || !slices.Equal(pools[0], pools[1])
		slices.Sort(pools[0])
		slices.Sort(pools[1])
		if !slices.Equal(pools[0], pools[1]) {
			t.Fatalf("pools %v", pools)
		}
	}
	if !differ {
		t.Error("the order inside the pool never differs between the classes")
	}
}

func TestBayesNetCommonNodes(t *testing.T) {
	rng := randtest.New(15)
	orders := map[string][]int{"per_class": nil, "common": nil, "blocks": {6, 14}}
	for order, cuts := range orders {
		for _, reading := range []string{literal, calibrated} {
			for _, roots := range []int{0, 3, 8} {
				g := NewBayesNet()
				g.CPD, g.TypeLevel, g.ComponentLevel = "complex", "node", "node"
				g.Reading, g.Order, g.BlockCuts, g.NRoots, g.CommonNodes = reading, order, cuts, roots, 7
				for range 20 {
					p := mustNew(t, g, rng).(*networkProblem)
					checkShared(t, p, 7)
				}
			}
		}
	}
}

// checkShared checks that exactly the listed variables have the same parents and density in both classes, and
// that the numbers of roots agree.
func checkShared(t *testing.T, p *networkProblem, want int) {
	t.Helper()
	names := p.description.Drawn.(map[string][]string)["common_nodes"]
	if len(names) != want {
		t.Fatalf("%d shared variables, want %d", len(names), want)
	}
	nodes := [2]map[string]node{{}, {}}
	roots := [2]int{}
	for c, net := range firstNetworks(p) {
		checkNetwork(t, net, 20)
		for _, n := range net {
			nodes[c][columnName(n.column)] = n
			if len(n.parents) == 0 {
				roots[c]++
			}
		}
	}
	for _, name := range names {
		a, b := nodes[0][name], nodes[1][name]
		if len(a.parents) == 0 || !reflect.DeepEqual(a, b) {
			t.Errorf("%s is %v in the first class, %v in the second", name, a, b)
		}
	}
	if roots[0] != roots[1] {
		t.Errorf("%d and %d roots", roots[0], roots[1])
	}
}

func TestBayesNetReadings(t *testing.T) {
	g := NewBayesNet()
	r, _ := g.resolve()
	if r.NRoots != 1 || r.ParentPool != 20 || r.TypeLevel != "sample" {
		t.Errorf("literal: %+v", r)
	}
	g.Reading = calibrated
	r, _ = g.resolve()
	if r.NRoots != 2 || r.ParentPool != 4 || r.TypeLevel != "node" || !r.PoolCommon || r.ComponentLevel != "sample" ||
		r.Coef != 1 {
		t.Errorf("calibrated: %+v", r)
	}
	g.NRoots, g.ParentPool, g.TypeLevel = 3, 20, "sample"
	r, _ = g.resolve()
	if r.NRoots != 3 || r.ParentPool != 20 || r.TypeLevel != "sample" {
		t.Errorf("the reading overrides a given parameter: %+v", r)
	}
}

func TestBayesNetMistakes(t *testing.T) {
	for _, tt := range []struct {
		key    string
		change func(*BayesNet)
	}{
		{"n_roots", func(g *BayesNet) { g.NRoots = 21 }},
		{"parent_pool", func(g *BayesNet) { g.ParentPool = 21 }},
		{"common_nodes", func(g *BayesNet) { g.CommonNodes = 20 }},
		{"common_nodes", func(g *BayesNet) { g.Reading, g.CommonNodes = calibrated, 17 }},
		{"pool_common", func(g *BayesNet) { g.ParentPool, g.PoolCommon, g.CommonNodes = 4, false, 1 }},
		{"pool_common", func(g *BayesNet) { g.ParentPool, g.PoolCommon, g.Order = 4, false, "common" }},
		{"block_cuts", func(g *BayesNet) { g.Order = "blocks" }},
	} {
		g := NewBayesNet()
		tt.change(g)
		checkParamError(t, g.Validate(), tt.key)
	}
}
