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

// interior solves the problem of LinearSolver by Mehrotra's predictor-corrector method. This takes
// about twenty Newton steps of O(n d^2) each. Let z, s >= 0 be the multipliers of the bounds alpha
// >= 0 and alpha <= C. The solution satisfies
//
//	w = sum_i y_i alpha_i x_i,  y'alpha = 0,  z_i - s_i = y_i (<w,x_i> + bias) - 1,
//	z_i alpha_i = 0,  s_i (C - alpha_i) = 0.
//
// A Newton step replaces the zeros of the last line by a small, decreasing mu > 0. Eliminating
// alpha, z and s leaves d+1 unknowns (Ferris and Munson, SIAM J. Optim. 13:783, 2003):
//
//	(diag(1,...,1,0) + X1' D^-1 X1) (dw, dbias) = rhs,  D = z/alpha + s/(C-alpha),
//
// where X1 is x with an additional column of ones. Rows that end at 0 or C may be left out of x.
type interior struct {
	n, d        int
	x           *mat.Dense
	scales      []float64 // row i of X1 is divided by scales[i] (SolveScaled); nil: by 1
	y           []float64
	c           float64   // the cost C
	fixed       []float64 // sum of y_i C (x_i, 1) over the rows that are left out, d+1 values; nil: 0
	v           []float64 // w and then the bias, d+1 values
	alpha, z, s []float64 // n each; alpha lies strictly between 0 and C
}

const (
	interiorSteps = 100            // largest number of Newton steps
	interiorGap   = 1e-8           // the iteration ends if the gap is below interiorGap times C
	shorten       = 0.99           // a step goes at most this share of the way to the nearest bound
	blockDepth    = 512            // number of rows whose products are added to the matrix at once
	blockStride   = blockDepth + 8 // a power of two would map all rows to a few cache sets
)

// solveInterior returns the result of roundedAlpha for the linear problem, or nil if the interior
// point method does not converge.
func solveInterior(ctx context.Context, x *mat.Dense, y []float64, c float64) ([]float64, error) {
	p := newInterior(x, y, c)
	if done, err := p.run(ctx); !done || err != nil {
		return nil, err
	}
	return p.roundedAlpha(), nil
}

// newInterior returns the problem of a linear support vector machine for the n rows of x with
// labels y and cost c. The starting point is w = 0, bias = 0, alpha = C/2 and multipliers of 1.
func newInterior(x *mat.Dense, y []float64, c float64) *interior {
	n, d := x.Dims()
	return &interior{
		n:     n,
		d:     d,
		x:     x,
		y:     y,
		c:     c,
		v:     make([]float64, d+1),
		alpha: slices.Repeat([]float64{c / 2}, n),
		z:     slices.Repeat([]float64{1}, n),
		s:     slices.Repeat([]float64{1}, n),
	}
}

// run takes Newton steps until the gap is below interiorGap times C, and reports success.
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

// gap returns the mean of the 2n products z_i alpha_i and s_i (C - alpha_i), which are all 0 at the
// solution.
func (p *interior) gap() float64 {
	sum := 0.0
	for i, a := range p.alpha {
		sum += p.z[i]*a + p.s[i]*(p.c-a)
	}
	return sum / float64(2*p.n)
}

// bounded returns a copy of alpha. If the distance of a value from a bound is smaller than the bound's
// multiplier, the copy contains the bound instead.
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

// roundedAlpha returns an alpha near the solution that satisfies 0 <= alpha_i <= C and y'alpha = 0.
// The sum y'alpha, called the excess, includes the rows that are left out of x.
func (p *interior) roundedAlpha() []float64 {
	alpha := p.bounded()
	excess := floats.Dot(p.y, alpha)
	if p.fixed != nil {
		excess += p.fixed[p.d]
	}
	excess = p.reduce(alpha, excess, true)
	p.reduce(alpha, excess, false)
	return alpha
}

// reduce changes one alpha_i after another to reduce the excess (see roundedAlpha) to 0, and returns
// the remaining excess. It changes only values between the bounds if free is true, and otherwise
// only values at a bound.
func (p *interior) reduce(alpha []float64, excess float64, free bool) float64 {
	for i, a := range alpha {
		isFree := a > 0 && a < p.c
		if isFree != free {
			continue
		}
		y := p.y[i]
		alpha[i] = min(max(a-y*excess, 0), p.c) // the excess would become 0 without the bounds
		excess -= y * (a - alpha[i])
	}
	return excess
}

// direction is a change of the unknowns v (w and bias), alpha, z and s.
type direction struct{ v, alpha, z, s []float64 }

// system is the linear system of the Newton steps at the current point.
type system struct {
	cholesky     blas64.Triangular // Cholesky factor of the matrix
	inverseD     []float64         // D^-1, n values
	residual     []float64         // sum_i y_i alpha_i x_i - w, then y'alpha, d+1 values
	dualResidual []float64         // 1 - y_i (<w,x_i> + bias) + z_i - s_i, n values
}

