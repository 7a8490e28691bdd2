package field

import (
	"math"
	"slices"
)

// A family is one node with its parents, its n rows sorted by the node's value,
// so that the rows within h1 of a row are a window beside it.
type family struct {
	y []float64   // ascending
	x [][]float64 // parents' columns in the same order

	dist  []float64    // scratch: squared parent distances of one window
	total []float64    // scratch: per row a sum
	joint [][4]float64 // scratch: per row the sums of the four bandwidth pairs
}

// window is a row index bound that moves up as rows do.
func window(y []float64, i, from int, h float64) int {
	for from < len(y) && y[from]-y[i] < h {
		from++
	}
	return from
}

// sums computes, for each row i and each (h1[k], h2[l]) of the grid,
//
//	joint[i][2k+l] = sum_{j != i} (1 - (y_i-y_j)^2/h1^2)_+ (1 - |x_i-x_j|^2/h2^2)_+,
//
// the sum of Eq. 9 without the kernels' constants. Pairs are visited once, i
// before j in the order of y, and only while y_j - y_i < h1[1].
func (f *family) sums(g grid) {
	n := len(f.y)
	clear(f.joint)
	p0, p1 := 1/(g.h1[0]*g.h1[0]), 1/(g.h1[1]*g.h1[1])
	q0, q1 := 1/(g.h2[0]*g.h2[0]), 1/(g.h2[1]*g.h2[1])
	near, far := 0, 0 // ends of the windows of h1[0] and h1[1]
	for i := range n {
		near, far = max(near, i+1), max(far, i+1)
		near, far = window(f.y, i, near, g.h1[0]), window(f.y, i, far, g.h1[1])
		dist := f.distances(i, far)
		y, sums := f.y[i+1:far], f.joint[i+1:far]
		y, sums = y[:len(dist)], sums[:len(dist)]
		var s [4]float64
		// 1. Rows near in y: all four pairs. u+|u| is twice the positive part.
		for t := range near - i - 1 {
			u := y[t] - f.y[i]
			u *= u
			a0, a1 := 1-u*p0, 1-u*p1
			b0, b1 := 1-dist[t]*q0, 1-dist[t]*q1
			b0 += math.Abs(b0)
			b1 += math.Abs(b1)
			r := &sums[t]
			v := a0 * b0
			s[0] += v
			r[0] += v
			v = a0 * b1
			s[1] += v
			r[1] += v
			v = a1 * b0
			s[2] += v
			r[2] += v
			v = a1 * b1
			s[3] += v
			r[3] += v
		}
		// 2. Rows farther off: the wider h1 alone.
		for t := near - i - 1; t < len(dist); t++ {
			u := y[t] - f.y[i]
			a1 := 1 - u*u*p1
			b0, b1 := 1-dist[t]*q0, 1-dist[t]*q1
			b0 += math.Abs(b0)
			b1 += math.Abs(b1)
			r := &sums[t]
			v := a1 * b0
			s[2] += v
			r[2] += v
			v = a1 * b1
			s[3] += v
			r[3] += v
		}
		for k := range s {
			f.joint[i][k] += s[k]
		}
	}
	for i := range f.joint {
		for k := range f.joint[i] {
			f.joint[i][k] /= 2
		}
	}
}

// marginal returns, per row, sum_{j != i} (1 - |x_i-x_j|^2/h^2)_+, for a family
// whose y is its first parent: then only rows within h in y have a term. The
// result is valid until the next call.
func (f *family) marginal(h float64) []float64 {
	n := len(f.y)
	sums := f.total
	clear(sums)
	q := 1 / (h * h)
	far := 0
	for i := range n {
		far = window(f.y, i, max(far, i+1), h)
		d := f.distances(i, far)
		row := sums[i+1 : far]
		row = row[:len(d)]
		s := 0.0
		for t, u := range d {
			b := 1 - u*q
			b += math.Abs(b)
			s += b
			row[t] += b
		}
		sums[i] += s
	}
	for i := range sums {
		sums[i] /= 2
	}
	return sums
}

// distances returns |x_i-x_j|^2 for the rows j = i+1 .. end-1; zeros without parents.
func (f *family) distances(i, end int) []float64 {
	d := f.dist[:end-i-1]
	if len(f.x) == 0 {
		clear(d)
	}
	for p, column := range f.x {
		xi, w := column[i], column[i+1:end]
		w = w[:len(d)]
		if p == 0 {
			for t := range d {
				u := w[t] - xi
				d[t] = u * u
			}
			continue
		}
		for t := range d {
			u := w[t] - xi
			d[t] += u * u
		}
	}
	return d
}

// cvll returns Eq. 9 for the four pairs of the grid,
//
//	CVLL = 1/n sum_i log( 1/(n-1) sum_{j != i} K_h1(y_i-y_j) K_h2(x_i-x_j) ),
//
// with every density raised to the floor, and leaves the sums in f.joint.
func (f *family) cvll(g grid, floor float64) (scores [2][2]float64) {
	f.sums(g)
	n := float64(len(f.y))
	for k := range 2 {
		for l := range 2 {
			scale := 0.75 / g.h1[k] / (n - 1)
			if len(f.x) > 0 {
				scale *= 0.75 * math.Pow(g.h2[l], -float64(len(f.x)))
			}
			s := sumLog{product: 1}
			for i := range f.joint {
				s.add(clip(scale*f.joint[i][2*k+l], floor))
			}
			scores[k][l] = s.value() / n
		}
	}
	return scores
}

// sortedOrder returns the row numbers in ascending order of y, stable.
func sortedOrder(y []float64) []int {
	order := make([]int, len(y))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case y[a] < y[b]:
			return -1
		case y[a] > y[b]:
			return 1
		}
		return 0
	})
	return order
}
