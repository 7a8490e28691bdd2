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

// CNC is the copula network classifier of Elidan (2012) with the structure of
// tree-augmented naive Bayes: Bayes' rule for the densities (his Eq. 2)
//
//	log f_w(x) = sum_i log f_w(x_i) + sum_{(i,j) in T} log c_w,ij(F_w(x_i), F_w(x_j))
//
// of the classes w, with kernel margins, one tree T that all classes share, and
// on each edge in each class the Gaussian or the Clayton copula, whichever has
// the larger BIC. With one continuous parent the paper's ratio R_c is the copula
// density itself. A class scores log prior + log f_w.
//
// F_w is the distribution function of the kernel density f_w. The Gaussian copula's
// correlation is 2 sin(pi rho/6) of Spearman's rho, sin(pi tau/2) of Kendall's
// tau_b, or Pearson's of Phi^-1(F_w); Clayton's parameter is 2 tau/(1-tau), and tau
// is positive. Both have one parameter, so likelihoods at the training rows decide,
// and a pair gains their logarithms' sum over the classes less log(M) |W|/2 for the
// tree, with M rows in all.
//
// The paper calls the Gaussian copula's fit a closed form without naming it; a
// companion paper fits it from Spearman's correlation. Whether families are
// chosen per edge and class is not said either. Variables are independent in a
// class of fewer than three rows; one of a single row has the bandwidths of all
// rows times M^(1/5).
type CNC struct {
	marginsAndGaussian
	MaxTheta float64 `param:"max_theta" doc:"largest parameter of a Clayton copula" range:"(0,inf)"`
	networkOfCopulas
}

type marginsAndGaussian struct {
	Bandwidth      string  `param:"bandwidth" doc:"bandwidth rule of the margins" enum:"matlab,normal-reference,plug-in"`
	Correlation    string  `param:"correlation" doc:"how the Gaussian copula's correlation is estimated" enum:"spearman,kendall,normal-scores"`
	MaxCorrelation float64 `param:"max_correlation" doc:"largest correlation of a Gaussian copula, in absolute value" range:"(0,1)"`
}

type networkOfCopulas struct {
	Margin float64 `param:"margin" doc:"distribution functions are kept this far from 0 and 1" range:"(0,0.5)"`
	Forest bool    `param:"forest" doc:"leave out pairs that lower the BIC, so that the tree may be a forest"`
	Priors string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewCNC returns the paper's setting, with Matlab's bandwidths for "optimal
// under normality".
func NewCNC() *CNC {
	return &CNC{
		marginsAndGaussian{Bandwidth: string(kde.Matlab), Correlation: bySpearman, MaxCorrelation: 0.999},
		30,
		networkOfCopulas{Margin: 1e-6, Priors: method.TrainingPriors},
	}
}

// Fit learns the margins, then the copulas, then the tree.
func (s *CNC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	return fitCopulaNetwork(ctx, train, *s, true)
}

// GaussianCNC is CNC with Gaussian copulas only.
type GaussianCNC struct {
	marginsAndGaussian
	networkOfCopulas
}

// NewGaussianCNC returns the paper's setting, as NewCNC.
func NewGaussianCNC() *GaussianCNC {
	s := NewCNC()
	return &GaussianCNC{s.marginsAndGaussian, s.networkOfCopulas}
}

// Fit learns the margins, then the copulas, then the tree.
func (s *GaussianCNC) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	same := CNC{marginsAndGaussian: s.marginsAndGaussian, networkOfCopulas: s.networkOfCopulas}
	return fitCopulaNetwork(ctx, train, same, false)
}
