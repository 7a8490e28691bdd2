package chebyshev

import (
	"math"
	"testing"

	"copse/internal/randtest"
)

// A large ridge makes all votes equal, and the bound increases with the ridge.
func TestRidge(t *testing.T) {
	for _, g := range readGolden(t) {
		if g.marginals.Classes > 2 {
			continue
		}
		last := 0.0
		for _, ridge := range []float64{0, 0.01, 0.1, 1, 1e6} {
			o := options(1e-6)
			o.Ridge = ridge
			s := solve(t, g.marginals, o)
			checkFeasible(t, g.marginals, s)
			if !s.Converged || s.Lower > s.Upper+1e-12 || s.Bound > s.Upper+1e-12 || s.Bound < last-1e-5 {
				t.Errorf("%s, ridge %g: bound %v after %v, objective in [%v, %v]",
					g.name, ridge, s.Bound, last, s.Lower, s.Upper)
			}
			last = s.Bound
		}
		mean := 0.0
		for e := range g.marginals.Pairs {
			mean += g.marginals.pairBound(e) / float64(len(g.marginals.Pairs))
		}
		if math.Abs(last-mean) > 1e-4 {
			t.Errorf("%s: bound %v of equal votes, mean of the pairs' bounds %v", g.name, last, mean)
		}
	}
}

// With a ridge the optimum is unique, and the certificate makes the solver find it: from every start it ends
// at the same messages and costs.
func TestRidgeMakesTheOptimumUnique(t *testing.T) {
	rng := randtest.New(5)
	for _, g := range readGolden(t) {
		o := options(1e-6)
		o.Ridge = 1e-5
		first := solve(t, g.marginals, o)
		for range 3 {
			s := newSolver(g.marginals, o)
			s.x = randtest.Normals(rng, len(s.x))
			s.centre(s.x)
			for j := range s.x {
				s.x[j] *= s.step[j] // now the sums are 0
				if j >= s.nuStart {
					s.x[j] = max(s.x[j], 0)
				}
			}
			second, err := s.solve(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			largest, apart := 0.0, 0.0
			for j, v := range first.end.x {
				largest = max(largest, math.Abs(v))
				apart = max(apart, math.Abs(v-second.end.x[j]))
			}
			if !second.Converged || apart > 0.01*largest+1e-6 {
				t.Errorf("%s: messages up to %v, %v apart; converged %v", g.name, largest, apart, second.Converged)
			}
		}
	}
}

// As the ridge approaches 0, the solution approaches the optimum with the smallest norm: without a ridge, the
// solver returns the same bound and larger messages.
func TestRidgeIsTheLeastNorm(t *testing.T) {
	for _, g := range readGolden(t) {
		plain := newSolver(g.marginals, options(1e-7))
		if _, err := plain.solve(t.Context()); err != nil {
			t.Fatal(err)
		}
		o := options(1e-6)
		o.Ridge = 1e-7
		ridged := newSolver(g.marginals, o)
		s, err := ridged.solve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Bound > plain.upper+1e-4 {
			t.Errorf("%s: bound %v, the least is %v", g.name, s.Bound, plain.upper)
		}
		if least, other := ridged.ridgeTerm(ridged.bestX), ridged.ridgeTerm(plain.bestX); least > other*(1+1e-3)+1e-12 {
			t.Errorf("%s: squared norm %v, of another optimum %v", g.name, least, other)
		}
	}
}
