package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/vecmath"
)

// A LinearSolver solves linear problems one after another. The zero value is ready to use.
type LinearSolver struct {
	// Screens turns on screening (screened.go) for every problem with many rows (see ManyRows).
	// Otherwise, only very large problems are screened.
	Screens bool

	products growingProducts
}

// NextRows begins a series of problems that have the same rows and more and more columns. For each
// problem, the solver then computes only the dot products over the new columns.
func (l *LinearSolver) NextRows() { l.products.keeps, l.products.columns = true, 0 }

// LinearNumbers returns how many float64 values a LinearSolver may allocate for n rows of d
// columns, besides the rows. If kept is true, the solver keeps a second copy of all dot products
// (see NextRows).
func LinearNumbers(n, d int, kept bool) int {
	set := min(n, max(linearSet, finalSet(d)))
	numbers := set * (set + d)
	if !ManyRows(n, d) {
		numbers += n * n
		if kept {
			numbers += n * n
		}
	}
	return numbers
}

// A Solution is a linear machine with the decision value <W, x> + Bias. Alpha contains the dual
// variables of its training rows.
type Solution struct {
	W, Alpha []float64
	Bias     float64
	dense    bool // whether the solver needed all n x n dot products of the rows
}

// alpha returns s.Alpha, or nil if s is nil.
func (s *Solution) alpha() []float64 {
	if s == nil {
		return nil
	}
	return s.Alpha
}

// Solve returns the linear support vector machine for the rows of x (n x d) with labels y in
// {-1,+1} and cost c. It stops when the KKT gap is below tol. start is nil or a solution for the same
// rows with fewer or more columns.
//
// Solve begins with working sets: it minimises the dual objective over the variables of a few rows
// at a time. This suffices if few dual variables are nonzero at the end. A working set only needs
// the dot products among its own rows, and affects all other rows through w.
//
// If working sets do not converge quickly, settle helps in one of three ways. If d is large, it
// computes all n x n dot products. Otherwise, an interior point method finds a better start in O(n
// d^2) time. If n is very large, screening restricts the interior point method to the rows near the
// margin.
func (l *LinearSolver) Solve(ctx context.Context, x *mat.Dense, y []float64, c, tol float64,
	start *Solution) (*Solution, error) {
	if err := checkLabels(y); err != nil {
		return nil, err
	}
	if !finiteSquares(x) {
		return nil, errNotFinite
	}
	n, d := x.Dims()
	k := &linear{x: x, w: make([]float64, d)}
	s := newSolver(k, y, c, tol, signedStart(start.alpha(), y, c))
	s.rescale(y)
	screens := l.screens(n, d)
	workingSets := setsBeforeSettling(n, d)
	startIsDense := l.products.keeps && start != nil && start.dense
	if screens || startIsDense {
		workingSets = 0 // working sets alone would not finish
	}
	done, err := s.run(ctx, workingSets)
	if err != nil {
		return nil, err
	}
	if !done {
		if err := s.settle(ctx, &l.products, x, y, c, start, screens); err != nil {
			return nil, err
		}
		s.enlargeSets(finalSet(d))
		if _, err := s.run(ctx, math.MaxInt); err != nil {
			return nil, err
		}
	}
	k.combine(nonzeros(s.b)) // w = sum_i b_i x_i
	solution := s.solution(y)
	solution.W = k.w
	solution.dense = s.kernel != matrix(k)
	return solution, nil
}

// finiteSquares reports whether the squared length of every row of x is finite.
func finiteSquares(x *mat.Dense) bool {
	n, _ := x.Dims()
	for i := range n {
		row := x.RawRowView(i)
		if !stats.Finite(floats.Dot(row, row)) {
			return false
		}
	}
	return true
}

// ManyRows reports whether the interior point method is cheaper than computing all dot products of
// n rows of d columns.
func ManyRows(n, d int) bool { return n > 6*d }

// outOfCache is the smallest number of values of x that do not fit in the processor's cache.
// Products of x and a vector then take several times as long.
const outOfCache = 1 << 22

