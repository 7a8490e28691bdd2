// Package field learns random fields whose parts are conditional densities of
// single variables: kernel-based Bayesian networks, Markov random fields and
// hybrid random fields, and their Gaussian and nonparanormal rivals.
//
// Equation and algorithm numbers are those of Freno, Trentin, Gori,
// "Kernel-Based Hybrid Random Fields for Nonparametric Density Estimation",
// ECAI 2010. Data are columns: x[j][i] is variable j of row i, j < d, i < n.
package field

import "math"

// A Conditional is the Nadaraya-Watson density of one variable given others
// (Eqs. 2-5),
//
//	p(y|x) = sum_i K_h1(y-y_i) K_h2(x-x_i) / sum_i K_h2(x-x_i),
//	K_h(u) = h^-dim(u) K(|u|/h),   K(t) = 3/4 (1-t^2) 1{|t| <= 1},
//
// |u| the Euclidean norm. Without parents it is the Parzen density with K_h1.
// It is the floor where the estimate is lower or undefined (0/0).
type Conditional struct {
	Node    int
	Parents []int
	H1, H2  float64 // bandwidths of the node and of its parents, in the data's units
	floor   float64
	y       []float64   // n values of the node
	x       [][]float64 // n values of each parent
}

// LogDensity returns log p(row[Node] | row[Parents]).
func (c *Conditional) LogDensity(row []float64) float64 {
	var joint, marginal float64 // sums of K(.)K(.) and K(.), without constants
	g1, g2 := 1/(c.H1*c.H1), 1/(c.H2*c.H2)
	v := row[c.Node]
	for i, y := range c.y {
		b := 1.0
		for p, j := range c.Parents {
			u := row[j] - c.x[p][i]
			b -= u * u * g2
		}
		if !(b > 0) {
			continue
		}
		marginal += b
		if a := 1 - (v-y)*(v-y)*g1; a > 0 {
			joint += a * b
		}
	}
	return math.Log(clip(0.75/c.H1*joint/marginal, c.floor))
}

// ceiling bounds densities so that products of two stay finite.
const ceiling = 1e200

// clip returns the density within [floor, ceiling]; NaN, the 0/0 of a point
// without neighbours, becomes the floor.
func clip(density, floor float64) float64 {
	if !(density > floor) {
		return floor
	}
	return min(density, ceiling)
}

// sumLog adds logarithms by multiplying, with one call of math.Log where the
// product leaves [1e-100, 1e100]. Every factor lies within [1e-200, 1e200].
type sumLog struct{ total, product float64 }

func (s *sumLog) add(factor float64) {
	s.product *= factor
	if s.product < 1e-100 || s.product > 1e100 {
		s.total += math.Log(s.product)
		s.product = 1
	}
}

func (s *sumLog) value() float64 { return s.total + math.Log(s.product) }

// A Field is a product of conditional densities, one of each variable (Eq. 1).
type Field []*Conditional

// LogDensity returns the logarithm of the product at the row.
func (f Field) LogDensity(row []float64) float64 {
	var total float64
	for _, c := range f {
		total += c.LogDensity(row)
	}
	return total
}
