package vecmath

// Correlate sets dst[p] = sum_d taps[d] src[p + d step]. src has
// len(dst) + (len(taps)-1) step elements and does not overlap dst.
func Correlate(dst, src, taps []float64, step int) {
	checkLength(len(src), len(dst)+(len(taps)-1)*step)
	for p := correlateAsm(dst, src, taps, step); p < len(dst); p++ {
		sum := 0.0
		for d, k := range taps {
			sum = FMA(k, src[p+d*step], sum)
		}
		dst[p] = sum
	}
}
