package cart

import (
	"context"
	"math/bits"
	"slices"

	"golang.org/x/exp/rand"

	"copse/classifiers/internal/decisiontree"
	"copse/stats"
)

// At each node, a Grower searches mtry random columns for the split with the largest
//
//	sum_c l_c^2 / sum_c l_c  +  sum_c r_c^2 / sum_c r_c.
//
// Here l_c and r_c are the weighted counts of class c on the left and on the right. This split
// decreases the Gini impurity most. Ties are broken at random.
//
// As in R's randomForest (Breiman and Cutler), a node becomes a leaf if all its rows have the same
// class. It also becomes a leaf if all columns drawn for it are constant.

// A Grower grows trees on one training set. The value of a leaf is the index of a class.
type Grower struct {
	columns *Columns
	labels  []int

	classWeight  []float64
	multiplicity []int64 // number of times each row occurs in the tree's sample

	mtry     int // number of columns that are tried at each split
	rankBits int // number of bits of the largest rank, for sorting by rank

	allRows       []weighted // in the order of the training set
	nodeRows      []weighted // the rows of the node to split, side by side in memory
	rows, scratch []int32    // the row numbers, ordered by node; scratch for partitions
	keys, buffer  []key      // scratch: a node's rows sorted by rank; memory for this sort
	order         []int      // a permutation of the columns, from which each node draws the first mtry
	counts        []float64  // weighted class counts of the node
	left, right   []float64  // weighted class counts on both sides of a threshold
}

// A weighted row contains the class of a row and its weight.
type weighted struct {
	weight float64 // the multiplicity of the row times the weight of the class
	class  int
}

// NewGrower returns a Grower that tries mtry columns at each split. Rows of class k have the weight
// classWeights[k]. All trees share scratch memory, so they must not be grown concurrently.
func NewGrower(columns *Columns, labels []int, classWeights []float64, mtry int) *Grower {
	n, d, classes := columns.n, len(columns.rank), len(classWeights)
	return &Grower{
		columns: columns,
		labels:  labels,

		classWeight:  classWeights,
		multiplicity: make([]int64, n),

		mtry:     mtry,
		rankBits: bits.Len(uint(n)), // ranks are at most n
		allRows:  make([]weighted, n),
		nodeRows: make([]weighted, n),
		rows:     make([]int32, n),
		scratch:  make([]int32, n),
		keys:     make([]key, n),
		buffer:   make([]key, n),
		order:    stats.Indices(d),
		counts:   make([]float64, classes),
		left:     make([]float64, classes),
		right:    make([]float64, classes),
	}
}

// Bootstrap grows a tree on a bootstrap sample: n draws with replacement from the n rows.
func (g *Grower) Bootstrap(ctx context.Context, rng *rand.Rand) (decisiontree.Tree, error) {
	clear(g.multiplicity)
	for range g.multiplicity {
		g.multiplicity[rng.Intn(len(g.multiplicity))]++
	}
	return g.grow(ctx, rng)
}

// nodesPerLook is the number of nodes between two checks of the context.
const nodesPerLook = 256

// An openNode is a node that is neither split nor a leaf yet. Its rows are Grower.rows[from:to].
type openNode struct{ node, from, to int }

// grow grows a tree on the rows with positive multiplicity, which collectRows stores in g.rows[:n].
// Nodes wait on a stack with the range of their rows in g.rows. If there is a split, the node's rows
// are reordered so that the rows of its left child come first.
func (g *Grower) grow(ctx context.Context, rng *rand.Rand) (decisiontree.Tree, error) {
	n := g.collectRows()
	tree := decisiontree.New(n)
	stack := []openNode{{0, 0, n}} // the root
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
		left := tree.Split(open.node, best.column, g.columns.threshold(best))
		right := left + 1
		rowsOnLeft := decisiontree.Partition(rows, g.scratch, g.columns.rank[best.column], best.lastLeft)
		middle := open.from + rowsOnLeft
		stack = append(stack, openNode{right, middle, open.to}, openNode{left, open.from, middle})
	}
	return slices.Clone(tree), nil // releases unused memory
}

// collectRows sets g.allRows. It also stores the numbers of the rows with positive multiplicity in
// g.rows[:n].
func (g *Grower) collectRows() (n int) {
	for i, m := range g.multiplicity {
		c := g.labels[i]
		g.allRows[i] = weighted{float64(m) * g.classWeight[c], c}
		if m > 0 {
			g.rows[n] = int32(i)
			n++
		}
	}
	return n
}

