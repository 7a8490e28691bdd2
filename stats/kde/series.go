package kde

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// Kernel sums as Taylor series. The line is cut into cells one bandwidth wide;
// with delta = (t-c)/h in [-1/2, 1/2] for the cell's centre c and v_i =
// (x_i-c)/h,
//
//	sum_i exp(-(t-x_i)^2/(2h^2)) = exp(-delta^2/2) sum_k delta^k/k! M_k
//	M_k = sum_i v_i^k exp(-v_i^2/2)
//
// which is multiplied out to one polynomial in delta. The derivatives of the
// kernel phi are bounded by |phi^(k)| < 1.1 sqrt(k!) phi(0) (Cramér), so
// terms = 30 leave out less than 1e-25 per kernel; reach = 10 leaves out kernels
// below 2e-22.
const (
	terms      = 3 * vecmath.Powers
	reach      = 10
	seriesFrom = 64 // sample size from which a series pays
	near       = 1  // cells farther than this (in bandwidths) from all x_i have no series
)

// A series holds the Taylor series of the kernel sums of one sample.
type series struct {
	h     float64
	first float64 // number of the first cell; cell k covers h [k-1/2, k+1/2)
	at    []int32 // where each cell's coefficients begin, 0 without a series
	// coefficients begin with those of the polynomial 0.
	coefficients []float64
}

// newSeries expands the kernel sums of the ascending sample x. Cells in empty
// regions have no series, nor have those that are too far from the median for
// an index linear in the sample size.
func newSeries(x []float64, h float64) *series {
	e := newExpander(x, h)
	n := len(e.z)
	median, span := math.Round(e.z[n/2]), float64(64+4*n)
	first := max(cellOf(e.z[0])-near, median-span)
	last := min(cellOf(e.z[n-1])+near, median+span)
	s := &series{h: h, first: first, at: make([]int32, int(last-first)+1)}
	most := min(len(s.at), (2*near+2)*n) // cells with a series
	s.coefficients = make([]float64, terms, terms*(1+most))
	for i := range s.at {
		k := first + float64(i)
		j, _ := slices.BinarySearch(e.z, k-0.5-near)
		if j < n && e.z[j] <= k+0.5+near {
			s.at[i] = int32(len(s.coefficients))
			c := e.expand(k)
			s.coefficients = append(s.coefficients, c[:]...)
		}
	}
	return s
}

// cellOf returns the number of the cell that holds z = t/h.
func cellOf(z float64) float64 { return math.Floor(z + 0.5) }

// cell returns the number of the cell with t, if there is one, and the distance of
// t from its centre in bandwidths.
func (s *series) cell(t float64) (number int, delta float64, ok bool) {
	u := t / s.h
	k := math.Floor(u + 0.5)
	if i := k - s.first; i >= 0 && i < float64(len(s.at)) {
		return int(i), u - k, true
	}
	return 0, 0, false
}

// sums sets dst to the kernel sums at t, 0 where there is no series.
func (s *series) sums(dst, t []float64) {
	var at [batchSize]int32
	var delta [batchSize]float64
	for len(t) > 0 {
		n := min(len(t), batchSize)
		for i, v := range t[:n] {
			at[i], delta[i] = 0, 0
			if number, d, ok := s.cell(v); ok {
				at[i], delta[i] = s.at[number], d
			}
		}
		vecmath.Polynomials(dst[:n], s.coefficients, at[:n], delta[:n], terms)
		dst, t = dst[n:], t[n:]
	}
}

// An expander computes the series of one sample; it holds scratch space.
type expander struct {
	z    []float64 // the ascending sample over h
	v, w []float64

	moments, out [terms]float64
}

func newExpander(x []float64, h float64) *expander {
	n := len(x)
	buf := make([]float64, 3*n)
	e := &expander{z: buf[:n], v: buf[n : 2*n], w: buf[2*n:]}
	for i, t := range x {
		e.z[i] = t / h
	}
	return e
}

// expand returns the coefficients around the centre of cell k, until it is called
// again.
func (e *expander) expand(k float64) *[terms]float64 {
	lo, _ := slices.BinarySearch(e.z, k-reach)
	hi, _ := slices.BinarySearch(e.z, k+reach)
	z, v, w := e.z[lo:hi], e.v[:hi-lo], e.w[:hi-lo]
	for i, z := range z {
		v[i] = z - k
	}
	vecmath.Gauss(w, z, k, vecmath.Scale)
	m, out := &e.moments, &e.out
	clear(m[:])
	clear(out[:])
	for r := 0; r < terms; r += vecmath.Powers {
		vecmath.Moments(w, v, (*[vecmath.Powers]float64)(m[r:]))
	}
	for r := range m {
		m[r] *= inverseFactorial[r]
	}
	// times exp(-delta^2/2) = sum_j (-1/2)^j/j! delta^(2j)
	for j, g := range gaussTaylor {
		floats.AddScaled(out[2*j:], g, m[:terms-2*j])
	}
	return out
}

var inverseFactorial, gaussTaylor = func() (f [terms]float64, g [terms / 2]float64) {
	f[0], g[0] = 1, 1
	for k := 1; k < len(f); k++ {
		f[k] = f[k-1] / float64(k)
	}
	for j := 1; j < len(g); j++ {
		g[j] = g[j-1] * -0.5 / float64(j)
	}
	return f, g
}()

// derivativeSum returns sum_i S^(r)(x_i), r even, where S(t) = sum_j
// exp(-(t-x_j)^2/(2g^2)) is differentiated r times by t/g: the sum over all
// pairs of He_r(D) exp(-D^2/2) with D = (x_i-x_j)/g. The sample is ascending.
func derivativeSum(x []float64, r int, g float64) float64 {
	e := newExpander(x, g)
	total := 0.0
	for i := 0; i < len(e.z); {
		k := cellOf(e.z[i])
		first := i
		for ; i < len(e.z) && cellOf(e.z[i]) == k; i++ {
			e.v[i], e.w[i] = e.z[i]-k, 1
		}
		var powers [terms]float64 // sums of delta^m over the cell's own points
		for m := 0; m < terms; m += vecmath.Powers {
			vecmath.Moments(e.w[first:i], e.v[first:i], (*[vecmath.Powers]float64)(powers[m:]))
		}
		c := e.expand(k)
		for m := range terms - r {
			total += c[m+r] * powers[m] * inverseFactorial[m] / inverseFactorial[m+r]
		}
	}
	return total
}
