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

// Levels are the levels of one or more factors as one value. They are interned:
// two are equal (==) exactly when they give the same factors the same levels, in
// whatever order those were named, so they serve as keys of maps. A factor that is
// absent, since it is nested below other levels, is not among them. The zero value
// has none.
type Levels struct{ last unique.Handle[level] }

// level is the level of one factor behind those of the factors whose names sort
// before it.
type level struct {
	factor, name string
	before       Levels
}

// LevelsOf interns levels by factor; empty ones are absent.
func LevelsOf(byFactor map[string]string) Levels {
	l := Levels{}
	for _, factor := range slices.Sorted(maps.Keys(byFactor)) {
		if name := byFactor[factor]; name != "" {
			l = Levels{unique.Make(level{factor, name, l})}
		}
	}
	return l
}

// Align interns levels that stand in the order of their factors.
func Align(factors, levels []string) Levels {
	byFactor := make(map[string]string, len(levels))
	for j, name := range levels {
		byFactor[factors[j]] = name
	}
	return LevelsOf(byFactor)
}

// all yields factors and levels, the last factor first.
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

// On returns the levels of these factors alone: what the cells of a group share.
func (l Levels) On(factors []string) Levels { return Align(factors, l.In(factors)) }

// Describe writes "factor=level, ..." in the order of the factors.
func (l Levels) Describe(factors []Factor) string {
	var parts []string
	for _, f := range factors {
		if name := l.Of(f.Name); name != "" {
			parts = append(parts, f.Name+"="+name)
		}
	}
	return strings.Join(parts, ", ")
}

// String writes "factor=level, ..." by the names of the factors.
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

// Order compares levels as a design lists them: by the first factor, then the
// second, each in the order of its levels, an absent one first.
func Order(factors []Factor) func(a, b Levels) int {
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

// FactorNames are the names of the factors.
func FactorNames(factors []Factor) []string {
	names := make([]string, len(factors))
	for j, f := range factors {
		names[j] = f.Name
	}
	return names
}
