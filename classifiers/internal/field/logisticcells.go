package field

import (
	"math"
	"slices"
)

// The sums of a Multilogistic are analytic but for poles at a distance of pi h
// from the line, so between Chebyshev points in cells one h wide polynomials
// follow them to all digits: with half a cell as unit the poles are 2 pi away, and
// each further point divides the error by 2 pi + sqrt(4 pi^2+1) = 12.6, sixteen of
// them by 1e17 (Trefethen, Approximation Theory and Approximation Practice, 2013,
// theorem 8.2). The kernel is as analytic in the sample's value: each value is
// spread over the nodes of its cell, by the weights with which these would be
// interpolated there. From nodes to nodes the kernel depends on the cells'
// distance alone. With m occupied cells, m of the order n^0.2, the sums at all
// nodes cost O(n + m^2) instead of O(n m).
const logisticNodes = 16

// saturated is a distance, in bandwidths, at which the kernel is 0 or 1 to all
// digits.
const saturated = 40

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

// newCells returns the cells that hold a value of the sample, or nil where there
// are so many that sums over the sample cost less.
func (m *Multilogistic) newCells() map[float64]*logisticCell {
	mass := make(map[float64]*[logisticNodes]float64) // of each occupied cell, on its nodes
	for _, x := range m.x {
		k, within := m.cell(x)
		if mass[k] == nil {
			mass[k] = new([logisticNodes]float64)
			if 8*len(mass) > len(m.x) {
				return nil
			}
		}
		for j, w := range interpolation(within) {
			mass[k][j] += w
		}
	}
	var occupied []float64
	for k := range mass {
		occupied = append(occupied, k)
	}
	slices.Sort(occupied)
	cells, table := make(map[float64]*logisticCell), new(logisticTable)
	for _, k := range occupied {
		c := new(logisticCell)
		for _, from := range occupied {
			table.add(c, k-from, mass[from])
		}
		cells[k] = c
	}
	return cells
}

// at interpolates the sums.
func (c *logisticCell) at(within float64) (s logisticSums) {
	for j, w := range interpolation(within) {
		s.add(w, c[j])
	}
	return s
}

// interpolation returns the weights of the values at the nodes in that of their
// polynomial at a place in [-1, 1], by the barycentric formula.
func interpolation(within float64) (weights [logisticNodes]float64) {
	total := 0.0
	for j, node := range chebyshev {
		if within == node {
			weights = [logisticNodes]float64{}
			weights[j] = 1
			return weights
		}
		w := 1 / (within - node)
		if j%2 == 1 {
			w = -w
		}
		if j == 0 || j == logisticNodes-1 {
			w /= 2
		}
		weights[j] = w
		total += w
	}
	for j := range weights {
		weights[j] /= total
	}
	return weights
}

// A logisticTable holds the kernel between the nodes of two cells, by their
// distance; it is filled as far as needed.
type logisticTable [2*saturated + 1]*[logisticNodes][logisticNodes]logisticSums

// add adds to the sums of a cell those of the mass on the nodes of another one,
// the given number of cells below.
func (t *logisticTable) add(c *logisticCell, below float64, mass *[logisticNodes]float64) {
	if math.Abs(below) > saturated {
		total := 0.0
		for _, w := range mass {
			total += w
		}
		for j := range c {
			if below > 0 {
				c[j].lower += total
			} else {
				c[j].upper += total
			}
		}
		return
	}
	kernel := t[int(below)+saturated]
	if kernel == nil {
		kernel = new([logisticNodes][logisticNodes]logisticSums)
		for j, to := range chebyshev {
			for l, from := range chebyshev {
				kernel[j][l] = logistic(below + (to-from)/2)
			}
		}
		t[int(below)+saturated] = kernel
	}
	for j := range c {
		for l, w := range mass {
			c[j].add(w, kernel[j][l])
		}
	}
}
