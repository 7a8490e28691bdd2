package data

import (
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/stats/dataset/csvfile"
)

// checkColumns reports a name that is no column of the header, and the column of classes
// among the attributes.
func (q *Request) checkColumns(header []string, schema *csvfile.Schema) error {
	class := q.Class
	if class == "" && schema != nil {
		class = schema.Class
	}
	if class == "" {
		class = header[len(header)-1]
	}
	for _, use := range []struct {
		key, purpose string
		names        []string
		attributes   bool // the names are attributes
		others       bool // * stands for all others
	}{
		{"keep", "keep", q.Keep, true, false},
		{"drop", "drop", q.Drop, true, false},
		{"discrete", "take as discrete", q.Discrete, true, true},
		{"numeric", "take as numeric", q.Numeric, true, true},
		{"groups", "group by", one(q.Groups), false, false},
		{"split", "split by", one(q.Split), false, false},
		{"class", "take the classes from", one(q.Class), false, false},
	} {
		for _, name := range use.names {
			if name == class && use.attributes {
				return inKey(
					use.key,
					fmt.Errorf(
						"%s: %q is the column of classes, which is there anyway and no attribute: leave it out of "+
							"%s, or name another with class",
						q.Source(),
						name,
						use.key,
					),
				)
			}
			if !slices.Contains(header, name) && !(use.others && name == "*") {
				return inKey(
					use.key,
					fmt.Errorf(
						"%s: no column %q to %s%s",
						q.Source(),
						name,
						use.purpose,
						config.DidYouMean(name, header),
					),
				)
			}
		}
	}
	return nil
}

// one returns a list of the name; nil without one.
func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// rowColumns reads the columns that describe rows, groups and split, into the file. It
// returns the columns to drop, these among them.
func (q *Request) rowColumns(file *File, table *csvfile.Table, o csvfile.Options) (drop []string, err error) {
	drop = slices.Clone(o.Drop)
	if q.Groups != "" {
		if file.Groups, err = table.Column(q.Groups); err != nil {
			return nil, inKey("groups", err)
		}
		drop = append(drop, q.Groups)
	}
	if q.Split != "" {
		if file.Test, err = q.testRows(table); err != nil {
			return nil, inKey("split", err)
		}
		drop = append(drop, q.Split)
	}
	slices.Sort(drop)
	drop = slices.Compact(drop)
	if o.Keep != nil {
		return o.Drop, nil // what is not kept is dropped
	}
	return drop, nil
}

// testRows reads the column that is train or test: 1 for test.
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
			return nil, fmt.Errorf(
				"%s: column %q says %q of a row, want train or test; leave other rows out with rows: [\"%s != %s\"]",
				q.Source(),
				q.Split,
				part,
				q.Split,
				part,
			)
		}
	}
	return test, nil
}

// withoutDeclared takes the columns out of the schema that the study declares itself.
func withoutDeclared(o csvfile.Options) csvfile.Options {
	schema := *o.Schema
	declared := map[string]bool{}
	for _, name := range slices.Concat(o.Discrete, o.Numeric) {
		declared[name] = true
	}
	schema.Fields = slices.DeleteFunc(slices.Clone(schema.Fields), func(f csvfile.Field) bool {
		return declared[f.Name] || declared["*"] && f.Name != schema.Class
	})
	o.Schema = &schema
	return o
}
