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
func (t *Table) layout(o Options) (l *layout, err error) {
	l = &layout{}
	if o.Train != nil {
		l.class, l.columns, err = t.trainColumns(o)
		l.kinds = trainKinds(o.Train)
	} else if l.class, l.columns, err = t.attributeColumns(o); err == nil {
		l.kinds, err = t.declaredKinds(o, l.columns)
	}
	if err != nil {
		return nil, err
	}
	l.merged, err = t.merge(o, l.class)
	return l, err
}

// attributeColumns returns the class column and the columns of the attributes in file order.
func (t *Table) attributeColumns(o Options) (class int, attributes []int, err error) {
	if class, err = t.classColumn(o); err != nil {
		return 0, nil, err
	}
	if o.Keep != nil && o.Drop != nil {
		return 0, nil, fmt.Errorf("%s: give the columns to keep or those to drop, not both", t.names[0])
	}
	listed := map[int]bool{} // columns to keep or to drop
	for _, name := range slices.Concat(o.Keep, o.Drop) {
		j, ok := t.column[name]
		if !ok {
			return 0, nil, t.failHead(name, "there is no such attribute to keep or to drop")
		}
		if j == class {
			return 0, nil, t.failHead(name, "is the class column and cannot be used otherwise")
		}
		listed[j] = true
	}
	isKept := func(j int) bool { return j != class && listed[j] == (o.Keep != nil) }
	for j := range t.header {
		if isKept(j) {
			attributes = append(attributes, j)
		}
	}
	if len(attributes) == 0 {
		hint := ""
		if len(t.header) == 1 {
			hint = "; columns are separated by commas, semicolons, tabs or bars"
		}
		return 0, nil, fmt.Errorf("%s: row 1: no attribute beside the class column %q%s",
			t.names[0], t.header[class], hint)
	}
	return class, attributes, nil
}

// classColumn returns the class column: that of the options or the schema, else the last one.
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

// declaredKinds returns the kinds of the columns: those of the lists Numeric and Discrete of the
// options, else those of the schema, else inferred.
func (t *Table) declaredKinds(o Options, columns []int) ([]kind, error) {
	kinds := make([]kind, len(columns))
	fields := o.Schema.fields()
	allNumeric, allDiscrete := slices.Contains(o.Numeric, "*"), slices.Contains(o.Discrete, "*")
	place := map[string]int{} // of an attribute among the columns
	for j, column := range columns {
		name := t.header[column]
		place[name] = j
		switch field := fields[name]; {
		case allDiscrete:
			kinds[j] = discrete
		case allNumeric:
			kinds[j] = numeric
		case field != nil:
			kinds[j] = field.kind()
		}
	}
	named := map[string]bool{}
	for i, name := range slices.Concat(o.Discrete, o.Numeric) {
		j, ok := place[name]
		switch {
		case !ok && name == "*" && allNumeric != allDiscrete:
			continue // all other columns, see above
		case !ok:
			return nil, t.failHead(name, "declared discrete or numeric, but there is no such attribute")
		case named[name]:
			return nil, t.failHead(name, "declared discrete or numeric twice")
		}
		named[name] = true
		kinds[j] = numeric
		if i < len(o.Discrete) {
			kinds[j] = discrete
		}
	}
	return kinds, nil
}

// trainColumns returns the columns of the training set's attributes, in its order, and the class
// column, -1 if the file has none. The class is the only column that is neither an attribute nor
// dropped.
func (t *Table) trainColumns(o Options) (class int, attributes []int, err error) {
	used := map[string]bool{}
	for _, name := range o.Drop {
		used[name] = true
	}
	for _, a := range o.Train.Attributes {
		j, ok := t.column[a.Name]
		if !ok {
			return 0, nil, t.failHead(a.Name, "the training set has this attribute, the file does not")
		}
		attributes, used[a.Name] = append(attributes, j), true
	}
	class = -1
	for j, name := range t.header {
		switch {
		case used[name]:
			continue
		case o.Class != "" && name != o.Class:
			return 0, nil, t.failHead(name, "the training set has no such attribute")
		case class >= 0:
			return 0, nil, t.failHead(name, fmt.Sprintf("neither this column nor %q is an attribute of the training "+
				"set: name the class column, or leave the other out", t.header[class]))
		}
		class = j
	}
	return class, attributes, nil
}

// trainKinds returns the kinds of a training set's attributes.
func trainKinds(train *dataset.Set) []kind {
	kinds := make([]kind, train.D())
	for j, a := range train.Attributes {
		kinds[j] = numeric
		if a.Kind == dataset.Discrete {
			kinds[j] = discrete
		}
	}
	return kinds
}

// A MergeError is the error of a label that cannot be merged into a class.
type MergeError struct {
	Class string
	err   error
}

func (e *MergeError) Error() string { return e.err.Error() }
func (e *MergeError) Unwrap() error { return e.err }

// merge returns the new classes of the labels that the options merge; none if class is -1, for a
// file without a class column.
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
