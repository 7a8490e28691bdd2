package kde

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats/vecmath"
)

// Kernel sums are computed from Taylor series, one for each cell. A cell is an interval of length
// h, the bandwidth. For a point t in the cell with the centre c, let delta = (t-c)/h, which lies in
// [-1/2, 1/2], and v_i = (x_i-c)/h. Then
//
//	sum_i exp(-(t-x_i)^2/(2h^2)) = exp(-delta^2/2) sum_k delta^k/k! M_k
//	M_k = sum_i v_i^k exp(-v_i^2/2).
//
// Multiplication by the series of exp(-delta^2/2) gives one polynomial in delta.
//
// A series with seriesTerms = 30 coefficients omits less than 1e-25 per kernel, because the
// derivatives of phi satisfy |phi^(k)| < 1.1 sqrt(k!) phi(0) (Cramér). Values more than seriesReach =
// 10 bandwidths from the centre are omitted. Their kernels are below 3e-20.
const (
	seriesTerms  = 3 * vecmath.Powers // number of coefficients of a series
	seriesReach  = 10                 // largest distance of kernels in a series, in bandwidths
	seriesFrom   = 64                 // smallest sample size for which series save time
	seriesMargin = 1                  // a cell has a series if a value is within this many bandwidths
)

// A series contains the Taylor series of the kernel sums of one sample. Cell k covers the interval
// from h (k-1/2) to h (k+1/2).
type series struct {
	h     float64
	first float64 // number of the first cell
	start []int32 // the coefficients of cell first+i begin at start[i], unless this is noSeries
	// coefficients contains seriesTerms coefficients of each series, one series after another.
	coefficients []float64
}

// noSeries is the element of series.start for a cell that is far from all values. All such cells
// share the zeros at the beginning of series.coefficients.
const noSeries = 0

// newSeries computes the Taylor series of the kernel sums of the ascending sample x, for all cells
// within seriesMargin bandwidths of a value.
func newSeries(x []float64, h float64) *series {
	e := newExpander(x, h)
	first, last := cellRange(e.z)
	s := &series{h: h, first: first, start: make([]int32, int(last-first)+1)}
	// A value z is near cell k if |z-k| <= seriesMargin + 1/2. This holds for at most
	// 2*seriesMargin + 2 cells.
	mostSeries := min(len(s.start), (2*seriesMargin+2)*len(x))
	// At first, coefficients contains only zeros, the coefficients of all cells without a series.
	s.coefficients = make([]float64, seriesTerms, seriesTerms*(1+mostSeries))
	for i := range s.start {
		s.start[i] = noSeries // the index of these zeros
		if k := first + float64(i); hasValueNear(e.z, k) {
			s.start[i] = int32(len(s.coefficients))
			c := e.expand(k)
			s.coefficients = append(s.coefficients, c[:]...)
		}
	}
	return s
}

// cellRange returns the numbers of the first and the last cell for the ascending sample z, in
// bandwidths. It omits cells far from the median, because outliers would require too many.
func cellRange(z []float64) (first, last float64) {
	n := len(z)
	median, span := math.Round(z[n/2]), float64(64+4*n)
	first = max(cellOf(z[0])-seriesMargin, median-span)
	last = min(cellOf(z[n-1])+seriesMargin, median+span)
	return first, last
}

// hasValueNear reports whether a value of the ascending sample z is within seriesMargin
// bandwidths of cell k.
func hasValueNear(z []float64, k float64) bool {
	j, _ := slices.BinarySearch(z, k-0.5-seriesMargin)
	return j < len(z) && z[j] <= k+0.5+seriesMargin
}

// cellOf returns the number of the cell that contains the position z, in bandwidths.
func cellOf(z float64) float64 { return math.Floor(z + 0.5) }

// centre returns the centre of cell first+i.
func (s *series) centre(i int) float64 { return (s.first + float64(i)) * s.h }

// cell returns the index of the cell that contains t, and the distance of t from its centre in
// bandwidths. ok is false outside all cells.
func (s *series) cell(t float64) (index int, delta float64, ok bool) {
	u := t / s.h
	k := cellOf(u)
	if i := k - s.first; i >= 0 && i < float64(len(s.start)) {
		return int(i), u - k, true
	}
	return 0, 0, false
}

// sums sets dst[i] to the kernel sum at t[i], or to 0 outside all cells that have a series.
func (s *series) sums(dst, t []float64) {
	var start [batchSize]int32
	var delta [batchSize]float64
	for len(t) > 0 {
		n := min(len(t), batchSize)
		for i, v := range t[:n] {
			start[i], delta[i] = noSeries, 0
			if number, d, ok := s.cell(v); ok {
				start[i], delta[i] = s.start[number], d
			}
		}
		vecmath.Polynomials(dst[:n], s.coefficients, start[:n], delta[:n], seriesTerms)
		dst, t = dst[n:], t[n:]
	}
}

