// Package columns turns the attributes of a data set into numeric columns for classifiers. It also
// checks the rows to which a rule is applied.
package columns

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// IsCode reports whether v is missing (NaN) or one of the codes 0..levels-1.
func IsCode(v float64, levels int) bool {
	return math.IsNaN(v) || v >= 0 && v < float64(levels) && v == math.Trunc(v)
}

// The last argument of Check.
const (
	NoMissing    = false
	AllowMissing = true
)

// Check panics if a rule that was trained on d columns cannot be applied to x. There are three
// reasons: another number of columns, an infinite value, and a missing value with NoMissing.
func Check(x *mat.Dense, d int, allowMissing bool) {
	n, columns := x.Dims()
	if columns != d {
		panic(fmt.Sprintf("classifiers: the rows have %d columns, but the rule was trained on %d columns", columns, d))
	}
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if math.IsInf(v, 0) {
				panic(fmt.Sprintf("classifiers: infinite value in row %d, column %d", i+1, j+1))
			}
			if math.IsNaN(v) && !allowMissing {
				panic(fmt.Sprintf("classifiers: missing value (NaN) in row %d, column %d", i+1, j+1))
			}
		}
	}
}

// CheckCodes panics if a value of a discrete attribute is neither missing nor a code of the
// attribute.
func CheckCodes(x *mat.Dense, attributes []dataset.Attribute) {
	n, _ := x.Dims()
	for j, a := range attributes {
		if a.Kind != dataset.Discrete {
			continue
		}
		for i := range n {
			if v := x.At(i, j); !IsCode(v, len(a.Levels)) {
				panic(fmt.Sprintf("classifiers: row %d, column %q: %v is not one of the codes 0..%d",
					i+1, a.Name, v, len(a.Levels)-1))
			}
		}
	}
}