// setsBeforeSettling returns how many working sets the solver tries before it calls settle. Most
// problems either need at most usualSets sets, or cannot be solved by working sets alone. Further
// sets take at most a quarter of the time of settle.
func setsBeforeSettling(n, d int) int {
	const usualSets = 12
	const setSteps = 3_000_000 // cost of the pair steps in one working set
	passes := 4                // cost of updating f, in passes over x
	if n*d > outOfCache {
		passes = 16 // each pass also has to read x from memory
	}
	settleCost := 13 * n * d * d // all steps of the interior point method
	if !ManyRows(n, d) {
		settleCost = n * n * d // all dot products
	}
	setCost := linearSet*linearSet*d + passes*n*d + setSteps
	return usualSets + settleCost/4/setCost
}

// screens reports whether the solver uses screening for a problem with n rows and d columns.
func (l *LinearSolver) screens(n, d int) bool {
	return ManyRows(n, d) && (l.Screens || float64(n)*float64(n)*float64(d) >= screenedFrom)
}

// settle prepares the solver so that few further working sets are needed. It computes all dot
// products or a start near the solution, whichever is cheaper. If screens is true, it first tries
// screening, which may already find the solution.
func (s *solver) settle(ctx context.Context, products *growingProducts, x *mat.Dense, y []float64, c float64,
	start *Solution, screens bool) error {
	n, d := x.Dims()
	if !ManyRows(n, d) {
		dots, err := products.dots(ctx, x)
		if err == nil {
			dots.mirror()
			s.kernel = byRow{dots}
		}
		return err
	}
	if screens {
		if done, err := s.screen(ctx, x, y, c, start); done || err != nil {
			return err
		}
	}
	near, err := solveInterior(ctx, x, y, c)
	if near != nil {
		s.restart(near, y, c)
	}
	return err
}

// finalSet returns the size of a working set near the solution of a linear problem with d columns.
// At the solution, usually d+1 dual variables are strictly between their bounds. The set has room
// for d+1 others that may still have to move to or from a bound.
func finalSet(d int) int { return 2 * (d + 1) }

// rescale multiplies the starting point b by the factor that minimises 1/2 b'Kb - y'b within the
// bounds of b. This helps if b is the solution for other columns of x, which may give larger or
// smaller kernel values.
//
// It does not compute Kb, because s.f contains the negative gradient f = y - Kb. So Kb is y - f.
func (s *solver) rescale(y []float64) {
	if s.measureGap() < s.tol {
		return // b is already a solution
	}
	var along, curvature float64 // y'b and b'Kb
	room := math.Inf(1)          // largest factor within the bounds
	for i, b := range s.b {
		along += y[i] * b
		curvature += b * (y[i] - s.f[i])
		if b > 0 {
			room = min(room, s.hi[i]/b)
		} else if b < 0 {
			room = min(room, s.lo[i]/b)
		}
	}
	factor := min(along/curvature, room) // minimises 1/2 factor^2 b'Kb - factor y'b
	if !(factor > 0) || math.IsInf(factor, 0) {
		return // scaling does not lower the objective
	}
	for i := range s.b {
		s.b[i] = min(max(factor*s.b[i], s.lo[i]), s.hi[i])
		s.f[i] = y[i] - factor*(y[i]-s.f[i]) // f = y - K (factor b)
	}
}

// linear is the kernel matrix of a linear problem. It computes dot products of rows on demand.
type linear struct {
	x        *mat.Dense
	w        []float64 // the last result of combine
	gathered []float64 // memory for a copy of the rows of a working set
}

func (k *linear) largestSet() int { return linearSet }

func (k *linear) restrict(dst []float64, rows []int) {
	m, d := len(rows), len(k.w)
	k.gathered = stats.Resized(k.gathered, m*d)
	for r, i := range rows {
		copy(k.gathered[r*d:(r+1)*d], k.x.RawRowView(i))
	}
	clear(dst[:m*m])
	vecmath.AddGram(dst, m, k.gathered, d, d)
	(&Gram{n: m, data: dst}).mirror()
}

func (k *linear) subtract(f []float64, rows []int, delta []float64) {
	k.combine(rows, delta)
	blas64.Gemv(blas.NoTrans, -1, k.x.RawMatrix(), vector(k.w), 1, vector(f))
}

// combine sets w to sum_r delta[r] x[rows[r]].
func (k *linear) combine(rows []int, delta []float64) {
	clear(k.w)
	for r, i := range rows {
		floats.AddScaled(k.w, delta[r], k.x.RawRowView(i))
	}
}
