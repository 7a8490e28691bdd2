package glasso

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Grid returns penalties for the graphical lasso in descending order, equally spaced on a
// logarithmic scale. The argument count is their number. If s is diagonal, the grid is {0}.
//
// The first penalty is the smallest for which the graph has no edges. The last penalty is the
// first, multiplied by ratio.
func Grid(s mat.Symmetric, count int, ratio float64) []float64 {
	var top float64
	d := s.SymmetricDim()
	for i := range d {
		for j := range i {
			top = max(top, math.Abs(s.At(i, j)))
		}
	}
	if top == 0 {
		return []float64{0}
	}
	grid := make([]float64, count)
	for k := range grid {
		grid[k] = top * math.Pow(ratio, float64(k)/float64(max(count-1, 1)))
	}
	return grid
}

// Edges returns the number of edges.
func (e *Estimate) Edges() int {
	count := 0
	for i := range e.Theta.SymmetricDim() {
		for j := range i {
			if e.Theta.At(i, j) != 0 {
				count++
			}
		}
	}
	return count
}

// Neighbours returns, for each variable, the variables that share an edge with it, in ascending
// order.
func (e *Estimate) Neighbours() [][]int {
	d := e.Theta.SymmetricDim()
	neighbours := make([][]int, d)
	for i := range d {
		for j := range d {
			if i != j && e.Theta.At(i, j) != 0 {
				neighbours[i] = append(neighbours[i], j)
			}
		}
	}
	return neighbours
}

// LogLikelihood returns the Gaussian log-likelihood per row, without the constant -d/2 log(2 pi):
//
//	(log det Theta - tr(s Theta))/2.
//
// s is the covariance of the rows about the mean of the model, with divisor n.
func (e *Estimate) LogLikelihood(s mat.Symmetric) (float64, error) {
	var chol mat.Cholesky
	if !chol.Factorize(e.Theta) {
		return 0, fmt.Errorf("glasso: the precision matrix at lambda %g is not positive definite: lower the tolerance",
			e.Lambda)
	}
	d := s.SymmetricDim()
	trace := 0.0
	for i := range d {
		trace += s.At(i, i) * e.Theta.At(i, i)
		for j := range i {
			trace += 2 * s.At(i, j) * e.Theta.At(i, j)
		}
	}
	return (chol.LogDet() - trace) / 2, nil
}

// ChooseEBIC estimates the graphical lasso with each penalty of a descending grid. It returns the
// estimate with the smallest extended Bayesian information criterion (Foygel and Drton, NIPS 2010):
//
//	EBIC = -2 n l + |E| log n + 4 gamma |E| log d.
//
// l is the log-likelihood per row, |E| the number of edges, and d the number of variables. s is the
// covariance of n rows. Ties go to the sparsest estimate. gamma = 0 gives BIC.
func ChooseEBIC(ctx context.Context, s mat.Symmetric, n int, grid []float64, gamma float64,
	o Options) (*Estimate, error) {
	var best, last *Estimate // last: start for the next penalty
	least := math.Inf(1)
	for _, lambda := range grid {
		e, err := Fit(ctx, s, lambda, o, last)
		if err != nil {
			return nil, err
		}
		l, err := e.LogLikelihood(s)
		if err != nil {
			return nil, err
		}
		edgePenalty := math.Log(float64(n)) + 4*gamma*math.Log(float64(s.SymmetricDim()))
		if ebic := -2*float64(n)*l + float64(e.Edges())*edgePenalty; ebic < least {
			best, least = e, ebic
		}
		last = e
	}
	return best, nil
}

// ChooseCV chooses the penalty of a descending grid that maximises the log-likelihood of held-out
// rows. It returns the graphical lasso estimate from all rows. Ties go to the larger penalty.
//
// fold[i] is the fold of row i, from 0 to k-1. The argument ridge is added to the diagonal of each
// covariance.
func ChooseCV(ctx context.Context, columns [][]float64, ridge float64, fold []int, k int, grid []float64,
	o Options) (*Estimate, error) {
	heldOut := make([]float64, len(grid))
	for f := range k {
		test, train := split(columns, fold, f)
		if len(test[0]) == 0 || len(train[0]) == 0 {
			return nil, fmt.Errorf("glasso: fold %d of %d leaves no rows for training or for testing: use fewer folds",
				f+1, k)
		}
		if err := addHeldOut(ctx, heldOut, test, train, ridge, grid, o); err != nil {
			return nil, err
		}
	}
	return Fit(ctx, Covariance(columns, ridge), grid[floats.MaxIdx(heldOut)], o, nil)
}

// addHeldOut fits the graphical lasso to the training rows with each penalty grid[g]. It adds the
// log-likelihood of the test rows to sums[g]. train[j] and test[j] are the values of column j.
func addHeldOut(ctx context.Context, sums []float64, test, train [][]float64, ridge float64, grid []float64,
	o Options) error {
	mean := Means(train)
	trainCovariance, testCovariance := scatter(train, mean, ridge), scatter(test, mean, ridge)
	testRows := float64(len(test[0]))
	var last *Estimate // start for the next penalty
	for g, lambda := range grid {
		e, err := Fit(ctx, trainCovariance, lambda, o, last)
		if err != nil {
			return err
		}
		perRow, err := e.LogLikelihood(testCovariance)
		if err != nil {
			return err
		}
		sums[g] += testRows * perRow
		last = e
	}
	return nil
}

// Covariance returns the covariance of the columns, with divisor n and ridge added to its diagonal.
func Covariance(columns [][]float64, ridge float64) *mat.SymDense {
	return scatter(columns, Means(columns), ridge)
}

// split separates the rows of fold f from the other rows, keeping all columns.
func split(columns [][]float64, fold []int, f int) (inside, outside [][]float64) {
	inside, outside = make([][]float64, len(columns)), make([][]float64, len(columns))
	for j, x := range columns {
		for i, v := range x {
			if fold[i] == f {
				inside[j] = append(inside[j], v)
			} else {
				outside[j] = append(outside[j], v)
			}
		}
	}
	return inside, outside
}

// Means returns the mean of each column.
func Means(columns [][]float64) []float64 {
	m := make([]float64, len(columns))
	for j, x := range columns {
		m[j] = stat.Mean(x, nil)
	}
	return m
}

// scatter returns the second moments of the columns about mean, with divisor n and ridge added to the
// diagonal.
func scatter(columns [][]float64, mean []float64, ridge float64) *mat.SymDense {
	d, n := len(columns), len(columns[0])
	centred := mat.NewDense(d, n, nil)
	for j, x := range columns {
		row := centred.RawRowView(j)
		for i, v := range x {
			row[i] = v - mean[j]
		}
	}
	s := mat.NewSymDense(d, nil)
	s.SymOuterK(1/float64(n), centred)
	for j := range d {
		s.SetSym(j, j, s.At(j, j)+ridge)
	}
	return s
}
