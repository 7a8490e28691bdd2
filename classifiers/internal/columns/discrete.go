package columns

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// Discrete turns attributes into discrete features. Numeric attributes are divided into quantile
// bins. Classifiers need a pair of features. So if there are fewer than two, constant features are
// added.
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
	return f.Select(stats.Indices(train.D()))
}

// Select returns the features of the given attributes.
func (f *Discrete) Select(attributes []int) *Discrete {
	selected := &Discrete{used: attributes, discretiser: f.discretiser}
	for _, j := range attributes {
		selected.Levels = append(selected.Levels, len(f.discretiser.Attributes()[j].Levels))
	}
	for len(selected.Levels) < 2 {
		selected.Levels = append(selected.Levels, 1)
	}
	return selected
}

// Codes returns the code of each feature k in each row i of x as codes[i][k]. It panics on invalid
// values of discrete attributes.
//
// A code is the level of the feature, 0, 1, ..., or MissingCode. Feature k is column f.used[k] of x.
// Features that were added because there were fewer than two have code 0.
func (f *Discrete) Codes(x *mat.Dense) [][]int {
	attributes := f.discretiser.Attributes()
	Check(x, len(attributes), AllowMissing)
	x = f.discretiser.Apply(x)
	CheckCodes(x, attributes)
	n, _ := x.Dims()
	codes := make([][]int, n)
	for i := range codes {
		row := make([]int, len(f.Levels))
		for k, j := range f.used {
			row[k] = MissingCode
			if v := x.At(i, j); !math.IsNaN(v) {
				row[k] = int(v)
			}
		}
		codes[i] = row
	}
	return codes
}
