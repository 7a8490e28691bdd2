package vecmath

// Correlate sets dst[p] = sum_d taps[d] src[p + d step]. src has
// len(dst) + (len(taps)-1) step elements and does not overlap dst.
func Correlate(dst, src, taps []float64, step int) {
	checkLength(len(src), len(dst)+(len(taps)-1)*step)
	p := blocks(len(dst), 32)
	if p > 0 {
		correlateAVX2(&dst[0], &src[0], p, &taps[0], len(taps), step)
	}
	for ; p < len(dst); p++ {
		sum := 0.0
		for d, k := range taps {
			sum = FMA(k, src[p+d*step], sum)
		}
		dst[p] = sum
	}
}
