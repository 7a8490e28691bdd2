package vecmath

import "math"

// Powers is the number of moments that one call of Moments adds.
const Powers = 10

// Moments adds sum_i w[i] v[i]^k to m[k], k = 0..Powers-1, and multiplies w[i]
// by v[i]^Powers, ready for the next Powers moments.
func Moments(w, v []float64, m *[Powers]float64) {
	sameLength(len(w), len(v))
	var lanes [Powers][4]float64
	n := momentsAsm(w, v, &lanes)
	for i := n; i < len(w); i++ {
		p := w[i]
		for k := range lanes {
			lanes[k][i%4] += p
			p = float64(p * v[i])
		}
		w[i] = p
	}
	for k := range m {
		m[k] += fold(&lanes[k])
	}
}

// Powers of c = Scale^2, which turn He_r(D) into polynomials of Scale D.
const (
	c1 = Scale * Scale
	c2 = c1 * c1
	c3 = c1 * c2
)

// Hermite4 adds to m[b], b = 0..4, the sums over i of
//
//	He_(4-b)(D1) He_b(D2) exp(-(D1^2+D2^2)/2) Scale^4
//
// with Scale D1 = s-x[i], Scale D2 = t-y[i] and He_r the probabilists' Hermite
// polynomials. Elements of 1e30 in x and y add 0.
func Hermite4(x, y []float64, s, t float64, m *[5]float64) {
	sameLength(len(x), len(y))
	var lanes [5][4]float64
	n := hermite4Asm(x, y, s, t, &lanes)
	for i := n; i < len(x); i++ {
		u, v := s-x[i], t-y[i]
		a, b := float64(u*u), float64(v*v)
		w := pow2Neg(b + a)
		l := i % 4
		lanes[0][l] = math.FMA(w, math.FMA(a-6*c1, a, 3*c2), lanes[0][l])
		lanes[1][l] = math.FMA(float64((a-3*c1)*u), float64(w*v), lanes[1][l])
		lanes[2][l] = math.FMA(float64((a-c1)*w), b-c1, lanes[2][l])
		lanes[3][l] = math.FMA(float64((b-3*c1)*v), float64(w*u), lanes[3][l])
		lanes[4][l] = math.FMA(w, math.FMA(b-6*c1, b, 3*c2), lanes[4][l])
	}
	for k := range m {
		m[k] += fold(&lanes[k])
	}
}

// Hermite6 adds to m[b], b = 0..2, the sums over i of
//
//	He_(6-b)(D1) He_b(D2) exp(-(D1^2+D2^2)/2) Scale^6
//
// as Hermite4.
func Hermite6(x, y []float64, s, t float64, m *[3]float64) {
	sameLength(len(x), len(y))
	var lanes [3][4]float64
	n := hermite6Asm(x, y, s, t, &lanes)
	for i := n; i < len(x); i++ {
		u, v := s-x[i], t-y[i]
		a, b := float64(u*u), float64(v*v)
		w := pow2Neg(b + a)
		l := i % 4
		h6 := float64(math.FMA(a-15*c1, a, 45*c2)*a) - 15*c3
		h5 := float64(math.FMA(a-10*c1, a, 15*c2) * u)
		h4 := float64(math.FMA(a-6*c1, a, 3*c2) * w)
		lanes[0][l] = math.FMA(w, h6, lanes[0][l])
		lanes[1][l] = math.FMA(h5, float64(w*v), lanes[1][l])
		lanes[2][l] = math.FMA(h4, b-c1, lanes[2][l])
	}
	for k := range m {
		m[k] += fold(&lanes[k])
	}
}
