package dataset

import (
	"math"
	"slices"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// MissingAsLevel returns the same rows with the missing values of discrete
// attributes as one more level of theirs, called missing. Numeric attributes
// stay, and so do discrete ones without a missing value.
func (s *Set) MissingAsLevel() *Set {
	c := s.WithoutDerived()
	c.X, c.Attributes = mat.DenseCopyOf(s.X), slices.Clone(s.Attributes)
	for j := range c.Attributes {
		a := &c.Attributes[j]
		code, found := float64(len(a.Levels)), false
		for i := range s.N() {
			if a.Kind == Discrete && math.IsNaN(c.X.At(i, j)) {
				c.X.Set(i, j, code)
				found = true
			}
		}
		if found {
			a.Levels = append(slices.Clip(a.Levels), FreeName("missing", a.Levels))
		}
	}
	return c
}

// FreeName returns the name, with a prime for every time that it is taken.
func FreeName(name string, taken []string) string {
	for slices.Contains(taken, name) {
		name += "'"
	}
	return name
}

// CompleteRows returns the numbers of the rows without missing values.
func (s *Set) CompleteRows() []int {
	var rows []int
	for i := range s.N() {
		if !slices.ContainsFunc(s.X.RawRowView(i), math.IsNaN) {
			rows = append(rows, i)
		}
	}
	return rows
}

// HasMissing reports whether any value is missing.
func (s *Set) HasMissing() bool { return len(s.CompleteRows()) < s.N() }

// WithoutClasses returns the rows of the other classes, which keep their order,
// and the code in s of each class that is left.
func (s *Set) WithoutClasses(drop []int) (rest *Set, kept []int) {
	code := make([]int, s.C())
	var names []string
	for c, name := range s.Classes {
		if code[c] = -1; !slices.Contains(drop, c) {
			code[c] = len(kept)
			kept, names = append(kept, c), append(names, name)
		}
	}
	var rows []int
	for i, y := range s.Y {
		if code[y] >= 0 {
			rows = append(rows, i)
		}
	}
	rest = s.Subset(rows)
	rest.Classes = names
	for i, y := range rest.Y {
		rest.Y[i] = code[y]
	}
	return rest, kept
}

// A Recoder takes some numeric attributes as discrete ones, whose levels are the
// values in the training set. Another value is taken as the nearest of them (the
// lower on ties).
type Recoder struct {
	attributes []Attribute
	values     [][]float64 // ascending; nil for an attribute that stays
}

// FitRecoder returns the recoder of the attributes of the given names; names of
// discrete attributes, or of none, change nothing.
func FitRecoder(train *Set, names []string) *Recoder {
	t := &Recoder{attributes: slices.Clone(train.Attributes), values: make([][]float64, train.D())}
	for j := range t.attributes {
		a := &t.attributes[j]
		if a.Kind != Numeric || !slices.Contains(names, a.Name) {
			continue
		}
		t.values[j] = slices.Compact(slices.Sorted(slices.Values(present(train, j))))
		a.Kind, a.Levels = Discrete, make([]string, len(t.values[j]))
		for k, v := range t.values[j] {
			a.Levels[k] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	return t
}

// Attributes implements Transform.
func (t *Recoder) Attributes() []Attribute { return t.attributes }

// Apply implements Transform.
func (t *Recoder) Apply(x *mat.Dense) *mat.Dense {
	n := checkColumns(x, len(t.attributes))
	out := mat.DenseCopyOf(x)
	for i := range n {
		row := out.RawRowView(i)
		for j, v := range row {
			if t.values[j] != nil && !math.IsNaN(v) {
				row[j] = float64(nearest(t.values[j], v))
			}
		}
	}
	return out
}

// nearest returns the position of the sorted value nearest to v.
func nearest(sorted []float64, v float64) int {
	k := sort.SearchFloat64s(sorted, v)
	if k == len(sorted) || k > 0 && v-sorted[k-1] <= sorted[k]-v {
		return k - 1
	}
	return k
}
