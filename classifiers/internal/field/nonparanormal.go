package field

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Multilogistic is a smooth estimate of one variable's distribution,
//
//	F(x) = 1/n sum_j 1/(1 + exp(-(x-x_j)/h)),
//
// whose derivative is the kernel density with the logistic kernel.
// Source: Freno, AISTATS 2012 (PMLR 22).
type Multilogistic struct {
	x []float64
	h float64
}

// NewMultilogistic fits x. h is factor times the normal reference rule of the
// logistic kernel, sqrt(3)/pi * sd * (4/(3n))^(1/5); sd counts as at least minSD.
func NewMultilogistic(x []float64, factor, minSD float64) *Multilogistic {
	sd := minSD
	if len(x) > 1 {
		sd = max(sd, stat.StdDev(x, nil))
	}
	return &Multilogistic{x, factor * math.Sqrt(3) / math.Pi * sd * math.Pow(4/(3*float64(len(x))), 0.2)}
}

// Score returns the normal score z = Phi^-1(F(v)) and the logarithm of its
// slope, dz/dv = F'(v)/phi(z), which is -Inf where F' underflows. F is kept
// within [1e-300, 1-1e-300].
func (m *Multilogistic) Score(v float64) (z, logSlope float64) {
	var lower, upper, density float64 // sums of F, 1-F and h F'
	for _, x := range m.x {
		t := (v - x) / m.h
		e := math.Exp(-math.Abs(t))
		tail, body := e/(1+e), 1/(1+e)
		if t < 0 {
			tail, body = body, tail
		}
		lower += body
		upper += tail
		density += body * tail
	}
	n := float64(len(m.x))
	// The smaller tail keeps its digits.
	if lower < upper {
		z = distuv.UnitNormal.Quantile(max(lower/n, 1e-300))
	} else {
		z = -distuv.UnitNormal.Quantile(max(upper/n, 1e-300))
	}
	return z, math.Log(density/(n*m.h)) - distuv.UnitNormal.LogProb(z)
}
