package kde

import (
	"math"
	"slices"
)

// The canonical bandwidth of a kernel K is (R(K)/mu_2(K)^2)^(1/5). R(K) is the integral of K^2, and
// mu_2(K) is the variance of K.
var (
	canonicalNormal       = math.Pow(1/(4*math.Pi), 0.1) // K(u) = exp(-u^2/2)/sqrt(2 pi)
	canonicalEpanechnikov = math.Pow(15, 0.2)            // K(u) = 3/4 (1-u^2) on [-1,1]
)

// EpanechnikovBandwidth returns the bandwidth of the kernel 3/4 (1-u^2) on [-1,1] for the sample x.
// It equals dpik(x, level = 3, kernel = "epanech") of KernSmooth, with the differences that the
// comment on dpik lists.
//
// Unless includeMax is true, the estimates omit all values equal to the maximum. If it is true, x
// and -x have the same bandwidth.
func EpanechnikovBandwidth(x []float64, includeMax bool) (float64, error) {
	const stages = 3
	return dpik(ascending(x), includeMax, stages, canonicalEpanechnikov)
}

// dpik returns the direct plug-in bandwidth of Sheather and Jones (1991) for an ascending sample of n
// values, like dpik of KernSmooth:
//
//	h = canonical (psi_4 n)^(-1/5).
//
// The argument canonical is the canonical bandwidth of the kernel. psi_4 is estimated in 2 or 3 stages
// (see estimatePsi4). Unless includeMax is true, the estimate omits all values equal to the maximum,
// but n includes them, as in KernSmooth.
//
// dpik differs from KernSmooth in two ways:
//   - KernSmooth bins the sample on a grid of 401 points, and omits the last one. The largest value
//     usually lies there. dpik computes exact sums. If the values lie close to grid points, both
//     bandwidths agree to about four digits. They agree only to a few thousandths if rounding moves
//     the largest value off the last grid point. With heavy tails or many ties, binning changes h:
//     for a sample of 3000 Cauchy values, KernSmooth returns 0.238 and dpik 0.040.
//   - If the interquartile range is 0, dpik uses the standard deviation as the scale. KernSmooth
//     returns an error.
func dpik(x []float64, includeMax bool, stages int, canonical float64) (float64, error) {
	scale, err := minimScale(x) // like the option scalest = "minim" of KernSmooth
	if err != nil {
		return 0, err
	}
	values := x
	if !includeMax {
		values = belowMax(x)
	}
	n := float64(len(x))
	psi := estimatePsi4(inUnits(values, scale), stages, n) // in units of the scale, so that powers do not overflow
	return finite(scale*canonical*math.Pow(psi*n, -0.2), nil)
}

// estimatePsi4 estimates psi_4 from the ascending sample x, where psi_r is the integral of f^(r) f for
// the density f. Pilot bandwidths are computed for n values.
//
// The first stage estimates psi_r for r = 2 stages + 2. Its pilot bandwidth is best for the standard
// normal density. Each further stage lowers r by 2. Its pilot bandwidth depends on the last estimate.
func estimatePsi4(x []float64, stages int, n float64) float64 {
	r := 2*stages + 2
	psi := functional(x, r, normalPilot(r, n))
	for r > 4 {
		r -= 2
		psi = functional(x, r, pilot(r, psi, n))
	}
	return psi
}

// normalPilot returns the pilot bandwidth a_r for psi_r (see estimatePsi4) that is optimal for the standard
// normal density:
//
//	a_r = (2 sqrt(2)^(r+3) / ((r+1) n))^(1/(r+3)).
func normalPilot(r int, n float64) float64 {
	return math.Pow(2*math.Pow(math.Sqrt2, float64(r+3))/(float64(r+1)*n), 1/float64(r+3))
}

// pilot returns the pilot bandwidth a_r for psi_r (see estimatePsi4). The argument next is an
// estimate of psi_(r+2):
//
//	a_r = (-2 phi^(r)(0) / (psi_(r+2) n))^(1/(r+3)),  phi^(r)(0) = He_r(0) / sqrt(2 pi).
//
// phi is the standard normal density, and He_r the probabilists' Hermite polynomial.
func pilot(r int, next, n float64) float64 {
	return math.Pow(-2*hermite(r, 0)/math.Sqrt(2*math.Pi)/(next*n), 1/float64(r+3))
}

// belowMax returns all values below the largest value of x, which must be ascending.
func belowMax(x []float64) []float64 {
	first, _ := slices.BinarySearch(x, x[len(x)-1])
	return x[:first]
}

// functional estimates psi_r (see estimatePsi4) from the m values of the ascending sample x, with pilot
// bandwidth g:
//
//	psi_r = 1/m^2 sum_ij He_r(D_ij/g) phi(D_ij/g) / g^(r+1),   D_ij = x_i - x_j.
//
// phi is the standard normal density, and He_r the probabilists' Hermite polynomial.
func functional(x []float64, r int, g float64) float64 {
	m := float64(len(x))
	return hermiteSum(x, r, g) / (math.Sqrt(2*math.Pi) * m * m * math.Pow(g, float64(r+1)))
}

// hermiteSum returns the sum of He_r(D/g) exp(-(D/g)^2/2) over all pairs (i, j) of the ascending
// sample x, where D = x_i - x_j.
func hermiteSum(x []float64, r int, g float64) float64 {
	if len(x) >= seriesFrom {
		return derivativeSum(x, r, g)
	}
	return plainHermiteSum(x, r, g)
}

// plainHermiteSum computes hermiteSum directly, pair by pair.
func plainHermiteSum(x []float64, r int, g float64) float64 {
	sum := 0.0
	for i, xi := range x {
		for _, xj := range x[:i] {
			u := (xi - xj) / g
			if w := math.Exp(-0.5 * u * u); w > 0 { // if w is 0, the polynomial may overflow
				sum += hermite(r, u) * w
			}
		}
	}
	return 2*sum + float64(len(x))*hermite(r, 0)
}

// hermite returns the probabilists' Hermite polynomial He_r(u). The recurrence is He_(k+1) = u He_k
// - k He_(k-1).
func hermite(r int, u float64) float64 {
	previous, h := 0.0, 1.0
	for k := range r {
		previous, h = h, u*h-float64(k)*previous
	}
	return h
}
