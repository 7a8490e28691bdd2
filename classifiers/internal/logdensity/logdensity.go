// Package logdensity computes the feature map T of log densities (Tenzer et al. 2020, Eq. 5) and
// caches it with the training set.
package logdensity

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/parallel"
	"copse/stats/vecmath"
)

// An Entry is one coordinate of the feature map T. It is log p_Class(x_I) if I == J, and log
// p_Class(x_I, x_J) if I < J.
type Entry struct{ Class, I, J int }

// Univariate returns the entries for log p_c(x_i) of d variables, class by class.
func Univariate(classes, d int) []Entry {
	var entries []Entry
	for c := range classes {
		for i := range d {
			entries = append(entries, Entry{c, i, i})
		}
	}
	return entries
}

// Pairs returns the entry of log p_c(x_i, x_j) for each class c and each pair of d variables, in
// the order (0,1), (0,2), ..., (d-2,d-1).
func Pairs(classes, d int) []Entry {
	var entries []Entry
	for c := range classes {
		for _, p := range stats.Pairs(d) {
			entries = append(entries, Entry{c, p.I, p.J})
		}
	}
	return entries
}

// All returns the entries of Univariate and then the entries of Pairs.
func All(classes, d int) []Entry {
	return append(Univariate(classes, d), Pairs(classes, d)...)
}

// Count returns the number of entries of All.
func Count(classes, d int) int { return classes * d * (d + 1) / 2 }

// A Map is the feature map T, fitted to one training set. It maps a row to the log density of each
// of Entries. The densities are kernel density estimates. Without a Floor, their logarithms are
// accurate even far from the class. A Map is immutable.
type Map struct {
	Entries []Entry // in the order of the columns of T

	train   *dataset.Set  // the training set, in the units of the columns
	units   columns.Units // factors of the columns; nil: all factors are 1
	rule    estimator
	options Options
	d       int // number of variables
	classes []classDensities

	conversions []conversion // conversions[k] belongs to Entries[k]
}

// Options determine how Fit estimates densities.
type Options struct {
	Rule kde.Rule // selects the bandwidths
	// Narrow limits the kernel of a variable that is constant in a class to the width in the other
	// classes. With a wider kernel, another class could have a larger density at the constant value.
	Narrow bool
	// Floor is a lower bound on densities. The feature for a density p is log max(p, Floor), as in
	// Remark 1 of Tenzer et al. (2020). If Floor is 0, there is no floor, and the feature is log p.
	Floor float64
	// If FloorOfData is false, the floor applies to the density after division of columns by their
	// standard deviations in the class.
	FloorOfData bool
}

// A conversion describes how takeLogs converts the densities of one entry to logarithms. The
// densities are estimated from columns that are multiplied by the factors in Map.units.
type conversion struct {
	least    float64 // for smaller densities, lowLog returns the logarithm
	logFloor float64 // logarithm of the floor; unused without a floor
	logUnit  float64 // log of the factors, added to every logarithm
}

// accurate reports whether the logarithm of a density can be computed directly.
func (c *conversion) accurate(density float64) bool {
	return density >= c.least && density <= math.MaxFloat64
}

// Fit returns a feature map with one log density for each entry. If the rule finds no suitable
// bandwidth, the error names the columns and the class.
func Fit(ctx context.Context, train *dataset.Set, o Options, entries []Entry) (*Map, error) {
	// Without constant variables, Narrow has no effect. Fits with and without it then share cached
	// results.
	o.Narrow = o.Narrow && hasConstant(train)
	units := columns.NewUnits(train)
	t := &Map{
		train:   units.Set(train),
		units:   units,
		Entries: entries,
		rule:    estimator{o.Rule, o.Narrow},
		options: o,
		d:       train.D(),
		classes: make([]classDensities, train.C()),
	}
	train = t.train // from here on, in the units of the map
	for c := range t.classes {
		t.classes[c] = newClassDensities(train, c, t.rule)
	}
	for k, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.addEntry(ctx, k, e); err != nil {
			return nil, Error(train, e, err)
		}
	}
	t.conversions = make([]conversion, len(entries)) // from densities to logarithms
	for c := range t.classes {
		class := &t.classes[c]
		class.kernelSums = class.newKernelSums(class.onePart) // of all pairs of variables
		t.setConversions(class)
	}
	return t, nil
}

