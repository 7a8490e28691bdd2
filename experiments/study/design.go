package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/stats/records"
)

// A level is one level of a factor.
type level struct {
	name  string
	value config.Place // replaces $factor
}

// A factor is a varied quantity with its levels.
type factor struct {
	name   string
	levels []level
}

// A nesting adds factors to the combinations that have the given levels.
type nesting struct {
	Under  records.Condition `param:"under" node:"mapping of levels" required:"the levels for which the nested factors vary, such as {family: bayesnet}"`
	Design config.Place      `param:"design" node:"mapping of factors" required:"the nested factors"`
}

// A combination has the chosen level of each factor of a cell.
type combination map[string]level

// levels returns the names of the chosen levels.
func (c combination) levels() records.Levels {
	names := map[string]string{}
	for factor, chosen := range c {
		names[factor] = chosen.name
	}
	return records.LevelsOf(names)
}

// maxCells bounds a design; a larger one is probably a mistake.
const maxCells = 100_000

// combinations returns the full factorial design, crossed with nested factors where their
// condition holds, without excluded combinations.
func (r *reader) combinations() []combination {
	everywhere := func(combination) bool { return true }
	list := r.extend([]combination{{}}, r.readFactors(r.Design), everywhere)
	for i, n := range r.Nested {
		factors := r.readFactors(n.Design)
		if under := r.root.Key("nested").Item(i).Key("under"); r.checkCondition(under, n.Under) {
			list = r.extend(list, factors, func(c combination) bool { return n.Under.Holds(c.levels()) })
		}
	}
	for i, condition := range r.Exclude {
		if at := r.root.Key("exclude").Item(i); r.checkCondition(at, condition) {
			list = exclude(list, condition, at)
		}
	}
	if len(list) == 0 && !r.root.Failed() {
		r.root.Key("exclude").Fail("no cell is left")
	}
	return list
}

// checkCondition reports an empty condition, and unknown factors and levels. It returns
// false after reporting a mistake.
func (r *reader) checkCondition(at config.Place, c records.Condition) bool {
	if len(c) == 0 {
		at.Fail("names no factor; want factors with their levels, such as {n: [200, 400]}")
		return false
	}
	return at.CheckCondition(c, r.factors)
}

// exclude returns the combinations for which the condition does not hold. It reports a
// condition that holds for none.
func exclude(list []combination, condition records.Condition, at config.Place) []combination {
	kept := slices.DeleteFunc(slices.Clone(list), func(c combination) bool { return condition.Holds(c.levels()) })
	if len(kept) == len(list) && !at.Failed() {
		at.Fail("excludes no cell")
	}
	return kept
}

// extend replaces each combination that meets a condition by its crossing with further factors,
// and adds these factors to those of the study. It returns nil after reporting too many cells.
func (r *reader) extend(list []combination, factors []factor, meets func(combination) bool) []combination {
	size := 1 // combinations of the further factors
	for _, f := range factors {
		size = min(size*max(1, len(f.levels)), maxCells+1)
	}
	var next []combination
	for _, c := range list {
		if !meets(c) {
			next = append(next, c)
			continue
		}
		if size > maxCells-len(next) {
			r.root.Key("design").Fail("more than %d cells", maxCells)
			return nil
		}
		next = append(next, cross(c, factors)...)
	}
	r.declare(factors)
	return next
}

// declare adds factors to those of the study. The levels of a factor that is nested in several
// places are merged.
func (r *reader) declare(list []factor) {
	for _, f := range list {
		i := slices.IndexFunc(r.factors, func(g records.Factor) bool { return g.Name == f.name })
		if i < 0 {
			i = len(r.factors)
			r.factors = append(r.factors, records.Factor{Name: f.name})
		}
		known := map[string]bool{}
		for _, name := range r.factors[i].Levels {
			known[name] = true
		}
		for _, l := range f.levels {
			if !known[l.name] {
				known[l.name] = true
				r.factors[i].Levels = append(r.factors[i].Levels, l.name)
			}
		}
	}
}

// cross returns a combination extended by all combinations of further factors. The last factor
// varies fastest.
func cross(c combination, factors []factor) []combination {
	list := []combination{c}
	for _, f := range factors {
		var next []combination
		for _, c := range list {
			for _, l := range f.levels {
				extended := maps.Clone(c)
				extended[f.name] = l
				next = append(next, extended)
			}
		}
		list = next
	}
	return list
}

// readFactors reads the factors of a design.
func (r *reader) readFactors(design config.Place) []factor {
	if !design.There() {
		return nil
	}
	if !design.IsMapping() {
		design.Fail("want factors with their levels, got %s", design.Describe())
		return nil
	}
	var list []factor
	for key, value := range design.Entries() {
		name := key.Text()
		checkFactorName(key)
		if data.IsSuite(value.Text()) {
			var ok bool
			if value, ok = expandSuite(design, name, value); !ok {
				continue
			}
		}
		levels := readLevels(value)
		checkLevels(levels)
		list = append(list, factor{name, levels})
	}
	return list
}

