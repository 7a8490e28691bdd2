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

// Sums over all pairs of a sample from its empirical characteristic function
// F(w) = sum_j exp(i w'x_j), in time linear in the sample: with the x_j in units
// of g,
//
//	sum_ij He_a(D1) He_b(D2) exp(-(D1^2+D2^2)/2)
//	  = (-1)^((a+b)/2) / (2 pi) int w1^a w2^b exp(-|w|^2/2) |F(w)|^2 dw
//
// for even a + b. The trapezoid rule takes w from the multiples of 2 pi / period in
// each direction. F is that of the sample spread on a grid of nodes, by smooth
// bumps as wide as a window, divided by the bumps' own transform (a nonuniform
// Fourier transform; the bump is exp(shape (sqrt(1-z^2) - 1)), as in Barnett,
// Magland and af Klinteberg, SIAM J. Sci. Comput. 41:C479, 2019).
//
// Sums of order 4 are right to 1e-12 of that of He_4(D1), sums of order 6 to 1e-11 of
// that of He_6(D1). There are three errors: frequencies beyond spectrumEnd are left
// out; the copies of the sample that the trapezoid rule sees are spectrumGap away; the
// grid folds frequencies beyond pi/step, where the bump's transform has nearly
// vanished, into those below.
const (
	spectrumEnd   = 8.6
	spectrumGap   = 8.6
	spectrumStep  = 0.33
	spectrumShape = 36
	spectrumNodes = 512 // in one direction at most
)

// spectrumBump is the bump at z half windows from its middle.
func spectrumBump(z float64) float64 {
	return math.Exp(spectrumShape * (math.Sqrt(max(0, 1-z*z)) - 1))
}

// spectrumWindow holds the bump as polynomials, which interpolate it.
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
			before, behind := spectrumBump((float64(i)+0.5-t)/half), spectrumBump((float64(i)+0.5+t)/half)
			values.Set(r, i, (behind+before)/2)
			values.Set(r, half+i, (behind-before)/(2*t))
		}
	}
	var c mat.Dense
	if err := c.Solve(powers, values); err != nil {
		panic(err) // the powers of different values
	}
	var s vecmath.Shape
	for k := range s {
		copy(s[k][:], c.RawRowView(k))
		floats.Scale(math.Pow(4, float64(k)), s[k][:])
	}
	return &s
})

// frequencies are those of one direction, on a grid of n nodes.
type frequencies struct {
	n, count int
	w        []float64    // count frequencies, from 0 up
	cos, sin []float64    // of w times the nodes of the upper half, rows of n/2
	weights  [7][]float64 // w^a exp(-w^2/2) / transform^2, ±w together
}

// allFrequencies holds them by the number of nodes.
var allFrequencies sync.Map

// frequenciesOf returns those of a grid of n nodes, a multiple of 8.
func frequenciesOf(n int) *frequencies {
	if f, ok := allFrequencies.Load(n); ok {
		return f.(*frequencies)
	}
	const half = vecmath.WindowSize / 2
	delta := 2 * math.Pi / (float64(n) * spectrumStep)
	f := &frequencies{n: n, count: 1 + int(spectrumEnd/delta)}
	for k := range roundedUp(f.count, vecmath.TileRows) {
		for j := range n / 2 {
			s, c := math.Sincos(2 * math.Pi / float64(n) * float64(k) * (float64(j) + 0.5))
			f.cos, f.sin = append(f.cos, c), append(f.sin, s)
		}
	}
	for k := range f.count {
		w := float64(k) * delta
		transform := 2 * half * quad.Fixed(func(z float64) float64 {
			return spectrumBump(z) * math.Cos(half*spectrumStep*w*z)
		}, 0, 1, 100, quad.Legendre{}, 1)
		weight := math.Exp(-0.5*w*w) / (transform * transform) * delta / math.Sqrt(2*math.Pi)
		if k > 0 {
			weight *= 2
		}
		f.w = append(f.w, w)
		for a := range f.weights {
			f.weights[a] = append(f.weights[a], weight*math.Pow(w, float64(a)))
		}
	}
	allFrequencies.Store(n, f)
	return f
}

