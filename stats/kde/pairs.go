package kde

import (
	"fmt"
	"math"
	"slices"
)

// A Partition divides n rows into parts.
type Partition struct {
	order []int // all rows, part by part
	start []int // part g consists of the rows order[start[g]:start[g+1]]
}

// Whole returns the partition of n rows that has only one part.
func Whole(n int) Partition { return NewPartition(make([]int, n), 1) }

// NewPartition returns the partition in which row i belongs to part[i], which must be in
// 0..parts-1.
func NewPartition(part []int, parts int) Partition {
	p := Partition{order: make([]int, len(part)), start: make([]int, parts+1)}
	for _, g := range part {
		if g < 0 || g >= parts {
			panic(fmt.Sprintf("kde: a row belongs to part %d, which is outside 0..%d", g, parts-1))
		}
		p.start[g+1]++
	}
	for g := range parts {
		p.start[g+1] += p.start[g]
	}
	next := slices.Clone(p.start) // next[g] is the index in order for the next row of part g
	for i, g := range part {
		p.order[next[g]] = i
		next[g]++
	}
	return p
}

// Parts returns the number of parts.
func (p Partition) Parts() int { return len(p.start) - 1 }

// Count returns the number of rows of part g.
func (p Partition) Count(g int) int { return p.start[g+1] - p.start[g] }

// Part returns the rows of part g.
func (p Partition) Part(g int) []int { return p.order[p.start[g]:p.start[g+1]] }

// Outside returns all rows that are not in part g.
func (p Partition) Outside(g int) []int {
	return slices.Concat(p.order[:p.start[g]], p.order[p.start[g+1]:])
}

// alignedOffsets returns the offsets of the parts, padded to multiples of 8 rows for vector loops. The
// last offset is the total length.
func (p Partition) alignedOffsets() []int {
	offset := []int{0}
	for g := range p.Parts() {
		offset = append(offset, offset[g]+(p.Count(g)+7)&^7)
	}
	return offset
}

// arrange copies x, which has one value per row, to dst. Each part begins at its aligned offset and is padded with
// +Inf, at which every kernel is 0.
func (p Partition) arrange(dst, x []float64) {
	offset := p.alignedOffsets()
	for g := range p.Parts() {
		to := dst[offset[g]:offset[g+1]]
		for k, i := range p.Part(g) {
			to[k] = x[i]
		}
		for k := p.Count(g); k < len(to); k++ {
			to[k] = math.Inf(1)
		}
	}
}
