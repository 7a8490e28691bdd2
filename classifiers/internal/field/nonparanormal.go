package field

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Multilogistic is a smooth estimate of the distribution of one variable (Freno, AISTATS 2012,
// PMLR 22),
//
//	F(x) = 1/n sum_j 1/(1 + exp(-(x-x_j)/h)).
//
// Its derivative is the density estimate with the logistic kernel.
type Multilogistic struct {
	x     []float64                 // the sample
	h     float64                   // bandwidth
	cells map[float64]*logisticCell // occupied cells by number; nil: use direct sums over the sample
}

// NewMultilogistic returns the estimate for the sample x. Its bandwidth is factor times the normal
// reference bandwidth, sqrt(3)/pi * sd * (4/(3n))^(1/5). Here sd is the standard deviation, but at
// least minSD.
func NewMultilogistic(x []float64, factor, minSD float64) *Multilogistic {
	sd := minSD
	if len(x) > 1 {
		sd = max(sd, stat.StdDev(x, nil))
	}
	m := &Multilogistic{x: x, h: factor * math.Sqrt(3) / math.Pi * sd * math.Pow(4/(3*float64(len(x))), 0.2)}
	m.cells = newCells(x, m.h)
	return m
}

// Score returns the normal score z = Phi^-1(F(v)) and the logarithm of its slope F'(v)/phi(z). The
// logarithm is -Inf if F' underflows. F is limited to [1e-300, 1-1e-300].
func (m *Multilogistic) Score(v float64) (z, logSlope float64) {
	s := m.sums(v)
	n := float64(len(m.x))
	if s.lower < s.upper { // use the smaller tail, which loses no digits
		z = distuv.UnitNormal.Quantile(max(s.lower/n, 1e-300))
	} else {
		z = -distuv.UnitNormal.Quantile(max(s.upper/n, 1e-300))
	}
	return z, math.Log(s.density/(n*m.h)) - distuv.UnitNormal.LogProb(z)
}

// logisticSums contains n F(x), n (1 - F(x)) and n h F'(x) at a point x (see Multilogistic).
type logisticSums struct{ lower, upper, density float64 }

// sums returns the sums at point v, interpolated if m.cells contains the cell of v.
func (m *Multilogistic) sums(v float64) (s logisticSums) {
	k, within := cellOf(v, m.h)
	if m.cells[k] != nil {
		return m.cells[k].at(within)
	}
	for _, x := range m.x {
		s.add(1, logistic((v-x)/m.h))
	}
	return s
}

// logistic returns the contribution of one sample value to logisticSums at a point that is t
// bandwidths above the value.
func logistic(t float64) logisticSums {
	e := math.Exp(-math.Abs(t))
	tail, body := e/(1+e), 1/(1+e)
	if t < 0 {
		tail, body = body, tail
	}
	return logisticSums{body, tail, body * tail}
}

// add adds weight times the contribution t to the sums.
func (s *logisticSums) add(weight float64, t logisticSums) {
	s.lower += weight * t.lower
	s.upper += weight * t.upper
	s.density += weight * t.density
}
