package elasticnet

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// evaluate sets prob to the class probabilities at eta (both k x n) and returns the mean loss.
func (s *solver) evaluate(eta, prob []float64) float64 {
	if s.hinge {
		return s.evaluateHinge(eta, prob)
	}
	if s.k == 1 {
		return s.evaluateTwo(eta, prob)
	}
	return s.evaluateMany(eta, prob)
}

// evaluateMany is evaluate for more than two classes. For row i and class l,
//
//	prob_il = e^(eta_il) / sum_m e^(eta_im),  loss_i = log sum_m e^(eta_im) - eta_(i,y_i).
//
// Element l*n + i of eta and prob belongs to class l and row i.
func (s *solver) evaluateMany(eta, prob []float64) float64 {
	shifted := prob // eta minus the largest eta of the row; the same memory later contains prob
	loss := 0.0     // weighted sum of loss_i; the logarithms are added last
	for i := range s.n {
		top := math.Inf(-1)
		for l := range s.k {
			top = max(top, eta[l*s.n+i])
		}
		for l := range s.k {
			shifted[l*s.n+i] = eta[l*s.n+i] - top
		}
		loss -= s.weight[i] * shifted[s.y[i]*s.n+i]
	}
	vecmath.Exp(prob, shifted)
	sum := s.scratch.perRow // sum over all classes in each row
	clear(sum)
	for l := range s.k {
		floats.Add(sum, s.row(prob, l))
	}
	for l := range s.k {
		floats.Div(s.row(prob, l), sum)
	}
	logSum := sum
	vecmath.Log(logSum, sum, 1) // the lower limit 1 has no effect: every sum contains e^0 = 1
	floats.Mul(logSum, s.weight)
	return (loss + floats.Sum(logSum)) / float64(s.n)
}

// evaluateTwo is evaluate for two classes. prob[i] becomes the probability of class 1. The loss of a
// row, with sign 1 for class 1 and -1 for class 0, is
//
//	log(1 + e^(-sign eta)) = max(0, -sign eta) + log(1 + e^(-|eta|)).
//
// The second form cannot overflow.
func (s *solver) evaluateTwo(eta, prob []float64) float64 {
	terms := s.scratch.perRow
	for i, v := range eta {
		terms[i] = -math.Abs(v)
	}
	vecmath.Exp(terms, terms)
	loss := 0.0 // weighted sum of max(0, -sign eta)
	for i, v := range eta {
		sign := 2*s.indicator[i] - 1
		loss += s.weight[i] * max(0, -sign*v)
		e := terms[i] // e^(-|eta|)
		prob[i] = 1 / (1 + e)
		if v < 0 {
			prob[i] *= e
		}
		terms[i] = 1 + e
	}
	vecmath.Log(terms, terms, 1) // all terms are at least 1
	floats.Mul(terms, s.weight)
	return (loss + floats.Sum(terms)) / float64(s.n)
}

// evaluateHinge is evaluate for the squared hinge loss max(0, 1 - sign eta)^2 / 2, where sign is 1
// for class 1 and -1 for class 0. The elements of prob are then not probabilities. They are chosen
// so that the derivative of the loss is prob - indicator, as for other losses.
func (s *solver) evaluateHinge(eta, prob []float64) float64 {
	var loss float64
	for i, v := range eta {
		sign := 2*s.indicator[i] - 1
		short := max(0, 1-sign*v)
		loss += s.weight[i] * (short * short / 2)
		prob[i] = s.indicator[i] - sign*short
	}
	return loss / float64(s.n)
}

// curvature returns the second derivative of the weighted loss of row i with respect to its linear
// function eta_l. The index c is l*n + i.
func (s *solver) curvature(c int) float64 {
	p, w := s.prob[c], s.weight[c%s.n]
	if !s.hinge {
		return w * (p * (1 - p))
	}
	if p != s.indicator[c] { // the row is within the margin
		return w
	}
	return 0
}
