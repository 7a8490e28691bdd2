package generators

import (
	"math"

	"golang.org/x/exp/rand"
)

// A branch is one component of a variable's conditional density given its
// parents' values z,
//
//	w f((x - m)/s)/s   with   m = c sum_{k in parents} z_k + shift
//
// and f the standard normal density, or Student's t density when df > 0. With
// weights the z_k are multiplied by them. Where it is non-central, f is the density
// of the non-central t distribution of parameter m - shift, and m is shift.
type branch struct {
	weight  float64   // w, in (0, 1]
	parents []int     // columns that enter m, one twice where it counts twice
	weights []float64 // of parents; nil: 1
	coef    float64   // c
	shift   float64
	scale   float64 // s
	df      float64
	logNorm float64    // log of w/s times f's normalising constant
	student studentLaw // where df > 0

	noncentral bool
}

// completed returns b with logNorm and student filled in.
func (b branch) completed() branch {
	b.logNorm = math.Log(b.weight) - math.Log(b.scale)
	if b.df == 0 {
		b.logNorm -= logRoot2Pi
		return b
	}
	b.student = newStudentLaw(b.df)
	upper, _ := math.Lgamma((b.df + 1) / 2)
	lower, _ := math.Lgamma(b.df / 2)
	b.logNorm += upper - lower - math.Log(b.df*math.Pi)/2
	return b
}

// mean returns m for the row x.
func (b *branch) mean(x []float64) float64 {
	sum := 0.0
	if b.weights == nil {
		for _, k := range b.parents {
			sum += x[k]
		}
	}
	for i, w := range b.weights {
		sum += w * x[b.parents[i]]
	}
	return b.coef*sum + b.shift
}

// logDensity returns the log of the weighted component at x[j].
func (b *branch) logDensity(x []float64, j int) float64 {
	if b.noncentral {
		law := newNoncentral(b.df, b.mean(x)-b.shift)
		return math.Log(b.weight) - math.Log(b.scale) + law.logDensity((x[j]-b.shift)/b.scale)
	}
	u := (x[j] - b.mean(x)) / b.scale
	if b.df == 0 {
		return b.logNorm - u*u/2
	}
	return b.logNorm - (b.df+1)/2*math.Log1p(u*u/b.df)
}

// draw returns a value of the component for the parents' values in row x.
func (b *branch) draw(x []float64, rng *rand.Rand) float64 {
	if b.df == 0 {
		return b.mean(x) + b.scale*rng.NormFloat64()
	}
	if b.noncentral {
		return b.shift + b.scale*b.student.drawNoncentral(b.mean(x)-b.shift, rng)
	}
	return b.mean(x) + b.scale*b.student.draw(rng)
}

// A cpd is a family of conditional densities of section 5.1 of Tenzer et al.
// (2020) for a variable with parents z:
//
//	(i)  gaussian: N(c sum z, s^2)
//	(ii) complex:  with probability 1/2  c sum z + s t(df),
//	               else  N(m_1, s^2)/2 + N(m_2, s^2)/2
//
// where m_1 and m_2 are the means of the two components. The text draws the
// type (t or mixture) and the component for every sample; at node level they
// are drawn once per variable. Variables without parents are N(0, 1).
type cpd struct {
	departures
	complex          bool
	typeLevel        string
	componentLevel   string
	nodeType         bool    // type is given by coins
	nodeComponent    bool    // component is given by coins
	factor           float64 // of all scales
	coef, noiseSD, t float64
	components       func(parents []int) [2]branch // sets parents and shift only
}

// coins are the choices that node-level densities make once per variable.
type coins struct{ t, first bool }

func tossCoins(rng *rand.Rand) coins {
	return coins{t: rng.Float64() < 0.5, first: rng.Float64() < 0.5}
}

// tossAll tosses the coins of d variables, whether or not the family uses them,
// so that problems of different families share their structure.
func tossAll(d int, rng *rand.Rand) []coins {
	all := make([]coins, d)
	for j := range all {
		all[j] = tossCoins(rng)
	}
	return all
}

// branches returns the density of a variable with the given parents.
func (f cpd) branches(parents []int, c coins) []branch {
	if len(parents) == 0 {
		return []branch{branch{weight: 1, scale: f.factor}.completed()}
	}
	all := branch{weight: 1, parents: parents, coef: f.coef, scale: f.noiseSD * f.factor}
	if !f.complex {
		return []branch{all.completed()}
	}
	t, first := 0.5, 0.5
	if f.nodeType {
		t = indicator(c.t)
	}
	if f.nodeComponent {
		first = indicator(c.first)
	}
	mixture := f.components(parents)
	for i := range mixture {
		mixture[i].coef, mixture[i].scale = f.coef, f.noiseSD*f.factor*f.MixtureScale
	}
	if f.Mixture == "average" {
		mixture[0] = mixture[0].average(mixture[1])
		first = 1
	}
	all.df, all.noncentral = f.t, f.TLaw == "noncentral"
	all.scale, all.shift = all.scale*f.TScale, f.TShift
	if all.noncentral {
		all.coef /= all.scale
	}
	all.weight = t
	mixture[0].weight = (1 - t) * first
	mixture[1].weight = (1 - t) * (1 - first)
	var branches []branch
	for _, b := range []branch{all, mixture[0], mixture[1]} {
		if b.weight > 0 {
			branches = append(branches, b.completed())
		}
	}
	return branches
}

// average is the law of (X+Y)/2, X of the normal branch b and Y, independent, of c.
func (b branch) average(c branch) branch {
	b.parents = append(append([]int(nil), b.parents...), c.parents...)
	b.coef, b.shift, b.scale = b.coef/2, (b.shift+c.shift)/2, math.Hypot(b.scale, c.scale)/2
	return b
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
