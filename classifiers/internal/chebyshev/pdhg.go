package chebyshev

import (
	"context"
	"math"
)

// A saddle is a problem min_x max_a L(x,a). L is the sum of a bilinear part a'Mx, of a function of x
// and of a function of a. These functions have simple proximal maps.
type saddle interface {
	// gradientX sets g to the gradient of the bilinear part with respect to x.
	gradientX(a, g []float64)
	// gradientA sets u to the gradient of the bilinear part with respect to a.
	gradientA(x, u []float64)
	// proximalX applies the proximal map of f, the part of L that depends on x alone. It replaces x
	// by the z that minimises f(z) + sum_j (z_j - x_j)^2 / (2 weight step_j).
	proximalX(x []float64, weight float64)
	// ascend moves each multiplier a_j by step_j u_j / weight, where u is the result of gradientA.
	// It then applies the proximal map of the part of L that depends on a alone, and adds the new
	// multipliers to sum.
	ascend(a, u, sum []float64, weight float64)
	// bounds returns an upper bound on the optimum from x, and a lower bound from a.
	bounds(x, a []float64) (upper, lower float64)
}

// addSteps appends the step size 1/entries to *steps, count times. It returns the index of the
// first.
//
// For an unknown in x, entries is the number of nonzeros in its column of M, the matrix of the
// bilinear part. For a multiplier in a, entries is the number of nonzeros in its row of M.
func addSteps(steps *[]float64, count, entries int) (at int) {
	at = len(*steps)
	for range count {
		*steps = append(*steps, 1/float64(entries))
	}
	return at
}

const (
	// checkEvery is the number of iterations between two computations of the bounds. One
	// computation takes as long as about four iterations.
	checkEvery = 40
	// The method restarts if the gap is at most sufficientDecay times the gap at the last restart,
	// or if more than the fraction longPeriod of all iterations came after the last restart. PDLP
	// calls these constants beta_sufficient and beta_artificial.
	sufficientDecay = 0.3
	longPeriod      = 0.4
	startWeight     = 3   // initial primal weight
	maxChange       = 4.0 // largest factor by which a restart changes the weight
)

// pdhg is the state of the primal-dual hybrid gradient method (Chambolle and Pock 2011) with
// diagonal steps (Pock and Chambolle 2011). As in PDLP (Applegate et al. 2021), it restarts from
// averages and adapts the primal weight.
type pdhg struct {
	saddle
	state                        // current iterate
	stepSizes                    // of each unknown and each multiplier
	xSum, aSum         []float64 // sums of the iterates since the last restart
	xOld, aOld         []float64 // iterate at the last restart
	sinceRestart       float64   // number of iterates in xSum and aSum
	bestX, bestA       []float64 // x of the best upper bound and a of the best lower bound
	upper, lower       float64   // the best bounds
	g, u, xMean, aMean []float64 // scratch
}

// A state is a point from which another run can start.
type state struct {
	x, a   []float64 // unknowns and multipliers
	weight float64   // primal weight omega
}

// stepSizes contains positive step sizes.
type stepSizes struct {
	stepX, stepA []float64 // for each unknown in x, for each multiplier in a
}

// newPDHG returns the method for problem p, starting at x = 0 and a = 0.
//
// The step sizes of x and a form the diagonal matrices X and A. The method converges if
// A^(1/2) M X^(1/2) has a norm of at most 1.
func newPDHG(p saddle, steps stepSizes) *pdhg {
	x := func() []float64 { return make([]float64, len(steps.stepX)) }
	a := func() []float64 { return make([]float64, len(steps.stepA)) }
	return &pdhg{
		saddle: p, stepSizes: steps, state: state{x(), a(), startWeight},
		xSum: x(), xOld: x(), bestX: x(), g: x(), xMean: x(),
		aSum: a(), aOld: a(), bestA: a(), u: a(), aMean: a(),
		upper: math.Inf(1), lower: math.Inf(-1),
	}
}

