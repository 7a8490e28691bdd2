package dataset

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// A Transform maps rows to rows with different attributes. Apply does not modify its argument.
type Transform interface {
	Attributes() []Attribute       // attributes after the transform
	Apply(x *mat.Dense) *mat.Dense // transforms n x d values to n x len(Attributes()) values
}

// Transformed returns s with its attributes mapped by t.
func Transformed(s *Set, t Transform) *Set {
	out := s.WithValues(t.Apply(s.X))
	out.Attributes = t.Attributes()
	return out
}

// A Selection is a Transform that keeps some columns and maps their values one by one. Missing values
// remain missing.
type Selection struct {
	From   []int                     // the kept columns
	To     []Attribute               // the attributes of the kept columns after the transform
	Values []func(v float64) float64 // Values[k] maps the values of column From[k]; nil keeps them

	columns int // number of columns before the transform
}

// SelectAll returns a Selection that keeps all columns and values, with a copy of attributes.
func SelectAll(attributes []Attribute) *Selection {
	d := len(attributes)
	return &Selection{
		From: stats.Indices(d), To: slices.Clone(attributes), Values: make([]func(v float64) float64, d), columns: d,
	}
}

// Attributes implements Transform.
func (t *Selection) Attributes() []Attribute { return t.To }

// Apply implements Transform.
func (t *Selection) Apply(x *mat.Dense) *mat.Dense {
	n := checkColumns(x, t.columns)
	out := mat.NewDense(n, len(t.From), nil)
	for i := range n {
		from, to := x.RawRowView(i), out.RawRowView(i)
		for k, j := range t.From {
			to[k] = from[j]
			if value := t.Values[k]; value != nil && !math.IsNaN(from[j]) {
				to[k] = value(from[j])
			}
		}
	}
	return out
}

// OneHot replaces each discrete attribute with indicator columns, one per level, which are 1 where
// the attribute has this level and 0 elsewhere. If a value is missing, all its indicators are
// missing.
type OneHot struct {
	from, to []Attribute
	maxCodes int // discrete attributes with 1 to maxCodes levels stay as codes
	first    int // the first level with an indicator: 0, or 1 if level 0 is the reference
}

// NewOneHot returns a transform that replaces discrete attributes with one indicator per level.
// Attributes with at most maxCodes levels keep their codes.
func NewOneHot(attributes []Attribute, maxCodes int) *OneHot {
	return newOneHot(attributes, maxCodes, 0)
}

// NewDummy returns a transform with one indicator for each level except the first, which is the reference
// level.
func NewDummy(attributes []Attribute) *OneHot { return newOneHot(attributes, 0, 1) }

func newOneHot(attributes []Attribute, maxCodes, first int) *OneHot {
	t := &OneHot{from: attributes, maxCodes: maxCodes, first: first}
	for _, a := range attributes {
		if t.stays(&a) {
			t.to = append(t.to, a)
			continue
		}
		for _, level := range t.indicated(&a) {
			t.to = append(t.to, Attribute{Name: a.Name + "=" + level})
		}
	}
	return t
}

func (t *OneHot) stays(a *Attribute) bool {
	return a.Kind == Numeric || len(a.Levels) > 0 && len(a.Levels) <= t.maxCodes
}

// indicated returns the levels of an attribute that get an indicator.
func (t *OneHot) indicated(a *Attribute) []string { return a.Levels[min(t.first, len(a.Levels)):] }

// Attributes implements Transform.
func (t *OneHot) Attributes() []Attribute { return t.to }

// Apply implements Transform. It copies some attributes and replaces each other one with the
// indicators of its levels. It panics if a replaced code is out of range.
func (t *OneHot) Apply(x *mat.Dense) *mat.Dense {
	n := checkColumns(x, len(t.from))
	out := mat.NewDense(n, len(t.to), nil)
	for i := range n {
		rest := out.RawRowView(i) // the columns of the row that are not filled yet
		for j, v := range x.RawRowView(i) {
			a := &t.from[j]
			if t.stays(a) {
				rest[0] = v
				rest = rest[1:]
				continue
			}
			levels := len(t.indicated(a))
			t.setIndicators(rest[:levels], v)
			rest = rest[levels:]
		}
	}
	return out
}

// setIndicators sets the indicator of the level with code v, if it has one, to 1. If v is NaN, it
// sets all indicators to NaN. All indicators must be 0 before the call.
func (t *OneHot) setIndicators(indicators []float64, v float64) {
	if math.IsNaN(v) {
		for k := range indicators {
			indicators[k] = v
		}
		return
	}
	code := int(v)
	if t.first == 1 && code == 0 {
		return // the reference level
	}
	indicators[code-t.first] = 1
}

// Present returns the values of column j that are not missing, in the order of the rows.
func Present(s *Set, j int) []float64 {
	var values []float64
	for i := range s.N() {
		if v := s.X.At(i, j); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// checkColumns returns the number of rows of x. It panics unless x has d columns.
func checkColumns(x *mat.Dense, d int) int {
	n, columns := x.Dims()
	if columns != d {
		panic(fmt.Sprintf("dataset: the data have %d columns, but the transform needs %d", columns, d))
	}
	return n
}
