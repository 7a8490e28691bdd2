package elasticnet

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// A solver holds one point of the path. Weights come into play in units: all weights of a
// column, or one weight where there are many of several functions, most of them zero. The
// coordinates in play are ordered by column, then function, the intercepts first.
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
	group     int       // weights of a unit: k or 1; unit u has the weights from u group on, by column
	working   []int     // the units in play, ascending
	inPlay    []weight  // the coordinates of quad
	ones      []float64 // n
	quad      quadratic
	curved    []float64 // the rows' second derivatives, k x n, of quad's; nil: none yet
	scratch   struct{ rows, weight, gram, eta, prob, direction []float64 }
}

// A weight is one of the weights of a function, or its intercept.
type weight struct{ column, function int }

const (
	noColumn = -1 // the column of an intercept
	// manyWeights is the number of weights of several functions above which those of the
	// lasso come into play one by one.
	manyWeights = 512
)

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
		group:     q.k,
	}
	if q.alpha == 1 && q.k*q.p > manyWeights {
		s.group = 1
	}
	for i := range s.ones {
		s.ones[i] = 1
	}
	s.scratch.eta, s.scratch.prob = make([]float64, len(s.eta)), make([]float64, len(s.prob))
	s.scratch.direction, s.scratch.weight = make([]float64, len(s.eta)), make([]float64, q.n)
	for l := range q.k {
		// The sum of the weights is exact for weights of 1, so that classes of equal size tie.
		rows := floats.Dot(s.row(s.indicator, l), s.weight)
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
	if s.group < s.k {
		s.updateManyGradients()
		return
	}
	residual := make([]float64, s.n)
	for l := range s.k {
		s.residuals(residual, l)
		for j := range s.p {
			if s.factor[j] != 0 {
				s.gradient[l*s.p+j] = floats.Dot(s.column(j), residual) / float64(s.n)
			}
		}
	}
}

// residuals sets r to the weighted residuals of function l: minus the derivative of each row's loss.
func (s *solver) residuals(r []float64, l int) {
	floats.SubTo(r, s.row(s.indicator, l), s.row(s.prob, l))
	floats.Mul(r, s.weight)
}

// updateManyGradients is updateGradient by matrix products, whose last bits differ.
func (s *solver) updateManyGradients() {
	functions := (s.k + vecmath.TileColumns - 1) / vecmath.TileColumns * vecmath.TileColumns
	residuals := resize(&s.scratch.rows, functions*s.n)
	clear(residuals[s.k*s.n:])
	for l := range s.k {
		s.residuals(s.row(residuals, l), l)
	}
	tiled := s.p / vecmath.TileRows * vecmath.TileRows
	products := make([]float64, s.p*functions)
	vecmath.Products(products, functions, s.columns, tiled, residuals, functions, s.n)
	for j := range s.p {
		for l := range s.k {
			if j >= tiled {
				products[j*functions+l] = floats.Dot(s.column(j), s.row(residuals, l))
			}
			s.gradient[l*s.p+j] = products[j*functions+l] / float64(s.n)
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
		s.listInPlay()
		s.quad.reset(len(s.inPlay), s.k, s.group == s.k)
		s.setHessian()
		s.curved = slices.Grow(s.curved[:0], len(s.prob))
		for c := range s.prob {
			s.curved = append(s.curved, s.curvature(c))
		}
	}
	residual := s.scratch.weight
	for l := range s.k {
		s.residuals(residual, l)
		for c, w := range s.inPlay {
			if w.function == l {
				s.quad.gradient[c] = floats.Dot(s.columnOf(w.column), residual) / float64(s.n)
				s.quad.start[c] = *s.value(w)
			}
		}
	}
	return fresh
}

// listInPlay lists the intercepts and the weights of the units in play.
func (s *solver) listInPlay() {
	s.inPlay = s.inPlay[:0]
	for l := range s.k {
		s.inPlay = append(s.inPlay, weight{noColumn, l})
	}
	for _, u := range s.working {
		for c := u * s.group; c < (u+1)*s.group; c++ {
			s.inPlay = append(s.inPlay, weight{c / s.k, c % s.k})
		}
	}
}

// value returns where the value of w is.
func (s *solver) value(w weight) *float64 {
	if w.column == noColumn {
		return &s.intercept[w.function]
	}
	return &s.beta[w.function*s.p+w.column]
}

// columnOf returns the column that a weight multiplies, ones for noColumn.
func (s *solver) columnOf(column int) []float64 {
	if column == noColumn {
		return s.ones
	}
	return s.column(column)
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

// setHessian sets the second derivatives by all pairs of coordinates in play: for two
// functions, from the Gram matrix of the columns that either has in play.
func (s *solver) setHessian() {
	weight := s.scratch.weight
	for l := range s.k {
		for m := l; m < s.k; m++ {
			sign := s.rootWeights(weight, l, m)
			columns, places := s.columnsInPlay(l, m)
			a := len(columns)
			rows, gram := resize(&s.scratch.rows, a*s.n), resize(&s.scratch.gram, a*a)
			for r, column := range columns {
				floats.MulTo(s.row(rows, r), s.columnOf(column), weight)
			}
			clear(gram)
			vecmath.AddGram(gram, a, rows, s.n, s.n)
			s.quad.setBlock(gram, places, sign/float64(s.n))
		}
	}
}

// absent is the place of a weight that is not in play.
const absent = -1

// columnsInPlay returns the columns that functions l or m have in play, ascending, and
// the places of the two weights of each among the coordinates.
func (s *solver) columnsInPlay(l, m int) (columns []int, places [][2]int) {
	for c, w := range s.inPlay {
		if w.function != l && w.function != m {
			continue
		}
		last := len(columns) - 1
		if last < 0 || columns[last] != w.column {
			columns, places = append(columns, w.column), append(places, [2]int{absent, absent})
			last++
		}
		if w.function == l {
			places[last][0] = c
		}
		if w.function == m {
			places[last][1] = c
		}
	}
	return columns, places
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
		w[i] = math.Sqrt(s.weight[i] * (v * o[i]))
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
	for c, w := range s.inPlay {
		if change[c] != 0 {
			floats.AddScaled(s.row(direction, w.function), change[c], s.columnOf(w.column))
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
	for c, w := range s.inPlay {
		if t == 1 && w.column != noColumn { // zeros stay exact
			*s.value(w) = s.quad.at[c]
		} else {
			*s.value(w) += t * s.quad.change[c]
		}
	}
}

func resize(memory *[]float64, n int) []float64 {
	*memory = slices.Grow((*memory)[:0], n)[:n]
	return *memory
}
