package kde

import (
	"math"

	"copse/stats/vecmath"
)

// A Distribution is a Density with a fast distribution function F. It integrates the Taylor
// series of the kernel sums term by term, starting from F at the centres of the cells. With
// delta = (t-c)/h and S(t) = sum_k a_k delta^k in the cell around c,
//
//	n F(t) = n F(c) + 1/sqrt(2 pi) sum_k a_k delta^(k+1)/(k+1).
//
// The absolute error is below 1e-13. It is immutable.
type Distribution struct {
	*Density
	centre   []float64 // F at the centre of each cell with a series, by cell
	integral []float64 // a_k / ((k+1) n sqrt(2 pi)), laid out as series.coefficients
}

// NewDistribution returns the estimate with bandwidth h > 0 from the sample x.
func NewDistribution(x []float64, h float64) *Distribution {
	d := &Distribution{Density: New(x, h)}
	s := d.series
	if s == nil {
		return d
	}
	d.centre, d.integral = make([]float64, len(s.at)), make([]float64, len(s.coefficients))
	scale := 1 / (float64(len(x)) * math.Sqrt(2*math.Pi))
	for i, at := range s.at {
		if at > 0 {
			d.centre[i] = d.Density.CDF((s.first + float64(i)) * h)
		}
	}
	for k, a := range s.coefficients {
		d.integral[k] = a * scale / float64(k%terms+1)
	}
	return d
}

// CDF returns F(t).
func (d *Distribution) CDF(t float64) float64 {
	if s := d.series; s != nil {
		if i, delta, ok := s.cell(t); ok && s.at[i] > 0 {
			f := d.centre[i] + delta*vecmath.Polynomial(d.integral[s.at[i]:][:terms], delta)
			return max(0, min(f, 1))
		}
	}
	return d.Density.CDF(t)
}
