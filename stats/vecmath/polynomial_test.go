package vecmath

import (
	"math"
	"testing"
)

// Both versions agree to the last bit, and with the plain sum of powers to rounding.
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
