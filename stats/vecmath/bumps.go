package vecmath

import "unsafe"

// A BumpTile contains the pairs of at most BumpRows rows i with at most BumpColumns rows j. Rows are
// processed in groups of eight. Sums have eight lanes: lane l adds every eighth element, starting with
// element l.
const (
	BumpRows    = 8
	BumpColumns = 64
)

// BumpLanes collects the sums of BumpTile.Add over the rows j. There is one sum for each kernel in y
// and each row i, in eight lanes.
type BumpLanes [2][BumpRows][8]float64

// A BumpTile stores intermediate results for sums over pairs of rows i and j. The terms of a sum are
// products b(y_j-y_i) b(x_j-x_i) with the kernel
//
//	b(u) = max(0, 1 - |u|^2/h^2).
//
// There are two bandwidths h for y. The last column of the vector x differs from sum to sum. The tile
// stores the quantities that all sums share: |x_j-x_i|^2 without the last column, and b(y_j-y_i) for
// both bandwidths.
//
// A tile allocated with new is aligned with cache lines.
type BumpTile struct {
	distances   [BumpRows * BumpColumns]float64 // |x_j-x_i|^2, by row i, then by row j
	kernels     [2][BumpRows * BumpColumns]float64
	i, j, width int
	wide        bool // the first kernel is 0 for all pairs, and is not stored
}

// Set computes the tile for the pairs of rows i, ..., i+7 with rows j, ..., j+width-1. It only
// includes pairs in which the second row comes after the first. i, j and width must be multiples of
// 8 with j >= i and 8 <= width <= BumpColumns. The count columns of x begin stride elements apart.
// p[k] is 1/h^2 of kernel k in y. If wide is true, the tile omits the first kernel, which must be 0
// for all pairs.
func (t *BumpTile) Set(y, x []float64, stride, count, i, j, width int, p [2]float64, wide bool) {
	if (i|j|width)%8 != 0 || j < i || width < 8 || width > BumpColumns {
		panic("vecmath: i, j and width of a BumpTile must be multiples of 8 with j >= i and 8 <= width <= 64")
	}
	t.i, t.j, t.width, t.wide = i, j, width, wide
	_ = y[j+width-1] // panics here, and not in assembly, if a slice is too short
	if count > 0 {
		_ = x[(count-1)*stride+j+width-1]
	}
	if useAsm {
		set := setBumpsAVX2
		if useAVX512 {
			set = setBumpsAVX512
		}
		set(&t.distances[0], &y[0], unsafe.SliceData(x), stride, count, i, j, width, t.firstKernel(), p[0], p[1])
	} else {
		t.set(y, x, stride, count, p)
	}
	if j == i { // exclude the pairs in which the second row is not after the first
		for r := range BumpRows {
			clear(t.kernels[0][r*BumpColumns:][:r+1])
			clear(t.kernels[1][r*BumpColumns:][:r+1])
		}
	}
}

// firstKernel returns the index of the first kernel that is not 0 everywhere.
func (t *BumpTile) firstKernel() int {
	if t.wide {
		return 1
	}
	return 0
}

// set is the Go version of setBumpsAVX2. It sets kernels[k] to max(0, 1 - p[k] (y_j-y_i)^2) and
// distances to the sum of (x_j-x_i)^2 over the count columns of x.
func (t *BumpTile) set(y, x []float64, stride, count int, p [2]float64) {
	for r := range BumpRows {
		i, at := t.i+r, r*BumpColumns
		for c := range t.width {
			j := t.j + c
			difference := y[j] - y[i]
			square := float64(difference * difference) // rounded, as in assembly
			for k := t.firstKernel(); k < len(p); k++ {
				t.kernels[k][at+c] = max(0, FMA(-square, p[k], 1))
			}
			distance := 0.0
			for column := range count {
				difference := x[column*stride+j] - x[column*stride+i]
				distance = FMA(difference, difference, distance)
			}
			t.distances[at+c] = distance
		}
	}
}

// Add computes the product
//
//	kernels[k] max(0, 1 - q (distance + (z_j-z_i)^2))
//
// for each pair and each kernel k. z is the last column of x, and q is 1/h^2. Add adds the product to
// element j of sums[k] and to row i of the lanes. The product and its addition are rounded together.
// In a wide tile, Add skips the first kernel, which is 0.
func (t *BumpTile) Add(sums [2][]float64, lanes *BumpLanes, z []float64, q float64) {
	end := t.j + t.width
	first, second := sums[0][t.j:end], sums[1][t.j:end]
	z = z[t.i:end]
	if useAsm {
		add := addBumpsAVX2
		if useAVX512 {
			add = addBumpsAVX512
		}
		add(&t.distances[0], &first[0], &second[0], lanes, &z[0], t.j-t.i, t.width, t.firstKernel(), q)
	} else {
		t.add([2][]float64{first, second}, lanes, z, q)
	}
}

func (t *BumpTile) add(sums [2][]float64, lanes *BumpLanes, z []float64, q float64) {
	for k := t.firstKernel(); k < len(sums); k++ {
		for r := range BumpRows {
			at := r * BumpColumns
			for c := range t.width {
				u := z[t.j-t.i+c] - z[r]
				b := max(0, FMA(-FMA(u, u, t.distances[at+c]), q, 1))
				sum, lane := &sums[k][c], &lanes[k][r][c%8]
				*sum = FMA(b, t.kernels[k][at+c], *sum)
				*lane = FMA(b, t.kernels[k][at+c], *lane)
			}
		}
	}
}

// Fold adds the sums in the lanes to the elements i, ..., i+7 of sums[0] and sums[1], and clears
// the lanes.
func (l *BumpLanes) Fold(sums [2][]float64, i int) {
	for k := range l {
		rows := sums[k][i:][:BumpRows]
		for r := range rows {
			rows[r] += fold8(&l[k][r])
		}
	}
	*l = BumpLanes{}
}

// fold8 sums eight lanes, always in the same order.
func fold8(l *[8]float64) float64 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}
