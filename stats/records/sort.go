package records

import (
	"cmp"
	"fmt"
	"slices"
)

// Arrange puts factors, levels and classifiers into the declared order and
// sorts the rows by it. The declaration must name the records' factors and
// cover their levels and classifiers; what no row has is dropped from neither.
func (r *Records) Arrange(factors []Factor, classifiers []string) error {
	if len(factors) != len(r.Factors) {
		return fmt.Errorf("arrange records: %d factors declared, the records have %d", len(factors), len(r.Factors))
	}
	for _, name := range r.Classifiers {
		if !slices.Contains(classifiers, name) {
			return fmt.Errorf("arrange records: classifier %q of the records is not declared", name)
		}
	}
	from := make([]int, len(factors)) // the records' position of each declared factor
	for j, f := range factors {
		from[j] = slices.IndexFunc(r.Factors, func(g Factor) bool { return g.Name == f.Name })
		if from[j] < 0 {
			return fmt.Errorf("arrange records: the records have no factor %q", f.Name)
		}
		for _, level := range r.Factors[from[j]].Levels {
			if !slices.Contains(f.Levels, level) {
				return fmt.Errorf("arrange records: level %q of factor %q is not declared", level, f.Name)
			}
		}
	}
	var before, after []string // levels of consecutive rows are mostly the same slice
	for i := range r.Rows {
		if i == 0 || !slices.Equal(before, r.Rows[i].Levels) {
			before, after = r.Rows[i].Levels, make([]string, len(factors))
			for j := range after {
				after[j] = before[from[j]]
			}
		}
		r.Rows[i].Levels = after
	}
	r.Factors, r.Classifiers = factors, classifiers
	r.Sort()
	return nil
}

// Sort orders the rows by levels, cell, replicate and classifier, in the order
// of Factors and Classifiers; an absent nested factor comes first.
func (r *Records) Sort() {
	level := make([]map[string]int, len(r.Factors))
	for j, f := range r.Factors {
		level[j] = positions(f.Levels)
		level[j][""] = -1
	}
	classifier := positions(r.Classifiers)
	slices.SortStableFunc(r.Rows, func(a, b Record) int {
		if a.Cell != b.Cell {
			for j := range level {
				if d := cmp.Compare(level[j][a.Levels[j]], level[j][b.Levels[j]]); d != 0 {
					return d
				}
			}
			return cmp.Compare(a.Cell, b.Cell)
		}
		return cmp.Or(cmp.Compare(a.Replicate, b.Replicate),
			cmp.Compare(classifier[a.Classifier], classifier[b.Classifier]))
	})
}

func positions(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, name := range names {
		at[name] = i
	}
	return at
}

// Filter returns the rows whose factor has one of the levels; the factor keeps
// those levels only. Unknown names are errors.
func (r *Records) Filter(factor string, levels ...string) (*Records, error) {
	j := slices.IndexFunc(r.Factors, func(f Factor) bool { return f.Name == factor })
	if j < 0 {
		names := make([]string, len(r.Factors))
		for i, f := range r.Factors {
			names[i] = f.Name
		}
		return nil, fmt.Errorf("filter records: no factor %q; there are %q", factor, names)
	}
	for _, level := range levels {
		if level != "" && !slices.Contains(r.Factors[j].Levels, level) {
			return nil, fmt.Errorf("filter records: factor %q has no level %q; it has %q", factor, level, r.Factors[j].Levels)
		}
	}
	kept := &Records{Study: r.Study, Factors: slices.Clone(r.Factors), Classifiers: r.Classifiers}
	kept.Factors[j].Levels = slices.DeleteFunc(slices.Clone(r.Factors[j].Levels),
		func(level string) bool { return !slices.Contains(levels, level) })
	for i := range r.Rows {
		if slices.Contains(levels, r.Rows[i].Levels[j]) {
			kept.Rows = append(kept.Rows, r.Rows[i])
		}
	}
	return kept, nil
}
