package vecmath

import (
	"fmt"
)

// BumpLanes divides the lengths that the kernels of this file take: their sums
// run in eight lanes, lane l over the elements l, l+8, l+16, ...
const BumpLanes = 8

// Bumps are the kernels b(u) = max(0, 1 - u^2/h^2) of two bandwidths in each of
// two coordinates, one row's share in sums of their products.
type Bumps struct {
	At     float64    // the row's first coordinate
	P      [2]float64 // 1/h^2 of the first coordinate
	Q      [2]float64 // 1/h^2 of the second
	Totals [4]float64 // of Add
	lanes  [4][BumpLanes]float64
}

// Add adds, for each element t, the products
//
//	v[2k+l] = max(0, 1 - P[k] (y[t]-At)^2) max(0, 1 - Q[l] d[t])
//
// to sums[(2k+l) stride + t], and sets Totals to the sums of the v. y and d have
// the same length, a multiple of BumpLanes. Products are rounded once, with what
// they are added to.
func (b *Bumps) Add(sums []float64, stride int, y, d []float64) {
	sameLength(len(y), len(d))
	if len(y) == 0 {
		b.Totals = [4]float64{}
		return
	}
	checkBumps(len(y))
	_ = sums[3*stride+len(y)-1]
	if !bumpsAsm(sums, stride, y, d, b) {
		b.plain(sums, stride, y, d)
	}
	for k := range b.Totals {
		b.Totals[k] = fold8(&b.lanes[k])
	}
}

func (b *Bumps) plain(sums []float64, stride int, y, d []float64) {
	b.lanes = [4][BumpLanes]float64{}
	for t, v := range y {
		u := v - b.At
		u = float64(u * u)
		for k, p := range b.P {
			first := max(0, FMA(-u, p, 1))
			for l, q := range b.Q {
				second := max(0, FMA(-d[t], q, 1))
				sum, lane := &sums[(2*k+l)*stride+t], &b.lanes[2*k+l][t%BumpLanes]
				*sum, *lane = FMA(first, second, *sum), FMA(first, second, *lane)
			}
		}
	}
}

// AddBump adds max(0, 1 - q d[t]) to sum[t] for each t and returns the total. The
// length is a multiple of BumpLanes.
func AddBump(sum, d []float64, q float64) float64 {
	sameLength(len(sum), len(d))
	if len(d) == 0 {
		return 0
	}
	checkBumps(len(d))
	var lanes [BumpLanes]float64
	if !addBumpAsm(sum, d, q, &lanes) {
		for t, v := range d {
			b := max(0, FMA(-v, q, 1))
			sum[t] += b
			lanes[t%BumpLanes] += b
		}
	}
	return fold8(&lanes)
}

// Distances sets d[t] to the squared Euclidean distance of row t+1 to row 0 of
// count columns that start stride elements apart in x. The length of d is a
// multiple of BumpLanes.
func Distances(d, x []float64, stride, count int) {
	if len(d) == 0 {
		return
	}
	checkBumps(len(d))
	if count == 0 {
		clear(d)
		return
	}
	x = x[:(count-1)*stride+len(d)+1]
	if !distancesAsm(d, x, stride, count) {
		clear(d)
		for c := range count {
			column := x[c*stride:]
			for t, v := range column[1 : len(d)+1] {
				u := v - column[0]
				d[t] = FMA(u, u, d[t])
			}
		}
	}
}

func checkBumps(n int) {
	if n%BumpLanes != 0 {
		panic(fmt.Sprintf("vecmath: %d elements, not a multiple of %d", n, BumpLanes))
	}
}

// fold8 adds eight lanes.
func fold8(l *[BumpLanes]float64) float64 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}
