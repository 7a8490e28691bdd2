package columns

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/dataset"
)

// Scaled turns attributes into numeric columns, which can be standardised. A discrete attribute
// becomes one indicator per level, or a single column of codes if it has two levels.
type Scaled struct {
	attributes   []dataset.Attribute
	coding       *dataset.OneHot
	scale        Scaling
	standardised bool
	missing      bool // true: missing values stay missing; false: missing values are an error
}

// Standardise is the argument of NewScaled that requests standardised columns.
const Standardise = true

// NewScaled returns the columns of a training set. If standardise is true, they are scaled to mean
// 0 and standard deviation 1 (divisor n-1).
func NewScaled(train *dataset.Set, standardise bool) *Scaled {
	coding := dataset.NewOneHot(train.Attributes, 2)
	c := &Scaled{
		attributes:   train.Attributes,
		coding:       coding,
		scale:        Unscaled(len(coding.Attributes())),
		standardised: standardise,
	}
	if standardise {
		c.scale = StandardScaling(c.coded(train.X), stats.Indices(train.N()))
	}
	return c
}

// NewCoded returns the columns without scaling. Missing values stay missing.
func NewCoded(train *dataset.Set) *Scaled {
	c := NewScaled(train, !Standardise)
	c.missing = true
	return c
}

// coded checks x and replaces discrete attributes by their indicators, without scaling. If no
// attribute needs indicators, it returns x itself.
func (c *Scaled) coded(x *mat.Dense) *mat.Dense {
	Check(x, len(c.attributes), c.missing)
	CheckCodes(x, c.attributes)
	if c.D() == len(c.attributes) {
		return x
	}
	return c.coding.Apply(x)
}

// D returns the number of columns.
func (c *Scaled) D() int { return len(c.coding.Attributes()) }

// farthest is the largest absolute value after standardisation. It keeps dot products and their
// powers finite.
const farthest = 1e30

// Apply checks x and returns its columns in a new matrix. It scales standardised columns and limits
// their values to [-farthest, farthest].
func (c *Scaled) Apply(x *mat.Dense) *mat.Dense {
	z := c.scale.Apply(c.coded(x))
	if !c.standardised {
		return z
	}
	values := z.RawMatrix().Data
	for i, v := range values {
		values[i] = max(-farthest, min(v, farthest))
	}
	return z
}

// Unused returns a warning for each column with factor 0.
func (c *Scaled) Unused() []string { return c.scale.unused(c.coding.Attributes(), "constant") }
