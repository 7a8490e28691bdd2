package generators

import (
	"fmt"
	"math"

	"golang.org/x/exp/rand"

	"copse/stats/recipe"
)

// A dag is a directed acyclic graph whose nodes are the columns 0..d-1.
type dag struct {
	order   []int   // all columns; each comes after its parents
	parents [][]int // parents of each column, in the order in which they were drawn
}

// An ordering is a set of constraints on a random order of columns.
type ordering struct {
	rank   []int   // rank of each column; columns of a smaller rank come first
	before [][]int // before[j] lists columns that must come before column j; nil: no constraint
	first  int     // a column j with before[j] != nil cannot have a position below first
}

// draw returns a random order that meets the constraints. For each position, from front to back, it
// chooses uniformly among the columns that can come next. Without constraints in before, the order
// is uniform within each rank.
//
// It panics if no order meets the constraints.
func (o ordering) draw(rng *rand.Rand) []int {
	d := len(o.rank)
	order := make([]int, 0, d)
	placed := make([]bool, d)
	next := make([]int, 0, d)
	for len(order) < d {
		lowest := o.lowestRank(placed)
		next = next[:0] // the columns that can come next
		for j, rank := range o.rank {
			if !placed[j] && rank == lowest && o.free(j, len(order), placed) {
				next = append(next, j)
			}
		}
		if len(next) == 0 {
			panic("generators: no order of the columns meets all constraints")
		}
		j := next[rng.Intn(len(next))]
		placed[j] = true
		order = append(order, j)
	}
	return order
}

// lowestRank returns the smallest rank among the columns that are not placed yet.
func (o ordering) lowestRank(placed []bool) int {
	lowest := math.MaxInt
	for j, rank := range o.rank {
		if !placed[j] {
			lowest = min(lowest, rank)
		}
	}
	return lowest
}

// free reports whether the constraints before and first allow column j at the given position.
func (o ordering) free(j, position int, placed []bool) bool {
	if o.before == nil || o.before[j] == nil {
		return true
	}
	for _, k := range o.before[j] {
		if !placed[k] {
			return false
		}
	}
	return position >= o.first
}

// blockRanks returns the number (from 0) of the block of each of d columns. cuts[b] is the number
// (from 1) of the last column of block b; nil means that all columns form one block.
func blockRanks(d int, cuts []int) []int {
	rank := make([]int, d)
	for _, cut := range cuts {
		for j := cut; j < d; j++ {
			rank[j]++
		}
	}
	return rank
}

// checkBlocks returns an error unless the values of block_cuts increase and lie within 1..d.
func checkBlocks(cuts []int, d int) error {
	if len(cuts) == 0 {
		return &recipe.Error{Key: "block_cuts",
			Msg: "order: blocks needs the number of the last variable of each block, such as [10, 20]"}
	}
	for i, cut := range cuts {
		if cut < 1 || cut > d || i > 0 && cut <= cuts[i-1] {
			problem := fmt.Sprintf("the numbers %v must increase and lie within 1..%d", cuts, d)
			return &recipe.Error{Key: "block_cuts", Msg: problem}
		}
	}
	return nil
}

// choose returns k distinct elements of from in uniformly random order.
func choose(from []int, k int, rng *rand.Rand) []int {
	pool := append([]int(nil), from...)
	for i := range k {
		j := i + rng.Intn(len(pool)-i)
		pool[i], pool[j] = pool[j], pool[i]
	}
	return pool[:k:k]
}

// columns returns 0..d-1.
func columns(d int) []int {
	all := make([]int, d)
	for j := range all {
		all[j] = j
	}
	return all
}
