package kde

import (
	"math"

	"copse/stats/vecmath"
)

// A grid is used to compute sums of Gaussian kernels quickly. Let G_v be the normal density of
// variance v. The kernel is a convolution of three such densities,
//
//	G_1 = G_s * G_(1-2s) * G_s.
//
// If a and b run over the nodes of a grid, then approximately
//
//	sum_i G_1(x-x_i) = step^2 sum_a G_s(x-a) sum_b G_(1-2s)(a-b) sum_i G_s(b-x_i).
//
// The weights G_s of the nodes near a point form its window. The weights G_(1-2s) between nodes are
// called taps.
//
// Sums over nodes replace integrals. In the plane, this aliasing changes each kernel by at most
// 1.2e-7 of its value, twice the sum of 2 exp(-2 pi^2 v/step^2) over v = s(1-2s)/(1-s) and v =
// s(1-s).
//
// Omitting the nodes outside windows and taps reduces a kernel by less than 5e-12 of its peak. All
// terms are positive, so no digits are lost by cancellation.
const (
	gridStep     = 0.41 // in standard deviations of the kernel
	gridVariance = 0.2  // s
	gridTaps     = 13   // number of taps on each side of the middle tap
)

const (
	gridAliasing   = 1.2e-7 // bound on the aliasing error, relative to the kernel's value
	gridTruncation = 5e-12  // bound on the error of omitted nodes, relative to the kernel's peak
)

// A window has WindowSize nodes. Its middle node is m = windowMiddle. If x lies t steps beyond node
// m, 0 <= t < 1, node i has the weight exp(-windowAlpha (i-m-t)^2).
const (
	windowMiddle = vecmath.WindowSize/2 - 1
	windowAlpha  = gridStep * gridStep / (2 * gridVariance)
)

// kernelTaps contains the weights between nodes of a grid (see gridStep). Tap k is the weight at a
// distance of k - gridTaps steps.
var kernelTaps = func() []float64 {
	const middle = 1 - 2*gridVariance
	sd := math.Sqrt(middle)
	// The scale is step^2 G_s(0)^2 G_(1-2s)(0) sqrt(2 pi), because each of the two window weights
	// is G_s divided by its peak. With the last factor, the peak of the kernel is 1.
	scale := gridStep * gridStep / (2 * math.Pi * gridVariance * sd)
	k := make([]float64, 2*gridTaps+1)
	for i := range k {
		u := float64(i-gridTaps) * gridStep / sd
		k[i] = scale * math.Exp(-0.5*u*u)
	}
	return k
}()

// spread sets each node of a grid to the sum of its weights in the windows of the points (u_i,
// v_i). It leaves out points outside the lattice.
func (l *lattice) spread(grid, u, v []float64, w *vecmath.Windows) {
	clear(grid)
	for from := 0; from < len(u); from += batchSize {
		to := min(from+batchSize, len(u))
		l.placeWindows(w, u[from:to], v[from:to])
		vecmath.SpreadWindows(grid, l.stride, w, &windowBell)
	}
}

// strays are the sample points outside a grid.
type strays struct{ u, v []float64 }

// strays returns the points outside a clipped lattice.
func (l *lattice) strays(u, v []float64) (out strays) {
	for i := range u {
		if l.clipped && !l.contains(u[i], v[i]) {
			out.u = append(out.u, u[i])
			out.v = append(out.v, v[i])
		}
	}
	return out
}

// convolve replaces grid by its convolution with the taps, first along the rows and then across the
// rows. half is scratch memory with halfLength elements.
func (l *lattice) convolve(grid, half []float64) {
	frame := gridTaps * l.stride // number of zeros before the first row and after the last row
	n := len(half) - 2*frame
	clear(half[:frame])
	clear(half[frame+n:])
	vecmath.Correlate(half[frame:frame+n], grid, kernelTaps, 1)
	vecmath.Correlate(grid[gridTaps:gridTaps+n], half, kernelTaps, l.stride)
}
