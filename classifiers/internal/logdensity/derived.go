package logdensity

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/vecmath"
)

// Many classifiers in a study need the same densities. So the training set caches the most
// expensive results. Cached and new results are bitwise identical.

// keptNumbers is the largest number of float64 values cached for a training set: 2^22, or 32 MB.
// Nothing is cached for larger training sets.
const keptNumbers = 1 << 22

// hasCache reports whether a data set is small enough to cache results (see fitsCache).
func hasCache(train *dataset.Set) bool { return fitsCache(train.N(), train.C(), train.D()) }

// fitsCache reports whether n rows of the log densities of all variables and pairs in all classes
// fit in keptNumbers values.
func fitsCache(n, classes, d int) bool {
	const overhead = 64 // float64 values per density, in addition to its n values
	return Count(classes, d) <= keptNumbers/(n+overhead)
}

// Derived returns the result of compute, from the cache of the set if possible (see
// dataset.Derived).
func Derived[K comparable, V any](ctx context.Context, train *dataset.Set, key K,
	compute func() (V, error)) (V, error) {
	if !hasCache(train) {
		return compute()
	}
	return dataset.Derived(ctx, train, key, compute)
}

// A bandwidthKey is the cache key of the bandwidth matrix of a pair, or of the density of one
// variable.
type bandwidthKey struct {
	rule  estimator
	entry Entry
}

// A featuresKey is the cache key of the log densities of all variables and pairs at the training
// rows.
type featuresKey Options

// cachedFeatures contains the log densities of all variables and pairs in each class. column[e] is
// the index of the column of t for entry e.
type cachedFeatures struct {
	t      *mat.Dense
	column map[Entry]int
}

// TrainingFeatures returns the feature map T at the training rows. The caller may change the
// result.
//
// If the map contains all variables and pairs, the training set caches the log densities for all
// such maps with the same options.
func (t *Map) TrainingFeatures(ctx context.Context) (*mat.Dense, error) {
	train := t.train
	isComplete := len(t.Entries) >= Count(train.C(), train.D()) // Count: all variables and pairs in all classes
	if !isComplete || !hasCache(train) {
		return t.features(ctx, noBuffer, train.X)
	}
	// The order of the entries may differ between maps, so the cache also contains their columns.
	all, err := Derived(ctx, train, featuresKey(t.options), func() (cachedFeatures, error) {
		values, err := t.features(ctx, noBuffer, train.X)
		column := make(map[Entry]int, len(t.Entries))
		for k, e := range t.Entries {
			column[e] = k
		}
		return cachedFeatures{values, column}, err
	})
	if err != nil {
		return nil, err
	}
	return all.selected(t.Entries), nil
}

// selected returns a new matrix with the columns of the given entries, in this order.
func (f *cachedFeatures) selected(entries []Entry) *mat.Dense {
	n, _ := f.t.Dims()
	from := make([]int, len(entries)) // columns of f.t
	for k, e := range entries {
		from[k] = f.column[e]
	}
	out := mat.NewDense(n, len(entries), nil)
	for r := range n {
		row, all := out.RawRowView(r), f.t.RawRowView(r)
		for k, j := range from {
			row[k] = all[j]
		}
	}
	return out
}

// A columnKey is the key of a column of the feature map T in the cache of an evaluation set.
type columnKey struct {
	train *dataset.Set // determines the densities
	Options
	Entry
}

// A densityKey is the cache key of the densities of one variable at the rows of an evaluation set.
// It contains no floor, so maps with different floors share these densities. Densities of pairs
// have no such key, because they may be inaccurate below the floor of the map that computed them.
type densityKey struct {
	train *dataset.Set
	rule  estimator
	Entry
}

// FeaturesAt returns the result of FeaturesIn for the rows of a set: a column of log densities for
// each entry. If cachesAt returns true, the set caches each column.
func (t *Map) FeaturesAt(set *dataset.Set) *mat.Dense {
	if !t.cachesAt(set) {
		return t.Values(noBuffer, set.X)
	}
	columns.Check(set.X, t.d, columns.NoMissing)
	p := points{t: t, set: set, values: matrixColumns(set.X)}
	logs := mat.NewDense(set.N(), len(t.Entries), nil)
	for c := range t.classes {
		class := &t.classes[c]
		for _, e := range class.singles {
			evaluate := func(densities []float64) { p.evaluateSingle(e, densities) }
			logs.SetCol(e.entry, p.cachedLogs(e.entry, evaluate))
		}
		for _, e := range class.pairs {
			evaluate := func(densities []float64) { p.evaluatePair(class, e, densities) }
			logs.SetCol(e.entry, p.cachedLogs(e.entry, evaluate))
		}
	}
	return logs
}

// cachesAt reports whether FeaturesAt caches columns in the given set. The set must be small, the map
// must not rescale columns, and the pairs must be evaluated separately.
func (t *Map) cachesAt(set *dataset.Set) bool {
	for c := range t.classes {
		if len(t.classes[c].pairs) > 0 && !t.classes[c].worksPairByPair() {
			return false
		}
	}
	return hasCache(set) && t.units == nil
}

// points contains the rows of a data set at which FeaturesAt evaluates densities.
type points struct {
	t      *Map
	set    *dataset.Set
	values [][]float64 // values[j][r] is variable j of row r
	memory kde.MatrixMemory
}

// cachedLogs returns the log densities of an entry at the points, from the cache if possible. The
// function evaluate must set its argument to the densities.
func (p *points) cachedLogs(entry int, evaluate func(densities []float64)) []float64 {
	key := columnKey{p.t.train, p.t.options, p.t.Entries[entry]}
	// The background context never ends, so there is no error.
	logs, _ := Derived(context.Background(), p.set, key, func() ([]float64, error) {
		column := make([]float64, p.set.N())
		evaluate(column)
		p.t.takeColumnLogs(column, entry, p.set.X)
		return column, nil
	})
	return logs
}

// evaluateSingle sets densities to the density of one variable at the points. The set caches
// densities, not their logarithms, because maps with different floors share them.
func (p *points) evaluateSingle(e single, densities []float64) {
	key := densityKey{p.t.train, p.t.rule, p.t.Entries[e.entry]}
	cached, _ := Derived(context.Background(), p.set, key, func() ([]float64, error) {
		values := make([]float64, p.set.N())
		e.density.AtAll(values, p.values[e.j])
		return values, nil
	})
	copy(densities, cached)
}

// evaluatePair sets densities to the density of one pair of variables at the points.
func (p *points) evaluatePair(class *classDensities, e pairEntry, densities []float64) {
	class.evaluatePair(context.Background(), &p.memory, e, p.values, densities, p.t.floorOf(e.entry))
}

// takeColumnLogs replaces the densities of one entry at the rows of x by their logarithms (see
// takeLogs).
func (t *Map) takeColumnLogs(densities []float64, entry int, x *mat.Dense) {
	var low []int // rows with an inaccurate density
	for r, v := range densities {
		if !t.conversions[entry].accurate(v) {
			low = append(low, r)
		}
	}
	vecmath.Log(densities, densities, noFloor)
	for _, r := range low {
		densities[r] = t.lowLog(entry, x.RawRowView(r), t.tailLog)
	}
}
