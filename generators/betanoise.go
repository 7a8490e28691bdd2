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

// newBetaNoise returns the density with the given shapes on (a, b).
func newBetaNoise(alpha, beta, a, b float64) betaNoise {
	return betaNoise{
		a: a, b: b, alpha: alpha, beta: beta,
		logNorm: -mathext.Lbeta(alpha, beta) - (alpha+beta-1)*math.Log(b-a),
		first:   newGammaLaw(alpha + 1), second: newGammaLaw(beta + 1),
	}
}

// draw returns a + (b-a) g/(g+h) for gamma variables g and h of shapes alpha and beta. They are gamma
// variables of shapes alpha+1 and beta+1 times U^(1/alpha) and V^(1/beta), U and V uniform. Either
// power may be smaller than any float64, so h/g is formed from their logarithms. Shapes near 0 give
// values exactly on an end.
func (n *betaNoise) draw(rng *rand.Rand) float64 {
	logRatio := rng.ExpFloat64()/n.alpha - rng.ExpFloat64()/n.beta
	ratio := n.second.draw(rng) / n.first.draw(rng) * math.Exp(logRatio)
	return n.a + (n.b-n.a)/(1+ratio)
}

// farFromEnds is the distance from both ends, in uncertainties of a value, from which on its density
// replaces the mean density. There the density changes by less than 1e-4 over one uncertainty, and the
// mean differs by less than 1e-8.
const farFromEnds = 1e4

// logDensity returns the log of the mean density over [x-delta, x+delta], where delta > 0 is the
// uncertainty of x. For shapes below 1 the density is infinite at an end, and much of the mass may be
// within one rounding error of it; the mean is finite.
func (n *betaNoise) logDensity(x, delta float64) float64 {
	left, right := x-n.a, n.b-x
	if left > farFromEnds*delta && right > farFromEnds*delta {
		return n.logNorm + (n.alpha-1)*math.Log(left) + (n.beta-1)*math.Log(right)
	}
	near, alpha, beta := left, n.alpha, n.beta
	if right < left { // measured from the nearer end, the distance keeps its digits
		near, alpha, beta = right, n.beta, n.alpha
	}
	width := n.b - n.a
	// The ends of the interval on the scale of the standard beta distribution, measured from the nearer end.
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
