package vecmath

import (
	"math"
	"slices"
	"testing"
)

// Both versions are identical, and agree with the sum of powers up to rounding.
func TestPolynomial(t *testing.T) {
	defer func(asm bool) { useAsm = asm }(useAsm)
	asm := useAsm
	for _, n := range []int{2, 4, 6, 30} {
		c := make([]float64, n)
		for k := range c {
			c[k] = math.Sin(float64(3 * k))
		}
		for x := -0.5; x <= 0.5; x += 0.0625 {
			useAsm = asm
			fast := Polynomial(c, x)
			useAsm = false
			slow := Polynomial(c, x)
			if fast != slow {
				t.Errorf("n = %d, x = %v: %v, without assembly %v", n, x, fast, slow)
			}
			useAsm = asm
			for many := range 7 { // one by one and in step
				all := append(slices.Clone(c), 1, 2, 3, 4, 5, 6)
				got, at, points := make([]float64, many), make([]int32, many), make([]float64, many)
				for i := range at {
					at[i], points[i] = int32(many-1-i), x+float64(i)/16
				}
				useAsm = asm
				Polynomials(got, all, at, points, n)
				for i, v := range got {
					if alone := Polynomial(all[at[i]:][:n], points[i]); v != alone {
						t.Errorf("n = %d, x = %v, number %d of %d: %v, alone %v", n, points[i], i, many, v, alone)
					}
				}
			}
			want := 0.0
			for k, v := range c {
				want += v * math.Pow(x, float64(k))
			}
			if math.Abs(fast-want) > 1e-14 {
				t.Errorf("n = %d, x = %v: %v, want %v", n, x, fast, want)
			}
		}
	}
}
