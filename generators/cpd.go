package generators

import (
	"math"
	"slices"

	"golang.org/x/exp/rand"
)

// A branch is one component of the conditional density of x, given the values z_k of its parents,
//
//	w f((x - m)/s)/s,  m = c sum_k v_k z_k + shift.
//
// f is the standard normal density or, if df > 0, Student's t density. If noncentral is true, m is
// shift, and the noncentrality of t is c sum_k v_k z_k.
type branch struct {
	weight     float64   // w, in (0, 1]
	parents    []int     // the columns with the values z_k; a column may occur twice
	weights    []float64 // v_k; nil: all are 1
	coef       float64   // c
	shift      float64
	scale      float64 // s
	df         float64 // degrees of freedom; 0: normal
	noncentral bool

	// withConstants computes these fields.
	logNorm float64    // log of w/s times the normalising constant of f
	student studentLaw // the t distribution; unused if df is 0
}

// withConstants returns a copy of b in which logNorm and student follow from the other fields.
func (b branch) withConstants() branch {
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

func (b *branch) mean(x []float64) float64 {
	sum := 0.0
	for i, k := range b.parents {
		if b.weights == nil {
			sum += x[k]
		} else {
			sum += b.weights[i] * x[k]
		}
	}
	return b.coef*sum + b.shift
}

// logDensity returns the log of the branch's weight times its density at x[j]. Row x contains the
// values of the parents.
func (b *branch) logDensity(x []float64, j int) float64 {
	if b.noncentral {
		logT := noncentralLogDensity(b.df, b.mean(x)-b.shift, (x[j]-b.shift)/b.scale)
		return math.Log(b.weight) - math.Log(b.scale) + logT
	}
	u := (x[j] - b.mean(x)) / b.scale
	if b.df == 0 {
		return b.logNorm - u*u/2
	}
	return b.logNorm - (b.df+1)/2*math.Log1p(u*u/b.df)
}

func (b *branch) draw(x []float64, rng *rand.Rand) float64 {
	switch {
	case b.df == 0:
		return b.mean(x) + b.scale*rng.NormFloat64()
	case b.noncentral:
		return b.shift + b.scale*b.student.drawNoncentral(b.mean(x)-b.shift, rng)
	}
	return b.mean(x) + b.scale*b.student.draw(rng)
}

// A cpd is a family of conditional densities of a variable, given the values of its parents (Tenzer
// et al. 2020, section 5.1). A variable without parents has the distribution N(0, 1). For other
// variables, let mu be the sum of the parents' values times the coefficient c. There are two
// families:
//
//	gaussian: a normal distribution with mean mu and standard deviation s.
//	complex:  with probability 1/2, mu plus s times a t-distributed number with df degrees of freedom.
//	          Otherwise, a mixture of two normal distributions with standard deviation s and
//	          different means, each with probability 1/2.
//
// The density chooses at random between t and mixture, and between the components of the mixture.
// In the paper, it chooses for each value. With parameters, it can choose once for each variable,
// row, class or problem.
type cpd struct {
	departures
	complex        bool
	typeLevel      string
	componentLevel string
	scaleFactor    float64                       // multiplies all scales; 1 in class 0, ClassScale in class 1
	coef           float64                       // c
	noiseSD        float64                       // s
	df             float64                       // degrees of freedom of the t distribution
	components     func(parents []int) [2]branch // components of the mixture, with only parents and shift set
}

// choices contains the probabilities of the two random choices of a complex density (see cpd). A
// probability is 0 or 1 if the choice has already been made.
type choices struct {
	pT     float64 // probability of the t distribution, not the mixture
	pFirst float64 // probability of the mixture's first component, not the second
}

// evenChoices gives both options of each choice the same probability, for choices that are made anew
// for each value.
var evenChoices = choices{pT: 0.5, pFirst: 0.5}

// drawChoices draws the two random choices of each of d variables. It draws them for all families
// of densities, so that the same seed gives the same graph.
func drawChoices(d int, rng *rand.Rand) []choices {
	made := make([]choices, d)
	for j := range made {
		made[j] = choices{pT: flip(1, 0.5, rng), pFirst: flip(1, 0.5, rng)}
	}
	return made
}

// branches returns the density of a variable with the given parents as components with positive
// weights. A variable without parents is normal with mean 0 and standard deviation f.scaleFactor.
//
// A complex density is a t distribution with probability c.pT, and otherwise one of a pair of
// normal distributions, the first with probability c.pFirst. If f.Mixture is "average", the average
// of two normal variables replaces the pair.
func (f cpd) branches(parents []int, c choices) []branch {
	if len(parents) == 0 {
		root := branch{weight: 1, scale: f.scaleFactor}
		return []branch{root.withConstants()}
	}
	normal := branch{weight: 1, parents: parents, coef: f.coef, scale: f.noiseSD * f.scaleFactor}
	if !f.complex {
		return []branch{normal.withConstants()}
	}
	components := []branch{f.tBranch(normal).weighted(c.pT)}
	pair, notT := f.normalPair(parents), 1-c.pT
	if f.Mixture == "average" {
		components = append(components, pair[0].average(pair[1]).weighted(notT))
	} else {
		components = append(components, pair[0].weighted(notT*c.pFirst), pair[1].weighted(notT*(1-c.pFirst)))
	}
	var branches []branch
	for _, b := range components {
		if b.weight > 0 {
			branches = append(branches, b.withConstants())
		}
	}
	return branches
}

func (b branch) weighted(weight float64) branch {
	b.weight = weight
	return b
}

// tBranch returns the branch of the complex density that is a t distribution. The argument normal
// is the gaussian density for the same parents.
func (f cpd) tBranch(normal branch) branch {
	t := normal
	t.df, t.noncentral = f.df, f.TLaw == "noncentral"
	t.scale, t.shift = t.scale*f.TScale, f.TShift
	if t.noncentral { // the noncentrality is measured in units of the scale
		t.coef /= t.scale
	}
	return t
}

// normalPair returns the two normal distributions of the complex density.
func (f cpd) normalPair(parents []int) [2]branch {
	pair := f.components(parents)
	for i := range pair {
		pair[i].coef, pair[i].scale = f.coef, f.noiseSD*f.scaleFactor*f.MixtureScale
	}
	return pair
}

// average returns the distribution of (X+Y)/2 for independent X and Y with the normal distributions
// b and c.
func (b branch) average(c branch) branch {
	b.parents = slices.Concat(b.parents, c.parents)
	b.coef, b.shift, b.scale = b.coef/2, (b.shift+c.shift)/2, math.Hypot(b.scale, c.scale)/2
	return b
}
