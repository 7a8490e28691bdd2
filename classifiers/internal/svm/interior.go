package svm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// interior solves the problem of LinearSolver by Mehrotra's predictor-corrector
// method: some twenty Newton steps of O(n d^2), however many rows end between
// the bounds or at C, which is what slows working sets down.
//
// With multipliers z, s >= 0 of alpha >= 0 and alpha <= C, the solution has
//
//	w = sum_i y_i alpha_i x_i,  y'alpha = 0,  z_i - s_i = y_i (<w,x_i> + bias) - 1,
//	z_i alpha_i = 0,  s_i (C - alpha_i) = 0.
//
// A Newton step on these equations, their last line relaxed to mu, leaves d+1
// unknowns once alpha, z and s are eliminated (Ferris and Munson, SIAM J. Optim.
// 13:783, 2003):
//
//	(diag(1,...,1,0) + X1' D^-1 X1) (dw, dbias) = rhs,  D = z/alpha + s/(C-alpha),
//
// X1 being x with a column of ones. A row and its one may be divided by a scale of
// its own (SolveScaled). Rows at C that are known beforehand may be kept out of x:
// then the sum of their y_i C (x_i, 1) is added to those of w and of y'alpha.
type interior struct {
	n, d        int
	x           *mat.Dense
	scales      []float64 // n, of the rows and their ones; nil for 1
	y           []float64
	c           float64
	fixed       []float64 // d+1: that sum; nil for 0
	v           []float64 // w, bias: d+1
	alpha, z, s []float64 // n each, alpha strictly between 0 and C

	normal []float64 // the matrix above
	block  []float64 // scratch: X1' D^(-1/2) of some rows, (d+1) x blockStride
	row    []float64 // scratch: n
}

const (
	interiorSteps = 100            // the largest number of Newton steps
	interiorGap   = 1e-8           // mean of z alpha and s (C - alpha) at which they end, in units of C
	shorten       = 0.99           // share of the way to the nearest bound that a step may go
	blockDepth    = 512            // rows whose products are added to the matrix at once
	blockStride   = blockDepth + 8 // no power of two, which would share few cache lines
)

// solveInterior returns an alpha near the solution, or nil if rounding stops
// the iteration before it gets there. Rows that end at a bound are put there.
func solveInterior(ctx context.Context, x *mat.Dense, y []float64, c float64) ([]float64, error) {
	p := newInterior(x, y, c)
	if done, err := p.run(ctx); !done || err != nil {
		return nil, err
	}
	return p.corner(), nil
}

func newInterior(x *mat.Dense, y []float64, c float64) *interior {
	n, d := x.Dims()
	p := &interior{n: n, d: d, x: x, y: y, c: c, v: make([]float64, d+1)}
	p.alpha, p.z, p.s = constant(n, c/2), constant(n, 1), constant(n, 1)
	p.normal, p.block, p.row = make([]float64, (d+1)*(d+1)), make([]float64, (d+1)*blockStride), make([]float64, n)
	return p
}

// run reports whether it came near the solution.
func (p *interior) run(ctx context.Context) (bool, error) {
	for range interiorSteps {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if p.gap() < interiorGap*p.c {
			return true, nil
		}
		if !p.step() {
			return false, nil
		}
	}
	return false, nil
}

