package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
)

// Strata returns the classes as strata for the functions below, or one stratum
// of all rows.
func (s *Set) Strata(stratified bool) (y []int, strata int) {
	if stratified {
		return s.Y, s.C()
	}
	return make([]int, s.N()), 1
}

// StratifiedFolds assigns every row to one of k folds so that the folds' sizes
// differ by at most one and so do their shares of every class. The result is
// the fold number, 0..k-1, of each of the len(y) rows. A nil rng keeps the rows'
// order within a class.
func StratifiedFolds(y []int, classes, k int, rng *rand.Rand) ([]int, error) {
	if k < 2 || k > len(y) {
		return nil, fmt.Errorf("cannot split %d rows into %d folds", len(y), k)
	}
	fold := make([]int, len(y))
	next := 0 // dealing goes on where the last class stopped, which balances the sizes
	for c := range classes {
		var rows []int
		for i, label := range y {
			if label == c {
				rows = append(rows, i)
			}
		}
		if rng != nil {
			rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		}
		for _, r := range rows {
			fold[r] = next
			next = (next + 1) % k
		}
	}
	return fold, nil
}

// At returns the values of the given rows.
func At[V any](values []V, rows []int) []V {
	chosen := make([]V, len(rows))
	for k, i := range rows {
		chosen[k] = values[i]
	}
	return chosen
}

// SampleRows returns the rows where there are at most so many, else a simple random sample
// of that size in their order.
func SampleRows(rows []int, most int, rng *rand.Rand) []int {
	if len(rows) <= most {
		return rows
	}
	sample := rng.Perm(len(rows))[:most]
	slices.Sort(sample)
	return At(rows, sample)
}

// ByFirstRow numbers values in the order of their first rows.
func ByFirstRow[V comparable](values []V) []int {
	number, out := map[V]int{}, make([]int, len(values))
	for i, v := range values {
		if _, seen := number[v]; !seen {
			number[v] = len(number)
		}
		out[i] = number[v]
	}
	return out
}

// SplitFold returns the row numbers outside and inside fold f, both ascending.
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

// Subsample draws n of the rows without replacement, as many of each stratum as
// its share of them (largest remainders, lower strata first), in ascending order.
// With equal states of rng a smaller sample is part of a larger one, but for the
// rounding of the strata.
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
		rng.Shuffle(len(rows[c]), func(a, b int) { rows[c][a], rows[c][b] = rows[c][b], rows[c][a] })
		chosen = append(chosen, rows[c][:take]...)
	}
	slices.Sort(chosen)
	return chosen, nil
}

// apportion divides n among the strata by their sizes.
func apportion(rows [][]int, n, total int) []int {
	take := make([]int, len(rows))
	order := make([]int, len(rows))
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

// Holdout draws the share of the rows, rounded, for testing and leaves the others
// for training; both ascending.
func Holdout(y []int, strata int, share float64, rng *rand.Rand) (train, test []int, err error) {
	m := int(math.Round(share * float64(len(y))))
	if m < 1 || m >= len(y) {
		return nil, nil, fmt.Errorf("a share of %v of %d rows leaves none for training or for testing", share, len(y))
	}
	if test, err = Subsample(y, strata, m, rng); err != nil {
		return nil, nil, err
	}
	out := make([]int, len(y))
	for _, i := range test {
		out[i] = 1
	}
	train, test = SplitFold(out, 1)
	return train, test, nil
}

// GroupFolds assigns every row to one of k folds, all rows of a group to the same
// one: the largest groups first, each to the fold with the fewest rows. The k largest
// come in random order, then the next k, and so on: the folds are about as even as
// by size alone, and not the same in every repeat where all sizes differ.
func GroupFolds(groups []string, k int, rng *rand.Rand) ([]int, error) {
	names, sizes := groupSizes(groups)
	if k < 2 || k > len(names) {
		return nil, fmt.Errorf("cannot split %d groups into %d folds", len(names), k)
	}
	rng.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	for block := range slices.Chunk(names, k) {
		rng.Shuffle(len(block), func(a, b int) { block[a], block[b] = block[b], block[a] })
	}
	rows, at := make([]int, k), make(map[string]int, len(names))
	for _, name := range names {
		fewest := slices.Index(rows, slices.Min(rows))
		at[name] = fewest
		rows[fewest] += sizes[name]
	}
	fold := make([]int, len(groups))
	for i, g := range groups {
		fold[i] = at[g]
	}
	return fold, nil
}

// GroupHoldout draws groups in random order for testing until the share of the
// rows is reached, and leaves the others for training.
func GroupHoldout(groups []string, share float64, rng *rand.Rand) (train, test []int, err error) {
	names, sizes := groupSizes(groups)
	rng.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
	wanted, rows, in := share*float64(len(groups)), 0, map[string]bool{}
	for _, name := range names {
		if float64(rows) >= wanted {
			break
		}
		in[name] = true
		rows += sizes[name]
	}
	if rows == 0 || rows == len(groups) {
		return nil, nil, fmt.Errorf("%d groups cannot be divided so that about %v of %d rows are for testing",
			len(names), share, len(groups))
	}
	for i, g := range groups {
		if in[g] {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test, nil
}

// groupSizes returns the groups in the order of their first rows.
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
