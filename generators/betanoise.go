package generators

import (
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mathext"
)

// betaNoise is a beta distribution on (a, b), Eq. 16 of Freno et al. (2010), with the density
//
//	p(x) = (x-a)^(alpha-1) (b-x)^(beta-1) / (B(alpha, beta) (b-a)^(alpha+beta-1)).
type betaNoise struct {
	a, b        float64
	alpha, beta float64
	logNorm     float64  // -log of the denominator
	first       gammaLaw // gamma distribution of shape alpha + 1
	second      gammaLaw // gamma distribution of shape beta + 1
}

func newBetaNoise(alpha, beta, a, b float64) betaNoise {
	return betaNoise{
		a: a, b: b, alpha: alpha, beta: beta,
		logNorm: -mathext.Lbeta(alpha, beta) - (alpha+beta-1)*math.Log(b-a),
		first:   newGammaLaw(alpha + 1), second: newGammaLaw(beta + 1),
	}
}

// draw returns a random value a + (b-a) g/(g+h), where g and h are gamma variables of shapes alpha
// and beta. For shapes near 0, the value may be exactly a or b. Powers of uniform numbers would
// underflow for small shapes, so draw uses logarithms.
func (n *betaNoise) draw(rng *rand.Rand) float64 {
	// A gamma variable of shape alpha is distributed as U^(1/alpha) times a gamma variable of shape
	// alpha+1. -log U is exponential.
	logRatio := rng.ExpFloat64()/n.alpha - rng.ExpFloat64()/n.beta
	ratio := n.second.draw(rng) / n.first.draw(rng) * math.Exp(logRatio)
	return n.a + (n.b-n.a)/(1+ratio)
}

// If x is more than farFromEnds*delta away from a and b, logMeanDensity uses the density at x. This
// density differs from its mean over [x-delta, x+delta] by less than 1e-8.
const farFromEnds = 1e4

// logMeanDensity returns the logarithm of the mean density over [x-delta, x+delta], where delta > 0.
// The density is 0 outside (a, b). For shapes below 1, the density is infinite at a or b, but this
// mean is finite.
func (n *betaNoise) logMeanDensity(x, delta float64) float64 {
	left, right := x-n.a, n.b-x
	isFar := left > farFromEnds*delta && right > farFromEnds*delta
	if isFar { // the density at x is nearly equal to the mean
		return n.logNorm + (n.alpha-1)*math.Log(left) + (n.beta-1)*math.Log(right)
	}
	// The distance from the nearer end of [a, b] has the smaller rounding error. If this end is b,
	// swap alpha and beta.
	near, alpha, beta := left, n.alpha, n.beta
	if right < left {
		near, alpha, beta = right, n.beta, n.alpha
	}
	width := n.b - n.a
	low, high := max(near-delta, 0)/width, min((near+delta)/width, 1)
	if !(low < high) { // the interval lies outside (a, b)
		return math.Inf(-1)
	}
	mass := mathext.RegIncBeta(alpha, beta, high)
	if low > 0 {
		mass -= mathext.RegIncBeta(alpha, beta, low)
	}
	if !(mass > 0) { // 0 to working precision
		return math.Inf(-1)
	}
	return math.Log(mass) - math.Log(2*delta) // the mean includes parts of the interval outside (a, b)
}
