package machines

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// MPM is the linear minimax probability machine of Lanckriet, El Ghaoui, Bhattacharyya and Jordan
// (JMLR 3:555, 2002) for two classes. Only the means m0 and m1 and the covariances S0 and S1 of the
// classes are assumed to be known. The machine considers all distributions with these moments. Its
// boundary minimises the largest probability of a misclassification among them.
//
// The boundary is perpendicular to a vector a. By Theorem 2 of the paper, a solves
//
//	1/kappa = min over a  sqrt(a'S0 a) + sqrt(a'S1 a)   s.t.  a'(m0 - m1) = 1.
//
// The machine predicts class 0 for a row x if
//
//	a'x >= a'm0 - kappa sqrt(a'S0 a).
//
// For each class, the probability of a correct classification is at least kappa^2 / (1 + kappa^2).
// This is true for all distributions with these means and covariances.
//
// Columns are standardised first. The covariance of class c has the divisor n_c - 1 for n_c rows.
// The fit adds a small number to the variances in S0 and S1, as in section 4 of the paper. The
// number is the parameter ridge times the mean variance within classes. Without it, indicator
// columns of discrete attributes would make S0 and S1 singular.
type MPM struct {
	// number added to the diagonals of the covariance matrices, as a multiple of the mean
	// within-class variance
	Ridge float64 `param:"ridge" range:"(0,inf)"`
	// the solver stops when the relative residual of the optimality condition is at most this value
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
	// largest number of iterations of the algorithm in the paper. If the algorithm has not
	// converged by then, the solver uses bisection
	MaxIterations int `param:"max_iterations" range:"[1,inf)"`
}

// NewMPM returns an MPM with a ridge that is just large enough to make the covariances nonsingular.
func NewMPM() *MPM { return &MPM{Ridge: 1e-6, Tolerance: 1e-8, MaxIterations: 10000} }

// Fit estimates the moments of each class and solves the problem of Theorem 2 (see MPM) for a and
// kappa. It does not use rng.
func (s *MPM) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	p := method.Prepare(train, columns.Standardise)
	means, covariances, err := s.moments(p.X, train)
	if err != nil {
		return nil, err
	}
	a, kappa, err := s.minimax(ctx, means, covariances)
	if err != nil {
		return nil, err
	}
	// By Theorem 2, predict class 0 for a row z if a'(z-m0) + kappa sqrt(a'S0 a) >= 0. Here m0 and S0
	// are the mean and the covariance of class 0.
	constant := kappa * quadraticRoot(a, covariances[0])
	return p.Rule(func(z *mat.Dense) *mat.Dense {
		n, _ := z.Dims()
		scores := mat.NewDense(n, 2, nil)
		for i := range n {
			value := constant
			for j, v := range z.RawRowView(i) {
				value += a.AtVec(j) * (v - means[0][j])
			}
			scores.SetRow(i, []float64{value, -value})
		}
		return scores
	}), nil
}

// moments returns the mean and the covariance of each class, with the ridge. x contains the numeric
// columns of train.
func (s *MPM) moments(
	x *mat.Dense, train *dataset.Set,
) (means [2][]float64, covariances [2]*mat.SymDense, err error) {
	_, d := x.Dims()
	variance := 0.0 // becomes the mean variance over columns and classes
	for c := range means {
		rows := train.ClassRows(c)
		if len(rows) < 2 {
			return means, covariances, fmt.Errorf("class %q has only one training row, but its covariance needs two",
				train.Classes[c])
		}
		classX := columns.Rows(x, rows)
		means[c], covariances[c] = make([]float64, d), mat.NewSymDense(d, nil)
		stat.CovarianceMatrix(covariances[c], classX, nil)
		for j := range d {
			means[c][j] = stat.Mean(mat.Col(nil, j, classX), nil)
		}
		variance += mat.Trace(covariances[c]) / float64(2*d)
	}
	if variance == 0 {
		variance = 1 // all rows of each class are equal; any multiple of the identity gives the same rule
	}
	for _, covariance := range covariances {
		for j := range d {
			covariance.SetSym(j, j, covariance.At(j, j)+s.Ridge*variance)
		}
	}
	return means, covariances, nil
}

// minimax returns the direction a that minimises
//
//	sqrt(a'S0 a) + sqrt(a'S1 a)  subject to  a'delta = 1,  delta = m0 - m1.
//
// kappa is the inverse of the minimum. For all positive b0 and b1, the objective is at most
//
//	(a'S0 a/b0 + b0 + a'S1 a/b1 + b1) / 2,
//
// with equality at b_c = sqrt(a'S_c a). minimax alternates two steps: it minimises this bound over
// b0 and b1, and then over a. If s.MaxIterations repetitions are too few, it bisects b1/b0.
func (s *MPM) minimax(
	ctx context.Context, means [2][]float64, covariances [2]*mat.SymDense,
) (direction *mat.VecDense, kappa float64, err error) {
	p, err := newMinimaxProblem(means, covariances)
	if err != nil {
		return nil, 0, err
	}
	a := mat.NewVecDense(len(means[0]), nil)
	a.ScaleVec(1/mat.Dot(p.delta, p.delta), p.delta)
	for k := 0; k < s.MaxIterations && !p.isOptimal(a, s.Tolerance); k++ {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		b0, b1 := p.roots(a)
		if err := p.direction(a, b0, b1); err != nil {
			return nil, 0, err
		}
	}
	if !p.isOptimal(a, s.Tolerance) {
		if err := p.bisect(a); err != nil {
			return nil, 0, err
		}
	}
	if !p.isOptimal(a, s.Tolerance) {
		return nil, 0, fmt.Errorf("the relative residual is still above %g: raise ridge or tolerance", s.Tolerance)
	}
	b0, b1 := p.roots(a)
	return a, 1 / (b0 + b1), nil
}

