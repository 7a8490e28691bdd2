package networks

import (
	"context"

	"golang.org/x/exp/rand"

	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// Estimates of the Gaussian copula's correlation.
const (
	bySpearman     = "spearman"      // from the rank correlation, in closed form
	byKendall      = "kendall"       // from tau, in closed form
	byNormalScores = "normal-scores" // the correlation of Phi^-1(F(x))
)

// CNC is the copula network classifier of Elidan (2012) with a tree-augmented structure. For class
// w it applies Bayes' rule to the densities (his Eq. 2)
//
//	log f_w(x) = sum_i log f_w(x_i) + sum_{(i,j) in T} log c_w,ij(F_w(x_i), F_w(x_j)).
//
// The margins are kernel estimates, and all classes share the tree T. Each edge has in each class
// the Gaussian or the Clayton copula, whichever has the larger BIC. With one continuous parent the
// ratio R_c of the paper is the copula density itself. A class scores log prior + log f_w.
//
// F_w is the distribution function of the kernel density f_w. The correlation of the Gaussian
// copula is 2 sin(pi rho/6) with Spearman's rho, sin(pi tau/2) with Kendall's tau_b, or Pearson's
// correlation of Phi^-1(F_w). The parameter of the Clayton copula is 2 tau/(1-tau) for positive
// tau. Both families have one parameter, so the likelihood of the training rows decides. As an
// edge of the tree, a pair gains the sum over classes of its log likelihoods, minus log(M) |W|/2
// with M rows in all.
//
// The paper calls the fit of the Gaussian copula closed-form without naming it; a companion paper
// uses Spearman's correlation. Nor does it state whether families are chosen per edge and class.
// In a class of fewer than three rows the variables are independent. A class of one row has the
// bandwidths of all rows times M^(1/5).
type CNC struct {
	marginsAndGaussian
	MaxTheta float64 `param:"max_theta" doc:"largest parameter of a Clayton copula" range:"(0,inf)"`
	networkOfCopulas
}

// marginsAndGaussian holds the parameters of the margins and of the Gaussian copulas.
type marginsAndGaussian struct {
	Bandwidth      string  `param:"bandwidth" doc:"bandwidth rule of the margins" enum:"matlab,normal-reference,plug-in"`
	Correlation    string  `param:"correlation" doc:"estimate of the correlation of the Gaussian copula" enum:"spearman,kendall,normal-scores"`
	MaxCorrelation float64 `param:"max_correlation" doc:"largest correlation of a Gaussian copula, in absolute value" range:"(0,1)"`
}

// networkOfCopulas holds the parameters of the tree and of the rule.
type networkOfCopulas struct {
	Margin float64 `param:"margin" doc:"distance of distribution functions from 0 and 1" range:"(0,0.5)"`
	Forest bool    `param:"forest" doc:"leave out edges that lower the BIC; the tree may then be a forest"`
	Priors string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// NewCNC returns the paper's setting, with Matlab's bandwidths for "optimal
// under normality".
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

// Fit learns the margins, then the copulas, then the tree.
func (s *CNC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return fitCopulaNetwork(ctx, train, *s, true)
}

// GaussianCNC is the copula network classifier CNC with Gaussian copulas only.
type GaussianCNC struct {
	marginsAndGaussian
	networkOfCopulas
}

// NewGaussianCNC returns the setting of NewCNC.
func NewGaussianCNC() *GaussianCNC {
	s := NewCNC()
	return &GaussianCNC{s.marginsAndGaussian, s.networkOfCopulas}
}

// Fit learns the margins, then the copulas, then the tree.
func (s *GaussianCNC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	parameters := CNC{marginsAndGaussian: s.marginsAndGaussian, networkOfCopulas: s.networkOfCopulas}
	return fitCopulaNetwork(ctx, train, parameters, false)
}
