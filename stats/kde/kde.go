// Package kde estimates one- and two-dimensional densities with Gaussian kernels, and selects their
// bandwidths.
//
//	f(t)   = 1/(n h) sum_i phi((t - x_i)/h)
//	f(s,t) = 1/n sum_i |H|^(-1/2) phi_2(H^(-1/2) (s - x_i, t - y_i)')
//
// phi and phi_2 are the standard normal densities. The bandwidth h is the standard deviation of the
// kernel, and H is its covariance matrix.
//
// Centre the data first if their mean is a million or more standard deviations from 0. With a
// bandwidth matrix, logarithms of densities may be off by up to LogError.
package kde

import (
	"errors"
	"math"
)

// A Rule selects the bandwidths of Gaussian kernels for a sample of n values with standard
// deviation sd (divisor n-1):
//
//   - normal-reference minimises the asymptotic mean integrated squared error for normal data. In
//     one dimension, h = sd (4/(3n))^(1/5). In two dimensions, h_j = sd_j n^(-1/6) for variable j
//     of the product kernel.
//   - matlab is the rule of Matlab's ksdensity. It is the normal reference with the median absolute
//     deviation / 0.6745 in place of sd. If the median absolute deviation is 0, it uses the range.
//     If all values are equal, h = 1.
//   - plug-in is the default of R's ks. In one dimension, it is the two-stage direct plug-in h of
//     Sheather and Jones (1991), which starts from the scale min(sd, interquartile range / 1.349).
//     The sums omit the largest values, as the grid of ks does. In two dimensions, it is the
//     unconstrained two-stage plug-in matrix H of Duong and Hazelton (2003). Variables are first
//     divided by their standard deviations, because the pilot stage of ks depends on the units.
//   - symmetric-plug-in is the plug-in of TAN. It omits no value. Its pilot stage follows the
//     derivation of Duong and Hazelton, in which ks has a wrong index. So H does not depend on the
//     signs or the order of the variables.
type Rule string

const (
	PlugIn          Rule = "plug-in"
	SymmetricPlugIn Rule = "symmetric-plug-in"
	NormalReference Rule = "normal-reference"
	Matlab          Rule = "matlab"
)

// Product reports whether the rule uses product kernels in two dimensions. The bandwidth of a variable
// then does not depend on the other variable.
func (r Rule) Product() bool { return r == NormalReference || r == Matlab }

// Bandwidth returns the univariate bandwidth h for the sample x.
func (r Rule) Bandwidth(x []float64) (float64, error) {
	if !r.Product() {
		return r.plugIn(ascending(x))
	}
	return r.reference(x, 1)
}

func (r Rule) plugIn(x []float64) (float64, error) {
	const stages = 2
	return dpik(x, r == SymmetricPlugIn, stages, canonicalNormal)
}

// reference returns the bandwidth for one variable x of a d-dimensional density. The rule must be
// NormalReference or Matlab.
func (r Rule) reference(x []float64, d int) (float64, error) {
	if r == NormalReference {
		return finite(normalReference(x, d))
	}
	return finite(matlab(x, d))
}

// Density returns the density estimate for the sample x with the bandwidth of the rule.
func (r Rule) Density(x []float64) (*Density, error) {
	if !r.Product() {
		x = ascending(x)
		h, err := r.plugIn(x)
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

var errSpread = errors.New("the values differ by too many orders of magnitude to choose a bandwidth: transform them")

// finite returns errSpread if h is 0, infinite or NaN.
func finite(h float64, err error) (float64, error) {
	if err == nil && !(h > 0 && h <= math.MaxFloat64) {
		return 0, errSpread
	}
	return h, err
}

// ProductBandwidth returns the bandwidth of the variable x in a bivariate product kernel. r.Product() must
// be true.
func (r Rule) ProductBandwidth(x []float64) (float64, error) { return r.reference(x, 2) }

// Bandwidth2 returns the bivariate bandwidth matrix H for the sample (x_i, y_i). H is diagonal if
// the rule uses product kernels. Otherwise, it is the plug-in matrix. Linearly dependent variables
// have no plug-in matrix, so they get the matrix of NormalReference. Bandwidth2 returns an error if
// a density with bandwidth H would overflow.
func (r Rule) Bandwidth2(x, y []float64) (H2, error) {
	if !r.Product() {
		h, err := unitHpi(x, y, r == SymmetricPlugIn)
		if err == errSingular {
			return NormalReference.Bandwidth2(x, y)
		}
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
	if err != nil {
		return H2{}, err
	}
	h := H2{XX: hx * hx, YY: hy * hy}
	return h, h.Check()
}

// H2 is a bandwidth matrix, the covariance matrix of a bivariate kernel.
type H2 struct{ XX, XY, YY float64 }

// Det returns the determinant.
func (h H2) Det() float64 { return h.XX*h.YY - h.XY*h.XY }

// Check returns an error if h is not positive definite in floating point.
func (h H2) Check() error {
	if h.XX > 0 && h.YY > 0 && h.Det() > 0 && h.Det() <= math.MaxFloat64 {
		return nil
	}
	return errSpread
}

// unitHpi calls Hpi on standardised variables and returns the bandwidth matrix in the units of the
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
	h, err := Hpi(inUnits(x, sx), inUnits(y, sy), derived)
	return H2{h.XX * sx * sx, h.XY * sx * sy, h.YY * sy * sy}, err
}

func inUnits(x []float64, unit float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		z[i] = v / unit
	}
	return z
}
