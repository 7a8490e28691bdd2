package columns

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Discrete turns attributes into discrete features. Discrete attributes stay as they are; numeric
// attributes are divided into quantile bins. A set with only one attribute gets a constant second
// feature, because the classifiers need a pair.
type Discrete struct {
	Levels      []int // Levels[j] is the number of levels of feature j
	discretiser *dataset.Selection
}

// MissingCode is the code of a missing value.
const MissingCode = -1

// NewDiscrete computes the quantile bins from a training set.
func NewDiscrete(train *dataset.Set, bins int) *Discrete {
	f := &Discrete{discretiser: dataset.FitDiscretiser(train, bins)}
	for _, a := range f.discretiser.Attributes() {
		f.Levels = append(f.Levels, len(a.Levels))
	}
	if len(f.Levels) == 1 {
		f.Levels = append(f.Levels, 1)
	}
	return f
}

// Codes returns a slice for each row of x that gives the level of each feature as a code 0, 1, ..., or
// MissingCode. Numeric attributes are binned. If there is only one attribute, a second feature is added
// that has code 0 in all rows. Codes panics if a discrete attribute has a value that is not one of its
// codes.
func (f *Discrete) Codes(x *mat.Dense) [][]int {
	attributes := f.discretiser.Attributes()
	Check(x, len(attributes), AllowMissing)
	x = f.discretiser.Apply(x) // replaces numeric values by the codes of their bins
	Codes(x, attributes)       // only checks x: the function Codes panics if a value is not a code
	n, _ := x.Dims()
	// codes[i] contains the code of each feature in row i. If NewDiscrete added a constant second feature, x has
	// only one column. The code of the second feature then stays 0.
	flat, codes := make([]int, n*len(f.Levels)), make([][]int, n)
	for i := range n {
		codes[i] = flat[i*len(f.Levels):][:len(f.Levels)]
		for j, v := range x.RawRowView(i) {
			codes[i][j] = MissingCode
			if !math.IsNaN(v) {
				codes[i][j] = int(v)
			}
		}
	}
	return codes
}
