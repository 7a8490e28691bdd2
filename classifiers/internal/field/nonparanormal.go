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
	x     []float64                 // the sample
	h     float64                   // bandwidth
	cells map[float64]*logisticCell // nil: sums over the sample cost less
}

// NewMultilogistic returns the estimate from the sample x. h is factor times the normal
// reference rule of the logistic kernel, sqrt(3)/pi * sd * (4/(3n))^(1/5), where sd is at
// least minSD.
func NewMultilogistic(x []float64, factor, minSD float64) *Multilogistic {
	sd := minSD
	if len(x) > 1 {
		sd = max(sd, stat.StdDev(x, nil))
	}
	m := &Multilogistic{x: x, h: factor * math.Sqrt(3) / math.Pi * sd * math.Pow(4/(3*float64(len(x))), 0.2)}
	m.cells = m.newCells()
	return m
}

// Score returns the normal score z = Phi^-1(F(v)) and the logarithm of its
// slope, dz/dv = F'(v)/phi(z), which is -Inf where F' underflows. F is kept
// within [1e-300, 1-1e-300].
func (m *Multilogistic) Score(v float64) (z, logSlope float64) {
	s := m.sums(v)
	n := float64(len(m.x))
	if s.lower < s.upper { // the smaller tail has all digits
		z = distuv.UnitNormal.Quantile(max(s.lower/n, 1e-300))
	} else {
		z = -distuv.UnitNormal.Quantile(max(s.upper/n, 1e-300))
	}
	return z, math.Log(s.density/(n*m.h)) - distuv.UnitNormal.LogProb(z)
}

// logisticSums are n F, n (1-F) and n h F' at one point.
type logisticSums struct{ lower, upper, density float64 }

// sums returns the sums at v: interpolated in its cell or, without one, over the sample.
func (m *Multilogistic) sums(v float64) (s logisticSums) {
	k, within := m.cell(v)
	if m.cells[k] != nil {
		return m.cells[k].at(within)
	}
	for _, x := range m.x {
		s.add(1, logistic((v-x)/m.h))
	}
	return s
}

// logistic returns the terms of one value of the sample, t bandwidths below the point.
func logistic(t float64) logisticSums {
	e := math.Exp(-math.Abs(t))
	tail, body := e/(1+e), 1/(1+e)
	if t < 0 {
		tail, body = body, tail
	}
	return logisticSums{body, tail, body * tail}
}

// add adds a weight times the terms t.
func (s *logisticSums) add(weight float64, t logisticSums) {
	s.lower += weight * t.lower
	s.upper += weight * t.upper
	s.density += weight * t.density
}
