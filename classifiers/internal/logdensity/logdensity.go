// Package logdensity computes the feature map of log densities (Tenzer et al. 2020, Eq. 5)
// and caches it with the training set.
package logdensity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/parallel"
	"copse/stats/vecmath"
)

// An Entry is one coordinate of T: log p_Class(x_I) when I == J, log p_Class(x_I,
// x_J) when I < J.
type Entry struct{ Class, I, J int }

// Univariate lists log p_c(x_i), class by class.
func Univariate(classes, d int) []Entry {
	var entries []Entry
	for c := range classes {
		for i := range d {
			entries = append(entries, Entry{c, i, i})
		}
	}
	return entries
}

// Pairs lists log p_c(x_i, x_j) for i < j, class by class, in the order (0,1), (0,2), ...,
// (d-2,d-1).
func Pairs(classes, d int) []Entry {
	var entries []Entry
	for c := range classes {
		for i := range d {
			for j := i + 1; j < d; j++ {
				entries = append(entries, Entry{c, i, j})
			}
		}
	}
	return entries
}

// All lists the univariate entries, then the pairs.
func All(classes, d int) []Entry {
	return append(Univariate(classes, d), Pairs(classes, d)...)
}

// Count returns the number of entries of All.
func Count(classes, d int) int { return classes * d * (d + 1) / 2 }

// A Map is the feature map T of some entries, fitted to one training set: the logarithms
// of kernel densities of the classes. Without a Floor they lose no digits however far a
// point is from the class. A Map is immutable.
type Map struct {
	Entries []Entry // in the order of the columns of T

	train   *dataset.Set  // the training set in units
	units   columns.Units // factors of the columns; nil for 1
	rule    kde.Rule
	floor   Floor
	d       int // number of variables
	classes []classDensities
	bounds  []bound // of the entries
}

// A Floor replaces small densities: T is log max(p, Density) (Remark 1 of the paper), or log p
// if Density is 0. Density is in units of the standard deviations of the columns in the class,
// so that their own units do not matter. With OfData it is in the units of the data, as the
// paper prints it.
type Floor struct {
	Density float64
	OfData  bool
}

// A bound describes the logarithm of an entry's density.
type bound struct {
	least float64 // smaller densities are replaced: by the floor or, without one, by tail
	log   float64 // logarithm of the floor
	unit  float64 // added to the logarithm: log of the factors of the entry's columns
}

// Fit estimates the densities of the entries from the training rows of their
// classes.
func Fit(ctx context.Context, train *dataset.Set, rule kde.Rule, floor Floor, entries []Entry) (*Map, error) {
	units := columns.NewUnits(train)
	t := &Map{
		train:   units.Set(train),
		units:   units,
		Entries: entries,
		rule:    rule,
		floor:   floor,
		d:       train.D(),
		classes: make([]classDensities, train.C()),
	}
	train = t.train
	for c := range t.classes {
		t.classes[c] = newClassDensities(train, c, rule)
	}
	for k, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c := &t.classes[e.Class]
		err := c.add(ctx, k, e)
		if err == nil && e.I != e.J && floor.Density == 0 { // a floor bounds densities that overflow
			err = c.bandwidth(c.pairs[len(c.pairs)-1]).Check()
		}
		if err != nil {
			return nil, Error(train, e, err)
		}
	}
	for c := range t.classes {
		t.classes[c].sums = t.classes[c].productSums(t.classes[c].whole)
	}
	t.bounds = t.findBounds()
	return t, nil
}

// newClassDensities returns class c of a training set without any density.
func newClassDensities(train *dataset.Set, c int, rule kde.Rule) classDensities {
	rows := train.ClassRows(c)
	return classDensities{
		train:     train,
		rows:      rows,
		whole:     kde.Whole(len(rows)),
		columns:   train.Columns(rows),
		rule:      rule,
		widths:    make([]float64, train.D()),
		hVariable: make([]float64, train.D()),
	}
}

// Margins returns the two margins of the bivariate density of entry k. Their bandwidths
// are the standard deviations of its kernel.
func (t *Map) Margins(k int) (i, j Margin) {
	e := t.Entries[k]
	c := &t.classes[e.Class]
	h := c.bandwidth(c.pair(k))
	return Margin{c.margin(e.I, math.Sqrt(h.XX)), t.units, e.I}, Margin{c.margin(e.J, math.Sqrt(h.YY)), t.units, e.J}
}

