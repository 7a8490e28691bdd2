package vecmath

// The pairs that a BumpTile holds at most: of BumpRows rows i, with BumpColumns rows
// j. Both are taken in groups of eight, as are sums: lane l has every eighth element
// from l on.
const (
	BumpRows    = 8
	BumpColumns = 64
)

// BumpLanes are sums over the rows j, in eight lanes for each kernel in y and row i.
type BumpLanes [2][BumpRows][8]float64

// A BumpTile is what the pairs of some rows i and j have in common in sums of products
// of kernels
//
//	b(u) = max(0, 1 - u^2/h^2)
//
// in y, with two h, and in a vector x, whose last column differs from sum to sum:
// |x_j-x_i|^2 without that column, and b(y_j-y_i) for both h.
//
// One of its own (new) has its vectors within lines of the cache.
type BumpTile struct {
	distances   [BumpRows * BumpColumns]float64 // by row i, then by row j
	kernels     [2][BumpRows * BumpColumns]float64
	i, j, width int
	wide        bool
}

// Set holds the pairs of the rows i, ..., i+7 with those after them among
// j, ..., j+width-1, where j >= i; all are multiples of 8, and 8 <= width <=
// BumpColumns. p has 1/h^2 of y; with wide, the first kernel is known to be 0. The
// count columns of x that all sums share start stride elements apart.
func (t *BumpTile) Set(y, x []float64, stride, count, i, j, width int, p [2]float64, wide bool) {
	if (i|j|width)%8 != 0 || j < i || width < 8 || width > BumpColumns {
		panic("vecmath: no tile of rows")
	}
	t.i, t.j, t.width, t.wide = i, j, width, wide
	_ = y[j+width-1]
	if count > 0 {
		_ = x[(count-1)*stride+j+width-1]
	}
	if !setBumpsAsm(t, y, x, stride, count, p) {
		t.set(y, x, stride, count, p)
	}
	if j == i {
		for r := range BumpRows {
			clear(t.kernels[0][r*BumpColumns:][:r+1])
			clear(t.kernels[1][r*BumpColumns:][:r+1])
		}
	}
}

// from returns the first kernel that is not 0 everywhere.
func (t *BumpTile) from() int {
	if t.wide {
		return 1
	}
	return 0
}

func (t *BumpTile) set(y, x []float64, stride, count int, p [2]float64) {
	for r := range BumpRows {
		i, at := t.i+r, r*BumpColumns
		for c := range t.width {
			j := t.j + c
			u := y[j] - y[i]
			u = float64(u * u)
			for k := t.from(); k < len(p); k++ {
				t.kernels[k][at+c] = max(0, FMA(-u, p[k], 1))
			}
			d := 0.0
			for column := range count {
				v := x[column*stride+j] - x[column*stride+i]
				d = FMA(v, v, d)
			}
			t.distances[at+c] = d
		}
	}
}

// Add adds, for each pair and both k (or the second alone, of a wide tile), the products
//
//	kernel[k] max(0, 1 - q (distance + (z_j-z_i)^2))
//
// to element j of sums[k] and to row i of the lanes. Products are rounded once, with
// what they are added to.
func (t *BumpTile) Add(sums [2][]float64, lanes *BumpLanes, z []float64, q float64) {
	end := t.j + t.width
	first, second := sums[0][t.j:end], sums[1][t.j:end]
	if !addBumpsAsm(t, first, second, lanes, z[t.i:end], q) {
		t.add([2][]float64{first, second}, lanes, z[t.i:end], q)
	}
}

func (t *BumpTile) add(sums [2][]float64, lanes *BumpLanes, z []float64, q float64) {
	for k := t.from(); k < len(sums); k++ {
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

// Fold adds the totals of the rows i, ..., i+7 to sums[0] and sums[1] and clears the
// lanes.
func (l *BumpLanes) Fold(sums [2][]float64, i int) {
	for k := range l {
		rows := sums[k][i:][:BumpRows]
		for r := range rows {
			rows[r] += fold8(&l[k][r])
		}
	}
	*l = BumpLanes{}
}

func fold8(l *[8]float64) float64 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}
