package elasticnet

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A quadratic is the problem of one step: over the coordinates u,
//
//	min -g'(u-start) + (u-start)' H (u-start) / 2 + lambda sum_c [(1-alpha)/2 u_c^2 + alpha |u_c|],
//
// the first k coordinates, the intercepts, being free of the penalty. With more
// than one function H does not change when all u of a column move together, which
// the penalty alone then decides; whole columns are k coordinates each.
type quadratic struct {
	size, k  int
	whole    bool
	hessian  []float64 // symmetric, size x size
	gradient []float64
	start    []float64
	at       []float64 // u
	change   []float64 // u - start
	slope    []float64 // g - H (u-start)
	middle   []float64 // scratch of recentre
	factor   []float64 // scratch of leap
}

func (q *quadratic) reset(size, k int, whole bool) {
	q.size, q.k, q.whole = size, k, whole
	resize(&q.hessian, size*size)
	for _, v := range []*[]float64{&q.gradient, &q.start, &q.at, &q.change, &q.slope} {
		resize(v, size)
	}
}

// setBlock sets the second derivatives by two functions to factor times a Gram matrix of
// columns, given by its upper triangle. places are the coordinates of the columns' weights
// in the two functions, or absent.
func (q *quadratic) setBlock(gram []float64, places [][2]int, factor float64) {
	a := len(places)
	for r, row := range places {
		for c := r; c < a; c++ {
			v := factor * gram[r*a+c]
			q.set(row[0], places[c][1], v)
			q.set(row[1], places[c][0], v)
		}
	}
}

// set sets the second derivative by two coordinates, unless one is absent.
func (q *quadratic) set(c, d int, v float64) {
	if c != absent && d != absent {
		q.hessian[c*q.size+d], q.hessian[d*q.size+c] = v, v
	}
}

const (
	sweepsPerLook = 64     // sweeps between two looks at the context
	sweepsPerLeap = 16     // sweeps between two leaps
	maxSweeps     = 10_000 // sweeps after which the solver's next step goes on from there
)

// solve minimises by coordinate descent until no coordinate's curvature times
// squared change in a sweep is above the tolerance, and returns the largest one
// of the whole change.
func (q *quadratic) solve(ctx context.Context, lambda, alpha, tolerance float64) (float64, error) {
	copy(q.at, q.start)
	copy(q.slope, q.gradient)
	size := q.size
	for sweep := range maxSweeps {
		if sweep%sweepsPerLook == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		largest := 0.0
		for c := range size {
			h := q.hessian[c*size+c]
			l1, l2 := lambda*alpha, lambda*(1-alpha)
			if c < q.k {
				l1, l2 = 0, 0
			}
			if h+l2 > 0 {
				old := q.at[c]
				v := shrink(h*old+q.slope[c], l1) / (h + l2)
				if d := v - old; d != 0 {
					q.at[c] = v
					floats.AddScaled(q.slope, -d, q.hessian[c*size:(c+1)*size])
					largest = max(largest, h*d*d)
				}
			}
			if q.whole && q.k > 1 && c%q.k == q.k-1 && c >= q.k {
				largest = max(largest, q.recentre(c-q.k+1, alpha))
			}
		}
		if largest <= tolerance {
			break
		}
		if sweep%sweepsPerLeap == sweepsPerLeap-1 {
			q.leap(lambda*alpha, lambda*(1-alpha))
		}
	}
	largest := 0.0
	for c, v := range q.at {
		q.change[c] = v - q.start[c]
		largest = max(largest, q.hessian[c*size+c]*q.change[c]*q.change[c])
	}
	return largest, nil
}

// recentre subtracts from the k coordinates of a column, from c on, the t that
// leaves the least penalty, and returns the largest curvature times squared change.
func (q *quadratic) recentre(c int, alpha float64) float64 {
	u := q.at[c : c+q.k]
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

// centre returns the t that minimises sum_l [(1-alpha)/2 (u_l-t)^2 + alpha |u_l-t|],
// of several the one nearest to 0.
func centre(u []float64, alpha float64, memory *[]float64) float64 {
	sorted := append((*memory)[:0], u...)
	*memory = sorted
	slices.Sort(sorted)
	k, sum := len(sorted), floats.Sum(sorted)
	if alpha == 1 { // a median
		return min(max(0, sorted[(k-1)/2]), sorted[k/2])
	}
	// The derivative at t with so many u below it and the others above.
	derivative := func(t float64, below int) float64 {
		return (1-alpha)*(float64(k)*t-sum) + alpha*float64(2*below-k)
	}
	below := 0
	for derivative(sorted[below], below+1) < 0 {
		below++
	}
	if derivative(sorted[below], below) <= 0 { // it jumps over 0
		return sorted[below]
	}
	return (sum - alpha*float64(2*below-k)/(1-alpha)) / float64(k)
}

// shrink is the soft threshold.
func shrink(v, by float64) float64 {
	switch {
	case v > by:
		return v - by
	case v < -by:
		return v + by
	}
	return 0
}
