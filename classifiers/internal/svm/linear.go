package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// A LinearSolver solves linear problems one after the other and reuses their memory. The
// zero value is ready.
type LinearSolver struct {
	// Screens uses screening (screened.go) for every problem with more than a few rows per
	// column, not only for very large ones.
	Screens bool

	scratch  scratch
	gathered []float64
	products stepwise
}

// NextRows begins a series of problems with the same rows, each with the columns of the one
// before and more. The solver keeps the products of the rows from one problem to the next.
// A problem whose start needed all of these products uses them at once.
func (l *LinearSolver) NextRows() { l.products.kept, l.products.columns = true, 0 }

// LinearNumbers returns how many float64 a LinearSolver may need beside n rows of d columns:
// the rows of a working set and, with few rows per column, all products of the rows. kept:
// the products are kept (NextRows), which needs them twice.
func LinearNumbers(n, d int, kept bool) int {
	numbers := min(n, linearSet) * d
	if n <= interiorRows*d {
		numbers += n * n
		if kept {
			numbers += n * n
		}
	}
	return numbers
}

// A Solution is a linear machine with the decision value <W, x> + Bias, and the dual
// variables Alpha of its rows.
type Solution struct {
	W, Alpha []float64
	Bias     float64
	dense    bool // the solver needed all products of the rows
}

// Solve is Gram.Solve for the linear kernel of the rows of x (n x d). start is the solution
// for the same rows with fewer or more columns, or nil.
//
// Solve begins with working sets of m rows. It computes only their m x m products; their
// moves reach all rows through w. This is enough if few rows end between the bounds or at C.
// If the working sets do not finish soon, an interior point method finds a better start in
// O(n d^2). With many columns, all n x n products are computed instead. With very many rows,
// screening leaves the interior point method only the rows near the margin.
func (l *LinearSolver) Solve(ctx context.Context, x *mat.Dense, y []float64, c, tol float64,
	start *Solution) (*Solution, error) {
	if err := checkLabels(y); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	for i := range n {
		square := floats.Dot(x.RawRowView(i), x.RawRowView(i))
		if math.IsInf(square, 0) || math.IsNaN(square) {
			return nil, errNotFinite
		}
	}
	var alpha []float64
	if start != nil {
		alpha = start.Alpha
	}
	// Room for rows with all columns of the matrix that x is a part of.
	l.gathered = resized(l.gathered, min(n, linearSet)*x.RawMatrix().Stride)
	k := &linear{x: x, w: make([]float64, d), gathered: l.gathered}
	s := newSolverIn(&l.scratch, k, y, c, tol, signedStart(alpha, y, c))
	s.rescale(y)
	screens := l.screens(n, d)
	sets := patience(n, d)
	if screens || l.products.kept && start != nil && start.dense {
		sets = 0
	}
	done, err := s.run(ctx, sets)
	if err == nil && !done {
		if err = s.settle(ctx, &l.products, x, y, c, start, screens); err == nil {
			_, err = s.run(ctx, math.MaxInt)
		}
	}
	if err != nil {
		return nil, err
	}
	k.combine(s.nonzeros(s.b))
	alpha, bias := s.solution(y)
	return &Solution{W: k.w, Alpha: alpha, Bias: bias, dense: s.k != matrix(k)}, nil
}

// interiorRows is the number of rows per column from which the interior point method is
// cheaper than all products of the rows.
const interiorRows = 6

// outOfCache is the number of values from which x does not fit in the cache. Reading it
// then takes several times as long as the multiplications.
const outOfCache = 1 << 22

// patience returns the number of working sets after which settle takes over: 12, which are
// usually enough if working sets are enough at all, and more where settle is expensive.
// Costs are in multiplications; 3,000,000 is the cost of the steps in one working set.
func patience(n, d int) int {
	pass := 4 // times through x
	if n*d > outOfCache {
		pass = 16
	}
	other := 13 * n * d * d
	if n <= interiorRows*d {
		other = n * n * d
	}
	return 12 + other/4/(linearSet*linearSet*d+pass*n*d+3_000_000)
}

// screens reports whether a problem of n rows and d columns is solved by screening.
func (l *LinearSolver) screens(n, d int) bool {
	return n > interiorRows*d && (l.Screens || float64(n)*float64(n)*float64(d) >= screenedFrom)
}

// settle prepares s for working sets that finish: it gives s all products of the rows or a
// start near the solution, whichever is cheaper.
func (s *solver) settle(ctx context.Context, products *stepwise, x *mat.Dense, y []float64, c float64,
	start *Solution, screens bool) error {
	n, d := x.Dims()
	if n <= interiorRows*d {
		dots, err := products.dots(ctx, x)
		if err == nil {
			dots.mirror()
			s.k = byRow{dots}
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
		*s = *newSolverIn(s.scratch, s.k, y, c, s.tol, signedStart(near, y, c))
	}
	return err
}

// rescale multiplies b by the factor that minimises the objective, y'b / b'Kb, as far as the
// bounds allow. It improves a start from the solution for more or fewer columns, and leaves
// an optimal one alone.
func (s *solver) rescale(y []float64) {
	s.measure()
	if s.fUp-s.fLow < s.tol {
		return // optimal
	}
	var along, curvature float64 // y'b and b'Kb, where Kb = y - f
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
	factor := min(along/curvature, room)
	if !(factor > 0) || math.IsInf(factor, 0) {
		return
	}
	for i := range s.b {
		s.b[i] = min(max(factor*s.b[i], s.lo[i]), s.hi[i])
		s.f[i] = y[i] - factor*(y[i]-s.f[i])
	}
}

// linear is the matrix of the dot products of the rows of x, which it computes on demand.
type linear struct {
	x        *mat.Dense
	w        []float64 // result of combine
	gathered []float64 // scratch: the rows of a working set
}

func (k *linear) most() int { return linearSet }

func (k *linear) restrict(dst []float64, rows []int) {
	m, d := len(rows), len(k.w)
	k.gathered = resized(k.gathered, m*d)
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
