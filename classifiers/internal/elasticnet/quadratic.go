package elasticnet

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A quadratic is the problem of one step: over u, a x k coordinates,
//
//	min -g'(u-start) + (u-start)' H (u-start) / 2 + lambda sum_c [(1-alpha)/2 u_c^2 + alpha |u_c|],
//
// the first k coordinates, the intercepts, being free of the penalty. With more
// than one function H does not change when all u of a column move together, which
// the penalty alone then decides.
type quadratic struct {
	a, k     int
	hessian  []float64 // symmetric, ak x ak
	gradient []float64
	start    []float64
	at       []float64 // u
	change   []float64 // u - start
	slope    []float64 // g - H (u-start)
	middle   []float64 // scratch of recentre
	factor   []float64 // scratch of leap
}

func (q *quadratic) reset(a, k int) {
	q.a, q.k = a, k
	resize(&q.hessian, a*k*a*k)
	for _, v := range []*[]float64{&q.gradient, &q.start, &q.at, &q.change, &q.slope} {
		resize(v, a*k)
	}
}

// setBlock sets the second derivatives by functions l and m to factor times a
// Gram matrix, given by its upper triangle.
func (q *quadratic) setBlock(gram []float64, l, m int, factor float64) {
	size := q.a * q.k
	for r := range q.a {
		for c := r; c < q.a; c++ {
			v := factor * gram[r*q.a+c]
			q.hessian[(r*q.k+l)*size+c*q.k+m] = v
			q.hessian[(c*q.k+m)*size+r*q.k+l] = v
			q.hessian[(r*q.k+m)*size+c*q.k+l] = v
			q.hessian[(c*q.k+l)*size+r*q.k+m] = v
		}
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
	size := q.a * q.k
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
			if q.k > 1 && c%q.k == q.k-1 && c >= q.k {
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
	largest, size := 0.0, q.a*q.k
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
