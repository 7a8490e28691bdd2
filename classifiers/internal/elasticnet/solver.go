package elasticnet

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/vecmath"
)

// A solver finds the solution at one penalty by an active set method: all weights except the active
// ones are 0.
//
// Weights become active in groups, called units. Normally, a unit contains all weights of a column.
// Weights are ordered by column and then by function. Unit u begins with weight u*unitSize.
//
// A lasso sets most weights of a column to 0. So in a lasso with many weights, each weight is a unit.
type solver struct {
	*Problem
	lambda         float64   // penalty
	intercept      []float64 // intercepts of the functions, k
	nullIntercepts []float64 // intercepts of the null model, which has no columns, k
	beta           []float64 // weights of the scaled columns, p x k
	eta            []float64 // linear functions at the rows, k x n
	prob           []float64 // class probabilities, k x n; for the hinge: indicator + slope of the row's loss
	gradient       []float64 // 1/n sum_i x_ij (indicator - prob), p x k
	loss           float64   // mean loss of the rows
	nullLoss       float64   // loss of the null model
	unitSize       int       // number of weights in a unit: k or 1
	active         []int     // active units, ascending
	coordinate     []weight  // coordinate[c] is the intercept or active weight that is coordinate c of quad
	ones           []float64 // n ones, the column of the intercepts
	quad           quadratic // quadratic approximation of the objective
	curvatures     []float64 // second derivatives of the rows' losses in quad, k x n; nil: quad is not valid
	scratch        struct{ rows, perRow, gram, eta, prob, direction []float64 }
}

// A weight identifies the weight of a column in a linear function. The intercept of the function
// has the column noColumn.
type weight struct{ column, function int }

const (
	noColumn    = -1  // the column of an intercept
	manyWeights = 512 // largest number of weights for which a unit of a lasso contains a column
)

// newSolver returns a solver that starts from the null model, in which all weights are 0.
//
// The problem q has n rows, p columns and k linear functions. Weights become active in units of
// unitSize weights: normally the k weights of a column, but in large lassos single weights, because
// most weights of a column are 0.
func newSolver(q *Problem) *solver {
	s := &solver{
		Problem:   q,
		intercept: make([]float64, q.k),
		beta:      make([]float64, q.k*q.p),
		gradient:  make([]float64, q.k*q.p),
		eta:       make([]float64, q.k*q.n),
		prob:      make([]float64, q.k*q.n),
		ones:      slices.Repeat([]float64{1}, q.n),
		unitSize:  q.k,
	}
	isLargeLasso := q.alpha == 1 && q.k*q.p > manyWeights
	if isLargeLasso {
		s.unitSize = 1
	}
	s.scratch.eta, s.scratch.prob = make([]float64, len(s.eta)), make([]float64, len(s.prob))
	s.scratch.direction, s.scratch.perRow = make([]float64, len(s.eta)), make([]float64, q.n)
	for l := range q.k { // without weights, each linear function equals its intercept
		s.intercept[l] = s.nullIntercept(l)
		floats.AddConst(s.intercept[l], s.row(s.eta, l))
	}
	s.nullIntercepts = slices.Clone(s.intercept)
	s.loss = s.evaluate(s.eta, s.prob)
	s.nullLoss = s.loss
	return s
}

func (s *solver) nullIntercept(l int) float64 {
	// If all rows have weight 1, this sum is exact, so classes of equal size get equal intercepts.
	rows := floats.Dot(s.row(s.indicator, l), s.weight)
	others := float64(s.n) - rows
	switch {
	case s.hinge:
		return (rows - others) / float64(s.n)
	case s.k == 1:
		return math.Log(rows / others)
	}
	return math.Log(rows / float64(s.n))
}

// row returns row l of m, a matrix with n columns.
func (s *solver) row(m []float64, l int) []float64 { return m[l*s.n : (l+1)*s.n] }

// updateGradient sets s.gradient to the negative gradient of the loss. Element j*k+l, for column j
// and function l, is 1/n sum_i x_ij r_il with the weighted residuals r_il.
func (s *solver) updateGradient() {
	if s.unitSize < s.k {
		s.updateManyGradients()
		return
	}
	residual := make([]float64, s.n)
	for l := range s.k {
		s.residuals(residual, l)
		for j := range s.p {
			s.gradient[j*s.k+l] = floats.Dot(s.column(j), residual) / float64(s.n)
		}
	}
}

// residuals sets r to the weighted residuals of function l, weight_i (indicator_il - prob_il). They
// are the negative derivatives of the losses of the rows.
func (s *solver) residuals(r []float64, l int) {
	floats.SubTo(r, s.row(s.indicator, l), s.row(s.prob, l))
	floats.Mul(r, s.weight)
}