// A minimaxProblem is the search for the direction a (see minimax).
type minimaxProblem struct {
	covariances [2]*mat.SymDense // S0 and S1
	delta       *mat.VecDense    // m0 - m1
}

// newMinimaxProblem returns an error if the means are equal.
func newMinimaxProblem(means [2][]float64, covariances [2]*mat.SymDense) (*minimaxProblem, error) {
	d := len(means[0])
	p := &minimaxProblem{covariances: covariances, delta: mat.NewVecDense(d, nil)}
	p.delta.SubVec(mat.NewVecDense(d, means[0]), mat.NewVecDense(d, means[1]))
	if mat.Dot(p.delta, p.delta) == 0 {
		return nil, errors.New(
			"both classes have the same mean, so no linear rule is better than chance in the worst case")
	}
	return p, nil
}

// roots returns b0 = sqrt(a'S0 a) and b1 = sqrt(a'S1 a).
func (p *minimaxProblem) roots(a *mat.VecDense) (b0, b1 float64) {
	return quadraticRoot(a, p.covariances[0]), quadraticRoot(a, p.covariances[1])
}

// isOptimal reports whether the gradient S0 a/b0 + S1 a/b1 of the objective is nearly parallel to
// delta: the norm of the part orthogonal to delta is at most tolerance times the gradient's norm.
func (p *minimaxProblem) isOptimal(a *mat.VecDense, tolerance float64) bool {
	b0, b1 := p.roots(a)
	var gradient mat.VecDense
	gradient.MulVec(sumOfQuotients(p.covariances, b0, b1), a)
	size := mat.Norm(&gradient, 2)
	gradient.AddScaledVec(&gradient, -mat.Dot(&gradient, p.delta)/mat.Dot(p.delta, p.delta), p.delta)
	return mat.Norm(&gradient, 2) <= tolerance*size
}

// direction sets a to the vector that minimises the objective for fixed b0 and b1:
//
//	a = M^-1 delta / delta'M^-1 delta,  M = S0/b0 + S1/b1.
func (p *minimaxProblem) direction(a *mat.VecDense, b0, b1 float64) error {
	var factor mat.Cholesky
	if !factor.Factorize(sumOfQuotients(p.covariances, b0, b1)) {
		return errors.New("the covariances are singular to working precision: raise ridge")
	}
	if err := factor.SolveVecTo(a, p.delta); err != nil { // a = M^-1 delta
		return fmt.Errorf("the covariances are nearly singular (%w): raise ridge", err)
	}
	a.ScaleVec(1/mat.Dot(a, p.delta), a)
	return nil
}

// Why bisect may compare ratios: Let b_c = sqrt(a'S_c a). For 0 < w < 1, let
//
//	F(a, w) = b0^2/w + b1^2/(1-w).
//
// F is convex in a and w. By the Cauchy-Schwarz inequality, its minimum over w is (b0 + b1)^2. The
// minimum is at the w with (1-w)/w = b1/b0, so w represents the ratio r = (1-w)/w. This ratio
// decreases as w increases.
//
// Let G(w) be the minimum of F over a. G is convex, and is smallest at the optimal ratio. So r is
// below the optimal ratio if and only if G'(w) > 0. At the best a,
//
//	G'(w) = (b1/(1-w))^2 - (b0/w)^2.
//
// G'(w) is positive if and only if b1/b0 > (1-w)/w = r.

// bisect sets a to the direction that minimises b0 + b1, where b_c = sqrt(a'S_c a).
//
// It bisects the logarithm of the optimal ratio b1/b0. For each trial value r of the ratio, the
// method direction computes the best a. The optimal ratio exceeds r if and only if the ratio
// sqrt(a'S1 a)/sqrt(a'S0 a) of this a does.
func (p *minimaxProblem) bisect(a *mat.VecDense) error {
	// Beyond these bounds on log r, the smaller of b0 and b1 is below the rounding error of the
	// larger one.
	low, high := -40.0, 40.0
	for range 64 { // the final length, 80/2^64, is below the rounding error of r
		middle := (low + high) / 2
		ratio := math.Exp(middle)
		if err := p.direction(a, 1, ratio); err != nil { // the best a depends only on b1/b0
			return err
		}
		b0, b1 := p.roots(a)
		if math.Log(b1/b0) > middle {
			low = middle
		} else {
			high = middle
		}
	}
	return nil
}

// sumOfQuotients returns the matrix S0/b0 + S1/b1, where S_c is covariances[c].
func sumOfQuotients(covariances [2]*mat.SymDense, b0, b1 float64) *mat.SymDense {
	d := covariances[0].SymmetricDim()
	sum := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			sum.SetSym(i, j, covariances[0].At(i, j)/b0+covariances[1].At(i, j)/b1)
		}
	}
	return sum
}

// quadraticRoot returns sqrt(a'Sa), where S is the covariance matrix s.
func quadraticRoot(a *mat.VecDense, s *mat.SymDense) float64 {
	return math.Sqrt(mat.Inner(a, s, a))
}
