package generators

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"copse/internal/randtest"
)

func TestNoncentralDensity(t *testing.T) {
	for _, row := range readGolden(t, "noncentral.csv") {
		df, ncp, x := number(t, row[0]), number(t, row[1]), number(t, row[2])
		checkClose(t, fmt.Sprint(row), noncentralLogDensity(df, ncp, x), number(t, row[3]), 1e-9)
	}
}

// Columns have variance 1 in both classes, within the error of two samples. A standardised parent adds the
// squared coefficient to the variance.
func TestStandardise(t *testing.T) {
	rng := randtest.New(21)
	const n, c = 20000, 0.8
	for _, what := range []string{"columns", "parents"} {
		g := NewForest()
		g.Standardise, g.Coef, g.EdgeProb, g.Order = what, c, 1, "common"
		p := mustNew(t, g, rng).(*networkProblem)
		set := p.Sample([]int{n, n}, rng)
		for class, net := range firstNetworks(p) {
			columns := set.Columns(set.ClassRows(class))
			for _, node := range net {
				want := 1.0
				if what == "parents" {
					want += c * c * float64(len(node.parents))
				}
				if got := stat.Variance(columns[node.column],
					nil); math.Abs(got/want-1) > 5*math.Sqrt(2.0/n+2.0/pilotRows) {
					t.Errorf("%s: x%d has variance %v, want %v", what, node.column+1, got, want)
				}
			}
		}
	}
}

func TestAttachmentAndDepth(t *testing.T) {
	rng := randtest.New(22)
	depths := func(net network) []int {
		depth := make([]int, len(net))
		for _, n := range net {
			depth[n.column] = depthOf(n.parents, depth)
		}
		return depth
	}
	for _, limit := range []int{1, 2, 5} {
		f, b := NewForest(), NewBayesNet()
		f.EdgeProb, f.MaxDepth, b.MaxDepth = 1, limit, limit
		for _, g := range []Generator{f, b} {
			for _, net := range firstNetworks(mustNew(t, g, rng).(*networkProblem)) {
				checkNetwork(t, net, 20)
				if got := slices.Max(depths(net)); got != limit {
					t.Errorf("%T: depth %d, want the limit %d", g, got, limit)
				}
			}
		}
	}
	f := NewForest()
	f.EdgeProb = 1
	for attachment, want := range map[string]int{"chain": 19, "star": 1} {
		f.Attachment = attachment
		if got := slices.Max(depths(firstNetworks(mustNew(t, f, rng).(*networkProblem))[0])); got != want {
			t.Errorf("%s: depth %d, want %d", attachment, got, want)
		}
	}
}

// Shared variables have the same distribution in both classes. If all variables are shared, the classes are
// equal.
func TestForestSharing(t *testing.T) {
	rng := randtest.New(23)
	for _, rule := range []string{"bernoulli", "exact"} {
		g := NewForest()
		g.CPD, g.TypeLevel, g.EdgeRule, g.CommonNodes = "complex", nodeLevel, rule, 5
		for range 50 {
			p := mustNew(t, g, rng).(*networkProblem)
			var laws [2]map[int]string
			for c, net := range firstNetworks(p) {
				laws[c] = map[int]string{}
				checkNetwork(t, net, 20)
				for i := range net {
					laws[c][net[i].column] = fmt.Sprint(net[i].parents, net[i].branches)
				}
				if rule == "exact" && countEdges(net) != 13 {
					t.Errorf("%d edges, want 13", countEdges(net))
				}
			}
			same := 0
			for j, law := range laws[0] {
				if law == laws[1][j] {
					same++
				}
			}
			if same < 5 {
				t.Errorf("%s: %d variables have one law, want at least 5", rule, same)
			}
		}
		g.CommonNodes = 20
		p := mustNew(t, g, rng).(DensityProblem)
		set := p.Sample([]int{20, 20}, rng)
		for i := range set.Y {
			x := set.X.RawRowView(i)
			checkClose(t, "log ratio", p.LogDensity(0, x), p.LogDensity(1, x), 1e-12)
		}
	}
}

// At the level of a problem, the choice is the same for all variables and differs between problems.
func TestLevels(t *testing.T) {
	rng := randtest.New(24)
	for _, level := range []string{classLevel, problemLevel} {
		g := NewForest()
		g.CPD, g.TypeLevel, g.EdgeProb = "complex", level, 1
		seen := map[string]int{}
		for range 60 {
			key := ""
			for _, net := range firstNetworks(mustNew(t, g, rng).(*networkProblem)) {
				kind := len(net[1].branches) // one for t, two for the mixture
				for _, n := range net[1:] {
					if len(n.branches) != kind {
						t.Fatalf("%s: both kinds in one class", level)
					}
				}
				key += fmt.Sprint(kind)
			}
			seen[key]++
		}
		if want := map[string]int{classLevel: 4, problemLevel: 2}[level]; len(seen) != want {
			t.Errorf("%s: outcomes %v, want %d", level, seen, want)
		}
	}
}
