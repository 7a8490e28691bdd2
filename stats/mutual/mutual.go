// Package mutual estimates the mutual information of pairs of variables. For real variables, it
// uses kernels. For discrete variables, it uses relative frequencies.
package mutual

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/stats/vecmath"
)

// Matrix returns the d x d matrix of the mutual information, in nats, of all pairs of d columns
// with n finite values each. The diagonal contains the information of each column with itself.
//
// Let e(u) = max(0, 1-u^2) be the Epanechnikov kernel. Let h_a be the bandwidth of column a, and
// e_a(i,k) = e((x_ia - x_ka)/h_a). With sums over all rows k, including k = i,
//
//	s_a(i) = sum_k e_a(i,k),  s_ab(i) = sum_k e_a(i,k) e_b(i,k),
//	MI = 1/n sum_i log( s_ab(i) / (s_a(i) s_b(i)) ) + log n.
//
// If the argument jackknife is true, Matrix returns the less biased jackknife estimate. Let MI_(-k)
// be the estimate without row k at the same bandwidths. The jackknife estimate is
//
//	n MI - (n-1)/n sum_k MI_(-k).
//
// The two estimates are mi and bcmi of cmi() in the R package mpmi 0.43 (Pardy 2013). Both may be
// negative by chance. A constant column has information 0 with every column. With fewer than three
// rows, all entries are 0, as in mpmi.
//
// Matrix takes O(d^2 n^2) time and O(d^2 + dn) memory.
func Matrix(ctx context.Context, columns [][]float64, bandwidths []float64, jackknife bool) (*mat.SymDense, error) {
	d, n := len(columns), len(columns[0])
	information := mat.NewSymDense(d, nil)
	if n < 3 {
		return information, nil
	}
	e := newEstimator(columns, bandwidths, jackknife)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e.addRow(information, i) // the term of row i in the sum of MI, or in its jackknife estimate
	}
	constant := constantTerm(float64(n), jackknife) // log n in MI
	for a := range d {
		for b := a; b < d; b++ {
			information.SetSym(a, b, information.At(a, b)+constant)
		}
	}
	return information, nil
}

// constantTerm returns the term of Matrix that is the same for all pairs of columns with n rows. In
// MI, this is log n. In each of the n estimates MI_(-k), it is log(n-1). So in the jackknife
// estimate n MI - (n-1)/n sum_k MI_(-k), it is n log n - (n-1) log(n-1).
func constantTerm(n float64, jackknife bool) float64 {
	if !jackknife {
		return math.Log(n)
	}
	return math.Log(n) + (n-1)*math.Log1p(1/(n-1)) // Log1p(1/(n-1)) = log n - log(n-1)
}

// An estimator adds up the mutual information row by row. kernels, joint and change are scratch
// memory for one row i.
type estimator struct {
	scaled    [][]float64 // the columns in units of their bandwidths
	sums      [][]float64 // sums[a][i] = s_a(i)
	jackknife bool
	ones      []float64  // n ones, in place of eb in changeOfLog for a single column
	kernels   *mat.Dense // entry (a, k) is e_a(i,k), but 0 for k = i
	joint     []float64  // d x d; entry (a, b) is s_ab(i) - 1, the sum over k != i of e_a(i,k) e_b(i,k)
	change    []float64  // change[a] is C_a of addRow
}

func newEstimator(columns [][]float64, bandwidths []float64, jackknife bool) *estimator {
	d, n := len(columns), len(columns[0])
	scaled := make([][]float64, d)
	for a, x := range columns {
		scaled[a] = inBandwidths(x, bandwidths[a])
	}
	return &estimator{
		scaled:    scaled,
		sums:      kernelSums(scaled),
		jackknife: jackknife,
		ones:      slices.Repeat([]float64{1}, n),
		kernels:   mat.NewDense(d, n, nil),
		joint:     make([]float64, d*d),
		change:    make([]float64, d),
	}
}

// addRow adds the contribution of row i to entry (a, b) of information, for each pair of columns:
//
//	log( s_ab / (s_a s_b) ) / n  with the kernel sums of Matrix at row i.
//
// With the jackknife, it also adds (C_a + C_b - C_ab) / n. C_ab is the change of log s_ab if one row
// k is left out of s_ab, added up over all k other than i. C_a and C_b belong to s_a and s_b.
func (e *estimator) addRow(information *mat.SymDense, i int) {
	e.setKernels(i)
	d, n := e.kernels.Dims()
	for a := range d {
		for b := a; b < d; b++ {
			sum := 1 + e.joint[a*d+b] // s_ab; the term for k = i is 1
			term := math.Log(sum / (e.sums[a][i] * e.sums[b][i]))
			if e.jackknife {
				jointChange := changeOfLog(e.kernels.RawRowView(a), e.kernels.RawRowView(b), sum) // C_ab
				term += e.change[a] + e.change[b] - jointChange
			}
			information.SetSym(a, b, information.At(a, b)+term/float64(n))
		}
	}
}

// setKernels sets e.kernels, e.joint and, for the jackknife, e.change for row i. The kernel of row
// i with itself is 0, because changeOfLog never leaves it out.
func (e *estimator) setKernels(i int) {
	d, n := e.kernels.Dims()
	for a, z := range e.scaled {
		row := e.kernels.RawRowView(a)
		vecmath.Epanechnikov(row, z, z[i])
		row[i] = 0
		if e.jackknife {
			e.change[a] = changeOfLog(row, e.ones, e.sums[a][i]) // C_a
		}
	}
	clear(e.joint)
	vecmath.AddGram(e.joint, d, e.kernels.RawMatrix().Data, n, n)
}

// inBandwidths returns (x - x[0])/h, or zeros if x is constant.
func inBandwidths(x []float64, h float64) []float64 {
	z := make([]float64, len(x))
	for i, v := range x {
		if v != x[0] {
			z[i] = (v - x[0]) / h
		}
	}
	return z
}

// kernelSums returns, for each column z, the sums s(i) = sum_k e(z_k - z_i) over all k, including k
// = i.
func kernelSums(columns [][]float64) [][]float64 {
	sums, row := make([][]float64, len(columns)), make([]float64, len(columns[0]))
	for a, z := range columns {
		sums[a] = make([]float64, len(z))
		for _, t := range z { // add the term of one k to the sums of all i
			vecmath.Epanechnikov(row, z, t)
			floats.Add(sums[a], row)
		}
	}
	return sums
}

// changeOfLog returns the sum of log(s - w_k) - log(s) over all rows k, where w_k = ea[k] eb[k].
// Each term is the change of log(s) if one row is left out. All w_k must lie between 0 and 1, and s
// must be 1 plus their sum.
func changeOfLog(ea, eb []float64, s float64) float64 {
	// The product of 1 - w_k/s over all k cannot underflow. For w between 0 and 1, log(1 - w/s) is
	// concave and 0 at w = 0, so it is at least w log(1 - 1/s). The w_k add up to s-1, so the sum
	// of all logarithms is at least (s-1) log(1 - 1/s) > -1.
	return math.Log(productLeftOut(ea, eb, 1/s))
}

// productLeftOut returns the product of 1 - w_k inv over all rows k, where w_k = ea[k] eb[k] and
// inv = 1/s.
func productLeftOut(ea, eb []float64, inv float64) float64 {
	p, q, r, t := 1.0, 1.0, 1.0, 1.0 // partial products; a processor computes four independent ones at once
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
	return p * q * r * t
}
