package records

import (
	"maps"
	"slices"
	"strings"
)

// A Condition selects cells by their levels. For each factor in the condition, a cell must have one
// of the listed levels, where "" means that the cell does not have the factor.
type Condition map[string][]string

// Holds reports whether the condition selects a cell with these levels.
func (c Condition) Holds(cell Levels) bool {
	for factor, levels := range c {
		if !slices.Contains(levels, cell.Of(factor)) {
			return false
		}
	}
	return true
}

// An Unknown is a factor or level that a condition mentions but the design does not have.
type Unknown struct {
	Factor string
	Level  string   // the unknown level; "": the factor is unknown
	Known  []string // factors of the design, or levels of the factor
}

// Unknown lists the factors and levels in the condition that a study with the given factors does
// not have, sorted by factor.
func (c Condition) Unknown(factors []Factor) (list []Unknown) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		i := slices.IndexFunc(factors, func(f Factor) bool { return f.Name == name })
		if i < 0 {
			list = append(list, Unknown{Factor: name, Known: FactorNames(factors)})
			continue
		}
		for _, level := range c[name] {
			if level != "" && !slices.Contains(factors[i].Levels, level) {
				list = append(list, Unknown{name, level, factors[i].Levels})
			}
		}
	}
	return list
}

// String returns "factor=level, ..." for all levels of the condition, sorted by factor.
func (c Condition) String() string {
	var parts []string
	for _, factor := range slices.Sorted(maps.Keys(c)) {
		for _, level := range c[factor] {
			parts = append(parts, factor+"="+level)
		}
	}
	return strings.Join(parts, ", ")
}
