package svm

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"

	"copse/stats"
	"copse/stats/dataset"
)

// Pair steps, which move two rows, soon find the rows that end at a bound. But they are slow to
// balance the free rows (lo < b < hi). A Newton step moves all free rows at once.

// newton takes one Newton step towards the minimum of 1/2 b'Kb - y'b over the free rows. The step
// ends at the first bound, or at the minimum along the direction.
//
// If K cannot be factorised or no step lowers the objective, newton does nothing. If more than
// newtonRows rows are free, it acts only if a precise solution is wanted.
func (p *pairs) newton(free []int) {
	takesTooLong := len(free) > newtonRows && !p.precise
	if len(free) < 2 || takesTooLong { // one row cannot move, because the sum of b is constant
		return
	}
	delta, ok := p.direction(free) // delta[k] belongs to row free[k]
	if !ok {
		return
	}
	change := p.times(free, delta) // K delta
	best, ok := p.bestStep(free, delta, change)
	if !ok {
		return
	}
	step, blocked := p.firstBound(free, delta, best)
	for k, r := range free {
		p.setDual(r, min(max(p.b[r]+step*delta[k], p.lo[r]), p.hi[r]))
	}
	if blocked >= 0 { // rounding may have left this row's b slightly off its bound
		r := free[blocked]
		if delta[blocked] > 0 {
			p.setDual(r, p.hi[r])
		} else {
			p.setDual(r, p.lo[r])
		}
	}
	floats.AddScaled(p.f, -step, change) // keeps f = y - Kb, because setDual only changes b
	p.measureGap()
}

// bestStep returns the step along delta at which the objective is smallest,
//
//	f'delta / delta'K delta.
//
// The argument change is K delta. Without rounding errors, the step would be 1. If K is nearly
// singular, delta may be so wrong that no step lowers the objective. Then bestStep returns false.
func (p *pairs) bestStep(free []int, delta, change []float64) (step float64, ok bool) {
	var slope, curvature float64
	for k, r := range free {
		slope += p.f[r] * delta[k]
		curvature += change[r] * delta[k]
	}
	return slope / curvature, slope > 0 && curvature > 0
}

// free returns the rows whose b lies between its bounds.
func (p *pairs) free() []int {
	var free []int
	for r, b := range p.b {
		if b > p.lo[r] && b < p.hi[r] {
			free = append(free, r)
		}
	}
	return free
}

// times returns the product of the kernel matrix and the vector that is delta[k] in row free[k], and
// 0 in all other rows.
func (p *pairs) times(free []int, delta []float64) []float64 {
	change := make([]float64, p.m)
	for k, r := range free {
		floats.AddScaled(change, delta[k], p.kernel[r*p.m:(r+1)*p.m])
	}
	return change
}

// firstBound returns the largest step <= longest for which b + step*delta stays within its bounds.
// If a bound limits the step, free[blocked] is its row. Otherwise, blocked is -1.
func (p *pairs) firstBound(free []int, delta []float64, longest float64) (step float64, blocked int) {
	step, blocked = longest, -1
	for k, r := range free {
		room := p.hi[r] - p.b[r]
		if delta[k] < 0 {
			room = p.lo[r] - p.b[r]
		}
		if t := room / delta[k]; t < step { // 0/0 is NaN and does not limit the step
			step, blocked = t, k
		}
	}
	return step, blocked
}

// direction returns the Newton direction of the free rows,
//
//	delta = K^-1 (f - nu 1),  nu = 1'K^-1 f / 1'K^-1 1.
//
// The multiplier nu keeps the sum of delta 0. If K cannot be factorised, direction returns false.
func (p *pairs) direction(free []int) ([]float64, bool) {
	n := len(free)
	upper, ok := p.cholesky(free)
	if !ok {
		return nil, false
	}
	delta, solvedOnes := dataset.At(p.f, free), slices.Repeat([]float64{1}, n)
	solveTwo(upper, delta, solvedOnes) // delta = K^-1 f and solvedOnes = K^-1 1
	var sumDelta, sumOnes float64
	for a, v := range delta {
		sumDelta += v
		sumOnes += solvedOnes[a]
	}
	nu := sumDelta / sumOnes
	for a := range delta {
		delta[a] -= float64(nu * solvedOnes[a]) // float64 prevents a fused multiply-add
	}
	floats.AddConst(-floats.Sum(delta)/float64(n), delta) // makes sum delta = 0 despite rounding
	return delta, !math.IsNaN(floats.Sum(delta))
}