// A split sends the rows whose rank in a column is at most lastLeft to the left child. The smallest
// rank on the right is firstRight.
type split struct {
	column               int
	lastLeft, firstRight uint32
}

// A choice is the best split found so far.
type choice struct {
	split
	criterion float64
	ties      int // number of splits with this criterion; 0: no split was found
}

// offer replaces the choice with split s if the criterion of s is larger than c.criterion. If several
// splits tie, each of them is equally likely to be kept. The criterion must not be smaller than
// c.criterion.
func (c *choice) offer(s split, criterion float64, rng *rand.Rand) {
	if criterion > c.criterion {
		*c = choice{split: s, criterion: criterion, ties: 1}
		return
	}
	c.ties++
	if rng.Intn(c.ties) == 0 {
		c.split = s
	}
}

// enter copies the rows of a node to g.nodeRows and stores their weighted class counts in g.counts.
// It returns the sum of these counts and the number of classes in the node.
func (g *Grower) enter(rows []int32) (total float64, classes int) {
	clear(g.counts)
	for p, i := range rows {
		row := g.allRows[i]
		g.nodeRows[p] = row
		g.counts[row.class] += row.weight
	}
	for _, count := range g.counts {
		if count > 0 {
			classes++
		}
		total += count
	}
	return total, classes
}

// bestSplit draws mtry columns and returns their best split. It returns false if the node must
// become a leaf.
func (g *Grower) bestSplit(rows []int32, rng *rand.Rand) (split, bool) {
	total, classes := g.enter(rows)
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

// scan tries every split of one column and updates best, the best split so far. The criterion of a
// split adds up two ratios, one for each side: the sum of the squared class counts divided by the sum
// of the counts. The caller must first call enter with the same rows, which returns the total count.
func (g *Grower) scan(rows []int32, total float64, column int, best *choice, rng *rand.Rand) {
	node, keys := g.nodeRows[:len(rows)], g.sorted(rows, column)
	clear(g.left)
	copy(g.right, g.counts)
	var leftTotal, leftSquares, rightSquares float64 // sums of class counts and of their squares
	for _, count := range g.right {
		rightSquares += count * count
	}
	for p, k := range keys[:len(keys)-1] { // the threshold lies between keys p and p+1
		// A row of class c and weight w moves from right to left. The squares of left[c] and
		// right[c] thus change by w(2 left[c] + w) and w(w - 2 right[c]).
		row := node[k.place()]
		w, c := row.weight, row.class
		leftTotal += w
		leftSquares += w * (2*g.left[c] + w)
		rightSquares += w * (w - 2*g.right[c])
		g.left[c] += w
		g.right[c] -= w
		next := keys[p+1].rank()
		if next == k.rank() {
			continue // no threshold separates equal values
		}
		criterion := leftSquares/leftTotal + rightSquares/(total-leftTotal)
		if criterion >= best.criterion {
			best.offer(split{column, k.rank(), next}, criterion, rng)
		}
	}
}

// sorted returns one key per row, sorted by the rank of the row in the given column.
func (g *Grower) sorted(rows []int32, column int) []key {
	rank := g.columns.rank[column]
	keys := g.keys[:len(rows)]
	for p, i := range rows {
		keys[p] = newKey(rank[i], int32(p))
	}
	return sortKeys(keys, g.buffer, g.rankBits)
}

// majority returns the class with the largest weighted count. If several classes tie, it draws one
// of their rows, in proportion to the multiplicities, and returns the class of this row.
func (g *Grower) majority(rows []int32, rng *rand.Rand) int {
	g.enter(rows)
	most := slices.Max(g.counts)
	first := slices.Index(g.counts, most)
	if !slices.Contains(g.counts[first+1:], most) {
		return first
	}
	var tied int64 // number of rows of the tied classes, with their multiplicities
	for _, i := range rows {
		if g.counts[g.labels[i]] == most {
			tied += g.multiplicity[i]
		}
	}
	before := rng.Int63n(tied) // number of rows before the drawn row
	for _, i := range rows {
		c := g.labels[i]
		if g.counts[c] != most {
			continue
		}
		before -= g.multiplicity[i]
		if before < 0 {
			return c
		}
	}
	panic("cart: a node without rows has no majority class")
}
