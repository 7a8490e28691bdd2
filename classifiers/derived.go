package classifiers

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
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
func keeps(train *dataset.Set) bool {
	const overhead = 64 // of one density, in float64
	return entryCount(train.C(), train.D()) <= keptNumbers/(train.N()+overhead)
}

// derived is dataset.Derived for sets that keep what is derived from them.
func derived[K comparable, V any](ctx context.Context, train *dataset.Set, key K, compute func() (V, error)) (V, error) {
	if !keeps(train) {
		return compute()
	}
	return dataset.Derived(ctx, train, key, compute)
}

// A bandwidthKey names the bandwidth of an entry; that of a variable comes with
// the density.
type bandwidthKey struct {
	rule  kde.Rule
	entry densityEntry
}

// A dependenceKey names a class's dependences.
type dependenceKey struct {
	measure string
	class   int
}

// A featuresKey names the log densities of all variables and pairs at the
// training rows.
type featuresKey struct {
	rule  kde.Rule
	floor float64
}

// features are log densities, n rows, and the columns of the entries.
type features struct {
	t      *mat.Dense
	column map[densityEntry]int
}

// trainingFeatures returns T at the rows of the training set that t was fitted
// to. Maps of all variables and pairs share the densities, whatever the order of
// their entries.
func (t *logDensities) trainingFeatures(ctx context.Context, train *dataset.Set) (*mat.Dense, error) {
	if len(t.entries) < entryCount(train.C(), train.D()) {
		return t.Features(ctx, train.X)
	}
	all, err := derived(ctx, train, featuresKey{t.rule, t.floor}, func() (features, error) {
		values, err := t.Features(ctx, train.X)
		f := features{values, make(map[densityEntry]int, len(t.entries))}
		for k, e := range t.entries {
			f.column[e] = k
		}
		return f, err
	})
	if err != nil {
		return nil, err
	}
	columns := make([]int, len(t.entries))
	for k, e := range t.entries {
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
