package generators

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/recipe"
)

// checkForest checks that the edges contain no cycle and returns the isolated variables.
func checkForest(t *testing.T, edges []copulaEdge, d int) map[int]bool {
	t.Helper()
	component := stats.Indices(d)
	isolated := make(map[int]bool)
	for j := range d {
		isolated[j] = true
	}
	for _, e := range edges {
		if component[e.i] == component[e.j] {
			t.Fatalf("the edge x%d - x%d closes a cycle", e.i+1, e.j+1)
		}
		from := component[e.i]
		for k := range component {
			if component[k] == from {
				component[k] = component[e.j]
			}
		}
		delete(isolated, e.i)
		delete(isolated, e.j)
	}
	return isolated
}

func TestForestMVNStructure(t *testing.T) {
	rng := randtest.New(51)
	for sparsity, edges := range map[string]int{"tree": 19, "forest": 13} {
		for _, share := range []float64{0, 2.0 / 3, 1} {
			g := NewForestMVN()
			g.Sparsity, g.Shared, g.Marginals = sparsity, share, "gaussian"
			for range 50 {
				p := mustNew(t, g, rng).(*forestMVNProblem)
				first, second := p.classes[0], p.classes[1]
				alone := checkForest(t, first.edges, 20)
				alone2 := checkForest(t, second.edges, 20)
				if len(first.edges) != edges || len(second.edges) != edges {
					t.Fatalf("%s: %d and %d edges, want %d", sparsity, len(first.edges), len(second.edges), edges)
				}
				want := int(math.Round(share * float64(edges+len(alone))))
				if got := len(p.sharedEdges) + len(p.sharedIsolated); got != want {
					t.Fatalf("%s: %d shared features, want %d", sparsity, got, want)
				}
				in := make(map[copulaEdge]int)
				for _, e := range append(append([]copulaEdge(nil), first.edges...), second.edges...) {
					in[e]++
				}
				for _, e := range p.sharedEdges {
					if in[e] != 2 {
						t.Errorf("the shared edge %v is in %d forests", e, in[e])
					}
				}
				for _, j := range p.sharedIsolated {
					if !alone[j] || !alone2[j] || first.kinds[j] != second.kinds[j] {
						t.Errorf("the shared isolated x%d is not isolated or has two margins", j+1)
					}
				}
			}
		}
	}
}

// Every correlation matrix is the product of the edges' correlations along the path; the density is
// multivariate normal.
func TestForestMVNGaussian(t *testing.T) {
	rng := randtest.New(52)
	g := NewForestMVN()
	g.D, g.Sparsity = 9, "forest"
	p := mustNew(t, g, rng).(*forestMVNProblem)
	const n = 20000
	set := p.Sample([]int{n, n}, rng)
	for c, f := range p.classes {
		corr := pathCorrelations(f.edges, g.D)
		rows := set.ClassRows(c)
		for _, r := range rows[:50] {
			x := set.X.RawRowView(r)
			checkClose(t, "log density", p.LogDensity(c, x), normalLogDensity(t, x, corr), 1e-10)
		}
		cols := set.Columns(rows)
		for i := range cols {
			for j := range i + 1 {
				got, want := stat.Covariance(cols[i], cols[j], nil), corr.At(i, j)
				if se := math.Sqrt((1 + want*want) / n); math.Abs(got-want) > 4.5*se {
					t.Errorf("class %d: covariance of x%d and x%d %v, want %v +- %v", c, i+1, j+1, got, want, se)
				}
			}
		}
	}
}

// pathCorrelations multiplies correlations along paths, one edge at a time.
func pathCorrelations(edges []copulaEdge, d int) *mat.SymDense {
	corr := mat.NewSymDense(d, nil)
	for j := range d {
		corr.SetSym(j, j, 1)
	}
	for range d { // after k rounds paths of k+1 edges are there
		for _, e := range edges {
			corr.SetSym(e.i, e.j, e.rho)
			for k := range d {
				if k != e.i && k != e.j && corr.At(e.i, k) != 0 && corr.At(e.j, k) == 0 {
					corr.SetSym(e.j, k, corr.At(e.i, k)*e.rho)
				}
				if k != e.i && k != e.j && corr.At(e.j, k) != 0 && corr.At(e.i, k) == 0 {
					corr.SetSym(e.i, k, corr.At(e.j, k)*e.rho)
				}
			}
		}
	}
	return corr
}