// within returns how many of the frequencies are at most w.
func (f *frequencies) within(w float64) int {
	n, _ := slices.BinarySearch(f.w, math.Nextafter(w, math.Inf(1)))
	return n
}

// A spectrum holds the transform of one sample, in memory for the next.
type spectrum struct {
	u, v   coverage
	points []vecmath.Point
	strays [2][]float64
	grid   []float64
	folded [2][]float64    // the grid, even and odd in u
	waves  [2][]float64    // its cosines and sines in u
	both   [2][2][]float64 // those, even and odd in v
	parts  [2][2][]float64 // their cosines and sines in v, some at a time
	cross  []float64
}

// A coverage is the range of values that a grid of n nodes covers, in units of g. Those
// beyond are strays.
type coverage struct {
	from, to float64
	n        int
}

// cover covers x/g, cut off where it would need too many nodes.
func cover(x []float64, g float64) coverage {
	const room = spectrumNodes*spectrumStep - spectrumGap
	least, largest := extent(x)
	e := coverage{from: least / g, to: largest / g}
	if e.to-e.from > room {
		middle := stats.Quantile(ascending(x), 0.5) / g
		e.from, e.to = middle-room/2, middle+room/2
	}
	e.n = min(spectrumNodes, 8*int(math.Ceil((e.to-e.from+spectrumGap)/(8*spectrumStep))))
	return e
}

func (e *coverage) contains(x float64) bool { return x >= e.from && x <= e.to }

var spectra = sync.Pool{New: func() any { return new(spectrum) }}

// worthwhile covers the sample and reports whether the sums take less time from
// there than over all pairs, in ns.
func (s *spectrum) worthwhile(u, v []float64, g float64) bool {
	const pairCost, pointCost, productCost, cost = 0.6, 55, 0.11, 4000
	n := float64(len(u))
	pairs := pairCost * n * n
	if pairs <= pointCost*n+cost {
		return false
	}
	s.u, s.v = cover(u, g), cover(v, g)
	const share = spectrumEnd * spectrumStep / (2 * math.Pi) // frequencies for each node
	columns, rows := float64(s.u.n), float64(s.v.n)
	products := share * rows * columns * (columns + math.Pi/2*share*rows)
	return pairs > pointCost*n+productCost*products+cost
}

// hermiteSums returns those of its namesake.
func (s *spectrum) hermiteSums(u, v []float64, r int, g float64, last int) []float64 {
	fu, fv := frequenciesOf(s.u.n), frequenciesOf(s.v.n)
	s.spread(u, v, g)
	s.transform(fu, fv)
	sums := s.integrate(fu, fv, r, last)
	if r%4 != 0 {
		floats.Scale(-1, sums)
	}
	for b := range sums {
		sums[b] += s.strayPairs(u, v, r-b, b, g)
	}
	return sums
}

// spread puts the sample on the grid, u along its rows.
func (s *spectrum) spread(u, v []float64, g float64) {
	const middle = vecmath.WindowSize / 2
	s.points = slices.Grow(s.points[:0], len(u))
	s.strays = [2][]float64{s.strays[0][:0], s.strays[1][:0]}
	for i := range u {
		x, y := u[i]/g, v[i]/g
		if !s.u.contains(x) || !s.v.contains(y) {
			s.strays = [2][]float64{append(s.strays[0], x), append(s.strays[1], y)}
			continue
		}
		x, y = middle+(x-s.u.from)/spectrumStep, middle+(y-s.v.from)/spectrumStep
		j, k := int(x), int(y)
		s.points = append(s.points, vecmath.Point{At: (k-middle+1)*s.u.n + j - middle + 1, Row: y - float64(k) - 0.5, Column: x - float64(j) - 0.5})
	}
	s.grid = resized(s.grid, roundedUp(s.v.n, vecmath.TileColumns)*s.u.n)
	clear(s.grid)
	vecmath.SpreadPoints(s.grid, s.u.n, s.points, spectrumWindow())
}

