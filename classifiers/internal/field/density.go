// Package field learns random fields that consist of conditional densities of single variables.
//
// Numbers of equations and algorithms refer to Freno, Trentin and Gori, "Kernel-Based Hybrid Random
// Fields for Nonparametric Density Estimation", ECAI 2010. Data are stored by column: x[j][i] is
// variable j of row i.
package field

import "math"

// A Conditional is the Nadaraya-Watson density of one variable y given its parents x (Eqs. 2-5),
//
//	p(y|x) = sum_i K_h1(y-y_i) K_h2(x-x_i) / sum_i K_h2(x-x_i),
//	K_h(u) = h^-dim(u) K(|u|/h),   K(t) = 3/4 (1-t^2) 1{|t| <= 1},
//
// where |u| is the Euclidean norm. Without parents, it is the Parzen density with kernel K_h1. If
// the estimate is 0/0 or below the floor, the density is the floor.
type Conditional struct {
	Node    int
	Parents []int
	H1, H2  float64 // bandwidths of the node and of its parents, in the units of the data
	floor   float64
	y       []float64   // n values of the node
	x       [][]float64 // n values of each parent
}

// LogDensity returns log p(row[Node] | row[Parents]). The density p is a ratio of kernel sums over the
// training rows (Eq. 2), but at least c.floor.
func (c *Conditional) LogDensity(row []float64) float64 {
	var joint, marginal float64 // kernel sums of node and parents, and of the parents; without constants
	g1 := 1 / (c.H1 * c.H1)
	g2 := 1 / (c.H2 * c.H2)
	nodeValue := row[c.Node]
	var block [256]float64 // kernels of the parents for a block of training rows
	for start := 0; start < len(c.y); start += len(block) {
		y := c.y[start:min(start+len(block), len(c.y))]
		kernels := block[:len(y)]
		c.parentKernels(kernels, start, row, g2)
		for t, kernel := range kernels {
			kernel = max(0, kernel) // parentKernels returns negative values beyond the distance H2
			marginal += kernel
			u := nodeValue - y[t]
			joint += max(0, 1-u*u*g1) * kernel
		}
	}
	// The constant factors of the parents' kernels cancel. If no training row is within H2 of the
	// row, joint/marginal is 0/0, and clip returns the floor.
	return math.Log(clip(0.75/c.H1*joint/marginal, c.floor))
}

// parentKernels sets kernels[t] to 1 - |x-x_i|^2 g2 for the training row i = start+t. x and x_i are the
// values of the parents in the given row and in row i. The caller replaces negative values with 0. It
// also passes g2 = 1/H2^2, because LogDensity would be slower if parentKernels computed it.
func (c *Conditional) parentKernels(kernels []float64, start int, row []float64, g2 float64) {
	for t := range kernels {
		kernels[t] = 1
	}
	for p, j := range c.Parents {
		at := row[j]
		for t, x := range c.x[p][start:][:len(kernels)] {
			u := at - x
			kernels[t] -= u * u * g2
		}
	}
}

// ceiling is the upper limit of densities. It keeps the products in sumLogs finite.
const ceiling = 1e200

// clip limits a density to [floor, ceiling]. For NaN, it returns the floor.
func clip(density, floor float64) float64 {
	if !(density > floor) {
		return floor
	}
	return min(density, ceiling)
}

// sumLogs returns sum_i log clip(scale x_i, floor). To save time, it takes the logarithms of
// products of clipped values. A new product begins when the old one leaves [1e-100, 1e100].
func sumLogs(x []float64, scale, floor float64) float64 {
	total, product := 0.0, 1.0
	for _, v := range x {
		product *= clip(scale*v, floor)
		if product < 1e-100 || product > 1e100 {
			total += math.Log(product)
			product = 1
		}
	}
	return total + math.Log(product)
}

// A Field is a product of conditional densities, one for each variable (Eq. 1).
type Field []interface{ LogDensity(row []float64) float64 }

// LogDensity returns the log density of the field at the given row.
func (f Field) LogDensity(row []float64) float64 {
	var total float64
	for _, c := range f {
		total += c.LogDensity(row)
	}
	return total
}
