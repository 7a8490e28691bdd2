package columns

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Indicators turn attributes into numeric columns: numeric ones are taken as
// they are, a discrete one becomes a column of zeros and ones per level, or a
// single column, its code, when it has two levels.
type indicators struct {
	attributes []dataset.Attribute
	names      []string // of the columns
}

// newIndicators returns those of the attributes of a training set.
func newIndicators(train *dataset.Set) *indicators {
	e := &indicators{attributes: train.Attributes}
	for _, a := range train.Attributes {
		if a.Kind == dataset.Numeric || len(a.Levels) <= 2 {
			e.names = append(e.names, a.Name)
			continue
		}
		for _, level := range a.Levels {
			e.names = append(e.names, a.Name+"="+level)
		}
	}
	return e
}

// Apply returns the columns of x, which it checks. Without discrete attributes
// of more than two levels these are x itself.
func (e *indicators) Apply(x *mat.Dense) *mat.Dense {
	Check(x, len(e.attributes), false)
	Codes(x, e.attributes)
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
			z.Set(i, k+int(v), 1)
			k += levels
		}
	}
	return z
}

// Scaled are indicators, standardised on request.
type Scaled struct {
	*indicators
	scale        Scaling
	standardised bool
}

// NewScaled standardises by the training rows: mean 0, standard deviation 1
// (divisor n-1).
func NewScaled(train *dataset.Set, standardise bool) *Scaled {
	e := newIndicators(train)
	c := &Scaled{indicators: e, scale: Unscaled(len(e.names)), standardised: standardise}
	if standardise {
		c.scale = StandardScaling(e.Apply(train.X), Head(train.N()))
	}
	return c
}

// D returns the number of columns.
func (c *Scaled) D() int { return len(c.names) }

// farthest is the number of standard deviations beyond which values are taken to
// be there, where squares, dot products and their powers are finite.
const farthest = 1e30

// Apply returns the scaled columns of x, which it checks.
func (c *Scaled) Apply(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	z := c.scale.Apply(c.indicators.Apply(x), Head(n))
	if !c.standardised {
		return z
	}
	for i, v := range z.RawMatrix().Data {
		if !(v >= -farthest && v <= farthest) {
			z.RawMatrix().Data[i] = max(-farthest, min(v, farthest))
		}
	}
	return z
}

// Unused returns a warning for each column that the scaling takes out.
func (c *Scaled) Unused() []string {
	var warnings []string
	for j, f := range c.scale.Factor {
		if f == 0 {
			warnings = append(warnings, fmt.Sprintf(
				"column %q is constant in the training set and plays no part", c.names[j]))
		}
	}
	return warnings
}
