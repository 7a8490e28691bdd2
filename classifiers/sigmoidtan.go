package classifiers

import (
	"context"
	"math"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/sigmoid"
	"copse/classifiers/internal/tree"
	"copse/stats/dataset"
)

// SigmoidTAN is tree-augmented naive Bayes with sigmoid Gaussian conditionals,
// the nonlinear baseline of Elidan (2012), section 5:
//
//	X_i | X_j = x, class w  ~  N(alpha_0w + alpha_1w / (1 + exp(beta_0w + beta_1w x)), sigma_w).
//
// The likelihood of a pair depends on its direction, so the tree of largest BIC
// that all classes share is a directed one (Edmonds 1967), at which the edge
// from j to i gains
//
//	sum_w (M_w/2) log(var_w(X_i)/sigma_w^2) - (3/2) log(M) |W|,
//
// a child having five parameters in each class, the root two. The paper does not
// say how it treats the direction. Columns are standardised first.
type SigmoidTAN struct {
	Forest   bool    `param:"forest" doc:"leave out edges that lower the BIC, so that the tree may be a forest"`
	Slope    float64 `param:"max_slope" doc:"largest slope beta_1 in units of 1/standard deviation of the parent in the class" range:"(0,inf)"`
	Variance float64 `param:"least_variance" doc:"least conditional variance, in units of the column's variance" range:"(0,1)"`
	Priors   string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewSigmoidTAN returns the paper's setting.
func NewSigmoidTAN() *SigmoidTAN {
	return &SigmoidTAN{Slope: 20, Variance: 1e-6, Priors: trainingPriors}
}

// Fit fits the curves of all ordered pairs, then learns the tree.
func (s *SigmoidTAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (Rule, error) {
	if err := checkTraining("sigmoid-tan", train); err != nil {
		return nil, err
	}
	network := newGaussNetwork(train)
	gain := mat.NewDense(train.D(), train.D(), nil)
	for j := range train.D() {
		for i := range train.D() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if i != j {
				gain.Set(j, i, s.gain(network, j, i, train.N()))
			}
		}
	}
	network.fit(tree.Arborescence(gain, !s.Forest), s.Variance, func(x, y []float64) mean { return s.regression(x, y) })
	return network.rule(train, s.Priors), nil
}

// gain returns what the edge from j to i adds to the BIC.
func (s *SigmoidTAN) gain(n *gaussNetwork, j, i, rows int) float64 {
	sum := 0.0
	for _, z := range n.columns {
		m := float64(len(z[i]))
		if variance := stat.PopVariance(z[i], nil); variance > s.Variance {
			left := squares(s.regression(z[j], z[i]), z[j], z[i]) / m
			sum += m / 2 * math.Log(variance/max(left, s.Variance))
		}
		sum -= 1.5 * math.Log(float64(rows))
	}
	return sum
}

// regression returns the least-squares curve of y on x, level with fewer rows
// than parameters.
func (s *SigmoidTAN) regression(x, y []float64) mean {
	if len(x) < 5 || !varies(x) {
		return line{a: stat.Mean(y, nil)}
	}
	return curve(sigmoid.Fit(x, y, s.Slope/stat.PopStdDev(x, nil)))
}

// curve is a sigmoid as a mean.
type curve sigmoid.Curve

func (c curve) at(x float64) float64 { return sigmoid.Curve(c).At(x) }

// squares returns the sum of squared residuals.
func squares(m mean, x, y []float64) float64 {
	sum := 0.0
	for i, v := range y {
		r := v - m.at(x[i])
		sum += r * r
	}
	return sum
}
