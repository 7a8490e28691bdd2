// Package sigmoid fits sigmoid curves by least squares.
package sigmoid

import (
	"math"
	"slices"
)

// A Curve is a0 + a1/(1 + exp(b0 + b1 x)).
type Curve struct{ A0, A1, B0, B1 float64 }

// At returns the curve at x.
func (c Curve) At(x float64) float64 { return c.A0 + c.A1*logistic(c.B0+c.B1*x) }

func logistic(t float64) float64 { return 1 / (1 + math.Exp(t)) }

// Starts of the search: slopes in units of 1/standard deviation of x, centres
// as quantiles of x. Negative slopes describe the same curves.
var (
	startSlopes  = []float64{0.25, 1, 2, 5}
	startCentres = []float64{0.2, 0.5, 0.8}
)

const (
	maxSteps    = 100
	enough      = 1e-7  // relative decrease of the squares at which the search ends
	firstDamp   = 1e-2  // Levenberg's factor at the start,
	lighter     = 0.1   // after a step that helps
	heavier     = 10.0  // and after one that does not
	maxDamp     = 1e8   // no step helps
	leastSpread = 1e-12 // variance of the logistic below which it is level
)

// Fit returns a curve with |b1| <= maxSlope that minimises
//
//	sum_i (y_i - a0 - a1/(1 + exp(b0 + b1 x_i)))^2,
//
// the best of the starts refined by Levenberg and Marquardt's method on (b0, b1)
// with (a0, a1) eliminated (variable projection, Golub and Pereyra 1973, with
// Kaufman's Jacobian 1975). The minimum found is local. x is not constant.
func Fit(x, y []float64, maxSlope float64) Curve {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	scale := 1 / spread(x)
	var best state
	best.squares = math.Inf(1)
	for _, slope := range startSlopes {
		for _, q := range startCentres {
			b1 := min(slope*scale, maxSlope)
			centre := sorted[int(q*float64(len(x)-1)+0.5)]
			if s := evaluate(x, y, -b1*centre, b1); s.squares < best.squares {
				best = s
			}
		}
	}
	damp := firstDamp
	for range maxSteps {
		d0, d1, ok := best.step(damp)
		if !ok {
			break
		}
		next := evaluate(x, y, best.B0+d0, best.B1+d1)
		if !(next.squares < best.squares) || math.Abs(next.B1) > maxSlope {
			if damp *= heavier; damp > maxDamp {
				break
			}
			continue
		}
		decrease := best.squares - next.squares
		best = next
		damp *= lighter
		if decrease <= enough*best.squares {
			break
		}
	}
	return best.Curve
}

// spread returns the standard deviation of x.
func spread(x []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(x)))
}

// A state is the best curve for given (b0, b1), its sum of squares and what is
// left of the products of e0 = ds/db0, e1 = ds/db1 and y when the projection on
// 1 and s = 1/(1+exp(b0+b1 x)) is taken off.
type state struct {
	Curve
	squares       float64
	e00, e01, e11 float64
	e0y, e1y      float64
}

// evaluate computes all sums in one pass.
func evaluate(x, y []float64, b0, b1 float64) state {
	var sy, ss, s0, s1, yy, sys, sss, ss0, ss1, e0y, e1y, e00, e01, e11 float64
	for i, v := range x {
		s := logistic(b0 + b1*v)
		e0 := -s * (1 - s)
		e1 := e0 * v
		t := y[i]
		ss += s
		s0 += e0
		s1 += e1
		sy += t
		sss += s * s
		ss0 += s * e0
		ss1 += s * e1
		sys += s * t
		yy += t * t
		e00 += e0 * e0
		e01 += e0 * e1
		e11 += e1 * e1
		e0y += e0 * t
		e1y += e1 * t
	}
	n := float64(len(x))
	variance := sss - ss*ss/n
	// Covariances with s, over its variance: the slopes of the projections.
	r0, r1, ry := ss0-ss*s0/n, ss1-ss*s1/n, sys-ss*sy/n
	k := 0.0
	if variance > leastSpread*n {
		k = 1 / variance
	}
	a1 := ry * k
	return state{
		Curve:   Curve{A0: (sy - a1*ss) / n, A1: a1, B0: b0, B1: b1},
		squares: yy - sy*sy/n - a1*ry,
		e00:     e00 - s0*s0/n - r0*r0*k,
		e01:     e01 - s0*s1/n - r0*r1*k,
		e11:     e11 - s1*s1/n - r1*r1*k,
		e0y:     e0y - s0*sy/n - r0*a1,
		e1y:     e1y - s1*sy/n - r1*a1,
	}
}

// step returns the damped Gauss-Newton step of (b0, b1).
func (s *state) step(damp float64) (d0, d1 float64, ok bool) {
	m00, m01, m11 := s.e00*(1+damp), s.e01, s.e11*(1+damp)
	det := m00*m11 - m01*m01
	if !(det > 0) || s.A1 == 0 {
		return 0, 0, false
	}
	return (m11*s.e0y - m01*s.e1y) / (det * s.A1), (m00*s.e1y - m01*s.e0y) / (det * s.A1), true
}