// strayPairs returns the sum over the ordered pairs with at least one stray.
func (s *spectrum) strayPairs(u, v []float64, a, b int, g float64) float64 {
	sum := 0.0
	for i, x := range s.strays[0] {
		for j := range u {
			p, q := u[j]/g, v[j]/g
			weight := 1.0 // a pair of two strays comes up twice
			if s.u.contains(p) && s.v.contains(q) {
				weight = 2
			}
			p, q = x-p, s.strays[1][i]-q
			sum += weight * hermite(a, p) * hermite(b, q) * math.Exp(-0.5*(p*p+q*q))
		}
	}
	return sum
}

// transform takes the cosines and sines of the grid in the direction of u: cosines
// see what is even around its middle, sines what is odd.
func (s *spectrum) transform(fu, fv *frequencies) {
	rows, count := roundedUp(fv.n, vecmath.TileColumns), roundedUp(fu.count, vecmath.TileRows)
	fold(&s.folded, s.grid, rows, fu.n, fu.n)
	for k, table := range [][]float64{fu.cos, fu.sin} {
		s.waves[k] = resized(s.waves[k], count*rows)
		vecmath.Products(s.waves[k], rows, table, count, s.folded[k], rows, fu.n/2)
		fold(&s.both[k], s.waves[k], count, rows, fv.n)
	}
}

// fold sets to[0] and to[1], with rows of n/2 elements, to the sums and differences
// of the upper halves of rows and the mirrored lower ones.
func fold(to *[2][]float64, x []float64, rows, stride, n int) {
	half := n / 2
	for k := range to { // and rows of any values to fill up a tile
		to[k] = resized(to[k], roundedUp(rows, vecmath.TileColumns)*half)
	}
	for r := range rows {
		lower, upper := x[r*stride:][:half], x[r*stride+half:][:half]
		even, odd := to[0][r*half:][:half], to[1][r*half:][:half]
		for j, v := range upper {
			w := lower[half-1-j]
			even[j], odd[j] = v+w, v-w
		}
	}
}

// integrate takes the cosines and sines in the direction of v, a few frequencies at
// a time, and adds up the squares of the transform.
func (s *spectrum) integrate(fu, fv *frequencies, r, last int) []float64 {
	sums := make([]float64, last+1)
	for from := 0; from < fv.count; from += vecmath.TileRows {
		width := fu.within(math.Sqrt(max(0, spectrumEnd*spectrumEnd-fv.w[from]*fv.w[from])))
		stride := roundedUp(width, vecmath.TileColumns)
		for k := range s.parts {
			for l, table := range [][]float64{fv.cos, fv.sin} {
				s.parts[k][l] = resized(s.parts[k][l], vecmath.TileRows*stride)
				vecmath.Products(s.parts[k][l], stride, table[from*fv.n/2:], vecmath.TileRows, s.both[k][l], stride, fv.n/2)
			}
		}
		for t := range min(vecmath.TileRows, fv.count-from) {
			s.addSquares(sums, fu, fv, r, from+t, t*stride, width)
		}
	}
	return sums
}

// addSquares adds the squares of frequency k of v and width frequencies of u, whose
// parts begin at the given place. Those with frequencies of one sign and of both
// signs differ by twice cross, which odd powers are multiplied by.
func (s *spectrum) addSquares(sums []float64, fu, fv *frequencies, r, k, at, width int) {
	part := func(i, j int) []float64 { return s.parts[i][j][at:][:width] }
	cc, cs, sc, ss := part(0, 0), part(0, 1), part(1, 0), part(1, 1)
	s.cross = resized(s.cross, width)
	for i, v := range cc {
		s.cross[i] = 2 * (float64(sc[i]*cs[i]) - float64(v*ss[i]))
		cc[i] = float64(v*v) + float64(cs[i]*cs[i]) + float64(sc[i]*sc[i]) + float64(ss[i]*ss[i])
	}
	for b := range sums {
		squares := cc
		if b%2 == 1 {
			squares = s.cross
		}
		sums[b] += float64(fv.weights[b][k] * floats.Dot(fu.weights[r-b][:width], squares))
	}
}

func roundedUp(n, multiple int) int { return (n + multiple - 1) / multiple * multiple }
