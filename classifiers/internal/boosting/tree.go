package boosting

// A Tree is a fitted regression tree. It is immutable.
type Tree struct{ nodes []node }

// A node sends rows with x[column] <= threshold to child and the others to
// child+1; a leaf has column -1 and a value.
type node struct {
	threshold float64
	value     float64
	column    int32
	child     int32
}

const leaf = -1

// Value returns the value of the leaf that x falls into.
func (t *Tree) Value(x []float64) float64 {
	n := &t.nodes[0]
	for n.column != leaf {
		next := n.child
		if x[n.column] > n.threshold {
			next++
		}
		n = &t.nodes[next]
	}
	return n.value
}
