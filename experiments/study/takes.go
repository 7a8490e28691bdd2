package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/stats/dataset"
)

// String names the levels of a combination.
func (c combination) String() string {
	var parts []string
	for factor, level := range c {
		parts = append(parts, factor+"="+level.name)
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// chosenBy tells whether the cell has levels that an only: names, such as
// {data_set: [iris, glass]}.
func (r *resolver) chosenBy(only *yaml.Node, path string) bool {
	if only == nil {
		return true
	}
	if only.Kind != yaml.MappingNode {
		r.Fail(only, path, "want factors with lists of their levels, got %s", config.Describe(only))
		return true
	}
	all := true
	for _, e := range r.Entries(only, path) {
		factor := e.Key.Value
		levels, known := r.levels[factor]
		if !known {
			r.Fail(e.Key, config.Join(path, factor), "is no factor")
			continue
		}
		found, named := false, []*yaml.Node{config.Resolve(e.Value)}
		if named[0].Kind == yaml.SequenceNode {
			named = named[0].Content
		}
		for _, n := range named {
			if n = config.Resolve(n); n.Kind != yaml.ScalarNode || !slices.Contains(levels, n.Value) {
				r.Fail(n, config.Join(path, factor), "%s is no level of it%s", config.Describe(n), config.DidYouMean(n.Value, levels))
			}
			found = found || r.chosen[factor].name == n.Value
		}
		all = all && found
	}
	return all
}

// takes refuses a classifier that cannot take what the cell's data give it, as
// far as that is known before they are drawn. What a program can take it says
// when it is started.
func (r *resolver) takes(n *yaml.Node, e Entry, data *Data) {
	if data == nil || r.recorded {
		return
	}
	remedy := ""
	if len(r.chosen) > 0 {
		remedy = "; limit it to other cells with only:"
	}
	if e.Oracle() && data.Generator != nil && data.Missing.In("test") {
		r.Fail(n, "classifiers."+e.ID, "knows the densities of complete rows, %s%s", missingIn(data), remedy)
	}
	spec, ok := classifiers.Registry.Lookup(e.Name)
	if !ok {
		return
	}
	for _, why := range data.Refusals(e, Ability{spec.MaxClasses, spec.Discrete, spec.Missing}) {
		r.Fail(n, "classifiers."+e.ID, "%s%s", why, remedy)
	}
}

// Ability is what a classifier can be given.
type Ability struct {
	MaxClasses        int // 0: any number
	Discrete, Missing bool
}

// Refusals says why an entry cannot be given the data, as far as that is known
// before they are drawn; none: it can.
func (data *Data) Refusals(e Entry, can Ability) (why []string) {
	if c := data.Classes(); can.MaxClasses > 0 && c > can.MaxClasses {
		why = append(why, fmt.Sprintf("takes at most %d classes, %s has %d", can.MaxClasses, data.where(), c))
	}
	if missing := missingIn(data); missing != "" && !can.Missing && e.Preparation.Impute == "" {
		why = append(why, fmt.Sprintf("takes no missing values, %s; give it impute: mean, median or knn", missing))
	}
	if data.File == nil || can.Discrete {
		return why
	}
	var discrete []string
	for _, a := range data.File.Rows.Attributes {
		switch {
		case slices.Contains(e.Preparation.Discrete, a.Name):
			return append(why, fmt.Sprintf("takes numeric attributes only, and its discrete: makes levels of %q", a.Name))
		case a.Kind == dataset.Discrete:
			discrete = append(discrete, a.Name)
		}
	}
	switch n := len(discrete); {
	case n == 1:
		why = append(why, fmt.Sprintf("takes numeric attributes only, %q of %s is discrete; data.drop: [%[1]q] leaves it out", discrete[0], data.where()))
	case n > 1:
		why = append(why, fmt.Sprintf("takes numeric attributes only, %q of %s and %d more are discrete; data.drop leaves out those that it lists", discrete[0], data.where(), n-1))
	}
	return why
}

// where names the data.
func (data *Data) where() string {
	if data.FromFiles() {
		return data.Source()
	}
	return data.GeneratorName()
}

// missingIn says where the data lack values, "" if they do not.
func missingIn(data *Data) string {
	switch {
	case data.Missing.any():
		return fmt.Sprintf("and missing: removes some of the %s rows", map[string]string{"train": "training", "test": "test", "both": "training and test"}[data.Missing.Where])
	case data.File != nil && data.File.Rows.HasMissing():
		return fmt.Sprintf("and %s lacks some: %s (drop_missing leaves such rows out)", data.Source(), gaps(data.File.Rows))
	}
	return ""
}

// gaps names the first attribute without all values and counts the others.
func gaps(s *dataset.Set) string {
	text, columns := "", 0
	for j, a := range s.Attributes {
		rows := lacking(s, j)
		if rows == 0 {
			continue
		}
		if columns++; columns == 1 {
			text = fmt.Sprintf("%q in %d of %d rows", a.Name, rows, s.N())
		}
	}
	if columns > 1 {
		text += fmt.Sprintf(", %d columns in all", columns)
	}
	return text
}

// lacking is the number of rows without a value of attribute j.
func lacking(s *dataset.Set, j int) (rows int) {
	for i := range s.N() {
		if math.IsNaN(s.X.At(i, j)) {
			rows++
		}
	}
	return rows
}
