// Package vecmath implements the loops over slices in which classifiers spend most of their time: elementary
// functions, kernel sums, dot products, and the steps of kernel sums on a grid.
//
// Each function has an assembly version for amd64 with AVX2 and FMA, and a plain Go version. Both
// perform the same operations in the same order, so their results are identical bit for bit. Sums have
// four lanes: lane l adds the elements l, l+4, l+8, ... At the end, the lanes are added as (lane 0 +
// lane 2) + (lane 1 + lane 3). Gauss and BumpTile also have AVX-512 versions with identical results.
package vecmath

import (
	"fmt"
	"math"
)

// Scale turns Gaussian kernels into powers of two: exp(-u^2/2) = 2^-(Scale u)^2.
const Scale = 0.8493218002880191 // sqrt(log2(e)/2)

// 2^y = 2^k 2^r with k the integer nearest to y and |r| <= 1/2.
const (
	// The lowest bits of y + magic contain k + 1023, the biased exponent of 2^k.
	magic = 0x1.8p52 + 1023
	// At y = -limit, the biased exponent is 0, so the power is 0.
	limit = 1023
)

// pow2Coef are the coefficients of r^11, ..., r, 1 in 2^r = 1 + r ln 2 + r^2 q(r). The polynomial q has
// degree 9 and interpolates (2^r - 1 - r ln 2)/r^2 at Chebyshev nodes. The relative error is 3e-17 before
// rounding.
var pow2Coef = [...]float64{
	4.45410341058704e-10, 7.070977866508138e-09, 1.0178067267449427e-07,
	1.3215451633221434e-06, 1.5252733820795803e-05, 0.00015403530424776529,
	0.0013333558146423213, 0.009618129107618665, 0.05550410866482158,
	0.24022650695910075, 0.6931471805599453, 1,
}

// pow2 returns 2^k 2^r. The argument t is magic + k.
func pow2(r, t float64) float64 {
	p := pow2Coef[0]
	for _, c := range pow2Coef[1:] {
		p = FMA(p, r, c)
	}
	return float64(p * math.Float64frombits(math.Float64bits(t)<<52))
}

// pow2Neg returns 2^-q for q >= 0, and 0 if q >= 1022.5.
func pow2Neg(q float64) float64 {
	q = min(q, limit)
	t := magic - q
	k := magic - t
	return pow2(k-q, t)
}

// blocks returns how many of n elements are processed in assembly: the largest multiple of size, or 0
// without assembly.
func blocks(n, size int) int {
	if !useAsm {
		return 0
	}
	return n - n%size
}

// fold returns the sum of four lanes.
func fold(l *[4]float64) float64 { return (l[0] + l[2]) + (l[1] + l[3]) }

// RoundedUp returns n rounded up to a multiple of size.
func RoundedUp(n, size int) int { return (n + size - 1) / size * size }

// checkLength panics unless n, the length of a slice, equals the length that other arguments require.
func checkLength(n, required int) {
	if n != required {
		panic(fmt.Sprintf("vecmath: a slice has %d elements, but the other arguments require %d", n, required))
	}
}
