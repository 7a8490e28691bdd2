package cart

// A Tree is a fitted classification tree. It is immutable.
type Tree struct{ nodes []node }

// A node sends rows with x[column] <= threshold to child and the others to
// child+1; a leaf has column -1 and its class in child.
type node struct {
	threshold float64
	column    int32
	child     int32
}

const leaf = -1

// Class returns the class of the leaf that x falls into.
func (t *Tree) Class(x []float64) int {
	n := &t.nodes[0]
	for n.column != leaf {
		next := n.child
		if x[n.column] > n.threshold {
			next++
		}
		n = &t.nodes[next]
	}
	return int(n.child)
}
