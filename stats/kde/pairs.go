package kde

import (
	"fmt"
	"math"
	"slices"
)

// A Pair names two different variables.
type Pair struct{ I, J int }

// A Partition assigns n rows to parts.
type Partition struct {
	order []int // rows, part by part
	start []int // part g is order[start[g]:start[g+1]]
}

// Whole puts n rows into one part.
func Whole(n int) Partition { return NewPartition(make([]int, n), 1) }

// NewPartition puts row i into part[i], one of 0..parts-1.
func NewPartition(part []int, parts int) Partition {
	p := Partition{start: []int{0}}
	for g := range parts {
		for i, h := range part {
			if h == g {
				p.order = append(p.order, i)
			}
		}
		p.start = append(p.start, len(p.order))
	}
	if len(p.order) != len(part) {
		panic(fmt.Sprintf("kde: a part outside 0..%d", parts-1))
	}
	return p
}

// Parts returns the number of parts.
func (p Partition) Parts() int { return len(p.start) - 1 }

// Count returns the number of rows of part g.
func (p Partition) Count(g int) int { return p.start[g+1] - p.start[g] }

// Outside returns the rows that are not in part g.
func (p Partition) Outside(g int) []int {
	return slices.Concat(p.order[:p.start[g]], p.order[p.start[g+1]:])
}

// aligned returns the offsets of the parts when each is filled up to a multiple
// of 8, which leaves no odd elements to the kernels.
func (p Partition) aligned() []int {
	offset := []int{0}
	for g := range p.Parts() {
		offset = append(offset, offset[g]+(p.Count(g)+7)&^7)
	}
	return offset
}

// arrange writes x in the order of the parts at the aligned offsets, filled up
// with +Inf, where every kernel is 0.
func (p Partition) arrange(dst, x []float64) {
	for k := range dst {
		dst[k] = math.Inf(1)
	}
	for g, at := range p.aligned()[:p.Parts()] {
		for k, i := range p.order[p.start[g]:p.start[g+1]] {
			dst[at+k] = x[i]
		}
	}
}
