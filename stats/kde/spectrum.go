package kde

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/vecmath"
)

// Sums over all pairs of n points x_i in the plane can be computed in a time proportional to n,
// from the Fourier transform of the sample, F(w) = sum_j exp(i w'x_j). For even a + b and D =
// (x_i-x_j)/g,
//
//	sum_ij He_a(D1) He_b(D2) exp(-(D1^2+D2^2)/2)
//	  = (-1)^((a+b)/2) g^(a+b+2) / (2 pi) int w1^a w2^b exp(-g^2 |w|^2/2) |F(w)|^2 dw.
//
// To compute F, each point is spread over nearby nodes of a grid by a smooth bump, and the grid is
// transformed (Barnett, Magland and af Klinteberg, SIAM J. Sci. Comput. 41:C479, 2019). Both stages
// of Hpi use the same grid.
//
// For order 6, the errors are below 2e-11 of the sum of He_6(D1). For order 4, they are smaller.
// They have three sources: omitted frequencies beyond spectrumEnd/unit, copies of the sample at a
// distance of spectrumGap g, and aliasing of the grid.
const (
	spectrumEnd   = 8.4  // largest frequency, in 1/units
	spectrumGap   = 8.2  // distance between the copies of the sample, divided by g
	spectrumStep  = 0.33 // distance between nodes, in units
	spectrumShare = 0.8  // spectrum.unit, divided by the g of the first stage
	spectrumShape = 36   // shape of the bump
	spectrumNodes = 512  // largest number of nodes in one direction
)

// spectrumBump returns the height of the bump at a distance z from its centre. The unit of z is
// half the width of a window.
func spectrumBump(z float64) float64 {
	return math.Exp(spectrumShape * (math.Sqrt(max(0, 1-z*z)) - 1))
}

// spectrumWindow returns polynomials that approximate spectrumBump at the nodes of a window. They
// interpolate the bump at Chebyshev points. Their variable is t^2, where t is the distance of the
// sample point from the middle of the window, in steps.
var spectrumWindow = sync.OnceValue(func() *vecmath.Shape {
	const terms, half = vecmath.ShapeTerms, vecmath.WindowSize / 2
	powers, values := mat.NewDense(terms, terms, nil), mat.NewDense(terms, 2*half, nil)
	for r := range terms {
		q := 0.5 - 0.5*math.Cos((float64(r)+0.5)*math.Pi/terms) // (2t)^2
		t := 0.5 * math.Sqrt(q)
		for k := range terms {
			powers.Set(r, k, math.Pow(q, float64(k)))
		}
		for i := range half {
			before := spectrumBump((float64(i) + 0.5 - t) / half)
			behind := spectrumBump((float64(i) + 0.5 + t) / half)
			values.Set(r, i, (behind+before)/2)
			values.Set(r, half+i, (behind-before)/(2*t))
		}
	}
	var c mat.Dense
	if err := c.Solve(powers, values); err != nil {
		panic(err) // impossible: the points differ, so the powers are independent
	}
	var s vecmath.Shape
	for k := range s {
		copy(s[k][:], c.RawRowView(k))
		floats.Scale(math.Pow(4, float64(k)), s[k][:]) // q^k = 4^k t^(2k)
	}
	return &s
})

// frequencies contains the frequencies for one axis of a grid, and their sines and cosines at the n
// nodes of this axis.
type frequencies struct {
	w        []float64    // the frequencies, ascending from 0
	cos, sin []float64    // element k n/2 + j: at w_k x, where x is node j of the upper half
	powers   [7][]float64 // powers[a][k]: w_k^a, weighted for sums over all frequencies (see addPowers)
}

// allFrequencies caches frequencies by number of nodes.
var allFrequencies sync.Map

// frequenciesOf returns the frequencies of the transform along an axis with n nodes. They are w_k =
// k delta up to spectrumEnd, with delta = 2 pi / (n spectrumStep). n must be even. The results are
// cached.
func frequenciesOf(n int) *frequencies {
	if f, ok := allFrequencies.Load(n); ok {
		return f.(*frequencies)
	}
	delta := 2 * math.Pi / (float64(n) * spectrumStep)
	f := &frequencies{}
	count := 1 + int(spectrumEnd/delta)                       // number of frequencies
	f.addWaves(n, vecmath.RoundedUp(count, vecmath.TileRows)) // sines and cosines at the nodes
	f.addPowers(count, delta)
	allFrequencies.Store(n, f)
	return f
}

