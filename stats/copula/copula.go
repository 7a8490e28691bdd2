// Package copula holds bivariate copulas with one parameter, their fits by
// rank correlation, and these correlations.
//
// A copula C(u,v) is a distribution function with uniform margins; its density
// c(u,v) times the densities of two variables, at u = F(x) and v = G(y), is
// their joint density (Sklar 1959).
package copula

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Copula has a density on the open unit square.
type Copula interface {
	// LogDensity returns log c(u,v).
	LogDensity(u, v Value) float64
	// Name is the family's name.
	Name() string
}

// A Value is a value u of a distribution function, 0 < u < 1, in the forms that
// densities need. A variable has one copula per pair but one Value per point.
type Value struct {
	Log    float64 // log u
	Normal float64 // Phi^-1(u), u's normal score
}

// At returns the forms of u.
func At(u float64) Value {
	if !(u > 0 && u < 1) {
		panic(fmt.Sprintf("copula: %v is not inside (0,1)", u))
	}
	return Value{Log: math.Log(u), Normal: distuv.UnitNormal.Quantile(u)}
}

// Independence is the copula uv.
type Independence struct{}

// LogDensity implements Copula.
func (Independence) LogDensity(u, v Value) float64 { return 0 }

// Name implements Copula.
func (Independence) Name() string { return "independence" }
