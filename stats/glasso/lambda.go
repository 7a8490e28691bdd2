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
		return 0, fmt.Errorf("glasso: the precision at lambda %g is not positive definite; lower the tolerance", e.Lambda)
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
func ChooseEBIC(ctx context.Context, s mat.Symmetric, n int, grid []float64, gamma float64, o Options) (*Estimate, error) {
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

// ChooseCV returns the estimate on the covariance of all rows of x (n x d) at
// the grid's penalty with the largest held-out log-likelihood, summed over the
// folds 0..k-1; fold[i] is the fold of row i. The sparsest wins a tie.
func ChooseCV(ctx context.Context, x *mat.Dense, fold []int, k int, grid []float64, o Options) (*Estimate, error) {
	held := make([]float64, len(grid))
	for f := range k {
		inside, outside := splitRows(x, fold, f)
		if inside == nil || outside == nil {
			return nil, fmt.Errorf("glasso: fold %d of %d leaves no rows on one side; use fewer folds", f+1, k)
		}
		mean := columnMeans(outside)
		s := scatter(outside, mean)
		test := scatter(inside, mean)
		rows, _ := inside.Dims()
		var last *Estimate
		for g, lambda := range grid {
			e, err := Fit(ctx, s, lambda, o, last)
			if err != nil {
				return nil, err
			}
			l, err := e.LogLikelihood(test)
			if err != nil {
				return nil, err
			}
			held[g] += float64(rows) * l
			last = e
		}
	}
	best := 0
	for g, l := range held {
		if l > held[best] {
			best = g
		}
	}
	return Fit(ctx, scatter(x, columnMeans(x)), grid[best], o, nil)
}

func splitRows(x *mat.Dense, fold []int, f int) (inside, outside *mat.Dense) {
	_, d := x.Dims()
	var in, out []float64
	for i, g := range fold {
		if g == f {
			in = append(in, x.RawRowView(i)...)
		} else {
			out = append(out, x.RawRowView(i)...)
		}
	}
	if len(in) == 0 || len(out) == 0 {
		return nil, nil
	}
	return mat.NewDense(len(in)/d, d, in), mat.NewDense(len(out)/d, d, out)
}

func columnMeans(x *mat.Dense) []float64 {
	_, d := x.Dims()
	mean := make([]float64, d)
	for j := range mean {
		mean[j] = stat.Mean(mat.Col(nil, j, x), nil)
	}
	return mean
}

// scatter returns the second moments of x about mean, divisor n.
func scatter(x *mat.Dense, mean []float64) *mat.SymDense {
	n, d := x.Dims()
	centred := mat.NewDense(n, d, nil)
	centred.Apply(func(_, j int, v float64) float64 { return v - mean[j] }, x)
	s := mat.NewSymDense(d, nil)
	s.SymOuterK(1/float64(n), centred.T())
	return s
}
