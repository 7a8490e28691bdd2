package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A BadOption is an error about an option of a table or figure whose value does not fit the results.
//
// If Value is not "", it is the wrong value, in one of the options with the given Keys. Otherwise, the option
// Keys[0] is wrong.
type BadOption struct {
	Keys  []string
	Value string
	error
}

// OptionError returns a BadOption about the option with the first key in keys, which are separated by spaces.
func OptionError(keys, format string, args ...any) error {
	return ValueError(keys, "", format, args...)
}

// ValueError returns a BadOption about a wrong value. The argument keys names the options that may
// contain the value, separated by spaces. The arguments format and args give the reason.
func ValueError(keys, value, format string, args ...any) error {
	return &BadOption{strings.Fields(keys), value, fmt.Errorf(format, args...)}
}

const factorKeys = "rows panel page x"

// Keys of the options that separate cells into rows or panels, for OptionError and CheckPooling.
const (
	RowKeys   = "rows where"
	PanelKeys = "panel where"
)

// A Group is a set of cells that have the same levels of some factors.
type Group struct {
	Factors []string
	Levels  records.Levels // of the factors
	Cells   []records.Cell
}

// Groups splits cells into groups with the same levels of the given factors, and sorts the groups by
// level. It returns a BadOption for an unknown factor.
func (v *View) Groups(cells []records.Cell, factors []string) ([]Group, error) {
	by := make([]records.Factor, len(factors))
	for i, name := range factors {
		var err error
		if by[i], err = v.factor(name); err != nil {
			return nil, err
		}
	}
	levels := func(c records.Cell) records.Levels { return c.Levels.Restrict(factors) }
	list := stats.Map(stats.Grouped(cells, levels), func(alike []records.Cell) Group {
		return Group{Factors: factors, Levels: levels(alike[0]), Cells: alike}
	})
	order := records.Order(by)
	slices.SortStableFunc(list, func(a, b Group) int { return order(a.Levels, b.Levels) })
	return list, nil
}

// factor returns the factor with this name, or a BadOption if there is none.
func (v *View) factor(name string) (records.Factor, error) {
	for _, f := range v.Records.Factors {
		if f.Name == name {
			return f, nil
		}
	}
	known := cmp.Or(strings.Join(v.FactorNames(), ", "), "none")
	return records.Factor{}, ValueError(factorKeys, name, "no factor %q; the records have %s", name, known)
}

// FactorNames returns the names of all factors of the records.
func (v *View) FactorNames() []string { return records.FactorNames(v.Records.Factors) }

// SelectCells returns the cells that meet a condition. It returns a BadOption if the condition names
// an unknown factor or level, or if no cell meets it.
func (v *View) SelectCells(condition records.Condition) ([]records.Cell, error) {
	if unknown := condition.Unknown(v.Records.Factors); len(unknown) > 0 {
		return nil, v.unknownCondition(unknown[0])
	}
	kept := Without(v.Cells, func(c records.Cell) bool { return !condition.Holds(c.Levels) })
	if len(kept) == 0 {
		return nil, OptionError("where", "no cell meets the condition %s", condition)
	}
	return kept, nil
}

// unknownCondition returns an error about a condition that names an unknown factor or level.
func (v *View) unknownCondition(u records.Unknown) error {
	if u.Level == "" {
		_, err := v.factor(u.Factor)
		return ValueError("where", u.Factor, "%w", err)
	}
	named := u.Factor + "=" + u.Level
	return ValueError("where", named, "condition %q: factor %q has no level %q; it has %s",
		named, u.Factor, u.Level, strings.Join(u.Known, ", "))
}

// Varying returns the factors that have more than one level among the cells.
func (v *View) Varying(cells []records.Cell) []string {
	return slices.DeleteFunc(v.FactorNames(), func(name string) bool {
		differs := func(c records.Cell) bool { return c.Levels.Of(name) != cells[0].Levels.Of(name) }
		return !slices.ContainsFunc(cells, differs)
	})
}

