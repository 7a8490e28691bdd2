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

// A nesting is an item in the list under the key "nested". It adds the factors of Design to the cells that have the
// levels in Under.
type nesting struct {
	// levels of other factors; the nested factors vary only in cells with these levels, such as `{family:
	// bayesnet}`
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

// maxCells is the largest allowed number of cells. A design with more cells is probably an error.
const maxCells = 100_000

// combinations returns the cells of the design as combinations of factor levels. It starts with
// the full factorial design, adds nested factors where they apply, and leaves out excluded cells.
// It reports errors in the design.
func (r *reader) combinations() []combination {
	everywhere := func(combination) bool { return true }
	list := r.extend([]combination{{}}, r.readFactors(r.Design), everywhere)
	for i, n := range r.Nested {
		factors := r.readFactors(n.Design)
		if under := r.root.Key("nested").Item(i).Key("under"); r.checkCondition(under, n.Under) {
			applies := func(c combination) bool { return n.Under.Holds(c.levels()) }
			r.checkNew(factors, list, applies)
			list = r.extend(list, factors, applies)
		}
	}
	for i, condition := range r.Exclude {
		if at := r.root.Key("exclude").Item(i); r.checkCondition(at, condition) {
			list = exclude(list, condition, at)
		}
	}
	if len(list) == 0 && !r.root.Failed() {
		r.root.Key("exclude").Fail("excludes all cells; remove or narrow an item")
	}
	return list
}

// checkCondition reports a condition that is empty or that names unknown factors or levels. It returns
// false if it reports an error.
func (r *reader) checkCondition(at config.Place, c records.Condition) bool {
	if len(c) == 0 {
		at.Fail("names no factor; want factors with their levels, such as `{n: [200, 400]}`")
		return false
	}
	return at.CheckCondition(c, r.factors)
}

// exclude removes the combinations that satisfy the condition. It reports a condition
// that no combination satisfies.
func exclude(list []combination, condition records.Condition, at config.Place) []combination {
	kept := slices.DeleteFunc(slices.Clone(list), func(c combination) bool { return condition.Holds(c.levels()) })
	if len(kept) == len(list) && !at.Failed() {
		at.Fail("excludes no cell; correct or remove this item")
	}
	return kept
}

// extend adds further factors to the design. It crosses these factors with each combination c for which applies(c)
// is true, and keeps the other combinations. If the result has more than maxCells combinations, extend reports an
// error and returns nil.
func (r *reader) extend(list []combination, factors []factor, applies func(combination) bool) []combination {
	// size is the number of combinations of the further factors. Its limit maxCells+1 exceeds the allowed number, and
	// prevents an overflow of the product. A factor without levels, which is an error, does not change size.
	size := 1
	for _, f := range factors {
		size = min(size*max(1, len(f.levels)), maxCells+1)
	}
	var next []combination
	for _, c := range list {
		further, count := factors, size
		if !applies(c) { // then c itself is the only result of cross
			further, count = nil, 1
		}
		if len(next)+count > maxCells {
			r.root.Key("design").Fail("makes more than %d cells; remove levels or divide the study", maxCells)
			return nil
		}
		next = append(next, cross(c, further)...)
	}
	r.declare(factors) // conditions on cells may now use them
	return next
}

// checkNew reports an error if a cell already has a level of a nested factor, because the new levels would overwrite
// that level. It reports only the first such cell.
func (r *reader) checkNew(factors []factor, list []combination, applies func(combination) bool) {
	if r.onlyReports() {
		return // stored results remain readable
	}
	for _, f := range factors {
		for _, c := range list {
			if old, repeated := c[f.name]; repeated && applies(c) {
				f.key.Fail("the cell %s already has a level of %s from %s; change the key `under`, or give all "+
					"levels in one place", c.levels().Describe(r.factors), f.name, old.value.Where())
				return
			}
		}
	}
}

// declare adds factors to r.factors. If a factor is already there, declare merges the levels.
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

// cross extends the combination c by every combination of levels of the given factors. The last factor
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

// readFactors reads the factors of a design and their levels. It replaces an OpenML suite with the list of
// its tasks. It returns nil if there is no design.
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

// expandSuite replaces an OpenML suite, given as the value of a factor, with the list of its tasks. The study
// file stored with the results then lists the tasks. ok is false if there was an error.
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

// readLevels reads the levels of a factor: a list of plain values, or a mapping from level names to values.
func readLevels(at config.Place) (list []level) {
	if !at.IsList() && !at.IsMapping() {
		at.Fail("want a list of levels, got %s", at.Describe())
		return nil
	}
	if at.IsEmpty() {
		at.Fail("has no levels; give at least one")
		return nil
	}
	if at.IsMapping() {
		for name, value := range at.Entries() {
			valueOfFactor := value.WithPath(at.Path()) // errors name the factor, since level names are not keys
			list = append(list, level{name.Text(), valueOfFactor})
		}
		return list
	}
	for _, item := range at.Items() {
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

// maxReferences is the largest allowed length of a chain of references, in which the level of one factor
// refers to another factor.
const maxReferences = 100

// substitute returns a YAML value in which all references are resolved: $factor becomes the chosen level, and
// $factor.key becomes the value of a key in that level. It reports references that cannot be resolved.
func (r *reader) substitute(at config.Place, c combination) config.Place {
	return r.substituteBelow(at, c, 0)
}

// substituteBelow implements substitute. depth is the number of references that have been followed so far.
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

// dereference returns the value of a reference $factor or $factor.key for the combination c. If the factor or
// the key is unknown, it records an error at the reference, and ok is false.
func (r *reader) dereference(reference config.Place, c combination) (value config.Place, ok bool) {
	withoutDollar := reference.Text()[1:]
	name, key, hasKey := strings.Cut(withoutDollar, ".")
	chosen, ok := c[name]
	if !ok {
		reference.Fail("this cell has no factor %q%s", name, r.otherFactor(name, c))
		return reference, false
	}
	r.used[name] = true // a factor that no reference uses is reported later
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

// otherFactor returns a hint for an error about a factor name that is unknown in a cell. The hint either
// states that the factor is nested under other levels, or suggests another spelling.
func (r *reader) otherFactor(name string, c combination) string {
	if slices.Contains(records.FactorNames(r.factors), name) {
		return fmt.Sprintf(" (%s): %s is nested under levels that this cell does not have. Use `$%[2]s` only under "+
			"those levels, or add an item to `nested` that gives this cell levels of %[2]s", c.levels(), name)
	}
	return config.DidYouMean(name, slices.Sorted(maps.Keys(c)))
}

// checkUnused reports factors that are never referenced as $factor, because such factors have no effect.
func (r *reader) checkUnused() {
	designs := []config.Place{r.Design}
	for _, n := range r.Nested {
		designs = append(designs, n.Design)
	}
	for _, design := range designs {
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
			r.Data.WithPath("design").Fail("two cells have the same data and classifiers: %s and %s; remove one",
				twin.Levels.Describe(r.factors), c.Levels.Describe(r.factors))
			return
		}
		seen[c.ID] = c
	}
}
