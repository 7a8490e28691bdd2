package generators

import (
	"slices"

	"golang.org/x/exp/rand"

	"copse/stats"
	"copse/stats/dataset"
)

// A dag is a directed acyclic graph whose nodes are the columns 0..d-1.
type dag struct {
	order   []int   // all columns; each comes after its parents
	parents [][]int // parents of each column, in the order in which they were drawn
}

// drawOrder returns a random order of the columns. It draws each position uniformly among the
// columns that can come next, and panics if there is none. A column can come next if all its known
// parents come earlier and no remaining column has a smaller rank. The first nRoots positions are
// reserved for columns without known parents.
func drawOrder(rank []int, parents map[int][]int, nRoots int, rng *rand.Rand) []int {
	var order []int
	left := stats.Indices(len(rank))
	isLeft := func(j int) bool { return slices.Contains(left, j) }
	for len(left) > 0 {
		lowest := slices.Min(dataset.At(rank, left))
		var next []int
		for _, j := range left {
			isReserved := len(order) < nRoots && parents[j] != nil
			lacksParent := slices.ContainsFunc(parents[j], isLeft)
			if rank[j] == lowest && !isReserved && !lacksParent {
				next = append(next, j)
			}
		}
		if len(next) == 0 {
			panic("generators: no order of the columns meets all constraints")
		}
		chosen := next[rng.Intn(len(next))]
		order = append(order, chosen)
		left = slices.DeleteFunc(left, func(j int) bool { return j == chosen })
	}
	return order
}

// ordering contains the parameters of the random order of the variables.
type ordering struct {
	// rule for the random order of the variables. `per_class`: a separate order for each class.
	// `common`: one order for both classes. `blocks`: a separate order for each class, but random
	// only within blocks of variables (see `block_cuts`)
	Order string `param:"order" enum:"per_class,common,blocks"`
	// the last variable of each block, counted from 1, such as `[10, 20]`; used only if `order` is
	// `blocks`
	BlockCuts []int `param:"block_cuts" range:"[1,inf)"`
}

// blockRanks returns the block number of each column 0..d-1. A block begins at each column in
// BlockCuts. With d = 5 and BlockCuts = [2, 4], the result is 0, 0, 1, 1, 2.
func (o *ordering) blockRanks(d int) []int {
	rank := make([]int, d)
	for _, cut := range o.BlockCuts {
		for j := cut; j < d; j++ {
			rank[j]++
		}
	}
	return rank
}

// resolveBlocks removes all block cuts if o.Order is not "blocks". Otherwise, it returns an error
// unless there are block cuts that increase and lie within 1..d.
func (o *ordering) resolveBlocks(d int) error {
	cuts := o.BlockCuts
	switch {
	case o.Order != "blocks":
		o.BlockCuts = nil
		return nil
	case len(cuts) == 0:
		return invalid("block_cuts",
			"`order: blocks` needs the number of the last variable of each block, such as [10, 20]")
	}
	for i, cut := range cuts {
		if cut < 1 || cut > d || i > 0 && cut <= cuts[i-1] {
			return invalid("block_cuts", "the numbers %v must increase and lie within 1..%d", cuts, d)
		}
	}
	return nil
}

// drawDistinct returns k distinct elements of a list, in random order.
func drawDistinct(from []int, k int, rng *rand.Rand) []int {
	pool := slices.Clone(from)
	for i := range k {
		j := i + rng.Intn(len(pool)-i)
		pool[i], pool[j] = pool[j], pool[i]
	}
	return pool[:k:k]
}
