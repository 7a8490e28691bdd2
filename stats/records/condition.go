package records

import (
	"maps"
	"slices"
	"strings"
)

// A Condition selects cells by their levels: for each factor in it, a cell must have one of the
// listed levels. A cell that lacks a factor has the level "" of it. An empty condition selects
// every cell.
type Condition map[string][]string

// Holds reports whether a cell with these levels meets the condition.
func (c Condition) Holds(cell Levels) bool {
	for factor, levels := range c {
		if !slices.Contains(levels, cell.Of(factor)) {
			return false
		}
	}
	return true
}

// An Unknown is a factor or a level of a condition that a design does not have.
type Unknown struct {
	Factor string
	Level  string   // "": the factor itself is unknown
	Known  []string // the factors of the design, or the levels of the factor
}

// Unknown returns the factors and levels of the condition that are not among the given
// factors, by their names.
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

// String writes "factor=level" for every level, by the names of the factors.
func (c Condition) String() string {
	var parts []string
	for _, factor := range slices.Sorted(maps.Keys(c)) {
		for _, level := range c[factor] {
			parts = append(parts, factor+"="+level)
		}
	}
	return strings.Join(parts, ", ")
}
