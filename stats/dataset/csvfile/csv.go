package csvfile

import (
	"fmt"
	"io"
	"os"
	"slices"

	"copse/stats/dataset"
)

// Options says how a CSV file becomes a Set.
type Options struct {
	Separator rune     // 0: recognised, one of , ; tab |
	Decimal   rune     // '.' or ','; 0: recognised
	Missing   []string // marks of missing values beside the empty cell; nil: ? and NA

	Class    string              // the class column; empty: the last, or with Train the one that is no attribute
	Keep     []string            // the columns that are attributes; nil: all but the class and those of Drop
	Drop     []string            // columns to leave out
	Discrete []string            // columns that are discrete although their cells are numbers; "*" is all others
	Numeric  []string            // columns whose cells have to be numbers; "*" is all others
	Merge    map[string][]string // new classes and the labels that they join; other labels stay

	Schema *Schema      // kinds, levels and classes as they were written; nil: inferred
	Train  *dataset.Set // training set that the file must fit; nil when the file is the training set
	Unseen Unseen       // what becomes of levels that Train lacks
	Note   func(string) // is told what was recognised or replaced; may be nil
}

func (o *Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// Read reads a labelled sample: a header line, then one row per line, blanks
// around a cell ignored. An empty cell, ? and NA are missing values unless the
// options name other marks; the class may not be missing.
//
// A column with a cell that is neither missing nor a decimal number is discrete,
// and so are those that Discrete names; the others are numeric. A column that is
// numeric but for fewer than a fifth of its values is an error that names these,
// unless Discrete has it. Levels and classes are in natural order, which the
// order of the rows does not change: numbers by value, then names, digits inside
// names by value (x2 before x10). A Schema overrides what is inferred.
//
// With Train the columns are matched by name, in any order, and kinds, levels and
// classes are the training set's. The class column may then be absent: every
// label is dataset.Unknown. Errors name the file, row (the header is row 1) and column.
func Read(r io.Reader, name string, o Options) (*dataset.Set, error) {
	if o.Schema != nil {
		o.Separator, o.Decimal = ',', '.'
		if o.Missing == nil {
			o.Missing = o.Schema.MissingValues
		}
	}
	t, err := ReadTable(r, name, o)
	if err != nil {
		return nil, err
	}
	return t.Set(o)
}

// ReadFile reads a file as Read does, with the schema beside it, if there
// is one and the options have none (see SchemaFile).
func ReadFile(path string, o Options) (*dataset.Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if o.Schema == nil {
		if o.Schema, err = ReadSchemaFile(SchemaFile(path)); err != nil {
			return nil, err
		}
	}
	return Read(f, path, o)
}

// Set returns the table's rows as a labelled sample, as Read describes.
func (t *Table) Set(o Options) (*dataset.Set, error) {
	if o.Train != nil {
		return t.match(o)
	}
	class, columns, err := t.roles(o)
	if err != nil {
		return nil, err
	}
	fields := o.Schema.fields()
	text, numeric, err := t.declared(o, fields, columns)
	if err != nil {
		return nil, err
	}
	merged, err := t.merge(o, class)
	if err != nil {
		return nil, err
	}
	values, err := t.kinds(text, numeric)
	if err != nil {
		return nil, err
	}
	s := &dataset.Set{}
	if field := fields[t.header[class]]; field != nil && field.Categories != nil && len(o.Merge) == 0 {
		s.Classes = field.Categories
	} else if s.Classes = t.distinct(class, merged); len(o.Merge) == 0 {
		if err := t.checkClasses(class, s.Classes); err != nil {
			return nil, err
		}
	}
	for _, j := range columns {
		a := dataset.Attribute{Name: t.header[j]}
		if field := fields[a.Name]; text[j] && field != nil && field.Categories != nil {
			a.Kind, a.Levels = dataset.Discrete, field.Categories
		} else if text[j] {
			a.Kind, a.Levels = dataset.Discrete, t.distinct(j, nil)
		}
		s.Attributes = append(s.Attributes, a)
	}
	f := filling{Table: t, set: s, columns: columns, class: class, merged: merged, values: values}
	return s, f.fill(o)
}

// roles finds the class column and those of the attributes, in file order.
func (t *Table) roles(o Options) (class int, columns []int, err error) {
	class = len(t.header) - 1
	name := o.Class
	if name == "" && o.Schema != nil {
		name = o.Schema.Class
	}
	if name != "" {
		var ok bool
		if class, ok = t.column[name]; !ok {
			return 0, nil, t.failHead(name, "there is no such column")
		}
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
		return 0, nil, fmt.Errorf("%s: row 1: no attribute beside the class column %q%s", t.names[0], t.header[class], hint)
	}
	return class, columns, nil
}

// declared returns which columns are text and which have to be numbers; those
// that are no attributes are text.
func (t *Table) declared(o Options, fields map[string]*Field, columns []int) (text, numeric []bool, err error) {
	text, numeric = make([]bool, len(t.header)), make([]bool, len(t.header))
	attribute, named := make([]bool, len(t.header)), make([]bool, len(t.header))
	for j := range text {
		text[j] = true
	}
	for _, j := range columns {
		field := fields[t.header[j]]
		attribute[j] = true
		text[j], numeric[j] = field != nil && field.discrete(), field != nil && !field.discrete()
	}
	all := [2]bool{slices.Contains(o.Numeric, "*"), slices.Contains(o.Discrete, "*")}
	if all[0] || all[1] {
		for _, j := range columns {
			text[j], numeric[j] = all[1], all[0]
		}
	}
	declare := func(names []string, discrete bool) error {
		for _, name := range names {
			switch j, ok := t.column[name]; {
			case !ok && name == "*" && all[0] != all[1]:
			case !ok || !attribute[j]:
				return t.failHead(name, "named discrete or numeric, but there is no such attribute")
			case named[j]:
				return t.failHead(name, "named discrete or numeric twice")
			default:
				text[j], numeric[j], named[j] = discrete, !discrete, true
			}
		}
		return nil
	}
	if err := declare(o.Discrete, true); err != nil {
		return nil, nil, err
	}
	return text, numeric, declare(o.Numeric, false)
}
