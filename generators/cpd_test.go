package generators

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"copse/internal/randtest"
)

// The densities of section 5.1 of Tenzer et al. (2020), written out with gonum's univariate distributions,
// equal those of the branches.
func TestConditionalDensities(t *testing.T) {
	normal := func(x, mean, sd float64) float64 { return distuv.Normal{Mu: mean, Sigma: sd}.Prob(x) }
	student := func(x, mean, sd float64) float64 {
		return distuv.StudentsT{Mu: mean, Sigma: sd, Nu: 5}.Prob(x)
	}
	forest := func(p []int) [2]branch { return [2]branch{{parents: p, shift: 1}, {parents: p, shift: -1}} }
	bn := (&BayesNet{NParents: 3}).components
	z := []float64{0.7, -1.2, 2.5}
	const c, s = 0.8, 1.3
	mixture := func(x float64) float64 { return normal(x, c*(z[0]+z[1]), s)/2 + normal(x, c*(z[1]+z[2]), s)/2 }
	tests := []struct {
		name    string
		cpd     cpd
		choices choices
		parents []int
		want    func(x float64) float64
	}{
		{"root", cpd{complex: true}, evenChoices, nil, func(x float64) float64 { return normal(x, 0, 1) }},
		{"gaussian", cpd{}, evenChoices, []int{0, 1, 2}, func(x float64) float64 { return normal(x, c*2, s) }},
		{"forest", cpd{complex: true, components: forest}, evenChoices, []int{1}, func(x float64) float64 {
			m := c * z[1]
			return student(x, m, s)/2 + normal(x, m+1, s)/4 + normal(x, m-1, s)/4
		}},
		{"forest first component", cpd{complex: true, components: forest},
			choices{pT: 0, pFirst: 1}, []int{1}, func(x float64) float64 {
				return normal(x, c*z[1]+1, s)
			}},
		{"sample", cpd{complex: true, components: bn}, evenChoices, []int{0, 1, 2}, func(x float64) float64 {
			return student(x, c*2, s)/2 + mixture(x)/2
		}},
		{"node t", cpd{complex: true, components: bn}, choices{pT: 1, pFirst: 0.5}, []int{0, 1, 2},
			func(x float64) float64 {
				return student(x, c*2, s)
			}},
		{"node mixture", cpd{complex: true, components: bn}, choices{pT: 0, pFirst: 0.5}, []int{0, 1, 2}, mixture},
		{"node first component", cpd{complex: true, components: bn},
			choices{pT: 0, pFirst: 1}, []int{0, 1, 2}, func(x float64) float64 {
				return normal(x, c*(z[0]+z[1]), s)
			}},
		{"node second component, sample type", cpd{complex: true, components: bn}, choices{pT: 0.5, pFirst: 0},
			[]int{0, 1, 2}, func(x float64) float64 {
				return student(x, c*2, s)/2 + normal(x, c*(z[1]+z[2]), s)/2
			}},
		{"two of three parents", cpd{complex: true, components: bn}, choices{pT: 0, pFirst: 0.5}, []int{0, 1},
			func(x float64) float64 {
				return normal(x, c*(z[0]+z[1]), s)/2 + normal(x, c*z[1], s)/2
			}},
		{"one of three parents", cpd{complex: true, components: bn}, choices{pT: 0, pFirst: 0.5}, []int{2},
			func(x float64) float64 {
				return normal(x, c*z[2], s)/2 + normal(x, 0, s)/2
			}},
	}
	for _, tt := range tests {
		tt.cpd.coef, tt.cpd.noiseSD, tt.cpd.df, tt.cpd.scaleFactor, tt.cpd.departures = c, s, 5, 1, asWritten()
		n := node{column: 3, parents: tt.parents, branches: tt.cpd.branches(tt.parents, tt.choices)}
		row := append(append([]float64(nil), z...), 0)
		for _, x := range []float64{-30, -3.1, -0.2, 0, 0.9, 2.4, 17} {
			row[3] = x
			checkClose(t, tt.name, n.logDensity(row), math.Log(tt.want(x)), 1e-12)
		}
		weights := 0.0
		for _, b := range n.branches {
			weights += b.weight
		}
		checkClose(t, tt.name+": sum of weights", weights, 1, 0)
	}
}

// Far outside the data, a complex log density is finite, and a normal one may be -Inf but never NaN.
func TestLogDensityFarOut(t *testing.T) {
	f := cpd{departures: asWritten(), scaleFactor: 1, complex: true, coef: 1, noiseSD: 1, df: 5,
		components: (&BayesNet{NParents: 3}).components}
	n := node{column: 1, branches: f.branches([]int{0}, evenChoices)}
	for _, x := range []float64{1e3, 1e100, -1e150} {
		if v := n.logDensity([]float64{0, x}); math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("log density %v at %v", v, x)
		}
	}
	f = cpd{departures: asWritten(), scaleFactor: 1, coef: 1, noiseSD: 1}
	gauss := node{column: 1, branches: f.branches([]int{0}, evenChoices)}
	if v := gauss.logDensity([]float64{0, 1e200}); !math.IsInf(v, -1) {
		t.Errorf("normal log density %v at 1e200, want -Inf", v)
	}
}

func TestStudentLaw(t *testing.T) {
	rng := randtest.New(4)
	for _, df := range []float64{1, 1.5, 2, 3, 5, 1000} {
		law := newStudentLaw(df)
		u := make([]float64, 20000)
		for i := range u {
			u[i] = distuv.StudentsT{Sigma: 1, Nu: df}.CDF(law.draw(rng))
		}
		checkUniform(t, "Student's t", u, 1.95)
	}
}

// The squeeze accepts no value that the exact test of Marsaglia and Tsang would reject: log(1 - squeeze z^4)
// <= z^2/2 + d (1 - v + log v) for every shape >= 1.
func TestGammaSqueeze(t *testing.T) {
	for _, shape := range []float64{1, 1.2, 2, 5, 100, 1e6} {
		law := newGammaLaw(shape)
		for z := -2.33; z < 2.34; z += 0.001 {
			v := 1 + law.c*z
			if v <= 0 {
				continue
			}
			v = v * v * v
			u := 1 - squeeze*z*z*z*z
			if u > 0 && math.Log(u) > z*z/2+law.d*(1-v+math.Log(v))+1e-9 {
				t.Fatalf("shape %v: the squeeze accepts too much at z = %v", shape, z)
			}
		}
	}
}

func TestGammaLaw(t *testing.T) {
	rng := randtest.New(5)
	for _, shape := range []float64{1, 1.01, 2.5, 30} {
		law := newGammaLaw(shape)
		u := make([]float64, 20000)
		for i := range u {
			u[i] = distuv.Gamma{Alpha: shape, Beta: 1}.CDF(law.draw(rng))
		}
		checkUniform(t, "gamma", u, 1.95)
	}
}
