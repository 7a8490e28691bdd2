package csvfile

import (
	"fmt"
	"maps"
	"slices"

	"copse/stats/dataset"
)

// A layout describes which columns of a table are the class and attributes, and how their cells are
// read.
type layout struct {
	class   int               // index of the class column; -1: none
	columns []int             // indices of the columns of the attributes
	kinds   []kind            // kinds of the attributes
	merged  map[string]string // from a label to the class into which it is merged
}

// A kind determines how the cells of a column are interpreted.
type kind uint8

const (
	inferred kind = iota // not declared: numeric unless cells are text
	numeric              // declared: every cell is a number or missing
	trained              // numeric in the training set
	discrete
)

// newLayout determines the layout. If o.Train is set, the table must contain its attributes.
func (t *Table) newLayout(o Options) (*layout, error) {
	l := &layout{}
	var err error
	if o.Train != nil {
		l.class, l.columns, err = t.trainColumns(o)
		l.kinds = trainKinds(o.Train)
	} else if l.class, l.columns, err = t.attributeColumns(o); err == nil {
		l.kinds, err = t.declaredKinds(o, l)
	}
	if err != nil {
		return nil, err
	}
	l.merged, err = t.mergedLabels(o, l.class)
	return l, err
}

// attributeColumns returns the indices of the class column and of the attribute columns, in the
// order of the file. The attributes are the columns in o.Keep or, without o.Keep, those outside
// o.Drop.
func (t *Table) attributeColumns(o Options) (class int, attributes []int, err error) {
	name := t.ClassColumn(o)
	class, ok := t.column[name]
	if !ok {
		return 0, nil, t.optionError("class", "there is no column %q", name)
	}
	if o.Keep != nil && o.Drop != nil {
		return 0, nil, t.optionError("keep", "give either `keep` or `drop`, not both")
	}
	key, names, keepListed := "drop", o.Drop, false
	if o.Keep != nil {
		key, names, keepListed = "keep", o.Keep, true
	}
	listed, err := t.listed(key, names, class)
	if err != nil {
		return 0, nil, err
	}
	for j := range t.header {
		if listed[j] == keepListed && j != class {
			attributes = append(attributes, j)
		}
	}
	if len(attributes) == 0 {
		return 0, nil, t.noAttributes(key, name)
	}
	return class, attributes, nil
}

// noAttributes returns the error for a table without attributes. key is the option that removed
// them, if there were any.
func (t *Table) noAttributes(key, class string) error {
	if len(t.header) == 1 { // the separator was probably not recognised
		return fmt.Errorf("%s: row 1: the file has only the class column %q and no attribute; columns are "+
			"separated by commas, semicolons, tabs or bars", t.names[0], class)
	}
	return t.optionError(key, "all columns except the class column %q are left out; keep at least one "+
		"other column", class)
}

// listed returns the indices of the columns in the option with the given key, which is keep or drop.
func (t *Table) listed(key string, names []string, class int) (map[int]bool, error) {
	listed := map[int]bool{}
	for _, name := range names {
		j, ok := t.column[name]
		if !ok {
			return nil, t.optionError(key, "there is no column %q to %s", name, key)
		}
		if j == class {
			return nil, t.optionError(key, "%q is the class column, so it cannot be in the list of columns to %s",
				name, key)
		}
		listed[j] = true
	}
	return listed, nil
}

// declaredKinds returns the declared kind of each attribute of a layout. The kind of an undeclared
// attribute is inferred. o.Discrete and o.Numeric override the schema and must not share a column. "*"
// means all other columns. o.Discrete may also contain the class column.
func (t *Table) declaredKinds(o Options, l *layout) ([]kind, error) {
	if slices.Contains(o.Numeric, "*") && slices.Contains(o.Discrete, "*") {
		return nil, t.optionError("numeric", "`*` means all other columns, so it cannot be in the list of discrete "+
			"columns and in the list of numeric columns")
	}
	kinds := t.defaultKinds(o, l.columns)
	indexOf := map[string]int{} // index in l.columns, by name
	for j, column := range l.columns {
		indexOf[t.header[column]] = j
	}
	declared := map[string]bool{} // the columns listed so far in either option
	for _, option := range []struct {
		key   string
		kind  kind
		names []string
	}{{"discrete", discrete, o.Discrete}, {"numeric", numeric, o.Numeric}} {
		for _, name := range option.names {
			j, isAttribute := indexOf[name]
			isClass := name == t.header[l.class]
			switch {
			case !isAttribute && name == "*":
				continue // defaultKinds has set the kinds of all other columns
			case isClass && option.kind == discrete:
				continue // allowed, but a class has no kind in the layout
			case !isAttribute:
				return nil, t.optionError(option.key,
					"%q is declared discrete or numeric, but is not an attribute of the file", name)
			case declared[name]:
				return nil, t.optionError(option.key, "%q is listed twice among the discrete and numeric columns", name)
			}
			declared[name] = true
			kinds[j] = option.kind
		}
	}
	return kinds, nil
}

