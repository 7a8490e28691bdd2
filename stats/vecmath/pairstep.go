package vecmath

import (
	"fmt"
	"math"
)

// PairStep sets f[i] -= delta (a[i] - b[i]) and returns the largest f[i] + upper[i],
// the first i that has it, and the smallest f[i] + lower[i]. Where no sum is above
// -Inf, the largest is -Inf and first is -1; where none is below +Inf, the smallest
// is +Inf. A zero has no sign.
func PairStep(f, a, b, upper, lower []float64, delta float64) (largest float64, first int, smallest float64) {
	n := len(f)
	if len(a) != n || len(b) != n || len(upper) != n || len(lower) != n {
		panic(fmt.Sprintf("vecmath: lengths %d, %d, %d, %d and %d", n, len(a), len(b), len(upper), len(lower)))
	}
	found := stepFound{math.Inf(-1), -1, math.Inf(1)}
	for i := pairStepAsm(f, a, b, upper, lower, delta, &found); i < n; i++ {
		f[i] -= float64(delta * (a[i] - b[i]))
		if w := f[i] + upper[i]; w > found.largest {
			found.largest, found.first = w, float64(i)
		}
		if w := f[i] + lower[i]; w < found.smallest {
			found.smallest = w
		}
	}
	return found.largest + 0, int(found.first), found.smallest + 0
}

// stepFound is what PairStep returns, as the assembly reads and writes it.
type stepFound struct{ largest, first, smallest float64 }
