// Package dataset defines labelled samples, the training and test sets of classifiers. It splits
// samples, transforms them and adds noise. Package csvfile reads and writes them.
package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Kind is the type of the values of an attribute.
type Kind uint8

const (
	// Numeric values are measurements on the real line.
	Numeric Kind = iota
	// Discrete values are codes 0, 1, ..., len(Levels)-1 of unordered levels.
	Discrete
)

// An Attribute describes one column of a Set.
type Attribute struct {
	Name   string
	Kind   Kind
	Levels []string // names of the codes of a discrete attribute; nil if numeric
}

// A Set is a labelled sample of n rows, d attributes and C classes. Treat a Set as immutable once
// it is in use, because it caches values derived from it (see Derived).
type Set struct {
	X          *mat.Dense  // n x d; NaN marks a missing value
	Y          []int       // n class codes in 0..C-1; Unknown for a row without a class
	Groups     []int       // n numbers from 0: rows of one group stay together in folds; nil without groups
	Attributes []Attribute // d
	Classes    []string    // C names

	derived memo
}

// Unknown is the label of a row whose class is not known.
const Unknown = -1

// New returns a Set of numeric attributes named x1..xd and classes named 0..c-1. It panics if x and
// y differ in length, or if a label is outside 0..c-1.
func New(x *mat.Dense, y []int, c int) *Set {
	n, d := x.Dims()
	if n != len(y) {
		panic(fmt.Sprintf("dataset: %d rows but %d labels", n, len(y)))
	}
	for i, label := range y {
		if label < 0 || label >= c {
			panic(fmt.Sprintf("dataset: label %d of row %d outside 0..%d", label, i, c-1))
		}
	}
	s := &Set{X: x, Y: y, Attributes: make([]Attribute, d), Classes: make([]string, c)}
	for j := range s.Attributes {
		s.Attributes[j] = Attribute{Name: fmt.Sprintf("x%d", j+1)}
	}
	for k := range s.Classes {
		s.Classes[k] = fmt.Sprint(k)
	}
	return s
}

// N returns the number of rows.
func (s *Set) N() int { return len(s.Y) }

// D returns the number of attributes.
func (s *Set) D() int { return len(s.Attributes) }

// C returns the number of classes, including classes without a row.
func (s *Set) C() int { return len(s.Classes) }

// Labelled reports whether every row has a label.
func (s *Set) Labelled() bool { return !slices.Contains(s.Y, Unknown) }

// Counts returns the number of rows of each class. All rows must have a label.
func (s *Set) Counts() []int {
	return counts(s.Y, s.C())
}

// ClassRows returns the indices of the rows of class c in ascending order.
func (s *Set) ClassRows(c int) []int {
	_, rows := splitRows(s.N(), func(i int) bool { return s.Y[i] == c })
	return rows
}

// Columns returns the given rows by column: Columns(rows)[j][i] = X[rows[i]][j].
//
// All columns are parts of one array, because memory alignment affects the last digits of gonum's
// sums and so stored results.
func (s *Set) Columns(rows []int) [][]float64 {
	n, columns := len(rows), make([][]float64, s.D())
	flat := make([]float64, s.D()*n)
	for j := range columns {
		columns[j] = flat[j*n : (j+1)*n : (j+1)*n]
		for i, r := range rows {
			columns[j][i] = s.X.At(r, j)
		}
	}
	return columns
}

// Subset returns the given rows, in the given order, as a Set that shares attributes and classes with s.
func (s *Set) Subset(rows []int) *Set {
	x := mat.NewDense(max(len(rows), 1), s.D(), nil)
	y := make([]int, len(rows))
	for i, r := range rows {
		x.SetRow(i, s.X.RawRowView(r))
		y[i] = s.Y[r]
	}
	subset := &Set{X: x, Y: y, Attributes: s.Attributes, Classes: s.Classes}
	if s.Groups != nil {
		subset.Groups = At(s.Groups, rows)
	}
	return subset
}

// WithAttributesOf returns a Set with the rows of s and the attributes of another set. Both sets
// must have the same attributes, but attributes of the other set may have additional levels.
func (s *Set) WithAttributesOf(other *Set) *Set {
	c := s.WithoutDerived()
	c.Attributes = other.Attributes
	return c
}

// Fingerprint returns the first 64 bits of a SHA-256 of the shapes, kinds, values and labels of the
// given sets, in order, as 16 hexadecimal digits.
func Fingerprint(sets ...*Set) string {
	h := sha256.New()
	var buf []byte
	for _, s := range sets {
		buf = buf[:0]
		for _, v := range []int{s.N(), s.D(), s.C()} {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(v))
		}
		for _, a := range s.Attributes {
			buf = append(buf, byte(a.Kind))
		}
		for i, y := range s.Y {
			for _, v := range s.X.RawRowView(i) {
				buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v))
			}
			buf = binary.LittleEndian.AppendUint64(buf, uint64(y))
		}
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