// addEntry estimates the density of entry k, except for the kernel sums of a pair. It returns an error
// if the rule finds no suitable bandwidth, or if there is no floor and the density is infinite.
func (t *Map) addEntry(ctx context.Context, k int, e Entry) error {
	c := &t.classes[e.Class]
	if e.I == e.J {
		return c.addSingle(ctx, k, e)
	}
	err := c.addPair(ctx, k, e)
	if err != nil || t.options.Floor != 0 {
		return err // a floor replaces the logarithm of an infinite density
	}
	added := c.pairs[len(c.pairs)-1]
	return c.bandwidth(added).Check()
}

// newClassDensities prepares class c of a training set. The result contains no densities yet.
func newClassDensities(train *dataset.Set, c int, rule estimator) classDensities {
	rows := train.ClassRows(c)
	return classDensities{
		train:     train,
		rows:      rows,
		onePart:   kde.Whole(len(rows)),
		columns:   train.Columns(rows),
		rule:      rule,
		widths:    map[int]float64{},
		hVariable: make([]float64, train.D()),
	}
}

// Margins returns the two marginal densities of the bivariate density of entry k. The bandwidth of a
// marginal density is the standard deviation of the bivariate kernel in its variable.
func (t *Map) Margins(k int) (i, j Margin) {
	e := t.Entries[k]
	c := &t.classes[e.Class]
	h := c.bandwidth(c.pair(k))
	margin := func(j int, square float64) Margin {
		return Margin{kde.New(c.columns[j], math.Sqrt(square)), t.units, j}
	}
	return margin(e.I, h.XX), margin(e.J, h.YY)
}

// A Margin is the log density of one variable in one class.
type Margin struct {
	density *kde.Density
	units   columns.Units
	j       int
}

// At returns the log density at the rows of x.
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

// setConversions sets the conversions of the entries of class c.
func (t *Map) setConversions(c *classDensities) {
	scales := make([]float64, t.d)
	scale := func(j int) float64 { // only for used variables, because c.scale may add to c.widths
		if scales[j] == 0 {
			scales[j] = c.scale(j)
		}
		return scales[j]
	}
	for _, s := range c.singles {
		t.conversions[s.entry] = t.conversion(t.Entries[s.entry], s.density.Peak(), scale(s.j))
	}
	for _, p := range c.pairs {
		t.conversions[p.entry] = t.conversion(t.Entries[p.entry], c.bandwidth(p).Peak(), scale(p.I)*scale(p.J))
	}
}

// conversion describes how to convert a density p of entry e to a logarithm. The argument peak is
// the largest value of the entry's kernel, and scale is the product of the standard deviations of
// the entry's columns. p, peak and scale refer to columns that are multiplied by the factors in
// t.units.
//
// In other units, the density is p times a factor: exp(logUnit) for the original columns, and scale
// for columns divided by their standard deviations. If p is less than the field least, its
// logarithm is replaced: by logFloor or, without a floor, by a more accurate logarithm.
func (t *Map) conversion(e Entry, peak, scale float64) conversion {
	c := conversion{logUnit: t.units.Log(e.I)}
	if e.I != e.J {
		c.logUnit += t.units.Log(e.J)
	}
	switch {
	case t.options.Floor == 0:
		c.least = kde.Least(peak) // a smaller p may be inaccurate
	case t.options.FloorOfData: // p exp(logUnit) >= Floor
		c.logFloor = math.Log(t.options.Floor) - c.logUnit
		c.least = math.Exp(c.logFloor)
	default: // p scale >= Floor
		c.least = t.options.Floor / scale
		c.logFloor = math.Log(c.least)
	}
	return c
}

// Error adds the class and columns of entry e to err, along with a hint.
func Error(train *dataset.Set, e Entry, err error) error {
	if errors.Is(err, kde.ErrTooFew) {
		return fmt.Errorf("densities in class %q: %w: draw more rows or drop the class", train.Classes[e.Class], err)
	}
	if e.I == e.J {
		return fmt.Errorf("density of column %q in class %q: %w: leave the column out",
			train.Attributes[e.I].Name, train.Classes[e.Class], err)
	}
	return fmt.Errorf("density of columns %q and %q in class %q: %w: leave one of them out",
		train.Attributes[e.I].Name, train.Attributes[e.J].Name, train.Classes[e.Class], err)
}

