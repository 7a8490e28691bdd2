package kde

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// sphere returns the symmetric square root of the covariance matrix of (x, y), or an error if a
// variable is constant or the two are linearly dependent.
func sphere(x, y []float64) (H2, error) {
	if len(x) < 2 {
		return H2{}, ErrTooFew
	}
	for _, v := range [][]float64{x, y} {
		if _, err := stdDev(v); err != nil {
			return H2{}, err
		}
	}
	s := H2{stat.Variance(x, nil), stat.Covariance(x, y, nil), stat.Variance(y, nil)}
	// If the correlation is 1 or -1 up to rounding, the variables are dependent.
	const degenerate = 1e-12
	if !(s.Det() > degenerate*s.XX*s.YY) {
		return H2{}, errSingular
	}
	return s.root(), nil
}

// root returns the symmetric positive definite square root of H, (H + sqrt(det) I) / sqrt(trace + 2
// sqrt(det)).
func (h H2) root() H2 {
	d := math.Sqrt(h.Det())
	t := math.Sqrt(h.XX + h.YY + 2*d)
	return H2{(h.XX + d) / t, h.XY / t, (h.YY + d) / t}
}

func (h H2) inverse() H2 {
	d := h.Det()
	return H2{h.YY / d, -h.XY / d, h.XX / d}
}

// congruence returns the matrix product h a h.
func (h H2) congruence(a H2) H2 {
	p, q := h.XX*a.XX+h.XY*a.XY, h.XX*a.XY+h.XY*a.YY // first row of h a
	r, s := h.XY*a.XX+h.YY*a.XY, h.XY*a.XY+h.YY*a.YY // second row of h a
	return H2{p*h.XX + q*h.XY, p*h.XY + q*h.YY, r*h.XY + s*h.YY}
}

// whiten multiplies each point (x_i, y_i) by the symmetric matrix W, the inverse square root of
// their covariance matrix.
func whiten(w H2, x, y []float64) (u, v []float64) {
	u, v = make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		u[i] = w.XX*x[i] + w.XY*y[i]
		v[i] = w.XY*x[i] + w.YY*y[i]
	}
	return u, v
}
