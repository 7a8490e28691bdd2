package elasticnet

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// relativeDamping times the largest diagonal element of a matrix is added to its diagonal, because
// the matrix may be singular.
const relativeDamping = 1e-12

// leap takes Newton steps to the minimum of the quadratic plus the penalty l2/2 u^2 + l1 |u| of
// each weight u. It updates q.point and q.slope.
//
// Only intercepts and nonzero weights change. A weight that reaches zero stays there. If the matrix
// of the Newton steps cannot be factorised, nothing changes.
//
// If columns are nearly collinear, a leap can replace thousands of sweeps. For m coordinates, it
// takes O(m^3) time, plus O(m^2) for each weight that becomes zero.
func (q *quadratic) leap(l1, l2 float64) {
	free := q.notZero() // the coordinates that may change
	// Damping allows the factorisation even if the matrix of second derivatives is singular.
	factor, damping, ok := q.factorise(free, l2)
	if !ok {
		return
	}
	before := slices.Clone(q.point)
	q.takeNewtonSteps(free, factor, damping, q.negativeGradient(free, l1, l2))
	for _, c := range free { // slope = gradient - H (point - start)
		floats.AddScaled(q.slope, before[c]-q.point[c], q.hessian[c*q.size:(c+1)*q.size])
	}
}

// takeNewtonSteps moves q.point to the minimum in the free coordinates. factor is the Cholesky
// factor of H + damping I, where H is the matrix of second derivatives with penalties. descent is
// the negative gradient. takeNewtonSteps overwrites factor and descent.
//
// If a weight reaches zero during a step, the step ends there. The weight stays zero, and the next
// step moves the remaining coordinates.
func (q *quadratic) takeNewtonSteps(free []int, factor upper, damping float64, descent []float64) {
	free = slices.Clone(free) // loses the coordinates that become zero
	for len(free) > 0 {
		step := factor.solve(descent)       // solves (H + damping I) step = descent
		t, first := q.firstZero(free, step) // free[first] reaches zero after the fraction t of the step
		// The step reduces descent by t*H*step, where H*step = descent - damping*step.
		for r, c := range free {
			q.point[c] += t * step[r]
			descent[r] += t * (damping*step[r] - descent[r])
		}
		if first < 0 { // no weight reached zero: t is 1, and the step is complete
			return
		}
		q.point[free[first]] = 0 // without rounding
		free = slices.Delete(free, first, first+1)
		descent = slices.Delete(descent, first, first+1)
		factor.remove(first)
	}
}

func (q *quadratic) notZero() []int {
	var list []int
	for c, v := range q.point {
		if c < q.k || v != 0 {
			list = append(list, c)
		}
	}
	return list
}

// factorise returns the Cholesky factor of H + (l2 + damping) I in the free coordinates, where H is
// the Hessian matrix of the quadratic and l2 is 0 for intercepts. The result ok is false if rounding
// makes the matrix indefinite.
func (q *quadratic) factorise(free []int, l2 float64) (u upper, damping float64, ok bool) {
	size := q.size
	var largest float64 // largest diagonal element
	for _, c := range free {
		largest = max(largest, q.hessian[c*size+c]+l2)
	}
	damping = relativeDamping * largest
	n := len(free)
	block := blas64.Symmetric{N: n, Stride: n, Data: resize(&q.factor, n*n), Uplo: blas.Upper}
	for r, c := range free {
		row := block.Data[r*n : (r+1)*n]
		for s := r; s < n; s++ {
			row[s] = q.hessian[c*size+free[s]]
		}
		row[r] += damping
		isIntercept := c < q.k
		if !isIntercept {
			row[r] += l2
		}
	}
	factor, ok := lapack64.Potrf(block)
	return upper{factor}, damping, ok
}

// negativeGradient returns the negative gradient of the quadratic plus penalties in the free
// coordinates.
func (q *quadratic) negativeGradient(free []int, l1, l2 float64) []float64 {
	d := make([]float64, len(free))
	for r, c := range free {
		d[r] = q.slope[c]
		if c >= q.k {
			d[r] -= l2*q.point[c] + math.Copysign(l1, q.point[c])
		}
	}
	return d
}

// firstZero returns the fraction t of the step after which a weight first reaches zero, and the index
// of this weight in free. If no weight reaches zero, t is 1 and first is -1.
func (q *quadratic) firstZero(free []int, step []float64) (t float64, first int) {
	t, first = 1, -1
	for r, c := range free {
		if c >= q.k && q.point[c]*(q.point[c]+t*step[r]) < 0 {
			t, first = -q.point[c]/step[r], r
		}
	}
	return t, first
}

// upper is the upper triangular Cholesky factor U of a matrix U'U.
type upper struct{ blas64.Triangular }

// solve returns the solution x of U'U x = b.
func (u *upper) solve(b []float64) []float64 {
	x := blas64.Vector{N: u.N, Inc: 1, Data: slices.Clone(b)}
	blas64.Trsv(blas.Trans, u.Triangular, x)   // x becomes the solution z of U'z = x
	blas64.Trsv(blas.NoTrans, u.Triangular, x) // x becomes the solution z of U z = x
	return x.Data
}

// remove changes U to the factor of the matrix without row and column r.
//
// It first deletes column r of U. For each i >= r, the element in row i+1 and column i is now below
// the diagonal. Givens rotations of rows i and i+1 make these elements zero. The last row of U then
// is zero and no longer belongs to the factor.
func (u *upper) remove(r int) {
	for i := range u.N { // all rows are stored completely, with unused elements below the diagonal
		fromR := u.row(i, r) // row i from column r on
		copy(fromR, fromR[1:])
	}
	u.N--
	for i := r; i < u.N; i++ {
		above, below := u.row(i, i), u.row(i+1, i) // both from column i on
		radius := math.Hypot(above[0], below[0])
		cos, sin := above[0]/radius, below[0]/radius
		for k, a := range above {
			b := below[k]
			above[k] = cos*a + sin*b
			below[k] = cos*b - sin*a // zero for k = 0
		}
	}
}

// row returns the elements of row i that begin at the given column.
func (u *upper) row(i, column int) []float64 {
	return u.Data[i*u.Stride+column : i*u.Stride+u.N]
}
