package kde

import (
	"fmt"
	"math"
	"slices"
)

// A Kernel is the kernel that a plug-in bandwidth is meant for.
type Kernel int

const (
	// Normal is exp(-u^2/2)/sqrt(2 pi).
	Normal Kernel = iota
	// Epanechnikov is 3/4 (1-u^2) on [-1,1].
	Epanechnikov
)

// canonical is the factor (R(K)/mu_2(K)^2)^(1/5) of each kernel.
var canonical = [...]float64{
	Normal:       math.Pow(1/(4*math.Pi), 0.1),
	Epanechnikov: math.Pow(15, 0.2),
}

// DPIK returns the direct plug-in bandwidth of Sheather and Jones (1991) with 2
// or 3 stages (level) of functional estimation, as KernSmooth's dpik:
//
//	h = canonical(kernel) (psi_4 n)^(-1/5)
//
// where psi_r estimates the integral of f^(r) f with a normal pilot kernel of
// bandwidth a_r; a_r takes psi_(r+2) from the stage before, the first stage
// from a normal density with the sample's scale.
//
// KernSmooth bins the sample on a grid of 401 points. It leaves the last point, where the
// largest value lies, out of the sums, unless rounding moves it. Here the sums are exact
// and always leave the largest values out. Where the values lie close to the grid, h agrees
// to about four digits, or to a few thousandths if rounding moved the last point. With heavy
// tails or many ties the binned h differs (of 3000 Cauchy values it is 0.238, here 0.040).
// If the interquartile range is zero, the scale is the standard deviation; KernSmooth stops.
func DPIK(x []float64, level int, kernel Kernel) (float64, error) {
	return dpik(ascending(x), false, level, kernel)
}

// SymmetricDPIK is DPIK with all observations in the sums, so that the bandwidths of x and
// -x are equal.
func SymmetricDPIK(x []float64, level int, kernel Kernel) (float64, error) {
	return dpik(ascending(x), true, level, kernel)
}

// dpik is DPIK of an ascending sample, with or without its largest values.
func dpik(x []float64, all bool, level int, kernel Kernel) (float64, error) {
	if level != 2 && level != 3 {
		panic(fmt.Sprintf("kde: DPIK has level 2 or 3, not %d", level))
	}
	s, err := minimScale(x)
	if err != nil {
		return 0, err
	}
	n := float64(len(x))
	kept := x
	if !all {
		kept = belowMax(x)
	}
	kept = inUnits(kept, s) // because the ninth power of a bandwidth overflows soon
	r := 2*level + 2
	a := math.Pow(2*math.Pow(math.Sqrt2, float64(r+3))/(float64(r+1)*n), 1/float64(r+3))
	psi := functional(kept, r, a)
	for r -= 2; r >= 4; r -= 2 {
		a = math.Pow(-2*hermiteAtZero(r)/math.Sqrt(2*math.Pi)/(psi*n), 1/float64(r+3))
		psi = functional(kept, r, a)
	}
	return finite(s*canonical[kernel]*math.Pow(psi*n, -0.2), nil)
}

// belowMax returns the values below the largest one of the ascending x.
func belowMax(x []float64) []float64 {
	first, _ := slices.BinarySearch(x, x[len(x)-1])
	return x[:first]
}

// functional returns psi_r = m^-2 sum_ij g^-(r+1) He_r(D/g) phi(D/g) over all
// pairs of the ascending sample, D = x_i - x_j, with He_r the probabilists'
// Hermite polynomial.
func functional(x []float64, r int, g float64) float64 {
	m := float64(len(x))
	return hermiteSum(x, r, g) / (math.Sqrt(2*math.Pi) * m * m * math.Pow(g, float64(r+1)))
}

// hermiteSum returns the sum over all pairs of He_r(D/g) exp(-(D/g)^2/2), D = x_i - x_j,
// of the ascending sample.
func hermiteSum(x []float64, r int, g float64) float64 {
	if len(x) >= seriesFrom {
		return derivativeSum(x, r, g)
	}
	return plainHermiteSum(x, r, g)
}

// plainHermiteSum is hermiteSum pair by pair.
func plainHermiteSum(x []float64, r int, g float64) float64 {
	sum := 0.0
	for i, xi := range x {
		for _, xj := range x[:i] {
			u := (xi - xj) / g
			if w := math.Exp(-0.5 * u * u); w > 0 { // the polynomial may overflow where w is 0
				sum += hermite(r, u) * w
			}
		}
	}
	return 2*sum + float64(len(x))*hermiteAtZero(r)
}

// hermite returns the probabilists' Hermite polynomial He_r(u).
func hermite(r int, u float64) float64 {
	previous, h := 0.0, 1.0
	for k := range r {
		previous, h = h, u*h-float64(k)*previous
	}
	return h
}

func hermiteAtZero(r int) float64 { return hermite(r, 0) }
