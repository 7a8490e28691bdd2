package dataset

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats"
)

// Strata returns the stratum of each row. The strata are the classes if stratified is true. Otherwise,
// there is only one stratum.
func (s *Set) Strata(stratified bool) []int {
	if stratified {
		return s.Y
	}
	return make([]int, s.N())
}

// StratifiedFolds assigns each row to one of k folds, numbered from 0. y[i] is the class of row i.
//
// Sizes of folds differ by at most one, in total and within each class. The rows of each class are
// shuffled unless rng is nil.
func StratifiedFolds(y []int, k int, rng *rand.Rand) ([]int, error) {
	if k < 2 || k > len(y) {
		return nil, fmt.Errorf("cannot split %d rows into %d folds", len(y), k)
	}
	fold := make([]int, len(y))
	next := 0 // the next fold; a class continues where the last class stopped, which balances the sizes
	for _, rows := range byStratum(y) {
		shuffle(rows, rng)
		for _, r := range rows {
			fold[r] = next
			next = (next + 1) % k
		}
	}
	return fold, nil
}

// byStratum returns the rows of each stratum. y[i] is the stratum of row i. y must not be empty.
func byStratum(y []int) [][]int {
	rows := make([][]int, slices.Max(y)+1)
	for i, stratum := range y {
		rows[stratum] = append(rows[stratum], i)
	}
	return rows
}

// At returns values[i] for each row i of rows. It returns nil if values is nil.
func At[V any](values []V, rows []int) []V {
	if values == nil {
		return nil
	}
	chosen := make([]V, len(rows))
	for k, i := range rows {
		chosen[k] = values[i]
	}
	return chosen
}

// SampleRows draws at most the given number of rows without replacement. It returns them in their original
// order.
func SampleRows(rows []int, most int, rng *rand.Rand) []int {
	if len(rows) <= most {
		return rows
	}
	sample := rng.Perm(len(rows))[:most]
	slices.Sort(sample)
	return At(rows, sample)
}

