package chebyshev

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Options are the settings of Solve.
type Options struct {
	// The solver stops if the gap between the upper and the lower bound is at most Tolerance times
	// the upper bound, or at most Absolute. With a ridge, a second condition applies: the gap must
	// be at most Tolerance times the ridge term, or at most 1e-10.
	Tolerance, Absolute float64

	MaxIter int     // largest number of iterations
	Box     float64 // without a ridge, optimal messages are assumed to lie in [-Box, Box]
	Ridge   float64 // weight of the ridge term (see Solve); 0: none, as in the paper
	Cutoff  float64 // stop as soon as the lower bound reaches Cutoff; +Inf: never
}

// A Solution contains label costs and bounds on the optimal objective.
type Solution struct {
	Costs      []float64 // nu >= 0, laid out as Marginals.Mu; the label with the smallest total cost is predicted
	Bound      float64   // nu.mu, an upper bound on the worst expected hinge loss and on the error
	Upper      float64   // Bound plus the ridge term, which is the minimised objective
	Lower      float64   // lower bound on the objective (without a ridge: for messages within the box)
	Iterations int
	Converged  bool // the gap between Upper and Lower is within the tolerance

	NeededTolerance float64 // smallest tolerance for Converged; at least 1 if none suffices
	LargestMessage  float64 // largest absolute message

	end state // unknowns of the best upper bound, beliefs of the best lower bound, and the primal weight
}

// Solve minimises the sum of Phi and a penalty, the ridge term. Phi is an upper bound on the
// worst-case expected hinge loss (see the type problem). Its unknowns are the messages and, with
// more than two classes, the label costs. The ridge term is a weighted sum of their squares,
//
//	Ridge/2 * 1/|E| * sum over the unknowns of occurrences * (unknown / unit)^2,  unit = 2/|E|.
//
// Here |E| is the number of edges, and occurrences is the number of terms max(violation,0) of Phi
// that contain the unknown. The unit is the typical size of an unknown: summed over all |E| edges,
// the costs of two labels must be at least 2.
//
// If MaxIter iterations do not suffice, Solve returns the best point with Converged = false. If ctx
// is cancelled, Solve returns the error of ctx.
//
// Phi has many minimisers, but with a ridge there is only one. If the ridge is small enough, the
// result is the minimiser of Phi with the smallest norm (Mangasarian and Meyer 1979, for linear
// programs). If the gap is r times the ridge term, the error of the messages is at most sqrt(r)
// times their norm. The ridge also makes the method converge linearly. The paper suggests smooth
// maxima and FISTA, which take about twenty times as long for the same gap.
//
// An iteration costs O(|E| levels^2 classes^2). Solve needs a few thousand iterations.
func Solve(ctx context.Context, m *Marginals, o Options) (*Solution, error) {
	return newSolver(m, o).solve(ctx)
}

// solver combines a problem with the state of the primal-dual method. It implements saddle.
type solver struct {
	*problem
	*pdhg
	Options
	ridge    float64   // the ridge term is ridge/2 sum_j x_j^2/step_j, where 1/step_j = occurrences (see Solve)
	forest   *forest   // the edges E; nil if E has cycles
	scratchX []float64 // scratch: one value per unknown
	scratchA []float64 // scratch: one value per belief
}

// newSolver returns a solver that starts with all unknowns and beliefs at zero.
func newSolver(m *Marginals, o Options) *solver {
	p := newProblem(m)
	s := &solver{
		problem: p, Options: o, forest: newForest(m),
		ridge:    o.Ridge * float64(len(p.Pairs)) / 4,
		scratchX: make([]float64, len(p.step)), scratchA: make([]float64, len(p.maxBelief)),
	}
	beliefSteps := slices.Repeat([]float64{p.beliefStep}, len(p.maxBelief))
	s.pdhg = newPDHG(s, stepSizes{stepX: p.step, stepA: beliefSteps})
	return s
}

// solve minimises the objective by the primal-dual method. It stops when the bounds agree within
// the tolerance, when the lower bound reaches Cutoff, or after MaxIter iterations.
func (s *solver) solve(ctx context.Context) (*Solution, error) {
	done := func() bool { return s.settled() || s.lower >= s.Cutoff }
	iterations, err := s.run(ctx, s.MaxIter, done)
	if err != nil {
		return nil, err
	}
	costs := s.costs(s.bestX)
	// Scaling the costs down lowers the bound, but the smallest allowed factor is hard to compute if
	// the edges form cycles.
	if s.forest != nil {
		s.forest.tighten(costs)
	}
	bound := 0.0 // the expected loss nu.mu
	for j, cost := range costs {
		bound += cost * s.Mu[j]
	}
	messages := s.bestX[:s.nuStart] // the label costs follow
	return &Solution{
		Costs:           costs,
		Bound:           bound,
		Upper:           s.upper,
		Lower:           s.lower,
		Iterations:      iterations,
		Converged:       s.settled(),
		NeededTolerance: s.neededTolerance(),
		LargestMessage:  floats.Norm(messages, math.Inf(1)),
		end:             state{s.bestX, s.bestA, s.weight},
	}, nil
}

// negligible is a gap that satisfies the condition for the ridge term (see Options.Tolerance), however
// small the term is.
const negligible = 1e-10

// settled reports whether the gap between the bounds satisfies Options.Tolerance.
func (s *solver) settled() bool {
	return s.closed(s.Tolerance, s.Absolute) &&
		(s.ridge == 0 || s.upper-s.lower <= max(s.Tolerance*s.ridgeTerm(s.bestX), negligible))
}

// neededTolerance returns the smallest Tolerance at which settled would return true.
func (s *solver) neededTolerance() float64 {
	gap, needed := s.upper-s.lower, 0.0
	if gap > s.Absolute {
		needed = gap / s.upper
	}
	if s.ridge > 0 && gap > negligible {
		needed = max(needed, gap/s.ridgeTerm(s.bestX))
	}
	return needed
}

// gradientX sets g to the gradient of the Lagrangian L with respect to the unknowns. It centres g,
// so that steps keep the sums in p.zeroSums at zero.
func (s *solver) gradientX(a, g []float64) {
	s.gradient(a, g)
	s.centre(g)
}

// gradientA sets violations to the gradient of the Lagrangian L with respect to the beliefs. The beliefs enter
// L only through the sum of belief * violation, so the gradient consists of the violations.
func (s *solver) gradientA(x, violations []float64) { s.setViolations(x, violations) }

// proximalX multiplies all unknowns by 1/(1 + weight*ridge), which is the proximal map of the ridge
// term. It then replaces negative label costs by 0.
func (s *solver) proximalX(x []float64, weight float64) {
	if s.ridge > 0 {
		shrink := 1 / (1 + weight*s.ridge)
		floats.Scale(shrink, x)
	}
	for j, v := range x[s.nuStart:] {
		x[s.nuStart+j] = max(v, 0)
	}
}

// ascend moves the beliefs a along the gradient u and limits them to 0 <= a_j <= s.maxBelief[j]. It
// then adds the beliefs to sum.
func (s *solver) ascend(a, u, sum []float64, weight float64) {
	step := s.beliefStep / weight
	limits, u, sum := s.maxBelief[:len(a)], u[:len(a)], sum[:len(a)] // equal lengths avoid bounds checks
	for j, v := range a {
		v = max(0, min(v+step*u[j], limits[j]))
		a[j] = v
		sum[j] += v
	}
}
