package kde

import (
	"math"

	"copse/stats/vecmath"
)

// fullPair is the sample of one pair of variables with a bandwidth matrix.
// Sample and points are multiplied by Scale H^(-1/2), which makes the kernel
// 2^-|u|^2.
type fullPair struct {
	norm   float64   // the kernel's peak, 1/(2 pi sqrt(det H))
	w      H2        // Scale H^(-1/2)
	ci, cj float64   // centre, subtracted first to keep digits
	u, v   []float64 // by rows

	offset []int     // of the parts in pu and pv, see Partition.aligned
	pu, pv []float64 // by parts
}

// fit sets f, in its memory.
func (f *fullPair) fit(x, y []float64, h H2, p Partition) {
	f.norm = 1 / (2 * math.Pi * math.Sqrt(h.Det()))
	f.w = h.root().inverse().times(vecmath.Scale)
	f.ci, f.cj = x[0], y[0]
	f.u, f.v = resized(f.u, len(x)), resized(f.v, len(x))
	f.coordinates(f.u, f.v, x, y)
	f.offset = p.aligned()
	length := f.offset[p.Parts()]
	f.pu, f.pv = resized(f.pu, length), resized(f.pv, length)
	p.arrange(f.pu, f.u)
	p.arrange(f.pv, f.v)
}

// coordinates sets (u, v) to Scale H^(-1/2) (x - centre); so far away that the
// kernel is 0 in any case, x is moved nearer, where nothing overflows.
func (f *fullPair) coordinates(u, v, x, y []float64) {
	const far = 1e100
	for i := range x {
		a, b := min(max(x[i]-f.ci, -far), far), min(max(y[i]-f.cj, -far), far)
		u[i], v[i] = f.w.XX*a+f.w.XY*b, f.w.XY*a+f.w.YY*b
	}
}

// part returns the sample of part k, filled up with points at infinity.
func (f *fullPair) part(k int) (u, v []float64) {
	from, to := f.offset[k], f.offset[k+1]
	return f.pu[from:to], f.pv[from:to]
}

// times returns the matrix times a.
func (h H2) times(a float64) H2 { return H2{a * h.XX, a * h.XY, a * h.YY} }
