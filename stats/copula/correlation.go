package copula

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/dataset"
)

// Ranked is a sample prepared for rank correlations with other samples of the same rows.
type Ranked struct {
	standard []float64 // by row, the midrank, centred and scaled to length 1; 0 if all values are equal
	rows     []int     // row numbers in ascending order of the values
	group    []int     // by row, the number of its group of equal values, ascending with the values
	tied     int       // pairs of equal values
}

// Rank ranks the values of x, given by row.
func Rank(x []float64) *Ranked {
	ranks, _ := stats.Midranks(x)
	r := &Ranked{standard: ranks, rows: make([]int, len(x)), group: make([]int, len(x))}
	for i := range r.rows {
		r.rows[i] = i
	}
	slices.SortStableFunc(r.rows, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	earlier := 0 // rows of the current group before the current row
	for k := 1; k < len(r.rows); k++ {
		i, before := r.rows[k], r.rows[k-1]
		if ranks[i] == ranks[before] {
			earlier++
			r.group[i] = r.group[before]
		} else {
			earlier = 0
			r.group[i] = r.group[before] + 1
		}
		r.tied += earlier
	}
	floats.AddConst(-float64(len(x)+1)/2, r.standard)
	if length := floats.Norm(r.standard, 2); length > 0 {
		floats.Scale(1/length, r.standard)
	}
	return r
}

// Spearman returns the correlation of the midranks, 0 if a sample is constant.
func (r *Ranked) Spearman(s *Ranked) float64 {
	r.check(s)
	return max(-1, min(floats.Dot(r.standard, s.standard), 1))
}

// Kendall returns tau-b,
//
//	tau = (concordant - discordant pairs) / sqrt((N - Tr)(N - Ts)),
//
// where N = n(n-1)/2 is the number of pairs and Tr, Ts those tied in either sample; 0 if a sample is
// constant. It takes O(n log n) by Knight's algorithm (1966): the discordant pairs are the exchanges
// that sort s, taken in the order of r.
func (r *Ranked) Kendall(s *Ranked) float64 {
	r.check(s)
	n := len(r.rows)
	pairs := n * (n - 1) / 2
	if r.tied == pairs || s.tied == pairs {
		return 0
	}
	order := dataset.At(s.group, r.rows) // groups of s in the order of r
	both := 0                            // pairs tied in both samples
	for from := 0; from < n; {
		to := from + 1 // order[from:to] is tied in r
		for to < n && r.group[r.rows[to]] == r.group[r.rows[from]] {
			to++
		}
		slices.Sort(order[from:to])
		both += equalPairs(order[from:to])
		from = to
	}
	discordant := exchanges(order, make([]int, n))
	untied := pairs - r.tied - s.tied + both
	return float64(untied-2*discordant) / math.Sqrt(float64(pairs-r.tied)*float64(pairs-s.tied))
}

// equalPairs returns the number of pairs of equal numbers in an ascending list.
func equalPairs(ascending []int) int {
	pairs, earlier := 0, 0 // earlier: equal numbers before the current one
	for k := 1; k < len(ascending); k++ {
		if ascending[k] == ascending[k-1] {
			earlier++
		} else {
			earlier = 0
		}
		pairs += earlier
	}
	return pairs
}

// check panics unless the samples have equally many rows.
func (r *Ranked) check(s *Ranked) {
	if len(r.rows) != len(s.rows) {
		panic(fmt.Sprintf("copula: samples of %d and %d values", len(r.rows), len(s.rows)))
	}
}

// exchanges sorts v by merging and returns the number of pairs that were in descending order. scratch is
// at least as long as v.
func exchanges(v, scratch []int) int {
	const short = 12 // insertion is faster
	if len(v) <= short {
		count := 0
		for i := 1; i < len(v); i++ {
			for j := i; j > 0 && v[j-1] > v[j]; j-- {
				v[j-1], v[j] = v[j], v[j-1]
				count++
			}
		}
		return count
	}
	half := len(v) / 2
	count := exchanges(v[:half], scratch) + exchanges(v[half:], scratch)
	left := scratch[:copy(scratch, v[:half])]
	right := v[half:]
	for k := range v { // v[k:] ends with right; both halves are ascending
		if len(left) == 0 {
			break // the rest of right is in place
		}
		if len(right) > 0 && right[0] < left[0] {
			v[k], right = right[0], right[1:]
			count += len(left) // all of left were before a smaller number
		} else {
			v[k], left = left[0], left[1:]
		}
	}
	return count
}