// Complex margins have the distributions that their names state, and their normal scores have the
// correlations of the edges.
func TestForestMVNComplex(t *testing.T) {
	rng := randtest.New(55)
	g := NewForestMVN()
	g.Marginals = "complex"
	p := mustNew(t, g, rng).(*forestMVNProblem)
	a, b := distuv.Normal{Mu: -1, Sigma: 0.5}, distuv.Normal{Mu: 1, Sigma: 1}
	cdf := []func(x float64) float64{
		distuv.StudentsT{Sigma: 1, Nu: 3}.CDF,
		func(x float64) float64 { return (a.CDF(x) + b.CDF(x)) / 2 },
	}
	const n = 5000
	set := p.Sample([]int{n, n}, rng)
	kinds := 0
	for c, f := range p.classes {
		cols := set.Columns(set.ClassRows(c))
		scores := make([][]float64, len(cols))
		for j, column := range cols {
			kinds += f.kinds[j]
			u := make([]float64, n)
			scores[j] = make([]float64, n)
			for i, x := range column {
				u[i] = cdf[f.kinds[j]](x)
				scores[j][i] = distuv.UnitNormal.Quantile(u[i])
			}
			checkUniform(t, fmt.Sprintf("class %d x%d", c, j+1), u, 2.4)
		}
		for _, e := range f.edges {
			got := stat.Correlation(scores[e.i], scores[e.j], nil)
			if se := (1 - e.rho*e.rho) / math.Sqrt(n); math.Abs(got-e.rho) > 4.5*se {
				t.Errorf("class %d: correlation of x%d and x%d %v, want %v", c, e.i+1, e.j+1, got, e.rho)
			}
		}
	}
	if kinds < 10 || kinds > 30 { // binomial(40, 1/2)
		t.Errorf("%d of 40 margins are mixtures", kinds)
	}
}

func TestForestMVNDensityIntegratesToOne(t *testing.T) {
	g := NewForestMVN()
	g.D, g.Marginals, g.MarginalsPer = 2, "complex", "problem"
	seen := make(map[[2]int]bool)
	for seed := range uint64(8) {
		p := mustNew(t, g, randtest.New(seed)).(*forestMVNProblem)
		m := [2]int{p.classes[0].kinds[0], p.classes[0].kinds[1]}
		if seen[m] {
			continue
		}
		seen[m] = true
		for class := range 2 {
			got := integrate2(1e5, 200, func(x []float64) float64 { return p.LogDensity(class, x) })
			checkClose(t, fmt.Sprint("margins ", m), got, 1, 1e-6)
		}
		if p.classes[1].kinds[0] != m[0] || p.classes[1].kinds[1] != m[1] {
			t.Error("marginals_per problem: the classes have different margins")
		}
	}
	if len(seen) < 4 {
		t.Errorf("only the margins %v were drawn", seen)
	}
}

// Rows in the far tail of a margin have a finite log density.
func TestForestMVNFarOut(t *testing.T) {
	g := NewForestMVN()
	g.Marginals = "complex"
	p := mustNew(t, g, randtest.New(54)).(*forestMVNProblem)
	for _, v := range []float64{-1e6, -300, 250, 1e4} {
		x := make([]float64, g.D)
		for j := range x {
			x[j] = v
			for class := range 2 {
				if got := p.LogDensity(class, x); math.IsNaN(got) || math.IsInf(got, 0) {
					t.Fatalf("log density %v with %d values of %v", got, j+1, v)
				}
			}
		}
	}
}

func TestForestMVNMistakes(t *testing.T) {
	g := NewForestMVN()
	g.RhoMin = 0.95
	checkParamError(t, g.Validate(), "rho_min")
	g = NewForestMVN()
	g.MixMeans = []float64{0}
	checkParamError(t, g.Validate(), "mix_means")
	g = NewForestMVN()
	g.MixSDs = nil
	checkParamError(t, g.Validate(), "mix_sds")
}

// The table of the mixture is accurate if its means and standard deviations are the ends of their ranges. With more
// extreme values, its construction did not end.
func TestForestMVNExtremeMixtures(t *testing.T) {
	ends := func(param string) (low, high float64) {
		text := recipe.ParamFields(reflect.TypeFor[ForestMVN]())[param].Tag.Get("range")
		if _, err := fmt.Sscanf(text, "[%g,%g]", &low, &high); err != nil {
			t.Fatalf("%s: range %s: %v", param, text, err)
		}
		return low, high
	}
	lowMean, highMean := ends("mix_means")
	narrow, wide := ends("mix_sds")
	for _, sds := range [][2]float64{{narrow, narrow}, {narrow, wide}, {wide, narrow}, {wide, wide}} {
		m := newMixtureMargin(0.5, [2]float64{lowMean, highMean}, sds)
		table := newQuantileTable(m)
		for i, x := range table.x {
			z := -tableEnd + float64(i)*tableStep
			checkClose(t, fmt.Sprint(sds, " score of ", x), normalScore(m, x), z, 1e-6)
			if i > 0 && x <= table.x[i-1] {
				t.Errorf("%v: %v after %v", sds, x, table.x[i-1])
			}
		}
	}
}
