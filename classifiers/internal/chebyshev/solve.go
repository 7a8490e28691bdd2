package chebyshev

import (
	"context"
	"math"
)

// Options of a solve.
type Options struct {
	Tolerance float64 // stop when the certified gap is below this share of the bound,
	Absolute  float64 // or below this
	MaxIter   int
	Box       float64 // an optimal message vector is taken to lie in [-Box, Box]
	Ridge     float64 // weight of the squared messages, that is of unequal votes; 0 is the paper's problem
	Cutoff    float64 // stop as soon as the optimum is certain to be this large; +Inf never
}

// A Solution is a set of label costs with its certificate.
type Solution struct {
	Costs      []float64 // nu >= 0, laid out as Marginals.Mu; the label of least total cost is predicted
	Bound      float64   // nu.mu: the worst expected hinge loss is at most this, and so is the error
	Upper      float64   // Bound plus the ridge term, the objective that was minimised
	Lower      float64   // no messages within the box have a smaller objective
	Iterations int
	Converged  bool // the gap is within the tolerance and the messages within the box

	end state // the points of both bounds
}

// Solve minimises Phi plus the ridge term
// Ridge/2 times the mean over the pairs of (messages/(2/|E|))^2/step. When
// MaxIter iterations do not close the gap it returns the best point with
// Converged = false; it returns ctx's error soon after ctx ends.
//
// The method starts from equal votes (x = 0) and, of the many optimal costs,
// ends near the closest to these. Smoothing the maxima and FISTA, the paper's
// suggestion, needs some twenty times as long for the same certificate.
func Solve(ctx context.Context, m *Marginals, o Options) (*Solution, error) {
	return newSolver(m, o).solve(ctx)
}

// solver is the saddle point problem of one problem and its solution.
type solver struct {
	*problem
	*pdhg
	Options
	ridge      float64   // of the squared messages over step, in the units of L
	forest     *forest   // nil when E has cycles
	length     []float64 // steps of a
	r, v, mean []float64 // scratch: of the unknowns, of the beliefs, of centre
}

func newSolver(m *Marginals, o Options) *solver {
	p := newProblem(m)
	widest := 1
	for _, d := range p.Levels {
		widest = max(widest, d)
	}
	s := &solver{
		problem: p, Options: o, forest: newForest(m),
		ridge:  o.Ridge * float64(len(p.Pairs)) / 4,
		length: make([]float64, len(p.capacity)),
		r:      make([]float64, len(p.step)), v: make([]float64, len(p.capacity)),
		mean: make([]float64, widest*len(p.first)),
	}
	for j := range s.length {
		s.length[j] = p.ascent
	}
	s.pdhg = newPDHG(s)
	return s
}

func (s *solver) solve(ctx context.Context) (*Solution, error) {
	iterations, err := s.run(ctx, s.MaxIter, func() bool {
		return s.closed(s.Tolerance, s.Absolute) || s.lower >= s.Cutoff
	})
	if err != nil {
		return nil, err
	}
	r := &Solution{
		Costs: s.costs(s.bestX), Upper: s.upper, Lower: s.lower, Iterations: iterations,
		Converged: s.closed(s.Tolerance, s.Absolute),
		end:       state{s.bestX, s.bestA, s.weight},
	}
	if s.ridge == 0 {
		s.forest.tighten(r.Costs)
	}
	for j, v := range r.Costs {
		r.Bound += v * s.Mu[j]
	}
	for _, v := range s.bestX[:s.nu] {
		r.Converged = r.Converged && math.Abs(v) <= s.Box
	}
	return r, nil
}

func (s *solver) steps() (x, a []float64) { return s.step, s.length }

// gradientX is the gradient of L, centred so that a step keeps the sums of the
// messages at zero.
func (s *solver) gradientX(a, g []float64) {
	s.gradient(a, g)
	s.centre(g, s.mean)
}

func (s *solver) gradientA(x, u []float64) { s.slack(x, u) }

// proximalX shrinks the messages by the ridge and keeps nu >= 0.
func (s *solver) proximalX(x []float64, weight float64) {
	if s.ridge > 0 {
		shrink := 1 / (1 + weight*s.ridge)
		for j := range x[:s.nu] {
			x[j] *= shrink
		}
	}
	for j, v := range x[s.nu:] {
		x[s.nu+j] = max(v, 0)
	}
}

// proximalA keeps 0 <= a <= c.
func (s *solver) proximalA(a []float64) {
	for j, limit := range s.capacity {
		if v := a[j]; v > limit {
			a[j] = limit
		} else if v < 0 {
			a[j] = 0
		}
	}
}
