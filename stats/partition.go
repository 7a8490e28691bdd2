package stats

// A Partition divides the numbers 0 to n-1 into classes. Each class is known by its smallest number.
type Partition []int // element i: i if it is the smallest of its class, otherwise a smaller number of the class

// NewPartition returns a partition of the numbers 0 to n-1 in which each number is its own class.
func NewPartition(n int) Partition { return Indices(n) }

// Join merges the classes of i and j.
func (p Partition) Join(i, j int) {
	a, b := p.Smallest(i), p.Smallest(j)
	p[max(a, b)] = min(a, b)
}

// Smallest returns the smallest number in the class of i.
func (p Partition) Smallest(i int) int {
	for p[i] != i {
		p[i] = p[p[i]] // shortens later searches
		i = p[i]
	}
	return i
}

// Connected divides items into groups. Item i has the names names[i]. Items with a common name are in
// the same group, and so are items that are connected through others. Groups and their items stay in
// order.
func Connected(items []int, names [][]string) [][]int {
	p := NewPartition(len(names))
	first := map[string]int{} // the first item with a name
	for _, i := range items {
		for _, name := range names[i] {
			if _, known := first[name]; !known {
				first[name] = i
			}
			p.Join(first[name], i)
		}
	}
	return Grouped(items, p.Smallest)
}
