//go:build !amd64 || purego

package vecmath

// Without assembly, useAsm is false, and no function below is called.
var useAsm, useAVX512 = false, false

func expAVX2(dst, x *float64, n int)                                              {}
func gaussAVX2(dst, x *float64, n int, t, s float64)                              {}
func logAVX2(dst, x *float64, n int, floor float64)                               {}
func sumGauss2AVX2(x, y *float64, n int, s, t float64, lanes *[4]float64)         {}
func gaussAVX512(dst, x *float64, n int, t, s float64)                            {}
func momentsAVX2(w, v *float64, n int, lanes *[Powers][4]float64)                 {}
func hermite4AVX2(x, y *float64, n int, s, t float64, lanes *[5][4]float64)       {}
func hermite6AVX2(x, y *float64, n int, s, t float64, lanes *[3][4]float64)       {}
func dotsAVX2(a, b *float64, stride, n int, tiles *Tile, count int, dst *float64) {}
func addTilesAVX2(dst *float64, m int, a, b *float64, stride, n, count int)       {}
func polynomialFMA(c *float64, n int, x float64) float64                          { return 0 }
func polynomialsFMA(dst, c *float64, at *int32, x *float64, n, terms int)         {}
func epanechnikovAVX2(dst, x *float64, n int, t float64)                          {}
func partnerGainsAVX2(f, lower, diag, row *float64, n int, top, kii, floor float64, gains *partnerGains) {
}
func setBumpsAVX512(tile, y, x *float64, stride, count, i, j, width, from int, p0, p1 float64) {}
func setBumpsAVX2(tile, y, x *float64, stride, count, i, j, width, from int, p0, p1 float64)   {}
func addBumpsAVX512(tile, first, second *float64, lanes *BumpLanes, z *float64, offset, width, from int, q float64) {
}
func addBumpsAVX2(tile, first, second *float64, lanes *BumpLanes, z *float64, offset, width, from int, q float64) {
}
func spreadWindowsAVX2(grid *float64, stride, n int, at *int, bells *float64, bell *Bell)    {}
func readWindowsAVX2(dst, grid *float64, stride, n int, at *int, bells *float64, bell *Bell) {}
func correlateAVX2(dst, src *float64, n int, taps *float64, count, step int)                 {}
func spreadPointsAVX2(grid *float64, stride, n int, points *Point, f *Shape)                 {}
