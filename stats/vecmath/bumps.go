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
// to row j of the sums k and returns the totals of the v. The number of rows j is a
// multiple of BumpLanes; sums and count columns of x start stride elements apart,
// and columns have BumpLanes more rows, of finite numbers. Products are rounded once,
// with what they are added to.
func (b *Bumps) Add(sums, y, x []float64, stride, count, i, end int) (totals [2]float64) {
	if end <= i+1 {
		return totals
	}
	checkBumps(end - i - 1)
	// Vectors are aligned: the rows that the first one has too many, up to i, the
	// last one has too few, up to end.
	skip := (i + 1) % BumpLanes
	last := end - skip
	y, _ = y[:last+BumpLanes], sums[stride+last+BumpLanes-1]
	if count > 0 {
		_ = x[(count-1)*stride+last+BumpLanes-1]
	}
	if !bumpsAsm(sums, y, x, stride, count, i, last, &edges[BumpLanes-skip], b) {
		b.plain(sums, y, x, stride, count, i, end)
	}
	for k := range totals {
		totals[k] = fold8(&b.lanes[k])
	}
	return totals
}

// edges are squared distances for the first and the last vector of Add, infinite
// where a row is not to count.
var edges = func() (d [3 * BumpLanes]float64) {
	for l := range BumpLanes {
		d[l], d[2*BumpLanes+l] = math.Inf(1), math.Inf(1)
	}
	return d
}()

func (b *Bumps) plain(sums, y, x []float64, stride, count, i, end int) {
	b.lanes = [2][BumpLanes]float64{}
	for j := i + 1; j < end; j++ {
		u, d := y[j]-y[i], 0.0
		u = float64(u * u)
		for c := range count {
			w := x[c*stride+j] - x[c*stride+i]
			d = FMA(w, w, d)
		}
		second := max(0, FMA(-d, b.Q, 1))
		for k, p := range b.P {
			first := max(0, FMA(-u, p, 1))
			sum, lane := &sums[k*stride+j], &b.lanes[k][j%BumpLanes]
			*sum, *lane = FMA(first, second, *sum), FMA(first, second, *lane)
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

// fold8 adds eight lanes, whichever of them is the first.
func fold8(l *[BumpLanes]float64) float64 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}
