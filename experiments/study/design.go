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

type level struct {
	name  string
	value config.Place // replaces the reference $factor
}

type factor struct {
	name   string
	key    config.Place // the name in the study file
	levels []level
}

// A nesting is an item under the key "nested". The factors in Design are added only to the cells
// that have the levels in Under.
type nesting struct {
	// levels of other factors, such as `{family: bayesnet}`. The nested factors vary only in cells
	// with these levels
	Under records.Condition `param:"under" node:"mapping of levels" required:"yes"`
	// the nested factors
	Design config.Place `param:"design" node:"mapping of factors" required:"yes"`
}

// A combination maps each factor of a cell to its chosen level.
type combination map[string]level

func (c combination) levels() records.Levels {
	names := map[string]string{}
	for factor, chosen := range c {
		names[factor] = chosen.name
	}
	return records.LevelsOf(names)
}

const maxCells = 100_000

// combinations returns the factor levels of all cells. It crosses all factors, adds nested factors
// and removes excluded cells.
func (r *reader) combinations() []combination {
	everywhere := records.Condition{}
	list := r.extend([]combination{{}}, r.readFactors(r.Design), everywhere)
	for i, n := range r.Nested {
		factors := r.readFactors(n.Design)
		if r.checkCondition(r.root.Key("nested").Item(i).Key("under"), n.Under) {
			r.checkNew(factors, list, n.Under)
			list = r.extend(list, factors, n.Under)
		}
	}
	return r.withoutExcluded(list)
}

// withoutExcluded returns the combinations that match no item under the key "exclude". It reports
// items that match no combination.
func (r *reader) withoutExcluded(all []combination) []combination {
	kept := all
	for i, condition := range r.Exclude {
		at := r.root.Key("exclude").Item(i)
		if !r.checkCondition(at, condition) {
			continue
		}
		matches := func(c combination) bool { return condition.Holds(c.levels()) }
		if !slices.ContainsFunc(all, matches) && !at.Failed() {
			at.Fail("excludes no cell; correct or remove this item")
		}
		kept = slices.DeleteFunc(slices.Clone(kept), matches)
	}
	if len(kept) == 0 && !r.root.Failed() {
		r.root.Key("exclude").Fail("excludes all cells; remove or narrow an item")
	}
	return kept
}

// checkCondition reports a condition that is empty or names unknown factors or levels. It returns
// false after an error.
func (r *reader) checkCondition(at config.Place, c records.Condition) bool {
	if len(c) == 0 {
		at.Fail("names no factor; want factors with their levels, such as `{n: [200, 400]}`")
		return false
	}
	return at.CheckCondition(c, r.factors)
}

// extend adds factors to r.factors, and crosses their levels with each combination in list that
// satisfies a condition. Other combinations remain unchanged. For more than maxCells combinations,
// it reports an error and returns nil.
func (r *reader) extend(list []combination, factors []factor, condition records.Condition) []combination {
	size := 1 // number of combinations of the factors
	for _, f := range factors {
		levels := max(1, len(f.levels))     // a factor without levels has an error
		size = min(size*levels, maxCells+1) // cannot overflow
	}
	var next []combination
	for _, c := range list {
		further, count := factors, size
		if !condition.Holds(c.levels()) {
			further, count = nil, 1
		}
		if len(next)+count > maxCells {
			r.root.Key("design").Fail("makes more than %d cells; remove levels or divide the study", maxCells)
			return nil
		}
		next = append(next, cross(c, further)...)
	}
	r.declare(factors)
	return next
}

// checkNew reports an error if a nested factor would replace a level that a cell already has. A
// nested factor adds levels to each combination in the list that satisfies the condition.
func (r *reader) checkNew(factors []factor, list []combination, condition records.Condition) {
	for _, f := range factors {
		for _, c := range list {
			if old, repeated := c[f.name]; repeated && condition.Holds(c.levels()) {
				f.key.Fail("the cell %s already has a level of %s from %s; change the key `under`, or give all "+
					"levels in one place", c.levels().Describe(r.factors), f.name, old.value.Where())
				return
			}
		}
	}
}

// declare adds factors, and new levels of known factors, to r.factors.
func (r *reader) declare(list []factor) {
	for _, f := range list {
		i := slices.IndexFunc(r.factors, func(known records.Factor) bool { return known.Name == f.name })
		if i < 0 {
			i = len(r.factors)
			r.factors = append(r.factors, records.Factor{Name: f.name})
		}
		for _, l := range f.levels {
			if known := &r.factors[i].Levels; !slices.Contains(*known, l.name) {
				*known = append(*known, l.name)
			}
		}
	}
}

// cross extends the combination c with each choice of levels of the given factors. The last factor
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

// readFactors reads the factors of a design and their levels. It replaces an OpenML suite with its
// tasks. Without a design, it returns nil.
func (r *reader) readFactors(design config.Place) []factor {
	if !design.Exists() {
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
		list = append(list, factor{name, key, levels})
	}
	return list
}

func checkFactorName(key config.Place) {
	switch {
	case !config.ValidName(key.Text()):
		key.Fail("cannot name a factor; %s (`report.labels` sets the names in tables and figures)", config.NameRule)
	case slices.Contains(records.ReservedColumns(), key.Text()):
		key.Fail("cannot name a factor: the records have another column with this name; rename the factor")
	}
}

