// Package decisiontree holds binary decision trees on numeric columns: a random
// forest's, whose leaves are classes, and boosting's, whose leaves are numbers.
package decisiontree

import "cmp"

// A Tree lists its nodes, the root first.
type Tree []Node

// A Node is a split or a leaf. A split sends rows with x[Column] <= Value to the
// node Child and the others to Child+1. A leaf has the column Leaf and returns Value.
type Node struct {
	Value  float64
	Column int32
	Child  int32
}

// Leaf is the column of a leaf.
const Leaf = -1

// New returns a tree whose root is not set, with memory for the given number of leaves.
func New(leaves int) Tree { return make(Tree, 1, max(1, 2*leaves-1)) }

// Split makes a node a split at the threshold and returns its first child. The two
// children, of which the second is one higher, remain to be set.
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

// Value returns the value of the leaf that x falls into.
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

// Threshold returns a number t with lower <= t < upper, the middle unless rounding
// prevents it. It returns lower where both are equal.
func Threshold(lower, upper float64) float64 {
	if t := lower/2 + upper/2; t >= lower && t < upper {
		return t
	}
	return lower
}

// Partition moves the rows i with code[i] <= last to the front of rows and returns
// their number. Both parts keep their order. The scratch has the length of rows.
func Partition[C cmp.Ordered](rows, scratch []int32, code []C, last C) int {
	left, right := 0, 0
	for _, i := range rows {
		if code[i] <= last {
			rows[left] = i
			left++
		} else {
			scratch[right] = i
			right++
		}
	}
	copy(rows[left:], scratch[:right])
	return left
}
