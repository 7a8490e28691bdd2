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

//go:noescape
func setBumpsAVX512(tile, y, x *float64, stride, count, i, j, width, from int, p0, p1 float64)

//go:noescape
func setBumpsAVX2(tile, y, x *float64, stride, count, i, j, width, from int, p0, p1 float64)

//go:noescape
func addBumpsAVX512(tile, first, second *float64, lanes *BumpLanes, z *float64, offset, width, from int, q float64)

//go:noescape
func addBumpsAVX2(tile, first, second *float64, lanes *BumpLanes, z *float64, offset, width, from int, q float64)

//go:noescape
func spreadWindowsAVX2(grid *float64, stride, n int, at *int, bells *float64, bell *Bell)

//go:noescape
func readWindowsAVX2(dst, grid *float64, stride, n int, at *int, bells *float64, bell *Bell)

//go:noescape
func correlateAVX2(dst, src *float64, n int, taps *float64, count, step int)

//go:noescape
func spreadPointsAVX2(grid *float64, stride, n int, points *Point, f *Shape)
