package columns

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// ContentRanks returns the rank of each column in a lexicographic order. For the comparison, values
// are numbered in the order of their first occurrence, so 5, 3, 5 becomes 0, 1, 0.
//
// Columns with equal numbers keep their order. Otherwise, the order of the columns, their units and
// the names of levels have no effect.
func ContentRanks(s *dataset.Set) []int {
	numbers := make([][]int, s.D())
	for j := range numbers {
		numbers[j] = dataset.NumberDistinct(mat.Col(nil, j, s.X))
	}
	order := stats.Indices(s.D())
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(numbers[a], numbers[b]) })
	ranks := make([]int, s.D())
	for rank, j := range order {
		ranks[j] = rank
	}
	return ranks
}
