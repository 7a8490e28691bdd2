package kde

import (
	"math"

	"copse/stats"
	"copse/stats/vecmath"
)

// lattice describes a grid of nodes in the plane, stored row by row: node (i, j) is element
// gridTaps + i*stride + j.
//
// gridTaps zeros before the first row, and at least as many after each row, prevent convolutions
// from mixing rows.
type lattice struct {
	step    float64 // distance between neighbouring nodes
	axes    [2]axis // axes[0]: the rows, by u; axes[1]: the columns, by v
	stride  int
	clipped bool // whether sample points may lie outside the lattice
}

// An axis is one direction of a lattice, with n nodes lo, lo+step, ... If the coordinate of a point
// lies between from and to, the axis contains all nodes of the window of the point.
type axis struct {
	lo, from, to float64
	n            int
}

// maxSteps is the largest allowed value of (axis.to - axis.from) / step.
const maxSteps = 800 - 2*vecmath.WindowSize

// newLattice returns a lattice for the points (u_i, v_i) and a kernel with standard deviation sd.
// It extends beyond the points by margin * sd.
//
// In each direction, the lattice is clipped to maxSteps steps around the median.
func newLattice(u, v []float64, sd, margin float64) lattice {
	l := lattice{step: gridStep * sd}
	for k, x := range [][]float64{u, v} {
		least, largest := extent(x)
		from, to := least-margin*sd, largest+margin*sd
		room := maxSteps * l.step // the largest width of the lattice
		if to-from > room {
			middle := stats.Quantile(ascending(x), 0.5)
			from, to = middle-room/2, middle+room/2
			l.clipped = true
		}
		l.axes[k] = newAxis(from, to, l.step)
	}
	// Each row ends with at least gridTaps zeros, so that a convolution with gridTaps nodes on each side
	// does not mix rows. Vector loops need a multiple of 4.
	l.stride = vecmath.RoundedUp(l.axes[1].n+gridTaps, 4)
	return l
}

func newAxis(from, to, step float64) axis {
	return axis{
		lo:   from - (windowMiddle+0.5)*step,
		from: from,
		to:   to,
		n:    int((to-from)/step) + vecmath.WindowSize + 1,
	}
}

// extent returns the smallest and the largest value, three times as fast as slices.Min and
// slices.Max. No value may be NaN.
func extent(x []float64) (smallest, largest float64) {
	smallest, largest = x[0], x[0]
	for _, v := range x {
		if v < smallest {
			smallest = v
		} else if v > largest {
			largest = v
		}
	}
	return smallest, largest
}

// nodes returns the number of elements of all rows, including zeros, rounded up to a multiple of
// the block size of vecmath.Correlate.
func (l *lattice) nodes() int { return vecmath.RoundedUp(l.axes[0].n*l.stride, 32) }

func (l *lattice) length() int { return l.nodes() + 2*gridTaps } // with zeros before the first row

// halfLength returns the number of elements of the scratch memory for convolve.
func (l *lattice) halfLength() int { return l.nodes() + 2*gridTaps*l.stride }

func (l *lattice) contains(u, v float64) bool {
	return l.axes[0].contains(u) && l.axes[1].contains(v)
}

func (a *axis) contains(x float64) bool { return x >= a.from && x <= a.to }

// batchSize is the largest number of points whose windows are in memory at the same time.
const batchSize = 256

// placeWindows sets w to the windows of the points (u_i, v_i), reusing its memory. Points outside
// the lattice get windows with weight 0.
func (l *lattice) placeWindows(w *vecmath.Windows, u, v []float64) {
	at, bells := stats.Resized(w.At, len(u)), stats.Resized(w.Bells, 4*len(u))
	v = v[:len(u)]
	for i, x := range u {
		at[i] = l.place(x, v[i], (*[4]float64)(bells[4*i:]))
	}
	vecmath.Exp(bells, bells)
	w.At, w.Bells = at, bells
}

// place returns the index of the first node of the window around the point (u, v).
//
// The weight of node (i, j) of the window is (A E^i c_i) (B F^j c_j), where c is windowBell. place
// sets logs to the logarithms of A, E, B and F, which depend on the point. If the lattice does not
// contain the whole window, A and B are 0.
func (l *lattice) place(u, v float64, logs *[4]float64) (node int) {
	rows, columns := &l.axes[0], &l.axes[1]
	if !rows.contains(u) || !columns.contains(v) {
		*logs = [4]float64{math.Inf(-1), 0, math.Inf(-1), 0} // weight 0
		return 0
	}
	r, s := rows.position(u, l.step)
	c, t := columns.position(v, l.step)
	logs[0], logs[1] = -windowAlpha*s*(s+2*windowMiddle), 2*windowAlpha*s
	logs[2], logs[3] = -windowAlpha*t*(t+2*windowMiddle), 2*windowAlpha*t
	return gridTaps + r*l.stride + c
}

// position returns the index of the first node of the window around x. It also returns the distance
// of x from the middle node of the window, in steps.
func (a *axis) position(x, step float64) (int, float64) {
	p := (x - a.lo) / step
	node := int(p) // rounds down because p > 0
	return node - windowMiddle, p - float64(node)
}

// windowBell contains the weights of the rows (or columns) of a window whose point lies exactly at
// the middle node.
var windowBell = func() (bell vecmath.Bell) {
	for i := range bell {
		bell[i] = math.Exp(-windowAlpha * float64((i-windowMiddle)*(i-windowMiddle)))
	}
	return bell
}()
