package columns

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// ContentRanks ranks the columns of a set by their contents. The order of the columns, their units
// and the names of levels have no effect. Columns with equivalent contents keep their order.
func ContentRanks(s *dataset.Set) []int {
	// Number the values of each column in the order in which they first occur.
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
