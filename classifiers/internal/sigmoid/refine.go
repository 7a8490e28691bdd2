package sigmoid

import (
	"math"

	"copse/stats/vecmath"
)

const (
	maxSteps      = 100
	startGain     = 1e-2  // refinement of a start ends if a step gains less than this, in nats
	finalDecrease = 1e-7  // refinement of the best curve ends at this relative decrease in the sum of squares
	firstDamp     = 1e-3  // initial damping of Levenberg's method
	lighter       = 0.1   // multiplies the damping after a step that lowers the sum of squares
	heavier       = 10.0  // multiplies the damping after any other step
	maxDamp       = 1e8   // refinement ends if the damping exceeds this
	widest        = 4     // largest factor by which a step changes b1
	leastSpread   = 1e-12 // a logistic function with a smaller relative variance counts as constant
	// deepest limits how far the centre of a curve, where b0 + b1 z is 0, may lie outside the data. At
	// the nearest value z of the data, |b0 + b1 z| is at most deepest. At this limit, the curve is an
	// exponential function on the data, up to a relative error of e^-10.
	deepest = 10
)

// refine improves the curve of state s by the Levenberg-Marquardt method in b0 and b1: variable
// projection (Golub and Pereyra 1973) with the Jacobian of Kaufman (1975). It stops if the relative
// decrease of s.squares is at most minDecrease.
func (f *fitter) refine(s state, minDecrease float64) state {
	damp := firstDamp
	for range maxSteps {
		d0, d1 := f.boundedStep(&s, damp) // the change of b0 and b1
		if !finite(d0, d1) {
			return s // the 2 x 2 system of the step has no solution
		}
		next := f.moved(&s, d0, d1)
		if next.squares < s.squares {
			decrease := s.squares - next.squares
			s = next
			damp *= lighter
			if decrease <= minDecrease*s.squares {
				return s
			}
			continue
		}
		damp *= heavier // a shorter step, closer to the gradient
		if damp > maxDamp {
			return s
		}
	}
	return s
}

// moved returns the state after the step (d0, d1) from s. It keeps B0 and B1 in their allowed
// ranges, and the ratio of the new to the old B1 within 1/widest..widest.
func (f *fitter) moved(s *state, d0, d1 float64) state {
	b1 := min(max(s.B1+d1, flatSlope, s.B1/widest), f.steepest, s.B1*widest)
	low, high := f.bounds(b1)
	return f.evaluate(min(max(s.B0+d0, low), high), b1)
}

// boundedStep returns the damped step of (b0, b1) from s. If a variable is at its bound and the
// step would cross the bound, only the other variable moves.
func (f *fitter) boundedStep(s *state, damp float64) (d0, d1 float64) {
	d0, d1 = s.step(damp)
	low, high := f.bounds(s.B1)
	leavesB0 := d0 < 0 && s.B0 <= low || d0 > 0 && s.B0 >= high
	if leavesB0 || !finite(d0, d1) {
		d0, d1 = 0, s.e1y/(s.e11*(1+damp)*s.A1)
	}
	if d1 > 0 && s.B1 >= f.steepest {
		d0, d1 = s.e0y/(s.e00*(1+damp)*s.A1), 0
	}
	return d0, d1
}

// bounds returns the allowed range of b0 for a given b1.
func (f *fitter) bounds(b1 float64) (low, high float64) {
	return -deepest - b1*f.greatest, deepest - b1*f.least
}

func finite(d0, d1 float64) bool { return !math.IsNaN(d0-d0) && !math.IsNaN(d1-d1) }

// A state is a least-squares curve a0 + a1 s for given b0 and b1, where s is 1/(1+exp(b0+b1 z)).
// squares is its residual sum of squares.
//
// Let e0 = ds/db0 and e1 = ds/db1. The residuals of a vector are the vector minus its least-squares
// fit c0 + c1 s. The other fields are dot products of residuals: e01 of e0 and e1, e0y of e0 and
// the sample y, and so on.
type state struct {
	Curve
	squares       float64
	e00, e01, e11 float64
	e0y, e1y      float64
}