// defaultKinds returns the kinds of the given columns. If o.Discrete or o.Numeric contains "*", all
// columns have this kind. Otherwise, the schema gives the kinds. The kind of a column outside the schema
// is inferred.
func (t *Table) defaultKinds(o Options, columns []int) []kind {
	kinds := make([]kind, len(columns))
	fields := o.Schema.fields()
	allDiscrete, allNumeric := slices.Contains(o.Discrete, "*"), slices.Contains(o.Numeric, "*")
	for j, column := range columns {
		field := fields[t.header[column]]
		switch {
		case allDiscrete:
			kinds[j] = discrete
		case allNumeric:
			kinds[j] = numeric
		case field != nil:
			kinds[j] = field.kind()
		}
	}
	return kinds
}

// trainColumns returns the index of the class column, or -1, and the indices of the columns that
// match the attributes of o.Train.
//
// If o.Class is set, other columns that are not attributes are ignored. Otherwise, the class column
// is the only column that is neither dropped nor an attribute.
func (t *Table) trainColumns(o Options) (class int, attributes []int, err error) {
	isKnown := map[string]bool{} // the dropped columns and the attributes; any other column is the class
	for _, name := range o.Drop {
		isKnown[name] = true
	}
	for _, a := range o.Train.Attributes {
		j, ok := t.column[a.Name]
		if !ok {
			return 0, nil, t.columnError(a.Name, "the training set has this attribute, but the file does not")
		}
		attributes = append(attributes, j)
		isKnown[a.Name] = true
	}
	class = -1
	for j, name := range t.header {
		switch {
		case isKnown[name]:
			continue
		case o.Class != "" && name != o.Class:
			o.note("%s: the column %q is ignored, because the training set does not have it", t.names[0], name)
			continue
		case class >= 0: // a second column may be the class
			return 0, nil, t.columnError(name, "neither this column nor %q is an attribute of the training "+
				"set; name the class column, or drop the column that is not the class", t.header[class])
		}
		class = j
	}
	return class, attributes, nil
}

func trainKinds(train *dataset.Set) []kind {
	kinds := make([]kind, train.D())
	for j, a := range train.Attributes {
		kinds[j] = trained
		if a.Kind == dataset.Discrete {
			kinds[j] = discrete
		}
	}
	return kinds
}

// An OptionError is an error in an option. Keys is the path of the option in the data section of a
// study, such as ["merge", "ill"] for the class ill under the key merge.
type OptionError struct {
	Keys []string
	error
}

func (e *OptionError) Unwrap() error { return e.error }

func (t *Table) optionError(key, format string, args ...any) error {
	return &OptionError{[]string{key}, fmt.Errorf("%s: %s", t.names[0], fmt.Sprintf(format, args...))}
}

// mergedLabels returns a map from each label in o.Merge to the class into which it is merged.
// Without a class column (-1), the map is empty.
func (t *Table) mergedLabels(o Options, class int) (map[string]string, error) {
	merged := map[string]string{}
	if class < 0 {
		return merged, nil
	}
	mergeError := func(name, format string, args ...any) error {
		return &OptionError{[]string{"merge", name}, t.columnError(t.header[class], format, args...)}
	}
	labels := t.distinct(class, nil)
	for _, name := range slices.Sorted(maps.Keys(o.Merge)) {
		for _, label := range o.Merge[name] {
			if other, twice := merged[label]; twice && other != name {
				return nil, mergeError(name, "the label %q is merged into both %q and %q; choose one of these classes",
					label, other, name)
			}
			if o.Train == nil && !slices.Contains(labels, label) {
				return nil, mergeError(name, "there is no label %q to merge; the labels are %q", label, labels)
			}
			merged[label] = name
		}
	}
	return merged, nil
}
