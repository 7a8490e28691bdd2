package columns

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// ContentRanks ranks the columns of a set by their contents. The ranks do not depend on the order of the
// columns, their units or the names of levels. Equivalent columns are ranked in their order in the set.
func ContentRanks(s *dataset.Set) []int {
	// The values of each column are numbered in the order in which they first occur.
	numbers := make([][]int, s.D())
	for j := range numbers {
		numbers[j] = dataset.ByFirstRow(mat.Col(nil, j, s.X))
	}
	order := stats.Indices(s.D())
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(numbers[a], numbers[b]) })
	ranks := make([]int, s.D())
	for rank, j := range order {
		ranks[j] = rank
	}
	return ranks
}
