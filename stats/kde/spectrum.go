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
	spectrumEnd       = 8.4  // largest frequency, in 1/units
	spectrumGap       = 8.2  // distance between the copies of the sample, divided by g
	spectrumStep      = 0.33 // distance between nodes, in units
	spectrumShare     = 0.8  // spectrum.unit, divided by the g of the first stage
	spectrumSteepness = 36   // of the bump
	spectrumNodes     = 512  // largest number of nodes in one direction
)

// spectrumBump returns the height of the bump at a distance z from its centre. The unit of z is
// half the width of a window.
func spectrumBump(z float64) float64 {
	return math.Exp(spectrumSteepness * (math.Sqrt(max(0, 1-z*z)) - 1))
}

// bumpShape returns polynomials that approximate spectrumBump at the nodes of a window. They
// interpolate the bump at Chebyshev points. Their variable is t^2, where t is the distance of the
// sample point from the middle of the window, in steps.
var bumpShape = sync.OnceValue(func() *vecmath.Shape {
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

// addPowers sets f.w to the frequencies w_k = k delta, k = 0..count-1. It sets f.powers[a][k] to w_k^a
// times a weight.
//
// Let F be the Fourier transform of the sample. With the weights of both axes, a sum over w1, w2 >= 0
// of terms that contain |F(w1,w2)|^2 approximates 1/(2 pi) times their integral over all w1 and w2:
//   - The factors delta / sqrt(2 pi) of both axes give dw1 dw2 / (2 pi).
//   - The weight is doubled for k > 0, because the integral includes -w_k.
//   - The grid contains bumps instead of points. This multiplies F by bumpTransform(w1) and
//     bumpTransform(w2). The weight divides |F|^2 by their squares.
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

	axisU, axisV               gridAxis
	frequenciesU, frequenciesV *frequencies // frequencies w1 along axisU and w2 along axisV

	points []vecmath.Point // the sample points on the grid
	strays strays          // the points outside the grid, in the unit of the sample
	grid   []float64       // a row for each node of axisV, with an element for each node of axisU
	folded [2][]float64    // the even part and the odd part of the grid in u
	waves  [2][]float64    // the transform in u: cosine sums of folded[0], sine sums of folded[1]
	both   [2][2][]float64 // both[k]: the even part and the odd part of waves[k] in v
	parts  [2][2][]float64 // the transform of both in v, for a few frequencies w2

	// squares contains two matrices for sums of w1^a w2^b |F(w1,w2)|^2 over all frequencies. They
	// have a row for each w2 >= 0 and a column for each w1 >= 0. Rows begin stride elements apart.
	//
	// An element combines P = |F(w1,w2)|^2 and M = |F(w1,-w2)|^2. It is (P+M)/2 in squares[0], which
	// is used for even b, and (P-M)/2 in squares[1], which is used for odd b.
	squares          [2][]float64
	stride           int
	dampedU, dampedV [7][]float64 // scratch of gridSums: damped powers of frequenciesU and frequenciesV
}

// spectra is a pool of spectra whose memory can be reused.
var spectra = sync.Pool{New: func() any { return new(spectrum) }}

// A gridAxis is one direction of the grid of a spectrum. The grid covers the interval [from, to], in
// multiples of spectrum.unit. Points outside the interval are strays.
type gridAxis struct {
	from, to float64
	nodes    int
}

// cover returns an axis that covers the values x, in multiples of unit.
//
// Its interval contains all values if spectrumNodes nodes are enough. Otherwise, it is the widest
// possible interval around the median.
func cover(x []float64, unit float64) gridAxis {
	const gap = spectrumGap / spectrumShare
	const room = spectrumNodes*spectrumStep - gap
	least, largest := extent(x)
	e := gridAxis{from: least / unit, to: largest / unit}
	if e.to-e.from > room {
		middle := stats.Quantile(ascending(x), 0.5) / unit
		e.from, e.to = middle-room/2, middle+room/2
	}
	eights := int(math.Ceil((e.to - e.from + gap) / (8 * spectrumStep)))
	e.nodes = min(spectrumNodes, 8*eights) // half the grid consists of whole vectors of 4 nodes
	return e
}

func (e *gridAxis) contains(x float64) bool { return x >= e.from && x <= e.to }

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
	s.axisU, s.axisV = cover(u, s.unit), cover(v, s.unit) // the area and the size of the grid
	// The size of the grid determines the number of multiplications in transform.
	s.worthwhile = pairCost*pairs > pointCost*n+productCost*s.products()+fixedCost
	if s.worthwhile {
		s.transform(u, v)
	}
}

