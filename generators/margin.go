package generators

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// logRoot2Pi is log(sqrt(2 pi)). Stored studies depend on its last bit, so the expression must not
// change.
var logRoot2Pi = math.Log(2*math.Pi) / 2

// A margin is a continuous distribution with distribution function F and density f.
type margin interface {
	logDensity(x float64) float64    // log f(x)
	logSlope(x float64) float64      // derivative of log f at x
	logTail(x, sign float64) float64 // log F(x) if sign is 1, and log(1 - F(x)) if sign is -1
}

// normalScore returns Phi^-1(F(x)). It uses the smaller of F(x) and 1 - F(x), which has more
// correct digits.
func normalScore(m margin, x float64) float64 {
	if lower := m.logTail(x, 1); lower < -math.Ln2 {
		return normalQuantile(lower)
	}
	return -normalQuantile(m.logTail(x, -1))
}

// tMargin is Student's t distribution with df degrees of freedom.
type tMargin struct{ df, logNorm float64 } // logNorm: log f(0)

func newTMargin(df float64) tMargin {
	return tMargin{df: df, logNorm: -mathext.Lbeta(df/2, 0.5) - math.Log(df)/2}
}

func (m tMargin) logDensity(x float64) float64 {
	return m.logNorm - (m.df+1)/2*math.Log1p(x*x/m.df)
}

func (m tMargin) logSlope(x float64) float64 { return -(m.df + 1) * x / (m.df + x*x) }

func (m tMargin) logTail(x, sign float64) float64 {
	tail := mathext.RegIncBeta(m.df/2, 0.5, m.df/(m.df+x*x)) / 2
	if sign*x > 0 {
		return math.Log1p(-tail)
	}
	return math.Log(max(tail, math.SmallestNonzeroFloat64)) // -Inf would give an infinite normal score
}

// mixtureMargin is a mixture of two normal distributions.
type mixtureMargin struct {
	mean, sd  [2]float64
	logWeight [2]float64
	logNorm   [2]float64 // log of weight / (sd sqrt(2 pi))
}

// newMixtureMargin returns a mixture in which the first normal distribution has the given weight.
func newMixtureMargin(weight float64, mean, sd [2]float64) mixtureMargin {
	m := mixtureMargin{mean: mean, sd: sd, logWeight: [2]float64{math.Log(weight), math.Log1p(-weight)}}
	for k := range m.logNorm {
		m.logNorm[k] = m.logWeight[k] - math.Log(sd[k]) - logRoot2Pi
	}
	return m
}

func (m mixtureMargin) logDensity(x float64) float64 {
	var terms [2]float64
	for k := range terms {
		u := (x - m.mean[k]) / m.sd[k]
		terms[k] = m.logNorm[k] - u*u/2
	}
	return logAdd(terms[0], terms[1])
}

func (m mixtureMargin) logSlope(x float64) float64 {
	density, slope := m.logDensity(x), 0.0
	for k := range m.mean { // add -u/sd times the share of component k in the density
		u := (x - m.mean[k]) / m.sd[k]
		slope -= math.Exp(m.logNorm[k]-u*u/2-density) * u / m.sd[k]
	}
	return slope
}

func (m mixtureMargin) logTail(x, sign float64) float64 {
	var terms [2]float64
	for k := range terms {
		terms[k] = m.logWeight[k] + logNormalCDF(sign*(x-m.mean[k])/m.sd[k])
	}
	return logAdd(terms[0], terms[1])
}

// logAdd returns log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// logNormalCDF returns log Phi(z). Below z = -30, Erfc loses digits, so logNormalCDF uses the
// asymptotic series
//
//	log phi(z) - log(-z) + log(1 - 1/z^2 + 3/z^4 - 15/z^6 + 105/z^8),
//
// whose error is below 1e-11.
func logNormalCDF(z float64) float64 {
	const far = -30
	switch {
	case z > 0:
		return math.Log1p(-math.Erfc(z/math.Sqrt2) / 2)
	case z > far:
		return math.Log(math.Erfc(-z/math.Sqrt2) / 2)
	}
	w := 1 / (z * z)
	series := w * (-1 + w*(3+w*(-15+w*105)))
	return -z*z/2 - logRoot2Pi - math.Log(-z) + math.Log1p(series)
}

// normalQuantile returns the z with log Phi(z) = logP. If exp(logP) would underflow, it uses
// Newton's method. The derivative of log Phi is then close to -z - 1/z.
func normalQuantile(logP float64) float64 {
	const underflow, steps = -700, 6
	if logP > underflow {
		return mathext.NormalQuantile(math.Exp(logP))
	}
	z := -math.Sqrt(-2 * logP)
	for range steps {
		z -= (logNormalCDF(z) - logP) / (-z - 1/z)
	}
	return z
}
