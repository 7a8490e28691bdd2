package logdensity

import (
	"cmp"
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Tile is the columns of some entries in T at the training rows.
type Tile struct {
	Entries []int        // their numbers, ascending
	All     *mat.Dense   // n x len(Entries), all rows in the densities
	Without []*mat.Dense // likewise, without the rows of each fold
}

// tileVariables is the edge of the square of pairs whose columns are made at a
// time: the kernel values of its variables stay in the second-level cache, and
// serve so many pairs each that computing them anew for every tile costs a fourth
// of the sums. Its square is no power of two: rows that far apart would share a few
// sets of the caches.
const tileVariables = 63

// TileColumns is the most columns of a tile, but for those of the variables alone.
const TileColumns = tileVariables * tileVariables

// EachTile calls use with all columns of T at the training rows, some at a time,
// so that they never lie in memory together: each has the bits that CrossFeatures
// gives it, Features where there are no folds. The matrices are use's until it
// returns.
func (t *Map) EachTile(ctx context.Context, fold []int, folds int, use func(Tile) error) error {
	tile := Tile{All: &mat.Dense{}, Without: make([]*mat.Dense, folds)}
	for f := range tile.Without {
		tile.Without[f] = &mat.Dense{}
	}
	for _, tile.Entries = range t.squares() {
		part := t.Select(tile.Entries)
		for c := range part.classes {
			part.classes[c].byVariables()
		}
		n, p := t.train.N(), len(tile.Entries)
		for _, m := range append([]*mat.Dense{tile.All}, tile.Without...) {
			*m = *mat.NewDense(n, p, slices.Grow(m.RawMatrix().Data[:0], n*p)[:n*p])
		}
		err := error(nil)
		if folds > 0 {
			err = part.crossFeatures(ctx, fold, tile.All, tile.Without)
		} else {
			tile.All, err = part.features(ctx, tile.All.RawMatrix().Data, t.train.X)
		}
		if err != nil {
			return err
		}
		if err := use(tile); err != nil {
			return err
		}
	}
	return nil
}

// squares returns the numbers of all entries, square by square of the (class, I, J)
// that they stand for, ascending in each.
func (t *Map) squares() [][]int {
	number := map[Entry]int{} // of a square
	var squares [][]int
	for k, e := range t.Entries {
		at := Entry{e.Class, e.I / tileVariables, e.J / tileVariables}
		if e.I == e.J { // of a class's variables all
			at = Entry{e.Class, -1, -1}
		}
		if _, ok := number[at]; !ok {
			number[at] = len(squares)
			squares = append(squares, nil)
		}
		squares[number[at]] = append(squares[number[at]], k)
	}
	return squares
}

// byVariables orders the pairs so that those of neighbouring variables are summed
// together.
func (c *classDensities) byVariables() {
	slices.SortFunc(c.pairs, func(a, b pairEntry) int { return cmp.Or(a.I-b.I, a.J-b.J) })
	c.sums = c.productSums(c.whole)
}
