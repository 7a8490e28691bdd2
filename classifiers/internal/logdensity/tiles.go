package logdensity

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Tile is a block of columns of T at the training rows.
type Tile struct {
	Entries []int        // the entries of the columns, ascending
	All     *mat.Dense   // n x len(Entries): densities of all rows
	Without []*mat.Dense // Without[f]: densities without the rows of fold f
}

// A tile has the pairs of tileVariables variables with tileVariables others. The kernel
// values of these variables stay in the second-level cache. Each serves so many pairs that
// computing it anew for every tile costs a fourth of the kernel sums. The number is not a
// power of two, because rows of such a length would share a few sets of the caches.
const tileVariables = 63

// TileColumns is the largest number of pairs in a tile.
const TileColumns = tileVariables * tileVariables

// EachTile computes T at the training rows tile by tile and calls use with each tile, so
// that not all columns are in memory at once. fold[r] is the fold of row r; without folds,
// tiles have no Without. Columns have the bits of CrossFeatures or Features. use must not
// keep the matrices.
func (t *Map) EachTile(ctx context.Context, fold []int, folds int, use func(Tile) error) error {
	tile := Tile{All: &mat.Dense{}, Without: make([]*mat.Dense, folds)}
	for f := range tile.Without {
		tile.Without[f] = &mat.Dense{}
	}
	for _, tile.Entries = range t.squares() {
		if err := t.fill(ctx, fold, &tile); err != nil {
			return err
		}
		if err := use(tile); err != nil {
			return err
		}
	}
	return nil
}

// fill computes the matrices of a tile for its entries. It reuses their memory.
func (t *Map) fill(ctx context.Context, fold []int, tile *Tile) (err error) {
	part := t.Select(tile.Entries)
	for c := range part.classes {
		part.classes[c].byVariables()
	}
	n, p := t.train.N(), len(tile.Entries)
	for _, m := range append([]*mat.Dense{tile.All}, tile.Without...) {
		*m = *mat.NewDense(n, p, slices.Grow(m.RawMatrix().Data[:0], n*p)[:n*p])
	}
	if len(tile.Without) > 0 {
		return part.crossFeatures(ctx, fold, tile.All, tile.Without)
	}
	tile.All, err = part.features(ctx, tile.All.RawMatrix().Data, t.train.X)
	return err
}

// squares groups the numbers of all entries into tiles: one for the single variables of
// each class, and one for each square of pairs of a class. Each group is ascending.
func (t *Map) squares() [][]int {
	number := map[Entry]int{} // place of a square in squares, by class, I and J of the square
	var squares [][]int
	for k, e := range t.Entries {
		square := Entry{e.Class, e.I / tileVariables, e.J / tileVariables}
		if e.I == e.J {
			square = Entry{e.Class, -1, -1}
		}
		if _, ok := number[square]; !ok {
			number[square] = len(squares)
			squares = append(squares, nil)
		}
		squares[number[square]] = append(squares[number[square]], k)
	}
	return squares
}

// byVariables orders the pairs by their variables, so that the sums of neighbouring ones
// share kernel values in the cache.
func (c *classDensities) byVariables() {
	slices.SortFunc(c.pairs, func(a, b pairEntry) int { return cmp.Or(a.I-b.I, a.J-b.J) })
	c.sums = c.productSums(c.whole)
}
