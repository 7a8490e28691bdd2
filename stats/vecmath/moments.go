package vecmath

import "fmt"

// Powers is the number of moments that one call of Moments adds.
const Powers = 10

// Moments adds sum_i w[i] v[i]^k to m[k] for k = 0..Powers-1. It also multiplies w[i] by v[i]^Powers, so
// that another call adds the next Powers moments.
func Moments(w, v []float64, m *[Powers]float64) {
	checkLength(len(w), len(v))
	var lanes [Powers][4]float64
	i := blocks(len(w), 4)
	if i > 0 {
		momentsAVX2(&w[0], &v[0], i, &lanes)
	}
	for ; i < len(w); i++ {
		term := w[i] // w_i v_i^k
		for k := range lanes {
			lanes[k][i%4] += term
			term = float64(term * v[i])
		}
		w[i] = term
	}
	for k := range m {
		m[k] += fold(&lanes[k])
	}
}

// Scale^r He_r(D) is a polynomial in u = Scale D. Its coefficients contain powers of c = Scale^2, as in
// Scale^4 He_4(D) = u^4 - 6 c u^2 + 3 c^2.
const (
	c1 = Scale * Scale
	c2 = c1 * c1
	c3 = c1 * c2
)

// Hermite4 and Hermite6 require each sample to be followed by Margin elements with the value Far. They
// are so far from all others that they contribute 0.
const (
	Margin = 16
	Far    = 1e30
)

// Hermite4 adds to m[b], b = 0..4, the sums over all pairs i < j < n of
//
//	He_(4-b)(D1) He_b(D2) exp(-(D1^2+D2^2)/2) Scale^4,
//
// where Scale D1 = x[i]-x[j], Scale D2 = y[i]-y[j], and He_r is the probabilists' Hermite polynomial. x and y
// must have n + Margin elements.
//
// For each i, the terms are summed over j in four lanes, which start at 0. The sum over j extends into the
// margin, whose terms are 0, so that the number of terms is a multiple of Margin.
func Hermite4(x, y []float64, n int, m *[5]float64) {
	checkMargin(x, y, n)
	for i := range n - 1 {
		var lanes [5][4]float64
		end := i + 1 + RoundedUp(n-i-1, Margin) // elements i+1, ..., n-1 and a part of the margin
		hermite4(x[i+1:end], y[i+1:end], x[i], y[i], &lanes)
		for b := range m {
			m[b] += fold(&lanes[b])
		}
	}
}

// hermite4 adds the terms of the pairs of (s, t) with all (x[i], y[i]) to the lanes.
func hermite4(x, y []float64, s, t float64, lanes *[5][4]float64) {
	i := blocks(len(x), 8)
	if i > 0 {
		hermite4AVX2(&x[0], &y[0], i, s, t, lanes)
	}
	for ; i < len(x); i++ {
		u, v := s-x[i], t-y[i]
		a, b := float64(u*u), float64(v*v)
		w := pow2Neg(b + a)
		l := i % 4
		lanes[0][l] = FMA(w, FMA(a-6*c1, a, 3*c2), lanes[0][l])
		lanes[1][l] = FMA(float64((a-3*c1)*u), float64(w*v), lanes[1][l])
		lanes[2][l] = FMA(float64((a-c1)*w), b-c1, lanes[2][l])
		lanes[3][l] = FMA(float64((b-3*c1)*v), float64(w*u), lanes[3][l])
		lanes[4][l] = FMA(w, FMA(b-6*c1, b, 3*c2), lanes[4][l])
	}
}

// Hermite6 adds to m[b], b = 0..2, the sums over all pairs i < j < n of
//
//	He_(6-b)(D1) He_b(D2) exp(-(D1^2+D2^2)/2) Scale^6.
//
// The arguments and the notation are the same as for Hermite4.
func Hermite6(x, y []float64, n int, m *[3]float64) {
	checkMargin(x, y, n)
	for i := range n - 1 {
		var lanes [3][4]float64
		end := i + 1 + RoundedUp(n-i-1, Margin) // elements i+1, ..., n-1 and a part of the margin
		hermite6(x[i+1:end], y[i+1:end], x[i], y[i], &lanes)
		for b := range m {
			m[b] += fold(&lanes[b])
		}
	}
}

// hermite6 is like hermite4, for Hermite6.
func hermite6(x, y []float64, s, t float64, lanes *[3][4]float64) {
	i := blocks(len(x), 8)
	if i > 0 {
		hermite6AVX2(&x[0], &y[0], i, s, t, lanes)
	}
	for ; i < len(x); i++ {
		u, v := s-x[i], t-y[i]
		a, b := float64(u*u), float64(v*v)
		w := pow2Neg(b + a)
		l := i % 4
		h6 := float64(FMA(a-15*c1, a, 45*c2)*a) - 15*c3
		h5 := float64(FMA(a-10*c1, a, 15*c2) * u)
		h4 := float64(FMA(a-6*c1, a, 3*c2) * w)
		lanes[0][l] = FMA(w, h6, lanes[0][l])
		lanes[1][l] = FMA(h5, float64(w*v), lanes[1][l])
		lanes[2][l] = FMA(h4, b-c1, lanes[2][l])
	}
}

// checkMargin panics unless x and y consist of n elements plus the margin.
func checkMargin(x, y []float64, n int) {
	if len(x) != n+Margin || len(y) != n+Margin {
		panic(fmt.Sprintf("vecmath: x has %d elements and y has %d, but a sample of %d needs %d with its margin",
			len(x), len(y), n, n+Margin))
	}
}
