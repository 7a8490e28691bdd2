package generators

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"copse/internal/randtest"
)

func TestPolyBetaGraph(t *testing.T) {
	rng := randtest.New(31)
	g := NewPolyBeta()
	g.D, g.PMin, g.PMax = 6, 1, 3
	counts := make([][4]int, g.D)
	const n = 6000
	for range n {
		for i, parents := range g.drawParents(rng) {
			counts[i][len(parents)]++
			for k, j := range parents {
				if j >= i || slices.Contains(parents[:k], j) {
					t.Fatalf("x%d has the parents %v", i+1, parents)
				}
			}
		}
	}
	for i, count := range counts { // uniform on min(i, 1)..min(i, 3)
		fewest, most := min(i, 1), min(i, 3)
		for p, got := range count {
			want := 0.0
			if p >= fewest && p <= most {
				want = n / float64(most-fewest+1)
			}
			if math.Abs(float64(got)-want) > 4*math.Sqrt(n)/2 {
				t.Errorf("x%d has %d parents %d times in %d, want about %v", i+1, p, got, n, want)
			}
		}
	}
}

// Coefficients are uniform on [-a_max, a_max], shapes on (0, alpha_max] and
// (0, beta_max].
func TestPolyBetaDistribution(t *testing.T) {
	rng := randtest.New(32)
	g := NewPolyBeta()
	g.AMax, g.AlphaMax, g.BetaMax = 3, 2, 5
	var a, alpha, beta []float64
	for range 300 {
		noise, classes := g.drawDistribution(rng)
		for _, n := range noise {
			alpha, beta = append(alpha, n.alpha/2), append(beta, n.beta/5)
		}
		for i := range classes[0] {
			for _, f := range classes[0][i] {
				for _, v := range f.a {
					a = append(a, (v+3)/6)
				}
			}
		}
	}
	checkUniform(t, "coefficients", a, 1.95)
	checkUniform(t, "first shapes", alpha, 1.95)
	checkUniform(t, "second shapes", beta, 1.95)
}

// Algorithm 4, steps 4 to 13: from class to class a polynomial is kept or each
// of its coefficients is multiplied by a uniform number in [-max_r, max_r]; at
// least one polynomial changes. With e edges the mean share that changes is
// P / (1 - (1-P)^e).
func TestPolyBetaChange(t *testing.T) {
	rng := randtest.New(33)
	g := NewPolyBeta()
	g.Classes, g.MaxR, g.P = 4, 3, 0.05
	var ratios []float64
	share, want, variance := 0.0, 0.0, 0.0
	pairs := 0
	for range 400 {
		_, classes := g.drawDistribution(rng)
		for c := 1; c < len(classes); c++ {
			changed, edges := 0, 0
			for i, fs := range classes[c] {
				for e, f := range fs {
					edges++
					before := classes[c-1][i][e]
					if f.parent != before.parent {
						t.Fatal("the graph changed")
					}
					if f == before {
						continue
					}
					changed++
					for l := range f.a {
						ratios = append(ratios, (f.a[l]/before.a[l]+3)/6)
					}
				}
			}
			if changed == 0 {
				t.Fatal("two classes have the same distribution")
			}
			p := g.P / (1 - math.Pow(1-g.P, float64(edges)))
			share += float64(changed) / float64(edges)
			want += p
			variance += p * (1 - p) / float64(edges) // more than that of the conditioned share
			pairs++
		}
	}
	checkUniform(t, "factors", ratios, 1.95)
	if math.Abs(share-want) > 4*math.Sqrt(variance) {
		t.Errorf("changed share %v, want %v", share/float64(pairs), want/float64(pairs))
	}
}

