package logdensity

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// A Tile is a batch of log densities at all training rows. Each column belongs to a variable or a
// pair of variables in one class.
type Tile struct {
	Entries []int        // the entries of the columns, ascending
	All     *mat.Dense   // n x len(Entries), from densities estimated from all rows
	Without []*mat.Dense // Without[f]: from densities estimated without the rows of fold f
}

// A tile contains all pairs of two blocks of tileVariables variables, whose kernel values fit in the
// second-level cache. tileVariables is not a power of two, because rows would then compete for a few
// sets of the caches.
const tileVariables = 63

// TileColumns is the largest number of pairs in a tile.
const TileColumns = tileVariables * tileVariables

// EachTile computes the feature map T at the training rows, one tile of columns at a time, and
// calls use(tile). So the columns need not all be in memory at once. The next tile overwrites the
// matrices.
//
// A tile contains the columns of some entries of T. In All, they are estimated from all rows, and
// in Without[f] from the rows outside fold f. fold[r] is the fold of row r, in 0..folds-1.
//
// The columns are bitwise identical to the results of CrossFeatures or, if folds is 0, of FeaturesIn.
func (t *Map) EachTile(ctx context.Context, fold []int, folds int, use func(Tile) error) error {
	tile := Tile{All: &mat.Dense{}, Without: make([]*mat.Dense, folds)}
	for f := range tile.Without {
		tile.Without[f] = &mat.Dense{} // resized by fill
	}
	for _, entries := range t.entriesByTile() {
		tile.Entries = entries
		if err := t.fill(ctx, fold, &tile); err != nil {
			return err
		}
		if err := use(tile); err != nil {
			return err
		}
	}
	return nil
}

// fill computes the matrices of a tile for tile.Entries. It overwrites the matrices of the previous
// tile.
func (t *Map) fill(ctx context.Context, fold []int, tile *Tile) (err error) {
	part := t.Select(tile.Entries)
	for c := range part.classes {
		part.classes[c].byVariables()
	}
	n, p := t.train.N(), len(tile.Entries)
	for _, m := range append([]*mat.Dense{tile.All}, tile.Without...) {
		*m = *mat.NewDense(n, p, stats.Resized(m.RawMatrix().Data, n*p))
	}
	if len(tile.Without) > 0 {
		return part.crossFeatures(ctx, fold, tile.All, tile.Without)
	}
	tile.All, err = part.features(ctx, tile.All.RawMatrix().Data, t.train.X)
	return err
}

// entriesByTile groups the indices of t.Entries into tiles, in ascending order. Each class has one
// tile for the single variables, and one for each block of tileVariables x tileVariables pairs.
func (t *Map) entriesByTile() [][]int {
	// A tile is identified by its class and, in the matrix of all pairs, by its row and column of
	// tiles. For single variables, row and column are -1.
	tileOf := func(k int) Entry {
		e := t.Entries[k]
		if e.I == e.J {
			return Entry{e.Class, -1, -1}
		}
		return Entry{e.Class, e.I / tileVariables, e.J / tileVariables}
	}
	return stats.Grouped(stats.Indices(len(t.Entries)), tileOf)
}

// byVariables sorts the pairs by their variables, so that neighbouring sums share kernel values in
// the CPU cache.
func (c *classDensities) byVariables() {
	slices.SortFunc(c.pairs, func(a, b pairEntry) int { return cmp.Or(a.I-b.I, a.J-b.J) })
	c.kernelSums = c.newKernelSums(c.onePart)
}
