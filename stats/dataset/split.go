package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
)

// Strata returns the stratum of each row and the number of strata. If stratified, the strata are the
// classes. Otherwise all rows form one stratum.
func (s *Set) Strata(stratified bool) (y []int, strata int) {
	if stratified {
		return s.Y, s.C()
	}
	return make([]int, s.N()), 1
}

// StratifiedFolds assigns each row to one of k folds and returns the folds of the rows, from 0 to k-1. The
// numbers of rows in two folds differ by at most one, and so do their numbers of rows of each class. y has
// the class of each row. The rows of a class are shuffled unless rng is nil.
func StratifiedFolds(y []int, classes, k int, rng *rand.Rand) ([]int, error) {
	if k < 2 || k > len(y) {
		return nil, fmt.Errorf("cannot split %d rows into %d folds", len(y), k)
	}
	fold := make([]int, len(y))
	next := 0 // the next fold; a class continues where the last class stopped, which balances the sizes
	for c := range classes {
		var rows []int
		for i, label := range y {
			if label == c {
				rows = append(rows, i)
			}
		}
		if rng != nil {
			shuffle(rows, rng)
		}
		for _, r := range rows {
			fold[r] = next
			next = (next + 1) % k
		}
	}
	return fold, nil
}

// At returns values[i] for each row i of rows.
func At[V any](values []V, rows []int) []V {
	chosen := make([]V, len(rows))
	for k, i := range rows {
		chosen[k] = values[i]
	}
	return chosen
}

// SampleRows draws a simple random sample of the given number of rows, without replacement, and returns
// them in their original order. If there are not more rows, it returns all of them.
func SampleRows(rows []int, most int, rng *rand.Rand) []int {
	if len(rows) <= most {
		return rows
	}
	sample := rng.Perm(len(rows))[:most]
	slices.Sort(sample)
	return At(rows, sample)
}

// ByFirstRow numbers distinct values from 0 in the order of their first occurrence. It returns the number
// of each value: for b, a, b it returns 0, 1, 0.
func ByFirstRow[V comparable](values []V) []int {
	number := map[V]int{}
	numbers := make([]int, len(values))
	for i, v := range values {
		if _, seen := number[v]; !seen {
			number[v] = len(number)
		}
		numbers[i] = number[v]
	}
	return numbers
}

// SplitFold returns the indices of the rows outside fold f and of the rows in fold f, both in ascending
// order. fold has the fold of each row.
func SplitFold(fold []int, f int) (train, test []int) {
	for i, g := range fold {
		if g == f {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}

// Subsample draws n rows without replacement and returns their indices in ascending order. y has the
// stratum of each row. Each stratum gets its proportion of n; the method of largest remainders rounds the
// numbers. Except for this rounding, a smaller sample is part of a larger one if rng has the same state.
func Subsample(y []int, strata, n int, rng *rand.Rand) ([]int, error) {
	if n < 1 || n > len(y) {
		return nil, fmt.Errorf("cannot draw %d of %d rows", n, len(y))
	}
	rows := make([][]int, strata)
	for i, label := range y {
		rows[label] = append(rows[label], i)
	}
	var chosen []int
	for c, take := range apportion(rows, n, len(y)) {
		shuffle(rows[c], rng)
		chosen = append(chosen, rows[c][:take]...)
	}
	slices.Sort(chosen)
	return chosen, nil
}

// apportion divides n among strata in proportion to their sizes, by the method of largest remainders.
// rows has the rows of each stratum, and total is their number. Each stratum first gets n*size/total,
// rounded down. The strata with the largest remainders then get one more. If remainders are equal, the
// stratum with the smaller index comes first.
func apportion(rows [][]int, n, total int) []int {
	take := make([]int, len(rows))
	order := make([]int, len(rows)) // the strata, the largest remainder first
	rest := n
	for c := range rows {
		order[c] = c
		take[c] = n * len(rows[c]) / total
		rest -= take[c]
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(n*len(rows[b])%total, n*len(rows[a])%total)
	})
	for _, c := range order[:rest] {
		take[c]++
	}
	return take
}

// Holdout draws a share of the rows for testing. It returns the indices of the training and the test rows,
// both in ascending order. y has the stratum of each row. The number of test rows is rounded.
func Holdout(y []int, strata int, share float64, rng *rand.Rand) (train, test []int, err error) {
	m := int(math.Round(share * float64(len(y))))
	if m < 1 || m >= len(y) {
		return nil, nil, fmt.Errorf("a share of %v of %d rows leaves no row for training or for testing", share, len(y))
	}
	if test, err = Subsample(y, strata, m, rng); err != nil {
		return nil, nil, err
	}
	isTest := make([]int, len(y)) // 1 for test rows
	for _, i := range test {
		isTest[i] = 1
	}
	train, test = SplitFold(isTest, 1)
	return train, test, nil
}

// GroupFolds assigns each row to one of k folds and returns the folds of the rows. All rows of a group are
// in the same fold. It sorts the groups by size, the largest first, and assigns each to the fold with the
// fewest rows. Before that, it shuffles each block of k groups in the sorted order. Repeats thus differ
// even if all groups differ in size, and the folds remain about equal.
func GroupFolds(groups []string, k int, rng *rand.Rand) ([]int, error) {
	names, sizes := groupSizes(groups)
	if k < 2 || k > len(names) {
		return nil, fmt.Errorf("cannot split %d groups into %d folds", len(names), k)
	}
	shuffle(names, rng)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	for block := range slices.Chunk(names, k) {
		shuffle(block, rng)
	}
	rows := make([]int, k) // number of rows in each fold
	foldOf := map[string]int{}
	for _, name := range names {
		smallest := slices.Index(rows, slices.Min(rows))
		foldOf[name] = smallest
		rows[smallest] += sizes[name]
	}
	fold := make([]int, len(groups))
	for i, g := range groups {
		fold[i] = foldOf[g]
	}
	return fold, nil
}

// shuffle permutes values at random, in place.
func shuffle[V any](values []V, rng *rand.Rand) {
	rng.Shuffle(len(values), func(a, b int) { values[a], values[b] = values[b], values[a] })
}

// GroupHoldout draws groups for testing, in random order, until they have at least the given share of the
// rows. It returns the indices of the training and the test rows, both in ascending order.
func GroupHoldout(groups []string, share float64, rng *rand.Rand) (train, test []int, err error) {
	names, sizes := groupSizes(groups)
	shuffle(names, rng)
	wanted, rows := share*float64(len(groups)), 0
	isTest := map[string]int{} // 1 for the groups of the test rows
	for _, name := range names {
		if float64(rows) >= wanted {
			break
		}
		isTest[name] = 1
		rows += sizes[name]
	}
	if rows == 0 || rows == len(groups) {
		return nil, nil, fmt.Errorf("cannot divide %d groups so that about %v of %d rows are for testing",
			len(names), share, len(groups))
	}
	parts := make([]int, len(groups))
	for i, g := range groups {
		parts[i] = isTest[g]
	}
	train, test = SplitFold(parts, 1)
	return train, test, nil
}

// groupSizes returns the names of the distinct groups, in the order of their first rows, and the number
// of rows of each group.
func groupSizes(groups []string) (names []string, sizes map[string]int) {
	sizes = map[string]int{}
	for _, g := range groups {
		if sizes[g] == 0 {
			names = append(names, g)
		}
		sizes[g]++
	}
	return names, sizes
}
