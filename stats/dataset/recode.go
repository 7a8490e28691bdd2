package dataset

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"copse/stats"
)

// MissingAsLevel returns a copy of s in which the missing values of discrete attributes become a
// new last level named missing.
func (s *Set) MissingAsLevel() *Set {
	c := s.withValueCopy()
	c.Attributes = slices.Clone(s.Attributes)
	for j := range c.Attributes {
		a := &c.Attributes[j]
		isComplete := len(Present(s, j)) == s.N()
		if a.Kind != Discrete || isComplete {
			continue
		}
		missing := float64(len(a.Levels))
		// Clip makes append copy the levels, which s still uses.
		a.Levels = append(slices.Clip(a.Levels), FreeName("missing", a.Levels))
		for i := range s.N() {
			if math.IsNaN(c.X.At(i, j)) {
				c.X.Set(i, j, missing)
			}
		}
	}
	return c
}

// FreeName appends primes to name until the result is not in taken.
func FreeName(name string, taken []string) string {
	for slices.Contains(taken, name) {
		name += "'"
	}
	return name
}

// CompleteRows returns the indices of the rows without missing values.
func (s *Set) CompleteRows() []int {
	rows, _ := splitRows(s.N(), func(i int) bool { return slices.ContainsFunc(s.X.RawRowView(i), math.IsNaN) })
	return rows
}

// HasMissing reports whether any value is missing.
func (s *Set) HasMissing() bool { return len(s.CompleteRows()) < s.N() }

// WithoutClasses returns a copy of s that lacks the classes whose codes are in the list drop, and
// their rows. Rows and classes keep their order.
//
// kept[k] is the code in s of class k of the result, such as [0, 2] if drop is [1].
func (s *Set) WithoutClasses(drop []int) (rest *Set, kept []int) {
	isDropped := func(class int) bool { return slices.Contains(drop, class) }
	kept = slices.DeleteFunc(stats.Indices(s.C()), isDropped)
	rows, _ := splitRows(s.N(), func(i int) bool { return isDropped(s.Y[i]) })
	rest = s.Subset(rows)
	rest.Classes = At(s.Classes, kept)
	for i, class := range rest.Y {
		rest.Y[i] = slices.Index(kept, class)
	}
	return rest, kept
}

// FitRecoder returns a transform that makes the named numeric attributes discrete.
//
// The levels are the distinct values in the training set. Any other value is replaced with the
// nearest level, or with the lower one if two levels are equally near.
func FitRecoder(train *Set, names []string) *Selection {
	t := SelectAll(train.Attributes)
	for j := range t.To {
		a := &t.To[j]
		if a.Kind != Numeric || !slices.Contains(names, a.Name) {
			continue
		}
		values := slices.Compact(slices.Sorted(slices.Values(Present(train, j))))
		a.Kind, a.Levels = Discrete, []string{}
		for _, v := range values {
			a.Levels = append(a.Levels, strconv.FormatFloat(v, 'g', -1, 64))
		}
		t.Values[j] = func(v float64) float64 { return float64(nearest(values, v)) }
	}
	return t
}

func nearest(sorted []float64, v float64) int {
	k := sort.SearchFloat64s(sorted, v)
	if k == len(sorted) || k > 0 && v-sorted[k-1] <= sorted[k]-v {
		return k - 1
	}
	return k
}
