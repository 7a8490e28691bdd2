package vecmath

import (
	"math"
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"
)

// hasFMA reports whether the processor has fused multiply-add. Without it, math.FMA is about fifty
// times slower. Tests change this variable.
var hasFMA = cpu.X86.HasFMA ||
	slices.Contains([]string{"arm64", "loong64", "ppc64", "ppc64le", "riscv64", "s390x"}, runtime.GOARCH)

// FMA returns x y + z. It rounds once if the processor has fused multiply-add, and otherwise twice.
func FMA(x, y, z float64) float64 {
	if hasFMA {
		return math.FMA(x, y, z)
	}
	return float64(x*y) + z
}
