package chebyshev

import (
	"context"
	"math"
)

// Options of a solve.
type Options struct {
	// The solver stops when the certified gap is below the share Tolerance of the bound
	// (with a ridge also of the ridge term), or below Absolute, which concerns the bound alone.
	Tolerance, Absolute float64

	MaxIter int
	Box     float64 // without a ridge an optimal message vector is taken to lie in [-Box, Box]
	Ridge   float64 // weight of the squared messages and costs, that is of unequal votes; 0 is the paper's problem
	Cutoff  float64 // stop as soon as the optimum is certain to be this large; +Inf never
}

// A Solution is a set of label costs with its certificate.
type Solution struct {
	Costs      []float64 // nu >= 0, laid out as Marginals.Mu; the label of least total cost is predicted
	Bound      float64   // nu.mu: the worst expected hinge loss is at most this, and so is the error
	Upper      float64   // Bound plus the ridge term, the objective that was minimised
	Lower      float64   // no messages (without a ridge: within the box) have a smaller objective
	Iterations int
	Converged  bool    // the gap is within the tolerance
	Reach      float64 // largest message

	end state // unknowns with the best upper bound, beliefs with the best lower bound, and the weight
}

// Solve minimises Phi plus the ridge term: Ridge/2 times the mean over the pairs of
// (messages/(2/|E|))^2/step, where the costs nu count as messages. If MaxIter iterations do
// not close the gap, it returns the best point with Converged = false. It returns the
// error of ctx soon after ctx ends.
//
// Phi has many minimisers. With a ridge there is one, which for a small ridge is
// near the minimiser of Phi with the least norm and for a still smaller one equal
// to it (Mangasarian and Meyer 1979, for linear programs). The ridge term is strongly
// convex: if the gap is a share r of it, messages are within a share sqrt(r) of their
// norm. It also makes the method converge linearly. The paper suggests smooth maxima and
// FISTA, which needs about twenty times as long for the same certificate.
//
// An iteration costs O(|E| levels^2 classes^2); some thousands are needed.
func Solve(ctx context.Context, m *Marginals, o Options) (*Solution, error) {
	return newSolver(m, o).solve(ctx)
}

// solver is a problem as a saddle, with the state of the method that solves it.
type solver struct {
	*problem
	*pdhg
	Options
	ridge      float64   // of the squared messages over step, in the units of L
	forest     *forest   // nil when E has cycles
	length     []float64 // steps of a
	r, v, mean []float64 // scratch: of the unknowns, of the beliefs, of centre
}

// newSolver returns a solver that starts at zero.
func newSolver(m *Marginals, o Options) *solver {
	p := newProblem(m)
	s := &solver{
		problem: p, Options: o, forest: newForest(m),
		ridge:  o.Ridge * float64(len(p.Pairs)) / 4,
		length: make([]float64, len(p.capacity)),
		r:      make([]float64, len(p.step)), v: make([]float64, len(p.capacity)),
		mean: p.newMean(),
	}
	for j := range s.length {
		s.length[j] = p.ascent
	}
	s.pdhg = newPDHG(s)
	return s
}

// solve iterates until the gap is within the tolerance, the lower bound reaches Cutoff or
// MaxIter iterations are done. It returns the best point.
func (s *solver) solve(ctx context.Context) (*Solution, error) {
	iterations, err := s.run(ctx, s.MaxIter, func() bool { return s.settled() || s.lower >= s.Cutoff })
	if err != nil {
		return nil, err
	}
	costs := s.costs(s.bestX)
	s.forest.tighten(costs)
	bound := 0.0
	for j, v := range costs {
		bound += v * s.Mu[j]
	}
	reach := 0.0
	for _, message := range s.bestX[:s.nu] {
		reach = max(reach, math.Abs(message))
	}
	return &Solution{
		Costs:      costs,
		Bound:      bound,
		Upper:      s.upper,
		Lower:      s.lower,
		Iterations: iterations,
		Converged:  s.settled(),
		Reach:      reach,
		end:        state{s.bestX, s.bestA, s.weight},
	}, nil
}

// negligible is a gap that is small enough even where the ridge term is smaller still.
const negligible = 1e-10

// settled reports whether the gap is within the tolerance, of the bound and of the
// ridge term.
func (s *solver) settled() bool {
	return s.closed(s.Tolerance, s.Absolute) &&
		(s.ridge == 0 || s.upper-s.lower <= max(s.Tolerance*s.price(s.bestX), negligible))
}

func (s *solver) steps() (x, a []float64) { return s.step, s.length }

// gradientX is the gradient of L, centred so that a step keeps the sums of the
// messages at zero.
func (s *solver) gradientX(a, g []float64) {
	s.gradient(a, g)
	s.centre(g, s.mean)
}

func (s *solver) gradientA(x, u []float64) { s.slack(x, u) }

// proximalX shrinks the unknowns by the ridge and keeps nu >= 0.
func (s *solver) proximalX(x []float64, weight float64) {
	if s.ridge > 0 {
		shrink := 1 / (1 + weight*s.ridge)
		for j := range x {
			x[j] *= shrink
		}
	}
	for j, v := range x[s.nu:] {
		x[s.nu+j] = max(v, 0)
	}
}

// ascend keeps 0 <= a <= c.
func (s *solver) ascend(a, u, sum []float64, weight float64) {
	limits, step := s.capacity[:len(a)], s.ascent/weight
	u, sum = u[:len(a)], sum[:len(a)]
	for j, v := range a {
		v = max(0, min(v+step*u[j], limits[j]))
		a[j] = v
		sum[j] += v
	}
}