// target contains the values that two products should have after a Newton step, in linear
// approximation: mu - curveZ_i for z_i alpha_i, and mu - curveS_i for s_i (C - alpha_i).
type target struct {
	mu             float64
	curveZ, curveS []float64 // second-order terms of the products (see corrected)
}

// step takes one predictor-corrector step. It changes p.v (the weights and the bias), the dual
// variables p.alpha, and the multipliers of the bounds: p.z of alpha >= 0 and p.s of alpha <= C. alpha
// stays strictly between its bounds, and z and s stay positive. step returns false if rounding errors
// make the matrix of the linear system indefinite or the new v NaN.
func (p *interior) step() bool {
	equations, ok := p.system()
	if !ok {
		return false
	}
	// The predictor aims at the solution, where all products z_i alpha_i and s_i (C-alpha_i) are 0. It
	// only serves to estimate the second-order terms of these products. The corrector subtracts these
	// terms and aims at products of mu > 0.
	zero := make([]float64, p.n)
	predictor := p.solve(equations, target{mu: 0, curveZ: zero, curveS: zero})
	corrector := p.solve(equations, p.corrected(predictor))
	length := min(1, shorten*p.longest(corrector)) // shorten < 1 keeps a distance from the bounds
	floats.AddScaled(p.v, length, corrector.v)
	floats.AddScaled(p.alpha, length, corrector.alpha)
	floats.AddScaled(p.z, length, corrector.z)
	floats.AddScaled(p.s, length, corrector.s)
	return !math.IsNaN(floats.Sum(p.v))
}

// system returns the linear system for the Newton steps at the current point. It returns false if
// the matrix
//
//	diag(1,...,1,0) + sum_i D_i^-1 (x_i,1)(x_i,1)',  D_i = z_i/alpha_i + s_i/(C-alpha_i)
//
// is not positive definite.
func (p *interior) system() (*system, bool) {
	inverseD := make([]float64, p.n)
	for i, a := range p.alpha {
		inverseD[i] = 1 / (p.z[i]/a + p.s[i]/(p.c-a))
	}
	cholesky, ok := p.factorise(inverseD)
	if !ok {
		return nil, false
	}
	return &system{cholesky, inverseD, p.residual(), p.dualResidual()}, true
}

// residual returns sum_i y_i alpha_i (x_i, 1) - (w, 0), including p.fixed. It is 0 at the solution.
func (p *interior) residual() []float64 {
	r := make([]float64, p.d+1)
	p.combine(floats.MulTo(make([]float64, p.n), p.y, p.alpha), r)
	if p.fixed != nil {
		floats.Add(r, p.fixed)
	}
	floats.Sub(r[:p.d], p.v[:p.d])
	return r
}

// dualResidual returns 1 - y_i (<w,x_i> + bias) + z_i - s_i for each row, which is 0 at the
// solution.
func (p *interior) dualResidual() []float64 {
	r := make([]float64, p.n)
	p.decide(p.v, r)
	for i, y := range p.y {
		r[i] = 1 - y*r[i] + p.z[i] - p.s[i]
	}
	return r
}

// corrected returns the target of the corrector (see step). The full predictor step changes alpha, z
// and s by da, dz and ds. The products then become
//
//	(z+dz) (alpha+da)   = z alpha + z da + alpha dz + curveZ,            curveZ = dz da
//	(s+ds) (C-alpha-da) = s (C-alpha) - s da + (C-alpha) ds + curveS,    curveS = -ds da.
//
// mu is the value that each product should have after the corrector step, as proposed by Mehrotra.
// It is small if the longest possible predictor step already reduces their mean, the gap, a lot.
func (p *interior) corrected(predictor direction) target {
	q := target{curveZ: make([]float64, p.n), curveS: make([]float64, p.n)}
	for i, da := range predictor.alpha {
		q.curveZ[i] = predictor.z[i] * da
		q.curveS[i] = -predictor.s[i] * da
	}
	gap := p.gap()
	gapAhead := p.gapAfter(predictor, p.longest(predictor))
	q.mu = gap * math.Pow(gapAhead/gap, 3)
	return q
}

// gapAfter returns the gap (see the method gap) at the point after a step of length t in the given
// direction.
func (p *interior) gapAfter(to direction, t float64) float64 {
	sum := 0.0
	for i, a := range p.alpha {
		da := t * to.alpha[i]
		toZero, toC := a+da, p.c-a-da // distances of alpha_i from its bounds after the step
		sum += (p.z[i]+t*to.z[i])*toZero + (p.s[i]+t*to.s[i])*toC
	}
	return sum / float64(2*p.n)
}

// combine sets sum to X1' a.
func (p *interior) combine(a, sum []float64) {
	if p.scales != nil {
		a = floats.DivTo(make([]float64, p.n), a, p.scales)
	}
	blas64.Gemv(blas.Trans, 1, p.x.RawMatrix(), vector(a), 0, vector(sum[:p.d]))
	sum[p.d] = floats.Sum(a)
}

