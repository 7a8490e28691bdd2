package svm

import (
	"context"
	"math"

	"copse/stats/vecmath"
)

// Each step changes the dual variables b of two rows i and j (second-order rule WSS 2 of Fan, Chen
// and Lin, JMLR 6:1889, 2005). Row i is the up row with the largest f. Row j is the low row that
// decreases the objective most, by
//
//	(f_i-f_j)^2 / (2 (K_ii+K_jj-2K_ij)).

const (
	// curvatureFloor replaces a curvature K_ii+K_jj-2K_ij that is not positive, for example for
	// duplicate rows. libsvm calls it TAU.
	curvatureFloor = 1e-12
	// ctxInterval is the number of steps between two checks of the context.
	ctxInterval = 1 << 12
	// burst is the number of pair steps between two Newton steps. A Newton step for newtonRows rows
	// takes about as long as this many pair steps.
	burst = 200
	// newtonRows is the largest number of rows that a Newton step changes, unless a precise
	// solution is wanted.
	newtonRows = 128
)

// pairs is the problem restricted to a working set of m rows, in the notation of solver.go. Each step
// keeps the sum of b constant.
type pairs struct {
	m            int
	kernel       []float64 // kernel values, m x m
	diag         []float64 // diagonal of kernel
	b, f, lo, hi []float64 // dual variables, f = y - Kb, and the bounds of b
	notUp        []float64 // 0 for up rows, else -Inf; the maximum of f + notUp ignores other rows
	notLow       []float64 // 0 for low rows, else +Inf; the minimum of f + notLow ignores other rows
	up           int       // the up row with the largest f
	fUp, fLow    float64   // largest f of the up rows, smallest f of the low rows
	precise      bool      // allows Newton steps of many rows or with a singular K
	factor       []float64 // memory for the Cholesky factor of a Newton step
}

// setDual sets the value b[r] and records whether row r is now an up row, a low row or both.
func (p *pairs) setDual(r int, b float64) {
	p.b[r], p.notUp[r], p.notLow[r] = b, 0, 0
	if b >= p.hi[r] {
		p.notUp[r] = math.Inf(-1)
	}
	if b <= p.lo[r] {
		p.notLow[r] = math.Inf(1)
	}
}

// run minimises 1/2 b'Kb - y'b over the dual variables b of a working set by pair steps and Newton
// steps. Let f = y - Kb be the negative gradient. run stops when the KKT gap p.fUp - p.fLow is below
// tol, or after limit steps. fUp is the largest f of a row whose b can increase (p.up), and fLow is the
// smallest f of a row whose b can decrease.
func (p *pairs) run(ctx context.Context, tol float64, limit int) (steps int, err error) {
	p.measureGap()
	untilNewton := burst
	for ; steps < limit && p.fUp-p.fLow >= tol; steps++ {
		if steps%ctxInterval == 0 && ctx.Err() != nil {
			return steps, ctx.Err()
		}
		i, j := p.up, p.partner()
		if j < 0 { // despite the gap: all curvatures K_ii + K_jj - 2 K_ij overflow
			return steps, errTooLarge
		}
		p.step(i, j)
		if untilNewton--; untilNewton == 0 {
			free := p.free()
			p.newton(free)
			untilNewton = p.stepsUntilNewton(len(free))
		}
	}
	return steps, nil
}

// stepsUntilNewton returns the number of pair steps before the next Newton step. They should take at
// least as long as the Newton step, whose time grows with the cube of the number of free rows.
func (p *pairs) stepsUntilNewton(free int) int {
	if !p.precise || free <= newtonRows {
		return burst
	}
	growth := float64(free) / newtonRows
	return int(burst * growth * growth * growth)
}

// partner returns the row j that the second-order rule selects for a step with row i = p.up. If all
// curvatures K_ii + K_jj - 2 K_ij overflow, it returns -1.
func (p *pairs) partner() int {
	search := vecmath.PartnerSearch{
		F: p.f, Lower: p.notLow, Diag: p.diag, Row: p.kernel[p.up*p.m : (p.up+1)*p.m],
		Top: p.fUp, Kii: p.diag[p.up], Floor: curvatureFloor,
	}
	return search.Best()
}

// step minimises the objective over b_i and b_j, within their bounds, while b_i + b_j is fixed:
//
//	delta = (f_i - f_j) / (K_ii + K_jj - 2 K_ij),  b_i += delta,  b_j -= delta.
//
// Here f is the negative gradient, y - Kb. b_i must be below its upper bound and b_j above its lower bound.
func (p *pairs) step(i, j int) {
	curvature := p.diag[i] + p.diag[j] - 2*p.kernel[i*p.m+j]
	if curvature <= 0 {
		curvature = curvatureFloor
	}
	roomUp, roomDown := p.hi[i]-p.b[i], p.b[j]-p.lo[j]
	delta := min((p.f[i]-p.f[j])/curvature, roomUp, roomDown)
	bi, bj := p.b[i]+delta, p.b[j]-delta
	if delta == roomUp {
		bi = p.hi[i] // without rounding
	}
	if delta == roomDown {
		bj = p.lo[j]
	}
	p.setDual(i, bi)
	p.setDual(j, bj)
	p.updateGradient(delta, i, j)
}

// updateGradient updates f, up, fUp and fLow after b_i has increased and b_j has decreased by
// delta. It subtracts delta (K_i - K_j) from f, where K_i is row i of the kernel matrix. Then up is the
// row with the largest f of all rows whose b can increase. For other rows, notUp is -Inf, so that they
// are ignored. In the same way, notLow is +Inf for rows whose b cannot decrease.
func (p *pairs) updateGradient(delta float64, i, j int) {
	m := len(p.f)
	ki, kj := p.kernel[i*m:(i+1)*m], p.kernel[j*m:(j+1)*m]
	notUp, notLow := p.notUp[:m], p.notLow[:m]
	up, fUp, fLow := -1, math.Inf(-1), math.Inf(1)
	for r, f := range p.f {
		f -= float64(delta * (ki[r] - kj[r])) // float64 prevents a fused multiply-add
		p.f[r] = f
		if f+notUp[r] > fUp {
			up, fUp = r, f
		}
		if f+notLow[r] < fLow {
			fLow = f
		}
	}
	p.up, p.fUp, p.fLow = up, fUp, fLow
}

// measureGap computes up, fUp and fLow from the current f.
func (p *pairs) measureGap() {
	const noChange = 0.0 // f stays the same
	p.updateGradient(noChange, 0, 0)
}
