package dataset

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Transform was fitted to a training set and maps rows of its attributes to
// rows of others. It is immutable and leaves its input as it was.
type Transform interface {
	Attributes() []Attribute       // of the result
	Apply(x *mat.Dense) *mat.Dense // n x d to n x len(Attributes())
}

// Transformed returns s with its attributes mapped by t.
func Transformed(s *Set, t Transform) *Set {
	return &Set{X: t.Apply(s.X), Y: s.Y, Attributes: t.Attributes(), Classes: s.Classes}
}

// OneHot replaces every discrete attribute with L levels by L indicators 0, 1;
// a missing value stays missing in all of them. Numeric attributes stay.
type OneHot struct {
	from, to []Attribute
	codes    int // discrete attributes of 1 to so many levels stay codes
}

// NewOneHot returns the coding of the given attributes, in which discrete ones of 1 to so
// many levels stay as they are.
func NewOneHot(attributes []Attribute, codes int) *OneHot {
	t := &OneHot{from: attributes, codes: codes}
	for _, a := range attributes {
		if t.stays(&a) {
			t.to = append(t.to, a)
			continue
		}
		for _, level := range a.Levels {
			t.to = append(t.to, Attribute{Name: a.Name + "=" + level})
		}
	}
	return t
}

func (t *OneHot) stays(a *Attribute) bool {
	return a.Kind == Numeric || len(a.Levels) > 0 && len(a.Levels) <= t.codes
}

// Attributes implements Transform.
func (t *OneHot) Attributes() []Attribute { return t.to }

// Apply implements Transform. It panics on a value that is no code.
func (t *OneHot) Apply(x *mat.Dense) *mat.Dense {
	n := checkColumns(x, len(t.from))
	out := mat.NewDense(n, len(t.to), nil)
	for i := range n {
		row, at := out.RawRowView(i), 0
		for j, v := range x.RawRowView(i) {
			a := &t.from[j]
			if t.stays(a) {
				row[at] = v
				at++
				continue
			}
			indicators := row[at : at+len(a.Levels)]
			at += len(a.Levels)
			if math.IsNaN(v) {
				for k := range indicators {
					indicators[k] = v
				}
				continue
			}
			indicators[int(v)] = 1
		}
	}
	return out
}

// present returns the values of column j that are not missing, in row order.
func present(s *Set, j int) []float64 {
	var values []float64
	for i := range s.N() {
		if v := s.X.At(i, j); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// checkColumns returns the number of rows of x, which must have d columns.
func checkColumns(x *mat.Dense, d int) int {
	n, columns := x.Dims()
	if columns != d {
		panic(fmt.Sprintf("dataset: %d columns for a transform of %d", columns, d))
	}
	return n
}
