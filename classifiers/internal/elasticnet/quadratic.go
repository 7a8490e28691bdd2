package elasticnet

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
)

// A quadratic is the subproblem of one step. In the coordinates u, it is
//
//	min -g'(u-start) + (u-start)' H (u-start) / 2 + lambda sum_c [(1-alpha)/2 u_c^2 + alpha |u_c|].
//
// The first k coordinates are the intercepts, which are not penalised.
type quadratic struct {
	size, k  int       // number of coordinates, number of functions
	whole    bool      // whether each column has k adjacent coordinates, one for each function
	hessian  []float64 // H, size x size
	gradient []float64 // g
	start    []float64
	point    []float64 // u
	change   []float64 // point - start
	slope    []float64 // g - H (u-start)
	middle   []float64 // scratch for recentre
	factor   []float64 // scratch for leap
}

// reset resizes q. The elements of its slices are then undefined.
func (q *quadratic) reset(size, k int, whole bool) {
	q.size, q.k, q.whole = size, k, whole
	resize(&q.hessian, size*size)
	for _, v := range []*[]float64{&q.gradient, &q.start, &q.point, &q.change, &q.slope} {
		resize(v, size)
	}
}

// setBlock sets the second derivatives with respect to the weights of two linear functions, which
// may be the same function. For the weight of column r in the first function and the weight of
// column c in the second, the derivative is factor * gram[r,c]. Only the upper triangle of the
// matrix gram is read. For coordinates, see solver.activeColumns.
func (q *quadratic) setBlock(gram []float64, coordinates [][2]int, factor float64) {
	a := len(coordinates)
	for r, row := range coordinates {
		for c := r; c < a; c++ {
			v := factor * gram[r*a+c]
			q.set(row[0], coordinates[c][1], v)
			q.set(row[1], coordinates[c][0], v)
		}
	}
}

// set sets the second derivative with respect to coordinates c and d, unless one of them is absent.
func (q *quadratic) set(c, d int, v float64) {
	if c != absent && d != absent {
		q.hessian[c*q.size+d], q.hessian[d*q.size+c] = v, v
	}
}

const (
	sweepsPerLook = 64     // number of sweeps between two checks of the context
	sweepsPerLeap = 16     // number of sweeps between two leaps
	maxSweeps     = 10_000 // largest number of sweeps in minimise; the next quadratic continues from there
)

// solve minimises the quadratic plus the elastic net penalty. It sets q.point and q.change, and
// returns the largest hessian_cc * change_c^2 over all coordinates c. If ctx is cancelled, solve
// returns the error of ctx.
func (q *quadratic) solve(ctx context.Context, lambda, alpha, tolerance float64) (largest float64, err error) {
	if err := q.minimise(ctx, lambda, alpha, tolerance); err != nil {
		return 0, err
	}
	for c, v := range q.point {
		q.change[c] = v - q.start[c]
		largest = max(largest, q.hessian[c*q.size+c]*q.change[c]*q.change[c])
	}
	return largest, nil
}

// minimise moves q.point from q.start to the minimum by coordinate descent. It ends after a sweep in
// which hessian_cc * change_c^2 is at most the tolerance for every coordinate c, or after maxSweeps
// sweeps. If the sweeps converge slowly, it also takes Newton steps.
func (q *quadratic) minimise(ctx context.Context, lambda, alpha, tolerance float64) error {
	copy(q.point, q.start)
	copy(q.slope, q.gradient)
	for sweep := range maxSweeps {
		if sweep%sweepsPerLook == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if q.sweep(lambda, alpha) <= tolerance {
			return nil
		}
		isSlow := sweep%sweepsPerLeap == sweepsPerLeap-1
		if isSlow {
			q.leap(lambda*alpha, lambda*(1-alpha))
		}
	}
	return nil
}

// sweep minimises over one coordinate after another. It returns the largest hessian_cc * change_c^2
// over all coordinates c.
func (q *quadratic) sweep(lambda, alpha float64) float64 {
	largest := 0.0
	for c := range q.size {
		l1, l2 := lambda*alpha, lambda*(1-alpha)
		if c < q.k { // an intercept
			l1, l2 = 0, 0
		}
		largest = max(largest, q.descend(c, l1, l2))
		lastOfColumn := q.whole && c >= q.k && c%q.k == q.k-1
		if lastOfColumn && q.k > 1 {
			largest = max(largest, q.recentre(c-q.k+1, alpha))
		}
	}
	return largest
}

// descend minimises the quadratic plus the penalty l2/2 u^2 + l1 |u| over coordinate c:
//
//	u = S(h u_old + slope, l1) / (h + l2),  h = hessian_cc.
//
// Here S is stats.SoftThreshold, and slope is the negative derivative of the quadratic at u_old.
// descend updates q.slope for all coordinates and returns h times the squared change.
func (q *quadratic) descend(c int, l1, l2 float64) float64 {
	h := q.hessian[c*q.size+c]
	if !(h+l2 > 0) {
		return 0 // the objective does not depend on c
	}
	old := q.point[c]
	u := stats.SoftThreshold(h*old+q.slope[c], l1) / (h + l2)
	change := u - old
	if change == 0 {
		return 0
	}
	q.point[c] = u
	floats.AddScaled(q.slope, -change, q.hessian[c*q.size:(c+1)*q.size])
	return h * change * change
}

// recentre subtracts the number t that minimises the penalty from coordinates c..c+k-1, the weights
// of one column. It returns the largest hessian_ii * t^2 over these coordinates.
func (q *quadratic) recentre(c int, alpha float64) float64 {
	u := q.point[c : c+q.k]
	t := centre(u, alpha, &q.middle)
	if t == 0 {
		return 0
	}
	largest, size := 0.0, q.size
	for l := range u {
		u[l] -= t
		largest = max(largest, q.hessian[(c+l)*size+c+l]*t*t)
	}
	return largest
}

// centre returns the t that minimises the convex function
//
//	sum_l [(1-alpha)/2 (u_l-t)^2 + alpha |u_l-t|].
//
// If there are several minima, it returns the one nearest to 0. memory is scratch space.
func centre(u []float64, alpha float64, memory *[]float64) float64 {
	sorted := append((*memory)[:0], u...)
	*memory = sorted
	slices.Sort(sorted)
	k, sum := len(sorted), floats.Sum(sorted)
	if alpha == 1 { // every t between the two middle values is a minimiser
		return min(max(0, sorted[(k-1)/2]), sorted[k/2])
	}
	// The derivative of the function at t is
	//
	//	(1-alpha) sum_l (t-u_l) + alpha (number of u_l below t - number of u_l above t).
	//
	// If t is one of the u_l, counting it as below gives the right derivative, and counting it as
	// above gives the left derivative.
	derivative := func(t float64, below int) float64 {
		above := k - below
		return (1-alpha)*(float64(k)*t-sum) + alpha*float64(below-above)
	}
	// Find the first sorted[b] at or above the minimum. The last element needs no test.
	b := 0
	for b < k-1 && derivative(sorted[b], b+1) < 0 { // while the right derivative is negative
		b++
	}
	if derivative(sorted[b], b) <= 0 { // the left derivative: the function falls before sorted[b]
		return sorted[b]
	}
	// The minimum lies strictly between sorted[b-1] and sorted[b], where derivative(t, b) = 0.
	return (sum - alpha*float64(2*b-k)/(1-alpha)) / float64(k)
}
