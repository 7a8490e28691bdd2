package svm

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// Steps of two rows find quickly which rows end at a bound, but they are slow to balance the
// free rows, lo < b < hi. A Newton step moves all free rows at once.

// newton moves the free rows towards the solution of
//
//	min over delta   1/2 delta'K delta - f'delta   s.t.  sum delta = 0,
//
// that is delta = K^-1 (f - nu 1) with nu = 1'K^-1 f / 1'K^-1 1. It goes to the minimum in
// that direction or to the first bound. It does nothing if K is singular among the free
// rows, or if these are too many.
func (p *pairs) newton() {
	free := p.free()
	if len(free) < 2 || len(free) > newtonRows {
		return
	}
	delta, ok := p.direction(free)
	if !ok {
		return
	}
	change := p.times(free, delta)
	// The step is 1 but for rounding, which may be large if K is nearly singular. The
	// minimum along delta lowers the objective in any case.
	var slope, curvature float64
	for k, r := range free {
		slope += p.f[r] * delta[k]
		curvature += change[r] * delta[k]
	}
	if !(slope > 0 && curvature > 0) {
		return
	}
	step, blocked := p.firstBound(free, delta, slope/curvature)
	for k, r := range free {
		b := min(max(p.b[r]+step*delta[k], p.lo[r]), p.hi[r])
		if k == blocked && delta[k] > 0 {
			b = p.hi[r]
		} else if k == blocked {
			b = p.lo[r]
		}
		p.move(r, b)
	}
	floats.AddScaled(p.f, -step, change)
	p.shift(0, 0, 0)
}

// free returns the rows whose b lies between its bounds.
func (p *pairs) free() []int {
	free := p.scratch.free[:0]
	for r, b := range p.b {
		if b > p.lo[r] && b < p.hi[r] {
			free = append(free, r)
		}
	}
	p.scratch.free = free
	return free
}

// times returns K delta, where delta belongs to the free rows and is 0 elsewhere.
func (p *pairs) times(free []int, delta []float64) []float64 {
	p.scratch.change = resized(p.scratch.change, p.m)
	change := p.scratch.change
	clear(change)
	for k, r := range free {
		floats.AddScaled(change, delta[k], p.k[r*p.m:(r+1)*p.m])
	}
	return change
}

// firstBound returns the largest step, at most the given one, that keeps b + step delta
// within its bounds. blocked is the place among the free rows of the one that reaches its
// bound there, or -1.
func (p *pairs) firstBound(free []int, delta []float64, most float64) (step float64, blocked int) {
	step, blocked = most, -1
	for k, r := range free {
		room := p.hi[r] - p.b[r]
		if delta[k] < 0 {
			room = p.lo[r] - p.b[r]
		}
		if t := room / delta[k]; t < step { // false for 0/0
			step, blocked = t, k
		}
	}
	return step, blocked
}

// newtonScratch is memory that Newton steps reuse.
type newtonScratch struct {
	free               []int
	k, columns, change []float64
}

// direction returns delta of the free rows. It reports false if their K is not positive
// definite. The result is valid until the next Newton step.
func (p *pairs) direction(free []int) ([]float64, bool) {
	n := len(free)
	p.scratch.k, p.scratch.columns = resized(p.scratch.k, n*n), resized(p.scratch.columns, 2*n)
	kernel := p.scratch.k                                       // its upper triangle becomes U of K = U'U
	delta, ones := p.scratch.columns[:n], p.scratch.columns[n:] // K^-1 f and K^-1 1, once solved
	for a, r := range free {
		delta[a], ones[a] = p.f[r], 1
		from, to := p.k[r*p.m:(r+1)*p.m], kernel[a*n:(a+1)*n]
		for b := a; b < n; b++ {
			to[b] = from[free[b]]
		}
	}
	factor, ok := lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: kernel, Uplo: blas.Upper})
	if !ok {
		return nil, false
	}
	solveTwo(factor.Data, delta, ones)
	var f, one float64
	for a, v := range delta {
		f += v
		one += ones[a]
	}
	for a := range delta {
		delta[a] -= float64(f / one * ones[a])
	}
	floats.AddConst(-floats.Sum(delta)/float64(n), delta) // zero but for rounding
	return delta, !math.IsNaN(floats.Sum(delta))
}

// solveTwo solves U'U x = b and U'U y = c. x and y have b and c at the start and the
// solutions at the end. u is upper triangular, n x n with n = len(x).
func solveTwo(u, x, y []float64) {
	n := len(x)
	row := func(i int) (inverse float64, right []float64) {
		whole := u[i*n : (i+1)*n]
		return 1 / whole[i], whole[i+1:]
	}
	for i := range x { // forward: U'
		inverse, right := row(i)
		x[i] *= inverse
		y[i] *= inverse
		floats.AddScaled(x[i+1:], -x[i], right)
		floats.AddScaled(y[i+1:], -y[i], right)
	}
	for i := len(x) - 1; i >= 0; i-- { // backward: U
		inverse, right := row(i)
		xs, ys := x[i+1:][:len(right)], y[i+1:][:len(right)]
		s, t := x[i], y[i]
		for k, v := range right {
			s -= float64(v * xs[k])
			t -= float64(v * ys[k])
		}
		x[i], y[i] = s*inverse, t*inverse
	}
}