// expandSuite replaces an OpenML suite with the list of its tasks, so that the stored study
// contains the tasks. ok is false after an error.
func expandSuite(design config.Place, factor string, suite config.Place) (tasks config.Place, ok bool) {
	var names []string
	store, err := data.DefaultStore()
	if err == nil {
		names, err = store.Suite(suite.Text())
	}
	if err == nil {
		err = design.SetYAML(factor, "["+strings.Join(names, ", ")+"]", "")
	}
	if err != nil {
		suite.Fail("%s", err)
	}
	return design.Key(factor), err == nil
}

// readLevels reads the levels of a factor, which are a list of plain values or a mapping from names
// to values.
func readLevels(factor config.Place) []level {
	switch {
	case !factor.IsList() && !factor.IsMapping():
		factor.Fail("want a list of levels such as `[100, 200]`, got %s", factor.Describe())
		return nil
	case factor.IsEmpty():
		factor.Fail("has no levels; give at least one")
		return nil
	case factor.IsMapping():
		return namedLevels(factor)
	}
	return listedLevels(factor)
}

// namedLevels reads levels from a mapping. Errors about a level give the path of the factor, such
// as design.n, because the name of the level is not a key.
func namedLevels(factor config.Place) (list []level) {
	for name, value := range factor.Entries() {
		list = append(list, level{name.Text(), value.WithPath(factor.Path())})
	}
	return list
}

// listedLevels reads levels from a list. Each value is also the name of the level.
func listedLevels(factor config.Place) (list []level) {
	for _, item := range factor.Items() {
		if item.IsPlain() && !item.IsNull() {
			list = append(list, level{item.Text(), item})
		} else {
			item.Fail("a level cannot be %s; give a plain value, or a mapping from level names to values",
				item.Describe())
		}
	}
	return list
}

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

// maxReferences is the largest allowed length of a chain of references. In a chain, the level of a
// factor refers to another factor.
const maxReferences = 100

// substitute returns a YAML value without references. It replaces $factor with the chosen level,
// and $factor.key with the value of a key in that level. It reports unknown references.
func (r *reader) substitute(at config.Place, c combination) config.Place {
	return r.substituteBelow(at, c, 0)
}

// substituteBelow implements substitute. depth is the number of references followed so far.
func (r *reader) substituteBelow(at config.Place, c combination, depth int) config.Place {
	return at.Substitute(func(reference config.Place) config.Place {
		value, ok := r.dereference(reference, c)
		if !ok {
			return reference
		}
		if depth == maxReferences {
			reference.Fail("the level of %s refers to itself", reference.Text())
			return reference
		}
		return r.substituteBelow(value.WithPath(reference.Path()), c, depth+1)
	})
}

// dereference returns the value of a reference $factor or $factor.key. ok is false, and an error is
// recorded, if the factor or the key is unknown.
func (r *reader) dereference(reference config.Place, c combination) (value config.Place, ok bool) {
	withoutDollar := reference.Text()[1:]
	name, key, hasKey := strings.Cut(withoutDollar, ".")
	chosen, ok := c[name]
	if !ok {
		reference.Fail("this cell has no factor %q%s", name, r.otherFactor(name, c))
		return reference, false
	}
	r.used[name] = true // for checkUnused
	if !hasKey {
		return chosen.value, true
	}
	value = chosen.value.Key(key)
	if !value.Exists() {
		reference.Fail("level %q of %s has no entry %q%s",
			chosen.name, name, key, config.DidYouMean(key, chosen.value.Names()))
	}
	return value, value.Exists()
}

// otherFactor returns a hint for an error about a factor that a cell does not have. It may be
// nested under other levels, or misspelled.
func (r *reader) otherFactor(name string, c combination) string {
	// Without a space after the first colon, YAML reads train:{n: $n} as the key "train:{n" with the
	// value "$n}".
	lacksSpace := strings.HasSuffix(name, "}") && !strings.Contains(name, "{")
	if lacksSpace {
		return "; put a colon and a space after each key"
	}
	if slices.Contains(records.FactorNames(r.factors), name) {
		return fmt.Sprintf(" (%s): %s is nested under levels that this cell does not have. Use `$%[2]s` only under "+
			"those levels, or add an item to `nested` that gives this cell levels of %[2]s", c.levels(), name)
	}
	return config.DidYouMean(name, slices.Sorted(maps.Keys(c)))
}

// checkUnused reports factors that have no effect, because nothing refers to them as $factor.
func (r *reader) checkUnused() {
	for _, design := range designsOf(r.root) {
		for key := range design.Entries() {
			if !r.used[key.Text()] {
				key.WithPath("design."+key.Text()).Fail(
					"has no effect: refer to its level as `$%s` in `data` or `classifiers`", key.Text())
			}
		}
	}
}

func (r *reader) checkTwins() {
	seen := map[string]*Cell{}
	for _, c := range r.cells {
		if twin := seen[c.ID]; twin != nil {
			r.Design.Fail("two cells have the same data and classifiers: %s and %s; remove one",
				twin.Levels.Describe(r.factors), c.Levels.Describe(r.factors))
			return
		}
		seen[c.ID] = c
	}
}
