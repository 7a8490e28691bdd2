package generators

import (
	"math"

	"golang.org/x/exp/rand"
)

// gammaLaw is the gamma distribution with scale 1 and shape at least 1. It is drawn by the
// rejection method of Marsaglia and Tsang (2000, ACM TOMS 26), with d = shape - 1/3 and c =
// 1/sqrt(9 d).
type gammaLaw struct{ d, c float64 }

// squeeze is the constant of a quick test that accepts most values without logarithms. It accepts
// if u < 1 - squeeze z^4, for a normal z and a uniform u.
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
		// The first test accepts most values without logarithms. The second test is exact.
		if u < 1-squeeze*z2*z2 || math.Log(u) < z2/2+g.d*(1-v+math.Log(v)) {
			return g.d * v
		}
	}
}

// studentLaw is Student's t distribution with df degrees of freedom, the distribution of
//
//	Z sqrt((df/2) / G),
//
// where Z is standard normal and G is a gamma variable of shape df/2. If df < 2, G is drawn as a
// gamma variable of shape df/2 + 1 times U^(2/df), where U is uniform.
type studentLaw struct {
	df    float64
	gamma gammaLaw // has shape df/2, or df/2 + 1 if df < 2
}

func newStudentLaw(df float64) studentLaw {
	shape := df / 2
	if df < 2 {
		shape++
	}
	return studentLaw{df: df, gamma: newGammaLaw(shape)}
}

func (t studentLaw) draw(rng *rand.Rand) float64 { return t.drawNoncentral(0, rng) }

// drawNoncentral draws from the non-central t distribution with noncentrality d.
func (t studentLaw) drawNoncentral(d float64, rng *rand.Rand) float64 {
	g := t.gamma.draw(rng)
	if t.df < 2 {
		g *= math.Exp(-rng.ExpFloat64() * 2 / t.df) // U^(2/df), as -log U is exponential
	}
	return (rng.NormFloat64() + d) * math.Sqrt(t.df/2/g)
}
