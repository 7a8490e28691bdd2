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

	end *state
}

// A state is where a solver stands; another solve can start from it.
type state struct {
	x, a   []float64
	weight float64 // primal weight omega
}

const (
	// checkEvery is the number of iterations between certificates; a
	// certificate costs about four iterations.
	checkEvery = 40
	// A restart is due when the gap has shrunk by sufficientDecay since the last
	// one, and at the latest after the share longPeriod of all iterations
	// (the constants beta_necessary and beta_artificial of PDLP, rounded).
	sufficientDecay = 0.3
	longPeriod      = 0.4
	// startWeight is the first primal weight; a restart changes it by a factor of
	// maxChange at most, since a player who has hardly moved says little.
	startWeight = 3
	maxChange   = 4.0
)

// solver is the state of the primal-dual hybrid gradient method (Chambolle and
// Pock 2011) with diagonal steps (Pock and Chambolle 2011), restarts from the
// average iterate and adaptive primal weight (Applegate et al., PDLP, 2021):
//
//	x <- prox(x - weight step dL/dx(a)),  nu >= 0 clipped, messages shrunk by the ridge
//	a <- clip(a + ascent/weight dL/da(2 x_new - x_old), 0, c).
//
// It starts from equal votes (x = 0) and, of the many optimal costs, ends near
// the closest to these. Smoothing the maxima and FISTA, the paper's
// suggestion, needs some twenty times as long for the same certificate.
type solver struct {
	*problem
	Options
	ridge  float64 // of the squared messages over step, in the units of L
	forest *forest // nil when E has cycles

	state                // current iterate
	xSum, aSum []float64 // sums of the iterates since the last restart
	xOld, aOld []float64 // iterate at the last restart
	count      float64   // iterates in the sums

	best, bestA  []float64 // points of the best bounds
	upper, lower float64

	g, ahead, u, mean []float64 // scratch
}

// Solve minimises Phi plus the ridge term
// Ridge/2 times the mean over the pairs of (messages/(2/|E|))^2/step. When
// MaxIter iterations do not close the gap it returns the best point with
// Converged = false; it returns ctx's error soon after ctx ends.
func Solve(ctx context.Context, m *Marginals, o Options) (*Solution, error) {
	return newSolver(newProblem(m), o).run(ctx)
}

func (s *solver) run(ctx context.Context) (*Solution, error) {
	s.check(s.x, s.a)
	lastGap, iterations := math.Inf(1), 0
	for !s.done() && iterations < s.MaxIter {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for range checkEvery {
			s.iterate()
		}
		iterations += checkEvery
		gap, average := s.checkBoth()
		if gap <= sufficientDecay*lastGap || s.count > longPeriod*float64(iterations) {
			s.restart(average)
			lastGap = gap
		}
	}
	return s.solution(iterations), nil
}

func newSolver(p *problem, o Options) *solver {
	n, cells := len(p.step), len(p.capacity)
	widest := 1
	for _, d := range p.Levels {
		widest = max(widest, d)
	}
	vectors := func(size, count int) (v [][]float64) {
		for range count {
			v = append(v, make([]float64, size))
		}
		return v
	}
	x, a := vectors(n, 6), vectors(cells, 5)
	return &solver{
		problem: p, Options: o, forest: newForest(p.Marginals),
		ridge: o.Ridge * float64(len(p.Pairs)) / 4,
		state: state{x[0], a[0], startWeight},
		xSum:  x[1], xOld: x[2], best: x[3], g: x[4], ahead: x[5],
		aSum: a[1], aOld: a[2], u: a[3], bestA: a[4],
		mean:  make([]float64, widest*len(p.first)),
		upper: math.Inf(1), lower: math.Inf(-1),
	}
}

// iterate takes one step of both players.
func (s *solver) iterate() {
	s.gradient(s.a, s.g)
	s.centre(s.g, s.mean)
	x, ahead, sum, g, step := s.x, s.ahead[:len(s.x)], s.xSum[:len(s.x)], s.g[:len(s.x)], s.step[:len(s.x)]
	shrink := 1 / (1 + s.weight*s.ridge)
	for j, old := range x[:s.nu] {
		v := (old - s.weight*step[j]*g[j]) * shrink
		x[j], ahead[j] = v, 2*v-old
		sum[j] += v
	}
	for j := s.nu; j < len(x); j++ {
		old := x[j]
		v := max(0, old-s.weight*step[j]*g[j])
		x[j], ahead[j] = v, 2*v-old
		sum[j] += v
	}
	s.slack(s.ahead, s.u)
	a, aSum, u := s.a[:len(s.capacity)], s.aSum[:len(s.capacity)], s.u[:len(s.capacity)]
	length := s.ascent / s.weight
	for j, limit := range s.capacity {
		v := a[j] + length*u[j]
		if v > limit {
			v = limit
		} else if v < 0 {
			v = 0
		}
		a[j] = v
		aSum[j] += v
	}
	s.count++
}

// restart goes on from the average of the iterates since the last restart, or
// from the current one. The primal weight becomes the geometric mean of itself
// and the ratio of the distances that both players have moved.
func (s *solver) restart(average bool) {
	dx, da := 0.0, 0.0
	for j := range s.x {
		if average {
			s.x[j] = s.xSum[j] / s.count
		}
		d := s.x[j] - s.xOld[j]
		dx += d * d / s.step[j]
		s.xOld[j], s.xSum[j] = s.x[j], 0
	}
	for j := range s.a {
		if average {
			s.a[j] = s.aSum[j] / s.count
		}
		d := s.a[j] - s.aOld[j]
		da += d * d / s.ascent
		s.aOld[j], s.aSum[j] = s.a[j], 0
	}
	if dx > 0 && da > 0 {
		change := math.Sqrt(math.Sqrt(dx/da) / s.weight)
		s.weight *= min(max(change, 1/maxChange), maxChange)
	}
	s.count = 0
}

// done tells whether the bounds are close enough, or the cutoff is certain.
func (s *solver) done() bool { return s.closed() || s.lower >= s.Cutoff }

func (s *solver) closed() bool {
	return s.upper-s.lower <= max(s.Tolerance*s.upper, s.Absolute)
}

// solution turns the best messages into label costs.
func (s *solver) solution(iterations int) *Solution {
	r := &Solution{
		Costs: s.costs(s.best), Upper: s.upper, Lower: s.lower, Iterations: iterations,
		end: &state{s.best, s.bestA, s.weight},
	}
	if s.ridge == 0 {
		s.forest.tighten(r.Costs)
	}
	for j, v := range r.Costs {
		r.Bound += v * s.Mu[j]
	}
	r.Converged = s.closed()
	for _, v := range s.best[:s.nu] {
		r.Converged = r.Converged && math.Abs(v) <= s.Box
	}
	return r
}
