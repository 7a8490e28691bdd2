package glasso

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Grid returns count penalties, equally spaced in the logarithm, from the
// smallest that leaves no edge, max |s_ij| over i != j, down to ratio times it.
// It is {0} when every off-diagonal entry is zero.
func Grid(s mat.Symmetric, count int, ratio float64) []float64 {
	if count < 1 || ratio <= 0 || ratio > 1 {
		panic(fmt.Sprintf("glasso: grid of %d penalties with ratio %v", count, ratio))
	}
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

// Edges returns the number of non-zero entries above the diagonal of Theta.
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

// Neighbours returns for every variable the others that Theta ties it to, ascending.
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

// LogLikelihood returns the Gaussian log-likelihood, per row and without the
// constant -d/2 log(2 pi), of data with covariance s (divisor n) about the
// model's mean: (log det Theta - tr(s Theta))/2.
func (e *Estimate) LogLikelihood(s mat.Symmetric) (float64, error) {
	var chol mat.Cholesky
	if !chol.Factorize(e.Theta) {
		return 0, fmt.Errorf("glasso: the precision at lambda %g is not positive definite; lower the tolerance",
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

// ChooseEBIC fits every penalty of the grid (descending) to the covariance s of
// n rows and returns the estimate with the least extended Bayesian criterion
//
//	EBIC = -2 n l + |E| log n + 4 gamma |E| log d
//
// (Foygel, Drton, NIPS 2010); gamma = 0 is BIC. The sparsest wins a tie.
func ChooseEBIC(ctx context.Context, s mat.Symmetric, n int, grid []float64, gamma float64,
	o Options) (*Estimate, error) {
	var best, last *Estimate
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
		price := math.Log(float64(n)) + 4*gamma*math.Log(float64(s.SymmetricDim()))
		if ebic := -2*float64(n)*l + float64(e.Edges())*price; ebic < least {
			best, least = e, ebic
		}
		last = e
	}
	return best, nil
}

// ChooseCV returns the estimate on all n rows of the d columns at the grid's
// penalty with the largest held-out log-likelihood, summed over the folds
// 0..k-1; fold[i] is the fold of row i. Every covariance gets the ridge. The
// sparsest wins a tie.
func ChooseCV(ctx context.Context, columns [][]float64, ridge float64, fold []int, k int, grid []float64,
	o Options) (*Estimate, error) {
	held := make([]float64, len(grid))
	for f := range k {
		test, train := split(columns, fold, f)
		rows := float64(len(test[0]))
		if len(test[0]) == 0 || len(train[0]) == 0 {
			return nil, fmt.Errorf("glasso: fold %d of %d leaves no rows on one side; use fewer folds", f+1, k)
		}
		mean := means(train)
		s, target := scatter(train, mean, ridge), scatter(test, mean, ridge)
		var last *Estimate
		for g, lambda := range grid {
			e, err := Fit(ctx, s, lambda, o, last)
			if err != nil {
				return nil, err
			}
			l, err := e.LogLikelihood(target)
			if err != nil {
				return nil, err
			}
			held[g] += rows * l
			last = e
		}
	}
	best := 0
	for g, l := range held {
		if l > held[best] {
			best = g
		}
	}
	return Fit(ctx, Covariance(columns, ridge), grid[best], o, nil)
}

// Covariance returns the covariance, divisor n, of the columns, the ridge added
// to its diagonal.
func Covariance(columns [][]float64, ridge float64) *mat.SymDense {
	return scatter(columns, means(columns), ridge)
}

// split returns the columns of the rows in fold f and of the others.
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

func means(columns [][]float64) []float64 {
	m := make([]float64, len(columns))
	for j, x := range columns {
		m[j] = stat.Mean(x, nil)
	}
	return m
}

// scatter returns the second moments of the columns about mean, divisor n.
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
