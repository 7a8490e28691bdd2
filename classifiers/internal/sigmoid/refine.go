package sigmoid

import (
	"math"

	"copse/stats/vecmath"
)

const (
	maxSteps    = 100
	roughly     = 1e-2  // refinement of a start ends if a step gains less than this, in nats
	enough      = 1e-7  // refinement of the best curve ends at this relative decrease of the squares
	firstDamp   = 1e-3  // initial damping of Levenberg's method
	lighter     = 0.1   // factor of the damping after a step that lowers the sum of squares
	heavier     = 10.0  // factor of the damping after any other step
	maxDamp     = 1e8   // refinement ends if the damping exceeds this
	widest      = 4     // largest factor by which a step changes b1
	leastSpread = 1e-12 // a logistic function with a smaller relative variance counts as constant
	// deepest is the largest min |b0 + b1 x| of a curve if all x lie on one side of its centre.
	// Such a curve differs from an exponential function by a share of e^-10.
	deepest = 10
)

// refine improves s by the method of Levenberg and Marquardt on (b0, b1), while (a0, a1) are
// eliminated (variable projection, Golub and Pereyra 1973, with the Jacobian of Kaufman 1975). It
// ends if a step lowers the sum of squares by at most the share least.
func (f *fitter) refine(s state, least float64) state {
	damp := firstDamp
	for range maxSteps {
		d0, d1 := f.boundedStep(&s, damp)
		if !finite(d0, d1) {
			break // there is no step
		}
		b1 := min(max(s.B1+d1, flatSlope, s.B1/widest), f.steepest, s.B1*widest)
		low, high := f.bounds(b1)
		next := f.evaluate(min(max(s.B0+d0, low), high), b1)
		if !(next.squares < s.squares) {
			damp *= heavier
			if damp > maxDamp {
				break
			}
			continue
		}
		decrease := s.squares - next.squares
		s = next
		damp *= lighter
		if decrease <= least*s.squares {
			break
		}
	}
	return s
}

// boundedStep returns the step of (b0, b1) from s. If the step would leave the bounds of one
// variable, only the other variable moves.
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

// A state is the best curve for given (b0, b1), with its sum of squares. Let s = 1/(1+exp(b0+b1
// z)), e0 = ds/db0 and e1 = ds/db1. e00 ... e1y are the dot products of e0, e1 and y after their
// projections on 1 and on s are subtracted.
type state struct {
	Curve
	squares       float64
	e00, e01, e11 float64
	e0y, e1y      float64
}

// evaluate returns the state at (b0, b1) for the sample y of take. It projects y on s =
// 1/(1+exp(b0+b1 z)): a1 = cov(s,y)/var(s). If b0 < 0, it uses 1-s in place of s, which gives the
// same curves, because the smaller function has more digits.
func (f *fitter) evaluate(b0, b1 float64) state {
	sign := 1.0
	if b0 < 0 {
		sign = -1
	}
	count := len(f.z)
	s, e0, e1 := f.rows[:count], f.rows[count:2*count], f.rows[2*count:3*count]
	logistics(s, f.z, sign*b0, sign*b1)
	var ss, s0, s1 float64 // sums of s, e0 and e1
	e0, e1 = e0[:len(s)], e1[:len(s)]
	for i, v := range s {
		e := -v * (1 - v)
		g := e * f.z[i]
		e0[i], e1[i] = e, g
		ss += v
		s0 += e
		s1 += g
	}
	// Element 3a+b of p is the dot product of rows a and b of (s, e0, e1, y); b < 3.
	var p [vecmath.TileRows * vecmath.TileColumns]float64
	vecmath.Dots(f.rows, f.rows, count, count, &p)
	n := float64(count)
	r0, r1, ry := p[1]-ss*s0/n, p[2]-ss*s1/n, p[9] // n times the covariances of s with e0, e1 and y
	k := 0.0                                       // 1 / (n var(s)), or 0 if s is constant
	if variance := p[0] - ss*ss/n; variance > leastSpread*ss*ss {
		k = 1 / variance
	}
	a1 := ry * k
	c := Curve{A0: -a1 * ss / n, A1: a1, B0: b0, B1: b1}
	if sign < 0 {
		c.A0, c.A1 = c.A0+a1, -a1
	}
	return state{
		Curve:   c,
		squares: f.total - a1*ry,
		e00:     p[4] - s0*s0/n - r0*r0*k,
		e01:     p[5] - s0*s1/n - r0*r1*k,
		e11:     p[8] - s1*s1/n - r1*r1*k,
		e0y:     p[10] - r0*a1,
		e1y:     p[11] - r1*a1,
	}
}

// step returns the damped Gauss-Newton step of (b0, b1): the solution of the 2 x 2 system with
// matrix (e00, e01; e01, e11), whose diagonal is multiplied by 1 + damp, and right side (e0y,
// e1y)/a1. It returns NaN if the matrix is not positive definite.
func (s *state) step(damp float64) (d0, d1 float64) {
	m00, m01, m11 := s.e00*(1+damp), s.e01, s.e11*(1+damp)
	det := m00*m11 - m01*m01
	if !(det > 0) {
		return math.NaN(), math.NaN()
	}
	return (m11*s.e0y - m01*s.e1y) / (det * s.A1), (m00*s.e1y - m01*s.e0y) / (det * s.A1)
}
