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

// Levels has the levels of one or more factors as one comparable value, such as the key of a
// map. Two are equal (==) exactly if they have the same level of each factor, whatever the
// order in which the factors were given. An absent factor, which is nested below other levels,
// is not included. The zero value has no factor.
type Levels struct{ last unique.Handle[level] }

// level is a linked list: the level of one factor, then the levels of the factors whose names
// sort before it.
type level struct {
	factor, name string
	before       Levels
}

// LevelsOf returns levels given by factor; an empty level means that the factor is absent.
func LevelsOf(byFactor map[string]string) Levels {
	l := Levels{}
	for _, factor := range slices.Sorted(maps.Keys(byFactor)) {
		if name := byFactor[factor]; name != "" {
			l = Levels{unique.Make(level{factor, name, l})}
		}
	}
	return l
}

// Align returns levels given in the order of their factors.
func Align(factors, levels []string) Levels {
	byFactor := make(map[string]string, len(levels))
	for j, name := range levels {
		byFactor[factors[j]] = name
	}
	return LevelsOf(byFactor)
}

// all yields factors with their levels, in descending order of the factors' names.
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

// Map returns the levels by factor.
func (l Levels) Map() map[string]string {
	m := map[string]string{}
	maps.Insert(m, l.all())
	return m
}

// Of returns the level of a factor, "" where it is absent.
func (l Levels) Of(factor string) string {
	for f, name := range l.all() {
		if f == factor {
			return name
		}
	}
	return ""
}

// In returns the levels in the order of the factors, "" where one is absent.
func (l Levels) In(factors []string) []string {
	names := make([]string, len(factors))
	for j, f := range factors {
		names[j] = l.Of(f)
	}
	return names
}

// On returns the levels without all other factors.
func (l Levels) On(factors []string) Levels { return Align(factors, l.In(factors)) }

// Describe returns "factor=level, ..." in the order of the factors, without absent ones.
func (l Levels) Describe(factors []Factor) string {
	var parts []string
	for _, f := range factors {
		if name := l.Of(f.Name); name != "" {
			parts = append(parts, f.Name+"="+name)
		}
	}
	return strings.Join(parts, ", ")
}

// String returns "factor=level, ..." in the order of the factors' names.
func (l Levels) String() string {
	var parts []string
	for factor, name := range l.all() {
		parts = append(parts, factor+"="+name)
	}
	slices.Reverse(parts)
	return strings.Join(parts, ", ")
}

// MarshalJSON writes an object of levels by factor.
func (l Levels) MarshalJSON() ([]byte, error) { return json.Marshal(l.Map()) }

// UnmarshalJSON reads it.
func (l *Levels) UnmarshalJSON(text []byte) error {
	byFactor := map[string]string{}
	err := json.Unmarshal(text, &byFactor)
	*l = LevelsOf(byFactor)
	return err
}

// Order returns a comparison of levels for sorting. It compares the first factor, then the
// second and so on, each in the order of its levels in factors. An absent level sorts first.
func Order(factors []Factor) func(a, b Levels) int {
	places := make([]map[string]int, len(factors)) // by factor: place of each level, from 1 on
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

// FactorNames returns the names of the factors.
func FactorNames(factors []Factor) []string {
	names := make([]string, len(factors))
	for j, f := range factors {
		names[j] = f.Name
	}
	return names
}
