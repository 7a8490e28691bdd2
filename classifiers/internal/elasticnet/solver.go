package elasticnet

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// A solver holds one point of the path. Coordinates of the columns in play are
// ordered by column, then function, the intercepts first.
type solver struct {
	*Problem
	lambda    float64
	intercept []float64 // k
	alone     []float64 // k: the intercepts without columns
	beta      []float64 // k x p, of the scaled columns
	eta       []float64 // k x n: linear functions
	prob      []float64 // k x n: probabilities; of the hinge, indicator - prob is the negative slope of the row's loss
	gradient  []float64 // k x p: 1/n sum_i x_ij (indicator - prob)
	loss      float64   // mean over the rows
	null      float64   // loss without columns
	working   []int     // the columns in play, ascending
	ones      []float64 // n
	quad      quadratic
	curved    []float64 // the rows' second derivatives, k x n, of quad's; nil: none yet
	scratch   struct{ rows, weight, gram, eta, prob, direction []float64 }
}

// newSolver returns the null model.
func newSolver(q *Problem) *solver {
	s := &solver{
		Problem:   q,
		intercept: make([]float64, q.k),
		beta:      make([]float64, q.k*q.p),
		gradient:  make([]float64, q.k*q.p),
		eta:       make([]float64, q.k*q.n),
		prob:      make([]float64, q.k*q.n),
		ones:      make([]float64, q.n),
	}
	for i := range s.ones {
		s.ones[i] = 1
	}
	s.scratch.eta, s.scratch.prob = make([]float64, len(s.eta)), make([]float64, len(s.prob))
	s.scratch.direction, s.scratch.weight = make([]float64, len(s.eta)), make([]float64, q.n)
	for l := range q.k {
		rows := floats.Sum(s.row(s.indicator, l)) // exact, so that classes of equal size tie
		others := float64(q.n) - rows
		switch {
		case q.hinge:
			s.intercept[l] = (rows - others) / float64(q.n)
		case q.k == 1:
			s.intercept[l] = math.Log(rows / others)
		default:
			s.intercept[l] = math.Log(rows / float64(q.n))
		}
		floats.AddConst(s.intercept[l], s.row(s.eta, l))
	}
	s.alone = slices.Clone(s.intercept)
	s.loss = s.evaluate(s.eta, s.prob)
	s.null = s.loss
	return s
}

// row returns row l of a matrix with n columns.
func (s *solver) row(m []float64, l int) []float64 { return m[l*s.n : (l+1)*s.n] }

// updateGradient computes the gradient of all columns.
func (s *solver) updateGradient() {
	residual := make([]float64, s.n)
	for l := range s.k {
		floats.SubTo(residual, s.row(s.indicator, l), s.row(s.prob, l))
		for j := range s.p {
			if s.factor[j] != 0 {
				s.gradient[l*s.p+j] = floats.Dot(s.column(j), residual) / float64(s.n)
			}
		}
	}
}

// penalty returns the penalty of one weight.
func (s *solver) penalty(w float64) float64 {
	return s.lambda * ((1-s.alpha)/2*w*w + s.alpha*math.Abs(w))
}

// approximate sets the quadratic to an expansion of the loss at the current point,
// in the intercepts and the weights of the working columns, and reports whether its
// second derivatives are fresh: those of a point close by will do.
func (s *solver) approximate() (fresh bool) {
	if fresh = s.curved == nil || s.stale(); fresh {
		s.quad.reset(len(s.working)+1, s.k)
		s.setHessian()
		s.curved = slices.Grow(s.curved[:0], len(s.prob))
		for c := range s.prob {
			s.curved = append(s.curved, s.curvature(c))
		}
	}
	residual := s.scratch.weight
	for l := range s.k {
		floats.SubTo(residual, s.row(s.indicator, l), s.row(s.prob, l))
		for r := range s.quad.a {
			s.quad.gradient[r*s.k+l] = floats.Dot(s.inPlay(r), residual) / float64(s.n)
			s.quad.start[r*s.k+l] = s.weight(r, l)
		}
	}
	return fresh
}

// staleness is the change of a row's second derivative, over what it was plus the
// mean of all, after which they are taken anew.
const staleness = 0.2

