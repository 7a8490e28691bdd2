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
	x     []float64
	h     float64
	cells map[float64]*logisticCell // nil where sums over the sample cost less
}

// NewMultilogistic fits x. h is factor times the normal reference rule of the
// logistic kernel, sqrt(3)/pi * sd * (4/(3n))^(1/5); sd counts as at least minSD.
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
	var s logisticSums
	if k, within := m.cell(v); m.cells[k] != nil {
		s = m.cells[k].at(within)
	} else {
		s = m.sums(v)
	}
	n := float64(len(m.x))
	// The smaller tail keeps its digits.
	if s.lower < s.upper {
		z = distuv.UnitNormal.Quantile(max(s.lower/n, 1e-300))
	} else {
		z = -distuv.UnitNormal.Quantile(max(s.upper/n, 1e-300))
	}
	return z, math.Log(s.density/(n*m.h)) - distuv.UnitNormal.LogProb(z)
}

// logisticSums are the sums over the sample of F, 1-F and h F', up to n.
type logisticSums struct{ lower, upper, density float64 }

func (m *Multilogistic) sums(v float64) (s logisticSums) {
	for _, x := range m.x {
		s.add(1, logistic((v-x)/m.h))
	}
	return s
}

// logistic returns the terms of one value t bandwidths below.
func logistic(t float64) logisticSums {
	e := math.Exp(-math.Abs(t))
	tail, body := e/(1+e), 1/(1+e)
	if t < 0 {
		tail, body = body, tail
	}
	return logisticSums{body, tail, body * tail}
}

func (s *logisticSums) add(weight float64, t logisticSums) {
	s.lower += weight * t.lower
	s.upper += weight * t.upper
	s.density += weight * t.density
}
