package copula

import (
	"math"
)

// Gaussian is the copula of a bivariate normal distribution with correlation r, -1 < r < 1. Its
// density is
//
//	log c(u,v) = -log(1-r^2)/2 - (r^2 (a^2+b^2) - 2 r a b) / (2 (1-r^2)),
//	a = Phi^-1(u),  b = Phi^-1(v).
type Gaussian struct {
	constant, square, cross float64 // log c = constant - square (a^2+b^2) + cross a b
}

// NewGaussian returns the Gaussian copula with correlation r. r must be between -1 and 1, exclusive.
func NewGaussian(r float64) Gaussian {
	rest := (1 - r) * (1 + r)
	return Gaussian{constant: -math.Log(rest) / 2, square: r * r / (2 * rest), cross: r / rest}
}

// GaussianBySpearman returns the Gaussian copula with Spearman correlation rho. Its parameter is r
// = 2 sin(pi rho/6) (Kruskal 1958), limited to |r| <= limit < 1.
func GaussianBySpearman(rho, limit float64) Gaussian {
	return NewGaussian(clip(2*math.Sin(math.Pi*rho/6), limit))
}

// GaussianByKendall returns the Gaussian copula with Kendall correlation tau. Its parameter is r =
// sin(pi tau/2), limited to |r| <= limit < 1.
func GaussianByKendall(tau, limit float64) Gaussian {
	return NewGaussian(clip(math.Sin(math.Pi*tau/2), limit))
}

func clip(r, limit float64) float64 { return max(-limit, min(r, limit)) }

// LogDensity implements Copula.
func (c Gaussian) LogDensity(u, v Value) float64 {
	a, b := u.Normal, v.Normal
	return c.constant - c.square*(a*a+b*b) + c.cross*a*b
}
