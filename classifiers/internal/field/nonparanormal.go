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
		t := (v - x) / m.h
		e := math.Exp(-math.Abs(t))
		tail, body := e/(1+e), 1/(1+e)
		if t < 0 {
			tail, body = body, tail
		}
		s.lower += body
		s.upper += tail
		s.density += body * tail
	}
	return s
}

// The sums are analytic but for poles at a distance of pi h from the line, so
// between Chebyshev points in cells one h wide polynomials follow them to all
// digits: with half a cell as unit the poles are 2 pi away, and each further point
// divides the error by 2 pi + sqrt(4 pi^2+1) = 12.6, sixteen of them by 1e17
// (Trefethen, Approximation Theory and Approximation Practice, 2013, theorem 8.2).
// That makes the scores of a large sample linear in its size.
const logisticNodes = 16

// chebyshev are the nodes in [-1, 1]; their barycentric weights alternate in sign,
// halved at both ends.
var chebyshev = func() (nodes [logisticNodes]float64) {
	for j := range nodes {
		nodes[j] = math.Cos(math.Pi * float64(j) / (logisticNodes - 1))
	}
	return nodes
}()

// A logisticCell holds the sums at the nodes of one cell.
type logisticCell [logisticNodes]logisticSums

// cell returns the number of v's cell and the place in it, in [-1, 1].
func (m *Multilogistic) cell(v float64) (number, within float64) {
	u := v / m.h
	number = math.Floor(u + 0.5)
	return number, 2 * (u - number)
}

// newCells returns the cells that hold a value of the sample, or nil where their
// nodes outnumber half of it.
func (m *Multilogistic) newCells() map[float64]*logisticCell {
	occupied := make(map[float64]*logisticCell)
	for _, x := range m.x {
		k, _ := m.cell(x)
		occupied[k] = nil
		if 2*logisticNodes*len(occupied) > len(m.x) {
			return nil
		}
	}
	for k := range occupied {
		c := new(logisticCell)
		for j, node := range chebyshev {
			c[j] = m.sums((k + node/2) * m.h)
		}
		occupied[k] = c
	}
	return occupied
}

// at interpolates the sums, by the barycentric formula.
func (c *logisticCell) at(within float64) (s logisticSums) {
	var total float64
	for j, node := range chebyshev {
		if within == node {
			return c[j]
		}
		w := 1 / (within - node)
		if j%2 == 1 {
			w = -w
		}
		if j == 0 || j == logisticNodes-1 {
			w /= 2
		}
		total += w
		s.lower += w * c[j].lower
		s.upper += w * c[j].upper
		s.density += w * c[j].density
	}
	return logisticSums{s.lower / total, s.upper / total, s.density / total}
}
