package glasso

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// A block is the problem of one connected component with p variables. Matrices are row-major.
//
// Given the rest of W, column j of W is the solution of the lasso
//
//	min_beta 1/2 beta' W_11 beta - beta' s_12 + lambda |beta|_1,   w_12 = W_11 beta,
//
// where 11 means without row and column j, and 12 column j without its diagonal.
type block struct {
	p      int
	lambda float64
	s, w   []float64 // p x p, symmetric: the covariance and its estimate W
	beta   []float64 // p x p; row j has the coefficients of column j, beta_jj = 0
}

// newBlock returns the problem of the given rows and columns of s, with W = S, plus lambda on the
// diagonal if it is penalised.
func newBlock(s interface{ At(i, j int) float64 }, rows []int, lambda float64, o Options) *block {
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

// warm takes the coefficients from an estimate, if there is one: beta = -theta_12/theta_jj. W does not
// start from that estimate, as the W of another penalty need not be feasible.
func (b *block) warm(start *Estimate, rows []int) {
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

// solve sweeps over the columns until no column of W changes by more than the tolerance on average.
func (b *block) solve(ctx context.Context, o Options) error {
	p := b.p
	if p == 1 {
		return nil
	}
	var off float64 // sum of the absolute off-diagonal entries of S
	for i, v := range b.s {
		if i/p != i%p {
			off += math.Abs(v)
		}
	}
	stop := o.Tolerance * off / float64(p*(p-1)) // largest mean change of the entries of a column
	g := make([]float64, p)
	for sweep := range o.MaxSweeps {
		var largest float64
		for j := range p {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			largest = max(largest, b.column(j, stop/float64(p), g))
		}
		if largest <= stop && sweep > 0 {
			return nil
		}
	}
	return fmt.Errorf("glasso: no convergence in %d sweeps at lambda %g; raise the sweeps, the tolerance or lambda",
		o.MaxSweeps, b.lambda)
}

// column solves the lasso of column j, stores w_12 = W_11 beta and returns its mean absolute change.
// Coordinate descent stops at changes of at most inner. g is scratch of length p.
func (b *block) column(j int, inner float64, g []float64) float64 {
	p := b.p
	beta := b.beta[j*p : (j+1)*p]
	copy(g, b.s[j*p:(j+1)*p])
	for k, v := range beta { // g becomes the gradient s_12 - W_11 beta
		if v != 0 {
			floats.AddScaled(g, -v, b.w[k*p:(k+1)*p])
		}
	}
	// A pass over all coordinates finds the active ones, passes over these converge. The last pass is
	// over all coordinates again.
	for all := true; ; {
		converged := b.descend(j, all, g) <= inner
		if converged && all {
			break
		}
		all = converged
	}
	var change float64
	for k := range p {
		if k == j {
			continue
		}
		v := b.s[j*p+k] - g[k] // entry k of W_11 beta
		change += math.Abs(v - b.w[j*p+k])
		b.w[j*p+k], b.w[k*p+j] = v, v
	}
	return change / float64(p-1)
}

// descend makes one pass of coordinate descent for column j, over all coordinates or those that are not 0,
// and updates the gradient g. It returns the largest change, in units of the gradient.
func (b *block) descend(j int, all bool, g []float64) (largest float64) {
	p := b.p
	beta := b.beta[j*p : (j+1)*p]
	for k := range p {
		if k == j || (!all && beta[k] == 0) {
			continue
		}
		wkk := b.w[k*p+k]
		step := softThreshold(g[k]+wkk*beta[k], b.lambda)/wkk - beta[k]
		if step == 0 {
			continue
		}
		beta[k] += step
		floats.AddScaled(g, -step, b.w[k*p:(k+1)*p])
		largest = max(largest, math.Abs(wkk*step))
	}
	return largest
}

// store copies W and Theta of the block into an estimate, at the given rows and columns. With
//
//	theta_jj = 1/(w_jj - w_12' beta),   theta_12 = -beta theta_jj,
//
// the two values of an off-diagonal entry of Theta differ by the tolerance; their mean is stored.
func (b *block) store(e *Estimate, rows []int) error {
	p := b.p
	theta := make([]float64, p*p)
	for j := range p {
		residual := b.w[j*p+j]
		for k := range p {
			residual -= b.w[j*p+k] * b.beta[j*p+k]
		}
		if !(residual > 0) {
			return fmt.Errorf("glasso: variable %d is a combination of others at lambda %g; raise lambda",
				rows[j]+1, b.lambda)
		}
		for k := range p {
			theta[j*p+k] = -b.beta[j*p+k] / residual
		}
		theta[j*p+j] = 1 / residual
	}
	for a, i := range rows {
		for c := a; c < p; c++ {
			e.W.SetSym(i, rows[c], b.w[a*p+c])
			e.Theta.SetSym(i, rows[c], (theta[a*p+c]+theta[c*p+a])/2)
		}
	}
	return nil
}

// softThreshold moves x towards zero by t.
func softThreshold(x, t float64) float64 {
	switch {
	case x > t:
		return x - t
	case x < -t:
		return x + t
	}
	return 0
}
