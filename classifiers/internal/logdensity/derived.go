package logdensity

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/vecmath"
)

// The recipes of a study are fitted to one training set, one after the other,
// and many of them begin alike. What costs most of that is derived from the set
// once, for the recipe that asks first: bandwidths and univariate densities, all
// log densities at the training rows, matrices of dependence. It has the bits
// that it would have if it were computed anew.

// keptNumbers bounds what stays with a training set: about so many float64, 32
// MB. Sets that would need more keep nothing.
const keptNumbers = 1 << 22

// keeps reports whether the set keeps what is derived from it: the log densities
// of all variables and pairs at its rows, and what belongs to each, are few
// enough.
func keeps(train *dataset.Set) bool { return few(train.N(), train.C(), train.D()) }

func few(n, classes, d int) bool {
	const overhead = 64 // of one density, in float64
	return Count(classes, d) <= keptNumbers/(n+overhead)
}

// Derived is dataset.Derived for sets that keep what is derived from them.
func Derived[K comparable, V any](ctx context.Context, train *dataset.Set, key K,
	compute func() (V, error)) (V, error) {
	if !keeps(train) {
		return compute()
	}
	return dataset.Derived(ctx, train, key, compute)
}

// A bandwidthKey names the bandwidth of an entry; that of a variable comes with
// the density.
type bandwidthKey struct {
	rule  kde.Rule
	entry Entry
}

// A featuresKey names the log densities of all variables and pairs at the
// training rows.
type featuresKey struct {
	rule  kde.Rule
	floor Floor
}

// features are log densities, n rows, and the columns of the entries.
type features struct {
	t      *mat.Dense
	column map[Entry]int
}

// TrainingFeatures returns T at the rows of the training set that t was fitted
// to, the caller's own. Maps of all variables and pairs share the densities,
// whatever the order of their entries.
func (t *Map) TrainingFeatures(ctx context.Context) (*mat.Dense, error) {
	train := t.train
	if len(t.Entries) < Count(train.C(), train.D()) || !keeps(train) {
		return t.features(ctx, nil, train.X)
	}
	all, err := Derived(ctx, train, featuresKey{t.rule, t.floor}, func() (features, error) {
		values, err := t.features(ctx, nil, train.X)
		f := features{values, make(map[Entry]int, len(t.Entries))}
		for k, e := range t.Entries {
			f.column[e] = k
		}
		return f, err
	})
	if err != nil {
		return nil, err
	}
	columns := make([]int, len(t.Entries))
	for k, e := range t.Entries {
		columns[k] = all.column[e]
	}
	out := mat.NewDense(train.N(), len(columns), nil)
	for r := range train.N() {
		row, from := out.RawRowView(r), all.t.RawRowView(r)
		for k, c := range columns {
			row[k] = from[c]
		}
	}
	return out, nil
}

// A columnKey names the log density of an entry, as estimated from a training
// set, at the rows of the set that it is derived from.
type columnKey struct {
	train *dataset.Set
	rule  kde.Rule
	floor Floor
	Entry
}

// A densityKey names the density of a variable at those rows, whatever the floor of
// its logarithm.
type densityKey struct {
	train *dataset.Set
	rule  kde.Rule
	Entry
}

// FeaturesAt returns T at the rows of a set. The columns stay with the set where
// the densities are evaluated one by one, which leaves them the bits they have in
// Features; product kernels, which share their exponentials, are not.
func (t *Map) FeaturesAt(set *dataset.Set) *mat.Dense {
	ctx := context.Background() // never done, so nothing below fails
	for c := range t.classes {
		if len(t.classes[c].pairs) > 0 && !t.classes[c].pairwise() || !keeps(set) || t.units != nil {
			out, _ := t.Features(ctx, set.X)
			return out
		}
	}
	columns.Check(set.X, t.d, false)
	values := matrixColumns(set.X)
	logs := make([][]float64, len(t.Entries))
	column := func(entry int, evaluate func(dst []float64)) {
		key := columnKey{t.train, t.rule, t.floor, t.Entries[entry]}
		logs[entry], _ = Derived(ctx, set, key, func() ([]float64, error) {
			dst := make([]float64, set.N())
			evaluate(dst)
			t.columnLogs(dst, entry, set.X)
			return dst, nil
		})
	}
	var m kde.MatrixMemory
	for c := range t.classes {
		densities := &t.classes[c]
		for _, e := range densities.singles {
			column(e.entry, func(dst []float64) {
				density, _ := Derived(ctx, set, densityKey{t.train, t.rule, t.Entries[e.entry]},
					func() ([]float64, error) {
						e.density.AtAll(dst, values[e.j])
						return slices.Clone(dst), nil
					})
				copy(dst, density)
			})
		}
		for _, e := range densities.pairs {
			column(e.entry, func(dst []float64) {
				densities.evaluatePair(ctx, &m, e, values, dst,
					t.floors()(e.entry))
			})
		}
	}
	return fromColumns(logs, set.N())
}

// fromColumns returns the matrix of n rows with the given columns.
func fromColumns(columns [][]float64, n int) *mat.Dense {
	const block = 8 // rows: a cache line of a column
	p := len(columns)
	data := make([]float64, n*p)
	for from := 0; from < n; from += block {
		to := min(from+block, n)
		for k, x := range columns {
			at := from*p + k
			for _, v := range x[from:to] {
				data[at] = v
				at += p
			}
		}
	}
	return mat.NewDense(n, p, data)
}

// columnLogs replaces the densities of one entry at the rows of x by their
// logarithms, as logs does those of a row.
func (t *Map) columnLogs(densities []float64, entry int, x *mat.Dense) {
	b := t.bounds[entry]
	var low []int
	for r, v := range densities {
		if !(v >= b.least && v <= math.MaxFloat64) {
			low = append(low, r)
		}
	}
	vecmath.Log(densities, densities, 0)
	for _, r := range low {
		if densities[r] = b.log; t.floor.Density == 0 {
			densities[r] = t.classes[t.Entries[entry].Class].tail(entry, x.RawRowView(r))
		}
	}
}
