package copula

import (
	"math"
)

// Clayton is the copula C(u,v) = (u^-theta + v^-theta - 1)^(-1/theta) with finite theta > 0. Small
// values of the two variables tend to occur together. Its density is
//
//	log c(u,v) = log(1+theta) - (1+theta)(log u + log v)
//	             - (2+1/theta) log(u^-theta + v^-theta - 1).
type Clayton struct{ theta float64 }

// ClaytonByKendall returns the Clayton copula with Kendall correlation tau. Its parameter theta is
// the smaller of 2 tau/(1-tau) and limit.
//
// Every Clayton copula has a positive tau. For any other tau, the result is false.
func ClaytonByKendall(tau, limit float64) (Clayton, bool) {
	if !(tau > 0) {
		return Clayton{}, false
	}
	return Clayton{min(2*tau/(1-tau), limit)}, true
}

// LogDensity implements Copula. Let A and B be the larger and the smaller of -theta log u and
// -theta log v. Then
//
//	log(u^-theta + v^-theta - 1) = A + log(1 + exp(B-A)(1 - exp(-B))).
//
// The right-hand side neither overflows nor loses digits.
func (c Clayton) LogDensity(u, v Value) float64 {
	large, small := -c.theta*u.Log, -c.theta*v.Log
	if large < small {
		large, small = small, large
	}
	sum := large + math.Log1p(-math.Exp(small-large)*math.Expm1(-small))
	return math.Log1p(c.theta) - (1+c.theta)*(u.Log+v.Log) - (2+1/c.theta)*sum
}
