package classifiers

import (
	"context"
	"fmt"
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

// wideErrors is narrowErrors where the log densities are too many to be held.
func (s *SLB) wideErrors(ctx context.Context, densities *logdensity.Map, y, fold, sizes []int) ([]int, error) {
	added := make([][]*svm.Products, s.Folds) // [fold][size], of the columns that the size before has not
	for f := range added {
		for range sizes {
			added[f] = append(added[f], svm.NewProducts(len(y)))
		}
	}
	folds := 0
	if s.Select == refit {
		folds = s.Folds
	}
	err := densities.EachTile(ctx, fold, folds, func(tile logdensity.Tile) error {
		parallel.For(ctx, s.Folds, func() func(int) {
			var memory []float64
			return func(f int) {
				t := tile.All
				if s.Select == refit {
					t = tile.Without[f]
				}
				outside, inside := dataset.SplitFold(fold, f)
				z := columns.StandardScaling(t, outside).ApplyIn(memory, t, slices.Concat(outside, inside))
				memory = z.RawMatrix().Data
				for i, from := 0, 0; i < len(sizes) && ctx.Err() == nil; i++ {
					to, _ := slices.BinarySearch(tile.Entries, sizes[i])
					if to > from {
						added[f][i].Add(ctx, z.Slice(0, len(y), from, to).(*mat.Dense))
					}
					from = to
				}
			}
		})
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	errors := make([]int, len(sizes))
	for f := range s.Folds {
		if err := s.productErrors(ctx, added[f], y, fold, f, errors); err != nil {
			return nil, err
		}
	}
	return errors, nil
}

// productErrors adds the errors of fold f to those of each size.
func (s *SLB) productErrors(ctx context.Context, added []*svm.Products, y, fold []int, f int, errors []int) error {
	outside, inside := dataset.SplitFold(fold, f)
	signsOutside, signsInside := signs(y, outside), signs(y, inside)
	products := svm.NewProducts(len(y))
	var alpha []float64
	for i := range errors {
		if s.decided(errors, f, i) {
			break
		}
		products.AddAll(added[i])
		solution, bias, err := products.Solve(ctx, signsOutside, s.C, s.Tolerance, alpha)
		if err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		alpha = solution
		for r, sign := range signsInside {
			positive := products.Decision(len(outside)+r, signsOutside, alpha, bias) > 0
			if positive != (sign > 0) {
				errors[i]++
			}
		}
	}
	return nil
}

// separateWide is separate where the log densities are too many to be held.
func (m densityMachine) separateWide(ctx context.Context, train *dataset.Set, densities *logdensity.Map) (*densitySVM, error) {
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
	alpha, b, err := products.Solve(ctx, y, m.c, m.tolerance, nil)
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
