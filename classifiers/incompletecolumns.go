package classifiers

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// incompleteColumns turn attributes with missing values into numeric columns that
// have them too, or their means instead: numeric attributes are standardised on
// request, a discrete one becomes an indicator per level, even where there are
// two, so that zeros in place of a missing value are no level's code.
type incompleteColumns struct {
	attributes []dataset.Attribute
	scale      scaling // of the numeric attributes
	coding     *dataset.OneHot
	means      *dataset.Imputer // nil: missing values stay missing
}

// newIncompleteColumns standardises numeric attributes by the values that are
// there: mean 0, standard deviation 1 (divisor n-1).
func newIncompleteColumns(train *dataset.Set, standardise bool) *incompleteColumns {
	e := &incompleteColumns{attributes: train.Attributes, scale: unscaled(train.D()), coding: dataset.NewOneHot(train.Attributes)}
	for j, a := range train.Attributes {
		if !standardise || a.Kind == dataset.Discrete {
			continue
		}
		var present []float64
		for _, v := range mat.Col(nil, j, train.X) {
			if !math.IsNaN(v) {
				present = append(present, v)
			}
		}
		e.scale.factor[j] = 0 // a column without values plays no part
		if len(present) > 0 {
			s := standardScaling(mat.NewDense(len(present), 1, present), head(len(present)))
			e.scale.centre[j], e.scale.factor[j] = s.centre[0], s.factor[0]
		}
	}
	return e
}

// fillMeans lets the columns' means over the training rows stand for missing
// values. A column without any value is an error.
func (e *incompleteColumns) fillMeans(train *dataset.Set) (err error) {
	z := &dataset.Set{X: e.apply(train.X), Y: train.Y, Attributes: e.coding.Attributes(), Classes: train.Classes}
	e.means, err = dataset.FitImputer(z)
	return err
}

// apply returns the columns of x, which it checks.
func (e *incompleteColumns) apply(x *mat.Dense) *mat.Dense {
	checkRows(x, len(e.attributes), true)
	n, _ := x.Dims()
	for j, a := range e.attributes {
		for i := range n {
			if v := x.At(i, j); a.Kind == dataset.Discrete && !isCode(v, len(a.Levels)) {
				panic(fmt.Sprintf("classifiers: row %d, column %q: %v is not one of the codes 0..%d", i+1, a.Name, v, len(a.Levels)-1))
			}
		}
	}
	z := e.coding.Apply(e.scale.apply(x, head(n)))
	if e.means != nil {
		z = e.means.Apply(z)
	}
	return z
}

// unused returns a warning for each attribute that the scaling takes out.
func (e *incompleteColumns) unused() []string {
	var warnings []string
	for j, f := range e.scale.factor {
		if f == 0 {
			warnings = append(warnings, fmt.Sprintf("column %q is constant or empty in the training set and plays no part", e.attributes[j].Name))
		}
	}
	return warnings
}
