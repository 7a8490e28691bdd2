// Package logdensity is the feature map of log densities (Tenzer et al. 2020,
// Eq. 5) and what a training set keeps of it for the next classifier.
package logdensity

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/kde"
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

// Pairs lists log p_c(x_i, x_j) for i < j, class by class, (0,1), (0,2),
// ..., (d-2,d-1).
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

// Count is the number of All.
func Count(classes, d int) int { return classes * d * (d + 1) / 2 }

// A Map is the feature map T of chosen entries, fitted to one training set: kernel densities of each class, logged above a floor. It is immutable.
type Map struct {
	train   *dataset.Set // that it was fitted to, as a name for its densities
	Entries []Entry      // in the order of the columns of T
	rule    kde.Rule
	floor   float64
	d       int
	classes []classDensities
}

// Fit estimates the densities of the entries from the training rows of their
// classes. The floor is a density, e.g. 1e-10.
func Fit(ctx context.Context, train *dataset.Set, rule kde.Rule, floor float64, entries []Entry) (*Map, error) {
	t := &Map{train: train, Entries: entries, rule: rule, floor: floor, d: train.D(), classes: make([]classDensities, train.C())}
	for c := range t.classes {
		rows := train.ClassRows(c)
		t.classes[c] = classDensities{rows: rows, columns: train.Columns(rows), rule: rule, hVariable: make([]float64, train.D())}
	}
	for k, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := t.classes[e.Class].add(ctx, train, k, e); err != nil {
			return nil, Error(train, e, err)
		}
	}
	for c := range t.classes {
		t.classes[c].sums = t.classes[c].productSums(kde.Whole(len(t.classes[c].rows)))
	}
	return t, nil
}

// Error says which density err is about.
func Error(train *dataset.Set, e Entry, err error) error {
	if e.I == e.J {
		return fmt.Errorf("density of column %q in class %q: %w; leave the column out", train.Attributes[e.I].Name, train.Classes[e.Class], err)
	}
	return fmt.Errorf("density of columns %q and %q in class %q: %w; leave one of them out", train.Attributes[e.I].Name, train.Attributes[e.J].Name, train.Classes[e.Class], err)
}

// Select returns the map of the chosen entries alone, in the order of keep.
func (t *Map) Select(keep []int) *Map {
	s := &Map{train: t.train, rule: t.rule, floor: t.floor, d: t.d, classes: make([]classDensities, len(t.classes))}
	for _, k := range keep {
		s.Entries = append(s.Entries, t.Entries[k])
	}
	for c := range s.classes {
		s.classes[c] = t.classes[c].selected(keep)
	}
	return s
}

// batch is the number of rows between two looks at the context, at which each
// pair's sample is read once.
const batch = 32

// Features returns T at each row of x, n x len(entries). Training rows are
// part of their own densities.
func (t *Map) Features(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	columns.Check(x, t.d, false)
	n, _ := x.Dims()
	out := mat.NewDense(n, len(t.Entries), nil)
	for c := range t.classes {
		if err := t.classes[c].evaluatePairwise(ctx, x, out, t.floor); err != nil {
			return nil, err
		}
	}
	for from := 0; from < n; from += batch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		points, rows := rowViews(x, from, min(from+batch, n)), rowViews(out, from, min(from+batch, n))
		for c := range t.classes {
			t.classes[c].evaluate(points, rows)
		}
		logs(rows, t.floor)
	}
	return out, nil
}

// logs replaces densities by their logarithms above the floor.
func logs(rows [][]float64, floor float64) {
	for _, row := range rows {
		vecmath.Log(row, row, floor)
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

// CrossFeatures returns T at the n training rows, once with all rows in the
// densities and, for each of the k folds, with the rows of that fold left out
// of them: rows of fold f in without[f] are held out, the others in sample.
// Bandwidths are those of all rows throughout.
func (t *Map) CrossFeatures(ctx context.Context, train *dataset.Set, fold []int, k int) (all *mat.Dense, without []*mat.Dense, err error) {
	n := train.N()
	all = mat.NewDense(n, len(t.Entries), nil)
	for range k {
		without = append(without, mat.NewDense(n, len(t.Entries), nil))
	}
	folded := make([]*foldedDensities, len(t.classes))
	for c := range t.classes {
		if folded[c], err = t.classes[c].fold(fold, k); err != nil {
			return nil, nil, fmt.Errorf("class %q: %w", train.Classes[c], err)
		}
		if err := folded[c].evaluatePairwise(ctx, train.X, append([]*mat.Dense{all}, without...), t.floor); err != nil {
			return nil, nil, err
		}
	}
	for from := 0; from < n; from += batch {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		to := min(from+batch, n)
		rows := [][][]float64{rowViews(all, from, to)}
		for f := range k {
			rows = append(rows, rowViews(without[f], from, to))
		}
		for c := range folded {
			folded[c].evaluate(rowViews(train.X, from, to), rows)
		}
		for _, r := range rows {
			logs(r, t.floor)
		}
	}
	return all, without, nil
}