// addPowers sets f.w to the frequencies w_k = k delta, k = 0..count-1. It sets f.powers[a] to their
// powers w_k^a, multiplied by the weight
//
//	delta / sqrt(2 pi) / bumpTransform(w_k)^2,  doubled for k > 0.
//
// With these weights, a sum over w1, w2 >= 0 approximates an integral over w1 and w2, divided by
// 2 pi, that contains |F|^2 for the Fourier transform F of the sample (see spectrum.hermiteSums):
//   - The factors delta / sqrt(2 pi) of both axes give dw / (2 pi).
//   - The doubled weights include the frequencies -w_k.
//   - Spreading the sample multiplies F by the transform of the bump. The division removes this
//     factor from |F|^2.
func (f *frequencies) addPowers(count int, delta float64) {
	for k := range count {
		w := float64(k) * delta
		transform := bumpTransform(w)
		weight := delta / math.Sqrt(2*math.Pi) / (transform * transform)
		if k > 0 {
			weight *= 2
		}
		f.w = append(f.w, w)
		for a := range f.powers {
			f.powers[a] = append(f.powers[a], weight*math.Pow(w, float64(a)))
		}
	}
}

// addWaves computes cos(w_k x) and sin(w_k x) for the first count frequencies and the nodes in the
// upper half of an axis, x = (j+1/2) spectrumStep. The lower half is a mirror image of the upper
// half, so it needs no values of its own (see fold).
func (f *frequencies) addWaves(n, count int) {
	for k := range count {
		for j := range n / 2 {
			s, c := math.Sincos(2 * math.Pi / float64(n) * float64(k) * (float64(j) + 0.5))
			f.cos = append(f.cos, c)
			f.sin = append(f.sin, s)
		}
	}
}

// bumpTransform returns the Fourier transform of the bump at frequency w.
func bumpTransform(w float64) float64 {
	const half = vecmath.WindowSize / 2
	wave := func(z float64) float64 { return spectrumBump(z) * math.Cos(half*spectrumStep*w*z) }
	return 2 * half * quad.Fixed(wave, 0, 1, 100, quad.Legendre{}, 1)
}

// A spectrum contains the squared Fourier transform |F(w)|^2 of a grid on which a sample (u_i, v_i) is
// spread. Its memory can be reused for the next sample.
type spectrum struct {
	unit       float64 // unit of length of the grid
	worthwhile bool    // whether the spectrum is faster than sums over pairs and has been computed
	u, v       coverage
	fu, fv     *frequencies // frequencies w1 in the direction of u and w2 in the direction of v

	points []vecmath.Point // the sample points on the grid
	strays [2][]float64    // u and v of the points outside the grid
	grid   []float64       // v.n rows of u.n nodes (see spread)
	folded [2][]float64    // the even part and the odd part of the grid in u
	waves  [2][]float64    // the transform in u: cosine sums of folded[0], sine sums of folded[1]
	both   [2][2][]float64 // both[k]: the even part and the odd part of waves[k] in v
	parts  [2][2][]float64 // the transform of both in v, for a few frequencies w2

	// forEven and forOdd are matrices for sums of w1^a w2^b |F(w1,w2)|^2 over all frequencies. They
	// have a row for each w2 >= 0 and a column for each w1 >= 0. Rows begin stride elements apart.
	//
	// An element combines P = |F(w1,w2)|^2 and M = |F(w1,-w2)|^2. It is (P+M)/2 in forEven, which
	// is used for even b, and (P-M)/2 in forOdd, which is used for odd b.
	forEven, forOdd []float64
	stride          int
	ofU, ofV        [7][]float64 // scratch of hermiteSums: damped powers of the frequencies of u and of v
}

// spectra is a pool of spectra whose memory can be reused.
var spectra = sync.Pool{New: func() any { return new(spectrum) }}

// A coverage is the interval [from, to] that a grid covers along an axis with n nodes. Both ends are in multiples of
// spectrum.unit. Points outside the interval are strays.
type coverage struct {
	from, to float64
	n        int
}

// cover returns the interval, in multiples of unit, that the grid covers in one direction.
//
// The interval contains all values if spectrumNodes nodes are enough. Otherwise, it is the widest
// possible interval around the median.
func cover(x []float64, unit float64) coverage {
	const gap = spectrumGap / spectrumShare
	const room = spectrumNodes*spectrumStep - gap
	least, largest := extent(x)
	e := coverage{from: least / unit, to: largest / unit}
	if e.to-e.from > room {
		middle := stats.Quantile(ascending(x), 0.5) / unit
		e.from, e.to = middle-room/2, middle+room/2
	}
	eights := int(math.Ceil((e.to - e.from + gap) / (8 * spectrumStep)))
	e.n = min(spectrumNodes, 8*eights) // half the grid consists of whole vectors of 4 nodes
	return e
}