// checkFactorName reports a key that cannot name a factor.
func checkFactorName(key config.Place) {
	switch {
	case !config.ValidName(key.Text()):
		key.Fail("cannot name a factor; use letters, digits, '.', '_' and '-' (report.labels changes the names " +
			"in tables and figures)")
	case slices.Contains(records.ReservedColumns(), key.Text()):
		key.Fail("cannot name a factor: the records have a column of that name; rename it")
	}
}

// expandSuite replaces the value of a factor, the name of an OpenML suite, by the list of the
// suite's tasks. The study that is stored with the results thus lists its tasks. ok is false
// after reporting a suite that is not on this machine.
func expandSuite(design config.Place, factor string, suite config.Place) (tasks config.Place, ok bool) {
	store, err := data.DefaultStore()
	if err != nil {
		suite.Fail("%s", err)
		return suite, false
	}
	names, err := store.Suite(suite.Text())
	if err == nil {
		err = design.SetYAML(factor, "["+strings.Join(names, ", ")+"]", "")
	}
	if err != nil {
		suite.Fail("%s", err)
		return suite, false
	}
	return design.Key(factor), true
}

// readLevels reads the levels of a factor: a list of plain values, or a mapping from the names
// of levels to their values.
func readLevels(at config.Place) []level {
	var list []level
	switch {
	case at.IsEmpty():
		at.Fail("has no levels")
	case at.IsMapping():
		for name, value := range at.Entries() {
			list = append(list, level{name.Text(), value.Under(at.Path())})
		}
	case at.IsList():
		for _, item := range at.Items() {
			if !item.IsPlain() || item.IsNull() {
				item.Fail("a level cannot be %s; give a plain value, or a mapping from level names to values",
					item.Describe())
				continue
			}
			list = append(list, level{item.Text(), item})
		}
	default:
		at.Fail("want a list of levels, got %s", at.Describe())
	}
	return list
}

// checkLevels reports repeated names of levels, and names that records cannot store.
func checkLevels(levels []level) {
	given := map[string]bool{}
	for _, l := range levels {
		if strings.Contains(l.name, "\r") {
			l.value.Fail("level %q contains a carriage return, which records cannot store", l.name)
		}
		if given[l.name] {
			l.value.Fail("level %q is given twice", l.name)
		}
		given[l.name] = true
	}
}

// maxReferences bounds the length of a chain of references from level to level.
const maxReferences = 100

// substitute returns a copy of a value in which references are replaced: $factor by the value of
// the chosen level, $factor.key by an entry of that value. Both may contain references.
func (r *reader) substitute(at config.Place, c combination) config.Place {
	depth := 0
	var value func(reference config.Place) config.Place
	value = func(reference config.Place) config.Place {
		level, ok := r.dereference(reference, c)
		if !ok {
			return reference
		}
		if depth++; depth > maxReferences {
			reference.Fail("%s refers to itself", reference.Text())
			return reference
		}
		defer func() { depth-- }()
		return level.Under(reference.Path()).Substitute(value)
	}
	return at.Substitute(value)
}

// dereference returns the value that a $factor or $factor.key refers to. ok is false after
// reporting an unknown factor or key.
func (r *reader) dereference(reference config.Place, c combination) (value config.Place, ok bool) {
	name, key, dotted := strings.Cut(reference.Text()[1:], ".")
	chosen, ok := c[name]
	if !ok {
		reference.Fail("this cell has no factor %s%s", name, r.otherFactor(name, c))
		return reference, false
	}
	r.used[name] = true
	if !dotted {
		return chosen.value, true
	}
	value = chosen.value.Key(key)
	if !value.There() {
		reference.Fail("level %q of %s has no entry %q%s",
			chosen.name, name, key, config.DidYouMean(key, chosen.value.Names()))
	}
	return value, value.There()
}

// otherFactor returns a clause on why a cell lacks a factor: it is nested under other levels, or
// misspelt.
func (r *reader) otherFactor(name string, c combination) string {
	if slices.Contains(records.FactorNames(r.factors), name) {
		return fmt.Sprintf(" (%s): %s is nested under levels that the cell does not have; use $%[2]s in those "+
			"levels only, or add a nested block with levels of %[2]s for this cell", c.levels(), name)
	}
	return config.DidYouMean(name, slices.Sorted(maps.Keys(c)))
}

// checkUnused reports factors that no $factor refers to.
func (r *reader) checkUnused() {
	designs := []config.Place{r.Design}
	for _, n := range r.Nested {
		designs = append(designs, n.Design)
	}
	for _, design := range designs {
		for key := range design.Entries() {
			if !r.used[key.Text()] {
				key.Under("design."+key.Text()).Fail(
					"has no effect: write $%s for its level, in data or classifiers", key.Text())
			}
		}
	}
}

// checkTwins reports two cells with the same data and classifiers.
func (r *reader) checkTwins() {
	seen := map[string]*Cell{}
	for _, c := range r.cells {
		if twin := seen[c.ID]; twin != nil {
			r.Data.Under("design").Fail(
				"two cells are the same: %s and %s", twin.Levels.Describe(r.factors), c.Levels.Describe(r.factors))
			return
		}
		seen[c.ID] = c
	}
}
