package vecmath

// Epanechnikov sets dst[k] = max(0, 1 - (x[k]-t)^2).
func Epanechnikov(dst, x []float64, t float64) {
	checkLength(len(dst), len(x))
	k := blocks(len(x), 8)
	if k > 0 {
		epanechnikovAVX2(&dst[0], &x[0], k, t)
	}
	for ; k < len(x); k++ {
		u := x[k] - t
		dst[k] = max(0, 1-float64(u*u))
	}
}
