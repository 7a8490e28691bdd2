package records

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"
	"unique"
)

// Levels contains the levels of some factors. Two Levels are equal (==) if and only if they have
// the same levels of the same factors. The zero value has no factors.
type Levels struct{ last unique.Handle[level] }

// A level is an element of a linked list in descending order of factor names.
type level struct {
	factor, name string
	before       Levels // levels of the factors whose names sort before factor
}

// LevelsOf returns the levels in a map from factor to level, without empty ones.
func LevelsOf(byFactor map[string]string) Levels {
	l := Levels{}
	for _, factor := range slices.Sorted(maps.Keys(byFactor)) {
		if name := byFactor[factor]; name != "" {
			l = Levels{unique.Make(level{factor, name, l})}
		}
	}
	return l
}

// Align returns Levels in which the factor factors[j] has the level levels[j], or is absent if this
// is "".
func Align(factors, levels []string) Levels {
	byFactor := make(map[string]string, len(levels))
	for j, name := range levels {
		byFactor[factors[j]] = name
	}
	return LevelsOf(byFactor)
}

// all iterates over factors and levels, in descending order of factors.
func (l Levels) all() iter.Seq2[string, string] {
	return func(yield func(factor, name string) bool) {
		for l != (Levels{}) {
			v := l.last.Value()
			if !yield(v.factor, v.name) {
				return
			}
			l = v.before
		}
	}
}

// Map returns a map from factor to level.
func (l Levels) Map() map[string]string {
	return maps.Collect(l.all())
}

// Of returns the level of a factor, or "" if the factor is absent.
func (l Levels) Of(factor string) string {
	for f, name := range l.all() {
		if f == factor {
			return name
		}
	}
	return ""
}

// List returns the level of each given factor, or "" if it is absent.
func (l Levels) List(factors []string) []string {
	names := make([]string, len(factors))
	for j, f := range factors {
		names[j] = l.Of(f)
	}
	return names
}

// Restrict returns only the levels of the given factors.
func (l Levels) Restrict(factors []string) Levels {
	if l == (Levels{}) {
		return l
	}
	v := l.last.Value()
	before := v.before.Restrict(factors)
	switch {
	case !slices.Contains(factors, v.factor):
		return before
	case before == v.before:
		return l // avoids looking up an equal handle
	}
	return Levels{unique.Make(level{v.factor, v.name, before})}
}

// Describe returns "factor=level, ..." in the order of the given factors. It omits absent factors.
func (l Levels) Describe(factors []Factor) string {
	var parts []string
	for _, f := range factors {
		if name := l.Of(f.Name); name != "" {
			parts = append(parts, f.Name+"="+name)
		}
	}
	return strings.Join(parts, ", ")
}

// String returns "factor=level, ..." sorted by factor name.
func (l Levels) String() string {
	var parts []string
	for factor, name := range l.all() {
		parts = append(parts, factor+"="+name)
	}
	slices.Reverse(parts)
	return strings.Join(parts, ", ")
}

// MarshalJSON writes an object that maps factors to levels.
func (l Levels) MarshalJSON() ([]byte, error) { return json.Marshal(l.Map()) }

// UnmarshalJSON reads an object that maps factors to levels.
func (l *Levels) UnmarshalJSON(text []byte) error {
	byFactor := map[string]string{}
	err := json.Unmarshal(text, &byFactor)
	*l = LevelsOf(byFactor)
	return err
}

// Order returns a function that compares levels, for sorting. It compares one factor after the
// other, with the levels in their order in factors. An absent factor sorts first.
func Order(factors []Factor) func(a, b Levels) int {
	// places[j][level] is the position of a level in factor j, from 1. If the factor is absent, it is 0.
	places := make([]map[string]int, len(factors))
	for j, f := range factors {
		places[j] = make(map[string]int, len(f.Levels))
		for i, name := range f.Levels {
			places[j][name] = i + 1
		}
	}
	return func(a, b Levels) int {
		if a == b {
			return 0
		}
		for j, f := range factors {
			if d := cmp.Compare(places[j][a.Of(f.Name)], places[j][b.Of(f.Name)]); d != 0 {
				return d
			}
		}
		return 0
	}
}

// FactorNames returns the name of each factor.
func FactorNames(factors []Factor) []string {
	names := make([]string, len(factors))
	for j, f := range factors {
		names[j] = f.Name
	}
	return names
}
