package columns

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// Scaled turns attributes into numeric columns, standardised on request: numeric ones are
// taken as they are, a discrete one becomes a column of zeros and ones per level, or a
// single column, its code, when it has two levels.
type Scaled struct {
	attributes   []dataset.Attribute
	coding       *dataset.OneHot
	scale        Scaling
	standardised bool
	missing      bool // missing values stay; false: they are refused
}

// NewScaled standardises by the training rows: mean 0, standard deviation 1
// (divisor n-1).
func NewScaled(train *dataset.Set, standardise bool) *Scaled {
	coding := dataset.NewOneHot(train.Attributes, 2)
	c := &Scaled{
		attributes:   train.Attributes,
		coding:       coding,
		scale:        Unscaled(len(coding.Attributes())),
		standardised: standardise,
	}
	if standardise {
		c.scale = StandardScaling(c.coded(train.X), Head(train.N()))
	}
	return c
}

// NewCoded returns the columns unscaled, with their missing values.
func NewCoded(train *dataset.Set) *Scaled {
	c := NewScaled(train, false)
	c.missing = true
	return c
}

// coded returns the columns of x, which it checks: x itself where their number stays.
func (c *Scaled) coded(x *mat.Dense) *mat.Dense {
	Check(x, len(c.attributes), c.missing)
	Codes(x, c.attributes)
	if c.D() == len(c.attributes) {
		return x
	}
	return c.coding.Apply(x)
}

// D returns the number of columns.
func (c *Scaled) D() int { return len(c.coding.Attributes()) }

// farthest is the number of standard deviations beyond which values are taken to
// be there, where squares, dot products and their powers are finite.
const farthest = 1e30

// Apply returns the scaled columns of x, which it checks.
func (c *Scaled) Apply(x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	z := c.scale.Apply(c.coded(x), Head(n))
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
func (c *Scaled) Unused() []string { return c.scale.unused(c.coding.Attributes(), "constant") }
