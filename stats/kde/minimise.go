package kde

import (
	"errors"
	"math"
)

// minimiseAMISE returns the bandwidth matrix H = [[a, b], [b, c]] of a bivariate kernel density
// estimate from n points. It minimises the asymptotic mean integrated squared error (AMISE):
//
//	f(a,b,c) = 1/(4 pi n sqrt(ac - b^2)) + q/4
//	q = m0 a^2 + 4 m1 ab + 2 m2 ac + 4 m2 b^2 + 4 m3 bc + m4 c^2.
//
// m[k] estimates psi_(4-k,k). This is the integral of the density times its derivative of order 4-k
// in the first variable and k in the second.
func minimiseAMISE(m []float64, n int) (H2, error) {
	const (
		iterations = 200
		tolerance  = 1e-26 // largest final decrement, relative to f: H has 12 digits
	)
	scale := 1 / (4 * math.Pi * float64(n))
	start := math.Pow(float64(n), -1.0/3)
	h := H2{XX: start, YY: start}
	// Both terms are convex, so Newton's method with backtracking finds the only minimum.
	for range iterations {
		gradient, hessian := derivatives(m, scale, h)
		step, ok := solve3(hessian, gradient)
		if !ok {
			break // the Hessian is not positive definite
		}
		f := amise(m, scale, h)
		decrement := gradient[0]*step[0] + gradient[1]*step[1] + gradient[2]*step[2]
		h = backtrack(m, scale, h, step, f, decrement)
		if decrement <= tolerance*f {
			return h, nil
		}
	}
	return H2{}, errors.New("the plug-in criterion has no minimum for this sample")
}

// backtrack returns h - t*step for the largest t = 1, 1/2, 1/4, ... that decreases the criterion f
// by at least armijo * t * decrement. The argument f is the criterion at h. The gradient predicts
// a decrease by t * decrement. If rounding could hide the decrease, t is 1.
func backtrack(m []float64, scale float64, h H2, step [3]float64, f, decrement float64) H2 {
	const (
		armijo = 1e-4
		hidden = 1e-9 // decrement, relative to f, that rounding may hide
	)
	if !(decrement > hidden*f) {
		return h.minus(1, step)
	}
	for t := 1.0; t > 0; t /= 2 {
		if next := h.minus(t, step); amise(m, scale, next) <= f-armijo*t*decrement {
			return next
		}
	}
	return h
}

// amise returns the criterion of minimiseAMISE for the bandwidth matrix h, scale/sqrt(det H) + q/4.
// scale is 1/(4 pi n), and q is biasForm(m, h). The result is +Inf if h is not positive definite.
func amise(m []float64, scale float64, h H2) float64 {
	det := h.Det()
	if !(h.XX > 0 && det > 0) {
		return math.Inf(1)
	}
	return scale/math.Sqrt(det) + 0.25*biasForm(m, h)
}

func (h H2) minus(t float64, step [3]float64) H2 {
	return H2{h.XX - t*step[0], h.XY - t*step[1], h.YY - t*step[2]}
}

// biasForm returns q, four times the squared bias in the criterion of minimiseAMISE. It is a quadratic
// form in the elements of h.
func biasForm(m []float64, h H2) float64 {
	a, b, c := h.XX, h.XY, h.YY
	return m[0]*a*a + 4*m[1]*a*b + 2*m[2]*a*c + 4*m[2]*b*b + 4*m[3]*b*c + m[4]*c*c
}

// derivatives returns the first and second derivatives of the criterion of minimiseAMISE. The variables
// are the elements (a, b, c) of the bandwidth matrix h:
//
//	f = scale D^(-1/2) + q/4,  D = ac - b^2
//	q = m0 a^2 + 4 m1 ab + 2 m2 ac + 4 m2 b^2 + 4 m3 bc + m4 c^2,  where mk is m[k].
//
// Subscripts of f, D and q denote derivatives:
//
//	f_i  = -1/2 scale D^(-3/2) D_i + 1/4 q_i
//	f_ij = 3/4 scale D^(-5/2) D_i D_j - 1/2 scale D^(-3/2) D_ij + 1/4 q_ij.
func derivatives(m []float64, scale float64, h H2) (gradient [3]float64, hessian [3][3]float64) {
	a, b, c := h.XX, h.XY, h.YY
	det := h.Det()
	power3 := scale * math.Pow(det, -1.5)                   // scale D^(-3/2)
	power5 := power3 / det                                  // scale D^(-5/2)
	det1 := [3]float64{c, -2 * b, a}                        // D_i
	det2 := [3][3]float64{{0, 0, 1}, {0, -2, 0}, {1, 0, 0}} // D_ij
	q2 := [3][3]float64{                                    // q_ij
		{2 * m[0], 4 * m[1], 2 * m[2]},
		{4 * m[1], 8 * m[2], 4 * m[3]},
		{2 * m[2], 4 * m[3], 2 * m[4]},
	}
	for i := range gradient {
		q1 := q2[i][0]*a + q2[i][1]*b + q2[i][2]*c // q_i, because q is a quadratic form
		gradient[i] = -0.5*power3*det1[i] + 0.25*q1
		for j := range gradient {
			hessian[i][j] = 0.75*power5*det1[i]*det1[j] - 0.5*power3*det2[i][j] + 0.25*q2[i][j]
		}
	}
	return gradient, hessian
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

// solve3 solves A z = b for a symmetric A. It reports false if A is not positive definite.
func solve3(a [3][3]float64, b [3]float64) (z [3]float64, ok bool) {
	l, ok := cholesky3(a)
	if !ok {
		return z, false
	}
	for i := range 3 { // forward: L z = b
		z[i] = b[i]
		for k := range i {
			z[i] -= l[i][k] * z[k]
		}
		z[i] /= l[i][i]
	}
	for i := 2; i >= 0; i-- { // backward: L' z = b, where b is the z of the forward step
		for k := i + 1; k < 3; k++ {
			z[i] -= l[k][i] * z[k]
		}
		z[i] /= l[i][i]
	}
	return z, true
}
