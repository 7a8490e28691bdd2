package cart

import (
	"context"
	"math/bits"
	"slices"

	"golang.org/x/exp/rand"
)

// The problem of one node with weighted class counts p_c: among the splits of
// mtry random columns between two adjacent values, find the one with the
// greatest decrease of Gini impurity, that is with the greatest
//
//	sum_c l_c^2 / sum_c l_c  +  sum_c r_c^2 / sum_c r_c,
//
// l and r the class counts on the left and right. Of equal splits each is
// taken with the same probability. A node is split until all its rows have one
// class or none of the columns drawn for it varies, as in Breiman and Cutler's
// program (R's randomForest).

// A Grower grows trees on one training set.
type Grower struct {
	columns *Columns
	labels  []int
	weight  []int64 // multiplicity of each row in the tree that grows
	mtry    int
	bits    int // of the largest rank

	rows, right  []int32 // the rows by node; scratch for partitions
	keys, buffer []key
	order        []int   // the columns, its head being those drawn last
	counts       []int64 // class counts of the node
	left, rest   []int64 // of the parts left and right of a threshold
}

// NewGrower prepares trees that try mtry columns at each split.
func NewGrower(columns *Columns, labels []int, classes, mtry int) *Grower {
	n, d := columns.n, len(columns.rank)
	g := &Grower{
		columns: columns, labels: labels, weight: make([]int64, n), mtry: mtry, bits: bits.Len(uint(n)),
		rows: make([]int32, n), right: make([]int32, n), keys: make([]key, n), buffer: make([]key, n),
		order: make([]int, d), counts: make([]int64, classes), left: make([]int64, classes), rest: make([]int64, classes),
	}
	for j := range g.order {
		g.order[j] = j
	}
	return g
}

// pending is a node whose rows are known and whose split is not.
type pending struct{ node, from, to int }

// Bootstrap grows a tree on n draws with replacement from the n rows.
func (g *Grower) Bootstrap(ctx context.Context, rng *rand.Rand) (*Tree, error) {
	clear(g.weight)
	for range g.weight {
		g.weight[rng.Intn(len(g.weight))]++
	}
	return g.grow(ctx, rng)
}

// nodesPerLook is the number of nodes between two looks at the context.
const nodesPerLook = 256

// grow grows a tree on the rows with positive weight.
func (g *Grower) grow(ctx context.Context, rng *rand.Rand) (*Tree, error) {
	n := 0
	for i, w := range g.weight {
		if w > 0 {
			g.rows[n] = int32(i)
			n++
		}
	}
	t := &Tree{nodes: make([]node, 1, 2*n)}
	open := []pending{{0, 0, n}}
	for visited := 0; len(open) > 0; visited++ {
		if visited%nodesPerLook == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		now := open[len(open)-1]
		open = open[:len(open)-1]
		rows := g.rows[now.from:now.to]
		s, ok := g.split(rows, rng)
		if !ok {
			t.nodes[now.node] = node{column: leaf, child: int32(g.majority(rows, rng))}
			continue
		}
		middle := now.from + g.partition(rows, s)
		child := len(t.nodes)
		t.nodes = append(t.nodes, node{}, node{})
		t.nodes[now.node] = node{column: int32(s.column), threshold: g.columns.between(s.column, s.lower, s.upper), child: int32(child)}
		open = append(open, pending{child + 1, middle, now.to}, pending{child, now.from, middle})
	}
	return t, nil
}

// A split sends the rows with a rank up to lower to the left; upper is the next
// rank in the node.
type split struct {
	column       int
	lower, upper uint32
}

// count fills g.counts and returns their sum and the number of classes that
// occur.
func (g *Grower) count(rows []int32) (total int64, classes int) {
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

// split draws the columns and returns the best split, false if the node stays
// a leaf.
func (g *Grower) split(rows []int32, rng *rand.Rand) (best split, ok bool) {
	total, classes := g.count(rows)
	if classes < 2 {
		return best, false
	}
	var most float64
	ties := 0
	for k := range g.mtry {
		r := k + rng.Intn(len(g.order)-k)
		g.order[k], g.order[r] = g.order[r], g.order[k]
		most, ties = g.scan(rows, g.order[k], total, most, ties, &best, rng)
	}
	return best, ties > 0
}

// scan looks for a better split in one column. most is the criterion of best,
// which ties splits share so far.
func (g *Grower) scan(rows []int32, column int, total int64, most float64, ties int, best *split, rng *rand.Rand) (float64, int) {
	rank := g.columns.rank[column]
	keys := g.keys[:len(rows)]
	for p, i := range rows {
		keys[p] = newKey(rank[i], i)
	}
	keys = sortKeys(keys, g.buffer, g.bits)
	clear(g.left)
	copy(g.rest, g.counts)
	var n, leftSquares, restSquares int64 // rows on the left, sums of squared class counts
	for _, r := range g.rest {
		restSquares += r * r
	}
	for p, k := range keys[:len(keys)-1] {
		i := k.row()
		w, c := g.weight[i], g.labels[i]
		n += w
		leftSquares += w * (2*g.left[c] + w)
		restSquares += w * (w - 2*g.rest[c])
		g.left[c] += w
		g.rest[c] -= w
		next := keys[p+1].rank()
		if next == k.rank() {
			continue
		}
		gain := float64(leftSquares)/float64(n) + float64(restSquares)/float64(total-n)
		if gain < most {
			continue
		}
		if gain > most {
			most, ties = gain, 0
		}
		if ties++; ties == 1 || rng.Intn(ties) == 0 {
			*best = split{column, k.rank(), next}
		}
	}
	return most, ties
}

// partition moves the rows that s sends to the left to the front and returns
// their number. Both parts keep their order.
func (g *Grower) partition(rows []int32, s split) int {
	rank := g.columns.rank[s.column]
	left, right := 0, 0
	for _, i := range rows {
		if rank[i] <= s.lower {
			rows[left] = i
			left++
		} else {
			g.right[right] = i
			right++
		}
	}
	copy(rows[left:], g.right[:right])
	return left
}

// majority returns the class with the largest weight; of equals each with the
// same probability, that of a random row's among theirs.
func (g *Grower) majority(rows []int32, rng *rand.Rand) int {
	g.count(rows)
	most := slices.Max(g.counts)
	var tied int64 // the weight of all rows of such classes
	for _, count := range g.counts {
		if count == most {
			tied += count
		}
	}
	drawn := int64(0)
	if tied > most {
		drawn = rng.Int63n(tied)
	}
	for _, i := range rows {
		if c := g.labels[i]; g.counts[c] == most {
			if drawn -= g.weight[i]; drawn < 0 {
				return c
			}
		}
	}
	panic("cart: empty node")
}
