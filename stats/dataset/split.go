package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
)

// Strata returns the stratum of each row and the number of strata: the classes if stratified, else one
// stratum of all rows.
func (s *Set) Strata(stratified bool) (y []int, strata int) {
	if stratified {
		return s.Y, s.C()
	}
	return make([]int, s.N()), 1
}

// StratifiedFolds assigns every row to one of k folds. The sizes of the folds differ by at most one,
// and so do their numbers of rows of every class. It returns the fold, 0..k-1, of each row. y has the
// classes of the rows. The rows of a class are shuffled, unless rng is nil.
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

// SampleRows returns a simple random sample of most rows, in their order; all rows if there are not
// more.
func SampleRows(rows []int, most int, rng *rand.Rand) []int {
	if len(rows) <= most {
		return rows
	}
	sample := rng.Perm(len(rows))[:most]
	slices.Sort(sample)
	return At(rows, sample)
}

// ByFirstRow returns the number of each value: distinct values are numbered from 0 in the order of their
// first occurrence.
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

// SplitFold returns the numbers of the rows outside and inside fold f, both ascending. fold has the
// fold of each row.
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

// Subsample draws n of the rows without replacement and returns them in ascending order. y has the
// strata of the rows. Each stratum gets its share of n, rounded by largest remainders. With equal
// states of rng, a smaller sample is part of a larger one except for the rounding.
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

// apportion divides n among strata with the given rows by their sizes. Each gets n*size/total, rounded
// down; the strata with the largest remainders, lower ones on ties, get one more.
func apportion(rows [][]int, n, total int) []int {
	take := make([]int, len(rows))
	order := make([]int, len(rows)) // the strata, by remainder
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

// Holdout draws a share of the rows for testing, rounded, and returns the numbers of the training and
// test rows, both ascending. y has the strata of the rows.
func Holdout(y []int, strata int, share float64, rng *rand.Rand) (train, test []int, err error) {
	m := int(math.Round(share * float64(len(y))))
	if m < 1 || m >= len(y) {
		return nil, nil, fmt.Errorf("a share of %v of %d rows leaves none for training or for testing", share, len(y))
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

// GroupFolds assigns every row to one of k folds, all rows of a group to the same fold. It assigns the
// largest groups first, each to the fold with the fewest rows. Blocks of k groups in this order are
// shuffled, so that repeats differ even if all sizes differ, while the folds stay about equal.
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
	rows := make([]int, k) // of the folds
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

// shuffle permutes values at random.
func shuffle[V any](values []V, rng *rand.Rand) {
	rng.Shuffle(len(values), func(a, b int) { values[a], values[b] = values[b], values[a] })
}

// GroupHoldout draws groups in random order for testing until they have the share of the rows. It
// returns the numbers of the training and test rows, both ascending.
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
		return nil, nil, fmt.Errorf("%d groups cannot be divided so that about %v of %d rows are for testing",
			len(names), share, len(groups))
	}
	parts := make([]int, len(groups))
	for i, g := range groups {
		parts[i] = isTest[g]
	}
	train, test = SplitFold(parts, 1)
	return train, test, nil
}

// groupSizes returns the distinct groups in the order of their first rows, and their numbers of rows.
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
