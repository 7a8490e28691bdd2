// Package decisiontree represents binary decision trees on numeric columns. Leaves contain class
// codes in random forests and other numbers in boosted trees.
package decisiontree

import "cmp"

// A Tree is a list of nodes. The root comes first.
type Tree []Node

// A Node is a split or a leaf. A split sends rows with x[Column] <= Value to node Child and all
// others to node Child+1. In a leaf, Column is Leaf and Value is the result.
type Node struct {
	Value  float64
	Column int32
	Child  int32
}

// Leaf is the value of Node.Column that marks a leaf.
const Leaf = -1

// New returns a tree with an undefined root and enough memory for the given number of leaves.
func New(leaves int) Tree { return make(Tree, 1, max(1, 2*leaves-1)) }

// Split turns a node into a split at the threshold and returns its first child. The second child is
// the next node. The caller must define both children.
func (t *Tree) Split(node, column int, threshold float64) (child int) {
	child = len(*t)
	(*t)[node] = Node{Value: threshold, Column: int32(column), Child: int32(child)}
	*t = append(*t, Node{}, Node{})
	return child
}

// SetLeaf makes a node a leaf.
func (t Tree) SetLeaf(node int, value float64) { t[node] = Node{Value: value, Column: Leaf} }

// Splits returns the number of splits.
func (t Tree) Splits() int { return len(t) / 2 }

// Value returns the value of the leaf that x reaches.
func (t Tree) Value(x []float64) float64 {
	n := &t[0]
	for n.Column != Leaf {
		next := n.Child
		if x[n.Column] > n.Value {
			next++
		}
		n = &t[next]
	}
	return n.Value
}

// Threshold returns a number t with lower <= t < upper. It is the midpoint, unless rounding
// prevents this. If lower equals upper, Threshold returns lower.
func Threshold(lower, upper float64) float64 {
	if t := lower/2 + upper/2; t >= lower && t < upper {
		return t
	}
	return lower
}

// Partition moves the rows i with code[i] <= last to the front of rows and returns their number.
// Both parts keep their order. scratch must be as long as rows.
func Partition[C cmp.Ordered](rows, scratch []int32, code []C, last C) int {
	left := 0
	for seen, i := range rows {
		// Write i to both lists. The next row overwrites the copy in the wrong list. This is faster
		// than an if statement with two blocks, because the processor cannot predict the condition.
		rows[left], scratch[seen-left] = i, i
		if code[i] <= last {
			left++
		}
	}
	copy(rows[left:], scratch)
	return left
}
