package kde

import (
	"errors"
	"math"

	"copse/stats/vecmath"
)

var errSingular = errors.New("the two variables are linearly dependent, so the density has no bandwidth matrix")

// Hpi returns the unconstrained two-stage plug-in bandwidth matrix of Duong and Hazelton (2003).
// For the sphered sample, it minimises
//
//	1/(4 pi n sqrt(det H)) + 1/4 vec(H)' Psi_4 vec(H).
//
// There is one pilot bandwidth per stage (SAMSE).
//
// If derived is false, the result equals ks::Hpi in R, including a wrong index in ks (see
// biasSums). If derived is true, the result follows the publication and does not depend on the
// order and signs of the variables.
func Hpi(x, y []float64, derived bool) (H2, error) {
	root, err := sphere(x, y) // the square root of the covariance matrix
	if err != nil {
		return H2{}, err
	}
	u, v := whiten(root.inverse(), x, y) // the sphered sample
	h, err := spheredHpi(u, v, derived)
	if err != nil {
		return H2{}, err
	}
	return root.congruence(h), nil // root h root: the bandwidth matrix for (x, y)
}

// spheredHpi returns the bandwidth matrix of Hpi for a sample (u_i, v_i) with the covariance matrix
// I. The matrix depends on functionals of order 4, which are estimated with the pilot bandwidth g4.
// The best g4 depends on functionals of order 6, which are estimated with g6.
func spheredHpi(u, v []float64, derived bool) (H2, error) {
	n := len(u)
	s := spectra.Get().(*spectrum)
	defer spectra.Put(s)
	g6 := math.Pow(float64(n)/8, -0.1) // best for normal data
	s.prepare(u, v, g6)
	order6 := functionals(s, u, v, 6, g6)
	g4 := samse(biasSums(order6, u, v, g6, derived), n)
	order4 := functionals(s, u, v, 4, g4)
	return minimiseAMISE(order4, n)
}

// biasSums returns psi_60 + psi_42, psi_42 + psi_24 and psi_24 + psi_06 (see functionals). The
// leading biases of the estimates of psi_40, psi_22 and psi_04 are proportional to these sums.
//
// If derived is false, it uses the wrong functionals of the R package ks.
func biasSums(order6, u, v []float64, g float64, derived bool) [3]float64 {
	psi60, psi51, psi42 := order6[0], order6[1], order6[2]
	if !derived { // ks has psi51 in place of psi42 and psi24, and psi42 in place of psi06
		return [3]float64{psi60 + psi51, psi51 + psi51, psi51 + psi42}
	}
	swapped := swappedFunctionals(u, v, g)
	psi06, psi24 := swapped[0], swapped[2]
	return [3]float64{psi60 + psi42, psi42 + psi24, psi24 + psi06}
}

// swappedFunctionals returns psi_06, psi_15 and psi_24, the functionals of the swapped sample (v_i,
// u_i).
func swappedFunctionals(u, v []float64, g float64) []float64 {
	s := spectra.Get().(*spectrum)
	defer spectra.Put(s)
	s.prepare(v, u, g)
	return functionals(s, v, u, 6, g)
}

// samse returns the pilot bandwidth g for sample size n. It minimises the sum of the squared
// asymptotic biases of psi_40, psi_22 and psi_04 (see functionals). The argument v is the result of
// biasSums.
//
// Let gamma = 1/(n g^8), and let k_i be the derivatives of the normal kernel at 0. Each bias is g^2
// (k_i gamma + v_i/2). Its derivative with respect to g is g (v_i - 6 k_i gamma). The products of
// biases and derivatives add up to 0 at the minimum, so
//
//	12 sum_i k_i^2 gamma^2 + 4 sum_i k_i v_i gamma = sum_i v_i^2.
func samse(v [3]float64, n int) float64 {
	// derivatives of the normal kernel at 0, of order (4,0), (2,2) and (0,4)
	k := [3]float64{3 / (2 * math.Pi), 1 / (2 * math.Pi), 3 / (2 * math.Pi)}
	var kk, kv, vv float64
	for i := range k {
		kk += k[i] * k[i]
		kv += k[i] * v[i]
		vv += v[i] * v[i]
	}
	// gamma is the positive root of b1 gamma^2 + b2 gamma = b3.
	b1, b2, b3 := 12*kk, 4*kv, vv
	gamma := (-b2 + math.Sqrt(b2*b2+4*b1*b3)) / (2 * b1)
	return math.Pow(gamma*float64(n), -0.125)
}

// functionalCount returns the length of the result of functionals for the order r.
func functionalCount(r int) int {
	if r == 4 {
		return 5
	}
	// For r = 6, these are psi_60, psi_51 and psi_42. A second call with swapped variables gives
	// psi_06, psi_15 and psi_24.
	return 3
}

// functionals estimates psi_ab, the mean of a partial derivative of the density. The derivative has
// order a in u and order b in v. Their sum r is 4 or 6. With D1 = (u_i-u_j)/g, D2 = (v_i-v_j)/g and
// Hermite polynomials He_k,
//
//	psi_ab = n^-2 sum_ij He_a(D1) He_b(D2) exp(-(D1^2+D2^2)/2) / (2 pi g^(2+r)).
//
// The result lists psi_(r,0), psi_(r-1,1), and so on (see functionalCount). The spectrum s must be
// prepared for the sample, with any bandwidth.
func functionals(s *spectrum, u, v []float64, r int, g float64) []float64 {
	if !s.covers(g) { // the spectrum was prepared for other bandwidths
		s.prepare(u, v, g)
	}
	var psi []float64 // at first, the sums over i and j without the denominator
	if s.worthwhile { // otherwise, sums over pairs are faster
		psi = s.hermiteSums(u, v, r, g)
	} else {
		psi = directHermiteSums(u, v, r, g)
	}
	n := float64(len(u))
	for b := range psi {
		psi[b] /= n * n * 2 * math.Pi * math.Pow(g, float64(2+r))
	}
	return psi
}

// directHermiteSums returns, for each b = 0..functionalCount(r)-1, the sum over all ordered pairs (i, j)
// of
//
//	He_(r-b)(D1) He_b(D2) exp(-(D1^2+D2^2)/2),  (D1, D2) = (u_i-u_j, v_i-v_j)/g.
func directHermiteSums(u, v []float64, r int, g float64) []float64 {
	m := scaledHermiteSums(padded(u, g), padded(v, g), len(u), r)
	for b := range m {
		bothOrders := 2 * m[b] / math.Pow(vecmath.Scale, float64(r))      // the pairs with i < j and i > j
		m[b] = bothOrders + float64(len(u))*hermite(r-b, 0)*hermite(b, 0) // and the pairs with i = j
	}
	return m
}

// scaledHermiteSums is like directHermiteSums, but sums over the pairs i < j and multiplies each
// sum by vecmath.Scale^r. r is 4 or 6. x and y contain the coordinates of n points, and padding
// (see padded).
func scaledHermiteSums(x, y []float64, n, r int) []float64 {
	if r == 4 {
		var m [5]float64
		vecmath.Hermite4(x, y, n, &m)
		return m[:]
	}
	var m [3]float64
	vecmath.Hermite6(x, y, n, &m)
	return m[:]
}

// padded returns the coordinates u as vecmath.Hermite4 requires them: divided by the bandwidth g,
// multiplied by vecmath.Scale, and followed by padding.
func padded(u []float64, g float64) []float64 {
	x := make([]float64, len(u)+vecmath.Margin)
	for i := range x {
		x[i] = vecmath.Far
		if i < len(u) {
			x[i] = u[i] * vecmath.Scale / g
		}
	}
	return x
}
