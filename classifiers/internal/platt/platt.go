// Package platt turns scores into class probabilities: a sigmoid for each pair of
// classes with the coupling of the pairs, or the softmax of scores at a temperature.
package platt

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Sigmoid gives the probability that a row with score f is of the positive one
// of two classes (Platt 1999),
//
//	P(positive | f) = 1 / (1 + exp(A f + B)).
//
// A is negative if larger scores indicate the positive class.
type Sigmoid struct{ A, B float64 }

// Constants of Lin, Lin and Weng (2007), Appendix C.
const (
	maxIterations = 100
	minStep       = 1e-10
	ridge         = 1e-12 // on the Hessian's diagonal
	tolerance     = 1e-8  // of the gradient, for scores that range over 2
	descent       = 1e-4  // share of the linear decrease that a step must reach
)

// Fit finds the sigmoid of n >= 1 finite scores f and their classes by the regularised
// maximum likelihood of Platt (1999): with N+ positive rows and N-
// others the targets are t = (N+ + 1)/(N+ + 2) and 1/(N- + 2), and
//
//	-sum_i t_i log p_i + (1 - t_i) log(1 - p_i)
//
// is minimised by Newton's method with backtracking (Lin, Lin and Weng 2007,
// Appendix C), here on scores in units of half their range: the result does not
// depend on their scale. Scores that are all equal give A = 0.
func Fit(f []float64, positive []bool) Sigmoid {
	unit := slices.Max(f)/2 - slices.Min(f)/2
	if unit == 0 {
		f, unit = make([]float64, len(f)), 1 // zeros, since A and B have the same effect
	}
	up := 0.0 // N+
	for _, is := range positive {
		if is {
			up++
		}
	}
	down := float64(len(f)) - up
	p := problem{f: make([]float64, len(f)), t: make([]float64, len(f))}
	for i, v := range f {
		p.f[i] = v / unit
		p.t[i] = 1 / (down + 2)
		if positive[i] {
			p.t[i] = (up + 1) / (up + 2)
		}
	}
	s := p.newton(Sigmoid{0, math.Log((down + 1) / (up + 1))})
	return Sigmoid{s.A / unit, s.B}
}

// A problem has the scores f and the targets t of the rows.
type problem struct{ f, t []float64 }

// newton minimises from s on and returns the minimum. It stops early if no step lowers the
// sum.
func (p *problem) newton(s Sigmoid) Sigmoid {
	value := p.value(s)
	for range maxIterations {
		g, h := p.derivatives(s)
		if math.Abs(g[0]) < tolerance && math.Abs(g[1]) < tolerance {
			break
		}
		det := h[0]*h[2] - h[1]*h[1]
		da, db := -(h[2]*g[0]-h[1]*g[1])/det, -(h[0]*g[1]-h[1]*g[0])/det
		slope, step := g[0]*da+g[1]*db, 1.0
		for ; step >= minStep; step /= 2 {
			next := Sigmoid{s.A + step*da, s.B + step*db}
			if v := p.value(next); v < value+descent*step*slope {
				s, value = next, v
				break
			}
		}
		if step < minStep { // no step lowers the sum: it is least but for rounding
			break
		}
	}
	return s
}

// value returns the negative log likelihood, without overflow (Lin et al., section 3).
func (p *problem) value(s Sigmoid) float64 {
	sum := 0.0
	for i, f := range p.f {
		z := s.A*f + s.B
		if z >= 0 {
			sum += p.t[i]*z + math.Log1p(math.Exp(-z))
		} else {
			sum += (p.t[i]-1)*z + math.Log1p(math.Exp(z))
		}
	}
	return sum
}

// derivatives returns the gradient and the elements AA, AB and BB of the Hessian.
func (p *problem) derivatives(s Sigmoid) (g [2]float64, h [3]float64) {
	h[0], h[2] = ridge, ridge
	for i, f := range p.f {
		log, logNot := s.Logs(f)
		prob, not := math.Exp(log), math.Exp(logNot)
		d1, d2 := p.t[i]-prob, prob*not
		g[0] += f * d1
		g[1] += d1
		h[0] += f * f * d2
		h[1] += f * d2
		h[2] += d2
	}
	return g, h
}

// Logs returns the logarithms of the probability that a row with score f is
// positive, and that it is not.
func (s Sigmoid) Logs(f float64) (positive, not float64) {
	z := s.A*f + s.B
	rest := math.Log1p(math.Exp(-math.Abs(z)))
	if z >= 0 {
		return -z - rest, -rest
	}
	return -rest, z - rest
}

// leastPair is the least probability of a pair, as in libsvm. The largest is 1 - leastPair.
const leastPair = 1e-7

// Couple returns the probabilities p of the classes that fit the probabilities of their pairs
// best. firstShares are r(a, b), the probability of class a given a or b, for the pairs
// (0,1), (0,2), ..., (1,2), ... The result minimises
//
//	sum_a sum_{b != a} (r(b, a) p_a - r(a, b) p_b)^2,  sum p = 1
//
// (Wu, Lin and Weng 2004, their second approach, as in libsvm). The conditions of the minimum
// are the linear system Q p + nu 1 = 0, sum p = 1, whose solution is not negative.
func Couple(classes int, firstShares []float64) []float64 {
	system := coupling(classes, firstShares)
	right := mat.NewVecDense(classes+1, nil)
	right.SetVec(classes, 1)
	var solved mat.VecDense
	if err := solved.SolveVec(system, right); err != nil {
		if _, poor := err.(mat.Condition); !poor {
			panic("platt: " + err.Error()) // never: the dimensions agree
		}
	}
	p, sum := make([]float64, classes), 0.0
	for c := range p {
		p[c] = max(0, solved.AtVec(c)) // below 0 by rounding only
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

// coupling returns the matrix of the linear system: Q, bordered by ones, with
// Q_aa = sum_{b != a} r(b, a)^2 and Q_ab = -r(b, a) r(a, b).
func coupling(classes int, firstShares []float64) *mat.Dense {
	q := mat.NewDense(classes+1, classes+1, nil)
	pair := 0
	for a := range classes {
		for b := a + 1; b < classes; b++ {
			ab := max(leastPair, min(firstShares[pair], 1-leastPair))
			pair++
			ba := 1 - ab
			q.Set(a, a, q.At(a, a)+ba*ba)
			q.Set(b, b, q.At(b, b)+ab*ab)
			q.Set(a, b, -ba*ab)
			q.Set(b, a, -ba*ab)
		}
		q.Set(a, classes, 1)
		q.Set(classes, a, 1)
	}
	return q
}
