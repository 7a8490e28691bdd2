package vecmath

// Polynomial returns sum_k c[k] x^k of an even number of coefficients, the even and
// the odd powers by Horner's rule on their own.
func Polynomial(c []float64, x float64) float64 {
	if sum, ok := polynomialAsm(c, x); ok {
		return sum
	}
	q := x * x
	even, odd := c[len(c)-2], c[len(c)-1]
	for k := len(c) - 4; k >= 0; k -= 2 {
		even = FMA(even, q, c[k])
		odd = FMA(odd, q, c[k+1])
	}
	return FMA(odd, x, even)
}