// updateManyGradients sets s.gradient like updateGradient, but as a product of matrices: the columns
// times the residuals r_il of the rows i and functions l. It is faster for many weights, but rounds
// differently.
func (s *solver) updateManyGradients() {
	paddedK := vecmath.RoundedUp(s.k, vecmath.TileColumns) // vecmath multiplies whole tiles only
	residuals := s.paddedResiduals(paddedK)
	products := make([]float64, s.p*paddedK) // products[j*paddedK+l] = sum_i x_ij r_il
	tiledColumns := s.p / vecmath.TileRows * vecmath.TileRows
	vecmath.Products(products, paddedK, s.columns, tiledColumns, residuals, paddedK, s.n)
	for j := tiledColumns; j < s.p; j++ { // the last columns, which do not fill a tile
		for l := range s.k {
			products[j*paddedK+l] = floats.Dot(s.column(j), s.row(residuals, l))
		}
	}
	for j := range s.p {
		for l := range s.k {
			s.gradient[j*s.k+l] = products[j*paddedK+l] / float64(s.n)
		}
	}
}

// paddedResiduals returns a paddedK x n matrix. The first k rows contain the weighted residuals of
// the linear functions. All other rows are 0.
func (s *solver) paddedResiduals(paddedK int) []float64 {
	residuals := resize(&s.scratch.rows, paddedK*s.n)
	clear(residuals[s.k*s.n:])
	for l := range s.k {
		s.residuals(s.row(residuals, l), l)
	}
	return residuals
}

// penalty returns the penalty of one weight, lambda ((1-alpha)/2 w^2 + alpha |w|).
func (s *solver) penalty(w float64) float64 {
	return s.lambda * ((1-s.alpha)/2*w*w + s.alpha*math.Abs(w))
}

// approximate sets quad to the quadratic expansion of the loss. Its coordinates are the intercepts
// and active weights of the k linear functions. fresh reports whether approximate recomputes the
// second derivatives, because they are unknown or have changed too much.
func (s *solver) approximate() (fresh bool) {
	fresh = s.curvatures == nil || s.stale()
	if fresh {
		s.setCoordinates()
		hasWholeColumns := s.unitSize == s.k // all k weights of a column become active together
		s.quad.reset(len(s.coordinate), s.k, hasWholeColumns)
		for l := range s.k {
			for m := l; m < s.k; m++ {
				s.setHessianBlock(l, m)
			}
		}
		s.storeCurvatures() // for the next call of stale
	}
	s.setGradient()
	return fresh
}

// storeCurvatures sets s.curvatures to the second derivatives of the rows' losses.
func (s *solver) storeCurvatures() {
	s.curvatures = slices.Grow(s.curvatures[:0], len(s.prob))
	for c := range s.prob {
		s.curvatures = append(s.curvatures, s.curvature(c))
	}
}

func (s *solver) setGradient() {
	residual := s.scratch.perRow
	for l := range s.k {
		s.residuals(residual, l)
		for c, w := range s.coordinate {
			if w.function == l {
				s.quad.gradient[c] = floats.Dot(s.columnOf(w.column), residual) / float64(s.n)
				s.quad.start[c] = *s.value(w)
			}
		}
	}
}

// setCoordinates lists the intercepts and the active weights in s.coordinate.
func (s *solver) setCoordinates() {
	s.coordinate = s.coordinate[:0]
	for l := range s.k {
		s.coordinate = append(s.coordinate, weight{noColumn, l})
	}
	for _, u := range s.active {
		for c := u * s.unitSize; c < (u+1)*s.unitSize; c++ {
			s.coordinate = append(s.coordinate, weight{c / s.k, c % s.k})
		}
	}
}

func (s *solver) value(w weight) *float64 {
	if w.column == noColumn {
		return &s.intercept[w.function]
	}
	return &s.beta[w.column*s.k+w.function]
}

// columnOf returns the values of a column, or ones for noColumn.
func (s *solver) columnOf(column int) []float64 {
	if column == noColumn {
		return s.ones
	}
	return s.column(column)
}

// staleness limits how far the second derivatives of the rows' losses may change before all of them
// are recomputed. The limit is
//
//	|new - old| <= staleness (old + mean),
//
// where mean is the mean of all old second derivatives.
const staleness = 0.2

// stale reports whether a second derivative differs too much from the stored one.
func (s *solver) stale() bool {
	average := floats.Sum(s.curvatures) / float64(len(s.curvatures))
	for c, was := range s.curvatures {
		if math.Abs(s.curvature(c)-was) > staleness*(was+average) {
			return true
		}
	}
	return false
}