// products returns the approximate number of multiplications in transform, which depends on the number of
// nodes of each axis.
func (s *spectrum) products() float64 {
	const share = spectrumEnd * spectrumStep / (2 * math.Pi) // number of frequencies per node
	columns, rows := float64(s.axisU.nodes), float64(s.axisV.nodes)
	// transformColumns omits the pairs of frequencies outside a quarter of a disc. The others are pi/4
	// of all pairs. For each of them, it computes 4 sums, each with rows/2 products.
	return share * rows * columns * (columns + math.Pi/2*share*rows)
}

// covers reports whether the grid is fine and wide enough for the bandwidth g. It also accepts a g
// that exceeds the largest prepared bandwidth by up to 2 percent.
func (s *spectrum) covers(g float64) bool {
	return g >= s.unit && g <= 1.02/spectrumShare*s.unit
}

// transform computes the squared Fourier transform of the sample (u_i, v_i) in the matrices s.squares.
func (s *spectrum) transform(u, v []float64) {
	s.frequenciesU, s.frequenciesV = frequenciesOf(s.axisU.nodes), frequenciesOf(s.axisV.nodes)
	s.spread(u, v)
	s.transformRows()
	s.transformColumns()
}

// spread computes the values of the grid at its nodes: sums of bumps around the sample points (see
// spectrumBump). Points outside the grid are added to s.strays instead.
//
// The grid has a row for each node of s.axisV. Rows of zeros at the end make the number of rows a
// multiple of vecmath.TileColumns, as vecmath.Products requires.
func (s *spectrum) spread(u, v []float64) {
	s.points = slices.Grow(s.points[:0], len(u))
	s.strays.u, s.strays.v = s.strays.u[:0], s.strays.v[:0]
	for i := range u {
		x, y := u[i]/s.unit, v[i]/s.unit // in the unit of the axes; strays keep the unit of u and v
		if s.axisU.contains(x) && s.axisV.contains(y) {
			s.points = append(s.points, s.pointAt(x, y))
		} else {
			s.strays.u = append(s.strays.u, u[i])
			s.strays.v = append(s.strays.v, v[i])
		}
	}
	rows := vecmath.RoundedUp(s.axisV.nodes, vecmath.TileColumns)
	s.grid = stats.Resized(s.grid, rows*s.axisU.nodes)
	clear(s.grid)
	vecmath.SpreadPoints(s.grid, s.axisU.nodes, s.points, bumpShape())
}

// pointAt returns the position of a point on the grid, for vecmath.SpreadPoints. x and y are its coordinates in
// units of s.unit.
func (s *spectrum) pointAt(x, y float64) vecmath.Point {
	const middle = vecmath.WindowSize / 2
	// From here on, x and y are positions in steps of the grid. row and column are the indices of the
	// last node before the point.
	x, y = middle+(x-s.axisU.from)/spectrumStep, middle+(y-s.axisV.from)/spectrumStep
	column, row := int(x), int(y)
	return vecmath.Point{
		At:     (row-middle+1)*s.axisU.nodes + column - middle + 1,
		Row:    y - float64(row) - 0.5,
		Column: x - float64(column) - 0.5,
	}
}

