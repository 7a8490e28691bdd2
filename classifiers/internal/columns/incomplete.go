package columns

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// Incomplete turns attributes with missing values into numeric columns. Every discrete attribute
// becomes one indicator per level, even if it has only two levels. So a classifier can replace the
// indicators of a missing value by zeros, which differ from every level.
type Incomplete struct {
	attributes []dataset.Attribute
	scale      Scaling          // one element per attribute; does not change discrete attributes
	coding     *dataset.OneHot  // converts the scaled attributes to columns
	means      *dataset.Imputer // nil: missing values stay missing
}

// With alwaysIndicators, dataset.NewOneHot replaces every discrete attribute by indicators.
const alwaysIndicators = 0

// NewIncomplete returns a conversion to numeric columns. If standardise is true, it scales each
// numeric attribute by its present values to mean 0 and standard deviation 1 (divisor n-1).
func NewIncomplete(train *dataset.Set, standardise bool) *Incomplete {
	e := &Incomplete{
		attributes: train.Attributes,
		scale:      Unscaled(train.D()),
		coding:     dataset.NewOneHot(train.Attributes, alwaysIndicators),
	}
	for j, a := range train.Attributes {
		if !standardise || a.Kind == dataset.Discrete {
			continue
		}
		present := dataset.Present(train, j)
		e.scale.Factor[j] = 0 // removes a column that has no values
		if len(present) > 0 {
			s := StandardScaling(mat.NewDense(len(present), 1, present), stats.Indices(len(present)))
			e.scale.Centre[j], e.scale.Factor[j] = s.Centre[0], s.Factor[0]
		}
	}
	return e
}

// FillMeans makes Apply replace missing values with the column means over the training rows. It
// returns an error if a column has no values.
func (e *Incomplete) FillMeans(train *dataset.Set) (err error) {
	z := &dataset.Set{X: e.Apply(train.X), Y: train.Y, Attributes: e.coding.Attributes(), Classes: train.Classes}
	e.means, err = dataset.FitImputer(z, dataset.ImputeMean)
	return err
}

// Apply checks x and returns its columns. Missing values stay missing unless FillMeans was called.
func (e *Incomplete) Apply(x *mat.Dense) *mat.Dense {
	Check(x, len(e.attributes), AllowMissing)
	CheckCodes(x, e.attributes)
	z := e.coding.Apply(e.scale.Apply(x))
	if e.means != nil {
		z = e.means.Apply(z)
	}
	return z
}

// Unused returns a warning for each attribute with factor 0.
func (e *Incomplete) Unused() []string { return e.scale.unused(e.attributes, "constant or empty") }
