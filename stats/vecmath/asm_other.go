//go:build !amd64 || purego

package vecmath

var useAsm, useAVX512 = false, false

func expAsm(dst, x []float64) int                                                       { return 0 }
func gaussAsm(dst, x []float64, t, s float64) int                                       { return 0 }
func polynomialAsm(c []float64, x float64) (float64, bool)                              { return 0, false }
func polynomialsAsm(dst, c []float64, at []int32, x []float64, terms int) int           { return 0 }
func sumGauss2Asm(x, y []float64, s, t float64, lanes *[4]float64) int                  { return 0 }
func momentsAsm(w, v []float64, lanes *[Powers][4]float64) int                          { return 0 }
func hermite4Asm(x, y []float64, s, t float64, lanes *[5][4]float64) int                { return 0 }
func hermite6Asm(x, y []float64, s, t float64, lanes *[3][4]float64) int                { return 0 }
func dotsAsm(a, b []float64, stride, n int, dst *[TileRows * TileColumns]float64) bool  { return false }
func addTilesAsm(dst []float64, m int, a, b []float64, stride, n, count int) bool       { return false }
func dotsTilesAsm(dst, x []float64, stride, n int, tiles []Tile) bool                   { return false }
func logAsm(dst, x []float64, floor float64) int                                        { return 0 }
func spreadWindowsAsm(grid []float64, stride int, windows *Windows, bell *Bell) bool    { return false }
func spreadPointsAsm(grid []float64, stride int, points []Point, f *Shape) bool         { return false }
func readWindowsAsm(dst, grid []float64, stride int, windows *Windows, bell *Bell) bool { return false }
func correlateAsm(dst, src, taps []float64, step int) int                               { return 0 }
func epanechnikovAsm(dst, x []float64, t float64) int                                   { return 0 }
func partnerGainsAsm(s *PartnerSearch, g *partnerGains) int                             { return 0 }
func setBumpsAsm(t *BumpTile, y, x []float64, stride, count int, p [2]float64) bool {
	return false
}
func addBumpsAsm(t *BumpTile, first, second []float64, lanes *BumpLanes, z []float64, q float64) bool {
	return false
}
