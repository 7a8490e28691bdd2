package kde

import (
	"math"

	"copse/stats/vecmath"
)

// A grid is used to compute sums of Gaussian kernels quickly. Let G_v be the normal density of variance
// v. The kernel is a convolution, G_1 = G_s * G_(1-2s) * G_s. On a grid, the outer factors become
// windows (weights of the nodes near a point), and the middle factor becomes taps (weights between
// nodes):
//
//	sum_i G_1(x-x_i) ~ step^2 sum_a G_s(x-a) sum_b G_(1-2s)(a-b) sum_i G_s(b-x_i),
//
// where a and b are nodes. In the plane, the same applies to each direction. First the sample is spread over
// its windows and the grid is convolved with the taps, in O(n + nodes). Then the kernel sum at a point is
// read from its window in O(1).
//
// The error of a kernel has two sources. The first is that sums over nodes replace integrals, which
// multiplies each kernel by 1 + eta. This is the aliasing of the trapezoid rule for a product of two normal
// densities. G_s G_(1-2s) has the variance v = s(1-2s)/(1-s), and G_s G_(1-s) has the variance s(1-s). To
// first order, |eta| is at most the sum of 2 exp(-2 pi^2 v/step^2) over these two variances. This is 1.2e-7
// for the two directions of the plane together. The second source is that nodes farther than R are omitted.
// This removes less than exp(-R^2/(2v)) of the kernel's peak for a density of variance v. For windows, R = 8
// steps and v = s; for taps, R = 14 steps and v = 1-2s. The total is 5e-12. All terms are positive, so no
// digits are lost by cancellation.
const (
	gridStep     = 0.41 // in standard deviations of the kernel
	gridVariance = 0.2  // s
	gridTaps     = 13   // number of taps on each side of the middle tap
)

const (
	gridAliasing   = 1.2e-7 // bound of the aliasing error, relative to the kernel's value
	gridTruncation = 5e-12  // bound of the error of omitted nodes, relative to the kernel's peak
)

// A window has WindowSize nodes. Let m be its middle node, windowMiddle. If x lies t steps beyond node m, 0
// <= t < 1, node i of the window has the weight exp(-windowAlpha (i-m-t)^2).
const (
	windowMiddle = vecmath.WindowSize/2 - 1
	windowAlpha  = gridStep * gridStep / (2 * gridVariance)
)

// kernelTaps contains the taps, the weights for the convolution of a grid with G_(1-2s) (see gridStep). Tap k is
// proportional to the value of G_(1-2s) at a distance of k - gridTaps steps. The formula for the kernel sum has three
// more constant factors, which are part of the taps. One is step^2. The second is the squared peak of G_s, because
// the weights of windows are values of G_s divided by its peak. The third scales the kernel so that its peak is 1.
var kernelTaps = func() []float64 {
	const middle = 1 - 2*gridVariance
	sd := math.Sqrt(middle)
	scale := gridStep * gridStep / (2 * math.Pi * gridVariance * sd)
	k := make([]float64, 2*gridTaps+1)
	for i := range k {
		u := float64(i-gridTaps) * gridStep / sd
		k[i] = scale * math.Exp(-0.5*u*u)
	}
	return k
}()

// spread fills a grid from the points (u_i, v_i). Each point has a window, the nodes around it, and a weight for
// each of these nodes (see windowMiddle). spread sets each node to the sum of its weights over all points. It
// leaves out the points outside the lattice.
func (l *lattice) spread(grid, u, v []float64, b *batch) {
	clear(grid)
	for from := 0; from < len(u); from += batchSize {
		to := min(from+batchSize, len(u))
		b.placeWindows(l, u[from:to], v[from:to])
		vecmath.SpreadWindows(grid, l.stride, &b.windows, &windowBell)
	}
}

// strays are the sample points outside a clipped lattice.
type strays struct{ u, v []float64 }

// strays returns the points outside a clipped lattice.
func (l *lattice) strays(u, v []float64) (out strays) {
	for i := range u {
		if l.clipped && !l.contains(u[i], v[i]) {
			out.u, out.v = append(out.u, u[i]), append(out.v, v[i])
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
