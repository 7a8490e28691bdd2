package kde

import (
	"math"

	"copse/stats/vecmath"
)

// A Distribution is a Density with a fast distribution function F, whose absolute error is below
// 1e-13. A Distribution is immutable.
//
// Let c be the centre of a cell, an interval of length h (see series), and let delta = (t-c)/h. The
// series of the cell has coefficients a_k. It gives the kernel sum S = sum_k a_k delta^k and the
// density S/(n h sqrt(2 pi)). The integral of the density from c to t gives
//
//	F(t) = F(c) + 1/(n sqrt(2 pi)) sum_k a_k delta^(k+1)/(k+1).
type Distribution struct {
	*Density
	atCentre []float64 // atCentre[i] is F at the centre of cell i, if the cell has a series
	integral []float64 // a_k / ((k+1) n sqrt(2 pi)), in the layout of series.coefficients
}

// NewDistribution returns the distribution function of the density estimate for the sample x with bandwidth
// h > 0.
func NewDistribution(x []float64, h float64) *Distribution {
	d := &Distribution{Density: New(x, h)}
	s := d.series
	if s == nil {
		return d // a small sample, for which CDF sums over the values
	}
	// s contains a polynomial with seriesTerms coefficients for each cell i with values nearby. They begin
	// at element s.start[i] of s.coefficients.
	d.atCentre = make([]float64, len(s.start))
	for i, start := range s.start {
		if start != noSeries { // otherwise, CDF does not use atCentre
			d.atCentre[i] = d.Density.CDF(s.centre(i))
		}
	}
	d.integral = make([]float64, len(s.coefficients))
	// Integrate each polynomial: a delta^power becomes a delta^(power+1) / (power+1). As the unit of delta
	// is h, the factor 1/(n h sqrt(2 pi)) of the density becomes 1/(n sqrt(2 pi)).
	scale := 1 / (float64(len(x)) * math.Sqrt(2*math.Pi))
	for k, a := range s.coefficients {
		power := k % seriesTerms
		d.integral[k] = a * scale / float64(power+1)
	}
	return d
}

// CDF returns F(t).
func (d *Distribution) CDF(t float64) float64 {
	if s := d.series; s != nil {
		if i, delta, ok := s.cell(t); ok && s.start[i] != noSeries {
			f := d.atCentre[i] + delta*vecmath.Polynomial(d.integral[s.start[i]:][:seriesTerms], delta)
			return max(0, min(f, 1))
		}
	}
	return d.Density.CDF(t)
}
