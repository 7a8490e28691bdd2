// Package kde estimates one- and two-dimensional densities with Gaussian
// kernels, and the bandwidths that they need.
//
//	f(t)   = 1/(n h) sum_i phi((t - x_i)/h)
//	f(s,t) = 1/n sum_i |H|^(-1/2) phi_2(H^(-1/2) (s - x_i, t - y_i)')
//
// with phi and phi_2 the standard normal densities. Bandwidths are standard
// deviations (h) and covariance matrices (H) of the kernel.
//
// Univariate sums are Taylor series, in time linear in n. They are exact up to the rounding of
// x/h, so centre data whose mean is a million standard deviations from 0. Bivariate sums with
// product kernels are exact. Those with bandwidth matrices are read from grids where that is
// faster, from about a hundred rows on; their logarithms are within LogError of the exact ones.
package kde

import (
	"errors"
	"fmt"
	"math"
)

// A Rule chooses the bandwidths of Gaussian kernels from a sample of n values with
// standard deviation sd, divisor n-1:
//
//   - normal-reference minimises the asymptotic mean integrated squared error for
//     normal data: h = sd (4/(3n))^(1/5) in one dimension, and h_j = sd_j n^(-1/6) for
//     each variable of the product kernel in two;
//   - matlab is the rule of Matlab's ksdensity, the normal reference, in two dimensions
//     too, with the median absolute deviation / 0.6745 for sd, the range where that is
//     0, and h = 1 where all values are equal;
//   - plug-in is what R's ks does by default: the two-stage direct plug-in h of
//     Sheather and Jones (1991) in one dimension, the unconstrained two-stage plug-in
//     matrix H of Duong and Hazelton (2003) in two, of the variables in units of their
//     standard deviations: ks's pilot stage is not the same in all units. The scale
//     that h starts from is min(sd, interquartile range / 1.349), and its sums leave
//     the largest values out, as ks's grid does;
//   - symmetric-plug-in, the plug-in of TAN, leaves no value out, and has the pilot stage
//     of Duong and Hazelton's derivation, where ks slips an index: neither the signs nor
//     the order of the variables matter.
type Rule string

const (
	PlugIn          Rule = "plug-in"
	SymmetricPlugIn Rule = "symmetric-plug-in"
	NormalReference Rule = "normal-reference"
	Matlab          Rule = "matlab"
)

// Product reports whether the rule gives product kernels in two dimensions,
// one bandwidth per variable whatever the variable it is paired with.
func (r Rule) Product() bool { return r == NormalReference || r == Matlab }

// Bandwidth returns the univariate h of the sample x.
func (r Rule) Bandwidth(x []float64) (float64, error) {
	switch r {
	case PlugIn:
		return DPIK(x, 2, Normal)
	case SymmetricPlugIn:
		return SymmetricDPIK(x, 2, Normal)
	case NormalReference:
		return finite(normalReference(x, 1))
	case Matlab:
		return finite(matlab(x, 1))
	}
	panic(fmt.Sprintf("kde: unknown bandwidth rule %q", string(r)))
}

// Density returns the estimate from the sample x with the rule's bandwidth.
func (r Rule) Density(x []float64) (*Density, error) {
	if !r.Product() {
		x = ascending(x) // once for both
		h, err := dpik(x, r == SymmetricPlugIn, 2, Normal)
		if err != nil {
			return nil, err
		}
		return newDensity(x, h), nil
	}
	h, err := r.Bandwidth(x)
	if err != nil {
		return nil, err
	}
	return New(x, h), nil
}

var errSpread = errors.New("the values lie too many orders of magnitude apart for a bandwidth: transform them")

// finite turns a bandwidth that overflowed or vanished into an error.
func finite(h float64, err error) (float64, error) {
	if err == nil && !(h > 0 && h <= math.MaxFloat64) {
		return 0, errSpread
	}
	return h, err
}

// ProductBandwidth returns the bandwidth of the variable x in a bivariate
// product kernel. It panics unless r.Product().
func (r Rule) ProductBandwidth(x []float64) (float64, error) {
	switch r {
	case NormalReference:
		return finite(normalReference(x, 2))
	case Matlab:
		return finite(matlab(x, 2))
	}
	panic(fmt.Sprintf("kde: the rule %q has no product kernel", string(r)))
}

// Bandwidth2 returns the bivariate H of the sample (x_i, y_i).
func (r Rule) Bandwidth2(x, y []float64) (H2, error) {
	if !r.Product() {
		h, err := unitHpi(x, y, r == SymmetricPlugIn)
		if err != nil {
			return H2{}, err
		}
		return h, h.Check()
	}
	hx, err := r.ProductBandwidth(x)
	if err != nil {
		return H2{}, err
	}
	hy, err := r.ProductBandwidth(y)
	h := H2{XX: hx * hx, YY: hy * hy}
	if err == nil {
		err = h.Check()
	}
	return h, err
}

// H2 is a symmetric positive definite bandwidth matrix, the covariance of a
// bivariate kernel.
type H2 struct{ XX, XY, YY float64 }

// Det returns the determinant.
func (h H2) Det() float64 { return h.XX*h.YY - h.XY*h.XY }

// Check returns an error if h is not positive definite in floating point, as with values
// that lie too many orders of magnitude apart.
func (h H2) Check() error {
	if h.XX > 0 && h.YY > 0 && h.Det() > 0 && h.Det() <= math.MaxFloat64 {
		return nil
	}
	return errSpread
}

// unitHpi returns hpi of the variables over their standard deviations, in the units of the
// data.
func unitHpi(x, y []float64, derived bool) (H2, error) {
	sx, err := stdDev(x)
	if err != nil {
		return H2{}, err
	}
	sy, err := stdDev(y)
	if err != nil {
		return H2{}, err
	}
	h, err := hpi(inUnits(x, sx), inUnits(y, sy), derived)
	return H2{h.XX * sx * sx, h.XY * sx * sy, h.YY * sy * sy}, err
}

// inUnits returns x divided by unit.
func inUnits(x []float64, unit float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = v / unit
	}
	return z
}
