package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/stats/records"
)

// A level is one level of a factor: its name and the value that $factor stands for.
type level struct {
	name  string
	value config.Place
}

// A factor is one varied quantity as the study file defines it.
type factor struct {
	name   string
	levels []level
}

// A nesting crosses further factors into the cells that have the given levels.
type nesting struct {
	Under  records.Condition `param:"under" node:"mapping of levels" required:"the levels below which the factors vary, such as {family: bayesnet}"`
	Design config.Place      `param:"design" node:"mapping of factors" required:"the nested factors"`
}

// A combination is the chosen level of each factor that is present.
type combination map[string]level

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
	list := r.extend([]combination{{}}, readFactors(r.Design), everywhere)
	for i, n := range r.Nested {
		factors := readFactors(n.Design)
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

// exclude returns the combinations for which the condition does not hold, and reports a
// condition that holds for none.
func exclude(list []combination, condition records.Condition, at config.Place) []combination {
	kept := slices.DeleteFunc(slices.Clone(list), func(c combination) bool { return condition.Holds(c.levels()) })
	if len(kept) == len(list) && !at.Failed() {
		at.Fail("excludes no cell")
	}
	return kept
}

// extend crosses further factors into the combinations for which within holds, and adds
// them to the factors of the study.
func (r *reader) extend(list []combination, factors []factor, within func(combination) bool) []combination {
	var next []combination
	for _, c := range list {
		if !within(c) {
			next = append(next, c)
			continue
		}
		if count(factors) > maxCells-len(next) {
			r.root.Key("design").Fail("more than %d cells", maxCells)
			return nil
		}
		next = append(next, cross(c, factors)...)
	}
	r.declare(factors)
	return next
}

// declare appends factors to the study's, merging the levels of a factor that
// is nested in several places.
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

// count returns the number of combinations of some factors, at most maxCells+1.
func count(factors []factor) int {
	n := 1
	for _, f := range factors {
		n = min(n*max(1, len(f.levels)), maxCells+1)
	}
	return n
}

// cross extends a combination by all combinations of further factors, the last
// one varying fastest.
func cross(c combination, factors []factor) []combination {
	list := []combination{c}
	for _, f := range factors {
		var next []combination
		for _, c := range list {
			for _, l := range f.levels {
				wider := maps.Clone(c)
				wider[f.name] = l
				next = append(next, wider)
			}
		}
		list = next
	}
	return list
}

// readFactors reads the factors of one design.
func readFactors(design config.Place) []factor {
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
		switch {
		case !config.ValidName(name):
			key.Fail(
				"cannot name a factor; use letters, digits, '.', '_' and '-' (report.labels has the words that " +
					"readers see)",
			)
		case slices.Contains(records.ReservedColumns(), name):
			key.Fail("cannot name a factor: the records have a column of that name; rename it")
		}
		levels := readLevels(value)
		checkLevels(levels)
		list = append(list, factor{name, levels})
	}
	return list
}

// readLevels reads the levels of one factor: a list of plain values, or a mapping from
// the names of levels to the values that they stand for.
func readLevels(at config.Place) []level {
	var list []level
	switch {
	case at.IsMapping():
		for name, value := range at.Entries() {
			list = append(list, level{name.Text(), value.Under(at.Path())})
		}
	case at.IsList():
		for _, item := range at.Items() {
			if !item.IsPlain() || item.IsNull() {
				item.Fail("a level is %s; write a scalar, or a mapping from level names to values", item.Describe())
				continue
			}
			list = append(list, level{item.Text(), item})
		}
	default:
		at.Fail("want a list of levels, got %s", at.Describe())
		return nil
	}
	if at.IsEmpty() {
		at.Fail("has no levels")
	}
	return list
}

// checkLevels reports names of levels that are given twice or that records cannot keep.
func checkLevels(levels []level) {
	given := map[string]bool{}
	for _, l := range levels {
		if strings.Contains(l.name, "\r") {
			l.value.Fail("level %q: a carriage return, which records cannot keep", l.name)
		}
		if given[l.name] {
			l.value.Fail("level %q is given twice", l.name)
		}
		given[l.name] = true
	}
}

// definitions returns the levels of a factor: several where it is nested.
func definitions(root config.Place, factor string) []config.Place {
	list := []config.Place{root.Key("design").Key(factor)}
	for _, n := range root.Key("nested").Items() {
		list = append(list, n.Key("design").Key(factor))
	}
	return list
}

// maxReferences bounds how many references lead from one to the next.
const maxReferences = 100

// substitute returns a copy of the value. In it, the chosen level's value replaces $factor,
// and an entry of that value replaces $factor.key.
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

// dereference returns the value of a $factor or $factor.key. It returns false after
// reporting an unknown factor or key.
func (r *reader) dereference(reference config.Place, c combination) (config.Place, bool) {
	name, key, dotted := strings.Cut(reference.Text()[1:], ".")
	chosen, ok := c[name]
	if !ok {
		reference.Fail("$%s is no factor of this cell%s", name, r.otherFactor(name, c))
		return reference, false
	}
	r.used[name] = true
	if !dotted {
		return chosen.value, true
	}
	value := chosen.value.Key(key)
	if !value.There() {
		reference.Fail(
			"level %q of %s has no entry %q%s",
			chosen.name,
			name,
			key,
			config.DidYouMean(key, chosen.value.Names()),
		)
	}
	return value, value.There()
}

// otherFactor returns a clause on why a cell lacks a factor: it is nested under other
// levels, or misspelt.
func (r *reader) otherFactor(name string, c combination) string {
	if slices.Contains(records.FactorNames(r.factors), name) {
		return fmt.Sprintf(
			" (%s): it is nested under levels that the cell does not have; write $%s in those levels, or nest "+
				"levels of it under these, too",
			c.levels(),
			name,
		)
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
					"varies nothing: write $%s where its level belongs, in data or classifiers", key.Text())
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
