package densities

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/stats/dataset"
	"copse/stats/parallel"
)

// If there are many more log densities than rows, the log densities do not fit into memory. A linear
// machine only needs the n x n dot products between rows. This file therefore computes log densities
// in tiles, i.e. batches of columns, and adds the dot products of each tile. A second pass over the
// tiles computes the weights.

// heldNumbers is the largest number of log densities in memory at the same time (512 MB).
const heldNumbers = 1 << 26

// wide reports whether to use dot products: p log densities at n rows do not fit into memory, but the
// given number of n x n matrices takes less memory. wide is false for up to 200 variables and 1000
// rows, because another order of sums would change the stored results of such studies.
func wide(n, p, matrices int) bool { return n*p > heldNumbers && n*matrices < p }

// heldRows returns how many of n rows, with p log densities each, are in memory at the same time.
func heldRows(n, p int) int {
	if n*p <= heldNumbers {
		return n
	}
	return max(heldNumbers/4/p, 1)
}

// tryTiles counts the errors of sizes[s.done:] in all folds. It first computes the dot products of all
// folds, in one pass over the tiles, and then trains the machine of each fold.
func (s *sizeSearch) tryTiles(ctx context.Context) error {
	s.memory, s.solver = nil, svm.LinearSolver{} // free memory for the products
	machines := make([]*productMachine, s.folds)
	for f := range machines {
		machines[f] = s.newProductMachine(f)
	}
	refits := 0 // number of folds for which EachTile estimates separate densities
	if s.Select == refit {
		refits = s.folds
	}
	err := s.densities.EachTile(ctx, s.fold, refits, func(tile logdensity.Tile) error {
		return addTile(ctx, machines, tile)
	})
	if err != nil {
		return err
	}
	for f, machine := range machines {
		if err := s.count(ctx, len(s.sizes), f, signs(s.y, machine.inside), machine); err != nil {
			return err
		}
	}
	s.done = len(s.sizes)
	return nil
}

// addTile adds the dot products of the columns of a tile to the machine of each fold, in parallel.
func addTile(ctx context.Context, machines []*productMachine, tile logdensity.Tile) error {
	parallel.For(ctx, len(machines), func() func(int) {
		var memory []float64 // reused for all folds on the same core
		return func(f int) {
			t := tile.All
			if len(tile.Without) > 0 { // the densities were estimated without fold f
				t = tile.Without[f]
			}
			memory = machines[f].add(ctx, t, tile.Entries, memory)
		}
	})
	return ctx.Err()
}

// A productMachine implements foldMachine with the dot products between the rows of a fold. The order of
// the rows is: first the training rows, then the held-out rows.
type productMachine struct {
	*sizeSearch
	outside, inside []int // training rows and held-out rows
	// added[i] has the dot products of the columns that sizes[done+i] has, but the previous size has not.
	added    []*svm.Products
	products *svm.Products // dot products of the columns of the current size
	y        []float64     // classes of the training rows, -1 or 1
	alpha    []float64     // multipliers of the current solution; nil before the first
	bias     float64       // constant of the current solution
}

// newProductMachine returns the machine of fold f. Its dot products are 0, and it starts from the last
// solution of the fold, if there is one.
func (s *sizeSearch) newProductMachine(f int) *productMachine {
	n := len(s.y)
	outside, inside := dataset.SplitFold(s.fold, f)
	m := &productMachine{
		sizeSearch: s,
		outside:    outside,
		inside:     inside,
		products:   svm.NewProducts(n),
		y:          signs(s.y, outside),
	}
	for range s.sizes[s.done:] {
		m.added = append(m.added, svm.NewProducts(n))
	}
	if start := s.machines[f]; start != nil {
		m.alpha = start.Alpha
	}
	return m
}

// add adds the dot products of a tile. Column k of t has the log densities of entry entries[k];
// entries are in ascending order. A column belongs to the smallest size that is larger than its
// entry: add adds its products to the element of m.added for this size. It first standardises the
// columns by the training rows. memory is working space; add returns it, possibly enlarged, for the
// next call.
func (m *productMachine) add(ctx context.Context, t *mat.Dense, entries []int, memory []float64) []float64 {
	n := len(m.sizeSearch.y)
	z := columns.StandardScaling(t, m.outside).ApplyIn(memory, t, slices.Concat(m.outside, m.inside))
	from := 0
	for i, size := range m.sizes[m.done:] {
		if ctx.Err() != nil {
			break // the caller returns the error of ctx
		}
		to, _ := slices.BinarySearch(entries, size) // entries[from:to] belong to this size
		if to > from {
			m.added[i].Add(ctx, z.Slice(0, n, from, to).(*mat.Dense))
		}
		from = to
	}
	return z.RawMatrix().Data
}

// train fits the machine to the first sizes[size] log densities. It starts from the last solution. Calls
// must be in ascending order of size, because each call adds the products of further columns.
func (m *productMachine) train(ctx context.Context, size int) (err error) {
	m.products.AddAll(m.added[size-m.done])
	m.alpha, m.bias, err = m.products.Solve(ctx, m.y, m.C, m.Tolerance, m.alpha)
	return err
}

// decision returns the decision value of a held-out row. A positive value means class 1.
func (m *productMachine) decision(inside int) float64 {
	return m.products.Decision(len(m.y)+inside, m.y, m.alpha, m.bias)
}

// separateWide does the same as separate for log densities that do not fit into memory. The first pass
// over the tiles computes dot products and the scaling. The second pass computes the weights,
// w = sum_r y_r alpha_r z_r, where z_r are the scaled log densities of row r.
func (m densityMachine) separateWide(
	ctx context.Context, train *dataset.Set, densities *logdensity.Map,
) (*densitySVM, error) {
	n, p := train.N(), len(densities.Entries)
	products := svm.NewProducts(n)
	scale := columns.Scaling{Centre: make([]float64, p), Factor: make([]float64, p)}
	var memory []float64
	err := densities.EachTile(ctx, nil, 0, func(tile logdensity.Tile) error {
		s := m.scaling(tile.All)
		z := s.ApplyIn(memory, tile.All, columns.Head(n))
		memory = z.RawMatrix().Data
		products.Add(ctx, z)
		for k, entry := range tile.Entries {
			scale.Centre[entry], scale.Factor[entry] = s.Centre[k], s.Factor[k]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	y := signs(train.Y, columns.Head(n))
	alpha, b, err := products.Solve(ctx, y, m.C, m.Tolerance, nil)
	if err != nil {
		return nil, err
	}
	w := make([]float64, p)
	err = densities.EachTile(ctx, nil, 0, func(tile logdensity.Tile) error {
		for r, a := range alpha {
			for k, v := range tile.All.RawRowView(r) {
				entry := tile.Entries[k]
				w[entry] += y[r] * a * ((v - scale.Centre[entry]) * scale.Factor[entry])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newDensitySVM(densities, w, b, scale), nil
}
