package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats/records"
)

// A Group is the cells that share the levels of some factors, as one.
type Group struct {
	Factors []string
	Levels  []string
	Cells   []records.Cell
}

// Groups splits the cells by the levels of factors, in the order of the levels.
func (v *View) Groups(cells []records.Cell, factors []string) ([]Group, error) {
	at, err := v.Positions(factors)
	if err != nil {
		return nil, err
	}
	var list []Group
	for _, c := range cells {
		levels := make([]string, len(at))
		for i, j := range at {
			levels[i] = c.Levels[j]
		}
		k := slices.IndexFunc(list, func(g Group) bool { return slices.Equal(g.Levels, levels) })
		if k < 0 {
			k = len(list)
			list = append(list, Group{Factors: factors, Levels: levels})
		}
		list[k].Cells = append(list[k].Cells, c)
	}
	slices.SortStableFunc(list, func(a, b Group) int {
		for i, j := range at {
			order := v.Records.Factors[j].Levels
			if d := cmp.Compare(slices.Index(order, a.Levels[i]), slices.Index(order, b.Levels[i])); d != 0 {
				return d
			}
		}
		return 0
	})
	return list, nil
}

// Positions finds factors in the records.
func (v *View) Positions(factors []string) ([]int, error) {
	at := make([]int, len(factors))
	for i, name := range factors {
		at[i] = slices.IndexFunc(v.Records.Factors, func(f records.Factor) bool { return f.Name == name })
		if at[i] < 0 {
			return nil, fmt.Errorf("no factor %q; the records have %s", name, strings.Join(v.FactorNames(), ", "))
		}
	}
	return at, nil
}

// FactorNames are those of the records.
func (v *View) FactorNames() []string {
	names := make([]string, len(v.Records.Factors))
	for j, f := range v.Records.Factors {
		names[j] = f.Name
	}
	return names
}

// Where keeps the cells that fit "factor=level" conditions: those of one factor
// are alternatives, different factors must all fit.
func (v *View) Where(conditions []string) ([]records.Cell, error) {
	allowed := make([][]string, len(v.Records.Factors))
	for _, c := range conditions {
		name, level, ok := strings.Cut(c, "=")
		if !ok {
			return nil, fmt.Errorf("condition %q: want factor=level", c)
		}
		at, err := v.Positions([]string{name})
		if err != nil {
			return nil, fmt.Errorf("condition %q: %w", c, err)
		}
		if f := v.Records.Factors[at[0]]; level != "" && !slices.Contains(f.Levels, level) {
			return nil, fmt.Errorf("condition %q: factor %q has no level %q; it has %s", c, name, level, strings.Join(f.Levels, ", "))
		}
		allowed[at[0]] = append(allowed[at[0]], level)
	}
	var kept []records.Cell
	for _, c := range v.Cells {
		fits := true
		for j, levels := range allowed {
			fits = fits && (levels == nil || slices.Contains(levels, c.Levels[j]))
		}
		if fits {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("no cell fits %s", strings.Join(conditions, ", "))
	}
	return kept, nil
}

// Varying returns the factors with more than one level among the cells.
func (v *View) Varying(cells []records.Cell) []string {
	var names []string
	for j, f := range v.Records.Factors {
		if slices.ContainsFunc(cells, func(c records.Cell) bool { return c.Levels[j] != cells[0].Levels[j] }) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Columns resolves the classifiers of a table or figure; empty means all.
func (v *View) Columns(ids []string) ([]string, error) {
	if len(ids) == 0 {
		return v.Records.Classifiers, nil
	}
	for _, id := range ids {
		if !slices.Contains(v.Records.Classifiers, id) {
			return nil, fmt.Errorf("no classifier %q; the records have %s", id, strings.Join(v.Records.Classifiers, ", "))
		}
	}
	return ids, nil
}

// Comparing is the view with another family of classifiers; empty: its own.
func (v *View) Comparing(family []string) *View {
	if len(family) == 0 {
		return v
	}
	other := *v
	other.Family = family
	return &other
}

// Compared returns the classifiers of columns that are compared by tests of a
// measure: those that have it on any data, since a comparison that cannot be made
// corrects nothing. Without a measure it is those that any test compares.
func (v *View) Compared(m *Measure, columns []string) []string {
	var family []string
	for _, id := range columns {
		if m != nil && m.Seconds == nil && !v.has(m, id) {
			continue
		}
		if c := v.Component(id); len(v.Family) == 0 && (c == nil || !c.Oracle) || slices.Contains(v.Family, id) {
			family = append(family, id)
		}
	}
	return family
}

// has tells whether a classifier that ever succeeded has the measure anywhere.
func (v *View) has(m *Measure, id string) bool {
	succeeded := false
	for i := range v.Cells {
		if values, _ := v.Cells[i].Values(m.Metric, id); len(values) > 0 {
			return true
		}
		succeeded = succeeded || slices.ContainsFunc(v.Cells[i].Rows, func(r records.Record) bool { return r.Classifier == id && r.Status == records.OK })
	}
	return !succeeded // one that failed everywhere stays in the family
}

// Numeric says whether a level is a finite number.
func Numeric(level string) bool {
	v, err := strconv.ParseFloat(level, 64)
	return err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}