// decide sets decisions to X1 v, the decision values if v contains the weights w and then the bias.
func (p *interior) decide(v, decisions []float64) {
	blas64.Gemv(blas.NoTrans, 1, p.x.RawMatrix(), vector(v[:p.d]), 0, vector(decisions))
	floats.AddConst(v[p.d], decisions)
	if p.scales != nil {
		floats.Div(decisions, p.scales)
	}
}

// factorise returns the Cholesky factor of diag(1,...,1,0) + X1' D^-1 X1, or false if the matrix is
// not positive definite. It processes blocks of rows, which saves a second copy of x.
func (p *interior) factorise(inverseD []float64) (blas64.Triangular, bool) {
	m := p.d + 1
	normal, block := make([]float64, m*m), make([]float64, m*blockStride)
	for j := range p.d {
		normal[j*m+j] = 1
	}
	for from := 0; from < p.n; from += blockDepth {
		rows := min(blockDepth, p.n-from)
		p.transpose(block, from, rows, inverseD)
		vecmath.AddGram(normal, m, block, blockStride, rows)
	}
	return lapack64.Potrf(blas64.Symmetric{N: m, Stride: m, Data: normal, Uplo: blas.Upper})
}

// transpose stores the rows first..first+count-1 of the matrix D^(-1/2) X1 as columns of block. D is
// the diagonal matrix with elements 1/inverseD[i].
func (p *interior) transpose(block []float64, first, count int, inverseD []float64) {
	for r := range count {
		i := first + r
		root := math.Sqrt(inverseD[i])
		if p.scales != nil {
			root /= p.scales[i]
		}
		for j, v := range p.x.RawRowView(i)[:p.d] {
			block[j*blockStride+r] = v * root
		}
		block[p.d*blockStride+r] = root
	}
}

// solve returns a Newton direction: the changes dv, dalpha, dz and ds. With the fields mu, curveZ and
// curveS of aim, the direction solves
//
//	(1)  z dalpha + alpha dz = mu - curveZ - z alpha              for each row
//	(2)  -s dalpha + (C-alpha) ds = mu - curveS - s (C-alpha)     for each row
//	(3)  y X1 dv - dz + ds = q.dualResidual                       for each row
//	(4)  diag(1,...,1,0) dv - X1' y dalpha = q.residual.
//
// The rows of X1 are (x_i, 1). Solve (1) for dz and (2) for ds, insert both in (3), solve (3) for
// dalpha, and insert it in (4). Since y y = 1, this gives, with D = z/alpha + s/(C-alpha),
//
//	(1)  dz = fixedZ - z/alpha dalpha,          fixedZ = (mu - curveZ)/alpha - z
//	(2)  ds = fixedS + s/(C-alpha) dalpha,      fixedS = (mu - curveS)/(C-alpha) - s
//	(3)  dalpha = D^-1 (g - y X1 dv),           g = q.dualResidual + fixedZ - fixedS
//	(4)  (diag(1,...,1,0) + X1' D^-1 X1) dv = X1' D^-1 y g + q.residual.
func (p *interior) solve(q *system, aim target) direction {
	fixedZ, fixedS, g := make([]float64, p.n), make([]float64, p.n), make([]float64, p.n)
	weightedG := make([]float64, p.n) // D^-1 y g
	for i, a := range p.alpha {
		fixedZ[i] = (aim.mu-aim.curveZ[i])/a - p.z[i]
		fixedS[i] = (aim.mu-aim.curveS[i])/(p.c-a) - p.s[i]
		g[i] = q.dualResidual[i] + fixedZ[i] - fixedS[i]
		weightedG[i] = p.y[i] * g[i] * q.inverseD[i]
	}
	dv := p.solveNormal(q, weightedG) // (4)
	x1dv := make([]float64, p.n)      // X1 dv
	p.decide(dv, x1dv)
	dalpha, dz, ds := make([]float64, p.n), make([]float64, p.n), make([]float64, p.n)
	for i, a := range p.alpha {
		dalpha[i] = q.inverseD[i] * (g[i] - p.y[i]*x1dv[i]) // (3)
		dz[i] = fixedZ[i] - p.z[i]/a*dalpha[i]              // (1)
		ds[i] = fixedS[i] + p.s[i]/(p.c-a)*dalpha[i]        // (2)
	}
	return direction{dv, dalpha, dz, ds}
}

// solveNormal returns the solution dv of (diag(1,...,1,0) + X1' D^-1 X1) dv = X1' a + q.residual.
func (p *interior) solveNormal(q *system, a []float64) []float64 {
	dv := make([]float64, p.d+1)
	p.combine(a, dv)
	floats.Add(dv, q.residual) // Potrs replaces this right-hand side by the solution
	lapack64.Potrs(q.cholesky, blas64.General{Rows: p.d + 1, Cols: 1, Stride: 1, Data: dv})
	return dv
}

// longest returns the longest step for which alpha stays in [0, C], and z and s stay nonnegative.
// The result is at most 1/shorten, because the method step multiplies it by shorten.
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

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
