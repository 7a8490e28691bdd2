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

// Many more log densities than rows never lie in memory together. The linear
// machine needs their n x n dot products alone, so columns are made, standardised,
// multiplied and forgotten, tile by tile; the weights take a second pass.

// heldNumbers bounds the log densities that are held at a time, 512 MB.
const heldNumbers = 1 << 26

// wide reports whether p log densities at n rows are too many to be held and their
// dot products, so many n x n matrices, take less memory. No study with 200
// variables and 1000 rows comes here: sums in another order have other last bits.
func wide(n, p, matrices int) bool { return n*p > heldNumbers && n*matrices < p }

// heldRows returns the number of rows, of n, whose p log densities are held at a
// time.
func heldRows(n, p int) int {
	if n*p <= heldNumbers {
		return n
	}
	return max(heldNumbers/4/p, 1)
}

// tryTiles tries the sizes that are not done where the log densities are too many to be
// held.
func (s *sizeSearch) tryTiles(ctx context.Context) error {
	s.memory, s.solver = nil, svm.LinearSolver{} // room for the products
	n, sizes := len(s.y), s.sizes[s.done:]
	added := make([][]*svm.Products, s.folds) // [fold][size], of the columns that the size before has not
	for f := range added {
		for range sizes {
			added[f] = append(added[f], svm.NewProducts(n))
		}
	}
	folds := 0
	if s.Select == refit {
		folds = s.folds
	}
	err := s.densities.EachTile(ctx, s.fold, folds, func(tile logdensity.Tile) error {
		parallel.For(ctx, s.folds, func() func(int) {
			var memory []float64
			return func(f int) {
				t := tile.All
				if s.Select == refit {
					t = tile.Without[f]
				}
				outside, inside := dataset.SplitFold(s.fold, f)
				z := columns.StandardScaling(t, outside).ApplyIn(memory, t, slices.Concat(outside, inside))
				memory = z.RawMatrix().Data
				for i, from := 0, 0; i < len(sizes) && ctx.Err() == nil; i++ {
					to, _ := slices.BinarySearch(tile.Entries, sizes[i])
					if to > from {
						added[f][i].Add(ctx, z.Slice(0, n, from, to).(*mat.Dense))
					}
					from = to
				}
			}
		})
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for f := range s.folds {
		outside, inside := dataset.SplitFold(s.fold, f)
		part := productFold{sizeSearch: s, added: added[f], products: svm.NewProducts(n), y: signs(s.y, outside)}
		if start := s.machines[f]; start != nil {
			part.alpha = start.Alpha
		}
		if err := s.count(ctx, len(s.sizes), f, signs(s.y, inside), &part); err != nil {
			return err
		}
	}
	s.done = len(s.sizes)
	return nil
}

// A productFold is a foldMachine that knows the products of its rows.
type productFold struct {
	*sizeSearch
	added    []*svm.Products // by size, of the columns that the size before has not
	products *svm.Products
	y        []float64 // outside, the first rows
	alpha    []float64
	bias     float64
}

func (p *productFold) train(ctx context.Context, size int) (err error) {
	p.products.AddAll(p.added[size-p.done])
	p.alpha, p.bias, err = p.products.Solve(ctx, p.y, p.C, p.Tolerance, p.alpha)
	return err
}

func (p *productFold) decision(inside int) float64 {
	return p.products.Decision(len(p.y)+inside, p.y, p.alpha, p.bias)
}

// separateWide is separate where the log densities are too many to be held.
func (m densityMachine) separateWide(
	ctx context.Context,
	train *dataset.Set,
	densities *logdensity.Map,
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
