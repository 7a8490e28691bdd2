package kde

import (
	"math"

	"copse/stats/vecmath"
)

// A Distribution is a Density with a fast distribution function F. It is immutable. It integrates the Taylor
// series of the kernel sums term by term, starting from F at the centres of the cells. Let delta = (t-c)/h,
// and let the kernel sum be S(t) = sum_k a_k delta^k in the cell with centre c. Then
//
//	n F(t) = n F(c) + 1/sqrt(2 pi) sum_k a_k delta^(k+1)/(k+1).
//
// The absolute error is below 1e-13.
type Distribution struct {
	*Density
	atCentre []float64 // atCentre[i] is F at the centre of cell i, if the cell has a series
	integral []float64 // a_k / ((k+1) n sqrt(2 pi)), in the layout of series.coefficients
}

// NewDistribution returns the distribution function F of the density estimate for the sample x with
// bandwidth h > 0. In each cell of length h with values nearby, the estimate is a Taylor series, so
// NewDistribution computes F at the centres of these cells and integrates the series (see Distribution).
// A small sample has no series; F is then a sum over all values.
func NewDistribution(x []float64, h float64) *Distribution {
	d := &Distribution{Density: New(x, h)}
	s := d.series
	if s == nil {
		return d
	}
	// At a distance of delta bandwidths from the centre of cell i, F is d.atCentre[i] + sum_m integral_m delta^(m+1),
	// where integral is d.integral[s.at[i]:][:terms].
	d.atCentre, d.integral = make([]float64, len(s.at)), make([]float64, len(s.coefficients))
	// Let c be the centre of a cell and delta = (t-c)/h. The integral of the density over t is the integral of
	// h*density over delta, and h*density equals scale*(kernel sum).
	scale := 1 / (float64(len(x)) * math.Sqrt(2*math.Pi))
	for i, at := range s.at {
		if at != noSeries {
			centre := (s.first + float64(i)) * h
			d.atCentre[i] = d.Density.CDF(centre)
		}
	}
	for k, a := range s.coefficients { // a is the coefficient of delta^(k mod terms) in the series of some cell
		d.integral[k] = a * scale / float64(k%terms+1)
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
