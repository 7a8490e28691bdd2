package columns

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// Discrete turns attributes into discrete features. Discrete attributes stay as they are; numeric
// attributes are divided into quantile bins. If there are fewer than two, constant features are added, because the
// classifiers need a pair.
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

// Codes returns, for each row of x, the level of each feature as a code 0, 1, ..., or MissingCode. Features
// that were added to get a pair have code 0. Codes panics if a discrete attribute has an invalid value.
func (f *Discrete) Codes(x *mat.Dense) [][]int {
	attributes := f.discretiser.Attributes()
	Check(x, len(attributes), AllowMissing)
	x = f.discretiser.Apply(x) // replaces numeric values by the codes of their bins
	Codes(x, attributes)       // only checks x: the function Codes panics if a value is not a code
	n, _ := x.Dims()
	// codes[i] contains the code of each feature in row i. The codes of added features stay 0.
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