// setHessianBlock sets the second derivatives with respect to the weights of functions l and m. For
// columns j and j', they are 1/n sum_i h_i x_ij x_ij', where h_i is the second derivative of the
// loss of row i. All h_i have the same sign, so the sums are products of columns scaled by
// sqrt(|h_i|).
func (s *solver) setHessianBlock(l, m int) {
	roots := s.scratch.perRow
	sign := s.rootWeights(roots, l, m)
	columns, coordinates := s.activeColumns(l, m)
	a := len(columns)
	scaled, gram := resize(&s.scratch.rows, a*s.n), resize(&s.scratch.gram, a*a)
	for r, column := range columns {
		floats.MulTo(s.row(scaled, r), s.columnOf(column), roots)
	}
	clear(gram)
	vecmath.AddGram(gram, a, scaled, s.n, s.n)
	s.quad.setBlock(gram, coordinates, sign/float64(s.n))
}

// absent replaces the index of an inactive weight, which is not a coordinate of quad.
const absent = -1

// activeColumns returns the columns with an active weight in at least one of the linear functions l
// and m, in ascending order. An intercept counts as a weight of column noColumn.
//
// coordinates[r] contains the indices in s.quad of the weights of columns[r] in functions l and m.
// For an inactive weight, it contains the constant absent.
func (s *solver) activeColumns(l, m int) (columns []int, coordinates [][2]int) {
	for c, w := range s.coordinate {
		if w.function != l && w.function != m {
			continue
		}
		last := len(columns) - 1
		if last < 0 || columns[last] != w.column { // coordinates are sorted by column
			columns = append(columns, w.column)
			coordinates = append(coordinates, [2]int{absent, absent})
			last++
		}
		if w.function == l {
			coordinates[last][0] = c
		}
		if w.function == m {
			coordinates[last][1] = c
		}
	}
	return columns, coordinates
}

// rootWeights sets w to the square roots of the absolute second derivatives of the rows' losses
// with respect to eta_l and eta_m. It returns their common sign, 1 or -1.
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

// maxHalvings limits how often a step is halved. If the objective still does not decrease, the
// change is below the rounding error.
const maxHalvings = 40

// step moves towards the minimum of the penalty plus a quadratic approximation of the loss (see
// moveDownhill). It returns the largest hessian_cc * change_c^2 of the move without halving, or 0 if
// the point does not move.
//
// If second derivatives from an earlier point lead to no better point, step tries again with second
// derivatives at the current point.
func (s *solver) step(ctx context.Context, tolerance float64) (largest float64, err error) {
	for {
		isFresh := s.approximate()
		largest, err = s.quad.solve(ctx, s.lambda, s.alpha, tolerance)
		if err != nil || largest == 0 {
			return 0, err
		}
		if s.moveDownhill() {
			return largest, nil
		}
		s.curvatures = nil // so that approximate recomputes the second derivatives
		if isFresh {
			return 0, nil // any further decrease would be below the rounding error
		}
	}
}

// moveDownhill moves towards the minimum of s.quad. It halves the move until the objective does not
// increase. It returns false, and does not move, if maxHalvings are not enough.
func (s *solver) moveDownhill() bool {
	s.setDirection()
	objective := s.loss + s.penaltyAt(0) // loss and penalty before the move
	t := 1.0                             // fraction of the step to the minimum
	for range maxHalvings {
		floats.AddScaledTo(s.scratch.eta, s.eta, t, s.scratch.direction)
		loss := s.evaluate(s.scratch.eta, s.scratch.prob)
		if loss+s.penaltyAt(t) <= objective {
			s.loss = loss
			s.move(t)
			return true
		}
		t /= 2
	}
	return false
}

// setDirection sets s.scratch.direction to the amount by which the full step to the minimum of
// s.quad changes eta.
func (s *solver) setDirection() {
	direction, change := s.scratch.direction, s.quad.change
	clear(direction)
	for c, w := range s.coordinate {
		if change[c] != 0 {
			floats.AddScaled(s.row(direction, w.function), change[c], s.columnOf(w.column))
		}
	}
}

// penaltyAt returns the penalty after the fraction t of the step to the minimum of s.quad.
func (s *solver) penaltyAt(t float64) float64 {
	sum := 0.0
	for c := s.k; c < len(s.quad.change); c++ {
		sum += s.penalty(s.quad.start[c] + t*s.quad.change[c])
	}
	return sum
}

// move moves the point by the fraction t of the step to the minimum of s.quad. s.scratch.eta and
// s.scratch.prob must contain the values at the new point, which become s.eta and s.prob.
func (s *solver) move(t float64) {
	s.eta, s.scratch.eta = s.scratch.eta, s.eta
	s.prob, s.scratch.prob = s.scratch.prob, s.prob
	if t < 1 {
		s.curvatures = nil // the quadratic was a bad approximation
	}
	for c, w := range s.coordinate {
		if t == 1 && w.column != noColumn { // without rounding, so that zeros stay exact
			*s.value(w) = s.quad.point[c]
		} else {
			*s.value(w) += t * s.quad.change[c]
		}
	}
}

// resize makes *memory a slice of n elements and returns it. It reuses *memory if that is large
// enough.
func resize(memory *[]float64, n int) []float64 {
	*memory = stats.Resized(*memory, n)
	return *memory
}
