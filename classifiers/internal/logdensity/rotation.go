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

// A Rotation leaves out one fold of the training rows after the other, where the log
// densities of all folds are too many to be held. Bandwidths and bounds are those of
// all rows.
//
// Where p_g is a pair's kernel sum over the rows of fold g, that without fold f is
//
//	(p_0 + ... + p_f-1) + (p_f+1 + ... + p_k-1).
//
// For as many rows as there is room, one of these terms is kept from fold to fold: fold 0
// keeps p_2 + ... + p_k-1 for fold 1, which keeps p_0; each later fold f adds p_f-1 to
// that. So five folds take 11 of the p_g instead of 20, with the same bits.
type Rotation struct {
	t     *Map
	fold  []int
	folds int
	kept  [][]float64 // of the first training rows, the classes' sums one after the other
	now   *Map        // without fold f
	f     int
	rows  []int // training rows at which it is evaluated
}

// Rotate begins with fold 0 and keeps at most so many numbers.
func (t *Map) Rotate(fold []int, folds, numbers int) *Rotation {
	w := &Rotation{t: t, fold: fold, folds: folds, f: -1}
	length := 0
	for c := range t.classes {
		length += t.classes[c].keptLength()
	}
	if length > 0 {
		w.kept = make([][]float64, min(numbers/length, t.train.N()))
		memory := make([]float64, len(w.kept)*length)
		for r := range w.kept {
			w.kept[r] = memory[r*length : (r+1)*length]
		}
	}
	return w
}

// keptLength is the number of sums that a row may keep.
func (c *classDensities) keptLength() int {
	if c.sums == nil {
		return 0
	}
	return c.sums.Length()
}

// FeaturesIn returns T at the given training rows without fold f: the one before, or
// the next. Each row is asked for once in each fold. The result is in memory, if that is
// large enough.
func (w *Rotation) FeaturesIn(ctx context.Context, memory []float64, f int, rows []int) (*mat.Dense, error) {
	if f == w.f+1 {
		if err := w.next(); err != nil {
			return nil, err
		}
	} else if f != w.f {
		panic(fmt.Sprintf("logdensity: fold %d after fold %d", f, w.f))
	}
	w.rows = rows
	x := w.t.train.X
	return w.now.features(ctx, memory, columns.Unscaled(w.t.d).Apply(x, rows))
}

// next makes the densities without the next fold.
func (w *Rotation) next() error {
	runtime.GC() // what the last fold left is much, but little beside what is held
	w.f++
	t, from := w.t, 0 // among the kept sums
	w.now = &Map{
		units:   t.units,
		Entries: t.Entries,
		rule:    t.rule,
		floor:   t.floor,
		d:       t.d,
		bounds:  t.bounds,
		classes: make([]classDensities, len(t.classes)),
	}
	for c := range t.classes {
		whole := &t.classes[c]
		s, err := whole.without(w.fold, w.f)
		if err != nil {
			return fmt.Errorf("class %q: %w", t.train.Classes[c], err)
		}
		if length := whole.keptLength(); length > 0 {
			s.leftOut = w.newLeftOut(whole, from, from+length)
			s.sums = s.leftOut.anew
			from += length
		} else {
			s.sums = s.productSums(s.whole)
		}
		w.now.classes[c] = s
	}
	return nil
}

// without returns the densities without fold f, but for the sums of product kernels.
func (c *classDensities) without(fold []int, f int) (classDensities, error) {
	var kept, left []int // of the class's rows
	s := classDensities{rule: c.rule, hVariable: c.hVariable, pairs: c.pairs}
	for i, r := range c.rows {
		if fold[r] != f {
			kept, s.rows = append(kept, i), append(s.rows, r)
		} else {
			left = append(left, i)
		}
	}
	if len(kept) == 0 {
		return s, errNoRows(f)
	}
	for _, x := range c.columns {
		s.columns = append(s.columns, dataset.At(x, kept))
	}
	for _, e := range c.singles {
		e.density = e.density.Without(dataset.At(c.columns[e.j], left))
		s.singles = append(s.singles, e)
	}
	s.whole = kde.Whole(len(kept))
	return s, nil
}

// leftOut are a class's kernel sums without fold f.
type leftOut struct {
	*Rotation
	from, to     int              // of its sums among those that are kept
	anew, onward *kde.ProductSums // over the other folds; over those that what is kept lacks
}

func (w *Rotation) newLeftOut(c *classDensities, from, to int) *leftOut {
	s := &leftOut{Rotation: w, from: from, to: to}
	others := slices.Delete(columns.Head(w.folds), w.f, w.f+1)
	s.anew = c.foldSums(w.fold, w.folds, others)
	switch w.f {
	case 0:
		s.onward = s.anew
	case 1:
		s.onward = c.foldSums(w.fold, w.folds, others[:1])
	default:
		s.onward = c.foldSums(w.fold, w.folds, others[w.f-1:])
	}
	return s
}

// foldSums returns the kernel sums whose parts are the given folds.
func (c *classDensities) foldSums(fold []int, folds int, chosen []int) *kde.ProductSums {
	number := slices.Repeat([]int{-1}, folds)
	for g, f := range chosen {
		number[f] = g
	}
	var rows, part []int
	for i, r := range c.rows {
		if g := number[fold[r]]; g >= 0 {
			rows, part = append(rows, i), append(part, g)
		}
	}
	s := *c
	s.columns = nil
	for _, x := range c.columns {
		s.columns = append(s.columns, dataset.At(x, rows))
	}
	return s.productSums(kde.NewPartition(part, len(chosen)))
}

// kernelSums returns the sums at x, the k-th row that is asked for, and keeps what the
// next fold needs.
func (s *leftOut) kernelSums(x []float64, k int, m *scratch) []float64 {
	row := s.rows[k]
	if row >= len(s.kept) {
		p := s.anew.SumsAt(&m.product, x)
		slices.Reverse(p[s.f:])
		return added(added(nil, p[:s.f]...), added(nil, p[s.f:]...))
	}
	p, kept := s.onward.SumsAt(&m.product, x), s.kept[row][s.from:s.to]
	next, after := p[0], p[1:]
	slices.Reverse(after)
	switch s.f {
	case 0: // next is p_1
		added(kept, after...)
		return added(next, kept)
	case 1: // p_0
		for q, v := range next {
			kept[q], next[q] = v, v+kept[q]
		}
		return next
	default: // p_f-1
		added(kept, next)
		return added(added(nil, after...), kept)
	}
}

// added adds the others to the sums, one after the other; nil are zeros.
func added(sums []float64, others ...[]float64) []float64 {
	for _, other := range others {
		if sums == nil {
			sums = other
		} else if other != nil {
			floats.Add(sums, other)
		}
	}
	return sums
}
