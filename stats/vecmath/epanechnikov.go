package vecmath

// Epanechnikov sets dst[k] = max(0, 1 - (x[k]-t)^2).
func Epanechnikov(dst, x []float64, t float64) {
	checkLength(len(dst), len(x))
	for k := epanechnikovAsm(dst, x, t); k < len(x); k++ {
		u := x[k] - t
		dst[k] = max(0, 1-float64(u*u))
	}
}
