package chebyshev

import (
	"context"
	"math"
	"slices"
	"testing"

	"golang.org/x/exp/rand"

	"copse/internal/randtest"
	"copse/stats"
)

func options(tolerance float64) Options {
	return Options{Tolerance: tolerance, MaxIter: 200000, Box: 10, Cutoff: math.Inf(1)}
}

func solve(t *testing.T, m *Marginals, o Options) *Solution {
	t.Helper()
	s, err := Solve(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// randomMarginals returns the marginals of n random rows with dependences between features, labels and
// neighbouring features.
func randomMarginals(rng *rand.Rand, n int, levels []int, classes int, pairs []stats.Pair) *Marginals {
	y, columns := make([]int, n), make([][]int, len(levels))
	for i := range columns {
		columns[i] = make([]int, n)
	}
	for r := range n {
		y[r] = rng.Intn(classes)
		for i, d := range levels {
			switch u := rng.Float64(); {
			case u < 0.3:
				columns[i][r] = y[r] % d
			case u < 0.6 && i > 0:
				columns[i][r] = (columns[i-1][r] + y[r]) % d
			default:
				columns[i][r] = rng.Intn(d)
			}
		}
	}
	return (&Sample{columns, y, levels, classes, pairs}).Frequencies()
}

// total returns nu(x, y) of the given costs.
func (m *Marginals) total(costs []float64, x []int, y int) float64 {
	sum := 0.0
	for e, p := range m.Pairs {
		di, dj := m.Levels[p.I], m.Levels[p.J]
		sum += costs[m.Start[e]+(y*di+x[p.I])*dj+x[p.J]]
	}
	return sum
}

// everyX calls visit with every combination of feature values.
func everyX(levels []int, visit func(x []int)) {
	x := make([]int, len(levels))
	for {
		visit(x)
		i := 0
		for ; i < len(x); i++ {
			if x[i]++; x[i] < levels[i] {
				break
			}
			x[i] = 0
		}
		if i == len(x) {
			return
		}
	}
}

// checkFeasible tests, by enumeration of x, that the costs satisfy the constraints of Eq. 13 and that Bound
// is their value.
func checkFeasible(t *testing.T, m *Marginals, s *Solution) {
	t.Helper()
	bound := 0.0
	for j, v := range s.Costs {
		if v < 0 {
			t.Fatalf("cost %g", v)
		}
		bound += v * m.Mu[j]
	}
	if math.Abs(bound-s.Bound) > 1e-12 {
		t.Errorf("bound %v, the costs give %v", s.Bound, bound)
	}
	everyX(m.Levels, func(x []int) {
		for y := range m.Classes {
			for z := y + 1; z < m.Classes; z++ {
				if h := m.total(s.Costs, x, y) + m.total(s.Costs, x, z) - 2; h < -1e-9 {
					t.Fatalf("x = %v: nu(%d) + nu(%d) - 2 = %g", x, y, z, h)
				}
			}
		}
	})
}

func TestGolden(t *testing.T) {
	const golden = 1e-9 // digits that GLPK prints
	for _, g := range readGolden(t) {
		s := solve(t, g.marginals, options(1e-7))
		if !s.Converged || s.Lower > g.relaxed+golden || s.Bound < g.relaxed-golden || s.Bound-s.Lower > 1e-6 {
			t.Errorf("%s: [%v, %v] after %d iterations, GLPK %v", g.name, s.Lower, s.Bound, s.Iterations, g.relaxed)
		}
		if s.Bound < g.exact-golden {
			t.Errorf("%s: bound %v below DCC_h = %v", g.name, s.Bound, g.exact)
		}
		checkFeasible(t, g.marginals, s)
	}
}

// In every iteration, the costs are feasible and the bounds bracket the optimum.
func TestCertificateHoldsEarly(t *testing.T) {
	for _, g := range readGolden(t) {
		for _, iterations := range []int{0, checkEvery, 3 * checkEvery} {
			o := options(0)
			o.MaxIter = iterations
			s := solve(t, g.marginals, o)
			if s.Lower > g.relaxed+1e-9 || s.Bound < g.relaxed-1e-9 {
				t.Errorf("%s, %d iterations: [%v, %v] misses %v", g.name, iterations, s.Lower, s.Bound, g.relaxed)
			}
			checkFeasible(t, g.marginals, s)
		}
	}
}

// The gradients are adjoint: sum a (violations(x) - violations(0)) = gradient(a).x, up to
// the linear term nu.mu.
func TestGradientIsAdjoint(t *testing.T) {
	rng := randtest.New(1)
	for _, classes := range []int{2, 3, 4} {
		p := newProblem(randomMarginals(rng, 50, []int{2, 3, 4, 2}, classes, stats.Pairs(4)))
		x, a := randtest.Normals(rng, len(p.step)), randtest.Normals(rng, len(p.maxBelief))
		at, origin, g := make([]float64, len(a)), make([]float64, len(a)), make([]float64, len(x))
		p.setViolations(x, at)
		p.setViolations(make([]float64, len(x)), origin)
		p.gradient(a, g)
		left, right := 0.0, 0.0
		for j := range a {
			left += a[j] * (at[j] - origin[j])
		}
		for j := range x {
			right += g[j] * x[j]
		}
		for j, nu := range x[p.nuStart:] {
			right -= nu * p.Mu[j]
		}
		if math.Abs(left-right) > 1e-12*math.Abs(left) {
			t.Errorf("%d classes: %v and %v", classes, left, right)
		}
	}
}

// A step along the centred gradient keeps the sums of the messages at zero, and
// the centred gradient is orthogonal, in the metric of the steps, to constants.
func TestCentre(t *testing.T) {
	rng := randtest.New(2)
	p := newProblem(randomMarginals(rng, 50, []int{2, 3, 4, 2}, 3, stats.Pairs(4)))
	g := randtest.Normals(rng, len(p.step))
	p.centre(g)
	for i, s := range p.zeroSums {
		size := 3
		if i < len(p.Levels) {
			size *= p.Levels[i]
		}
		for c := range size {
			sum := 0.0
			for _, at := range s.blocks {
				sum += p.step[at] * g[at+c]
			}
			if math.Abs(sum) > 1e-12 {
				t.Errorf("feature %d, message %d: sum of the step %g", i, c, sum)
			}
		}
	}
}

// edges returns the pairs (ends[0], ends[1]), (ends[2], ends[3]), ...
func edges(ends ...int) (pairs []stats.Pair) {
	for end := range slices.Chunk(ends, 2) {
		pairs = append(pairs, stats.Pair{I: end[0], J: end[1]})
	}
	return pairs
}

func TestForestLeast(t *testing.T) {
	rng := randtest.New(3)
	for _, pairs := range [][]stats.Pair{
		edges(0, 1, 1, 2, 2, 3, 3, 4),
		edges(4, 0, 0, 2, 0, 1, 3, 0),
		edges(3, 1, 1, 4, 0, 2),
		edges(2, 4),
	} {
		m := newMarginals([]int{2, 3, 1, 4, 2}, 3, pairs)
		costs := randtest.Normals(rng, len(m.Mu))
		f := newForest(m)
		for y := range 3 {
			for z := range 3 {
				want := math.Inf(1)
				everyX(m.Levels, func(x []int) { want = min(want, m.total(costs, x, y)+m.total(costs, x, z)) })
				if got := f.least(costs, stats.Pair{I: y, J: z}); math.Abs(got-want) > 1e-12 {
					t.Errorf("%v, labels %d, %d: %v, by enumeration %v", pairs, y, z, got, want)
				}
			}
		}
	}
	for _, pairs := range [][]stats.Pair{stats.Pairs(3), edges(0, 1, 2, 3, 3, 4, 4, 2), edges(0, 1, 0, 1)} {
		if newForest(newMarginals([]int{2, 2, 2, 2, 2}, 2, pairs)) != nil {
			t.Errorf("%v has no cycle", pairs)
		}
	}
}

// The closed form of a single pair is the optimum.
func TestPairBound(t *testing.T) {
	rng := randtest.New(4)
	for classes := 2; classes <= 5; classes++ {
		m := randomMarginals(rng, 12*classes, []int{3, 4}, classes, stats.Pairs(2))
		s := solve(t, m, options(1e-7))
		if got := m.pairBound(0); got < s.Lower-1e-12 || got > s.Bound+1e-12 {
			t.Errorf("%d classes: %v outside [%v, %v]", classes, got, s.Lower, s.Bound)
		}
	}
}

// For the distribution behind the marginals, the error is at most the bound. No rule has an error below half
// of the worst-case error of DCC_h.
func TestBoundHoldsForTheSample(t *testing.T) {
	for _, g := range readGolden(t) {
		s := solve(t, g.marginals, options(1e-4))
		wrong, hinge := 0.0, 0.0
		for r, y := range g.labels {
			x := make([]int, len(g.columns))
			for i := range x {
				x[i] = g.columns[i][r]
			}
			own, other := g.marginals.total(s.Costs, x, y), math.Inf(1)
			for z := range g.marginals.Classes {
				if z != y {
					other = min(other, g.marginals.total(s.Costs, x, z))
				}
			}
			if own >= other { // counting ties as errors
				wrong++
			}
			hinge += max(0, 1+(own-other)/2) // f = -nu/2
		}
		n := float64(len(g.labels))
		if wrong/n > s.Bound || hinge/n > s.Bound+1e-12 || wrong > hinge {
			t.Errorf("%s: error %v, hinge loss %v, bound %v", g.name, wrong/n, hinge/n, s.Bound)
		}
	}
}

func TestFeatureAndLabelNamesDoNotMatter(t *testing.T) {
	for _, g := range readGolden(t) {
		m := g.marginals
		d, k := len(m.Levels), m.Classes
		levels, columns, pairs := make([]int, d), make([][]int, d), make([]stats.Pair, len(m.Pairs))
		for i := range d {
			levels[d-1-i], columns[d-1-i] = m.Levels[i], g.columns[i]
		}
		for e, p := range m.Pairs {
			pairs[len(pairs)-1-e] = stats.Pair{I: d - 1 - p.I, J: d - 1 - p.J}
		}
		labels := make([]int, len(g.labels))
		for r, y := range g.labels {
			labels[r] = (y + 1) % k
		}
		renamed := (&Sample{columns, labels, levels, k, pairs}).Frequencies()
		a, b := solve(t, m, options(1e-5)), solve(t, renamed, options(1e-5))
		if math.Abs(a.Bound-b.Bound) > 1e-5 {
			t.Errorf("%s: bounds %v and %v", g.name, a.Bound, b.Bound)
		}
		everyX(m.Levels, func(x []int) {
			reversed := make([]int, d)
			for i, v := range x {
				reversed[d-1-i] = v
			}
			for y := range k {
				u, v := m.total(a.Costs, x, y), renamed.total(b.Costs, reversed, (y+1)%k)
				if math.Abs(u-v) > 1e-3 {
					t.Fatalf("%s, x = %v: nu(%d) %v and %v", g.name, x, y, u, v)
				}
			}
		})
	}
}

func TestSingles(t *testing.T) {
	for _, g := range readGolden(t) {
		singles := g.marginals.Singles()
		for i, column := range g.columns {
			want := make([]float64, len(singles[i]))
			for r, v := range column {
				want[g.labels[r]*g.marginals.Levels[i]+v] += 1 / float64(len(column))
			}
			for c, v := range singles[i] {
				if math.Abs(v-want[c]) > 1e-12 {
					t.Errorf("%s, feature %d: %v, want %v", g.name, i, singles[i], want)
					break
				}
			}
		}
	}
}

func TestSolveStops(t *testing.T) {
	m := readGolden(t)[6].marginals // full2
	o := options(1e-9)
	o.MaxIter = checkEvery
	if s := solve(t, m, o); s.Converged || s.Iterations != checkEvery {
		t.Errorf("converged %v after %d iterations", s.Converged, s.Iterations)
	}
	o = options(1e-9)
	o.Cutoff = 0.1
	if s := solve(t, m, o); s.Converged || s.Lower < 0.1 {
		t.Errorf("cutoff 0.1: converged %v, lower bound %v", s.Converged, s.Lower)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Solve(ctx, m, options(1e-9)); err != context.Canceled {
		t.Errorf("error %v", err)
	}
}
