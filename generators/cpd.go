package generators

import (
	"math"

	"golang.org/x/exp/rand"
)

// A branch is one weighted component of the conditional density of a variable x given the values z
// of its parents,
//
//	w f((x - m)/s)/s   with   m = c sum_k v_k z_k + shift,
//
// where f is the standard normal density or, if df > 0, Student's t density. A non-central branch
// is instead w f((x - shift)/s)/s, where f is the non-central t density with noncentrality m -
// shift.
type branch struct {
	weight     float64   // w, in (0, 1]
	parents    []int     // the columns with the values z_k; a column may occur twice
	weights    []float64 // v_k; nil: all are 1
	coef       float64   // c
	shift      float64
	scale      float64 // s
	df         float64 // degrees of freedom; 0: normal
	noncentral bool

	// completed computes these fields.
	logNorm float64    // log of w/s times the normalising constant of f
	student studentLaw // the t distribution; unused if df is 0
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

// mean returns the location m of the branch for the values of the parents in row x.
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

// logDensity returns the logarithm of the weighted component at the value x[j] of variable j, given
// the values of the parents in row x.
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

// draw returns a random value of the component, given the values of the parents in row x.
func (b *branch) draw(x []float64, rng *rand.Rand) float64 {
	if b.df == 0 {
		return b.mean(x) + b.scale*rng.NormFloat64()
	}
	if b.noncentral {
		return b.shift + b.scale*b.student.drawNoncentral(b.mean(x)-b.shift, rng)
	}
	return b.mean(x) + b.scale*b.student.draw(rng)
}

// A cpd is a family of conditional densities (Tenzer et al. 2020, section 5.1) for a variable with
// parents z:
//
//	(i)  gaussian: N(c sum z, s^2)
//	(ii) complex:  with probability 1/2  c sum z + s t(df),
//	               else  N(m_1, s^2)/2 + N(m_2, s^2)/2
//
// where m_1 and m_2 are the means of the two components of a mixture. Variables without parents are
// N(0, 1). The paper chooses the type (t or mixture) and the component anew for each value. Other
// levels choose once for a variable, row, class or problem.
type cpd struct {
	departures
	complex        bool
	typeLevel      string
	componentLevel string
	nodeType       bool                          // the coins of a variable choose the type, once for all values
	nodeComponent  bool                          // the coins of a variable choose the component
	factor         float64                       // multiplies all scales
	coef           float64                       // c
	noiseSD        float64                       // s
	t              float64                       // df
	components     func(parents []int) [2]branch // components of the mixture, with only parents and shift set
}

// coins are the random choices for the complex density of one variable: its type and the component
// of the mixture.
type coins struct {
	t     bool // choose t, not the mixture
	first bool // choose the first component of the mixture, not the second
}

// tossCoins draws the coins of one variable; all outcomes have probability 1/2.
func tossCoins(rng *rand.Rand) coins {
	return coins{t: rng.Float64() < 0.5, first: rng.Float64() < 0.5}
}

// tossAll draws the coins of d variables. It draws them even for densities that need none, so that
// problems with different densities use the same random numbers and have the same graph.
func tossAll(d int, rng *rand.Rand) []coins {
	all := make([]coins, d)
	for j := range all {
		all[j] = tossCoins(rng)
	}
	return all
}

// branches returns the conditional density of a variable as a list of branches with positive
// weight. It depends on the parents of the variable and, if nodeType or nodeComponent is set, on
// its coins c.
func (f cpd) branches(parents []int, c coins) []branch {
	if len(parents) == 0 {
		root := branch{weight: 1, scale: f.factor}
		return []branch{root.completed()}
	}
	normal := branch{weight: 1, parents: parents, coef: f.coef, scale: f.noiseSD * f.factor}
	if !f.complex {
		return []branch{normal.completed()}
	}
	shareOfT := 0.5     // probability of the t branch
	shareOfFirst := 0.5 // probability of the first component within the mixture
	if f.nodeType {
		shareOfT = indicator(c.t)
	}
	if f.nodeComponent {
		shareOfFirst = indicator(c.first)
	}
	mixture := f.mixture(parents)
	if f.Mixture == "average" {
		shareOfFirst = 1 // the average is the only component
	}
	t := f.tBranch(normal)
	t.weight = shareOfT
	mixture[0].weight = (1 - shareOfT) * shareOfFirst
	mixture[1].weight = (1 - shareOfT) * (1 - shareOfFirst)
	var branches []branch
	for _, b := range []branch{t, mixture[0], mixture[1]} {
		if b.weight > 0 {
			branches = append(branches, b.completed())
		}
	}
	return branches
}

// tBranch returns a t branch with the location and scale of a normal branch, changed as the
// departures demand.
func (f cpd) tBranch(normal branch) branch {
	t := normal
	t.df, t.noncentral = f.t, f.TLaw == "noncentral"
	t.scale, t.shift = t.scale*f.TScale, f.TShift
	if t.noncentral {
		t.coef /= t.scale
	}
	return t
}

// mixture returns the two normal components of the mixture. If the departures demand it, the first
// is the average of both.
func (f cpd) mixture(parents []int) [2]branch {
	mixture := f.components(parents)
	for i := range mixture {
		mixture[i].coef, mixture[i].scale = f.coef, f.noiseSD*f.factor*f.MixtureScale
	}
	if f.Mixture == "average" {
		mixture[0] = mixture[0].average(mixture[1])
	}
	return mixture
}

// average returns the distribution of (X+Y)/2, where X has the normal branch b, Y has the normal
// branch c, and X and Y are independent.
func (b branch) average(c branch) branch {
	b.parents = append(append([]int(nil), b.parents...), c.parents...)
	b.coef, b.shift, b.scale = b.coef/2, (b.shift+c.shift)/2, math.Hypot(b.scale, c.scale)/2
	return b
}

// indicator returns 1 for true and 0 for false.
func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
