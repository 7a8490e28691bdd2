package kde

import (
	"math"
	"slices"

	"copse/stats"
	"copse/stats/vecmath"
)

// lattice is a grid of nodes in the plane, cut off where it would grow beyond
// maxNodes in a direction. It is stored row by row; reach zeros after each row,
// before the first and after the last keep rows apart in convolutions.
type lattice struct {
	step          float64
	axes          [2]axis
	reach, stride int
	clipped       bool
}

// An axis has n nodes lo, lo+step, ...; coordinates within from..to have their
// windows inside.
type axis struct {
	lo, from, to float64
	n            int
}

const maxNodes = 800

// newLattice covers the points (u_i, v_i) and a margin around them, in a unit of
// which the kernel's standard deviation is sd. It has room for reach taps.
func newLattice(u, v []float64, sd, margin float64, reach int) lattice {
	l := lattice{step: gridStep * sd, reach: reach}
	for k, x := range [][]float64{u, v} {
		least, largest := extent(x)
		lo, hi := least-margin*sd, largest+margin*sd
		if room := (maxNodes - 2*vecmath.WindowSize) * l.step; hi-lo > room {
			middle := stats.Quantile(ascending(x), 0.5)
			lo, hi, l.clipped = middle-room/2, middle+room/2, true
		}
		n := int((hi-lo)/l.step) + vecmath.WindowSize + 1
		l.axes[k] = axis{lo: lo - (windowMiddle+0.5)*l.step, // half a step for rounding
			from: lo, to: hi, n: n}
	}
	l.stride = (l.axes[1].n + reach + 3) &^ 3
	return l
}

// extent returns the smallest and the largest of the values, all numbers: in a
// third of the time of slices.Min and slices.Max, which look for NaN.
func extent(x []float64) (least, largest float64) {
	least, largest = x[0], x[0]
	for _, v := range x {
		if v < least {
			least = v
		} else if v > largest {
			largest = v
		}
	}
	return least, largest
}

// nodes returns the number of nodes, with the zeros between rows, rounded up to
// whole blocks of vecmath.Correlate.
func (l *lattice) nodes() int { return (l.axes[0].n*l.stride + 31) &^ 31 }

// length returns the length of a stored grid.
func (l *lattice) length() int { return l.nodes() + 2*l.reach }

// halfLength returns that of convolve's scratch.
func (l *lattice) halfLength() int { return l.nodes() + 2*l.reach*l.stride }

func (l *lattice) contains(u, v float64) bool {
	return l.axes[0].contains(u) && l.axes[1].contains(v)
}

func (a *axis) contains(x float64) bool { return x >= a.from && x <= a.to }

// batch is scratch for up to batchSize points and their windows.
type batch struct{ windows vecmath.Windows }

const batchSize = 256

// window makes the windows of the points. Those of points outside have weight 0.
func (b *batch) window(l *lattice, u, v []float64) {
	at := slices.Grow(b.windows.At[:0], len(u))[:len(u)]
	bells := resized(b.windows.Bells, 4*len(u)) // their exponents first
	rows, columns, step := l.axes[0], l.axes[1], l.step
	v = v[:len(u)]
	for i, x := range u {
		y, e := v[i], (*[4]float64)(bells[4*i:])
		if !rows.contains(x) || !columns.contains(y) {
			at[i] = 0
			e[0], e[1], e[2], e[3] = math.Inf(-1), 0, math.Inf(-1), 0
			continue
		}
		r, t := rows.position(x, step)
		c, q := columns.position(y, step)
		at[i] = l.reach + r*l.stride + c
		e[0], e[1] = -windowAlpha*t*(t+2*windowMiddle), 2*windowAlpha*t
		e[2], e[3] = -windowAlpha*q*(q+2*windowMiddle), 2*windowAlpha*q
	}
	vecmath.Exp(bells, bells)
	b.windows = vecmath.Windows{At: at, Bells: bells}
}

// position returns the first node of the window around x and the distance of x,
// in steps, from the window's middle node.
func (a *axis) position(x, step float64) (int, float64) {
	p := (x - a.lo) / step
	node := int(p) // p > 0
	return node - windowMiddle, p - float64(node)
}

// windowBell are the weights of a window at t = 0.
var windowBell = func() (bell vecmath.Bell) {
	for i := range bell {
		bell[i] = math.Exp(-windowAlpha * float64((i-windowMiddle)*(i-windowMiddle)))
	}
	return bell
}()

// resized returns n elements of any value, in x's memory if it has room.
func resized(x []float64, n int) []float64 { return slices.Grow(x[:0], n)[:n] }
