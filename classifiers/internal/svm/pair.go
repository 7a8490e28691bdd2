package svm

import (
	"context"
	"math"

	"copse/stats/vecmath"
)

// Within a working set each step moves the pair (i, j) that the second-order rule of Fan, Chen
// and Lin (JMLR 6:1889, 2005, WSS 2) picks: i is the up row with the largest f, j the low row
// that promises the largest decrease of the objective, (f_i-f_j)^2 / (2 (K_ii+K_jj-2K_ij)).

const (
	// curvatureFloor replaces K_ii+K_jj-2K_ij where that is not positive (duplicate rows), as
	// libsvm's TAU does.
	curvatureFloor = 1e-12
	// ctxInterval is the number of steps between two checks of the context.
	ctxInterval = 1 << 12
	// burst is the number of steps between two Newton steps, which cost about as much.
	burst = 200
	// newtonRows is the largest number of rows that a Newton step moves.
	newtonRows = 128
)

// pairs is the problem restricted to m rows, whose b moves in pairs.
type pairs struct {
	m             int
	k             []float64 // kernel values, m x m
	diag          []float64 // diagonal of k
	b, f, lo, hi  []float64
	notUp, notLow []float64 // added to f in searches: -Inf if a row is not up, +Inf if it is not low, else 0
	up            int       // the up row with the largest f
	fUp, fLow     float64   // that f, and the smallest of the low rows
	scratch       *newtonScratch
}

// newPairs returns a problem of m rows without values, in memory.pairs: the m x m matrix k,
// then seven columns of m elements.
func newPairs(m int, memory *scratch) *pairs {
	memory.pairs = resized(memory.pairs, m*(m+7))
	column := func(c int) []float64 { return memory.pairs[m*(m+c) : m*(m+c+1)] }
	return &pairs{
		m:       m,
		k:       memory.pairs[:m*m],
		diag:    column(0),
		b:       column(1),
		f:       column(2),
		lo:      column(3),
		hi:      column(4),
		notUp:   column(5),
		notLow:  column(6),
		scratch: &memory.newton,
	}
}

// set sets the values of row r. Its kernel values must be set already.
func (p *pairs) set(r int, b, f, lo, hi float64) {
	p.diag[r] = p.k[r*(p.m+1)]
	p.f[r], p.lo[r], p.hi[r] = f, lo, hi
	p.move(r, b)
}

// move sets b of row r, and whether the row is up and low.
func (p *pairs) move(r int, b float64) {
	p.b[r], p.notUp[r], p.notLow[r] = b, 0, 0
	if b >= p.hi[r] {
		p.notUp[r] = math.Inf(-1)
	}
	if b <= p.lo[r] {
		p.notLow[r] = math.Inf(1)
	}
}

// run moves pairs until the gap is below tol, but at most limit times. It returns the number
// of steps.
func (p *pairs) run(ctx context.Context, tol float64, limit int) (int, error) {
	p.shift(0, 0, 0)
	steps := 0
	for ; steps < limit && p.fUp-p.fLow >= tol; steps++ {
		if steps%ctxInterval == 0 && ctx.Err() != nil {
			return steps, ctx.Err()
		}
		j := p.partner()
		if j < 0 {
			return steps, errTooLarge // all curvatures overflowed
		}
		p.step(p.up, j)
		if (steps+1)%burst == 0 {
			p.newton()
		}
	}
	return steps, nil
}

// partner returns the low row to pair with up, or -1.
func (p *pairs) partner() int {
	search := vecmath.PartnerSearch{
		F: p.f, Lower: p.notLow, Diag: p.diag, Row: p.k[p.up*p.m : (p.up+1)*p.m],
		Top: p.fUp, Kii: p.diag[p.up], Floor: curvatureFloor,
	}
	return search.Best()
}

// step minimises over b_i and b_j while their sum is fixed.
func (p *pairs) step(i, j int) {
	curvature := p.diag[i] + p.diag[j] - 2*p.k[i*p.m+j]
	if curvature <= 0 {
		curvature = curvatureFloor
	}
	roomUp, roomDown := p.hi[i]-p.b[i], p.b[j]-p.lo[j]
	delta := min((p.f[i]-p.f[j])/curvature, roomUp, roomDown)
	bi, bj := p.b[i]+delta, p.b[j]-delta
	if delta == roomUp {
		bi = p.hi[i]
	}
	if delta == roomDown {
		bj = p.lo[j]
	}
	p.move(i, bi)
	p.move(j, bj)
	p.shift(delta, i, j)
}

// shift subtracts delta (K_i - K_j) from f and finds up, fUp and fLow. Of several up rows
// with the largest f, up is the first.
func (p *pairs) shift(delta float64, i, j int) {
	m := len(p.f)
	ki, kj := p.k[i*m:(i+1)*m], p.k[j*m:(j+1)*m]
	notUp, notLow := p.notUp[:m], p.notLow[:m]
	up, fUp, fLow := -1, math.Inf(-1), math.Inf(1)
	for r, f := range p.f {
		f -= float64(delta * (ki[r] - kj[r]))
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
