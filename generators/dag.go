package generators

import (
	"fmt"
	"math"

	"golang.org/x/exp/rand"

	"copse/stats/recipe"
)

// A dag is a directed acyclic graph over the columns 0..d-1.
type dag struct {
	order   []int   // every column after its parents
	parents [][]int // by column, in the order in which they were drawn
}

// An ordering is a set of constraints on the order of columns.
type ordering struct {
	rank   []int   // by column: columns of a smaller rank come first
	before [][]int // by column: columns that come before it; nil: any
	first  int     // columns with a list in before are not among the first so many
}

// draw returns a random order that meets the constraints. It is built from front to back, each time
// uniformly from the columns that may come next; without before it is uniform within every rank.
//
// It panics if no order meets the constraints.
func (o ordering) draw(rng *rand.Rand) []int {
	d := len(o.rank)
	order := make([]int, 0, d)
	placed := make([]bool, d)
	next := make([]int, 0, d)
	for len(order) < d {
		lowest := math.MaxInt
		for j, rank := range o.rank {
			if !placed[j] {
				lowest = min(lowest, rank)
			}
		}
		next = next[:0] // columns that may come next
		for j, rank := range o.rank {
			if !placed[j] && rank == lowest && o.free(j, len(order), placed) {
				next = append(next, j)
			}
		}
		if len(next) == 0 {
			panic("generators: contradictory constraints on the order of the columns")
		}
		j := next[rng.Intn(len(next))]
		placed[j] = true
		order = append(order, j)
	}
	return order
}

// free reports whether column j may come at the given position, apart from its rank.
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

// blockRanks returns the number of the block of each of d columns, from 0 on. cuts are the last columns
// of the blocks, counted from 1; nil means one block.
func blockRanks(d int, cuts []int) []int {
	rank := make([]int, d)
	for _, cut := range cuts {
		for j := cut; j < d; j++ {
			rank[j]++
		}
	}
	return rank
}

// checkBlocks returns an error unless cuts, the parameter block_cuts, rise within 1..d.
func checkBlocks(cuts []int, d int) error {
	if len(cuts) == 0 {
		return &recipe.Error{Key: "block_cuts",
			Msg: "order blocks needs the last variable of each block, such as [10, 20]"}
	}
	for i, cut := range cuts {
		if cut < 1 || cut > d || i > 0 && cut <= cuts[i-1] {
			return &recipe.Error{Key: "block_cuts", Msg: fmt.Sprintf("%v must rise within 1..%d", cuts, d)}
		}
	}
	return nil
}

// choose returns k distinct elements of from, in uniformly random order.
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
