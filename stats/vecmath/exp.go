package vecmath

const (
	log2eHi = 1.4426950408889634
	log2eLo = 2.0355273740931033e-17
	lowest  = -709.0895657128241 // -limit ln 2
)

// Exp sets dst[i] = e^x[i] for x[i] <= 709. The relative error is below 2.5e-16 if x[i] >= -708. The
// result is 0 if x[i] < -708.75. dst may be x.
func Exp(dst, x []float64) {
	checkLength(len(dst), len(x))
	i := blocks(len(x), 4)
	if i > 0 {
		expAVX2(&dst[0], &x[0], i)
	}
	for ; i < len(x); i++ {
		dst[i] = exp(x[i])
	}
}

func exp(x float64) float64 {
	x = max(x, lowest)
	t := FMA(x, log2eHi, magic)
	k := t - magic
	if !hasFMA { // k*ln2Hi is exact, but x*log2eHi is not
		return pow2(float64(float64(x-k*ln2Hi)-float64(k*ln2Lo))*log2eHi, t)
	}
	r := FMA(x, log2eHi, -k)
	return pow2(FMA(x, log2eLo, r), t)
}

// Gauss sets dst[i] = 2^-((x[i]-t) s)^2. If s = Scale/h, this is the Gaussian kernel
// exp(-(x[i]-t)^2/(2h^2)). The result is 0 for an infinite x[i].
func Gauss(dst, x []float64, t, s float64) {
	checkLength(len(dst), len(x))
	i := 0 // number of elements that are set
	if wide := blocks(len(x), 16); useAVX512 && wide > 0 {
		gaussAVX512(&dst[0], &x[0], wide, t, s)
		i = wide
	}
	if n := blocks(len(x)-i, 4); n > 0 {
		gaussAVX2(&dst[i], &x[i], n, t, s)
		i += n
	}
	for ; i < len(x); i++ {
		u := float64((x[i] - t) * s)
		dst[i] = pow2Neg(float64(u * u))
	}
}

// SumGauss2 returns sum_i 2^-((x[i]-s)^2 + (y[i]-t)^2). This is a sum of bivariate Gaussian kernels if
// coordinates are multiplied by Scale and divided by the bandwidth. An infinite x[i] or y[i] adds 0.
func SumGauss2(x, y []float64, s, t float64) float64 {
	checkLength(len(x), len(y))
	var lanes [4]float64
	i := blocks(len(x), 4)
	if i > 0 {
		sumGauss2AVX2(&x[0], &y[0], i, s, t, &lanes)
	}
	for ; i < len(x); i++ {
		u, v := x[i]-s, y[i]-t
		lanes[i%4] += pow2Neg(FMA(u, u, float64(v*v)))
	}
	return fold(&lanes)
}
