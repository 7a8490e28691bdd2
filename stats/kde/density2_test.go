package kde

import "copse/stats/vecmath"

// A Density2 is a bivariate kernel density estimate from exact sums.
type Density2 struct {
	n float64
	f fullPair
}

// New2 returns the estimate with bandwidth matrix h from the sample (x_i, y_i).
func New2(x, y []float64, h H2) *Density2 {
	d := &Density2{n: float64(len(x))}
	d.f.fit(x, y, h, Whole(len(x)))
	return d
}

// At returns the density at (s, t).
func (d *Density2) At(s, t float64) float64 {
	var u, v [1]float64
	d.f.coordinates(u[:], v[:], []float64{s}, []float64{t})
	return vecmath.SumGauss2(d.f.pu, d.f.pv, u[0], v[0]) * d.f.norm / d.n
}
