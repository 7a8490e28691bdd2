package kde

import (
	"math"

	"copse/stats/vecmath"
)

// A Distribution is a Density with a fast distribution function F. The absolute error of F is below
// 1e-13. A Distribution is immutable.
//
// In a cell with centre c, the kernel sum is sum_k a_k delta^k, where delta = (t-c)/h. So
//
//	n F(t) = n F(c) + 1/sqrt(2 pi) sum_k a_k delta^(k+1)/(k+1).
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
	if s == nil { // a small sample
		return d
	}
	// Store F at the centre of each cell, and the coefficients of the series that CDF adds to it.
	d.atCentre, d.integral = make([]float64, len(s.at)), make([]float64, len(s.coefficients))
	for i, at := range s.at {
		if at != noSeries {
			centre := (s.first + float64(i)) * h
			d.atCentre[i] = d.Density.CDF(centre)
		}
	}
	// The density is scale/h times the kernel sum, a power series in delta = (t-c)/h. So its
	// integral over t is scale times the integral of the series.
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