// transformRows transforms each row of the grid, which is the first half of the Fourier transform.
// It stores the sums with cosines in s.waves[0] and the sums with sines in s.waves[1]. These
// matrices have one row for each frequency and one column for each row of the grid. Their even and
// odd parts are stored in s.both (see fold).
func (s *spectrum) transformRows() {
	rows := vecmath.RoundedUp(s.axisV.nodes, vecmath.TileColumns)
	count := vecmath.RoundedUp(len(s.frequenciesU.w), vecmath.TileRows)
	fold(&s.folded, s.grid, rows, s.axisU.nodes, s.axisU.nodes)
	for k, table := range [][]float64{s.frequenciesU.cos, s.frequenciesU.sin} {
		s.waves[k] = stats.Resized(s.waves[k], count*rows)
		vecmath.Products(s.waves[k], rows, table, count, s.folded[k], rows, s.axisU.nodes/2)
		fold(&s.both[k], s.waves[k], count, rows, s.axisV.nodes)
	}
}

// fold splits each row of x about its middle into an even and an odd part, which have half the
// length. A sum with cosines needs only the even part, and a sum with sines only the odd part.
//
// An element of the even part, to[0], is the sum of an element in the upper half of the row and its
// mirror image in the lower half. In the odd part, to[1], it is their difference. A row has n
// elements, an even number, and rows of x begin stride elements apart.
//
// to[0] and to[1] get up to TileColumns-1 further rows of arbitrary values, because vecmath.Products
// requires a multiple of TileColumns.
func fold(to *[2][]float64, x []float64, rows, stride, n int) {
	half := n / 2
	for k := range to {
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
// s.squares for all frequencies with w1^2 + w2^2 <= spectrumEnd^2.
func (s *spectrum) transformColumns() {
	s.stride = vecmath.RoundedUp(len(s.frequenciesU.w), vecmath.TileColumns)
	size := vecmath.RoundedUp(len(s.frequenciesV.w), vecmath.TileRows) * s.stride
	for parity := range s.squares {
		s.squares[parity] = stats.Resized(s.squares[parity], size)
	}
	for from := 0; from < len(s.frequenciesV.w); from += vecmath.TileRows {
		width := vecmath.RoundedUp(s.frequenciesU.countUpTo(largestW1(s.frequenciesV.w[from])), vecmath.TileColumns)
		s.setParts(from, width)
		for r := range vecmath.TileRows {
			s.square(r, from+r, width)
		}
	}
}

// setParts computes s.parts, the Fourier transform of the grid. It covers the frequencies w1 with
// indices below width, and TileRows frequencies w2, beginning at the index from. transformRows must
// run first.
func (s *spectrum) setParts(from, width int) {
	half := s.axisV.nodes / 2
	for k := range s.parts { // cosines and sines in u
		for l, table := range [][]float64{s.frequenciesV.cos, s.frequenciesV.sin} {
			s.parts[k][l] = stats.Resized(s.parts[k][l], vecmath.TileRows*s.stride)
			waves := table[from*half:]
			vecmath.Products(s.parts[k][l], s.stride, waves, vecmath.TileRows, s.both[k][l], width, half)
		}
	}
}

// square computes elements 0 to width-1 in row k of the matrices s.squares (see spectrum).
// The squares of the following sums give these elements:
//
//	F(w1,w2) = (cc - ss) + i (sc + cs),   F(w1,-w2) = (cc + ss) + i (sc - cs).
//
// For example, cs is the sum over the grid with cosines in u and sines in v. It is stored in row r
// of s.parts[0][1].
func (s *spectrum) square(r, k, width int) {
	part := func(i, j int) []float64 { return s.parts[i][j][r*s.stride:][:width] }
	cc, cs, sc, ss := part(0, 0), part(0, 1), part(1, 0), part(1, 1)
	even, odd := s.squares[0][k*s.stride:][:width], s.squares[1][k*s.stride:][:width]
	for i, v := range cc {
		even[i] = float64(v*v) + float64(cs[i]*cs[i]) + float64(sc[i]*sc[i]) + float64(ss[i]*ss[i])
		odd[i] = 2 * (float64(sc[i]*cs[i]) - float64(v*ss[i]))
	}
}

// largestW1 returns the largest frequency w1 that is needed together with the frequency w2. A pair is
// negligible if w1^2 + w2^2 > spectrumEnd^2.
func largestW1(w2 float64) float64 { return math.Sqrt(max(0, spectrumEnd*spectrumEnd-w2*w2)) }

// countUpTo returns the number of frequencies that are at most w.
func (f *frequencies) countUpTo(w float64) int {
	above, _ := slices.BinarySearch(f.w, math.Nextafter(w, math.Inf(1))) // index of the first frequency above w
	return above
}

// hermiteSums returns the same sums as directHermiteSums. Sum b, for b = 0, 1, ..., is the sum of
// He_(r-b)(D1) He_b(D2) exp(-(D1^2+D2^2)/2) over all ordered pairs (i, j) of points, where (D1, D2) =
// (u_i-u_j, v_i-v_j)/g. For the points on the grid, with the Fourier transform F, sum b is the integral
//
//	(-1)^(r/2) g^(r+2)/(2 pi) int w1^(r-b) w2^b exp(-g^2 (w1^2+w2^2)/2) |F(w1,w2)|^2 dw1 dw2.
//
// r is 4 or 6. The spectrum must have been prepared for the bandwidth g (see covers).
func (s *spectrum) hermiteSums(u, v []float64, r int, g float64) []float64 {
	// The integral does not depend on the unit of length, so gridSums can use s.unit.
	sums := s.gridSums(r, g/s.unit) // the integrals without their sign (-1)^(r/2)
	sign := 1.0
	if r%4 != 0 {
		sign = -1
	}
	for b := range sums {
		outside := s.strayPairs(u, v, r-b, b, g) // the sum over the pairs with a point outside the grid
		sums[b] = sign*sums[b] + outside
	}
	return sums
}

// gridSums returns the integrals for b = 0, 1, ... without the sign (-1)^(r/2) of hermiteSums:
//
//	scale^(r+2)/(2 pi) int w1^(r-b) w2^b exp(-scale^2 (w1^2+w2^2)/2) |F(w1,w2)|^2 dw1 dw2.
//
// F is the Fourier transform of the points on the grid, and scale is the bandwidth in multiples of
// s.unit.
//
// Integral b is approximated by a sum over all frequencies w1 >= 0 and w2 >= 0. Each term is the
// product of three factors:
//   - dampedU[r-b]: w1^(r-b), weighted and damped (see damp).
//   - dampedV[b]: w2^b, weighted and damped.
//   - squares[b%2]: |F|^2, for w2 and -w2 together.
func (s *spectrum) gridSums(r int, scale float64) []float64 {
	sums := make([]float64, functionalCount(r))
	s.frequenciesU.damp(&s.dampedU, r, scale)
	s.frequenciesV.damp(&s.dampedV, len(sums)-1, scale)
	for k, w2 := range s.frequenciesV.w {
		// If scale^2 (w1^2 + w2^2) > spectrumEnd^2, the damping factor is below 1e-15. So
		// frequencies w1 with an index of at least width are left out.
		width := s.frequenciesU.countUpTo(largestW1(scale*w2) / scale)
		for b := range sums {
			row := s.squares[b%2][k*s.stride:][:width]
			sumOverW1 := floats.Dot(s.dampedU[r-b][:width], row)
			sums[b] += float64(s.dampedV[b][k] * sumOverW1) // float64 prevents a fused multiply-add
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
	for i, x := range s.strays.u {
		for j := range u {
			weight := 1.0 // the loops visit both orders of a pair of strays
			if s.axisU.contains(u[j]/s.unit) && s.axisV.contains(v[j]/s.unit) {
				weight = 2 // u[j] is not a stray: the loops visit the pair once
			}
			p, q := (x-u[j])/g, (s.strays.v[i]-v[j])/g
			sum += weight * hermite(a, p) * hermite(b, q) * math.Exp(-0.5*(p*p+q*q))
		}
	}
	return sum
}
