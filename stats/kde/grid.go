package kde

import (
	"math"

	"copse/stats/vecmath"
)

// Sums of Gaussian kernels from a grid. With G_v the normal density of variance
// v, the kernel is a convolution, G_1 = G_s * G_(1-2s) * G_s. Both outer factors
// become windows of nodes, the middle one taps between nodes:
//
//	sum_i G_1(x-x_i) ~ step^2 sum_a G_s(x-a) sum_b G_(1-2s)(a-b) sum_i G_s(b-x_i)
//
// with a and b over nodes, and so in each direction of the plane. The sample is
// spread over its windows, the grid is convolved, a sum is read with one window:
// that takes O(n + nodes) once and O(1) per point.
//
// The error of a kernel has two parts. Sums over all nodes instead of integrals
// multiply each kernel by 1 + eta, the trapezoid rule's aliasing of a product of
// two bells: G_s G_(1-2s) has variance v = s(1-2s)/(1-s), G_s G_(1-s) has
// s(1-s), and |eta| is at most the sum over both of 2 exp(-2 pi^2 v/step^2) to
// first order, 1.2e-7 in the plane's two directions. Leaving out the nodes
// further off than R takes away less than exp(-R^2/(2v)) of the kernel's peak
// when the bell has variance v: R = 8 steps and v = s for windows, 14 steps and
// 1-2s for taps, 5e-12 in all. Nothing cancels, as all terms are positive.
const (
	gridStep     = 0.41 // in standard deviations of the kernel
	gridVariance = 0.2  // s
	gridTaps     = 13   // nodes on each side of the middle one
)

// gridAliasing and gridTruncation bound the two errors of a kernel's value, in
// units of the value and of the kernel's peak.
const (
	gridAliasing   = 1.2e-7
	gridTruncation = 5e-12
)

// The weights of a window around x: with t in 0..1 the steps from node m = 7 of
// the window to x, node i has exp(-alpha (i-m-t)^2).
const (
	windowMiddle = vecmath.WindowSize/2 - 1
	windowAlpha  = gridStep * gridStep / (2 * gridVariance)
)

// kernelTaps samples the middle factor of the kernel at the nodes -gridTaps..gridTaps
// around 0. The outer factors are windows, whose weights are 1 in the middle.
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

// spread sets grid to unit masses at the points inside and returns the others.
func (l *lattice) spread(grid, u, v []float64, b *batch) (out strays) {
	clear(grid)
	for from := 0; from < len(u); from += batchSize {
		to := min(from+batchSize, len(u))
		b.window(l, u[from:to], v[from:to])
		vecmath.SpreadWindows(grid, l.stride, &b.windows, &windowBell)
	}
	for i := range u {
		if l.clipped && !l.contains(u[i], v[i]) {
			out.u, out.v = append(out.u, u[i]), append(out.v, v[i])
		}
	}
	return out
}

// strays are the sample points that lie outside a clipped lattice.
type strays struct{ u, v []float64 }

// convolve replaces grid by its convolution with the taps along the rows and
// across them. half is scratch.
func (l *lattice) convolve(grid, half []float64) {
	frame := l.reach * l.stride // rows of zeros
	n := len(half) - 2*frame
	clear(half[:frame])
	clear(half[frame+n:])
	vecmath.Correlate(half[frame:frame+n], grid, kernelTaps, 1)
	vecmath.Correlate(grid[l.reach:l.reach+n], half, kernelTaps, l.stride)
}
