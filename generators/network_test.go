package generators

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/randtest"
)

// networkGenerators returns the forest and the network with every kind of density.
func networkGenerators() map[string]Generator {
	all := make(map[string]Generator)
	for _, cpd := range []string{"gaussian", "complex"} {
		for _, level := range []string{"sample", "node"} {
			for _, component := range []string{"sample", "node"} {
				f, b := NewForest(), NewBayesNet()
				f.CPD, f.TypeLevel, f.ComponentLevel = cpd, level, component
				b.CPD, b.TypeLevel, b.ComponentLevel = cpd, level, component
				b.Reading, b.CommonNodes, b.Coef = calibrated, 7, 0.7
				name := fmt.Sprint(cpd, " type by ", level, " component by ", component)
				all["forest "+name], all["bayesnet "+name] = f, b
			}
		}
	}
	for name, change := range departing {
		f, b := NewForest(), NewBayesNet()
		f.CPD, b.CPD, b.Reading, b.CommonNodes, b.Coef = "complex", "complex", calibrated, 7, 0.7
		change(&f.departures, &f.TypeLevel, &f.ComponentLevel)
		change(&b.departures, &b.TypeLevel, &b.ComponentLevel)
		all["forest "+name], all["bayesnet "+name] = f, b
	}
	shared, rooted := NewForest(), NewBayesNet()
	shared.CommonNodes, rooted.RootProb = 2, 0.4
	all["forest common nodes"], all["bayesnet more roots"] = shared, rooted
	return all
}

// departing contains parameters for every departure from the text of the paper.
var departing = map[string]func(o *departures, typeLevel, componentLevel *string){
	"type by row":      func(_ *departures, t, _ *string) { *t = rowLevel },
	"component by row": func(_ *departures, _, c *string) { *c = rowLevel },
	"both by row":      func(_ *departures, t, c *string) { *t, *c = rowLevel, rowLevel },
	"by class":         func(_ *departures, t, c *string) { *t, *c = classLevel, classLevel },
	"by problem":       func(_ *departures, t, c *string) { *t, *c = problemLevel, problemLevel },
	"non-central":      func(o *departures, _, _ *string) { o.TLaw, o.TShift, o.TScale = "noncentral", 0.5, 1.5 },
	"branches":         func(o *departures, _, _ *string) { o.TShift, o.TScale, o.MixtureScale = -1, 1.4, 1.2 },
	"average":          func(o *departures, _, _ *string) { o.Mixture, o.MixtureScale = "average", 1.5 },
	"parents":          func(o *departures, _, _ *string) { o.Standardise = "parents" },
	"columns": func(o *departures, t, _ *string) {
		o.Standardise, o.TLaw, *t, o.ClassScale = "columns", "noncentral", rowLevel, 1.5
	},
	"chain": func(o *departures, _, _ *string) { o.Attachment, o.MaxDepth = "chain", 3 },
	"star":  func(o *departures, _, _ *string) { o.Attachment, o.ClassScale = "star", 1.3 },
}

// A Gaussian network x = B x + e is multivariate normal with covariance
// (I-B)^-1 Var(e) (I-B)^-T.
func gaussianCovariance(net network) *mat.SymDense {
	d := len(net)
	m := mat.NewDense(d, d, nil)
	noise := mat.NewDiagDense(d, nil)
	for _, n := range net {
		m.Set(n.column, n.column, 1)
		for _, k := range n.parents {
			m.Set(n.column, k, -n.branches[0].coef)
		}
		noise.SetDiag(n.column, n.branches[0].scale*n.branches[0].scale)
	}
	var inv, half, full mat.Dense
	if err := inv.Inverse(m); err != nil {
		panic(err)
	}
	half.Mul(&inv, noise)
	full.Mul(&half, inv.T())
	cov := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			cov.SetSym(i, j, full.At(i, j))
		}
	}
	return cov
}

// normalLogDensity is the log density of N(0, cov) at x.
func normalLogDensity(t *testing.T, x []float64, cov *mat.SymDense) float64 {
	t.Helper()
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		t.Fatal("covariance is not positive definite")
	}
	v := mat.NewVecDense(len(x), append([]float64(nil), x...))
	var solved mat.VecDense
	if err := chol.SolveVecTo(&solved, v); err != nil {
		t.Fatal(err)
	}
	return -(float64(len(x))*math.Log(2*math.Pi) + chol.LogDet() + mat.Dot(v, &solved)) / 2
}

