package chebyshev

import (
	"context"
	"math"
)

// A saddle is a problem min_x max_a L(x,a) with L linear in both but for terms
// that have simple proximal maps.
type saddle interface {
	// steps are the preconditioners of x and a: positive, and such that the
	// matrix of L has norm 1 at most between their square roots.
	steps() (x, a []float64)
	// gradientX sets g to the gradient in x of L's bilinear part, gradientA u to
	// that in a.
	gradientX(a, g []float64)
	gradientA(x, u []float64)
	// proximalX maps the result of a gradient step of x with the given weight to
	// where L's terms in x alone lead.
	proximalX(x []float64, weight float64)
	// ascend takes a gradient step of a along u with the given weight, applies the proximal map
	// of L's terms in a alone, and adds a to sum.
	ascend(a, u, sum []float64, weight float64)
	// bounds returns an upper bound of the value that x certifies and a lower
	// bound that a certifies.
	bounds(x, a []float64) (upper, lower float64)
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
	// startWeight is the first primal weight. A restart changes it by a factor of
	// maxChange at most, because small moves estimate it badly.
	startWeight = 3
	maxChange   = 4.0
)

// pdhg has the state of the primal-dual hybrid gradient method (Chambolle and
// Pock 2011) with diagonal steps (Pock and Chambolle 2011), restarts from the
// average iterate and adaptive primal weight (Applegate et al., PDLP, 2021):
//
//	x <- prox(x - weight step_x dL/dx(a))
//	a <- prox(a + step_a/weight dL/da(2 x_new - x_old)).
type pdhg struct {
	saddle
	state              // current iterate
	stepX, stepA       []float64
	xSum, aSum         []float64 // sums of the iterates since the last restart
	xOld, aOld         []float64 // iterate at the last restart
	count              float64   // iterates in the sums
	bestX, bestA       []float64 // points of the best bounds
	upper, lower       float64
	g, u, xMean, aMean []float64 // scratch
}

// A state is where the method stands; another solve can start from it.
type state struct {
	x, a   []float64
	weight float64 // primal weight omega
}

// newPDHG starts at x = 0 and a = 0.
func newPDHG(p saddle) *pdhg {
	x, a := p.steps()
	zeros := func(like []float64) []float64 { return make([]float64, len(like)) }
	return &pdhg{
		saddle: p, stepX: x, stepA: a, state: state{zeros(x), zeros(a), startWeight},
		xSum: zeros(x), xOld: zeros(x), bestX: zeros(x), g: zeros(x), xMean: zeros(x),
		aSum: zeros(a), aOld: zeros(a), bestA: zeros(a), u: zeros(a), aMean: zeros(a),
		upper: math.Inf(1), lower: math.Inf(-1),
	}
}

// run iterates until done reports true, which it checks every checkEvery iterations, or
// until maxIter iterations. It returns the error of ctx soon after ctx ends.
func (s *pdhg) run(ctx context.Context, maxIter int, done func() bool) (iterations int, err error) {
	copy(s.xOld, s.x)
	copy(s.aOld, s.a)
	s.check(s.x, s.a)
	lastGap := math.Inf(1)
	for !done() && iterations < maxIter {
		for range checkEvery {
			if err := ctx.Err(); err != nil {
				return iterations, err
			}
			s.iterate()
		}
		iterations += checkEvery
		gap, average := s.checkBoth()
		if gap <= sufficientDecay*lastGap || s.count > longPeriod*float64(iterations) {
			s.restart(average)
			lastGap = gap
		}
	}
	return iterations, nil
}

// iterate updates x and then a, and adds both to the sums since the last restart. It uses
// xMean as scratch.
func (s *pdhg) iterate() {
	s.gradientX(s.a, s.g)
	x, g, step, sum := s.x, s.g[:len(s.x)], s.stepX[:len(s.x)], s.xSum[:len(s.x)]
	ahead := s.xMean[:len(x)] // 2 x_new - x_old
	copy(ahead, x)
	for j := range x {
		x[j] -= s.weight * step[j] * g[j]
	}
	s.proximalX(x, s.weight)
	for j, v := range x {
		ahead[j] = 2*v - ahead[j]
		sum[j] += v
	}
	s.gradientA(ahead, s.u)
	s.ascend(s.a, s.u, s.aSum, s.weight)
	s.count++
}

// restart continues from the average of the iterates since the last restart or from the
// current iterate. The primal weight becomes the geometric mean of itself and of the ratio
// of the distances that x and a have moved since the last restart.
func (s *pdhg) restart(average bool) {
	if average {
		copy(s.x, s.xMean)
		copy(s.a, s.aMean)
	}
	dx, da := moved(s.x, s.xOld, s.stepX), moved(s.a, s.aOld, s.stepA) // squared distances
	if dx > 0 && da > 0 {
		change := math.Sqrt(math.Sqrt(dx/da) / s.weight)
		s.weight *= min(max(change, 1/maxChange), maxChange)
	}
	copy(s.xOld, s.x)
	copy(s.aOld, s.a)
	clear(s.xSum)
	clear(s.aSum)
	s.count = 0
}

// moved returns the squared distance in the metric 1/step.
func moved(v, old, step []float64) float64 {
	sum := 0.0
	for j := range v {
		d := v[j] - old[j]
		sum += d * d / step[j]
	}
	return sum
}

// checkBoth certifies the current iterate and the average since the last
// restart, which it leaves in xMean and aMean. It returns the smaller gap and
// whether it is the average's.
func (s *pdhg) checkBoth() (gap float64, average bool) {
	current := s.check(s.x, s.a)
	for j, v := range s.xSum {
		s.xMean[j] = v / s.count
	}
	for j, v := range s.aSum {
		s.aMean[j] = v / s.count
	}
	mean := s.check(s.xMean, s.aMean)
	return min(mean, current), mean < current
}

// check computes both bounds at (x, a), keeps those that are better than the best so far,
// and returns their difference.
func (s *pdhg) check(x, a []float64) (gap float64) {
	upper, lower := s.bounds(x, a)
	if upper < s.upper {
		s.upper = upper
		copy(s.bestX, x)
	}
	if lower > s.lower {
		s.lower = lower
		copy(s.bestA, a)
	}
	return upper - lower
}

// closed reports whether the gap is within a share of the upper bound or an
// absolute width.
func (s *pdhg) closed(tolerance, absolute float64) bool {
	return s.upper-s.lower <= max(tolerance*s.upper, absolute)
}
