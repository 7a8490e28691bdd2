package kde

import (
	"math"

	"copse/stats/vecmath"
)

// A Distribution is a Density with a fast distribution function F. It is immutable. The real line is divided
// into cells as long as the bandwidth h. Let c be the centre of a cell, and delta = (t-c)/h. Within the cell,
// the sum of the n kernels exp(-(t-x_i)^2/(2h^2)) is a Taylor series, sum_k a_k delta^k. Its integral from c to
// t gives
//
//	n F(t) = n F(c) + 1/sqrt(2 pi) sum_k a_k delta^(k+1)/(k+1).
//
// The absolute error of F is below 1e-13.
type Distribution struct {
	*Density
	atCentre []float64 // atCentre[i] is F at the centre of cell i, if the cell has a series
	integral []float64 // a_k / ((k+1) n sqrt(2 pi)), in the layout of series.coefficients
}

// NewDistribution returns the distribution function F of the density estimate for the sample x with bandwidth h
// > 0. For a large sample, the real line is divided into cells of length h. In each cell near a value of the sample,
// F is a power series (see Distribution). Elsewhere, and for a small sample, F is a sum over the values.
func NewDistribution(x []float64, h float64) *Distribution {
	d := &Distribution{Density: New(x, h)}
	s := d.series
	if s == nil { // a small sample
		return d
	}
	// Store F at the centre of each cell, and the coefficients of the power series that CDF adds to it.
	d.atCentre, d.integral = make([]float64, len(s.at)), make([]float64, len(s.coefficients))
	for i, at := range s.at {
		if at != noSeries {
			centre := (s.first + float64(i)) * h
			d.atCentre[i] = d.Density.CDF(centre)
		}
	}
	// In a cell with centre c, the kernel sum is a power series in delta = (t-c)/h. The density is scale/h times the
	// kernel sum, and dt is h times d(delta). So the integral of the density over t is scale times the integral of
	// the series over delta. s.coefficients contains the series of one cell after another. Each has the same number
	// of coefficients, terms.
	scale := 1 / (float64(len(x)) * math.Sqrt(2*math.Pi))
	for k, a := range s.coefficients {
		power := k % terms // a is the coefficient of delta^power in the kernel sum
		d.integral[k] = a * scale / float64(power+1)
	}
	return d
}

// CDF returns F(t).
func (d *Distribution) CDF(t float64) float64 {
	if s := d.series; s != nil {
		if i, delta, ok := s.cell(t); ok && s.at[i] != noSeries {
			f := d.atCentre[i] + delta*vecmath.Polynomial(d.integral[s.at[i]:][:terms], delta)
			return max(0, min(f, 1))
		}
	}
	return d.Density.CDF(t)
}
