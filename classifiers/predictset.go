package classifiers

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
	"copse/stats/vecmath"
)

// PredictSet returns rule.Predict(test.X). Rules that were fitted to one training
// set and have densities in common evaluate each of them once for the set.
func PredictSet(rule Rule, test *dataset.Set) []int {
	if r, ok := rule.(interface{ predictSet(*dataset.Set) []int }); ok {
		return r.predictSet(test)
	}
	return rule.Predict(test.X)
}

// A columnKey names the log density of an entry, as estimated from a training
// set, at the rows of the set that it is derived from.
type columnKey struct {
	train *dataset.Set
	rule  kde.Rule
	floor float64
	densityEntry
}

// featuresOf returns T at the rows of a set. The columns stay with the set where
// the densities are evaluated one by one, which leaves them the bits they have in
// Features; product kernels, which share their exponentials, are not.
func (t *logDensities) featuresOf(set *dataset.Set) *mat.Dense {
	ctx := context.Background() // never done, so nothing below fails
	for c := range t.classes {
		if len(t.classes[c].pairs) > 0 && !t.classes[c].pairwise() || !keeps(set) {
			out, _ := t.Features(ctx, set.X)
			return out
		}
	}
	checkRows(set.X, t.d, false)
	columns := matrixColumns(set.X)
	out := mat.NewDense(set.N(), len(t.entries), nil)
	column := func(entry int, evaluate func(dst []float64)) {
		key := columnKey{t.train, t.rule, t.floor, t.entries[entry]}
		logs, _ := derived(ctx, set, key, func() ([]float64, error) {
			dst := make([]float64, set.N())
			evaluate(dst)
			vecmath.Log(dst, dst, t.floor)
			return dst, nil
		})
		out.SetCol(entry, logs)
	}
	var s kde.FullSums
	for c := range t.classes {
		densities := &t.classes[c]
		for _, e := range densities.singles {
			column(e.entry, func(dst []float64) {
				for r, x := range columns[e.j] {
					dst[r] = e.density.At(x)
				}
			})
		}
		for _, e := range densities.pairs {
			column(e.entry, func(dst []float64) { densities.evaluatePair(&s, e, columns, dst, t.floor) })
		}
	}
	return out
}