// NumberDistinct numbers distinct values from 0 in the order of first occurrence. Equal values get
// equal numbers. For b, a, b it returns 0, 1, 0.
func NumberDistinct[V comparable](values []V) []int {
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

// SplitFold returns the indices of the rows outside fold f (train) and in fold f (test), both in
// ascending order. fold[i] is the fold of row i.
func SplitFold(fold []int, f int) (train, test []int) {
	return splitRows(len(fold), func(i int) bool { return fold[i] == f })
}

// splitRows divides the rows 0 to n-1 into those for which isTest is false (train) and true (test), in ascending order.
func splitRows(n int, isTest func(i int) bool) (train, test []int) {
	for i := range n {
		if isTest(i) {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}

// Subsample draws n rows without replacement and returns their indices in ascending order. y[i] is
// the stratum of row i. Each stratum contributes in proportion to its size.
//
// For the same state of rng, a larger sample contains a smaller one. Exceptions are possible,
// because the contribution of a stratum is rounded.
func Subsample(y []int, n int, rng *rand.Rand) ([]int, error) {
	if n < 1 || n > len(y) {
		return nil, fmt.Errorf("cannot draw %d of %d rows", n, len(y))
	}
	rows := byStratum(y)
	var chosen []int
	for c, take := range apportion(rows, n, len(y)) {
		shuffle(rows[c], rng)
		chosen = append(chosen, rows[c][:take]...)
	}
	slices.Sort(chosen)
	return chosen, nil
}

// apportion divides a sample of n rows among the strata in proportion to their sizes, by the method of
// largest remainders. Ties go to the first stratum. rows[k] lists the rows of stratum k, and take[k] is
// the number of rows to draw from it. total is the number of rows in all strata.
func apportion(rows [][]int, n, total int) (take []int) {
	take = make([]int, len(rows))
	left := n // rows that remain after the exact shares n*len(rows[k])/total are rounded down
	for k := range rows {
		take[k] = n * len(rows[k]) / total
		left -= take[k]
	}
	remainder := func(k int) int { return n * len(rows[k]) % total }
	order := stats.Indices(len(rows)) // the strata, the largest remainder first
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(remainder(b), remainder(a)) })
	for _, k := range order[:left] {
		take[k]++
	}
	return take
}

// Holdout draws a share of the rows as test rows, rounded to a whole number of rows. It returns the
// indices of the training and test rows in ascending order. y[i] is the stratum of row i.
func Holdout(y []int, share float64, rng *rand.Rand) (train, test []int, err error) {
	m := int(math.Round(share * float64(len(y))))
	if m < 1 || m >= len(y) {
		return nil, nil, fmt.Errorf("a test share of %v divides %d rows into %d for testing and %d for training; "+
			"both need at least 1", share, len(y), m, len(y)-m)
	}
	if test, err = Subsample(y, m, rng); err != nil {
		return nil, nil, err
	}
	train, test = splitRows(len(y), func(i int) bool {
		_, isTest := slices.BinarySearch(test, i)
		return isTest
	})
	return train, test, nil
}

// largeFirst returns the numbers of the groups in a random order that begins with the large groups.
// It sorts the groups by size and then shuffles each block of k groups. Without shuffling, the order
// would not be random if all groups differ in size. If rng is nil, it shuffles nothing.
func largeFirst(sizes []int, k int, rng *rand.Rand) []int {
	order := stats.Indices(len(sizes))
	shuffle(order, rng) // groups of equal size keep this random order
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	for block := range slices.Chunk(order, k) {
		shuffle(block, rng) // block shares memory with order
	}
	return order
}

// StratifiedGroupFolds assigns each row to one of k folds. All rows of a group are in the same fold,
// and each class is spread over the folds as evenly as the groups permit. y[i] is the class of row
// i, and groups[i] is the number of its group. The result is random unless rng is nil.
//
// The groups are assigned one after the other, large groups first. The share of a class is the
// proportion of its rows that are in the fold. Each group goes to the fold in which the largest
// share of its classes becomes smallest. Ties go to the fold with the fewest rows.
func StratifiedGroupFolds(y, groups []int, k int, rng *rand.Rand) ([]int, error) {
	sizes := GroupSizes(groups)
	if k < 2 || k > len(sizes) {
		return nil, fmt.Errorf("cannot split %d groups into %d folds", len(sizes), k)
	}
	// Classes and groups are numbered by their first rows, so that their names do not matter.
	class, rowsOfGroup := NumberDistinct(y), byStratum(NumberDistinct(groups))
	total := counts(class, slices.Max(class)+1) // number of rows of each class
	inFold := make([][]int, k)                  // inFold[f][c]: number of rows of class c in fold f so far
	for f := range inFold {
		inFold[f] = make([]int, len(total))
	}
	fold := make([]int, len(y))
	for _, g := range largeFirst(sizes, k, rng) {
		inGroup := counts(At(class, rowsOfGroup[g]), len(total))
		f := slices.MinFunc(stats.Indices(k), func(a, b int) int {
			shareA, shareB := largestShare(inFold[a], inGroup, total), largestShare(inFold[b], inGroup, total)
			return cmp.Or(cmp.Compare(shareA, shareB), cmp.Compare(stats.Sum(inFold[a]), stats.Sum(inFold[b])))
		})
		for c, rows := range inGroup {
			inFold[f][c] += rows
		}
		for _, i := range rowsOfGroup[g] {
			fold[i] = f
		}
	}
	return fold, nil
}

// counts returns how often each code 0..n-1 occurs.
func counts(codes []int, n int) []int {
	times := make([]int, n)
	for _, code := range codes {
		times[code]++
	}
	return times
}

// largestShare returns the largest share that a class of the group has in a fold to which the group
// is added. The arguments contain the number of rows of each class: in the fold without the group,
// in the group, and in total.
func largestShare(inFold, inGroup, total []int) float64 {
	largest := 0.0
	for c, rows := range inGroup {
		if rows > 0 {
			largest = max(largest, float64(inFold[c]+rows)/float64(total[c]))
		}
	}
	return largest
}

// shuffle does nothing if rng is nil.
func shuffle[V any](values []V, rng *rand.Rand) {
	if rng != nil {
		rng.Shuffle(len(values), func(a, b int) { values[a], values[b] = values[b], values[a] })
	}
}

// GroupHoldout draws random groups for testing until they contain at least the given share of the
// rows. It returns the indices of the training and test rows in ascending order.
//
// If rng is nil, GroupHoldout takes the groups in order of first occurrence.
func GroupHoldout(groups []int, share float64, rng *rand.Rand) (train, test []int, err error) {
	part, err := HoldoutOfGroups(GroupSizes(groups), share, rng)
	if err != nil {
		return nil, nil, err
	}
	train, test = SplitFold(At(part, NumberDistinct(groups)), 1)
	return train, test, nil
}

// HoldoutOfGroups is like GroupHoldout, for groups with the given numbers of rows. part[g] is 1 if
// group g is drawn for testing, and otherwise 0.
func HoldoutOfGroups(sizes []int, share float64, rng *rand.Rand) (part []int, err error) {
	order := stats.Indices(len(sizes))
	shuffle(order, rng)
	all := stats.Sum(sizes)
	wanted, rows := share*float64(all), 0
	part = make([]int, len(sizes))
	for _, g := range order {
		if float64(rows) >= wanted {
			break
		}
		part[g] = 1
		rows += sizes[g]
	}
	if rows == 0 || rows == all {
		return nil, fmt.Errorf("cannot divide %d groups so that the test share is about %v of the %d rows",
			len(sizes), share, all)
	}
	return part, nil
}

// GroupHoldoutRange returns the sizes of the smallest and of the largest training part that
// GroupHoldout can draw. If a part is empty, GroupHoldout returns an error.
func GroupHoldoutRange(groups []int, share float64) (least, most int) {
	ascending := slices.Sorted(slices.Values(GroupSizes(groups)))
	last := len(ascending) - 1
	largest := ascending[last]
	// Bit s of sums is 1 if some of the groups except the largest have s rows in total.
	sums := subsetSums(ascending[:last])
	// GroupHoldout draws groups until the test part has at least this number of rows.
	wanted := int(math.Ceil(share * float64(len(groups))))
	// The test part is largest if the largest group is drawn last and the groups drawn before it have as
	// many rows as possible without reaching the wanted number.
	mostBefore := wanted - 1
	for sums.Bit(mostBefore) == 0 {
		mostBefore--
	}
	mostTest := mostBefore + largest
	// The smallest test part has the smallest sum of group sizes that reaches the wanted number. It
	// may contain the largest group.
	addToSums(sums, largest) // sums now also counts sets with the largest group
	leastTest := wanted
	for sums.Bit(leastTest) == 0 {
		leastTest++
	}
	return len(groups) - mostTest, len(groups) - leastTest
}

// subsetSums returns the sums of all subsets of sizes, as a bit set. The set contains 0, the sum of
// the empty subset.
func subsetSums(sizes []int) *big.Int {
	sums := big.NewInt(1)
	for size, count := range atMostTwice(sizes) {
		for range count {
			addToSums(sums, size)
		}
	}
	return sums
}

// addToSums adds the number s + size to the set sums, for each number s in the set. Bit s of sums
// is 1 if the set contains s.
func addToSums(sums *big.Int, size int) { sums.Or(sums, new(big.Int).Lsh(sums, uint(size))) }

// atMostTwice shortens a list of sizes without changing its subset sums. The result maps each
// remaining size to its count, 1 or 2.
//
// Two of three equal sizes are replaced with their sum. For example, 5, 5, 5 becomes 5, 10.
func atMostTwice(sizes []int) map[int]int {
	counts := map[int]int{}
	for _, size := range sizes {
		for counts[size] == 2 { // size, size, size becomes size, 2*size
			counts[size]--
			size *= 2
		}
		counts[size]++
	}
	return counts
}

// GroupSizes returns the number of rows of each distinct group, in order of first occurrence.
func GroupSizes[V comparable](groups []V) []int {
	numbers := NumberDistinct(groups)
	if len(numbers) == 0 {
		return nil
	}
	return counts(numbers, slices.Max(numbers)+1)
}