// cholesky returns the upper triangular Cholesky factor of K, the kernel matrix of the free rows. If
// K is not positive definite, cholesky returns false. If a precise solution is wanted, it first tries
// the factors of slightly different matrices.
func (p *pairs) cholesky(free []int) ([]float64, bool) {
	if !p.precise {
		const constant, ridge = 0, 0 // K itself
		return p.factorise(free, constant, ridge)
	}
	constant := 0.0 // largest diagonal element
	for _, r := range free {
		constant = max(constant, p.diag[r])
	}
	// K may be singular: in a linear problem with d columns, its rank is at most d. Adding a
	// constant to its elements makes K positive definite even for d+1 free rows. The constant does
	// not change Newton steps, because the sum of a step is 0. If K is still singular, add a ridge.
	// Directions without curvature then give long steps that end at a bound.
	for _, relativeRidge := range []float64{0, 1e-14, 1e-12, 1e-10} {
		if upper, ok := p.factorise(free, constant, relativeRidge*constant); ok {
			return upper, true
		}
	}
	return nil, false
}

// factorise returns the Cholesky factor of K, after adding a constant to every element and a ridge to
// the diagonal. It returns false if this matrix is not positive definite.
func (p *pairs) factorise(free []int, constant, ridge float64) ([]float64, bool) {
	n := len(free)
	p.factor = stats.Resized(p.factor, n*n)
	k := p.factor // Potrf reads only the upper triangle
	for a, r := range free {
		row := p.kernel[r*p.m : (r+1)*p.m]
		for b := a; b < n; b++ {
			k[a*n+b] = row[free[b]] + constant
		}
		k[a*n+a] += ridge
	}
	_, ok := lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: k, Uplo: blas.Upper})
	return k, ok
}

// solveTwo solves two systems of linear equations with the matrix U'U. U is upper triangular, and u
// contains its n rows of n elements. On entry, x and y contain the right-hand sides, and on return the
// solutions.
func solveTwo(u, x, y []float64) {
	solveForward(u, x, y)
	solveBackward(u, x, y)
}

// solveForward replaces x and y by the solutions of two systems with the matrix U' (see solveTwo).
func solveForward(u, x, y []float64) {
	for i := range x {
		inverse, right := upperRow(u, len(x), i)
		x[i] *= inverse
		y[i] *= inverse
		floats.AddScaled(x[i+1:], -x[i], right) // row i of U is column i of U'
		floats.AddScaled(y[i+1:], -y[i], right)
	}
}

// solveBackward replaces x and y by the solutions of two systems with the matrix U (see solveTwo).
// Conversions to float64 prevent fused multiply-adds.
func solveBackward(u, x, y []float64) {
	for i := len(x) - 1; i >= 0; i-- {
		inverse, right := upperRow(u, len(x), i)
		solvedX, solvedY := x[i+1:][:len(right)], y[i+1:][:len(right)] // known lengths avoid bounds checks
		restX, restY := x[i], y[i]
		for k, v := range right {
			restX -= float64(v * solvedX[k])
			restY -= float64(v * solvedY[k])
		}
		x[i], y[i] = restX*inverse, restY*inverse
	}
}

// upperRow returns 1/u_ii and the elements to the right of u_ii, of an n x n matrix stored row by row.
func upperRow(u []float64, n, i int) (inverse float64, right []float64) {
	row := u[i*n : (i+1)*n]
	return 1 / row[i], row[i+1:]
}
