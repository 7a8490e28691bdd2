// Package elasticnet fits logistic regressions with the elastic net penalty along a path of
// penalties. The problem, the scales and the path are the same as in R's glmnet (Friedman, Hastie
// and Tibshirani, J. Stat. Softw. 33:1, 2010, Eqs. 11, 16 and 24).
//
// Columns have mean 0. For n rows x_i with classes y_i, the intercepts b_l and weights w_l of the
// classes l minimise
//
//	1/n sum_i [log sum_l e^(eta_il) - eta_(i,y_i)] + lambda sum_lj [(1-alpha)/2 w_lj^2 + alpha |w_lj|],
//	eta_il = b_l + x_i' w_l.
//
// With two classes, eta_i0 is 0, and eta_i is eta_i1. The loss of a row may then also be the
// squared hinge max(0, 1 - s_i eta_i)^2 / 2, where s_i is 1 for class 1 and -1 for class 0.
//
// The solver is glmnet's coordinate descent, with three differences. It approximates the loss for
// all classes at once. It replaces slow sweeps by leaps (see leap). It halves a step until the
// objective decreases. With a active columns and C classes, a step takes O(n a^2 C^2) operations
// and a sweep takes O(a^2 C^2). Computing the gradient for all p columns takes O(n p C).
package elasticnet

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// A Problem is a training sample together with alpha, which mixes the two penalties.
type Problem struct {
	n, p, k       int       // numbers of rows, columns and linear functions (1 for two classes)
	columns       []float64 // p x n: the centred and scaled columns, one after another
	centre, scale []float64 // means and scale factors of the columns; scale 0: constant column
	y             []int     // class of each row
	weight        []float64 // weight of each row; the mean is 1
	indicator     []float64 // k x n: 1 if row i belongs to the class of function l, else 0
	alpha         float64   // 1: lasso, 0: ridge
	hinge         bool      // whether the loss is the squared hinge
}

