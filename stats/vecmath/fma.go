package vecmath

import (
	"math"
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"
)

// hasFMA reports whether the processor multiplies and adds in one step. Where it does
// not, math.FMA takes some fifty times as long in software; there a product is
// rounded before it is added to, and the last bits of results are others than
// where it does. A variable for the tests.
var hasFMA = cpu.X86.HasFMA ||
	slices.Contains([]string{"arm64", "loong64", "ppc64", "ppc64le", "riscv64", "s390x"}, runtime.GOARCH)

// FMA returns x y + z, in one rounding where the processor can.
func FMA(x, y, z float64) float64 {
	if hasFMA {
		return math.FMA(x, y, z)
	}
	return float64(x*y) + z
}
