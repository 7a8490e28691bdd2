package kde

import "math"

// A Density is a univariate kernel density estimate. It is immutable.
type Density struct {
	x []float64
	h float64
}

// New returns the estimate with bandwidth h > 0 from the sample x, which it
// keeps.
func New(x []float64, h float64) *Density { return &Density{x: x, h: h} }

// At returns the density at t.
func (d *Density) At(t float64) float64 {
	sum := 0.0
	for _, x := range d.x {
		u := (t - x) / d.h
		sum += math.Exp(-0.5 * u * u)
	}
	return sum / (float64(len(d.x)) * d.h * math.Sqrt(2*math.Pi))
}

// CDF returns the distribution function F(t) = 1/n sum_i Phi((t - x_i)/h).
func (d *Density) CDF(t float64) float64 {
	sum := 0.0
	for _, x := range d.x {
		sum += 0.5 * math.Erfc(-(t-x)/(d.h*math.Sqrt2))
	}
	return sum / float64(len(d.x))
}

// A Density2 is a bivariate kernel density estimate. It is immutable.
type Density2 struct {
	u, v []float64 // the sample times H^(-1/2)
	w    H2        // H^(-1/2)
	norm float64   // 1/(2 pi n sqrt(det H))
}

// New2 returns the estimate with bandwidth matrix h from the sample (x_i, y_i).
func New2(x, y []float64, h H2) *Density2 {
	w := h.root().inverse()
	u, v := whiten(w, x, y)
	return &Density2{u: u, v: v, w: w, norm: 1 / (2 * math.Pi * float64(len(x)) * math.Sqrt(h.Det()))}
}

// At returns the density at (s, t).
func (d *Density2) At(s, t float64) float64 {
	p, q := d.w.XX*s+d.w.XY*t, d.w.XY*s+d.w.YY*t
	sum := 0.0
	for i := range d.u {
		a, b := d.u[i]-p, d.v[i]-q
		sum += math.Exp(-0.5 * (a*a + b*b))
	}
	return sum * d.norm
}

// Log returns log(max(p, floor)) of a density p.
func Log(p, floor float64) float64 { return math.Log(max(p, floor)) }
