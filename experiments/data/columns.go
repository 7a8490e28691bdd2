package data

import (
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/stats/dataset/csvfile"
)

// A columnUse describes a key of the data section that names columns.
type columnUse struct {
	key     string
	purpose string   // end of the message "no column x to ..."
	names   []string // the columns that the key names
}

func (q *Request) columnUses() []columnUse {
	return []columnUse{
		{"keep", "keep", q.Keep},
		{"drop", "drop", q.Drop},
		{discreteKey, "take as discrete", q.Discrete},
		{"numeric", "take as numeric", q.Numeric},
		{"groups", "group by", listOf(q.Groups)},
		{"folds", "read folds from", q.Folds},
		{"split", "split by", listOf(q.Split)},
		{classKey, "take the classes from", listOf(q.Class)},
	}
}

// listOf returns a list of one name, or nil for "", the value of a key that is not set.
func listOf(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// Only the keys classKey and discreteKey may name the class column.
const classKey, discreteKey = "class", "discrete"

// optionalColumns returns a function that reports whether a column may be missing in some files. This
// is so if the column is neither an attribute nor used for classes, groups, folds, the official split
// or conditions on rows. The argument first is the table of the first file.
func (q *Request) optionalColumns(first *csvfile.Table, o csvfile.Options) func(column string) bool {
	used := slices.Concat(q.Folds, []string{q.Groups, q.Split, first.ClassColumn(o)})
	for _, condition := range q.Where {
		used = append(used, csvfile.ConditionColumn(condition))
	}
	if o.Schema != nil {
		used = append(used, o.Schema.Folds...)
	}
	return func(column string) bool {
		isLeftOut := slices.Contains(q.Drop, column)
		if q.Keep != nil {
			isLeftOut = !slices.Contains(q.Keep, column)
		}
		return isLeftOut && !slices.Contains(used, column)
	}
}

// checkColumns returns an error if a key names a column that the table lacks, or the class column.
func (q *Request) checkColumns(table *csvfile.Table, o csvfile.Options) error {
	header := table.Header()
	class := table.ClassColumn(o)
	for _, use := range q.columnUses() {
		for _, name := range use.names {
			mayNameClass := use.key == classKey || use.key == discreteKey
			if name == class && !mayNameClass {
				return inKey(use.key, fmt.Errorf("%s: %q is the class column, not an attribute: remove it from `%s`, "+
					"or name another class column with `class`", q.Source(), name, use.key))
			}
			isAllOthers := name == "*" && (use.key == discreteKey || use.key == "numeric") // not the name of a column
			if !isAllOthers && !slices.Contains(header, name) {
				return inKey(use.key, fmt.Errorf("%s: no column %q to %s%s",
					q.Source(), name, use.purpose, config.DidYouMean(name, header)))
			}
		}
	}
	return nil
}

// readSplitColumns reads the columns with the official test set and the folds. It stores them in file
// and returns the names of the columns to drop.
func (q *Request) readSplitColumns(file *File, table *csvfile.Table, o csvfile.Options) (drop []string, err error) {
	if q.Split != "" {
		if file.Test, err = q.testRows(table); err != nil {
			return nil, inKey("split", err)
		}
	}
	file.FoldColumns = q.Folds
	if q.OfficialFolds && o.Schema != nil {
		file.FoldColumns = o.Schema.Folds
	}
	if file.Folds, err = foldsIn(table, file.FoldColumns); err != nil {
		return nil, inKey("folds", err)
	}
	return q.columnsToDrop(file, o), nil
}

// columnsToDrop returns the columns that csvfile must drop: those in o.Drop, and those with the
// groups, the split and the folds. If o.Keep lists the attributes, csvfile drops all others anyway.
func (q *Request) columnsToDrop(file *File, o csvfile.Options) []string {
	if o.Keep != nil {
		return o.Drop
	}
	drop := slices.Concat(o.Drop, file.FoldColumns, listOf(q.Groups), listOf(q.Split))
	if o.Schema != nil {
		drop = append(drop, o.Schema.Folds...)
	}
	slices.Sort(drop)
	return slices.Compact(drop)
}

// foldsIn reads folds from columns: folds[k][i] is the fold of row i in column k. Folds are
// numbered from 0 in the natural order of their names. All columns must have the same number of
// folds, at least 2.
func foldsIn(table *csvfile.Table, columns []string) (folds [][]int, err error) {
	count := 0 // number of folds in the first column
	for i, column := range columns {
		codes, names, err := table.Codes(column)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			count = len(names)
		}
		if len(names) != count || count < 2 {
			return nil, fmt.Errorf("column %q has %d folds; want at least 2, and the same number in each column",
				column, len(names))
		}
		folds = append(folds, codes)
	}
	return folds, nil
}

// testRows reads the column that the key "split" names. It returns 1 for test rows and 0 for
// training rows.
func (q *Request) testRows(table *csvfile.Table) ([]int, error) {
	parts, err := table.Column(q.Split)
	if err != nil {
		return nil, err
	}
	test := make([]int, len(parts))
	for i, part := range parts {
		switch strings.ToLower(part) {
		case "train", "training":
		case "test", "testing":
			test[i] = 1
		default:
			return nil, fmt.Errorf("%s: column %q has the value %q; want `train` or `test`. To remove such rows, "+
				"add `rows: [\"%[2]s != %[3]s\"]`", q.Source(), q.Split, part)
		}
	}
	return test, nil
}

// overrideSchema removes the schema's entries for attributes that the study declares as discrete or
// numeric.
func overrideSchema(o csvfile.Options, classColumn string) csvfile.Options {
	schema := *o.Schema
	declared := slices.Concat(o.Discrete, o.Numeric)
	allOthers := slices.Contains(declared, "*")
	schema.Fields = slices.DeleteFunc(slices.Clone(schema.Fields), func(f csvfile.Field) bool {
		return f.Name != classColumn && (allOthers || slices.Contains(declared, f.Name))
	})
	o.Schema = &schema
	return o
}
