package field

import (
	"maps"
	"math"
	"slices"
)

// The sums of a Multilogistic are computed at logisticNodes Chebyshev points (nodes) in each cell
// of width h and interpolated by polynomials. The sums are analytic, except for poles at a distance
// of pi h from the line. In units of half a cell, this distance is 2 pi. So each node divides the
// error by 2 pi + sqrt(4 pi^2+1) = 12.6, and sixteen nodes divide it by 1e17 (Trefethen,
// Approximation Theory and Approximation Practice, 2013, theorem 8.2). The kernel is also analytic
// in the value of the sample. So each value is spread over the nodes of its cell, with the weights
// of the interpolation at this value. The kernel between nodes depends only on the distance of
// their cells. If m cells are occupied, where m is of the order n^0.2, the sums at all nodes cost
// O(n + m^2) instead of O(n m).
const logisticNodes = 16

// saturated is a distance, in bandwidths, beyond which the kernel is 0 or 1 in floating point.
const saturated = 40

// chebyshev are the Chebyshev points in [-1, 1].
var chebyshev = func() (nodes [logisticNodes]float64) {
	for j := range nodes {
		nodes[j] = math.Cos(math.Pi * float64(j) / (logisticNodes - 1))
	}
	return nodes
}()

// A logisticCell contains the sums at the nodes of one cell.
type logisticCell [logisticNodes]logisticSums

// cell returns the number of the cell that contains v, and the position of v within the cell, in
// [-1, 1].
func (m *Multilogistic) cell(v float64) (number, within float64) {
	u := v / m.h
	number = math.Floor(u + 0.5)
	return number, 2 * (u - number)
}

// newCells returns the sums at the nodes of each occupied cell, i.e. of each cell that contains a
// value of the sample, by cell number. It returns nil if there are so many cells that direct sums
// over the sample cost less.
func (m *Multilogistic) newCells() map[float64]*logisticCell {
	mass := m.spread()
	if mass == nil {
		return nil
	}
	occupied := slices.Sorted(maps.Keys(mass)) // cell numbers
	cells, table := make(map[float64]*logisticCell), new(logisticTable)
	for _, to := range occupied {
		cells[to] = new(logisticCell)
		for _, from := range occupied {
			table.add(cells[to], to-from, mass[from])
		}
	}
	return cells
}

// spread distributes each value of the sample, with mass 1, among the nodes of its cell. It returns
// the mass at the nodes of each occupied cell, by cell number. It returns nil if there is more than
// one occupied cell per eight values.
func (m *Multilogistic) spread() map[float64]*[logisticNodes]float64 {
	mass := make(map[float64]*[logisticNodes]float64)
	for _, x := range m.x {
		k, within := m.cell(x)
		if mass[k] == nil { // the first value in cell k
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

// at returns the sums at a position within the cell, in [-1, 1], by interpolation.
func (c *logisticCell) at(within float64) (s logisticSums) {
	for j, w := range interpolation(within) {
		s.add(w, c[j])
	}
	return s
}

// interpolation returns the weights of barycentric interpolation: the polynomial through the values
// v_j at the Chebyshev points has the value sum_j weights[j] v_j at position within, in [-1, 1].
// Weight j is proportional to (-1)^j/(within - node_j), and half as large at both ends.
func interpolation(within float64) (weights [logisticNodes]float64) {
	total := 0.0
	for j, node := range chebyshev {
		if within == node { // the polynomial has the value v_j
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

// A logisticTable contains the kernel between the nodes of two cells. Element d + saturated belongs
// to cells at distance d. Elements are computed when they are first needed.
type logisticTable [2*saturated + 1]*[logisticNodes][logisticNodes]logisticSums

// add adds to the sums of cell c the contribution of another cell, which lies the given number of
// cells below c and has the given mass at its nodes.
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

// addSaturated adds the contribution of a cell that is so far below or above that the kernel is 1
// or 0.
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

// kernel returns the kernel between the nodes of two cells, of which one lies the given number of
// cells below the other: kernel[j][l] is for node j of the upper cell and node l of the lower cell.
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