func constant(n int, v float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// gap returns the mean of all z alpha and s (C - alpha).
func (p *interior) gap() float64 {
	sum := 0.0
	for i, a := range p.alpha {
		sum += p.z[i]*a + p.s[i]*(p.c-a)
	}
	return sum / float64(2*p.n)
}

// bounded returns alpha with every row at the bound whose multiplier is larger
// than the distance to it.
func (p *interior) bounded() []float64 {
	alpha := slices.Clone(p.alpha)
	for i, a := range alpha {
		if a < p.z[i] {
			alpha[i] = 0
		} else if p.c-a < p.s[i] {
			alpha[i] = p.c
		}
	}
	return alpha
}

// corner returns the bounded alpha with y'alpha = 0.
func (p *interior) corner() []float64 {
	alpha := p.bounded()
	excess := floats.Dot(p.y, alpha)
	if p.fixed != nil {
		excess += p.fixed[p.d]
	}
	for _, free := range []bool{true, false} { // the free rows take it, if they can
		for i, a := range alpha {
			if free == (a > 0 && a < p.c) {
				alpha[i] = min(max(a-p.y[i]*excess, 0), p.c)
				excess -= p.y[i] * (a - alpha[i])
			}
		}
	}
	return alpha
}

// direction is a change of v, alpha, z and s.
type direction struct{ v, alpha, z, s []float64 }

// step makes one predictor-corrector step. It returns false when the matrix is
// no longer positive definite to rounding.
func (p *interior) step() bool {
	inverse := make([]float64, p.n) // of D
	for i, a := range p.alpha {
		inverse[i] = 1 / (p.z[i]/a + p.s[i]/(p.c-a))
	}
	cholesky, ok := p.factorise(inverse)
	if !ok {
		return false
	}
	// Residuals of w and y'alpha, and of the line with the margins.
	residual := make([]float64, p.d+1)
	ya := make([]float64, p.n)
	floats.MulTo(ya, p.y, p.alpha)
	p.combine(ya, residual)
	if p.fixed != nil {
		floats.Add(residual, p.fixed)
	}
	for j := range p.d {
		residual[j] -= p.v[j]
	}
	margin := make([]float64, p.n)
	p.decide(p.v, margin)
	for i, y := range p.y {
		margin[i] = 1 - y*margin[i] + p.z[i] - p.s[i]
	}
	// Predictor: straight to the solution. Corrector: with the products that the
	// predictor would leave, and a mu that follows from its success.
	zero := make([]float64, p.n)
	mu := p.gap()
	affine := p.solve(cholesky, inverse, residual, margin, zero, zero, 0)
	t := p.longest(affine)
	ahead := 0.0
	curveZ, curveS := make([]float64, p.n), make([]float64, p.n)
	for i, a := range p.alpha {
		da := t * affine.alpha[i]
		ahead += (p.z[i]+t*affine.z[i])*(a+da) + (p.s[i]+t*affine.s[i])*(p.c-a-da)
		curveZ[i], curveS[i] = affine.z[i]*affine.alpha[i], -affine.s[i]*affine.alpha[i]
	}
	ahead /= float64(2 * p.n)
	to := p.solve(cholesky, inverse, residual, margin, curveZ, curveS, mu*math.Pow(ahead/mu, 3))
	t = min(1, shorten*p.longest(to))
	floats.AddScaled(p.v, t, to.v)
	floats.AddScaled(p.alpha, t, to.alpha)
	floats.AddScaled(p.z, t, to.z)
	floats.AddScaled(p.s, t, to.s)
	return !math.IsNaN(floats.Sum(p.v))
}

// combine sets to = X1' from.
func (p *interior) combine(from, to []float64) {
	if p.scales != nil {
		from = floats.DivTo(p.row, from, p.scales)
	}
	p.gemv(blas.Trans, from, to[:p.d])
	to[p.d] = floats.Sum(from)
}

// decide sets to = X1 from.
func (p *interior) decide(from, to []float64) {
	p.gemv(blas.NoTrans, from[:p.d], to)
	floats.AddConst(from[p.d], to)
	if p.scales != nil {
		floats.Div(to, p.scales)
	}
}

func (p *interior) gemv(t blas.Transpose, from, to []float64) {
	blas64.Gemv(t, 1, p.x.RawMatrix(), vector(from), 0, vector(to))
}

// factorise returns the Cholesky factor of diag(1,...,1,0) + X1' D^-1 X1. A block
// of rows at a time is transposed and scaled, so that x need not lie in memory
// twice.
func (p *interior) factorise(inverse []float64) (blas64.Triangular, bool) {
	m := p.d + 1
	clear(p.normal)
	for j := range p.d {
		p.normal[j*m+j] = 1
	}
	for from := 0; from < p.n; from += blockDepth {
		rows := min(blockDepth, p.n-from)
		p.transpose(from, rows, inverse)
		vecmath.AddGram(p.normal, m, p.block, blockStride, rows)
	}
	return lapack64.Potrf(blas64.Symmetric{N: m, Stride: m, Data: p.normal, Uplo: blas.Upper})
}

// transpose writes the rows from..from+rows-1 of D^(-1/2) X1 to the block, as columns:
// column j of X1 becomes row j of the block.
func (p *interior) transpose(from, rows int, inverse []float64) {
	for r := range rows {
		i := from + r
		root := math.Sqrt(inverse[i])
		if p.scales != nil {
			root /= p.scales[i]
		}
		for j, v := range p.x.RawRowView(i)[:p.d] {
			p.block[j*blockStride+r] = v * root
		}
		p.block[p.d*blockStride+r] = root
	}
}

// solve returns the Newton direction for products z alpha + curveZ and
// s (C - alpha) + curveS that are to become mu.
func (p *interior) solve(cholesky blas64.Triangular, inverse, residual, margin, curveZ, curveS []float64,
	mu float64) direction {
	to := direction{make([]float64, p.d+1), make([]float64, p.n), make([]float64, p.n), make([]float64, p.n)}
	g, yg := make([]float64, p.n), make([]float64, p.n)
	for i, a := range p.alpha {
		to.z[i] = (mu-curveZ[i])/a - p.z[i] // without the part of d alpha
		to.s[i] = (mu-curveS[i])/(p.c-a) - p.s[i]
		g[i] = margin[i] + to.z[i] - to.s[i]
		yg[i] = p.y[i] * g[i] * inverse[i]
	}
	p.combine(yg, to.v)
	floats.Add(to.v, residual)
	lapack64.Potrs(cholesky, blas64.General{Rows: p.d + 1, Cols: 1, Stride: 1, Data: to.v})
	change := make([]float64, p.n) // <dw, x_i> + dbias
	p.decide(to.v, change)
	for i, a := range p.alpha {
		to.alpha[i] = inverse[i] * (g[i] - p.y[i]*change[i])
		to.z[i] -= p.z[i] / a * to.alpha[i]
		to.s[i] += p.s[i] / (p.c - a) * to.alpha[i]
	}
	return to
}

// longest returns the largest step at which nothing leaves its bounds, at most
// 1/shorten.
func (p *interior) longest(to direction) float64 {
	t := 1 / shorten
	for i, a := range p.alpha {
		if to.alpha[i] < 0 {
			t = min(t, -a/to.alpha[i])
		} else if to.alpha[i] > 0 {
			t = min(t, (p.c-a)/to.alpha[i])
		}
		if to.z[i] < 0 {
			t = min(t, -p.z[i]/to.z[i])
		}
		if to.s[i] < 0 {
			t = min(t, -p.s[i]/to.s[i])
		}
	}
	return t
}

// vector returns contiguous elements as a vector of BLAS.
func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
