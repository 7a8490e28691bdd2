package nearest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A tree is a k-d tree. It divides the rows in two, in the middle of the column with the
// widest range, and so on, and stores the bounding box of every part. A part whose box is
// farther than the k-th row so far has none of the k nearest rows.
//
// The distance of a box is summed like the distance of a row, and every operation of the sum
// rounds monotonically. So rounding cannot make a row nearer than its box.
type tree struct {
	x     *mat.Dense // the rows in the order of the parts
	row   []int      // their numbers in the training set
	parts []part     // parts[0] has all rows; the halves of a part come after it
}

// A part has the rows from..to-1 of tree.x.
type part struct {
	from, to int
	box      []float64 // least values of the columns, then the largest
	halves   [2]int    // places in tree.parts; 0: not divided
}

// leaf is the largest number of rows that are not divided further.
const leaf = 16

// newTree copies the rows of x.
func newTree(x *mat.Dense) *tree {
	n, d := x.Dims()
	t := &tree{x: mat.NewDense(n, d, nil), row: make([]int, n)}
	for i := range t.row {
		t.row[i] = i
	}
	t.divide(x, 0, n)
	for r, i := range t.row {
		t.x.SetRow(r, x.RawRowView(i))
	}
	return t
}

// divide appends the part of the rows t.row[from:to] of x and all parts below it, and returns
// its place. It reorders these rows.
func (t *tree) divide(x *mat.Dense, from, to int) int {
	place := len(t.parts)
	rows := t.row[from:to]
	box := bounds(x, rows)
	t.parts = append(t.parts, part{from: from, to: to, box: box})
	if len(rows) <= leaf {
		return place
	}
	column, middle := widest(box)
	first := 0 // rows[:first] are at most middle
	for r, i := range rows {
		if x.At(i, column) <= middle {
			rows[first], rows[r] = i, rows[first]
			first++
		}
	}
	if first == 0 || first == len(rows) { // the rows are equal, but for rounding
		return place
	}
	left := t.divide(x, from, from+first)
	right := t.divide(x, from+first, to)
	t.parts[place].halves = [2]int{left, right}
	return place
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

// bounds returns the bounding box of some rows of x.
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

// outside returns the squared distance of q from the part's box.
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

// nearest returns the k rows nearest to q, nearest first, in the memory of found.
func (t *tree) nearest(found []Neighbour, k int, q []float64) []Neighbour {
	return t.visit(found[:0], k, q, 0)
}

// visit updates found, the k nearest rows so far, with the rows of a part.
func (t *tree) visit(found []Neighbour, k int, q []float64, place int) []Neighbour {
	p := &t.parts[place]
	if p.halves[0] == 0 {
		for r := p.from; r < p.to; r++ {
			found = insert(found, k, Neighbour{t.row[r], square(q, t.x.RawRowView(r))})
		}
		return found
	}
	near, far := p.halves[0], p.halves[1]
	nearest, farther := t.parts[near].outside(q), t.parts[far].outside(q)
	if farther < nearest {
		near, far, nearest, farther = far, near, farther, nearest
	}
	if !(nearest > reach(found, k)) {
		found = t.visit(found, k, q, near)
	}
	if !(farther > reach(found, k)) {
		found = t.visit(found, k, q, far)
	}
	return found
}

// reach returns the squared distance beyond which no row is among the k nearest.
func reach(found []Neighbour, k int) float64 {
	if len(found) < k {
		return math.Inf(1)
	}
	return found[k-1].Square
}

// insert puts a row in its place among the k nearest.
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
