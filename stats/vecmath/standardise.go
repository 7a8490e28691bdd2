package vecmath

// Standardise sets dst[k] = (x[k] - centre[k]) factor[k]; dst may be x.
func Standardise(dst, x, centre, factor []float64) {
	sameLength(len(dst), len(x))
	sameLength(len(centre), len(x))
	sameLength(len(factor), len(x))
	for k := standardiseAsm(dst, x, centre, factor); k < len(x); k++ {
		dst[k] = (x[k] - centre[k]) * factor[k]
	}
}

// AddQuotients adds x[k] / n to sum[k].
func AddQuotients(sum, x []float64, n float64) {
	sameLength(len(sum), len(x))
	for k := addQuotientsAsm(sum, x, n); k < len(x); k++ {
		sum[k] += x[k] / n
	}
}

// AddSquares adds (x[k] - centre[k])^2 to sum[k].
func AddSquares(sum, x, centre []float64) {
	sameLength(len(sum), len(x))
	sameLength(len(centre), len(x))
	for k := addSquaresAsm(sum, x, centre); k < len(x); k++ {
		sum[k] += (x[k] - centre[k]) * (x[k] - centre[k])
	}
}
