package stats

import "slices"

// Indices returns the integers 0, 1, ..., n-1.
func Indices(n int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	return indices
}

// A Pair contains two different indices, such as the indices of two variables or two classes.
type Pair struct{ I, J int }

// Pairs returns the n(n-1)/2 pairs (0,1), (0,2), ..., (1,2), ..., (n-2,n-1).
func Pairs(n int) []Pair {
	pairs := make([]Pair, 0, n*(n-1)/2)
	for i := range n {
		for j := i + 1; j < n; j++ {
			pairs = append(pairs, Pair{i, j})
		}
	}
	return pairs
}

// Resized returns a slice of length n, in the memory of s if possible. Its elements are arbitrary.
func Resized[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// Sum returns the sum of counts.
func Sum(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// Map returns f(x) for each element x of a list. The result is nil if the list is empty.
func Map[T, U any](list []T, f func(T) U) (results []U) {
	results = slices.Grow(results, len(list))
	for _, x := range list {
		results = append(results, f(x))
	}
	return results
}

// Grouped splits a list into groups of elements with the same key. Groups and their elements stay in
// the order of the list.
func Grouped[K comparable, T any](list []T, key func(T) K) [][]T {
	var groups [][]T
	index := map[K]int{}
	for _, item := range list {
		k := key(item)
		i, known := index[k]
		if !known {
			i = len(groups)
			index[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], item)
	}
	return groups
}
