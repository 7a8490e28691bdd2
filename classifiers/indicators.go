package classifiers

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// indicators turn attributes into numeric columns: numeric ones are taken as
// they are, a discrete one becomes a column of zeros and ones per level, or a
// single column, its code, when it has two levels.
type indicators struct {
	attributes []dataset.Attribute
	names      []string // of the columns
}

func newIndicators(train *dataset.Set) *indicators {
	e := &indicators{attributes: train.Attributes}
	for _, a := range train.Attributes {
		if a.Kind == dataset.Numeric {
			e.names = append(e.names, a.Name)
			continue
		}
		if len(a.Levels) <= 2 {
			e.names = append(e.names, a.Name)
			continue
		}
		for _, level := range a.Levels {
			e.names = append(e.names, a.Name+"="+level)
		}
	}
	return e
}

// apply returns the columns of x, which it checks. Without discrete attributes
// of more than two levels these are x itself.
func (e *indicators) apply(x *mat.Dense) *mat.Dense {
	checkRows(x, len(e.attributes), false)
	if len(e.names) == len(e.attributes) {
		return x
	}
	n, _ := x.Dims()
	z := mat.NewDense(n, len(e.names), nil)
	for i := range n {
		k := 0
		for j, v := range x.RawRowView(i) {
			levels := len(e.attributes[j].Levels)
			if levels <= 2 {
				z.Set(i, k, v)
				k++
				continue
			}
			if !isCode(v, levels) {
				panic(fmt.Sprintf("classifiers: row %d, column %q: %v is not one of the codes 0..%d", i+1, e.attributes[j].Name, v, levels-1))
			}
			z.Set(i, k+int(v), 1)
			k += levels
		}
	}
	return z
}

// scaledColumns are indicators, standardised on request.
type scaledColumns struct {
	*indicators
	scale scaling
}

// newScaledColumns standardises by the training rows: mean 0, standard deviation
// 1 (divisor n-1).
func newScaledColumns(train *dataset.Set, standardise bool) *scaledColumns {
	e := newIndicators(train)
	c := &scaledColumns{indicators: e, scale: unscaled(len(e.names))}
	if standardise {
		c.scale = standardScaling(e.apply(train.X), head(train.N()))
	}
	return c
}

// d returns the number of columns.
func (c *scaledColumns) d() int { return len(c.names) }

// apply returns the scaled columns of x, which it checks.
func (c *scaledColumns) apply(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	return c.scale.apply(c.indicators.apply(x), head(n))
}

// unused returns a warning for each column that the scaling takes out.
func (c *scaledColumns) unused() []string {
	var warnings []string
	for j, f := range c.scale.factor {
		if f == 0 {
			warnings = append(warnings, fmt.Sprintf("column %q is constant in the training set and plays no part", c.names[j]))
		}
	}
	return warnings
}
