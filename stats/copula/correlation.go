package copula

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/dataset"
)

// Ranked holds the ranks of a sample, for rank correlations with other samples of the same rows.
type Ranked struct {
	standard []float64 // midrank of each row, centred and scaled to norm 1; all 0 if all values are equal
	rows     []int     // row numbers in ascending order of the values
	group    []int     // group number of each row: equal values share a number, and larger values have larger ones
	tied     int       // number of pairs of rows with equal values
}

// Rank prepares a sample for rank correlations with other samples. x[i] is the value of row i.
func Rank(x []float64) *Ranked {
	ranks, _ := stats.Midranks(x)
	rows := stats.Ascending(x)
	group := groupsOf(ranks, rows)
	groups := dataset.At(group, rows) // ascending, because rows is sorted by value
	standardise(ranks)
	return &Ranked{standard: ranks, rows: rows, group: group, tied: equalPairs(groups)}
}

// groupsOf returns the group of each row: the number of distinct ranks below its rank. rows
// lists the rows in ascending order of the ranks.
func groupsOf(ranks []float64, rows []int) []int {
	group := make([]int, len(rows))
	for k := 1; k < len(rows); k++ {
		i, before := rows[k], rows[k-1]
		group[i] = group[before]
		if ranks[i] != ranks[before] {
			group[i]++
		}
	}
	return group
}

// standardise centres midranks and scales them to norm 1, in place. Equal ranks become 0.
func standardise(ranks []float64) {
	meanRank := float64(len(ranks)+1) / 2
	floats.AddConst(-meanRank, ranks)
	if norm := floats.Norm(ranks, 2); norm > 0 {
		floats.Scale(1/norm, ranks)
	}
}

// Spearman returns Spearman's rank correlation, the correlation of the midranks. It is 0 if all
// values of a sample are equal.
func (r *Ranked) Spearman(s *Ranked) float64 {
	return max(-1, min(floats.Dot(r.standard, s.standard), 1))
}

// Kendall returns Kendall's rank correlation tau-b,
//
//	tau = (C - D) / sqrt((N - Tr)(N - Ts)).
//
// C and D are the numbers of concordant and discordant pairs of rows, and N is the number of all
// pairs. Tr and Ts are the numbers of pairs that are tied in r and in s.
//
// tau is 0 if all values of a sample are equal. Knight's algorithm (1966) takes O(n log n) time.
func (r *Ranked) Kendall(s *Ranked) float64 {
	n := len(r.rows)
	pairs := n * (n - 1) / 2
	if r.tied == pairs || s.tied == pairs {
		return 0
	}
	// order[k] is the group in s of the row with the k-th smallest value in r.
	order := dataset.At(s.group, r.rows)
	tiedInBoth := r.sortTies(order)
	discordant := exchanges(order, make([]int, n)) // pairs that ascend in r and descend in s
	// Both r.tied and s.tied include the pairs that are tied in both samples.
	untied := pairs - r.tied - s.tied + tiedInBoth // C + D
	return float64(untied-2*discordant) / math.Sqrt(float64(pairs-r.tied)*float64(pairs-s.tied))
}

// sortTies sorts the part of order for each group of rows that are tied in r. The function
// exchanges then counts no pair of tied rows. order[k] is the group of row r.rows[k] in another
// sample. sortTies returns the number of pairs that are tied in both samples.
func (r *Ranked) sortTies(order []int) (tiedInBoth int) {
	for from, n := 0, len(order); from < n; {
		to := from + 1
		for to < n && r.group[r.rows[to]] == r.group[r.rows[from]] {
			to++
		}
		part := order[from:to] // tied in r
		slices.Sort(part)
		tiedInBoth += equalPairs(part)
		from = to
	}
	return tiedInBoth
}

// equalPairs returns the number of pairs of equal numbers in an ascending list.
func equalPairs(ascending []int) int {
	pairs, equalBefore := 0, 0 // equalBefore: how many numbers before ascending[k] equal it
	for k := 1; k < len(ascending); k++ {
		if ascending[k] == ascending[k-1] {
			equalBefore++
		} else {
			equalBefore = 0
		}
		pairs += equalBefore
	}
	return pairs
}

// exchanges sorts v with a merge sort and returns the number of pairs that were in descending order.
// scratch must be at least as long as v.
func exchanges(v, scratch []int) int {
	const short = 12 // insertion sort is faster for short lists
	if len(v) <= short {
		return insertionExchanges(v)
	}
	half := len(v) / 2
	count := exchanges(v[:half], scratch) + exchanges(v[half:], scratch)
	left := scratch[:copy(scratch, v[:half])] // a copy, because the merge overwrites the start of v
	right := v[half:]
	for k := range v { // merge the ascending lists left and right
		if len(left) == 0 {
			break // the rest of right is already in place
		}
		if len(right) > 0 && right[0] < left[0] {
			v[k], right = right[0], right[1:]
			count += len(left) // each number in left preceded this smaller number
		} else {
			v[k], left = left[0], left[1:]
		}
	}
	return count
}

// insertionExchanges is like exchanges, but with an insertion sort.
func insertionExchanges(v []int) (count int) {
	for i := 1; i < len(v); i++ {
		for j := i; j > 0 && v[j-1] > v[j]; j-- {
			v[j-1], v[j] = v[j], v[j-1]
			count++
		}
	}
	return count
}