// margin returns the density of variable j with bandwidth h.
func (c *classDensities) margin(j int, h float64) *kde.Density {
	for _, s := range c.singles {
		if s.j == j { // its values are sorted already
			return s.density.WithBandwidth(h)
		}
	}
	return kde.New(c.columns[j], h)
}

// A Margin is the log density of one variable.
type Margin struct {
	density *kde.Density
	units   columns.Units
	j       int
}

// At returns it at the rows of x.
func (m Margin) At(x *mat.Dense) []float64 {
	values := mat.Col(nil, m.j, x)
	for r, v := range values {
		values[r] = m.units.At(v, m.j)
	}
	logs := make([]float64, len(values))
	m.density.LogAll(logs, values)
	for r := range logs {
		logs[r] += m.units.Log(m.j)
	}
	return logs
}

// findBounds returns the bounds of the entries.
func (t *Map) findBounds() []bound {
	bounds := make([]bound, len(t.Entries))
	for c := range t.classes {
		t.classes[c].peaks(func(entry int, peak, scale float64) {
			bounds[entry] = t.bound(t.Entries[entry], peak, scale)
		})
	}
	return bounds
}

// bound returns the bound of an entry, given the peak of its kernel and the product of its
// variables' standard deviations.
func (t *Map) bound(e Entry, peak, scale float64) bound {
	unit := t.units.Log(e.I)
	if e.I != e.J {
		unit += t.units.Log(e.J)
	}
	switch {
	case t.floor.Density == 0:
		return bound{unit: unit, least: kde.Least(peak)}
	case t.floor.OfData:
		log := math.Log(t.floor.Density) - unit
		return bound{unit: unit, log: log, least: math.Exp(log)}
	}
	least := t.floor.Density / scale
	return bound{unit: unit, log: math.Log(least), least: least}
}

// Error wraps err with the column or columns, and the class, of entry e.
func Error(train *dataset.Set, e Entry, err error) error {
	if errors.Is(err, kde.ErrTooFew) {
		return fmt.Errorf("densities in class %q: %w; draw more rows or drop the class", train.Classes[e.Class], err)
	}
	if e.I == e.J {
		return fmt.Errorf("density of column %q in class %q: %w; leave the column out",
			train.Attributes[e.I].Name, train.Classes[e.Class], err)
	}
	return fmt.Errorf("density of columns %q and %q in class %q: %w; leave one of them out",
		train.Attributes[e.I].Name, train.Attributes[e.J].Name, train.Classes[e.Class], err)
}

// Select returns the map of the chosen entries alone, in the order of keep.
func (t *Map) Select(keep []int) *Map {
	s := &Map{
		train:   t.train,
		units:   t.units,
		rule:    t.rule,
		floor:   t.floor,
		d:       t.d,
		classes: make([]classDensities, len(t.classes)),
	}
	number := slices.Repeat([]int{-1}, len(t.Entries)) // of the old entries among the new; -1: left out
	for k, old := range keep {
		number[old] = k
		s.Entries, s.bounds = append(s.Entries, t.Entries[old]), append(s.bounds, t.bounds[old])
	}
	for c := range s.classes {
		s.classes[c] = t.classes[c].selected(number)
	}
	return s
}

// WithoutSample returns a copy of t without the training rows. Features and Values do not
// need them, because univariate densities have sorted values of their own. It panics if t
// has pairs.
func (t *Map) WithoutSample() *Map {
	s := *t
	s.train, s.classes = nil, make([]classDensities, len(t.classes))
	for c := range s.classes {
		if len(t.classes[c].pairs) > 0 {
			panic("logdensity: densities of pairs need the training rows")
		}
		s.classes[c].singles = t.classes[c].singles
	}
	return &s
}

// batch is the number of rows that are evaluated together. Batches run in parallel; the
// context is checked before each.
const batch = 32

// Features returns T at each row of x, n x len(Entries). A training row counts in the
// density at its own place.
func (t *Map) Features(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	return t.FeaturesIn(ctx, nil, x)
}

// Values is Features without a context.
func (t *Map) Values(x *mat.Dense) *mat.Dense {
	logs, err := t.Features(context.Background(), x)
	if err != nil {
		panic(err) // the background context is never done
	}
	return logs
}

// FeaturesIn is Features with the result in memory, if that is large enough.
func (t *Map) FeaturesIn(ctx context.Context, memory []float64, x *mat.Dense) (*mat.Dense, error) {
	columns.Check(x, t.d, false)
	return t.features(ctx, memory, t.units.Apply(x))
}

