package vecmath

import (
	"fmt"
	"math"
)

// BumpLanes divides the lengths that the kernels of this file take: their sums
// run in eight lanes, of every eighth element each.
const BumpLanes = 8

// Bumps are the kernels b(u) = max(0, 1 - u^2/h^2) of two bandwidths in a variable
// y and of one in a vector x, for sums of their products over pairs of rows.
type Bumps struct {
	P     [2]float64 // 1/h^2 of y
	Q     float64    // 1/h^2 of x
	lanes [2][BumpLanes]float64
}

// Add adds, for each row j = i+1, ..., end-1, the products
//
//	v[k] = max(0, 1 - P[k] (y_j-y_i)^2) max(0, 1 - Q |x_j-x_i|^2)
//
// to row j of the sums k and returns the totals of v[0] and v[1]. From row near on the v[0]
// are known to be 0. The number of rows j is a multiple of BumpLanes; sums and count
// columns of x start stride elements apart, and columns have BumpLanes more rows, of
// finite numbers. Products are rounded once, with what they are added to.
func (b *Bumps) Add(sums, y, x []float64, stride, count, i, near, end int) (first, second float64) {
	if end <= i+1 {
		return 0, 0
	}
	last, edge := align(i, end)
	y, _ = y[:last+BumpLanes], sums[stride+last+BumpLanes-1]
	if count > 0 {
		_ = x[(count-1)*stride+last+BumpLanes-1]
	}
	if !bumpsAsm(sums, y, x, stride, count, i, near, last, edge, b) {
		b.plain(sums, y, x, stride, count, i, end)
	}
	return fold8(&b.lanes[0]), fold8(&b.lanes[1])
}

// align returns where the last of the aligned vectors over rows i+1, ..., end-1
// starts, and the first vector's edges: the rows that it has too many, up to i, the
// last one has too few, up to end.
func align(i, end int) (last int, edge *float64) {
	if n := end - i - 1; n%BumpLanes != 0 {
		panic(fmt.Sprintf("vecmath: %d rows, not a multiple of %d", n, BumpLanes))
	}
	skip := (i + 1) % BumpLanes
	return end - skip, &edges[BumpLanes-skip]
}

// edges are squared distances for the first and the last vector, infinite where a
// row is not to count.
var edges = func() (d [3 * BumpLanes]float64) {
	for l := range BumpLanes {
		d[l], d[2*BumpLanes+l] = math.Inf(1), math.Inf(1)
	}
	return d
}()

func (b *Bumps) plain(sums, y, x []float64, stride, count, i, end int) {
	b.lanes = [2][BumpLanes]float64{}
	for j := i + 1; j < end; j++ {
		u := y[j] - y[i]
		u = float64(u * u)
		second := max(0, FMA(-distance(x, stride, count, i, j), b.Q, 1))
		for k, p := range b.P {
			first := max(0, FMA(-u, p, 1))
			sum, lane := &sums[k*stride+j], &b.lanes[k][j%BumpLanes]
			*sum, *lane = FMA(first, second, *sum), FMA(first, second, *lane)
		}
	}
}

// AddBump adds, for each row j = i+1, ..., end-1,
//
//	max(0, 1 - q |x_j-x_i|^2)
//
// to sums[j] and returns the total. Rows and columns are as for Bumps.
func AddBump(sums, x []float64, stride, count, i, end int, q float64) float64 {
	if end <= i+1 {
		return 0
	}
	last, edge := align(i, end)
	_, _ = sums[last+BumpLanes-1], x[(count-1)*stride+last+BumpLanes-1]
	var lanes [BumpLanes]float64
	if !bumpAsm(sums, x, stride, count, i, last, edge, q, &lanes) {
		for j := i + 1; j < end; j++ {
			b := max(0, FMA(-distance(x, stride, count, i, j), q, 1))
			sums[j] += b
			lanes[j%BumpLanes] += b
		}
	}
	return fold8(&lanes)
}

// distance returns |x_j-x_i|^2.
func distance(x []float64, stride, count, i, j int) float64 {
	d := 0.0
	for c := range count {
		u := x[c*stride+j] - x[c*stride+i]
		d = FMA(u, u, d)
	}
	return d
}

// fold8 adds eight lanes, whichever of them is the first.
func fold8(l *[BumpLanes]float64) float64 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}
