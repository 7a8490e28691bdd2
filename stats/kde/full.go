package kde

import (
	"copse/stats"
	"copse/stats/vecmath"
)

// fullPair is the sample of one pair of variables with a bandwidth matrix H, in the coordinates
//
//	u = Scale H^(-1/2) (x - centre).
//
// In these coordinates, the kernels are circular: at a distance d from its sample point, a kernel
// is 2^-d^2 times its peak.
type fullPair struct {
	norm   float64   // the kernel's peak, 1/(2 pi sqrt(det H))
	w      H2        // Scale H^(-1/2)
	ci, cj float64   // the centre; subtracting it before the product with w keeps digits
	u, v   []float64 // the sample in these coordinates, row by row

	offset []int     // part k of pu and pv starts at offset[k] (Partition.alignedOffsets)
	pu, pv []float64 // the sample in these coordinates, part by part
}

// fit computes f for the sample (x_i, y_i) and the bandwidth matrix h. p divides the sample into
// parts. fit reuses the memory of f.
func (f *fullPair) fit(x, y []float64, h H2, p Partition) {
	f.norm = h.Peak()
	f.w = h.root().inverse().times(vecmath.Scale)
	f.ci, f.cj = x[0], y[0]
	f.u, f.v = stats.Resized(f.u, len(x)), stats.Resized(f.v, len(x))
	f.coordinates(f.u, f.v, x, y)
	f.offset = p.alignedOffsets()
	length := f.offset[p.Parts()]
	f.pu, f.pv = stats.Resized(f.pu, length), stats.Resized(f.pv, length)
	p.arrange(f.pu, f.u)
	p.arrange(f.pv, f.v)
}

// coordinates sets (u_i, v_i) to the coordinates of the point (x_i, y_i). Distances from the centre
// are limited to farthest, so that the coordinates do not overflow. The kernel of a more distant
// point is 0 anyway.
func (f *fullPair) coordinates(u, v, x, y []float64) {
	w, ci, cj := f.w, f.ci, f.cj
	u, v, y = u[:len(x)], v[:len(x)], y[:len(x)]
	for i, s := range x {
		a, b := nearer(s-ci), nearer(y[i]-cj)
		u[i], v[i] = w.XX*a+w.XY*b, w.XY*a+w.YY*b
	}
}

// nearer returns a, limited to the interval from -farthest to farthest. It is three times as fast as min
// and max.
func nearer(a float64) float64 {
	if a < -farthest {
		return -farthest
	} else if a > farthest {
		return farthest
	}
	return a
}

// part returns the coordinates of the sample points in part k. The part is padded with points at
// infinity (see Partition.arrange).
func (f *fullPair) part(k int) (u, v []float64) {
	from, to := f.offset[k], f.offset[k+1]
	return f.pu[from:to], f.pv[from:to]
}

// times returns the matrix product a h.
func (h H2) times(a float64) H2 { return H2{a * h.XX, a * h.XY, a * h.YY} }