// New returns the training problem for the matrix x, whose row i has class y[i]. It returns an
// error if the squares of a column overflow.
//
// Rows of class c have weight weights[c], and each of these classes must occur. The argument alpha
// is 1 for the lasso and 0 for ridge. If standardise is true, the columns are scaled to mean square
// 1. As in glmnet, means and mean squares are weighted.
func New(x *mat.Dense, y []int, weights []float64, alpha float64, standardise bool) (*Problem, error) {
	n, p := x.Dims()
	k := len(weights)
	if k == 2 {
		k = 1 // two classes share one linear function
	}
	q := &Problem{
		n:         n,
		p:         p,
		k:         k,
		y:         y,
		alpha:     alpha,
		columns:   make([]float64, p*n),
		centre:    make([]float64, p),
		scale:     make([]float64, p),
		weight:    dataset.At(weights, y),
		indicator: indicators(y, k),
	}
	floats.Scale(float64(n)/floats.Sum(q.weight), q.weight) // the weights of the rows sum to n
	for j := range p {
		if err := q.setColumn(j, x, standardise); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// indicators returns the field indicator of a Problem with k linear functions and the classes y of its rows. If
// k is 1, the function belongs to class 1.
func indicators(y []int, k int) []float64 {
	n := len(y)
	indicator := make([]float64, k*n)
	for i, class := range y {
		if k == 1 {
			indicator[i] = float64(class)
		} else {
			indicator[class*n+i] = 1
		}
	}
	return indicator
}

// setColumn copies, centres and scales column j of x (see New). The stored column is the centred column
// times q.scale[j], or zero for a constant column.
func (q *Problem) setColumn(j int, x *mat.Dense, standardise bool) error {
	column := mat.Col(q.column(j), j, x)
	q.centre[j] = q.mean(column)
	floats.AddConst(-q.centre[j], column)
	sd := q.norm(column) / math.Sqrt(float64(q.n))
	switch {
	case math.IsInf(sd*sd*float64(q.n), 0) || math.IsNaN(sd):
		return fmt.Errorf("the squares of column %d are too large for floating point: scale the column", j+1)
	case sd <= constantSpread*math.Abs(q.centre[j]):
		clear(column) // q.scale[j] stays 0
	case standardise:
		q.scale[j] = 1 / sd
		floats.Scale(q.scale[j], column)
	default: // the column is only centred
		q.scale[j] = 1
	}
	return nil
}

// constantSpread is the largest ratio of standard deviation to mean in a constant column. It is
// positive because of rounding errors.
const constantSpread = 1e-12

// mean returns the weighted mean of x. The weights sum to n.
func (q *Problem) mean(x []float64) float64 {
	var m float64
	for i, v := range x {
		m += q.weight[i] * (v / float64(len(x))) // divides first, so that large values do not overflow
	}
	return m
}

// norm returns the square root of the weighted sum of the squares of x.
func (q *Problem) norm(x []float64) float64 {
	weighted := make([]float64, len(x))
	for i, v := range x {
		weighted[i] = math.Sqrt(q.weight[i]) * v
	}
	return floats.Norm(weighted, 2)
}

func (q *Problem) column(j int) []float64 { return q.columns[j*q.n : (j+1)*q.n] }

// leastAlpha is the smallest alpha in the formula for the first penalty of a path, as in glmnet. No
// finite ridge penalty makes all weights zero.
const leastAlpha = 1e-3

// Penalties returns a geometric sequence of the given number of penalties. The first penalty is the
// smallest at which all weights are zero. The last is the first times the argument ratio. If no
// column is correlated with the classes, the result is a single 0.
func (q *Problem) Penalties(count int, ratio float64) []float64 {
	s := newSolver(q)
	s.updateGradient()
	top := floats.Norm(s.gradient, math.Inf(1)) / max(q.alpha, leastAlpha)
	if top == 0 || count == 1 {
		return []float64{top}
	}
	penalties := make([]float64, count)
	for i := range penalties {
		penalties[i] = top * math.Pow(ratio, float64(i)/float64(count-1))
	}
	return penalties
}

// DefaultRatio returns glmnet's default ratio: 0.01 if n < p, otherwise 1e-4.
func (q *Problem) DefaultRatio() float64 {
	if q.n < q.p {
		return 0.01
	}
	return 1e-4
}

// A Model is the solution of a Problem at one penalty.
type Model struct {
	Penalty   float64
	Intercept []float64  // k intercepts, at the means of the columns
	Weights   *mat.Dense // k x p, for columns in their original units
	Explained float64    // explained share of the null model's deviance
	Unbounded bool       // some weights would grow without limit, because the likelihood has no maximum
	centre    []float64  // means of the columns
}

// LinearPredictors returns the linear predictors of each class at the rows of x. Each row of the
// result has mean 0. Two classes share one predictor eta, and get -eta/2 and eta/2.
func (m *Model) LinearPredictors(x *mat.Dense) *mat.Dense {
	n, p := x.Dims()
	k := len(m.Intercept)
	eta := mat.NewDense(n, max(k, 2), nil)
	z := make([]float64, p)
	for i := range n {
		floats.SubTo(z, x.RawRowView(i), m.centre) // the intercepts apply to centred columns
		row := eta.RawRowView(i)
		for l := range k {
			row[l] = m.Intercept[l] + floats.Dot(z, m.Weights.RawRowView(l))
		}
		if k == 1 {
			row[0], row[1] = -row[0]/2, row[0]/2
		} else {
			floats.AddConst(-floats.Sum(row)/float64(k), row)
		}
	}
	return eta
}

// Used returns the columns with at least one nonzero weight.
func (m *Model) Used() []int {
	_, p := m.Weights.Dims()
	var used []int
	for j := range p {
		if mat.Norm(m.Weights.ColView(j), 1) > 0 {
			used = append(used, j)
		}
	}
	return used
}

// Select returns the model for rows that contain only the given columns of the original rows. The
// weights of all other columns should be 0.
func (m *Model) Select(columns []int) *Model {
	k, _ := m.Weights.Dims()
	s := &Model{
		Penalty:   m.Penalty,
		Intercept: m.Intercept,
		Weights:   mat.NewDense(k, len(columns), nil),
		Explained: m.Explained,
		centre:    make([]float64, len(columns)),
	}
	for to, from := range columns {
		s.centre[to] = m.centre[from]
		for l := range k {
			s.Weights.Set(l, to, m.Weights.At(l, from))
		}
	}
	return s
}
