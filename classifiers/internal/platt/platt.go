// Package platt turns scores into class probabilities. One method couples the sigmoids of all pairs
// of classes. The other takes the softmax of the scores at a temperature.
package platt

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Sigmoid converts a score f to the probability of the positive one of two classes (Platt 1999):
//
//	P(positive | f) = 1 / (1 + exp(A f + B)).
//
// A is negative if larger scores indicate the positive class.
type Sigmoid struct{ A, B float64 }

// The constants are from Lin, Lin and Weng (2007), Appendix C.
const (
	maxIterations = 100
	minStep       = 1e-10
	ridge         = 1e-12 // added to the diagonal of the Hessian
	tolerance     = 1e-8  // largest final gradient, for scores with a range of 2
	descent       = 1e-4  // smallest decrease of a step, as a share of the linear prediction
)

// Fit fits the sigmoid p = 1/(1 + exp(A f + B)) to n >= 1 finite scores f (Platt 1999). positive[i]
// reports whether row i is positive.
//
// Fit minimises
//
//	-sum_i [t_i log p_i + (1 - t_i) log(1 - p_i)].
//
// The targets t_i are (N+ + 1)/(N+ + 2) for the N+ positive rows and 1/(N- + 2) for the N- others.
// If all scores are equal, A is 0. The method is Newton's method with backtracking (Lin, Lin and
// Weng 2007, Appendix C).
func Fit(f []float64, positive []bool) Sigmoid {
	// Dividing the scores by half their range makes the result independent of their scale.
	unit := slices.Max(f)/2 - slices.Min(f)/2 // the whole range could overflow
	if unit == 0 {
		f, unit = make([]float64, len(f)), 1 // zero scores: A has no effect and stays 0
	}
	t, positives, others := targets(positive)
	p := problem{f: make([]float64, len(f)), t: t}
	for i, v := range f {
		p.f[i] = v / unit
	}
	start := Sigmoid{A: 0, B: math.Log((others + 1) / (positives + 1))}
	s := p.newton(start)
	return Sigmoid{A: s.A / unit, B: s.B}
}

// targets returns the target t_i of each row (see Fit) and the numbers of positive and other rows.
func targets(positive []bool) (t []float64, positives, others float64) {
	for _, isPositive := range positive {
		if isPositive {
			positives++
		} else {
			others++
		}
	}
	t = make([]float64, len(positive))
	for i, isPositive := range positive {
		t[i] = 1 / (others + 2)
		if isPositive {
			t[i] = (positives + 1) / (positives + 2)
		}
	}
	return t, positives, others
}

// A problem contains the scores f and the targets t of the rows.
type problem struct{ f, t []float64 }

// newton minimises the negative log likelihood by Newton's method with backtracking, starting from s.
func (p *problem) newton(s Sigmoid) Sigmoid {
	value := p.value(s)
	for range maxIterations {
		g, h := p.derivatives(s) // h: elements AA, AB and BB of the Hessian
		if math.Abs(g[0]) < tolerance && math.Abs(g[1]) < tolerance {
			break
		}
		// The Newton direction (da, db) solves the 2 x 2 system H (da, db) = -g.
		det := h[0]*h[2] - h[1]*h[1]
		da, db := -(h[2]*g[0]-h[1]*g[1])/det, -(h[0]*g[1]-h[1]*g[0])/det
		slope, step := g[0]*da+g[1]*db, 1.0 // slope: derivative along (da, db), negative
		for ; step >= minStep; step /= 2 {
			next := Sigmoid{s.A + step*da, s.B + step*db}
			if v := p.value(next); v < value+descent*step*slope { // a sufficient decrease
				s, value = next, v
				break
			}
		}
		if step < minStep { // no step lowers the value: it is minimal up to rounding
			break
		}
	}
	return s
}

// value returns the negative log likelihood of s without overflow (Lin et al., section 3).
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

// derivatives returns the gradient of value with respect to (A, B), and the elements AA, AB and BB
// of its Hessian matrix.
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

// Logs returns the logarithms of the probabilities that a row with score f is positive and that it
// is not.
func (s Sigmoid) Logs(f float64) (positive, not float64) {
	z := s.A*f + s.B
	rest := math.Log1p(math.Exp(-math.Abs(z)))
	if z >= 0 {
		return -z - rest, -rest
	}
	return -rest, z - rest
}

// leastPair is the smallest probability in a pair of classes, as in libsvm. The largest is 1 -
// leastPair.
const leastPair = 1e-7

// Couple returns the class probabilities p that best fit pairwise probabilities (Wu, Lin and Weng
// 2004, second approach, as in libsvm). r(a, b) is the probability of class a given that the class
// is a or b. Couple minimises
//
//	sum_a sum_{b != a} (r(b, a) p_a - r(a, b) p_b)^2,  sum p = 1.
//
// firstShares contains r(a, b) for the pairs (0,1), (0,2), ..., (1,2), ...
func Couple(classes int, firstShares []float64) []float64 {
	system := coupling(classes, firstShares)
	right := mat.NewVecDense(classes+1, nil)
	right.SetVec(classes, 1)
	var solved mat.VecDense
	_ = solved.SolveVec(system, right) // the error only warns of a poor condition number
	p, sum := make([]float64, classes), 0.0
	for c := range p {
		p[c] = max(0, solved.AtVec(c)) // rounding may make a probability negative
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return p
}

// coupling returns the matrix of the linear system that Couple solves:
//
//	Q_aa = sum_{b != a} r(b, a)^2,  Q_ab = -r(b, a) r(a, b).
//
// firstShares contains r(a, b) for the pairs (0,1), (0,2), ..., (1,2), ..., and r(b, a) = 1 - r(a, b).
// r(a, b) is limited to leastPair..1-leastPair. An additional row and column of ones make the
// probabilities add up to 1.
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
