package generators

import (
	"math"

	"golang.org/x/exp/rand"
)

// gammaLaw is the gamma distribution of a shape of at least 1 and scale 1, drawn
// by the squeeze method of Marsaglia and Tsang (2000, ACM TOMS 26).
type gammaLaw struct{ d, c float64 }

// squeeze is the method's constant: u < 1 - squeeze z^4 needs no logarithms.
const squeeze = 0.0331

func newGammaLaw(shape float64) gammaLaw {
	d := shape - 1.0/3
	return gammaLaw{d: d, c: 1 / math.Sqrt(9*d)}
}

func (g gammaLaw) draw(rng *rand.Rand) float64 {
	for {
		z := rng.NormFloat64()
		v := 1 + g.c*z
		if v <= 0 {
			continue
		}
		v = v * v * v
		u, z2 := rng.Float64(), z*z
		if u < 1-squeeze*z2*z2 || math.Log(u) < z2/2+g.d*(1-v+math.Log(v)) {
			return g.d * v
		}
	}
}

// studentLaw is Student's t distribution, drawn as Z sqrt((df/2) / G) with Z
// standard normal and G gamma of shape df/2. A shape below 1 is reached from
// shape + 1 by a factor U^(1/shape).
type studentLaw struct {
	df    float64
	gamma gammaLaw
}

func newStudentLaw(df float64) studentLaw {
	if df < 2 {
		return studentLaw{df: df, gamma: newGammaLaw(df/2 + 1)}
	}
	return studentLaw{df: df, gamma: newGammaLaw(df / 2)}
}

func (t studentLaw) draw(rng *rand.Rand) float64 { return t.drawNoncentral(0, rng) }

// drawNoncentral draws from the non-central t distribution of parameter d.
func (t studentLaw) drawNoncentral(d float64, rng *rand.Rand) float64 {
	g := t.gamma.draw(rng)
	if t.df < 2 {
		g *= math.Exp(-rng.ExpFloat64() * 2 / t.df)
	}
	return (rng.NormFloat64() + d) * math.Sqrt(t.df/2/g)
}
