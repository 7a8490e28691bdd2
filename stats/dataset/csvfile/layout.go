package csvfile

import (
	"fmt"
	"maps"
	"slices"

	"copse/stats/dataset"
)

// A layout maps the columns of a table to the classes and attributes of a sample.
type layout struct {
	class   int               // the column of classes; -1: none
	columns []int             // the columns of the attributes
	kinds   []kind            // of the attributes
	merged  map[string]string // labels that get another name
}

// A kind is how the cells of an attribute are read.
type kind uint8

const (
	inferred kind = iota // numeric unless cells are text
	numeric              // declared: every cell is a number or missing
	discrete
)

// layout returns the layout of the table: that of the training set if there is one, else
// from the options, the schema and the order of the columns.
func (t *Table) layout(o Options) (*layout, error) {
	place, kinds := t.places, t.declaredKinds
	if o.Train != nil {
		place, kinds = t.trainPlaces, trainKinds
	}
	l := &layout{}
	var err error
	if l.class, l.columns, err = place(o); err != nil {
		return nil, err
	}
	if l.kinds, err = kinds(o, l.columns); err != nil {
		return nil, err
	}
	if l.merged, err = t.merge(o, l.class); err != nil {
		return nil, err
	}
	return l, nil
}

// places returns the class column and the columns of the attributes in file order.
func (t *Table) places(o Options) (class int, columns []int, err error) {
	if class, err = t.classColumn(o); err != nil {
		return 0, nil, err
	}
	if o.Keep != nil && o.Drop != nil {
		return 0, nil, fmt.Errorf("%s: give the columns to keep or those to drop, not both", t.names[0])
	}
	listed := make([]bool, len(t.header))
	for _, column := range slices.Concat(o.Keep, o.Drop) {
		j, ok := t.column[column]
		switch {
		case !ok:
			return 0, nil, t.failHead(column, "there is no such attribute to keep or to drop")
		case j == class:
			return 0, nil, t.failHead(column, "is the column of classes and can be nothing else")
		}
		listed[j] = true
	}
	for j := range t.header {
		if j != class && listed[j] == (o.Keep != nil) {
			columns = append(columns, j)
		}
	}
	if len(columns) == 0 {
		hint := ""
		if len(t.header) == 1 {
			hint = "; columns are separated by commas, semicolons, tabs or bars"
		}
		return 0, nil, fmt.Errorf("%s: row 1: no attribute beside the class column %q%s",
			t.names[0], t.header[class], hint)
	}
	return class, columns, nil
}

// classColumn returns the column that the options or the schema name, else the last.
func (t *Table) classColumn(o Options) (int, error) {
	name := o.Class
	if name == "" && o.Schema != nil {
		name = o.Schema.Class
	}
	if name == "" {
		return len(t.header) - 1, nil
	}
	class, ok := t.column[name]
	if !ok {
		return 0, t.failHead(name, "there is no such column")
	}
	return class, nil
}

// declaredKinds returns the kinds of the columns by the schema and, with precedence, by
// the lists Numeric and Discrete of the options.
func (t *Table) declaredKinds(o Options, columns []int) ([]kind, error) {
	kinds := make([]kind, len(columns))
	fields := o.Schema.fields()
	place := map[string]int{} // of an attribute among the columns
	for j, column := range columns {
		name := t.header[column]
		place[name] = j
		if field := fields[name]; field != nil {
			kinds[j] = field.kind()
		}
	}
	allNumeric, allDiscrete := slices.Contains(o.Numeric, "*"), slices.Contains(o.Discrete, "*")
	for j := range kinds {
		if allDiscrete {
			kinds[j] = discrete
		} else if allNumeric {
			kinds[j] = numeric
		}
	}
	named := map[string]bool{}
	declare := func(names []string, k kind) error {
		for _, name := range names {
			j, ok := place[name]
			switch {
			case !ok && name == "*" && allNumeric != allDiscrete:
				continue
			case !ok:
				return t.failHead(name, "named discrete or numeric, but there is no such attribute")
			case named[name]:
				return t.failHead(name, "named discrete or numeric twice")
			}
			kinds[j], named[name] = k, true
		}
		return nil
	}
	if err := declare(o.Discrete, discrete); err != nil {
		return nil, err
	}
	return kinds, declare(o.Numeric, numeric)
}

// trainPlaces returns the columns of the training set's attributes, in its order, and
// the class column, -1 if the file has none.
func (t *Table) trainPlaces(o Options) (class int, columns []int, err error) {
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
			return 0, nil, t.failHead(column, fmt.Sprintf("is no attribute of the training set, nor is %q: "+
				"one of them may be the class; name it, or leave the other out", t.header[class]))
		}
		class = j
	}
	return class, columns, nil
}

// trainKinds returns the kinds of the training set's attributes.
func trainKinds(o Options, _ []int) ([]kind, error) {
	var kinds []kind
	for _, a := range o.Train.Attributes {
		k := numeric
		if a.Kind == dataset.Discrete {
			k = discrete
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// A MergeError is a label that cannot be merged into a class.
type MergeError struct {
	Class string
	err   error
}

func (e *MergeError) Error() string { return e.err.Error() }
func (e *MergeError) Unwrap() error { return e.err }

// merge returns the new class of each label that changes, none without a class column.
func (t *Table) merge(o Options, class int) (map[string]string, error) {
	merged := map[string]string{}
	if class < 0 {
		return merged, nil
	}
	labels := t.distinct(class, nil)
	for _, name := range slices.Sorted(maps.Keys(o.Merge)) {
		for _, label := range o.Merge[name] {
			if other, twice := merged[label]; twice && other != name {
				problem := fmt.Sprintf("the label %q is merged into %q and %q", label, other, name)
				return nil, &MergeError{name, t.failHead(t.header[class], problem)}
			}
			if o.Train == nil && !slices.Contains(labels, label) {
				problem := fmt.Sprintf("no label %q to merge; the labels are %q", label, labels)
				return nil, &MergeError{name, t.failHead(t.header[class], problem)}
			}
			merged[label] = name
		}
	}
	return merged, nil
}
