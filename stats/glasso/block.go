package glasso

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// A block is the graphical lasso problem for one connected component of the graph, with p
// variables. It estimates a covariance matrix W from the sample covariance S. All matrices are
// row-major.
//
// Let s_12 and w_12 be column j of S and W, without the diagonal entry. Let W_11 be W without row
// and column j. The solution satisfies w_12 = W_11 beta, where beta minimises
//
//	1/2 beta' W_11 beta - beta' s_12 + lambda |beta|_1.
type block struct {
	p      int
	lambda float64
	s, w   []float64 // p x p, symmetric: the sample covariance S and the estimate W
	beta   []float64 // p x p; row j contains the coefficients of column j, with beta_jj = 0
}

// newBlock returns the block for the given rows and columns of the sample covariance s. W starts as
// this covariance, plus lambda on a penalised diagonal.
func newBlock(s mat.Symmetric, rows []int, lambda float64, o Options) *block {
	p := len(rows)
	b := &block{p: p, lambda: lambda, s: make([]float64, p*p), w: make([]float64, p*p), beta: make([]float64, p*p)}
	for a, i := range rows {
		for c, j := range rows {
			b.s[a*p+c] = s.At(i, j)
		}
	}
	copy(b.w, b.s)
	if o.PenalizeDiagonal {
		for a := range p {
			b.w[a*p+a] += lambda
		}
	}
	return b
}

// startFrom computes b.beta from an earlier estimate, unless start is nil. rows contains the
// variables of the block.
//
// It does not copy start.W, which may violate |W_ij - S_ij| <= lambda for the penalty of b.
func (b *block) startFrom(start *Estimate, rows []int) {
	if start == nil {
		return
	}
	for a, i := range rows {
		for c, j := range rows {
			if a != c {
				b.beta[a*b.p+c] = -start.Theta.At(i, j) / start.Theta.At(i, i)
			}
		}
	}
}

// maxSweeps is the largest number of sweeps over the columns, as in the R package glasso.
const maxSweeps = 10_000

// solve computes W by sweeps over its columns. It stops when the mean absolute change of each
// column is at most o.Tolerance times the mean absolute off-diagonal element of S. It fails after
// maxSweeps sweeps.
func (b *block) solve(ctx context.Context, o Options) error {
	p := b.p
	if p == 1 {
		return nil
	}
	stop := o.Tolerance * b.absoluteOffDiagonal() / float64(p*(p-1)) // accepted change of a column
	inner := stop / float64(p)                                       // accepted change of a coordinate
	scratch := make([]float64, p)
	for sweep := range maxSweeps {
		var largest float64
		for j := range p {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			change := b.updateColumn(j, inner, scratch)
			largest = max(largest, change)
		}
		// Small changes in the first sweep, which mixes columns with the initial W, do not prove
		// convergence.
		if largest <= stop && sweep > 0 {
			return nil
		}
	}
	return fmt.Errorf("glasso: did not converge in %d sweeps at lambda %g: raise the tolerance or lambda",
		maxSweeps, b.lambda)
}

// absoluteOffDiagonal returns the sum of the absolute off-diagonal entries of S.
func (b *block) absoluteOffDiagonal() (sum float64) {
	for i, v := range b.s {
		if row, column := i/b.p, i%b.p; row != column {
			sum += math.Abs(v)
		}
	}
	return sum
}

// updateColumn computes column j of W from all other columns (see block). It returns the mean
// absolute change.
//
// Coordinate descent stops after a pass over all coordinates in which descend returns at most
// limit. g is scratch memory of length p.
func (b *block) updateColumn(j int, limit float64, g []float64) float64 {
	b.setGradient(j, g)
	// After each slow pass over all coordinates, faster passes over the nonzero ones follow until
	// they converge.
	for b.descend(j, allCoordinates, g) > limit {
		for b.descend(j, !allCoordinates, g) > limit {
			continue
		}
	}
	return b.setColumn(j, g)
}

// setGradient sets g to the negative gradient s_12 - W_11 beta of column j, without the penalty.
// g[j] is not used.
func (b *block) setGradient(j int, g []float64) {
	p := b.p
	copy(g, b.s[j*p:(j+1)*p])
	for k, v := range b.beta[j*p : (j+1)*p] {
		if v != 0 {
			floats.AddScaled(g, -v, b.w[k*p:(k+1)*p])
		}
	}
}

// setColumn sets column j and row j of W to W_11 beta, given the negative gradient g = s_12 - W_11
// beta. It returns the mean absolute change.
func (b *block) setColumn(j int, g []float64) float64 {
	p := b.p
	var change float64
	for k := range p {
		if k == j {
			continue
		}
		v := b.s[j*p+k] - g[k]
		change += math.Abs(v - b.w[j*p+k])
		b.w[j*p+k], b.w[k*p+j] = v, v
	}
	return change / float64(p-1)
}

const allCoordinates = true

// descend performs one pass of coordinate descent over the coefficients beta of column j. If
// withZeros is false, it skips coefficients that are 0.
//
// g is the negative gradient s_12 - W_11 beta, which descend updates. A step of coefficient k
// changes g[k]. The result is the largest absolute value of these changes.
func (b *block) descend(j int, withZeros bool, g []float64) (largest float64) {
	p := b.p
	beta := b.beta[j*p : (j+1)*p]
	for k := range p {
		if k == j || (!withZeros && beta[k] == 0) { // column j has no coefficient for itself
			continue
		}
		wkk := b.w[k*p+k]
		// Soft thresholding gives the best beta[k], given all other coefficients.
		step := stats.SoftThreshold(g[k]+wkk*beta[k], b.lambda)/wkk - beta[k]
		if step == 0 {
			continue
		}
		beta[k] += step
		floats.AddScaled(g, -step, b.w[k*p:(k+1)*p])
		largest = max(largest, math.Abs(wkk*step))
	}
	return largest
}

// store copies W and Theta = W^-1 to the given rows and columns of an estimate.
//
// Let theta_12 be column j of Theta without the diagonal entry theta_jj. It follows from the lasso
// coefficients beta of this column:
//
//	theta_jj = 1/(w_jj - w_12' beta),   theta_12 = -beta theta_jj.
//
// Elements (j,k) and (k,j) of Theta may differ slightly, and are replaced with their mean.
func (b *block) store(e *Estimate, rows []int) error {
	p := b.p
	theta := make([]float64, p*p)
	for j := range p {
		residual := b.w[j*p+j]
		for k := range p { // including k = j, since beta_jj = 0
			residual -= b.w[j*p+k] * b.beta[j*p+k]
		}
		if !(residual > 0) {
			return fmt.Errorf("glasso: within rounding, variable %d is a linear combination of other variables "+
				"at lambda %g: raise lambda", rows[j]+1, b.lambda)
		}
		for k := range p {
			theta[j*p+k] = -b.beta[j*p+k] / residual
		}
		theta[j*p+j] = 1 / residual
	}
	for a, i := range rows { // i is the index in the estimate, and a in the block
		for c := a; c < p; c++ {
			e.W.SetSym(i, rows[c], b.w[a*p+c])
			e.Theta.SetSym(i, rows[c], (theta[a*p+c]+theta[c*p+a])/2)
		}
	}
	return nil
}
