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

// A LinearSolver solves linear problems, one after the other in the memory of the
// first. The zero value is ready.
type LinearSolver struct {
	// Screens solves for the rows near the margin alone wherever there are more than a few
	// rows per column, not only where working sets seldom settle.
	Screens bool

	scratch  scratch
	gathered []float64
	products stepwise
}

// NextRows says that the next problems are those of the same rows with more and more
// columns, the first ones those of the problem before: products of the rows are kept
// from one to the next, and where one needed all of them, so does what starts from it.
func (l *LinearSolver) NextRows() { l.products.kept, l.products.columns = true, 0 }

// LinearNumbers returns how many float64 a LinearSolver may hold beside n rows of d
// columns: those of a working set, and all products of the rows if it may take them,
// twice where they are kept.
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

// A Solution is a linear machine, <W, x> + Bias, and the dual variables of its rows.
type Solution struct {
	W, Alpha []float64
	Bias     float64
	dense    bool // all products of the rows were needed
}

// Solve is Gram.Solve for the linear kernel of the rows of x (n x d). It starts from
// the solution for the same rows with fewer or more columns, unless that is nil.
//
// Working sets of m rows, of which only the m x m products are computed and whose
// moves reach all rows through w, are enough where few rows end between the
// bounds or at C. Where they do not settle, either an interior point method, in
// O(n d^2), finds a start from which they do, or, if there are many columns, the
// n x n products are computed after all. Of very many rows that method is left the
// few near the margin.
func (l *LinearSolver) Solve(ctx context.Context, x *mat.Dense, y []float64, c, tol float64,
	start *Solution) (*Solution, error) {
	if err := checkLabels(y); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	for i := range n {
		if square := floats.Dot(x.RawRowView(i), x.RawRowView(i)); math.IsInf(square, 0) || math.IsNaN(square) {
			return nil, errNotFinite
		}
	}
	var alpha []float64
	if start != nil {
		alpha = start.Alpha
	}
	// Room for the rows with all columns, of which x may be the first few.
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

// interiorRows rows per column make the interior point method's dozen steps
// cheaper than all products of the rows.
const interiorRows = 6

// outOfCache is the number of values of x from which it is read from memory, which
// takes several times as long as the multiplications.
const outOfCache = 1 << 22

// patience returns the number of working sets after which another way is taken:
// a dozen, where those that settle usually have, or more when that way costs
// more than four times as much. Costs are counted in multiplications; the last
// term stands for some hundred steps.
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

// screens reports whether only the near rows are solved for.
func (l *LinearSolver) screens(n, d int) bool {
	return n > interiorRows*d && (l.Screens || float64(n)*float64(n)*float64(d) >= screenedFrom)
}

// settle takes the cheapest of the other ways.
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

// rescale multiplies a start that is not optimal by the factor that minimises
// the objective along the way, y'b / b'Kb, as far as the bounds allow: it may be
// the solution for more or fewer columns.
func (s *solver) rescale(y []float64) {
	if s.measure(); s.fUp-s.fLow < s.tol {
		return
	}
	var along, curvature float64
	room := math.Inf(1)
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

// linear is the matrix of all dot products of the rows of x.
type linear struct {
	x        *mat.Dense
	w        []float64 // scratch: a combination of rows
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
