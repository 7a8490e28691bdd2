package vecmath

import "fmt"

// Polynomial returns sum_k c[k] x^k. The number of coefficients must be even. It applies Horner's rule
// to the even and odd powers separately.
func Polynomial(c []float64, x float64) float64 {
	if useAsm && len(c) >= 4 {
		return polynomialFMA(&c[0], len(c), x)
	}
	q := x * x
	even, odd := c[len(c)-2], c[len(c)-1]
	for k := len(c) - 4; k >= 0; k -= 2 {
		even = FMA(even, q, c[k])
		odd = FMA(odd, q, c[k+1])
	}
	return FMA(odd, x, even)
}

// Polynomials sets dst[i] to Polynomial(c[at[i]:at[i]+terms], x[i]). It interleaves several polynomials,
// because each operation of a single polynomial must wait for the previous one.
func Polynomials(dst, c []float64, at []int32, x []float64, terms int) {
	checkLength(len(dst), len(at))
	checkLength(len(dst), len(x))
	for _, k := range at {
		if k < 0 || int(k) > len(c)-terms {
			panic(fmt.Sprintf("vecmath: %d coefficients at element %d exceed the length %d of c", terms, k, len(c)))
		}
	}
	i := 0 // number of elements that are set
	if n := blocks(len(dst), 4); n > 0 && terms >= 4 {
		polynomialsFMA(&dst[0], &c[0], &at[0], &x[0], n, terms)
		i = n
	}
	for ; i < len(dst); i++ {
		dst[i] = Polynomial(c[at[i]:][:terms], x[i])
	}
}
