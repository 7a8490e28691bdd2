package logdensity

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// A Rotation computes the feature map T for one fold of the training rows at a time, estimated from
// the other rows. Bandwidths and conversions to logarithms are estimated once, from all rows.
type Rotation struct {
	whole *Map
	fold  []int // fold[r] is the fold of training row r
	folds int
	held  *Map // the map without fold f; nil before the first call
	f     int
}

// Rotate returns a Rotation. Row r belongs to fold fold[r], in 0..folds-1.
func (t *Map) Rotate(fold []int, folds int) *Rotation {
	return &Rotation{whole: t, fold: fold, folds: folds}
}

// FeaturesIn returns the feature map T at the given training rows, estimated without fold f. It
// uses buffer if that is large enough. Make all calls for one fold together, because all densities
// are estimated again when f changes.
func (w *Rotation) FeaturesIn(ctx context.Context, buffer []float64, f int, rows []int) (*mat.Dense, error) {
	if w.held == nil || w.f != f {
		w.held = nil
		runtime.GC() // frees the densities of the previous fold
		held, err := w.whole.withoutFold(w.fold, w.folds, f)
		if err != nil {
			return nil, err
		}
		w.held, w.f = held, f
	}
	return w.held.features(ctx, buffer, columns.Rows(w.whole.train.X, rows))
}

// withoutFold returns a feature map without the training rows of fold f, but with the same
// bandwidths and conversions to logarithms. It stores no training set.
func (t *Map) withoutFold(fold []int, folds, f int) (*Map, error) {
	m := *t
	m.train, m.classes = nil, make([]classDensities, len(t.classes))
	for c := range t.classes {
		var err error
		if m.classes[c], err = t.classes[c].withoutFold(fold, folds, f); err != nil {
			return nil, fmt.Errorf("class %q: %w", t.train.Classes[c], err)
		}
	}
	return &m, nil
}

// withoutFold returns densities estimated without fold f, with the bandwidths of c. fold[r] is the
// fold of training row r, in 0..folds-1. If all rows of the class are in fold f, withoutFold returns
// an error.
//
// Unless c works pair by pair, it adds the kernel sums of the other folds in the same order as
// CrossFeatures, so that both give the same bits.
func (c *classDensities) withoutFold(fold []int, folds, f int) (classDensities, error) {
	foldOfRow := dataset.At(fold, c.rows)            // for the rows of the class only
	kept, removed := dataset.SplitFold(foldOfRow, f) // positions in c.rows
	if len(kept) == 0 {
		return classDensities{}, errNoRows(f)
	}
	s := classDensities{
		rule:      c.rule,
		hVariable: c.hVariable,
		pairs:     c.pairs,
		rows:      dataset.At(c.rows, kept),
		onePart:   kde.Whole(len(kept)),
	}
	for _, x := range c.columns {
		s.columns = append(s.columns, dataset.At(x, kept))
	}
	for k, density := range c.singlesWithout(removed) {
		s.singles = append(s.singles, single{c.singles[k].entry, c.singles[k].j, density})
	}
	parts := s.onePart
	if !c.worksPairByPair() {
		s.leftOut = f
		parts = s.otherFolds(fold, folds)
	}
	s.kernelSums = s.newKernelSums(parts)
	return s, nil
}

// otherFolds divides the rows of c into parts, one for each fold except c.leftOut. No row of c is
// in fold c.leftOut, so the later folds move up: fold g > leftOut is part g-1.
func (c *classDensities) otherFolds(fold []int, folds int) kde.Partition {
	part := make([]int, len(c.rows))
	for i, r := range c.rows {
		part[i] = fold[r]
		if fold[r] > c.leftOut {
			part[i]--
		}
	}
	return kde.NewPartition(part, folds-1)
}

// addFolds returns the sum of the vectors in parts, one for each fold except f. It overwrites the
// vectors. It adds in the order of foldedDensities.combineFolds, so both give the same bits.
func addFolds(parts [][]float64, f int) []float64 {
	before, after := parts[:f], parts[f:] // the folds before f and after f
	slices.Reverse(after)                 // combineFolds adds these folds from the last to the first
	if len(before) == 0 {
		return addUp(after)
	}
	sum := addUp(before)
	if len(after) > 0 {
		floats.Add(sum, addUp(after))
	}
	return sum
}

// addUp adds all vectors to the first one, which it returns.
func addUp(vectors [][]float64) []float64 {
	for _, v := range vectors[1:] {
		floats.Add(vectors[0], v)
	}
	return vectors[0]
}