// features is FeaturesIn for rows x that are in units already.
func (t *Map) features(ctx context.Context, result []float64, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	out := mat.NewDense(n, len(t.Entries), slices.Grow(result[:0], n*len(t.Entries))[:n*len(t.Entries)])
	for c := range t.classes {
		if err := t.classes[c].evaluatePairwise(ctx, x, out, t.floors()); err != nil {
			return nil, err
		}
	}
	err := byBatches(ctx, n, func(memory *scratch, from, to int) {
		points, rows := rowViews(x, from, to), rowViews(out, from, to)
		for c := range t.classes {
			t.classes[c].evaluate(points, rows, memory)
		}
		for r, row := range rows {
			t.logs(row, memory, func(k int) float64 { return t.classes[t.Entries[k].Class].tail(k, points[r]) })
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// byBatches calls f for batches of n rows until the context is done.
func byBatches(ctx context.Context, n int, f func(memory *scratch, from, to int)) error {
	parallel.For(ctx, (n+batch-1)/batch, func() func(int) {
		var memory scratch
		return func(b int) {
			if ctx.Err() == nil {
				f(&memory, b*batch, min((b+1)*batch, n))
			}
		}
	})
	return ctx.Err()
}

// floors returns a function that returns the least density of an entry that needs to be
// accurate, 0 for every density.
func (t *Map) floors() func(entry int) float64 {
	if t.floor.Density == 0 {
		return func(int) float64 { return 0 }
	}
	return func(entry int) float64 { return t.bounds[entry].least }
}

// logs replaces a row of densities, one of each entry, by their logarithms. Those below
// their bound become the logarithm of the floor or, without a floor, what tail returns.
func (t *Map) logs(row []float64, m *scratch, tail func(entry int) float64) {
	low := m.low[:0] // entries to replace
	for k, v := range row {
		if !(v >= t.bounds[k].least && v <= math.MaxFloat64) {
			low = append(low, k)
		}
	}
	m.low = low
	vecmath.Log(row, row, 0)
	for _, k := range low {
		if row[k] = t.bounds[k].log; t.floor.Density == 0 {
			row[k] = tail(k)
		}
	}
	if t.units != nil {
		for k := range row {
			row[k] += t.bounds[k].unit
		}
	}
}

// rowViews returns rows from..to-1 of x.
func rowViews(x *mat.Dense, from, to int) [][]float64 {
	rows := make([][]float64, to-from)
	for r := range rows {
		rows[r] = x.RawRowView(from + r)
	}
	return rows
}

// CrossFeatures returns T at all n training rows: all has the densities of all rows, and
// without[f] those without the rows of fold f, of k folds. fold[r] is the fold of row r. The
// bandwidths always come from all rows.
func (t *Map) CrossFeatures(ctx context.Context, fold []int, k int) (all *mat.Dense, without []*mat.Dense, err error) {
	n := t.train.N()
	all = mat.NewDense(n, len(t.Entries), nil)
	for range k {
		without = append(without, mat.NewDense(n, len(t.Entries), nil))
	}
	if err := t.crossFeatures(ctx, fold, all, without); err != nil {
		return nil, nil, err
	}
	return all, without, nil
}

// crossFeatures is CrossFeatures with the results in given matrices.
func (t *Map) crossFeatures(ctx context.Context, fold []int, all *mat.Dense, without []*mat.Dense) error {
	n, x, k := t.train.N(), t.train.X, len(without)
	folded := make([]*foldedDensities, len(t.classes))
	for c := range t.classes {
		var err error
		if folded[c], err = t.classes[c].fold(fold, k); err != nil {
			return fmt.Errorf("class %q: %w", t.train.Classes[c], err)
		}
		if err := folded[c].evaluatePairwise(ctx, x, append([]*mat.Dense{all}, without...), t.floors()); err != nil {
			return err
		}
	}
	return byBatches(ctx, n, func(memory *scratch, from, to int) {
		points := rowViews(x, from, to)
		rows := [][][]float64{rowViews(all, from, to)} // without no fold, then without each
		for f := range k {
			rows = append(rows, rowViews(without[f], from, to))
		}
		for c := range folded {
			folded[c].evaluate(points, rows, memory)
		}
		for f := range rows {
			for r, row := range rows[f] {
				t.logs(row, memory, func(k int) float64 { return folded[t.Entries[k].Class].tail(k, points[r], f-1) })
			}
		}
	})
}