// Select returns a feature map with some of the entries. Entry k of the result is
// t.Entries[keep[k]].
func (t *Map) Select(keep []int) *Map {
	s := *t
	s.Entries, s.conversions, s.classes = nil, nil, make([]classDensities, len(t.classes))
	newEntry := slices.Repeat([]int{-1}, len(t.Entries)) // -1: not selected
	for k, old := range keep {
		newEntry[old] = k
		s.Entries = append(s.Entries, t.Entries[old])
		s.conversions = append(s.conversions, t.conversions[old])
	}
	for c := range s.classes {
		s.classes[c] = t.classes[c].selected(newEntry)
	}
	return &s
}

// WithoutSample returns a copy of t without the training rows, for FeaturesIn and Values. t must not
// contain densities of pairs. Univariate densities contain their own copies of the values.
func (t *Map) WithoutSample() *Map {
	s := *t
	s.train, s.classes = nil, make([]classDensities, len(t.classes))
	for c := range s.classes {
		s.classes[c].singles = t.classes[c].singles
	}
	return &s
}

// batch is the number of rows that one parallel task evaluates.
const batch = 32

// Values returns the same result as FeaturesIn. It cannot be cancelled.
func (t *Map) Values(buffer []float64, x *mat.Dense) *mat.Dense {
	logs, err := t.FeaturesIn(context.Background(), buffer, x)
	if err != nil {
		panic(err) // impossible: the background context never ends
	}
	return logs
}

// FeaturesIn returns the n x len(Entries) matrix of the features T at the rows of x. It uses buffer
// if that is large enough. The density at a training row includes the kernel of this row.
func (t *Map) FeaturesIn(ctx context.Context, buffer []float64, x *mat.Dense) (*mat.Dense, error) {
	columns.Check(x, t.d, columns.NoMissing)
	return t.features(ctx, buffer, t.units.Apply(x))
}

// With noBuffer, the method features allocates the memory of its result.
var noBuffer []float64

// features is like FeaturesIn, but the rows of x must already be in the units of t.units.
//
// Some classes evaluate the densities of one pair of variables after another, at all rows of x (see
// worksPairByPair). All other densities are evaluated in batches of rows. Densities below
// t.floorOf(entry) may be inaccurate, because the floor replaces them. Without a floor, t.tailLog
// computes the logarithms of very small densities.
func (t *Map) features(ctx context.Context, buffer []float64, x *mat.Dense) (*mat.Dense, error) {
	n, _ := x.Dims()
	p := len(t.Entries)
	out := mat.NewDense(n, p, stats.Resized(buffer, n*p))
	for c := range t.classes {
		if err := t.classes[c].evaluatePairByPair(ctx, x, out, t.floorOf); err != nil {
			return nil, err
		}
	}
	err := byBatches(ctx, n, func(s *scratch, from, to int) {
		points, densities := rowViews(x, from, to), rowViews(out, from, to)
		for c := range t.classes {
			t.classes[c].evaluateBatch(points, densities, s)
		}
		t.takeLogs(densities, points, s, t.tailLog)
	})
	return out, err
}

// tailLog returns the log density of an entry at point x (see classDensities.tailLog).
func (t *Map) tailLog(entry int, x []float64) float64 {
	return t.classes[t.Entries[entry].Class].tailLog(entry, x)
}

// byBatches divides n rows into batches and calls f for the rows from..to-1 of each batch, in
// parallel. It returns the context's error if ctx is cancelled.
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

// floorOf returns the floor for the densities of an entry, in the units of t.units. The floor replaces
// smaller densities, so they need not be accurate. Without a floor, the result is 0.
func (t *Map) floorOf(entry int) float64 {
	if t.options.Floor == 0 {
		return 0
	}
	return t.conversions[entry].least
}

// With noFloor, vecmath.Log applies no floor. Its callers in this package replace the logarithms of
// small densities themselves.
const noFloor = 0

// A logDensity is a function that returns the log density of an entry at point x, even if the
// density is too small for a float64. It takes more time than the logarithm of a density.
type logDensity func(entry int, x []float64) float64

// takeLogs replaces densities by their logarithms. rows[r] contains the densities of all entries at
// points[r].
func (t *Map) takeLogs(rows, points [][]float64, m *scratch, tailLog logDensity) {
	for r, row := range rows {
		t.takeLogsAt(points[r], row, m, tailLog)
	}
}

