package logdensity

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// If a variable is constant within a class, its bandwidth there cannot be estimated. Its density is
// then a single normal kernel, called a point mass. The kernel is as narrow as the data can
// resolve: its standard deviation is at most columns.Resolution.

// An estimator selects the bandwidths of kernels.
type estimator struct {
	kde.Rule
	narrow bool // Options.Narrow
}

// hasConstant reports whether any variable is constant in some class.
func hasConstant(train *dataset.Set) bool {
	for c := range train.C() {
		if slices.ContainsFunc(train.Columns(train.ClassRows(c)), isConstant) {
			return true
		}
	}
	return false
}

// isConstant reports whether x has at least two values and all are equal.
func isConstant(x []float64) bool {
	return len(x) > 1 && !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

// constantWidth returns the bandwidth of variable j if the variable is constant in the class, else
// 0. With kde.Matlab, it always returns 0, because this rule has its own bandwidth for constant
// variables.
func (c *classDensities) constantWidth(j int) float64 {
	width, isKnown := c.widths[j]
	if isKnown {
		return width
	}
	if c.rule.Rule != kde.Matlab && isConstant(c.columns[j]) {
		width = columns.Resolution(c.train.X, j)
		if c.rule.narrow {
			width = min(width, c.narrowest(j))
		}
	}
	c.widths[j] = width
	return width
}

// narrowest returns the smallest bandwidth of variable j in any class. It leaves out classes in
// which the variable is constant or has no bandwidth. If no class is left, it returns +Inf.
func (c *classDensities) narrowest(j int) float64 {
	least := math.Inf(1)
	for class := range c.train.C() {
		x := dataset.At(mat.Col(nil, j, c.train.X), c.train.ClassRows(class))
		if isConstant(x) {
			continue
		}
		if h, err := c.rule.Bandwidth(x); err == nil && h > 0 {
			least = min(least, h)
		}
	}
	return least
}

// Warnings returns one message for each class with constant variables, such as
//
//	constant in class "a", where their densities are point masses of the data's resolution: column "x1"
//
// A point mass is a kernel around the only value of a variable, as narrow as the data can resolve.
//
// Warnings also returns one message for each pair of variables that are linearly dependent in a
// class.
func (t *Map) Warnings() []string {
	warnings := t.constantWarnings()
	for c := range t.classes {
		for _, p := range t.classes[c].pairs {
			if t.classes[c].isDependent(p) {
				warnings = append(warnings, fmt.Sprintf(
					"linearly dependent in class %q, where their density is a product kernel estimate: "+
						"columns %q and %q",
					t.train.Classes[c], t.train.Attributes[p.I].Name, t.train.Attributes[p.J].Name))
			}
		}
	}
	return warnings
}

// isDependent reports whether the variables of a pair are linearly dependent. The bandwidth matrix
// of such a pair comes from kde.NormalReference (see kde.Rule.Bandwidth2).
func (c *classDensities) isDependent(p pairEntry) bool {
	if c.rule.Product() || p.h.XY != 0 || c.constantWidth(p.I) > 0 || c.constantWidth(p.J) > 0 {
		return false
	}
	h, err := kde.NormalReference.Bandwidth2(c.columns[p.I], c.columns[p.J])
	return err == nil && p.h == h
}

// constantWarnings returns one warning for each class in which a variable is constant, if a density
// of the class uses this variable.
func (t *Map) constantWarnings() []string {
	var warnings []string
	for c := range t.classes {
		if names := t.usedConstants(c); len(names) > 0 {
			warnings = append(warnings, fmt.Sprintf(
				"constant in class %q, where their densities are point masses of the data's resolution: column %s",
				t.train.Classes[c], strings.Join(names, ", ")))
		}
	}
	return warnings
}

// usedConstants returns the quoted names of the variables that are constant in class c and used by a
// density of the class.
func (t *Map) usedConstants(c int) []string {
	var names []string
	for j, a := range t.train.Attributes {
		// widths[j] is 0 for unused variables, for which the fit never calls constantWidth.
		isUsedConstant := t.classes[c].widths[j] > 0
		if isUsedConstant {
			names = append(names, fmt.Sprintf("%q", a.Name))
		}
	}
	return names
}
