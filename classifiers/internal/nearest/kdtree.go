package nearest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// A tree is a k-d tree: each part of the rows is divided at the midpoint of its widest column.
// Every part has a bounding box.
//
// Rounding never makes the distance to a row in a box smaller than the distance to the box. Both
// distances are sums in the same order, and rounding is monotonic.
type tree struct {
	x     *mat.Dense // the rows in the order of the parts
	row   []int      // row[r] is the number of row r of x in the training set
	parts []part     // parts[0] contains all rows; the halves of a part come after the part
}

// A part contains the rows of tree.x with indices i such that from <= i < to.
type part struct {
	from, to int
	box      []float64 // smallest value of each column, then largest value of each column
	halves   [2]int    // indices in tree.parts; 0: the part is not divided
}

// leafRows is the largest number of rows in a part that is not divided further.
const leafRows = 16

// newTree builds a k-d tree of the rows of x. It copies x.
func newTree(x *mat.Dense) *tree {
	n, d := x.Dims()
	t := &tree{x: mat.NewDense(n, d, nil), row: stats.Indices(n)}
	t.divide(x, 0, n)
	for r, i := range t.row {
		t.x.SetRow(r, x.RawRowView(i))
	}
	return t
}

// divide builds the k-d tree for the rows t.row[from:to] of x, which it reorders. It returns the index
// of the root in t.parts.
func (t *tree) divide(x *mat.Dense, from, to int) int {
	index := len(t.parts)
	rows := t.row[from:to]
	box := bounds(x, rows)
	t.parts = append(t.parts, part{from: from, to: to, box: box})
	if len(rows) <= leafRows {
		return index
	}
	column, middle := widest(box) // middle of the column's range
	first := 0                    // rows[:first] contains the rows with values up to middle
	for r, i := range rows {
		if x.At(i, column) <= middle {
			rows[first], rows[r] = i, rows[first]
			first++
		}
	}
	if first == 0 || first == len(rows) { // the rows are equal up to rounding
		return index
	}
	left := t.divide(x, from, from+first)
	right := t.divide(x, from+first, to)
	t.parts[index].halves = [2]int{left, right} // by index, because appending may have moved t.parts
	return index
}

// widest returns the column in which a box is widest, and the middle of the box there. It halves
// values before it adds them, so that they do not overflow.
func widest(box []float64) (column int, middle float64) {
	d := len(box) / 2
	for j := range d {
		if box[d+j]/2-box[j]/2 > box[d+column]/2-box[column]/2 {
			column = j
		}
	}
	return column, box[column]/2 + box[d+column]/2
}

func bounds(x *mat.Dense, rows []int) []float64 {
	_, d := x.Dims()
	box := slices.Concat(x.RawRowView(rows[0]), x.RawRowView(rows[0]))
	for _, i := range rows[1:] {
		for j, v := range x.RawRowView(i) {
			box[j], box[d+j] = min(box[j], v), max(box[d+j], v)
		}
	}
	return box
}

// outside returns the squared distance from q to the box of the part. It is 0 if q lies in the box.
func (p *part) outside(q []float64) float64 {
	d := len(q)
	var sum float64
	for j, v := range q {
		if gap := max(p.box[j]-v, v-p.box[d+j]); gap > 0 {
			sum += gap * gap
		}
	}
	return sum
}

// search searches the part t.parts[index] for the k rows nearest to q. It updates found, the nearest
// rows so far in order of distance.
func (t *tree) search(found []Neighbour, k int, q []float64, index int) []Neighbour {
	p := &t.parts[index]
	isLeaf := p.halves[0] == 0 // halves never include part 0
	if isLeaf {
		for r := p.from; r < p.to; r++ {
			found = insert(found, k, Neighbour{t.row[r], square(q, t.x.RawRowView(r))})
		}
		return found
	}
	near, far := p.halves[0], p.halves[1]
	nearSquare, farSquare := t.parts[near].outside(q), t.parts[far].outside(q) // squared distances from q
	if farSquare < nearSquare {
		near, far, nearSquare, farSquare = far, near, farSquare, nearSquare
	}
	if !(nearSquare > reach(found, k)) { // also visits the half if the distance is NaN
		found = t.search(found, k, q, near)
	}
	if !(farSquare > reach(found, k)) {
		found = t.search(found, k, q, far)
	}
	return found
}

// reach returns the largest squared distance at which a row may be among the k nearest. It is the
// distance of the k-th nearest row so far, or +Inf if there are fewer than k.
func reach(found []Neighbour, k int) float64 {
	if len(found) < k {
		return math.Inf(1)
	}
	return found[k-1].Square
}

// insert adds a row to found unless k rows in found are nearer.
func insert(found []Neighbour, k int, row Neighbour) []Neighbour {
	if len(found) < k {
		found = append(found, row)
	} else if closer(row, found[k-1]) < 0 {
		found[k-1] = row
	} else {
		return found
	}
	for j := len(found) - 1; j > 0 && closer(found[j], found[j-1]) < 0; j-- {
		found[j], found[j-1] = found[j-1], found[j]
	}
	return found
}
