package columns

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// Discrete turns attributes into discrete features. Numeric attributes are divided into quantile
// bins. Constant features are added if there are fewer than two, because classifiers need a pair.
type Discrete struct {
	Levels      []int // Levels[k] is the number of levels of feature k
	used        []int // used[k] is the attribute of feature k; added features have none
	discretiser *dataset.Selection
}

// MissingCode is the code of a missing value.
const MissingCode = -1

// NewDiscrete computes the quantile bins from a training set.
func NewDiscrete(train *dataset.Set, bins int) *Discrete {
	f := &Discrete{discretiser: dataset.FitDiscretiser(train, bins)}
	return f.Only(stats.Indices(train.D()))
}

// Only returns the features of the given attributes.
func (f *Discrete) Only(attributes []int) *Discrete {
	only := &Discrete{used: attributes, discretiser: f.discretiser}
	for _, j := range attributes {
		only.Levels = append(only.Levels, len(f.discretiser.Attributes()[j].Levels))
	}
	for len(only.Levels) < 2 {
		only.Levels = append(only.Levels, 1)
	}
	return only
}

// Codes returns the code of each feature in each row of x: its level 0, 1, ..., or MissingCode.
// Added features have code 0. Codes panics on invalid values of discrete attributes.
func (f *Discrete) Codes(x *mat.Dense) [][]int {
	attributes := f.discretiser.Attributes()
	Check(x, len(attributes), AllowMissing)
	x = f.discretiser.Apply(x) // replaces numeric values by the codes of their bins
	Codes(x, attributes)       // only checks x: the function Codes panics if a value is not a code
	n, _ := x.Dims()
	// codes[i][k] is the code of feature k in row i. The codes of added features stay 0.
	flat, codes := make([]int, n*len(f.Levels)), make([][]int, n)
	for i := range n {
		codes[i] = flat[i*len(f.Levels):][:len(f.Levels)]
		for k, j := range f.used {
			codes[i][k] = MissingCode
			if v := x.At(i, j); !math.IsNaN(v) {
				codes[i][k] = int(v)
			}
		}
	}
	return codes
}
