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

// With many more log densities than rows, the log densities do not fit in memory together. The
// linear machine needs only their n x n dot products. So they are computed, standardised and
// multiplied tile by tile, a tile being some of the columns; the weights take a second pass.

// heldNumbers is the largest number of log densities in memory at a time, 512 MB.
const heldNumbers = 1 << 26

// wide reports whether p log densities at n rows do not fit in memory, while their dot products,
// in the given number of n x n matrices, take less. It is false for up to 200 variables and 1000
// rows, whose stored results depend on the order of sums.
func wide(n, p, matrices int) bool { return n*p > heldNumbers && n*matrices < p }

// heldRows returns the number of rows, of n, whose p log densities are in memory at a time.
func heldRows(n, p int) int {
	if n*p <= heldNumbers {
		return n
	}
	return max(heldNumbers/4/p, 1)
}

// tryTiles counts the errors of the sizes that are not done from dot products.
func (s *sizeSearch) tryTiles(ctx context.Context) error {
	s.memory, s.solver = nil, svm.LinearSolver{} // make room for the products
	machines := make([]*productMachine, s.folds)
	for f := range machines {
		machines[f] = s.newProductMachine(f)
	}
	refits := 0 // the number of folds that have densities of their own
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

// addTile adds the products of a tile's columns to the machine of each fold, in parallel.
func addTile(ctx context.Context, machines []*productMachine, tile logdensity.Tile) error {
	parallel.For(ctx, len(machines), func() func(int) {
		var memory []float64 // reused by one core
		return func(f int) {
			t := tile.All
			if len(tile.Without) > 0 { // the fold has densities of its own
				t = tile.Without[f]
			}
			memory = machines[f].add(ctx, t, tile.Entries, memory)
		}
	})
	return ctx.Err()
}

// A productMachine is a foldMachine on dot products of its rows, the training rows before the
// held-out ones.
type productMachine struct {
	*sizeSearch
	outside, inside []int           // the training and the held-out rows
	added           []*svm.Products // by size that is not done: of the columns that the size before lacks
	products        *svm.Products   // of the columns of the current size
	y               []float64       // the classes of outside, -1 or 1
	alpha           []float64       // of the current solution, nil before the first
	bias            float64
}

// newProductMachine returns the machine of fold f without any products.
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

// add adds the dot products of some columns of log densities, given as t with their ascending
// entries: for each size, the products of those columns that it has and smaller sizes have not. It
// standardises the columns by the training rows. It computes in memory, which it may enlarge, and
// returns it for the next call.
func (m *productMachine) add(ctx context.Context, t *mat.Dense, entries []int, memory []float64) []float64 {
	n := len(m.sizeSearch.y)
	z := columns.StandardScaling(t, m.outside).ApplyIn(memory, t, slices.Concat(m.outside, m.inside))
	from := 0
	for i, size := range m.sizes[m.done:] {
		if ctx.Err() != nil {
			break // the caller reports it
		}
		to, _ := slices.BinarySearch(entries, size) // the columns before to have entries below size
		if to > from {
			m.added[i].Add(ctx, z.Slice(0, n, from, to).(*mat.Dense))
		}
		from = to
	}
	return z.RawMatrix().Data
}

// train solves the machine on the first densities, as many as the size at this place, from its last
// solution. Sizes come in ascending order, since each adds its products.
func (m *productMachine) train(ctx context.Context, size int) (err error) {
	m.products.AddAll(m.added[size-m.done])
	m.alpha, m.bias, err = m.products.Solve(ctx, m.y, m.C, m.Tolerance, m.alpha)
	return err
}

// decision returns the decision value of a held-out row, positive for class 1.
func (m *productMachine) decision(inside int) float64 {
	return m.products.Decision(len(m.y)+inside, m.y, m.alpha, m.bias)
}

// separateWide is separate for log densities that do not fit in memory. It passes over the tiles
// twice: for the dot products and the scaling, then for the weights.
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
	w := make([]float64, p) // sum_r y_r alpha_r z_r
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
