package sigmoid

import (
	"math"

	"copse/stats/vecmath"
)

const (
	maxSteps    = 100
	roughly     = 1e-2  // gain in nats at which the refinement of a start ends
	enough      = 1e-7  // relative decrease of the squares at which the refinement of the best curve ends
	firstDamp   = 1e-3  // Levenberg's damping at the start
	lighter     = 0.1   // factor of the damping after a step that lowers the squares
	heavier     = 10.0  // factor after a step that does not
	maxDamp     = 1e8   // damping at which no step lowers the squares
	widest      = 4     // largest factor by which a step changes b1
	leastSpread = 1e-12 // relative variance of the logistic below which it is constant
	// deepest is the least |b0 + b1 x| of a curve all of which lies to one side of
	// its centre: there it is an exponential function up to a share e^-10.
	deepest = 10
)

// refine improves s by Levenberg and Marquardt's method on (b0, b1) with (a0, a1) eliminated
// (variable projection, Golub and Pereyra 1973, with Kaufman's Jacobian 1975). It ends when a
// step lowers the squares by less than the share least.
func (f *fitter) refine(s state, least float64) state {
	damp := firstDamp
	for range maxSteps {
		d0, d1 := f.boundedStep(&s, damp)
		if !finite(d0, d1) {
			break
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

// boundedStep returns the step of (b0, b1) from s. If it would leave the bounds of one
// variable, the other one moves alone.
func (f *fitter) boundedStep(s *state, damp float64) (d0, d1 float64) {
	d0, d1 = s.step(damp)
	low, high := f.bounds(s.B1)
	if d0 < 0 && s.B0 <= low || d0 > 0 && s.B0 >= high || !finite(d0, d1) {
		d0, d1 = 0, s.e1y/(s.e11*(1+damp)*s.A1)
	}
	if d1 > 0 && s.B1 >= f.steepest {
		d0, d1 = s.e0y/(s.e00*(1+damp)*s.A1), 0
	}
	return d0, d1
}

// bounds returns the range of b0 at b1.
func (f *fitter) bounds(b1 float64) (low, high float64) {
	return -deepest - b1*f.greatest, deepest - b1*f.least
}

func finite(d0, d1 float64) bool { return !math.IsNaN(d0-d0) && !math.IsNaN(d1-d1) }

// A state is the best curve for given (b0, b1), with its sum of squares. e00 ... e1y are the
// dot products of e0 = ds/db0, e1 = ds/db1 and y, minus their projections on 1 and on
// s = 1/(1+exp(b0+b1 z)).
type state struct {
	Curve
	squares       float64
	e00, e01, e11 float64
	e0y, e1y      float64
}

// evaluate returns the state at (b0, b1) for the y that take set. For b0 < 0 it computes with
// 1-s in place of s, which gives the same curves, because the smaller one has more digits.
func (f *fitter) evaluate(b0, b1 float64) state {
	sign := 1.0
	if b0 < 0 {
		sign = -1
	}
	count := len(f.z)
	s, e0, e1 := f.rows[:count], f.rows[count:2*count], f.rows[2*count:3*count]
	logistics(s, f.z, sign*b0, sign*b1)
	var ss, s0, s1 float64
	e0, e1 = e0[:len(s)], e1[:len(s)]
	for i, v := range s {
		e := -v * (1 - v)
		g := e * f.z[i]
		e0[i], e1[i] = e, g
		ss += v
		s0 += e
		s1 += g
	}
	var p [vecmath.TileRows * vecmath.TileColumns]float64 // s, e0, e1, y times s, e0, e1
	vecmath.Dots(f.rows, f.rows, count, count, &p)
	n := float64(count)
	// Covariances with s, over its variance: the slopes of the projections.
	r0, r1, ry := p[1]-ss*s0/n, p[2]-ss*s1/n, p[9]
	k := 0.0
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

// step returns the damped Gauss-Newton step of (b0, b1), NaN where there is none.
func (s *state) step(damp float64) (d0, d1 float64) {
	m00, m01, m11 := s.e00*(1+damp), s.e01, s.e11*(1+damp)
	det := m00*m11 - m01*m01
	if !(det > 0) {
		return math.NaN(), math.NaN()
	}
	return (m11*s.e0y - m01*s.e1y) / (det * s.A1), (m00*s.e1y - m01*s.e0y) / (det * s.A1)
}