// OnlyFor describes which of the cells have a factor, by their levels of other factors: "forest, gaussian" or
// "climate or statlog". It uses the factors that have another level in some cell without the factor.
//
// OnlyFor returns "" if all cells have the factor. It returns "some cells" if other factors do not separate them from
// the rest, or if a description would be long.
func (v *View) OnlyFor(factor string, cells []records.Cell) string {
	var having, lacking []records.Cell
	for _, c := range cells {
		if c.Levels.Of(factor) == "" {
			lacking = append(lacking, c)
		} else {
			having = append(having, c)
		}
	}
	if len(lacking) == 0 {
		return ""
	}
	levelsOf := func(name string, cells []records.Cell) []string {
		return stats.Map(cells, func(c records.Cell) string { return c.Levels.Of(name) })
	}
	var separating []string
	for _, name := range Except(v.FactorNames(), factor) {
		onlyLacking := Except(levelsOf(name, lacking), levelsOf(name, having)...)
		if len(onlyLacking) > 0 {
			separating = append(separating, name)
		}
	}
	wordsOf := func(cells []records.Cell) []string {
		return AddNew(nil, stats.Map(cells, func(c records.Cell) string { return v.InWords(separating, c.Levels) })...)
	}
	const most = 4 // longer lists are hard to read
	words := wordsOf(having)
	alsoLacking := len(Except(words, wordsOf(lacking)...)) < len(words)
	if alsoLacking || len(words) > most {
		return "some cells"
	}
	return strings.Join(words, " or ")
}

// ClassifiersOrAll returns ids, or the ids of all classifiers of the records if ids is empty. It
// returns a BadOption for an unknown id.
func (v *View) ClassifiersOrAll(ids []string) ([]string, error) {
	if len(ids) == 0 {
		return v.Records.Classifiers, nil
	}
	for _, id := range ids {
		if !slices.Contains(v.Records.Classifiers, id) {
			return nil, ValueError("columns", id, "no classifier %q; the records have %s", id,
				strings.Join(v.Records.Classifiers, ", "))
		}
	}
	return ids, nil
}

// WithFamily returns a view whose tests compare the given classifiers. It returns v itself if family
// is empty.
func (v *View) WithFamily(family []string) *View {
	if len(family) == 0 {
		return v
	}
	other := *v
	other.Family = family
	return &other
}

// WithTest returns a view that uses the given test. It returns v itself if test is "".
func (v *View) WithTest(test string) *View {
	if test == "" {
		return v
	}
	other := *v
	other.Test = test
	return &other
}

// Compared returns the classifiers in ids that tests compare: the family or, by default, all except oracles. If m
// is computed from predictions, it omits classifiers that have successful fits, but no value of m in any cell. m
// may be nil.
func (v *View) Compared(m *Measure, ids []string) []string {
	return Without(ids, func(id string) bool {
		isOutside := v.IsOracle(id)
		if len(v.Family) > 0 {
			isOutside = !slices.Contains(v.Family, id)
		}
		return isOutside || m != nil && m.OfPredictions() && !v.hasMetric(m.Metric, id)
	})
}

// hasMetric reports whether a classifier has a value of the metric in some cell. If every fit of
// the classifier failed, it also returns true, so that the classifier stays in the family.
func (v *View) hasMetric(m *metrics.Metric, id string) bool {
	succeeded := false
	for i := range v.Cells {
		if values, _ := v.Cells[i].Values(m, id); len(values) > 0 {
			return true
		}
		tried, failed := v.Cells[i].Attempts(id)
		succeeded = succeeded || tried > failed
	}
	return !succeeded
}

// Numeric reports whether level is a finite number.
func Numeric(level string) bool {
	v, err := strconv.ParseFloat(level, 64)
	return err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

// SingleCellGroups returns one group for each cell.
func SingleCellGroups(cells []records.Cell) []Group {
	var groups []Group
	for i := range cells {
		groups = append(groups, Group{Cells: cells[i : i+1]})
	}
	return groups
}