func (e *coverage) contains(x float64) bool { return x >= e.from && x <= e.to }

// prepare computes the spectrum of the sample (u_i, v_i), for all bandwidths from spectrumShare*g
// to g. If direct sums over all pairs are faster, it sets s.worthwhile to false instead.
func (s *spectrum) prepare(u, v []float64, g float64) {
	// These are measured times in ns. pairCost is the time per pair in a direct sum. pointCost is
	// the time per point that is spread on the grid. productCost is the time per multiplication in
	// transform. fixedCost does not depend on the sample.
	const pairCost, pointCost, productCost, fixedCost = 1.2, 65, 0.08, 3000
	n := float64(len(u))
	s.unit = spectrumShare * g
	// Without a spectrum, Hpi needs two direct sums over n^2/2 pairs: one for functionals of order
	// 6 and one for functionals of order 4.
	pairs := n * n
	s.worthwhile = pairCost*pairs > pointCost*n+fixedCost // even without the time of transform
	if !s.worthwhile {
		return // the sample is too small for any grid
	}
	s.u, s.v = cover(u, s.unit), cover(v, s.unit) // the area and the size of the grid
	// The size of the grid determines the number of multiplications in transform.
	s.worthwhile = pairCost*pairs > pointCost*n+productCost*s.products()+fixedCost
	if s.worthwhile {
		s.transform(u, v)
	}
}

// products returns the approximate number of multiplications in transform for a grid with s.u.n columns and
// s.v.n rows.
func (s *spectrum) products() float64 {
	const share = spectrumEnd * spectrumStep / (2 * math.Pi) // number of frequencies per node
	columns, rows := float64(s.u.n), float64(s.v.n)
	// transformColumns needs only the pairs of frequencies in a quarter of a disc, which are pi/4
	// of all pairs. For each of these pairs, it computes 4 sums of rows/2 products.
	return share * rows * columns * (columns + math.Pi/2*share*rows)
}

// covers reports whether the grid is fine and wide enough for the bandwidth g. It also accepts a g
// that exceeds the largest prepared bandwidth by up to 2 percent.
func (s *spectrum) covers(g float64) bool {
	return g >= s.unit && g <= 1.02/spectrumShare*s.unit
}

// transform computes the squared Fourier transform of the sample (u_i, v_i), in the matrices
// forEven and forOdd (see spectrum).
func (s *spectrum) transform(u, v []float64) {
	s.fu, s.fv = frequenciesOf(s.u.n), frequenciesOf(s.v.n)
	s.spread(u, v)
	s.transformRows()
	s.transformColumns()
}

// spread computes the values of the grid at its nodes: sums of bumps around the sample points (see
// spectrumBump). Points outside the grid are added to s.strays instead. Rows of zeros at the end
// make the number of rows a multiple of vecmath.TileColumns.
func (s *spectrum) spread(u, v []float64) {
	s.points = slices.Grow(s.points[:0], len(u))
	s.strays[0], s.strays[1] = s.strays[0][:0], s.strays[1][:0]
	for i := range u {
		x, y := u[i]/s.unit, v[i]/s.unit // in the unit of s.u and s.v, the two axes of the grid
		if s.u.contains(x) && s.v.contains(y) {
			s.points = append(s.points, s.pointAt(x, y))
		} else {
			s.strays[0] = append(s.strays[0], u[i])
			s.strays[1] = append(s.strays[1], v[i])
		}
	}
	// The grid has a row for each of the s.v.n nodes of the second axis.
	s.grid = stats.Resized(s.grid, vecmath.RoundedUp(s.v.n, vecmath.TileColumns)*s.u.n)
	clear(s.grid)
	vecmath.SpreadPoints(s.grid, s.u.n, s.points, spectrumWindow())
}

// pointAt returns the position of a point on the grid, for vecmath.SpreadPoints. x and y are its coordinates in
// units of s.unit.
func (s *spectrum) pointAt(x, y float64) vecmath.Point {
	const middle = vecmath.WindowSize / 2
	// From here on, x and y are positions in steps of the grid. row and column are the indices of the
	// last node before the point.
	x, y = middle+(x-s.u.from)/spectrumStep, middle+(y-s.v.from)/spectrumStep
	column, row := int(x), int(y)
	return vecmath.Point{
		At:     (row-middle+1)*s.u.n + column - middle + 1,
		Row:    y - float64(row) - 0.5,
		Column: x - float64(column) - 0.5,
	}
}

