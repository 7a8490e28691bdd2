package records

import (
	"cmp"
	"slices"
)

// Sort sorts the records by levels (see Order), cell, replicate and classifier.
func (r *Records) Sort() {
	order := Order(r.Factors)
	classifier := make(map[string]int, len(r.Classifiers)) // index by name
	for i, name := range r.Classifiers {
		classifier[name] = i
	}
	slices.SortStableFunc(r.Rows, func(a, b Record) int {
		if a.Cell != b.Cell {
			return cmp.Or(order(a.Levels, b.Levels), cmp.Compare(a.Cell, b.Cell))
		}
		return cmp.Or(cmp.Compare(a.Replicate, b.Replicate),
			cmp.Compare(classifier[a.Classifier], classifier[b.Classifier]))
	})
}
