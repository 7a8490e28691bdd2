package kde

import (
	"errors"
	"fmt"
	"math"
)

// A Pilot is a version of the second pilot stage of Hpi.
type Pilot int

const (
	// KSPilot repeats the vector that R's ks computes, with its slipped indices.
	KSPilot Pilot = iota
	// DerivedPilot is the vector of the derivation; H comes out smaller by 12 to
	// 20 percent.
	DerivedPilot
)

var errSingular = errors.New("the two variables are linearly dependent, so the density has no bandwidth matrix")

// Hpi returns the unconstrained two-stage plug-in bandwidth matrix of Duong and
// Hazelton (2003) with one pilot bandwidth per stage (SAMSE) after sphering, as
// ks::Hpi: the minimiser over positive definite H of
//
//	1/(4 pi n sqrt(det H)) + 1/4 vec(H)' Psi_4 vec(H)
//
// for the sphered sample, transformed back.
func Hpi(x, y []float64, pilot Pilot) (H2, error) {
	if len(x) != len(y) {
		panic(fmt.Sprintf("kde: %d and %d values", len(x), len(y)))
	}
	root, err := sphere(x, y)
	if err != nil {
		return H2{}, err
	}
	n := len(x)
	u, v := whiten(root.inverse(), x, y)

	g6 := math.Pow(float64(n)/8, -0.1)
	m6 := functionals(u, v, 6, g6)
	g4 := samse(m6, n, pilot)
	m4 := functionals(u, v, 4, g4)
	h, err := minimiseAMISE(m4, n)
	if err != nil {
		return H2{}, err
	}
	return root.congruence(h), nil
}

// samse returns the pilot bandwidth g_4 that minimises the sum of the
// asymptotic squared errors of Psi_4's elements, given m[b] = psi_(6-b,b).
func samse(m []float64, n int, pilot Pilot) float64 {
	k := [3]float64{3 / (2 * math.Pi), 1 / (2 * math.Pi), 3 / (2 * math.Pi)}
	v := [3]float64{m[0] + m[1], 2 * m[1], m[1] + m[2]}
	if pilot == DerivedPilot {
		v = [3]float64{m[0] + m[2], m[2] + m[4], m[4] + m[6]}
	}
	var kk, kv, vv float64
	for i := range k {
		kk += k[i] * k[i]
		kv += k[i] * v[i]
		vv += v[i] * v[i]
	}
	b1, b2, b3 := 12*kk, 4*kv, vv
	gamma := (-b2 + math.Sqrt(b2*b2+4*b1*b3)) / (2 * b1)
	return math.Pow(gamma*float64(n), -0.125)
}

// functionals returns m[b] = psi_(r-b,b)(g), b = 0..r, for even r:
//
//	psi_ab = n^-2 sum_ij He_a(D1/g) He_b(D2/g) exp(-(D1^2+D2^2)/(2g^2)) / (2 pi g^(2+r))
func functionals(u, v []float64, r int, g float64) []float64 {
	m := make([]float64, r+1)
	n := float64(len(u))
	for i := range u {
		for j := range u[:i] {
			d1, d2 := (u[i]-u[j])/g, (v[i]-v[j])/g
			w := math.Exp(-0.5 * (d1*d1 + d2*d2))
			for b := range m {
				m[b] += 2 * w * hermite(r-b, d1) * hermite(b, d2)
			}
		}
	}
	for b := range m {
		m[b] = (m[b] + n*hermiteAtZero(r-b)*hermiteAtZero(b)) / (n * n * 2 * math.Pi * math.Pow(g, float64(2+r)))
	}
	return m
}
