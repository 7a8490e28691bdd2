// Package glasso estimates sparse Gaussian graphical models. It contains the graphical lasso, the
// choice of its penalty, and the nonparanormal transform for margins of any shape.
//
// Given the d x d sample covariance S and a penalty lambda >= 0, the graphical lasso maximises over
// positive definite Theta
//
//	log det Theta - tr(S Theta) - lambda * sum_{i != j} |Theta_ij|  [- lambda * sum_i Theta_ii]
//
// The term in brackets applies if the diagonal is penalised. W = Theta^-1 is the solution if and only if it
// satisfies the Karush-Kuhn-Tucker conditions
//
//	W_ii = S_ii [+ lambda],  W_ij - S_ij = lambda sign(Theta_ij) where Theta_ij != 0,
//	|W_ij - S_ij| <= lambda where Theta_ij = 0.
//
// Sources: Friedman, Hastie and Tibshirani, Biostatistics 9 (2008) 432-441. Witten, Friedman and
// Simon, J. Comput. Graph. Stat. 20 (2011), for the division into blocks.
package glasso

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// Options configure the solver.
type Options struct {
	PenalizeDiagonal bool    // add lambda to the diagonal of W
	Tolerance        float64 // stop when a sweep changes W by less than this times the mean |S_ij|, i != j
}

// DefaultOptions returns the default options of the R package glasso.
func DefaultOptions() Options {
	return Options{PenalizeDiagonal: true, Tolerance: 1e-4}
}

// An Estimate is the solution of the graphical lasso for one penalty.
type Estimate struct {
	Lambda float64
	W      *mat.SymDense // covariance
	Theta  *mat.SymDense // precision; exactly zero where the graph has no edge
}

// Fit returns the graphical lasso estimate for the sample covariance s and the penalty lambda. The
// argument start may be nil. A good start saves time but does not change the solution.
//
// Fit returns an error if it does not converge, or if lambda is too small for linearly dependent
// variables. A constant variable is an error if the diagonal is not penalised.
func Fit(ctx context.Context, s mat.Symmetric, lambda float64, o Options, start *Estimate) (*Estimate, error) {
	d := s.SymmetricDim()
	e := &Estimate{Lambda: lambda, W: mat.NewSymDense(d, nil), Theta: mat.NewSymDense(d, nil)}
	// The solution is block diagonal.
	for _, variables := range components(s, lambda) {
		b := newBlock(s, variables, lambda, o)
		for a, i := range variables {
			variance := b.w[a*len(variables)+a] // the diagonal element of W for variable i
			if !(variance > 0) {
				return nil, fmt.Errorf("glasso: variable %d is constant: penalise the diagonal or remove the variable",
					i+1)
			}
		}
		b.startFrom(start, variables)
		if err := b.solve(ctx, o); err != nil {
			return nil, err
		}
		if err := b.store(e, variables); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// components returns the connected components of the graph in which variables i and j share an edge
// if |s_ij| > lambda. Variables and components are in ascending order.
func components(s mat.Symmetric, lambda float64) [][]int {
	p := stats.NewPartition(s.SymmetricDim())
	for i := range p {
		for j := range i {
			if math.Abs(s.At(i, j)) > lambda {
				p.Join(i, j)
			}
		}
	}
	return stats.Grouped(stats.Indices(len(p)), p.Smallest)
}