func (s *solver) stale() bool {
	average := floats.Sum(s.curved) / float64(len(s.curved))
	for c, was := range s.curved {
		if math.Abs(s.curvature(c)-was) > staleness*(was+average) {
			return true
		}
	}
	return false
}

func (s *solver) setHessian() {
	a := len(s.working) + 1
	rows, gram, weight := resize(&s.scratch.rows, a*s.n), resize(&s.scratch.gram, a*a), s.scratch.weight
	for l := range s.k {
		for m := l; m < s.k; m++ {
			sign := s.rootWeights(weight, l, m)
			for r := range a {
				floats.MulTo(s.row(rows, r), s.inPlay(r), weight)
			}
			clear(gram)
			vecmath.AddGram(gram, a, rows, s.n, s.n)
			s.quad.setBlock(gram, l, m, sign/float64(s.n))
		}
	}
}

// inPlay returns the r-th column in play, the intercept's being the first.
func (s *solver) inPlay(r int) []float64 {
	if r == 0 {
		return s.ones
	}
	return s.column(s.working[r-1])
}

func (s *solver) weight(r, l int) float64 {
	if r == 0 {
		return s.intercept[l]
	}
	return s.beta[l*s.p+s.working[r-1]]
}

// rootWeights sets w to the roots of the second derivatives of the rows' losses in
// eta_l and eta_m, p_l (1-p_l) or -p_l p_m for the logistic ones, and returns their
// sign.
func (s *solver) rootWeights(w []float64, l, m int) float64 {
	if l == m {
		for i := range w {
			w[i] = math.Sqrt(s.curvature(l*s.n + i))
		}
		return 1
	}
	p, o := s.row(s.prob, l), s.row(s.prob, m)
	for i, v := range p {
		w[i] = math.Sqrt(v * o[i])
	}
	return -1
}

// maxHalvings of a step; one that gains nothing after so many is below rounding.
const maxHalvings = 40

// step goes from the current point towards the minimum of the quadratic, as far
// as the objective falls, and returns the largest curvature times squared change.
func (s *solver) step(ctx context.Context, tolerance float64) (float64, error) {
	fresh := s.approximate()
	largest, err := s.quad.solve(ctx, s.lambda, s.alpha, tolerance)
	if err != nil || largest == 0 {
		return 0, err
	}
	direction, change := s.scratch.direction, s.quad.change
	clear(direction)
	for r := range len(s.working) + 1 {
		for l := range s.k {
			if v := change[r*s.k+l]; v != 0 {
				floats.AddScaled(s.row(direction, l), v, s.inPlay(r))
			}
		}
	}
	objective := func(t float64) float64 {
		sum := 0.0
		for c := s.k; c < len(change); c++ {
			sum += s.penalty(s.quad.start[c] + t*change[c])
		}
		return sum
	}
	now := s.loss + objective(0)
	for t, halvings := 1.0, 0; halvings < maxHalvings; t, halvings = t/2, halvings+1 {
		floats.AddScaledTo(s.scratch.eta, s.eta, t, direction)
		loss := s.evaluate(s.scratch.eta, s.scratch.prob)
		if !(loss+objective(t) <= now) {
			continue
		}
		s.eta, s.scratch.eta = s.scratch.eta, s.eta
		s.prob, s.scratch.prob = s.scratch.prob, s.prob
		s.loss = loss
		s.move(t)
		if t < 1 {
			s.curved = nil
		}
		return largest, nil
	}
	if s.curved = nil; !fresh {
		return s.step(ctx, tolerance)
	}
	return 0, nil
}

// move adds t times the quadratic's change to the coordinates in play.
func (s *solver) move(t float64) {
	for l := range s.k {
		s.intercept[l] += t * s.quad.change[l]
		for r, j := range s.working {
			c := (r+1)*s.k + l
			if t == 1 { // zeros stay exact
				s.beta[l*s.p+j] = s.quad.at[c]
			} else {
				s.beta[l*s.p+j] += t * s.quad.change[c]
			}
		}
	}
}

func resize(memory *[]float64, n int) []float64 {
	*memory = slices.Grow((*memory)[:0], n)[:n]
	return *memory
}
