package field

import (
	"maps"
	"math"
	"slices"
)

// logisticNodes is the number of Chebyshev points (nodes) in a cell of width h. The sums of a
// Multilogistic are interpolated between nodes.
//
// The sums are analytic up to a distance of pi h from the real line. Interpolation with sixteen
// nodes therefore divides the error by 1e17 (Trefethen, Approximation Theory and Approximation
// Practice, 2013, theorem 8.2). The same holds for the sample values, which are spread over the
// nodes of their cell.
const logisticNodes = 16

// saturated is a distance in bandwidths. Beyond it, the logistic distribution function is 0 or 1 in
// floating point, and the density is negligible.
const saturated = 40

// chebyshev contains the Chebyshev points in [-1, 1].
var chebyshev = func() (nodes [logisticNodes]float64) {
	for j := range nodes {
		nodes[j] = math.Cos(math.Pi * float64(j) / (logisticNodes - 1))
	}
	return nodes
}()

type logisticCell [logisticNodes]logisticSums

// A nodeMass replaces the sample values in one cell: it has a mass at each node (see spread).
type nodeMass [logisticNodes]float64

// cellOf returns the number of the cell that contains v, and the position of v within the cell, in
// [-1, 1].
func cellOf(v, h float64) (number, within float64) {
	u := v / h
	number = math.Floor(u + 0.5)
	return number, 2 * (u - number)
}

// newCells returns a table from which the logisticSums of the sample x can be interpolated: sums of
// logistic distribution functions and densities, one for each of the n values. It returns nil if the
// values occupy so many cells that direct sums over all n values are cheaper.
//
// The real line is divided into cells of width h, the bandwidth. For each cell with sample values,
// the table contains the logisticSums at the nodes, by the number of the cell. For m such cells,
// newCells takes O(n + m^2) time.
func newCells(x []float64, h float64) map[float64]*logisticCell {
	masses := spread(x, h)
	if masses == nil { // too many occupied cells
		return nil
	}
	occupied := slices.Sorted(maps.Keys(masses))
	cells := make(map[float64]*logisticCell)
	kernels := make(map[float64]*logisticKernel) // key: the distance between two cells
	for _, to := range occupied {
		cells[to] = new(logisticCell)
		for _, from := range occupied {
			distance := to - from               // in bandwidths
			if math.Abs(distance) > saturated { // there, the logistic function is 0 or 1
				cells[to].addSaturated(distance > 0, masses[from])
				continue
			}
			if kernels[distance] == nil {
				kernels[distance] = newLogisticKernel(distance)
			}
			cells[to].add(kernels[distance], masses[from])
		}
	}
	return cells
}

// spread replaces each value of x by masses at the nodes of its cell. The masses of a value sum to 1.
// spread returns the total masses for each cell number.
//
// If n values occupy more than n/8 cells, cells do not save time, and the result is nil.
func spread(x []float64, h float64) map[float64]*nodeMass {
	masses := make(map[float64]*nodeMass)
	for _, v := range x {
		k, within := cellOf(v, h) // the number of the cell, and the position of v in it
		if masses[k] == nil {
			masses[k] = new(nodeMass)
			if 8*len(masses) > len(x) {
				return nil
			}
		}
		for j, w := range interpolation(within) {
			masses[k][j] += w
		}
	}
	return masses
}

// at interpolates the sums at a position within the cell, in [-1, 1].
func (c *logisticCell) at(within float64) (s logisticSums) {
	for j, w := range interpolation(within) {
		s.add(w, c[j])
	}
	return s
}

// interpolation returns the weights of barycentric interpolation at the point t in [-1, 1]. If a
// polynomial has values v_j at the nodes, its value at t is sum_j weights[j] v_j.
func interpolation(t float64) (weights [logisticNodes]float64) {
	total := 0.0
	for j, node := range chebyshev {
		if t == node {
			weights = [logisticNodes]float64{}
			weights[j] = 1
			return weights
		}
		// The weight of node number j is proportional to (-1)^j/(t - node). It is halved for the
		// first and the last node.
		w := 1 / (t - node)
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

// A logisticKernel describes how sample values in a source cell contribute to the sums in a target
// cell. A value at node l of the source cell contributes element [j][l] to the sums at node j of
// the target cell.
type logisticKernel [logisticNodes][logisticNodes]logisticSums

// newLogisticKernel returns the kernel for sample values in a source cell. The argument distance is
// the number of the target cell minus the number of the source cell.
func newLogisticKernel(distance float64) *logisticKernel {
	kernel := new(logisticKernel)
	for j, to := range chebyshev {
		for l, from := range chebyshev {
			kernel[j][l] = logistic(distance + (to-from)/2)
		}
	}
	return kernel
}

// add adds the contribution of a cell with the given masses.
func (c *logisticCell) add(kernel *logisticKernel, mass *nodeMass) {
	for j := range c {
		for l, w := range mass {
			c[j].add(w, kernel[j][l])
		}
	}
}

// addSaturated adds the contribution of a cell at a distance beyond the constant saturated. At the
// nodes of c, the distribution functions of its values are 1 if it lies below c, and 0 if it lies
// above.
func (c *logisticCell) addSaturated(isBelow bool, mass *nodeMass) {
	total := 0.0
	for _, w := range mass {
		total += w
	}
	for j := range c {
		if isBelow {
			c[j].lower += total
		} else {
			c[j].upper += total
		}
	}
}
