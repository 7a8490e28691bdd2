package field

import (
	"maps"
	"math"
	"slices"
)

// The sums of a Multilogistic are computed at Chebyshev points (nodes) in cells of width h
// and interpolated by polynomials. The sums are analytic but for poles at a distance of pi h
// from the line. In units of half a cell the poles are 2 pi away, so that each node divides
// the error by 2 pi + sqrt(4 pi^2+1) = 12.6, and sixteen divide it by 1e17 (Trefethen,
// Approximation Theory and Approximation Practice, 2013, theorem 8.2). The kernel is analytic
// in the value of the sample, too: each value is spread over the nodes of its cell, with the
// weights of the interpolation there. The kernel between nodes depends on the distance of
// their cells alone. With m occupied cells, m of the order n^0.2, the sums at all nodes cost
// O(n + m^2) instead of O(n m).
const logisticNodes = 16

// saturated is a distance, in bandwidths, at which the kernel is 0 or 1 to all digits.
const saturated = 40

// chebyshev are the nodes in [-1, 1].
var chebyshev = func() (nodes [logisticNodes]float64) {
	for j := range nodes {
		nodes[j] = math.Cos(math.Pi * float64(j) / (logisticNodes - 1))
	}
	return nodes
}()

// A logisticCell has the sums at the nodes of one cell.
type logisticCell [logisticNodes]logisticSums

// cell returns the number of the cell with v and the place of v in it, in [-1, 1].
func (m *Multilogistic) cell(v float64) (number, within float64) {
	u := v / m.h
	number = math.Floor(u + 0.5)
	return number, 2 * (u - number)
}

// newCells returns the occupied cells, those with a value of the sample, by number. It
// returns nil if there are so many that sums over the sample cost less.
func (m *Multilogistic) newCells() map[float64]*logisticCell {
	mass := m.spread()
	if mass == nil {
		return nil
	}
	occupied := slices.Sorted(maps.Keys(mass))
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

// spread spreads the sample over the nodes of the occupied cells and returns the mass of the
// nodes by number of the cell, or nil if there are more than one cell per eight values.
func (m *Multilogistic) spread() map[float64]*[logisticNodes]float64 {
	mass := make(map[float64]*[logisticNodes]float64)
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
	return mass
}

// at interpolates the sums at a place in the cell.
func (c *logisticCell) at(within float64) (s logisticSums) {
	for j, w := range interpolation(within) {
		s.add(w, c[j])
	}
	return s
}

// interpolation returns the weights with which the polynomial through the values at the nodes
// has its value at a place in [-1, 1]. The barycentric weights of Chebyshev points alternate
// in sign and are halved at both ends.
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

// A logisticTable has the kernel between the nodes of two cells, by the distance of the cells
// plus saturated. Entries are computed when they are needed.
type logisticTable [2*saturated + 1]*[logisticNodes][logisticNodes]logisticSums

// add adds to the sums of cell c the mass on the nodes of another cell, which lies the given
// number of cells below.
func (t *logisticTable) add(c *logisticCell, below float64, mass *[logisticNodes]float64) {
	if math.Abs(below) > saturated {
		c.addSaturated(below > 0, mass)
		return
	}
	kernel := t.kernel(int(below))
	for j := range c {
		for l, w := range mass {
			c[j].add(w, kernel[j][l])
		}
	}
}

// addSaturated adds mass so far below or above the cell that the kernel is 1 or 0.
func (c *logisticCell) addSaturated(below bool, mass *[logisticNodes]float64) {
	total := 0.0
	for _, w := range mass {
		total += w
	}
	for j := range c {
		if below {
			c[j].lower += total
		} else {
			c[j].upper += total
		}
	}
}

// kernel returns the kernel between the nodes of two cells at a distance: kernel[j][l] is for
// node j of the upper cell and node l of the lower one.
func (t *logisticTable) kernel(below int) *[logisticNodes][logisticNodes]logisticSums {
	k := &t[below+saturated]
	if *k == nil {
		*k = new([logisticNodes][logisticNodes]logisticSums)
		for j, to := range chebyshev {
			for l, from := range chebyshev {
				(*k)[j][l] = logistic(float64(below) + (to-from)/2)
			}
		}
	}
	return *k
}
