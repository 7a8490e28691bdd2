//go:build amd64 && !purego

package vecmath

import (
	"math"
	"slices"

	"golang.org/x/sys/cpu"
)

// useAsm enables assembly. Tests disable it to compare both versions.
var useAsm = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// useAVX512 enables AVX-512. It must be false if useAsm is false.
var useAVX512 = useAsm && cpu.X86.HasAVX512F

// blocks returns how many of n elements are processed in assembly: the largest multiple of size, or 0 if
// AVX2 or FMA is not available.
func blocks(n, size int) int {
	if !useAsm {
		return 0
	}
	return n - n%size
}

// The functions below do the work of the Go functions with the same names for the first elements, and return
// the number of these elements. polynomialAsm, dotsAsm, dotsTilesAsm and addTilesAsm compute the whole result
// or nothing.

func expAsm(dst, x []float64) int {
	n := blocks(len(x), 4)
	if n > 0 {
		expAVX2(&dst[0], &x[0], n)
	}
	return n
}

func gaussAsm(dst, x []float64, t, s float64) int {
	n, wide := blocks(len(x), 4), 0
	if useAVX512 {
		wide = blocks(n, 16)
	}
	if wide > 0 {
		gaussAVX512(&dst[0], &x[0], wide, t, s)
	}
	if wide < n {
		gaussAVX2(&dst[wide], &x[wide], n-wide, t, s)
	}
	return n
}

func logAsm(dst, x []float64, floor float64) int {
	n := blocks(len(x), 4)
	if n > 0 {
		logAVX2(&dst[0], &x[0], n, floor)
	}
	return n
}

func polynomialAsm(c []float64, x float64) (float64, bool) {
	if !useAsm || len(c) < 4 {
		return 0, false
	}
	return polynomialFMA(&c[0], len(c), x), true
}

func polynomialsAsm(dst, c []float64, at []int32, x []float64, terms int) int {
	n := blocks(len(dst), 4)
	if n == 0 || terms < 4 {
		return 0
	}
	polynomialsFMA(&dst[0], &c[0], &at[0], &x[0], n, terms)
	return n
}

func sumGauss2Asm(x, y []float64, s, t float64, lanes *[4]float64) int {
	n := blocks(len(x), 4)
	if n > 0 {
		sumGauss2AVX2(&x[0], &y[0], n, s, t, lanes)
	}
	return n
}

func momentsAsm(w, v []float64, lanes *[Powers][4]float64) int {
	n := blocks(len(w), 4)
	if n > 0 {
		momentsAVX2(&w[0], &v[0], n, lanes)
	}
	return n
}

func hermite4Asm(x, y []float64, s, t float64, lanes *[5][4]float64) int {
	n := blocks(len(x), 8)
	if n > 0 {
		hermite4AVX2(&x[0], &y[0], n, s, t, lanes)
	}
	return n
}

func hermite6Asm(x, y []float64, s, t float64, lanes *[3][4]float64) int {
	n := blocks(len(x), 8)
	if n > 0 {
		hermite6AVX2(&x[0], &y[0], n, s, t, lanes)
	}
	return n
}

func dotsAsm(a, b []float64, stride, n int, dst *[TileRows * TileColumns]float64) bool {
	if useAsm {
		dotsAVX2(&a[0], &b[0], stride, n, &Tile{}, 1, &dst[0])
	}
	return useAsm
}

func dotsTilesAsm(dst, x []float64, stride, n int, tiles []Tile) bool {
	if useAsm && len(tiles) > 0 && n > 0 {
		dotsAVX2(&x[0], &x[0], stride, n, &tiles[0], len(tiles), &dst[0])
	}
	return useAsm
}

func addTilesAsm(dst []float64, m int, a, b []float64, stride, n, count int) bool {
	if useAsm && n > 0 {
		addTilesAVX2(&dst[0], m, &a[0], &b[0], stride, n, count)
	}
	return useAsm
}

func epanechnikovAsm(dst, x []float64, t float64) int {
	n := blocks(len(x), 8)
	if n > 0 {
		epanechnikovAVX2(&dst[0], &x[0], n, t)
	}
	return n
}

func partnerGainsAsm(s *PartnerSearch, g *partnerGains) int {
	n := blocks(len(s.F), 4)
	if n > 0 {
		partnerGainsAVX2(&s.F[0], &s.Lower[0], &s.Diag[0], &s.Row[0], n, s.Top, s.Kii, s.Floor, g)
	}
	return n
}

// constants are the vector constants used in assembly, in the order of the #defines there.
//
//lint:ignore U1000 the assembly reads it
var constants = [26][4]float64(quadruples(slices.Concat(
	[]float64{magic, limit, lowest, log2eHi, log2eLo}, pow2Coef[:],
	[]float64{c1, 3 * c1, 6 * c1, 10 * c1, 15 * c1, 3 * c2, 15 * c2, 45 * c2, 15 * c3})))

// logConstants are the vector constants for the logarithm, in the order of the #defines in assembly.
//
//lint:ignore U1000 the assembly reads it
var logConstants = [17][4]float64(quadruples(slices.Concat(
	[]float64{math.Float64frombits(oneBits - halfRoot), math.Float64frombits(integerBits), integerBias,
		math.Float64frombits(mantissaMask), math.Float64frombits(halfRoot), 1, 2, 0.5, ln2Hi, ln2Lo}, logCoef[:])))

// quadruples returns four copies of each value.
func quadruples(values []float64) (quads [][4]float64) {
	for _, v := range values {
		quads = append(quads, [4]float64{v, v, v, v})
	}
	return quads
}

//go:noescape
func expAVX2(dst, x *float64, n int)

//go:noescape
func gaussAVX2(dst, x *float64, n int, t, s float64)

//go:noescape
func logAVX2(dst, x *float64, n int, floor float64)

//go:noescape
func sumGauss2AVX2(x, y *float64, n int, s, t float64, lanes *[4]float64)

//go:noescape
func gaussAVX512(dst, x *float64, n int, t, s float64)

//go:noescape
func momentsAVX2(w, v *float64, n int, lanes *[Powers][4]float64)

//go:noescape
func hermite4AVX2(x, y *float64, n int, s, t float64, lanes *[5][4]float64)

//go:noescape
func hermite6AVX2(x, y *float64, n int, s, t float64, lanes *[3][4]float64)

//go:noescape
func dotsAVX2(a, b *float64, stride, n int, tiles *Tile, count int, dst *float64)

//go:noescape
func addTilesAVX2(dst *float64, m int, a, b *float64, stride, n, count int)

//go:noescape
func polynomialFMA(c *float64, n int, x float64) float64

//go:noescape
func polynomialsFMA(dst, c *float64, at *int32, x *float64, n, terms int)

//go:noescape
func epanechnikovAVX2(dst, x *float64, n int, t float64)

//go:noescape
func partnerGainsAVX2(f, lower, diag, row *float64, n int, top, kii, floor float64, gains *partnerGains)
