package cart

import (
	"context"
	"math/bits"
	"slices"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/decisiontree"
)

// The problem of one node with weighted class counts: among the splits of
// mtry random columns between two adjacent values, find the one with the
// greatest decrease of Gini impurity, that is with the greatest
//
//	sum_c l_c^2 / sum_c l_c  +  sum_c r_c^2 / sum_c r_c,
//
// l and r the class counts on the left and right. Of equal splits each is
// taken with the same probability. A node is split until all its rows have one
// class or none of the columns drawn for it varies, as in Breiman and Cutler's
// program (R's randomForest).

// A Grower grows trees on one training set. The leaves of a tree have the numbers of
// classes as values.
type Grower struct {
	columns *Columns
	labels  []int

	classWeight  []float64
	multiplicity []int64   // of each row in the tree that grows
	weight       []float64 // of each row: its multiplicity times the weight of its class

	mtry int
	bits int // of the largest rank

	rows, scratch []int32   // the rows, ordered by node; scratch for partitions
	keys, buffer  []key     // scratch of sorted
	order         []int     // the columns in random order
	counts        []float64 // weighted class counts of the node
	left, right   []float64 // weighted class counts on both sides of a threshold
}

// NewGrower prepares trees that try mtry columns at each split. classWeights has a weight for the
// rows of each class.
func NewGrower(columns *Columns, labels []int, classWeights []float64, mtry int) *Grower {
	n, d, classes := columns.n, len(columns.rank), len(classWeights)
	g := &Grower{
		columns: columns,
		labels:  labels,

		classWeight:  classWeights,
		multiplicity: make([]int64, n),
		weight:       make([]float64, n),

		mtry:    mtry,
		bits:    bits.Len(uint(n)),
		rows:    make([]int32, n),
		scratch: make([]int32, n),
		keys:    make([]key, n),
		buffer:  make([]key, n),
		order:   make([]int, d),
		counts:  make([]float64, classes),
		left:    make([]float64, classes),
		right:   make([]float64, classes),
	}
	for j := range g.order {
		g.order[j] = j
	}
	return g
}

// Bootstrap grows a tree on n draws with replacement from the n rows.
func (g *Grower) Bootstrap(ctx context.Context, rng *rand.Rand) (decisiontree.Tree, error) {
	clear(g.multiplicity)
	for range g.multiplicity {
		g.multiplicity[rng.Intn(len(g.multiplicity))]++
	}
	return g.grow(ctx, rng)
}

// nodesPerLook is the number of nodes between two checks of the context.
const nodesPerLook = 256

// An openNode is a node that is neither split nor a leaf yet. Its rows are
// Grower.rows[from:to].
type openNode struct{ node, from, to int }

// grow grows a tree on the rows with positive multiplicity.
func (g *Grower) grow(ctx context.Context, rng *rand.Rand) (decisiontree.Tree, error) {
	n := g.collectRows()
	tree := decisiontree.New(n)
	stack := []openNode{{0, 0, n}}
	for visited := 0; len(stack) > 0; visited++ {
		if visited%nodesPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		open := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		rows := g.rows[open.from:open.to]
		best, ok := g.bestSplit(rows, rng)
		if !ok {
			tree.SetLeaf(open.node, float64(g.majority(rows, rng)))
			continue
		}
		child := tree.Split(open.node, best.column, g.columns.threshold(best))
		middle := open.from + decisiontree.Partition(rows, g.scratch, g.columns.rank[best.column], best.lower)
		stack = append(stack, openNode{child + 1, middle, open.to}, openNode{child, open.from, middle})
	}
	return slices.Clone(tree), nil // without the memory of leaves that were not needed
}

// collectRows sets the weights of the rows, writes the rows with positive multiplicity to the head
// of g.rows and returns their number.
func (g *Grower) collectRows() (n int) {
	for i, m := range g.multiplicity {
		g.weight[i] = float64(m) * g.classWeight[g.labels[i]]
		if m > 0 {
			g.rows[n] = int32(i)
			n++
		}
	}
	return n
}

