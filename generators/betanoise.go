package generators

import (
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mathext"
)

// betaNoise is a beta density on (a, b), Eq. 16 of Freno et al. (2010):
//
//	p(x) = (x-a)^(alpha-1) (b-x)^(beta-1) / (B(alpha, beta) (b-a)^(alpha+beta-1)).
type betaNoise struct {
	a, b        float64
	alpha, beta float64
	logNorm     float64  // -log of the denominator
	first       gammaLaw // of shape alpha + 1
	second      gammaLaw // of shape beta + 1
}

func newBetaNoise(alpha, beta, a, b float64) betaNoise {
	return betaNoise{
		a: a, b: b, alpha: alpha, beta: beta,
		logNorm: -mathext.Lbeta(alpha, beta) - (alpha+beta-1)*math.Log(b-a),
		first:   newGammaLaw(alpha + 1), second: newGammaLaw(beta + 1),
	}
}

// draw returns a + (b-a) g/(g+h) for g and h gamma variables of shapes alpha and
// beta, that is of shapes alpha+1 and beta+1 times U^(1/alpha) and V^(1/beta).
// Either power may be smaller than any float64, so the ratio is formed from
// their logarithms. Shapes near 0 put the value exactly on an end.
func (n *betaNoise) draw(rng *rand.Rand) float64 {
	logRatio := rng.ExpFloat64()/n.alpha - rng.ExpFloat64()/n.beta
	ratio := n.second.draw(rng) / n.first.draw(rng) * math.Exp(logRatio)
	return n.a + (n.b-n.a)/(1+ratio)
}

// farFromEnds is how many times its uncertainty a value must be away from both
// ends for its density to be taken at a point: over one uncertainty the density
// then changes by less than 1e-4, its mean by less than 1e-8 of itself.
const farFromEnds = 1e4

// logDensity returns the log of the mean density over [x-delta, x+delta], where
// delta > 0 is the uncertainty of x. The mean matters where shapes below 1
// put a sizeable mass within one rounding error of an end, at which the density
// itself is infinite.
func (n *betaNoise) logDensity(x, delta float64) float64 {
	left, right := x-n.a, n.b-x
	if left > farFromEnds*delta && right > farFromEnds*delta {
		return n.logNorm + (n.alpha-1)*math.Log(left) + (n.beta-1)*math.Log(right)
	}
	near, alpha, beta := left, n.alpha, n.beta
	if right < left { // measure from the nearer end, where digits count
		near, alpha, beta = right, n.beta, n.alpha
	}
	width := n.b - n.a
	low, high := max(near-delta, 0)/width, min((near+delta)/width, 1)
	if !(low < high) {
		return math.Inf(-1)
	}
	mass := mathext.RegIncBeta(alpha, beta, high)
	if low > 0 {
		mass -= mathext.RegIncBeta(alpha, beta, low)
	}
	if !(mass > 0) {
		return math.Inf(-1)
	}
	return math.Log(mass) - math.Log(2*delta)
}
