package kde

import (
	"errors"
	"math"
)

// minimiseAMISE minimises over positive definite H = [[a, b], [b, c]]
//
//	f(a,b,c) = 1/(4 pi n sqrt(ac - b^2)) + 1/4 q(a,b,c)
//	q = vec(H)' Psi_4 vec(H)
//	  = m0 a^2 + 4 m1 ab + 2 m2 ac + 4 m2 b^2 + 4 m3 bc + m4 c^2
//
// with m[b] = psi_(4-b,b). Both terms are convex, so Newton's method with
// backtracking finds the one minimum.
func minimiseAMISE(m []float64, n int) (H2, error) {
	scale := 1 / (4 * math.Pi * float64(n))
	start := math.Pow(float64(n), -1.0/3)
	h := H2{XX: start, YY: start}
	const (
		iterations = 200
		near       = 1e-9  // decrement, relative to f, below which rounding hides that f falls
		tolerance  = 1e-26 // of the Newton decrement, relative to f: H to 12 digits
		armijo     = 1e-4
	)
	for range iterations {
		g, hess := derivatives(m, scale, h)
		step, ok := solve3(hess, g)
		if !ok {
			break
		}
		f, decrement := amise(m, scale, h), g[0]*step[0]+g[1]*step[1]+g[2]*step[2]
		t := 1.0
		next := h.minus(t, step)
		for decrement > near*f && t > 0 && !(amise(m, scale, next) <= f-armijo*t*decrement) {
			t /= 2
			next = h.minus(t, step)
		}
		h = next
		if decrement <= tolerance*f {
			return h, nil
		}
	}
	return H2{}, errors.New("the plug-in criterion has no minimum for this sample")
}

// amise returns the criterion scale/sqrt(det H) + q/4 that minimiseAMISE minimises. It
// returns +Inf if h is not positive definite.
func amise(m []float64, scale float64, h H2) float64 {
	det := h.Det()
	if !(h.XX > 0 && det > 0) {
		return math.Inf(1)
	}
	return scale/math.Sqrt(det) + 0.25*quartic(m, h)
}

// minus returns h - t step, where step has the elements XX, XY and YY.
func (h H2) minus(t float64, step [3]float64) H2 {
	return H2{h.XX - t*step[0], h.XY - t*step[1], h.YY - t*step[2]}
}

// quartic returns vec(H)' Psi_4 vec(H).
func quartic(m []float64, h H2) float64 {
	a, b, c := h.XX, h.XY, h.YY
	return m[0]*a*a + 4*m[1]*a*b + 2*m[2]*a*c + 4*m[2]*b*b + 4*m[3]*b*c + m[4]*c*c
}

// derivatives returns the gradient and the Hessian of the criterion in (a,b,c).
func derivatives(m []float64, scale float64, h H2) (g [3]float64, hess [3][3]float64) {
	a, b, c := h.XX, h.XY, h.YY
	det := h.Det()
	// d/dz det^(-1/2) = -1/2 det^(-3/2) d_z; second: 3/4 det^(-5/2) d_z d_w - 1/2 det^(-3/2) d_zw.
	p3 := scale * math.Pow(det, -1.5)
	p5 := p3 / det
	d := [3]float64{c, -2 * b, a}
	dd := [3][3]float64{{0, 0, 1}, {0, -2, 0}, {1, 0, 0}}
	q := [3]float64{
		2*m[0]*a + 4*m[1]*b + 2*m[2]*c,
		4*m[1]*a + 8*m[2]*b + 4*m[3]*c,
		2*m[2]*a + 4*m[3]*b + 2*m[4]*c,
	}
	qq := [3][3]float64{
		{2 * m[0], 4 * m[1], 2 * m[2]},
		{4 * m[1], 8 * m[2], 4 * m[3]},
		{2 * m[2], 4 * m[3], 2 * m[4]},
	}
	for i := range g {
		g[i] = -0.5*p3*d[i] + 0.25*q[i]
		for j := range g {
			hess[i][j] = 0.75*p5*d[i]*d[j] - 0.5*p3*dd[i][j] + 0.25*qq[i][j]
		}
	}
	return g, hess
}

// cholesky3 returns the lower triangular L with L L' = A for a symmetric A. It reports
// false if A is not positive definite.
func cholesky3(a [3][3]float64) (l [3][3]float64, ok bool) {
	for i := range 3 {
		for j := range i + 1 {
			s := a[i][j]
			for k := range j {
				s -= l[i][k] * l[j][k]
			}
			if j < i {
				l[i][j] = s / l[j][j]
				continue
			}
			if !(s > 0) {
				return l, false
			}
			l[i][i] = math.Sqrt(s)
		}
	}
	return l, true
}

// solve3 solves A z = b for a symmetric A by its Cholesky factor. It reports false if A is
// not positive definite.
func solve3(a [3][3]float64, b [3]float64) (z [3]float64, ok bool) {
	l, ok := cholesky3(a)
	if !ok {
		return z, false
	}
	for i := range 3 { // L
		z[i] = b[i]
		for k := range i {
			z[i] -= l[i][k] * z[k]
		}
		z[i] /= l[i][i]
	}
	for i := 2; i >= 0; i-- { // L'
		for k := i + 1; k < 3; k++ {
			z[i] -= l[k][i] * z[k]
		}
		z[i] /= l[i][i]
	}
	return z, true
}