// run iterates until done returns true, but at most maxIter times. Every checkEvery iterations, it
// updates the bounds, calls done and may restart. If ctx is cancelled, run returns the error of ctx.
func (s *pdhg) run(ctx context.Context, maxIter int, done func() bool) (iterations int, err error) {
	copy(s.xOld, s.x) // the start counts as a restart
	copy(s.aOld, s.a)
	s.check(s.x, s.a)      // computes the bounds at the start
	lastGap := math.Inf(1) // gap between the bounds at the last restart
	for !done() && iterations < maxIter {
		for range checkEvery {
			if err := ctx.Err(); err != nil {
				return iterations, err
			}
			s.iterate()
		}
		iterations += checkEvery
		gap, averageIsBetter := s.checkBoth() // the smaller gap of the current and the average iterate
		gapHasShrunk := gap <= sufficientDecay*lastGap
		periodIsLong := s.sinceRestart > longPeriod*float64(iterations)
		if gapHasShrunk || periodIsLong {
			s.restart(averageIsBetter)
			lastGap = gap
		}
	}
	return iterations, nil
}

// iterate performs one iteration of the primal-dual hybrid gradient method,
//
//	x <- prox_x(x - w stepX gradientX(a))
//	a <- prox_a(a + stepA/w gradientA(2 x - old x)).
//
// Here w is the primal weight. iterate overwrites s.xMean.
func (s *pdhg) iterate() {
	s.gradientX(s.a, s.g)
	// All slices get the length of x, which avoids bounds checks.
	x, g, step, sum := s.x, s.g[:len(s.x)], s.stepX[:len(s.x)], s.xSum[:len(s.x)]
	extrapolated := s.xMean[:len(x)]
	copy(extrapolated, x) // the old x, until the last loop
	for j := range x {
		x[j] -= s.weight * step[j] * g[j]
	}
	s.proximalX(x, s.weight)
	for j, v := range x {
		old := extrapolated[j]
		extrapolated[j] = 2*v - old
		sum[j] += v
	}
	s.gradientA(extrapolated, s.u)
	s.ascend(s.a, s.u, s.aSum, s.weight)
	s.sinceRestart++
}

// restart begins a new period of the method. It continues from the average of the iterates of the
// last period if average is true, and otherwise from the current iterate.
//
// The primal weight multiplies the steps of x and divides the steps of a. The new weight is the
// geometric mean of the old weight and a ratio: the distance that x has moved, divided by the
// distance that a has moved. Distances are relative to the step sizes. The weight changes by at most
// the factor maxChange, because short distances give poor estimates.
func (s *pdhg) restart(average bool) {
	if average {
		copy(s.x, s.xMean)
		copy(s.a, s.aMean)
	}
	squaredX, squaredA := squaredMove(s.x, s.xOld, s.stepX), squaredMove(s.a, s.aOld, s.stepA)
	if squaredX > 0 && squaredA > 0 {
		ratio := math.Sqrt(squaredX / squaredA)
		change := math.Sqrt(ratio / s.weight) // weight*change = sqrt(weight*ratio), the geometric mean
		s.weight *= min(max(change, 1/maxChange), maxChange)
	}
	copy(s.xOld, s.x)
	copy(s.aOld, s.a)
	clear(s.xSum)
	clear(s.aSum)
	s.sinceRestart = 0
}

// squaredMove returns the squared distance between v and old relative to the step sizes,
// sum_j (v_j - old_j)^2 / step_j.
func squaredMove(v, old, step []float64) float64 {
	sum := 0.0
	for j := range v {
		d := v[j] - old[j]
		sum += d * d / step[j]
	}
	return sum
}

// checkBoth updates the best bounds from the current iterate and from the average since the last
// restart. It returns the smaller gap, and whether it is the gap of the average.
func (s *pdhg) checkBoth() (gap float64, averageIsBetter bool) {
	current := s.check(s.x, s.a)
	for j, v := range s.xSum {
		s.xMean[j] = v / s.sinceRestart
	}
	for j, v := range s.aSum {
		s.aMean[j] = v / s.sinceRestart
	}
	mean := s.check(s.xMean, s.aMean)
	return min(mean, current), mean < current
}

// check returns the gap between the upper bound at x and the lower bound at a. It keeps the best
// bounds so far with their x and a.
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

// closed reports whether the gap between the best bounds is at most tolerance times the upper
// bound, or at most absolute.
func (s *pdhg) closed(tolerance, absolute float64) bool {
	return s.upper-s.lower <= max(tolerance*s.upper, absolute)
}