// A split sends the rows with a rank up to lower to the left; upper is the next
// rank in the node.
type split struct {
	column       int
	lower, upper uint32
}

// A choice is the best split found so far.
type choice struct {
	split
	criterion float64
	ties      int // number of splits with this criterion, 0 if none was found
}

// offer replaces the choice by a split with a greater criterion. Of equal ones each is
// kept with the same probability.
func (c *choice) offer(s split, criterion float64, rng *rand.Rand) {
	if criterion > c.criterion {
		*c = choice{s, criterion, 1}
		return
	}
	c.ties++
	if rng.Intn(c.ties) == 0 {
		c.split = s
	}
}

// count writes the class counts of some rows to g.counts. It returns their sum and the
// number of classes that occur.
func (g *Grower) count(rows []int32) (total float64, classes int) {
	clear(g.counts)
	for _, i := range rows {
		g.counts[g.labels[i]] += g.weight[i]
	}
	for _, count := range g.counts {
		if count > 0 {
			classes++
		}
		total += count
	}
	return total, classes
}

// bestSplit draws mtry columns and returns their best split, false if the node stays
// a leaf.
func (g *Grower) bestSplit(rows []int32, rng *rand.Rand) (split, bool) {
	total, classes := g.count(rows)
	if classes < 2 {
		return split{}, false
	}
	var best choice
	for k := range g.mtry {
		r := k + rng.Intn(len(g.order)-k)
		g.order[k], g.order[r] = g.order[r], g.order[k]
		g.scan(rows, total, g.order[k], &best, rng)
	}
	return best.split, best.ties > 0
}

// scan offers best the splits of one column that are not worse. The rows have the class
// counts g.counts with the sum total. It moves row after row from the right of the threshold
// to the left and updates the sums of squared counts.
func (g *Grower) scan(rows []int32, total float64, column int, best *choice, rng *rand.Rand) {
	keys := g.sorted(rows, column)
	clear(g.left)
	copy(g.right, g.counts)
	var n, leftSquares, rightSquares float64 // weight on the left, sums of squared class counts
	for _, count := range g.right {
		rightSquares += count * count
	}
	for p, k := range keys[:len(keys)-1] {
		// The row moves from right to left: (l+w)^2 - l^2 = w(2l+w), (r-w)^2 - r^2 = w(w-2r).
		w, c := g.weight[k.row()], g.labels[k.row()]
		n += w
		leftSquares += w * (2*g.left[c] + w)
		rightSquares += w * (w - 2*g.right[c])
		g.left[c] += w
		g.right[c] -= w
		next := keys[p+1].rank()
		if next == k.rank() {
			continue // no threshold separates equal values
		}
		criterion := leftSquares/n + rightSquares/(total-n)
		if criterion >= best.criterion {
			best.offer(split{column, k.rank(), next}, criterion, rng)
		}
	}
}

// sorted returns the rows sorted by their ranks in a column.
func (g *Grower) sorted(rows []int32, column int) []key {
	rank := g.columns.rank[column]
	keys := g.keys[:len(rows)]
	for p, i := range rows {
		keys[p] = newKey(rank[i], i)
	}
	return sortKeys(keys, g.buffer, g.bits)
}

// majority returns the class with the largest weight. Of equal ones it draws the class of a random
// row.
func (g *Grower) majority(rows []int32, rng *rand.Rand) int {
	g.count(rows)
	most := slices.Max(g.counts)
	first := slices.Index(g.counts, most)
	if !slices.Contains(g.counts[first+1:], most) {
		return first
	}
	var tied int64 // rows of the tied classes, with their multiplicities
	for _, i := range rows {
		if g.counts[g.labels[i]] == most {
			tied += g.multiplicity[i]
		}
	}
	left := rng.Int63n(tied) // rows before the drawn one
	for _, i := range rows {
		c := g.labels[i]
		if g.counts[c] != most {
			continue
		}
		left -= g.multiplicity[i]
		if left < 0 {
			return c
		}
	}
	panic("cart: empty node")
}
