// Package copula provides bivariate copulas with a single parameter, which is estimated from a rank
// correlation.
//
// A copula C(u,v) is a distribution function with uniform margins and density c(u,v). Two variables
// with densities f and g and distribution functions F and G have the joint density (Sklar 1959)
//
//	c(F(x), G(y)) f(x) g(y).
package copula

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Copula is a bivariate copula with a density on the open unit square.
type Copula interface {
	// LogDensity returns log c(u,v).
	LogDensity(u, v Value) float64
}

// A Value contains the transforms of a number u, 0 < u < 1, that the copula densities of all pairs
// of variables need.
type Value struct {
	Log    float64 // log u
	Normal float64 // Phi^-1(u), the normal score
}

// At computes the transforms of u, which must be between 0 and 1, exclusive.
func At(u float64) Value {
	return Value{Log: math.Log(u), Normal: distuv.UnitNormal.Quantile(u)}
}
