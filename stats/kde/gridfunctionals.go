package kde

import "math"

// FunctionalRows is the number of rows from which Hpi's functionals come from a
// grid, in time linear in the rows.
const FunctionalRows = 4000

// The pair sums of Hpi for large samples, from the grid on which the sample is
// spread in units of g:
//
//	sum_ij He_a(D1) He_b(D2) exp(-(D1^2+D2^2)/2) = c' (K_a x K_b) c
//
// with c the spread sample and K_a the taps of He_a(u) exp(-u^2/2). Aliasing
// grows with the order, to 5e-5 of He_6(0) for one pair, but its sign changes from
// pair to pair; the bandwidth matrix agrees with the exact one to 2e-6.
const functionalTaps = 16

// gridFunctionals returns sums over all ordered pairs, i = j included, of
// He_(r-b)(D1) He_b(D2) exp(-(D1^2+D2^2)/2) for each b of the list.
func gridFunctionals(u, v []float64, r int, g float64, list []int) []float64 {
	x, y := make([]float64, len(u)), make([]float64, len(v))
	for i := range u {
		x[i], y[i] = u[i]/g, v[i]/g
	}
	l := newLattice(x, y, 1, 0, functionalTaps)
	c, both := make([]float64, l.length()), make([]float64, l.length())
	half := make([]float64, l.halfLength())
	out := l.spread(c, x, y, &batch{})
	sums := make([]float64, len(list))
	for k, b := range list {
		l.convolve(both, half, c, hermiteTaps(b, functionalTaps), hermiteTaps(r-b, functionalTaps))
		for i, mass := range c {
			sums[k] += mass * both[i]
		}
		sums[k] += out.functional(x, y, r-b, b, &l)
	}
	return sums
}

// functional returns the sum over the ordered pairs with at least one stray.
func (s *strays) functional(x, y []float64, a, b int, l *lattice) float64 {
	sum := 0.0
	term := func(p, q float64) float64 {
		return hermite(a, p) * hermite(b, q) * math.Exp(-0.5*(p*p+q*q))
	}
	for i := range s.u {
		for j := range x {
			weight := 1.0 // a pair of two strays comes up twice
			if l.contains(x[j], y[j]) {
				weight = 2
			}
			sum += weight * term(s.u[i]-x[j], s.v[i]-y[j])
		}
	}
	return sum
}
