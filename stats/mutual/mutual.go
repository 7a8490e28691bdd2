// Package mutual estimates the mutual information of pairs of variables: of real
// ones with kernels, of discrete ones from their frequencies.
package mutual

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// Matrix returns the d x d matrix of the mutual information, in nats, of all
// pairs among d columns of n finite values; the diagonal holds that of a column
// with itself. With the Epanechnikov kernel e(u) = max(0, 1-u^2), bandwidth h_a
// of column a, e_a(i,k) = e((x_ia - x_ka)/h_a),
//
//	s_a(i) = sum_k e_a(i,k),  s_ab(i) = sum_k e_a(i,k) e_b(i,k),  both with k = i,
//	MI = 1/n sum_i log( s_ab(i) / (s_a(i) s_b(i)) ) + log n.
//
// With jackknife it is corrected for bias: MI_(-k) being the estimate without
// row k at the same bandwidths,
//
//	n MI - (n-1)/n sum_k MI_(-k).
//
// These are mi and bcmi of cmi() in the R package mpmi 0.43 (Pardy 2013). Both
// may fall below zero by chance. A constant column has information 0 with every
// other; with fewer than three rows all are 0, as there.
//
// Time O(d^2 n^2), memory O(d^2 + dn).
func Matrix(ctx context.Context, columns [][]float64, bandwidths []float64, jackknife bool) (*mat.SymDense, error) {
	d, n := len(columns), len(columns[0])
	if len(bandwidths) != d {
		panic(fmt.Sprintf("mutual: %d columns but %d bandwidths", d, len(bandwidths)))
	}
	information := mat.NewSymDense(d, nil)
	if n < 3 {
		return information, nil
	}
	size := float64(n)
	constant := math.Log(size)
	if jackknife { // see logLeftOut: what is left of n log n - (n-1) log (n-1)
		constant += (size - 1) * math.Log1p(1/(size-1))
	}
	scaled := make([][]float64, d)
	for a, x := range columns {
		scaled[a] = inBandwidths(x, bandwidths[a])
	}
	ones := make([]float64, n)
	for k := range ones {
		ones[k] = 1
	}
	kernels := mat.NewDense(d, n, nil) // kernels[a][k] = e_a(i,k), 0 at k = i
	totals := kernelSums(scaled)       // totals[a][i] = s_a(i)
	sums, left := make([]float64, d), make([]float64, d)
	joint := make([]float64, d*d) // sums over k != i of e_a(i,k) e_b(i,k)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for a, z := range scaled {
			row := kernels.RawRowView(a)
			vecmath.Epanechnikov(row, z, z[i])
			row[i] = 0
			sums[a] = totals[a][i]
			if jackknife {
				left[a] = logLeftOut(row, ones, sums[a])
			}
		}
		clear(joint)
		vecmath.AddGram(joint, d, kernels.RawMatrix().Data, n, n)
		for a := range d {
			for b := a; b < d; b++ {
				s := 1 + joint[a*d+b]
				term := math.Log(s / (sums[a] * sums[b]))
				if jackknife {
					term += left[a] + left[b] - logLeftOut(kernels.RawRowView(a), kernels.RawRowView(b), s)
				}
				information.SetSym(a, b, information.At(a, b)+term/size)
			}
		}
	}
	for a := range d {
		for b := a; b < d; b++ {
			information.SetSym(a, b, information.At(a, b)+constant)
		}
	}
	return information, nil
}

// inBandwidths returns (x - x[0])/h, zeros if x is constant.
func inBandwidths(x []float64, h float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		if v != x[0] && !(h > 0) {
			panic(fmt.Sprintf("mutual: bandwidth %g of a column that is not constant", h))
		}
		if v != x[0] {
			z[i] = (v - x[0]) / h
		}
	}
	return z
}

// kernelSums returns sum_k e(z_k - z_i), k = i included, for each i of each column.
func kernelSums(columns [][]float64) [][]float64 {
	sums, row := make([][]float64, len(columns)), make([]float64, len(columns[0]))
	for a, z := range columns {
		sums[a] = make([]float64, len(z))
		for _, t := range z { // all sums in step, each in the order of k
			vecmath.Epanechnikov(row, z, t)
			floats.Add(sums[a], row)
		}
	}
	return sums
}

// logLeftOut returns sum_{k != i} log(1 - w_k/s), w = e_a e_b and s = 1 + sum w:
// what point i's log s loses, in all, when each other row is left out once.
// Since 0 <= w_k <= 1, the concave sum is least for w_k in {0, 1}, where it is
// (s-1) log(1-1/s) >= -1: the product of the factors stays above 1/e, so one
// logarithm is enough.
func logLeftOut(ea, eb []float64, s float64) float64 {
	inv := 1 / s
	p, q, r, t := 1.0, 1.0, 1.0, 1.0 // independent products keep the multiplier busy
	eb = eb[:len(ea)]
	for len(ea) >= 4 && len(eb) >= 4 {
		p *= 1 - ea[0]*eb[0]*inv
		q *= 1 - ea[1]*eb[1]*inv
		r *= 1 - ea[2]*eb[2]*inv
		t *= 1 - ea[3]*eb[3]*inv
		ea, eb = ea[4:], eb[4:]
	}
	for k, e := range ea {
		p *= 1 - e*eb[k]*inv
	}
	return math.Log(p * q * r * t)
}
