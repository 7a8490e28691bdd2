package csvfile

import (
	"fmt"
	"maps"
	"slices"

	"copse/stats/dataset"
)

// match reads the table as a further sample of the training set's kind.
func (t *Table) match(o Options) (*dataset.Set, error) {
	s := &dataset.Set{Attributes: slices.Clone(o.Train.Attributes), Classes: o.Train.Classes}
	class, columns, err := t.matchColumns(o)
	if err != nil {
		return nil, err
	}
	text, numeric := make([]bool, len(t.header)), make([]bool, len(t.header))
	for j := range text {
		text[j] = true
	}
	for j, column := range columns {
		numeric[column] = s.Attributes[j].Kind == dataset.Numeric
		text[column] = !numeric[column]
	}
	merged := map[string]string{}
	if class >= 0 {
		if merged, err = t.merge(o, class); err != nil {
			return nil, err
		}
	}
	values, err := t.kinds(text, numeric)
	if err != nil {
		return nil, err
	}
	f := filling{Table: t, set: s, columns: columns, class: class, merged: merged, values: values}
	return s, f.fill(o)
}

// matchColumns finds the training set's attributes, and the class column if the
// file has one, else -1.
func (t *Table) matchColumns(o Options) (class int, columns []int, err error) {
	used := make([]bool, len(t.header))
	for _, column := range o.Drop {
		if j, ok := t.column[column]; ok {
			used[j] = true
		}
	}
	for _, a := range o.Train.Attributes {
		j, ok := t.column[a.Name]
		if !ok {
			return 0, nil, t.failHead(a.Name, "the training set has this attribute, the file does not")
		}
		columns, used[j] = append(columns, j), true
	}
	class = -1
	for j, column := range t.header {
		if used[j] {
			continue
		}
		if o.Class != "" && column != o.Class {
			return 0, nil, t.failHead(column, "the training set has no such attribute")
		}
		if class >= 0 {
			return 0, nil, t.failHead(column, fmt.Sprintf("is no attribute of the training set, nor is %q: one of them may be the class; name it, or leave the other out", t.header[class]))
		}
		class = j
	}
	return class, columns, nil
}

// A MergeError is a label that cannot be merged into a class.
type MergeError struct {
	Class string
	err   error
}

func (e *MergeError) Error() string { return e.err.Error() }
func (e *MergeError) Unwrap() error { return e.err }

// merge returns the new class of each label that changes.
func (t *Table) merge(o Options, class int) (map[string]string, error) {
	merged := make(map[string]string)
	labels := t.distinct(class, nil)
	for _, name := range slices.Sorted(maps.Keys(o.Merge)) {
		for _, label := range o.Merge[name] {
			if other, twice := merged[label]; twice && other != name {
				return nil, &MergeError{name, t.failHead(t.header[class], fmt.Sprintf("the label %q is merged into %q and %q", label, other, name))}
			}
			if o.Train == nil && !slices.Contains(labels, label) {
				return nil, &MergeError{name, t.failHead(t.header[class], fmt.Sprintf("no label %q to merge; the labels are %q", label, labels))}
			}
			merged[label] = name
		}
	}
	return merged, nil
}