// The residuals of a raw sample are beta distributed and independent of all earlier variables.
func TestPolyBetaResiduals(t *testing.T) {
	rng := randtest.New(34)
	g := NewPolyBeta()
	g.Normalise, g.Classes, g.D, g.PMax = "none", 3, 6, 1
	p := mustNew(t, g, rng).(*polyBetaDensity)
	set := p.Sample([]int{2000, 2000, 2000}, rng)
	for c, f := range p.classes {
		for i, noise := range p.noise {
			if min(noise.alpha, noise.beta) < 0.3 {
				continue // too much of the mass is lost to rounding
			}
			var u []float64
			for _, r := range set.ClassRows(c) {
				x := set.X.RawRowView(r)
				residual := x[i]
				for _, e := range f[i] {
					z := x[e.parent]
					residual -= e.a[0]*z*z*z + e.a[1]*z*z + e.a[2]*z + e.a[3]
				}
				if math.Abs(x[i]) > 1e8 {
					break // the residual has lost its digits
				}
				u = append(u, mathext.RegIncBeta(noise.alpha, noise.beta, min(max((residual+2)/4, 0), 1)))
			}
			checkUniform(t, fmt.Sprintf("class %d x%d", c, i+1), u, 2.4)
		}
	}
}

// For raw values of moderate size, the density equals the product of Eq. 16.
func TestPolyBetaDensity(t *testing.T) {
	g := NewPolyBeta()
	g.D, g.AlphaMax, g.BetaMax, g.Classes = 8, 3, 3, 3
	compared := 0
	for seed := range uint64(20) {
		raw := *g
		raw.Normalise = "none"
		p := mustNew(t, &raw, randtest.New(seed)).(*polyBetaDensity)
		q := mustNew(t, g, randtest.New(seed)).(*polyBetaDensity) // the same problem, normalised
		set := p.Sample([]int{10, 10, 10}, randtest.New(seed+100))
		for i := range set.N() {
			x := set.X.RawRowView(i)
			for class, f := range p.classes {
				want, jacobian := 0.0, 0.0
				inexact := false // by an end, or after cancellation: there the mean density differs
				normalised := make([]float64, g.D)
				for j, n := range p.noise {
					r := x[j] - f.sum(j, x)
					want += n.logNorm + (n.alpha-1)*math.Log(r+2) + (n.beta-1)*math.Log(2-r)
					inexact = inexact || math.Abs(math.Abs(r)-2) < 1e-3 || math.Abs(x[j]) > 1e4 || q.width[j] > 1e4
					normalised[j] = (x[j] - q.minimum[j]) / q.width[j]
					jacobian += math.Log(q.width[j])
				}
				if inexact {
					continue
				}
				compared++
				if math.IsNaN(want) {
					want = math.Inf(-1)
				}
				checkClose(t, "log density", p.LogDensity(class, x), want, 1e-7)
				checkClose(t, "log density of normalised values", q.LogDensity(class, normalised), want+jacobian, 1e-6)
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d densities were compared", compared)
	}
}

// If the shapes exceed 1, the density is smooth enough for a quadrature.
func TestPolyBetaDensityIntegratesToOne(t *testing.T) {
	g := NewPolyBeta()
	g.D, g.PMin, g.AlphaMax, g.BetaMax, g.AMax = 2, 1, 4, 4, 0.3
	checked := 0
	for seed := range uint64(30) {
		p := mustNew(t, g, randtest.New(seed)).(*polyBetaDensity)
		if n := p.noise; min(n[0].alpha, n[0].beta, n[1].alpha, n[1].beta) < 1.5 {
			continue
		}
		checked++
		for class := range 2 {
			const step = 0.01 // of the range of the pilot sample
			sum, x := 0.0, make([]float64, 2)
			for x[0] = -3; x[0] < 4; x[0] += step {
				for x[1] = -3; x[1] < 4; x[1] += step {
					sum += math.Exp(p.LogDensity(class, x))
				}
			}
			checkClose(t, fmt.Sprintf("seed %d class %d", seed, class), sum*step*step, 1, 5e-3)
		}
	}
	if checked < 3 {
		t.Errorf("only %d problems have shapes above 1.5", checked)
	}
}

// In spite of rounding, the rows of a class have a finite log density in their own class.
func TestPolyBetaOwnRowsAreFinite(t *testing.T) {
	for _, normalise := range []string{"none", "problem"} {
		for seed := range uint64(60) {
			g := NewPolyBeta()
			g.Normalise, g.PMax, g.Pilot = normalise, 3, 20
			rng := randtest.New(seed)
			p := mustNew(t, g, rng).(*polyBetaDensity)
			set := p.Sample([]int{10, 10}, rng)
			for i, y := range set.Y {
				if v := p.LogDensity(y, set.X.RawRowView(i)); math.IsInf(v, 0) || math.IsNaN(v) {
					t.Errorf("normalise %s, seed %d: log density %v of row %d", normalise, seed, v, i)
				}
				if v := p.LogDensity(1-y, set.X.RawRowView(i)); math.IsNaN(v) || math.IsInf(v, 1) {
					t.Errorf("normalise %s, seed %d: log density %v of row %d in the other class",
						normalise, seed, v, i)
				}
			}
		}
	}
}

func TestPolyBetaNormalisation(t *testing.T) {
	g := NewPolyBeta()
	g.Normalise = "sample"
	p := mustNew(t, g, randtest.New(35))
	if _, ok := p.(DensityProblem); ok {
		t.Error("densities are claimed although every sample is mapped differently")
	}
	set := p.Sample([]int{100, 100}, randtest.New(36))
	for j, column := range set.Columns(append(set.ClassRows(0), set.ClassRows(1)...)) {
		if low, high := slices.Min(column), slices.Max(column); low != 0 || high != 1 {
			t.Errorf("normalise sample: x%d reaches from %v to %v", j+1, low, high)
		}
	}

	// One stream gives the same raw rows in every mode; `problem` maps them by
	// the constants that Model shows.
	raw := *g
	raw.Normalise = "none"
	fixed := *g
	fixed.Normalise = "problem"
	want := mustNew(t, &raw, randtest.New(35)).Sample([]int{100, 100}, randtest.New(36)).X
	q := mustNew(t, &fixed, randtest.New(35)).(*polyBetaDensity)
	got := q.Sample([]int{100, 100}, randtest.New(36)).X
	want.Apply(func(_, j int, v float64) float64 { return (v - q.minimum[j]) / q.width[j] }, want)
	if !mat.Equal(got, want) {
		t.Error("normalise problem: rows are not the raw ones mapped by the problem's minima and ranges")
	}
}

func TestMinMaxOfConstantColumn(t *testing.T) {
	minimum, width := minMax(mat.NewDense(2, 2, []float64{-2, 1, -2, 5}))
	if !slices.Equal(minimum, []float64{-2, 1}) || !slices.Equal(width, []float64{1, 4}) {
		t.Errorf("minima %v, ranges %v", minimum, width)
	}
}

func TestPolyBetaOverflow(t *testing.T) {
	g := NewPolyBeta()
	g.PMax, g.Pilot = 5, 50
	redrawn := 0
	for seed := range uint64(20) {
		rng := randtest.New(seed)
		p := mustNew(t, g, rng).(*polyBetaDensity)
		redrawn += p.overflowing
		if got := p.Model().(description).Drawn.(map[string]any)["redrawn_overflow"]; got != p.overflowing {
			t.Errorf("Model counts %v overflows, want %d", got, p.overflowing)
		}
		set := p.Sample([]int{50, 50}, rng)
		for i := range set.N() {
			for j, v := range set.X.RawRowView(i) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("seed %d: x%d = %v in row %d", seed, j+1, v, i)
				}
			}
		}
	}
	if redrawn == 0 {
		t.Error("no problem of 20 with up to 5 parents overflowed; the paper's law overflows in half of them")
	}
	g.D, g.MaxRedraws = 400, 3
	if _, err := g.New(randtest.New(1)); err == nil {
		t.Error("New found a problem of 400 variables that does not overflow within 3 redraws")
	}
}

// A graph of two variables has no edge with probability 1/2 when p_max is 1.
func TestPolyBetaRedrawsEdgelessGraphs(t *testing.T) {
	g := NewPolyBeta()
	g.D, g.PMax = 2, 1
	edgeless := 0
	for seed := range uint64(100) {
		p := mustNew(t, g, randtest.New(seed)).(*polyBetaDensity)
		if len(p.classes[0][1]) != 1 {
			t.Fatal("a problem without edges")
		}
		edgeless += p.edgeless
	}
	if edgeless < 60 || edgeless > 150 { // geometric: mean 100, sd 14
		t.Errorf("%d graphs without edges were drawn again in 100 problems, want about 100", edgeless)
	}
}

func TestPolyBetaMistakes(t *testing.T) {
	g := NewPolyBeta()
	g.PMin = 3
	checkParamError(t, g.Validate(), "p_min")
	g = NewPolyBeta()
	g.A = 2
	checkParamError(t, g.Validate(), "a")
}