// transformRows transforms each row of the grid, which is the first half of the Fourier transform.
// It stores the sums with cosines in s.waves[0] and the sums with sines in s.waves[1]. These
// matrices have one row for each frequency and one column for each row of the grid. Their even and
// odd parts are stored in s.both (see fold).
func (s *spectrum) transformRows() {
	rows, count := vecmath.RoundedUp(s.v.n, vecmath.TileColumns), vecmath.RoundedUp(len(s.fu.w), vecmath.TileRows)
	fold(&s.folded, s.grid, rows, s.u.n, s.u.n)
	for k, table := range [][]float64{s.fu.cos, s.fu.sin} {
		s.waves[k] = stats.Resized(s.waves[k], count*rows)
		vecmath.Products(s.waves[k], rows, table, count, s.folded[k], rows, s.u.n/2)
		fold(&s.both[k], s.waves[k], count, rows, s.v.n)
	}
}

// fold splits each row of x about its middle into an even and an odd part, which have half the
// length. A sum with cosines needs only the even part, and a sum with sines only the odd part.
//
// An element of the even part, to[0], is the sum of an element in the upper half of the row and its
// mirror image in the lower half. In the odd part, to[1], it is their difference. A row has n
// elements, and rows of x begin stride elements apart.
func fold(to *[2][]float64, x []float64, rows, stride, n int) {
	half := n / 2
	for k := range to { // with additional rows of arbitrary values to fill up a tile
		to[k] = stats.Resized(to[k], vecmath.RoundedUp(rows, vecmath.TileColumns)*half)
	}
	for r := range rows {
		lower, upper := x[r*stride:][:half], x[r*stride+half:][:half]
		even, odd := to[0][r*half:][:half], to[1][r*half:][:half]
		for j, v := range upper {
			mirrored := lower[half-1-j]
			even[j], odd[j] = v+mirrored, v-mirrored
		}
	}
}

// transformColumns completes the Fourier transform of the grid, which transformRows began. It sets
// forEven and forOdd (see spectrum) for all frequencies with w1^2 + w2^2 <= spectrumEnd^2.
func (s *spectrum) transformColumns() {
	s.stride = vecmath.RoundedUp(len(s.fu.w), vecmath.TileColumns)
	size := vecmath.RoundedUp(len(s.fv.w), vecmath.TileRows) * s.stride
	s.forEven, s.forOdd = stats.Resized(s.forEven, size), stats.Resized(s.forOdd, size)
	for from := 0; from < len(s.fv.w); from += vecmath.TileRows {
		width := vecmath.RoundedUp(s.fu.within(widthAt(s.fv.w[from])), vecmath.TileColumns)
		s.setParts(from, width)
		for r := range vecmath.TileRows {
			s.square(r, from+r, width)
		}
	}
}

// setParts computes s.parts, the Fourier transform of the grid at the frequencies w1 with indices
// below width. The TileRows frequencies w2 begin at index from. transformRows must run first.
func (s *spectrum) setParts(from, width int) {
	half := s.v.n / 2
	for k := range s.parts { // cosines and sines in u
		for l, table := range [][]float64{s.fv.cos, s.fv.sin} {
			s.parts[k][l] = stats.Resized(s.parts[k][l], vecmath.TileRows*s.stride)
			waves := table[from*half:]
			vecmath.Products(s.parts[k][l], s.stride, waves, vecmath.TileRows, s.both[k][l], width, half)
		}
	}
}

// square computes elements 0 to width-1 in row k of the matrices forEven and forOdd (see spectrum).
// The squares of the following sums give these elements:
//
//	F(w1,w2) = (cc - ss) + i (sc + cs),   F(w1,-w2) = (cc + ss) + i (sc - cs).
//
// For example, cs is the sum over the grid with cosines in u and sines in v. It is stored in row r
// of s.parts[0][1].
func (s *spectrum) square(r, k, width int) {
	part := func(i, j int) []float64 { return s.parts[i][j][r*s.stride:][:width] }
	cc, cs, sc, ss := part(0, 0), part(0, 1), part(1, 0), part(1, 1)
	even, odd := s.forEven[k*s.stride:][:width], s.forOdd[k*s.stride:][:width]
	for i, v := range cc {
		even[i] = float64(v*v) + float64(cs[i]*cs[i]) + float64(sc[i]*sc[i]) + float64(ss[i]*ss[i])
		odd[i] = 2 * (float64(sc[i]*cs[i]) - float64(v*ss[i]))
	}
}

