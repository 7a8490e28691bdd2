package classifiers

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
	"copse/stats/kde"
)

// A densityEntry is one coordinate of the feature map T of Tenzer et al.
// (2020), Eq. 5: log p_class(x_i) when i == j, log p_class(x_i, x_j) when i < j.
type densityEntry struct{ class, i, j int }

// univariateEntries lists log p_c(x_i), class by class.
func univariateEntries(classes, d int) []densityEntry {
	var entries []densityEntry
	for c := range classes {
		for i := range d {
			entries = append(entries, densityEntry{c, i, i})
		}
	}
	return entries
}

// pairEntries lists log p_c(x_i, x_j) for i < j, class by class, (0,1), (0,2),
// ..., (d-2,d-1).
func pairEntries(classes, d int) []densityEntry {
	var entries []densityEntry
	for c := range classes {
		for i := range d {
			for j := i + 1; j < d; j++ {
				entries = append(entries, densityEntry{c, i, j})
			}
		}
	}
	return entries
}

// logDensities is the feature map T of chosen entries, fitted to one training
// set: kernel densities of each class, logged above a floor. It is immutable.
type logDensities struct {
	entries []densityEntry
	floor   float64
	h       []float64 // bandwidth of a univariate entry
	hh      []kde.H2  // bandwidth matrix of a bivariate entry
	columns [][][]float64
}

// fitLogDensities estimates the densities of the entries from the training
// rows of their classes. The floor is a density, e.g. 1e-10.
func fitLogDensities(ctx context.Context, train *dataset.Set, rule kde.Rule, floor float64, entries []densityEntry) (*logDensities, error) {
	t := &logDensities{entries: entries, floor: floor, h: make([]float64, len(entries)), hh: make([]kde.H2, len(entries))}
	for c := range train.C() {
		t.columns = append(t.columns, train.Columns(train.ClassRows(c)))
	}
	for k, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if e.i == e.j {
			t.h[k], err = rule.Bandwidth(t.columns[e.class][e.i])
		} else {
			t.hh[k], err = rule.Bandwidth2(t.columns[e.class][e.i], t.columns[e.class][e.j])
		}
		if err != nil {
			return nil, densityError(train, e, err)
		}
	}
	return t, nil
}

// densityError says which density err is about.
func densityError(train *dataset.Set, e densityEntry, err error) error {
	if e.i == e.j {
		return fmt.Errorf("density of column %q in class %q: %w; leave the column out", train.Attributes[e.i].Name, train.Classes[e.class], err)
	}
	return fmt.Errorf("density of columns %q and %q in class %q: %w; leave one of them out", train.Attributes[e.i].Name, train.Attributes[e.j].Name, train.Classes[e.class], err)
}

// Select returns the map of the chosen entries alone, in the order of keep.
func (t *logDensities) Select(keep []int) *logDensities {
	s := &logDensities{floor: t.floor, columns: t.columns}
	for _, k := range keep {
		s.entries = append(s.entries, t.entries[k])
		s.h = append(s.h, t.h[k])
		s.hh = append(s.hh, t.hh[k])
	}
	return s
}

// Features returns T at each row of x, n x len(entries). Training rows are
// part of their own densities.
func (t *logDensities) Features(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	checkRows(x, len(t.columns[0]), false)
	n, _ := x.Dims()
	out := mat.NewDense(n, len(t.entries), nil)
	for k, e := range t.entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.fill(out, k, e, x, t.columns[e.class][e.i], t.columns[e.class][e.j])
	}
	return out, nil
}

func (t *logDensities) fill(out *mat.Dense, k int, e densityEntry, x *mat.Dense, ci, cj []float64) {
	n, _ := x.Dims()
	at := func(r int) float64 { return 0 }
	if e.i == e.j {
		f := kde.New(ci, t.h[k])
		at = func(r int) float64 { return f.At(x.At(r, e.i)) }
	} else {
		f := kde.New2(ci, cj, t.hh[k])
		at = func(r int) float64 { return f.At(x.At(r, e.i), x.At(r, e.j)) }
	}
	for r := range n {
		out.Set(r, k, kde.Log(at(r), t.floor))
	}
}

// CrossFeatures returns T at the n training rows, once with all rows in the
// densities and, for each of the k folds, with the rows of that fold left out
// of them: rows of fold f in without[f] are held out, the others in sample.
// Bandwidths are those of all rows throughout.
func (t *logDensities) CrossFeatures(ctx context.Context, train *dataset.Set, fold []int, k int) (all *mat.Dense, without []*mat.Dense, err error) {
	if all, err = t.Features(ctx, train.X); err != nil {
		return nil, nil, err
	}
	for f := range k {
		columns := make([][][]float64, train.C())
		for c := range columns {
			var rows []int
			for _, r := range train.ClassRows(c) {
				if fold[r] != f {
					rows = append(rows, r)
				}
			}
			if len(rows) == 0 {
				return nil, nil, fmt.Errorf("class %q has no rows outside fold %d: use fewer folds", train.Classes[c], f+1)
			}
			columns[c] = train.Columns(rows)
		}
		out := mat.NewDense(train.N(), len(t.entries), nil)
		for k, e := range t.entries {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			t.fill(out, k, e, train.X, columns[e.class][e.i], columns[e.class][e.j])
		}
		without = append(without, out)
	}
	return all, without, nil
}
