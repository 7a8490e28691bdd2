package vecmath

import "math"

// log(x) = k ln 2 + log(1+f) with x = 2^k (1+f), sqrt(1/2) <= 1+f < sqrt(2), and
//
//	log(1+f) = f - (f^2/2 - s (f^2/2 + R)), s = f/(2+f), R = z p(z), z = s^2.
//
// The polynomial p interpolates (log((1+s)/(1-s)) - 2s)/(s z) at Chebyshev nodes. The relative error
// is 5e-18 before rounding.
const (
	halfRoot     = 0x3fe6a09e667f3bcd // bits of sqrt(1/2)
	mantissaMask = 1<<52 - 1
	// An integer k < 2^52 in the mantissa, combined with these exponent bits, gives the floating-point number
	// 2^52 + k.
	integerBits = 0x4330000000000000
	integerBias = 0x1p52 + 1023
	oneBits     = 0x3ff0000000000000
	ln2Hi       = 0.6931471803691238 // its last 21 bits are zero
	ln2Lo       = 1.9082149292705877e-10
)

// logCoef are the coefficients of z^6, ..., 1 in p(z).
var logCoef = [...]float64{
	0.14616585424888623, 0.15331710618210773, 0.18182889455674947, 0.22222211130259878,
	0.2857142862600327, 0.39999999999899444, 0.666666666666667,
}

// Log sets dst[i] = log(max(x[i], floor)) for finite x[i]. A floor below the smallest normal number,
// 2.3e-308, is raised to it. The relative error is below 2.5e-16. dst may be x.
func Log(dst, x []float64, floor float64) {
	checkLength(len(dst), len(x))
	floor = max(floor, 0x1p-1022)
	i := blocks(len(x), 4)
	if i > 0 {
		logAVX2(&dst[0], &x[0], i, floor)
	}
	for ; i < len(x); i++ {
		dst[i] = log(max(x[i], floor))
	}
}

func log(x float64) float64 {
	t := math.Float64bits(x) + (oneBits - halfRoot)
	k := math.Float64frombits(t>>52|integerBits) - integerBias
	f := math.Float64frombits(t&mantissaMask+halfRoot) - 1
	s := f / (f + 2)
	z := float64(s * s)
	p := logCoef[0]
	for _, c := range logCoef[1:] {
		p = FMA(p, z, c)
	}
	h := float64(float64(f*0.5) * f)
	r := FMA(z, p, h) // f^2/2 + R
	return FMA(k, ln2Hi, f-(h-FMA(s, r, float64(k*ln2Lo))))
}