// An expander computes the Taylor series of the kernel sums of one sample.
type expander struct {
	z    []float64 // the ascending sample, divided by h
	v, w []float64 // scratch: distances from a centre, and weights
}

func newExpander(x []float64, h float64) *expander {
	return &expander{z: inUnits(x, h), v: make([]float64, len(x)), w: make([]float64, len(x))}
}

// expand returns the Taylor coefficients of the kernel sum in cell k, whose centre is h k. At a distance of
// delta bandwidths from the centre, the kernel sum is
//
//	exp(-delta^2/2) sum_r delta^r/r! M_r,   M_r = sum_i v_i^r exp(-v_i^2/2),   v_i = x_i/h - k.
func (e *expander) expand(k float64) (coefficients [seriesTerms]float64) {
	lo, _ := slices.BinarySearch(e.z, k-seriesReach)
	hi, _ := slices.BinarySearch(e.z, k+seriesReach)
	z := e.z[lo:hi]                  // the x_i/h that matter in this cell
	v, w := e.v[:hi-lo], e.w[:hi-lo] // scratch memory, overwritten below
	for i, value := range z {
		v[i] = value - k
	}
	vecmath.Gauss(w, z, k, vecmath.Scale) // w_i = exp(-v_i^2/2); Scale selects the bandwidth 1
	sum := powerSums(w, v)                // M_r
	for r := range sum {
		sum[r] *= inverseFactorial[r] // M_r/r!, the coefficient of delta^r in the sum
	}
	// Multiply the sum by exp(-delta^2/2), whose series has the terms gaussTaylor[j] delta^(2j):
	// coefficients[2j+r] += gaussTaylor[j] * sum[r].
	for j, g := range gaussTaylor {
		floats.AddScaled(coefficients[2*j:], g, sum[:seriesTerms-2*j])
	}
	return coefficients
}

// powerSums returns sum_i w_i v_i^r for r = 0..seriesTerms-1. It overwrites w.
func powerSums(w, v []float64) (m [seriesTerms]float64) {
	for r := 0; r < seriesTerms; r += vecmath.Powers {
		vecmath.Moments(w, v, (*[vecmath.Powers]float64)(m[r:]))
	}
	return m
}

// inverseFactorial[k] is 1/k!, and gaussTaylor[j] is (-1/2)^j/j!, the coefficient of delta^(2j) in
// exp(-delta^2/2).
var inverseFactorial, gaussTaylor = func() (f [seriesTerms]float64, g [seriesTerms / 2]float64) {
	f[0], g[0] = 1, 1
	for k := 1; k < len(f); k++ {
		f[k] = f[k-1] / float64(k)
	}
	for j := 1; j < len(g); j++ {
		g[j] = g[j-1] * -0.5 / float64(j)
	}
	return f, g
}()

// derivativeSum returns the sum of He_r(D) exp(-D^2/2) over all ordered pairs (i, j) of an
// ascending sample, where D = (x_i-x_j)/g. The order r must be even.
//
// So each term is the r-th derivative of the kernel exp(-D^2/2), and the result is the sum over all
// values of S^(r), the r-th derivative of the kernel sum S. In a cell, S has Taylor coefficients
// c_m:
//
//	S = sum_m c_m delta^m,   S^(r) = sum_m c_(m+r) (m+r)!/m! delta^m.
//
// The values in the cell contribute the sum of S^(r) over their delta. It is the same series with
// the power sum P_m, the sum of all delta^m, in place of delta^m.
func derivativeSum(x []float64, r int, g float64) float64 {
	e := newExpander(x, g)
	total := 0.0
	for rest := e.z; len(rest) > 0; {
		k, n := cellOf(rest[0]), 1
		for n < len(rest) && cellOf(rest[n]) == k { // rest[:n] are the values in cell k
			n++
		}
		powers := e.powersInCell(rest[:n], k) // P_m
		c := e.expand(k)                      // c_m
		for m := range seriesTerms - r {      // add c_(m+r) P_m (m+r)!/m!
			total += c[m+r] * powers[m] * inverseFactorial[m] / inverseFactorial[m+r]
		}
		rest = rest[n:]
	}
	return total
}

// powersInCell returns sum_i delta_i^m for m = 0..seriesTerms-1, where delta_i is the distance of z_i
// from the centre of cell k.
func (e *expander) powersInCell(z []float64, k float64) [seriesTerms]float64 {
	delta, ones := e.v[:len(z)], e.w[:len(z)]
	for i, v := range z {
		delta[i], ones[i] = v-k, 1
	}
	return powerSums(ones, delta)
}
