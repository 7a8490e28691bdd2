package nearest

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A tree halves the rows again and again, each time in the middle of the column
// in which they spread widest, and keeps the box around every part. A part whose
// box is farther off than the k-th row so far has none of the k nearest.
//
// The distance of a box is summed like that of a row, and every operation of
// the sum rounds monotonically: rounding cannot put a row nearer than its box.
type tree struct {
	x     *mat.Dense // the rows in the order of the parts
	row   []int      // their numbers
	parts []part     // the whole first; a part's halves lie after it
}

type part struct {
	from, to int       // rows of tree.x
	box      []float64 // least values of the columns, then the largest
	halves   [2]int    // numbers of parts; 0 when not halved
}

// leaf is the number of rows that are not halved further.
const leaf = 16

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

// divide appends the part of the rows from..to-1 and its halves, and returns its
// number.
func (t *tree) divide(x *mat.Dense, from, to int) int {
	number := len(t.parts)
	rows := t.row[from:to]
	box := bounds(x, rows)
	t.parts = append(t.parts, part{from: from, to: to, box: box})
	if len(rows) <= leaf {
		return number
	}
	d := len(box) / 2
	widest := 0
	for j := range d {
		if box[d+j]/2-box[j]/2 > box[d+widest]/2-box[widest]/2 { // halves do not overflow
			widest = j
		}
	}
	middle := box[widest]/2 + box[d+widest]/2
	if !(middle < box[d+widest]) { // the rows are equal, or neighbours in rounding
		return number
	}
	first := 0 // rows[:first] are at most middle
	for r, i := range rows {
		if x.At(i, widest) <= middle {
			rows[first], rows[r] = i, rows[first]
			first++
		}
	}
	if first == 0 || first == len(rows) {
		return number
	}
	left := t.divide(x, from, from+first)
	right := t.divide(x, from+first, to)
	t.parts[number].halves = [2]int{left, right}
	return number
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

// nearest returns the k nearest rows, nearest first, in the memory of found.
func (t *tree) nearest(found []Neighbour, k int, q []float64) []Neighbour {
	return t.visit(found[:0], k, q, 0)
}

// visit updates the k nearest rows found so far by those of a part.
func (t *tree) visit(found []Neighbour, k int, q []float64, number int) []Neighbour {
	p := &t.parts[number]
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

// reach is the distance beyond which no row is among the k nearest.
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