// evaluate fits the curve a0 + a1 s with the given parameters (b0, b1) of s to the sample y by least
// squares. The last row of f.rows must contain y, which has mean 0.
func (f *fitter) evaluate(b0, b1 float64) state {
	if !(b0 < 0) {
		return f.project(b0, b1)
	}
	// Use -b0 and -b1, which turn s into 1-s, a smaller number with a smaller rounding error. The
	// residuals stay the same, and so does the curve: a0 + a1 (1-s) = (a0+a1) - a1 s.
	result := f.project(-b0, -b1)
	result.Curve = Curve{A0: result.A0 + result.A1, A1: -result.A1, B0: b0, B1: b1}
	return result
}

// project implements evaluate, in the notation of state: s is the logistic function, and e0 and e1 are
// its derivatives with respect to b0 and b1. Let C(u,v) = u.v - sum(u) sum(v)/n. The regression of v
// on s has the slope C(s,v)/C(s,s). So the dot product of the residuals of u and v is
//
//	C(u,v) - C(s,u) C(s,v) / C(s,s).
func (f *fitter) project(b0, b1 float64) state {
	const s, e0, e1, y = 0, 1, 2, 3 // the rows of f.rows
	var sums [3]float64
	sums[s], sums[e0], sums[e1] = f.setRows(b0, b1)
	count := len(f.z)
	n := float64(count)
	var products [vecmath.TileRows * vecmath.TileColumns]float64
	vecmath.Dots(f.rows, f.rows, count, count, &products)
	dot := func(u, v int) float64 { return products[vecmath.TileColumns*u+v] }
	// C(u,v) and the dot product of residuals, for u and v other than y
	c := func(u, v int) float64 { return dot(u, v) - sums[u]*sums[v]/n }
	inverse := 0.0 // 1 / C(s,s), or 0 if s is constant
	if css := c(s, s); varies(css, sums[s]) {
		inverse = 1 / css
	}
	residuals := func(u, v int) float64 { return c(u, v) - c(s, u)*c(s, v)*inverse }
	// C(v,y) is dot(v, y), because sum(y) is 0.
	csy := dot(y, s)
	a1 := csy * inverse // slope of the regression of y on s
	return state{
		Curve:   Curve{A0: -a1 * sums[s] / n, A1: a1, B0: b0, B1: b1},
		squares: f.squaresOfY - a1*csy,
		e00:     residuals(e0, e0),
		e01:     residuals(e0, e1),
		e11:     residuals(e1, e1),
		e0y:     dot(y, e0) - c(s, e0)*a1,
		e1y:     dot(y, e1) - c(s, e1)*a1,
	}
}

// setRows sets the first three rows of f.rows to s, e0 = -s(1-s) and e1 = e0 z, and returns their
// sums.
func (f *fitter) setRows(b0, b1 float64) (sum, sum0, sum1 float64) {
	count := len(f.z)
	s, e0, e1 := f.rows[:count], f.rows[count:2*count], f.rows[2*count:3*count]
	logistics(s, f.z, b0, b1)
	for i, v := range s {
		e := -v * (1 - v)
		g := e * f.z[i]
		e0[i], e1[i] = e, g
		sum += v
		sum0 += e
		sum1 += g
	}
	return sum, sum0, sum1
}

// step returns the damped Gauss-Newton step of (b0, b1). If the matrix of its equations is not
// positive definite, it returns NaN.
//
// The equations have the matrix (e00, e01; e01, e11), whose diagonal is multiplied by 1 + damp. The
// right-hand side is (e0y, e1y)/a1.
func (s *state) step(damp float64) (d0, d1 float64) {
	m00, m01, m11 := s.e00*(1+damp), s.e01, s.e11*(1+damp)
	det := m00*m11 - m01*m01
	if !(det > 0) {
		return math.NaN(), math.NaN()
	}
	return (m11*s.e0y - m01*s.e1y) / (det * s.A1), (m00*s.e1y - m01*s.e0y) / (det * s.A1)
}
