package networks

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// These methods estimate the correlation of a Gaussian copula.
const (
	bySpearman     = "spearman"      // from Spearman's rho, in closed form
	byKendall      = "kendall"       // from Kendall's tau, in closed form
	byNormalScores = "normal-scores" // Pearson's correlation of Phi^-1(F(x))
)

// CNC is the copula network classifier of Elidan (2012) with a tree-augmented structure. A tree T
// connects the variables and is the same in all classes. In class w, variable i has the density
// f_w(x_i) and the distribution function F_w(x_i). Edge (i,j) of the tree has the copula density
// c_w,ij. The classifier applies Bayes' rule to the density f_w of each class (Eq. 2 of the paper):
//
//	log f_w(x) = sum_i log f_w(x_i) + sum_{(i,j) in T} log c_w,ij(F_w(x_i), F_w(x_j)).
//
// The density of each variable is a kernel estimate. The score of a class is its log prior plus log
// f_w(x).
//
// The paper has a ratio R_c in place of each copula density. The two are equal if every variable
// has at most one parent, as in a tree.
//
// In each class, an edge has a Gaussian or a Clayton copula. The paper chooses the family with the
// larger BIC, which is the log likelihood minus a penalty. Both families have one parameter and
// thus the same penalty. So the family with the larger likelihood wins.
//
// The BIC also determines the tree. With M training rows and |W| classes, an edge increases the BIC
// by the sum of its log likelihoods in all classes, minus log(M) |W|/2.
//
// The parameter correlation selects how the correlation of a Gaussian copula is computed:
//
//   - spearman: 2 sin(pi rho/6), where rho is Spearman's correlation
//   - kendall: sin(pi tau/2), where tau is Kendall's tau_b
//   - normal-scores: Pearson's correlation of Phi^-1(F_w), where Phi is the standard normal
//     distribution function
//
// The parameter of a Clayton copula is 2 tau/(1-tau). This requires a positive tau. If tau is not
// positive, the edge has a Gaussian copula.
//
// The paper uses bandwidths that are "optimal under normality assumptions" (Bowman and Azzalini
// 1997). This rule contains the standard deviation. The default, bandwidth: matlab, replaces the
// standard deviation by the median absolute deviation divided by 0.6745.
//
// The paper states that the correlation of the Gaussian copula has a closed form, but not which
// one. A companion paper uses Spearman's correlation. The paper also does not state whether each
// class chooses the family of an edge separately. Here it does.
//
// Small classes and constant variables are special cases:
//
//   - In a class with fewer than three rows, the variables are treated as independent.
//   - In a class with one row, the bandwidths are computed from all M rows of the training set and
//     multiplied by M^(1/5).
//   - If a variable is constant in a class, bandwidth: matlab sets its bandwidth there to 1. The
//     predictions then depend on the units of the variable. The other rules return an error.
type CNC struct {
	marginsAndGaussian
	// upper bound on the parameter of a Clayton copula
	MaxTheta float64 `param:"max_theta" range:"(0,inf)"`
	networkOfCopulas
}

// marginsAndGaussian holds the parameters of the margins and of the Gaussian copulas.
type marginsAndGaussian struct {
	// rule for choosing the bandwidths of the margins
	Bandwidth string `param:"bandwidth" enum:"matlab,normal-reference,plug-in"`
	// how the correlation of the Gaussian copula is estimated
	Correlation string `param:"correlation" enum:"spearman,kendall,normal-scores"`
	// upper bound on the absolute correlation of a Gaussian copula
	MaxCorrelation float64 `param:"max_correlation" range:"(0,1)"`
}

// networkOfCopulas holds the parameters of the network: its tree, and the priors for Bayes' rule.
type networkOfCopulas struct {
	// distribution function values are kept at least this far from 0 and 1
	Margin float64 `param:"margin" range:"(0,0.5)"`
	// leave out edges that worsen the BIC; the tree can then become a forest
	Forest bool `param:"forest"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// NewCNC returns a CNC with the parameters that the paper states. The paper calls its bandwidths
// "optimal under normality assumptions". NewCNC uses Matlab's version of this rule.
func NewCNC() *CNC {
	return &CNC{
		marginsAndGaussian: marginsAndGaussian{
			Bandwidth:      string(kde.Matlab),
			Correlation:    bySpearman,
			MaxCorrelation: 0.999,
		},
		MaxTheta:         30,
		networkOfCopulas: networkOfCopulas{Margin: 1e-6, Priors: method.TrainingPriors},
	}
}

// Fit implements method.Classifier. It does not use rng.
func (s *CNC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return fitCopulaNetwork(ctx, train, *s)
}

// noClayton is the value of CNC.MaxTheta for networks without Clayton copulas.
const noClayton = 0

// GaussianCNC is the copula network classifier cnc with Gaussian copulas only.
type GaussianCNC struct {
	marginsAndGaussian
	networkOfCopulas
}

// NewGaussianCNC returns a GaussianCNC with the same parameter values as a CNC from NewCNC.
func NewGaussianCNC() *GaussianCNC {
	s := NewCNC()
	return &GaussianCNC{s.marginsAndGaussian, s.networkOfCopulas}
}

// Fit implements method.Classifier. It does not use rng.
func (s *GaussianCNC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	parameters := CNC{s.marginsAndGaussian, noClayton, s.networkOfCopulas}
	return fitCopulaNetwork(ctx, train, parameters)
}
