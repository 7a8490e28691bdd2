package study

import (
	"fmt"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/stats/dataset/csvfile"
)

// A keyError is a mistake in a key of its own, not in the one that names the files.
type keyError struct {
	key string
	err error
}

func (e *keyError) Error() string { return e.err.Error() }
func (e *keyError) Unwrap() error { return e.err }

// known refuses names that are no columns, and the column of classes among attributes.
func (data *Data) known(header []string, schema *csvfile.Schema) error {
	class := data.Class
	if class == "" && schema != nil {
		class = schema.Class
	}
	if class == "" {
		class = header[len(header)-1]
	}
	there := map[string]bool{}
	for _, column := range header {
		there[column] = true
	}
	for _, list := range []struct {
		key, what string
		names     []string
	}{{"keep", "keep", data.Keep}, {"drop", "drop", data.Drop}, {"discrete", "take as discrete", data.Discrete}, {"numeric", "take as numeric", data.Numeric},
		{"groups", "group by", one(data.Groups)}, {"split", "split by", one(data.Column)}, {"class", "take the classes from", one(data.Class)}} {
		for _, name := range list.names {
			if name == class && slices.Contains([]string{"keep", "drop", "discrete", "numeric"}, list.key) {
				return &keyError{list.key, fmt.Errorf("%s: %q is the column of classes, which is there anyway and no attribute: leave it out of %s, or name another with class", data.Source(), name, list.key)}
			}
			others := name == "*" && (list.key == "discrete" || list.key == "numeric")
			if !there[name] && !others {
				return &keyError{list.key, fmt.Errorf("%s: no column %q to %s%s", data.Source(), name, list.what, config.DidYouMean(name, header))}
			}
		}
	}
	return nil
}

// one is a list of the name, if there is one.
func one(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// rowColumns reads the columns that say something of the rows and returns the
// columns to drop, these among them.
func (data *Data) rowColumns(file *File, table *csvfile.Table, o csvfile.Options) (drop []string, err error) {
	drop = slices.Concat(o.Drop, data.Join)
	if data.Groups != "" {
		if file.Groups, err = table.Column(data.Groups); err != nil {
			return nil, &keyError{"groups", err}
		}
		drop = append(drop, data.Groups)
	}
	if data.Column != "" {
		parts, err := table.Column(data.Column)
		if err != nil {
			return nil, &keyError{"split", err}
		}
		file.Test = make([]int, len(parts))
		for i, part := range parts {
			switch strings.ToLower(part) {
			case "train", "training":
			case "test", "testing":
				file.Test[i] = 1
			default:
				return nil, &keyError{"split", fmt.Errorf("%s: column %q says %q of a row, want train or test; leave other rows out with rows: [\"%s != %s\"]", data.Source(), data.Column, part, data.Column, part)}
			}
		}
		drop = append(drop, data.Column)
	}
	slices.Sort(drop)
	drop = slices.Compact(drop)
	if o.Keep != nil {
		return o.Drop, nil // what is not kept is dropped
	}
	return drop, nil
}

// overrides takes from the schema the columns that the study declares itself.
func overrides(o csvfile.Options) csvfile.Options {
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
