package copula

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/dataset"
)

// Ranked is a sample prepared for rank correlations with other samples of the
// same rows.
type Ranked struct {
	standard []float64 // midranks, centred and scaled to length 1; zeros when all are tied
	rows     []int     // row numbers in ascending order of the values
	group    []int     // by row: number of the group of equal values, ascending
	tied     int       // pairs of equal values
}

// Rank ranks the values of x.
func Rank(x []float64) *Ranked {
	ranks, _ := stats.Midranks(x)
	r := &Ranked{standard: ranks, rows: make([]int, len(x)), group: make([]int, len(x))}
	for i := range r.rows {
		r.rows[i] = i
	}
	slices.SortFunc(r.rows, func(a, b int) int {
		switch {
		case ranks[a] < ranks[b]:
			return -1
		case ranks[a] > ranks[b]:
			return 1
		}
		return a - b
	})
	size := 0
	for k, i := range r.rows {
		if k > 0 && ranks[i] == ranks[r.rows[k-1]] {
			r.group[i] = r.group[r.rows[k-1]]
			size++
		} else if k > 0 {
			r.group[i] = r.group[r.rows[k-1]] + 1
			size = 0
		}
		r.tied += size
	}
	floats.AddConst(-float64(len(x)+1)/2, r.standard)
	if length := floats.Norm(r.standard, 2); length > 0 {
		floats.Scale(1/length, r.standard)
	}
	return r
}

// Spearman returns the correlation of the ranks, ties sharing the mean rank, 0
// when a sample is constant.
func (r *Ranked) Spearman(s *Ranked) float64 {
	r.check(s)
	return max(-1, min(floats.Dot(r.standard, s.standard), 1))
}

// Kendall returns tau-b,
//
//	tau = (concordant - discordant pairs) / sqrt((N - Tr)(N - Ts)),
//
// with N = n(n-1)/2 pairs of which Tr and Ts are tied in either sample; 0 when a
// sample is constant. Knight's algorithm (1966), O(n log n): the discordant
// pairs are the exchanges that sort s in the order of r.
func (r *Ranked) Kendall(s *Ranked) float64 {
	r.check(s)
	n := len(r.rows)
	pairs := n * (n - 1) / 2
	if r.tied == pairs || s.tied == pairs {
		return 0
	}
	order := dataset.At(s.group, r.rows) // groups of s in the order of r, ascending in ties of r
	both := 0                            // pairs tied in both samples
	for from := 0; from < n; {
		to := from + 1
		for to < n && r.group[r.rows[to]] == r.group[r.rows[from]] {
			to++
		}
		ties := order[from:to]
		slices.Sort(ties)
		size := 0
		for k := 1; k < len(ties); k++ {
			if ties[k] != ties[k-1] {
				size = -1
			}
			size++
			both += size
		}
		from = to
	}
	discordant := exchanges(order, make([]int, n))
	untied := pairs - r.tied - s.tied + both
	return float64(untied-2*discordant) / math.Sqrt(float64(pairs-r.tied)*float64(pairs-s.tied))
}

func (r *Ranked) check(s *Ranked) {
	if len(r.rows) != len(s.rows) {
		panic(fmt.Sprintf("copula: samples of %d and %d values", len(r.rows), len(s.rows)))
	}
}

// exchanges sorts v by merging and returns the number of pairs that were in
// descending order.
func exchanges(v, scratch []int) int {
	const short = 12
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
	for k := range v {
		if len(left) == 0 {
			break // the rest of the right half is in place
		}
		if len(right) > 0 && right[0] < left[0] {
			v[k], right = right[0], right[1:]
			count += len(left)
		} else {
			v[k], left = left[0], left[1:]
		}
	}
	return count
}