func TestGaussianNetworksAreMultivariateNormal(t *testing.T) {
	f, b := NewForest(), NewBayesNet()
	f.Coef, f.NoiseSD = 0.9, 1.2
	b.Coef, b.NoiseSD, b.NRoots = 0.6, 0.8, 2
	for name, g := range map[string]Generator{"forest": f, "bayesnet": b} {
		rng := randtest.New(7)
		p := mustNew(t, g, rng).(*networkProblem)
		const n = 20000
		set := p.Sample([]int{n, n}, rng)
		for c, net := range firstNetworks(p) {
			cov := gaussianCovariance(net)
			rows := set.ClassRows(c)
			for _, i := range rows[:50] {
				x := set.X.RawRowView(i)
				checkClose(t, name+" log density", p.LogDensity(c, x), normalLogDensity(t, x, cov), 1e-9)
			}
			// sample covariances: standard error sqrt((s_ii s_jj + s_ij^2)/n)
			cols := set.Columns(rows)
			for i := range cols {
				for j := range i + 1 {
					got, want := stat.Covariance(cols[i], cols[j], nil), cov.At(i, j)
					se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + want*want) / n)
					if math.Abs(got-want) > 5*se {
						t.Errorf("%s class %d: covariance of x%d and x%d %v, want %v +- %v",
							name, c, i+1, j+1, got, want, se)
					}
				}
			}
		}
	}
}

// cdf is the distribution function of a node given its parents, which maps each column of a class to uniform
// values.
func (n *node) cdf(x []float64) float64 {
	p := 0.0
	for i := range n.branches {
		b := &n.branches[i]
		if b.noncentral {
			p += b.weight * noncentralCDF((x[n.column]-b.shift)/b.scale, b.df, b.mean(x)-b.shift)
		} else if b.df > 0 {
			p += b.weight * distuv.StudentsT{Mu: b.mean(x), Sigma: b.scale, Nu: b.df}.CDF(x[n.column])
		} else {
			p += b.weight * distuv.Normal{Mu: b.mean(x), Sigma: b.scale}.CDF(x[n.column])
		}
	}
	return p
}

// noncentralCDF returns E[Phi(x W - d)], where W^2 df is chi-squared, as a mean over quantiles of W.
func noncentralCDF(x, df, d float64) float64 {
	sum := 0.0
	for _, w := range chiQuantiles(df) {
		sum += distuv.UnitNormal.CDF(x*w - d)
	}
	return sum / float64(len(chiQuantiles(df)))
}

var chiQuantiles = func() func(df float64) []float64 {
	known := map[float64][]float64{}
	return func(df float64) []float64 {
		if known[df] == nil {
			const n = 200
			for i := range n {
				known[df] = append(known[df], math.Sqrt(distuv.ChiSquared{K: df}.Quantile((float64(i)+0.5)/n)/df))
			}
		}
		return known[df]
	}
}()

// firstNetworks returns the first network of each class.
func firstNetworks(p *networkProblem) []network {
	return []network{p.classes[0][0], p.classes[1][0]}
}

func TestNetworkSamplesFollowTheirConditionals(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: draws large samples")
	}
	for name, g := range networkGenerators() {
		rng := randtest.New(8)
		p := mustNew(t, g, rng).(*networkProblem)
		set := p.Sample([]int{1500, 1500}, rng)
		for c, net := range firstNetworks(p) {
			if len(p.classes[c]) > 1 {
				continue // no node has a law of its own; TestSamplerAgreesWithDensity has them
			}
			for i := range net {
				var u []float64
				for _, r := range set.ClassRows(c) {
					u = append(u, net[i].cdf(set.X.RawRowView(r)))
				}
				checkUniform(t, fmt.Sprintf("%s class %d node %d", name, c, i), u, 2.4)
			}
		}
	}
}

// E[q(X)/p(X)] = 1 for X drawn from p and any density q; q is a product of
// normals narrower than every conditional of p, so that the ratio is bounded.
func TestSamplerAgreesWithDensity(t *testing.T) {
	for name, g := range networkGenerators() {
		switch g := g.(type) {
		case *Forest:
			g.D, g.CommonNodes = 3, 0
		case *BayesNet:
			g.D, g.CommonNodes = 3, 0
		}
		rng := randtest.New(9)
		p := mustNew(t, g, rng).(DensityProblem)
		const n = 20000
		set := p.Sample([]int{n, 0}, rng)
		ratio := make([]float64, n)
		q := distuv.Normal{Sigma: 0.5}
		for i := range ratio {
			x := set.X.RawRowView(i)
			ratio[i] = math.Exp(q.LogProb(x[0]) + q.LogProb(x[1]) + q.LogProb(x[2]) - p.LogDensity(0, x))
		}
		mean, sd := stat.MeanStdDev(ratio, nil)
		if se := sd / math.Sqrt(n); math.Abs(mean-1) > 4*se || se > 0.05 {
			t.Errorf("%s: mean ratio %v +- %v, want 1", name, mean, se)
		}
	}
}

func TestNetworkDensityIntegratesToOne(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: integrates densities in two dimensions")
	}
	for name, g := range networkGenerators() {
		switch g := g.(type) {
		case *Forest:
			g.D, g.EdgeRule, g.NEdges = 2, "exact", 1
		case *BayesNet:
			g.D, g.NRoots, g.CommonNodes = 2, 1, 0
		}
		p := mustNew(t, g, randtest.New(10)).(DensityProblem)
		for class := range 2 {
			got := integrate2(1e4, 150, func(x []float64) float64 { return p.LogDensity(class, x) })
			checkClose(t, name, got, 1, 1e-6)
		}
	}
}