// widthAt returns the largest frequency w1 that is needed together with the frequency w2 = w. A
// pair is negligible if w1^2 + w2^2 > spectrumEnd^2.
func widthAt(w float64) float64 { return math.Sqrt(max(0, spectrumEnd*spectrumEnd-w*w)) }

// within returns the number of frequencies that are at most w.
func (f *frequencies) within(w float64) int {
	above, _ := slices.BinarySearch(f.w, math.Nextafter(w, math.Inf(1))) // index of the first frequency above w
	return above
}

// hermiteSums returns the same sums over all pairs of points as directHermiteSums, for b = 0, 1, ...,
// but computes them from F, the Fourier transform of the sample. Sum b is the integral
//
//	(-1)^(r/2) g^(r+2)/(2 pi) int w1^(r-b) w2^b exp(-g^2 (w1^2+w2^2)/2) |F(w1,w2)|^2 dw1 dw2.
//
// r is 4 or 6. The spectrum must have been prepared for the bandwidth g (see covers).
func (s *spectrum) hermiteSums(u, v []float64, r int, g float64) []float64 {
	sums := s.gridSums(r, g/s.unit) // the integrals without sign, for the points on the grid
	sign := 1.0                     // (-1)^(r/2)
	if r%4 != 0 {
		sign = -1
	}
	for b := range sums {
		// strayPairs returns the sum over the pairs in which a point lies outside the grid.
		sums[b] = sign*sums[b] + s.strayPairs(u, v, r-b, b, g)
	}
	return sums
}

// gridSums returns the integrals in the comment on hermiteSums, without their factor (-1)^(r/2).
// The argument scale is g/s.unit. F is the Fourier transform of the sample on the grid.
//
// It approximates integral b by a sum over all frequencies w1 >= 0 and w2 >= 0. Each term is the
// product of three factors:
//   - ofU[r-b]: w1^(r-b), weighted and damped (see damp).
//   - ofV[b]: w2^b, weighted and damped.
//   - forEven or forOdd: |F|^2, for w2 and -w2 together.
func (s *spectrum) gridSums(r int, scale float64) []float64 {
	sums := make([]float64, functionalCount(r))
	s.fu.damp(&s.ofU, r, scale)
	s.fv.damp(&s.ofV, len(sums)-1, scale)
	squares := [2][]float64{s.forEven, s.forOdd} // |F|^2 for even and for odd b
	for k, w2 := range s.fv.w {
		// width is the number of frequencies w1 that matter. For a larger w1, scale^2 (w1^2 + w2^2) >
		// spectrumEnd^2, so the damping factor is below 1e-15.
		width := s.fu.within(widthAt(scale*w2) / scale)
		for b := range sums {
			row := squares[b%2][k*s.stride:][:width]
			product := s.ofV[b][k] * floats.Dot(s.ofU[r-b][:width], row) // the sum over w1
			sums[b] += float64(product)                                  // float64 prevents a fused multiply-add
		}
	}
	return sums
}

// damp multiplies f.powers, the weighted powers of the frequencies w_k (see addPowers), by the
// Gaussian factor of the integrals in hermiteSums. For a = 0..highest, it sets to[a][k] to
//
//	scale^(a+1) * exp(-scale^2 w_k^2/2) * f.powers[a][k].
func (f *frequencies) damp(to *[7][]float64, highest int, scale float64) {
	for a := range highest + 1 {
		to[a] = stats.Resized(to[a], len(f.w))
	}
	for k, w := range f.w {
		damping := scale * math.Exp(-0.5*scale*scale*w*w)
		for a := range highest + 1 {
			to[a][k] = damping * f.powers[a][k]
			damping *= scale
		}
	}
}

// strayPairs returns the sum of He_a(D1) He_b(D2) exp(-(D1^2+D2^2)/2) over the ordered pairs that
// gridSums omits. These are the pairs in which at least one point is a stray, which lies outside
// the grid.
func (s *spectrum) strayPairs(u, v []float64, a, b int, g float64) float64 {
	sum := 0.0
	for i, x := range s.strays[0] {
		for j := range u {
			weight := 1.0 // the loops visit both orders of a pair of strays
			if s.u.contains(u[j]/s.unit) && s.v.contains(v[j]/s.unit) {
				weight = 2 // u[j] is not a stray: the loops visit the pair once
			}
			p, q := (x-u[j])/g, (s.strays[1][i]-v[j])/g
			sum += weight * hermite(a, p) * hermite(b, q) * math.Exp(-0.5*(p*p+q*q))
		}
	}
	return sum
}