// takeLogsAt implements takeLogs for one point x: it replaces row[k], the density of entry k at x, with
// its logarithm. If the density is inaccurate, it uses a floor or tailLog instead.
//
// Densities refer to columns that are multiplied by the factors in t.units. In the units of the
// original columns, their logarithms are larger by logUnit.
func (t *Map) takeLogsAt(x, row []float64, m *scratch, tailLog logDensity) {
	m.inaccurate = m.inaccurate[:0]
	for k, density := range row {
		if !t.conversions[k].accurate(density) {
			m.inaccurate = append(m.inaccurate, k)
		}
	}
	vecmath.Log(row, row, noFloor) // the next loop replaces the logarithms of inaccurate densities
	for _, k := range m.inaccurate {
		row[k] = t.lowLog(k, x, tailLog)
	}
	if t.units != nil {
		for k := range row {
			row[k] += t.conversions[k].logUnit
		}
	}
}

// lowLog returns the log density of an entry at point x if the density itself is inaccurate. This
// is the logarithm of the floor or, without a floor, the result of tailLog.
func (t *Map) lowLog(entry int, x []float64, tailLog logDensity) float64 {
	if t.options.Floor == 0 {
		return tailLog(entry, x)
	}
	return t.conversions[entry].logFloor
}

func rowViews(x *mat.Dense, from, to int) [][]float64 {
	rows := make([][]float64, to-from)
	for r := range rows {
		rows[r] = x.RawRowView(from + r)
	}
	return rows
}

// CrossFeatures evaluates the feature map T at all training rows, with several estimates of the
// densities.
//
// In the matrix all, densities are estimated from all rows. In the matrix without[f], they are
// estimated without fold f, for f = 0..k-1. fold[r] is the fold of row r. Bandwidths are always
// estimated from all rows.
func (t *Map) CrossFeatures(ctx context.Context, fold []int, k int) (all *mat.Dense, without []*mat.Dense, err error) {
	n := t.train.N()
	all = mat.NewDense(n, len(t.Entries), nil)
	for range k {
		without = append(without, mat.NewDense(n, len(t.Entries), nil))
	}
	return all, without, t.crossFeatures(ctx, fold, all, without)
}

// crossFeatures implements CrossFeatures. It overwrites the elements of the given matrices.
//
// Some classes evaluate the densities of one pair of variables after another, at all training rows
// (see worksPairByPair). All other densities and all logarithms are computed in batches of rows.
func (t *Map) crossFeatures(ctx context.Context, fold []int, all *mat.Dense, without []*mat.Dense) error {
	out := append([]*mat.Dense{all}, without...) // out[0] leaves out no fold, and out[1+f] leaves out fold f
	classes := make([]*foldedDensities, len(t.classes))
	for c := range t.classes {
		var err error
		if classes[c], err = t.classes[c].withFolds(fold, len(without)); err != nil {
			return fmt.Errorf("class %q: %w", t.train.Classes[c], err)
		}
		if err := classes[c].evaluatePairByPair(ctx, t.train.X, out, t.floorOf); err != nil {
			return err
		}
	}
	return byBatches(ctx, t.train.N(), func(s *scratch, from, to int) {
		points := rowViews(t.train.X, from, to)
		rows := make([][][]float64, len(out)) // rows[k] contains rows from..to-1 of out[k]
		for k, m := range out {
			rows[k] = rowViews(m, from, to)
		}
		t.finishBatch(classes, points, rows, s)
	})
}

// finishBatch evaluates the densities that evaluatePairByPair has left out, at a batch of points,
// and takes the logarithms of all densities of the batch. rows[0] contains estimates from all
// training rows, and rows[1+f] contains estimates without fold f.
func (t *Map) finishBatch(classes []*foldedDensities, points [][]float64, rows [][][]float64, s *scratch) {
	for _, class := range classes {
		class.evaluateBatch(points, rows, s)
	}
	for k := range rows {
		leftOut := k - 1 // the fold that is left out; -1: none
		t.takeLogs(rows[k], points, s, func(entry int, x []float64) float64 {
			return classes[t.Entries[entry].Class].tailLog(entry, x, leftOut)
		})
	}
}
