package vecmath

import (
	"math"
	"testing"
)

// Without fused operations, exponentials and logarithms lose only a few bits of precision.
func TestWithoutFMA(t *testing.T) {
	defer func(asm, fused bool) { useAsm, hasFMA = asm, fused }(useAsm, hasFMA)
	useAsm, hasFMA = false, false
	for x := -708.0; x <= 709; x += 0.37 {
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 4e-16*want {
			t.Errorf("exp(%v) = %v, off by %.2g", x, got, got/want-1)
		}
		for _, v := range []float64{math.Exp(x), 1 + x/1e4} {
			if got, want := log(v), math.Log(v); math.Abs(got-want) > 4e-16*math.Abs(want) {
				t.Errorf("log(%v) = %v, want %v", v, got, want)
			}
		}
	}
	if exp(math.Inf(-1)) != 0 || exp(-708.8) != 0 {
		t.Error("underflow is not 0")
	}
}
