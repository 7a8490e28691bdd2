package networks

import (
	"context"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/sigmoid"
	"copse/classifiers/internal/tree"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// SigmoidTAN is tree-augmented naive Bayes with sigmoid Gaussian conditionals, the nonlinear
// baseline of Elidan (2012), section 5:
//
//	X_i | X_j = x, class w  ~  N(alpha_0w + alpha_1w / (1 + exp(beta_0w + beta_1w x)), sigma_w).
//
// The likelihood of a pair depends on its direction, which the paper does not mention. The tree is
// therefore directed (Edmonds 1967): the one of largest BIC for all classes together, to which the
// edge from j to i contributes
//
//	sum_w (M_w/2) log(var_w(X_i)/sigma_w^2) - (3/2) log(M) |W|;
//
// because a child has five parameters in each class and the root two. Columns are standardised
// first. A class scores log prior + log density, up to a constant that all classes share.
//
// The curves minimise the sum of squares, up to a share of 1e-4 of the residual sum; straight
// lines are among them. The centre -beta_0/beta_1 of a curve stays within 10/|beta_1| of the
// values of the parent, which costs at most 0.1 percent where an exponential function would be
// best. Beyond the training values of the parent in the class the curve is constant, because the
// best curve often rises without bound just outside the data. It is constant everywhere in a class
// of fewer than five rows. A class of one row has the variances of all rows.
//
// A fit takes O(n d^2).
type SigmoidTAN struct {
	Forest   bool    `param:"forest" doc:"leave out edges that lower the BIC; the tree may then be a forest"`
	Slope    float64 `param:"max_slope" doc:"largest slope beta_1, times the standard deviation of the parent in the class" range:"(0,inf)"`
	Variance float64 `param:"least_variance" doc:"smallest conditional variance, as a share of the variance of the column" range:"(0,1)"`
	Priors   string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// NewSigmoidTAN returns the paper's setting.
func NewSigmoidTAN() *SigmoidTAN {
	return &SigmoidTAN{Slope: 20, Variance: 1e-6, Priors: method.TrainingPriors}
}

// Fit fits the curves of all ordered pairs, then learns the tree.
func (s *SigmoidTAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	network := newGaussNetwork(train)
	gain := mat.NewDense(train.D(), train.D(), nil) // at (j,i): of the edge from parent j to child i
	for _, class := range network.columns {
		for parent := range class {
			if err := s.addGains(ctx, gain.RawRowView(parent), class, parent); err != nil {
				return nil, err
			}
		}
	}
	// Three parameters more than a root has, each log(M)/2 in each class.
	penalty := 1.5 * math.Log(float64(train.N())) * float64(train.C())
	gain.Apply(func(_, _ int, v float64) float64 { return v - penalty }, gain)
	parent := tree.Arborescence(gain, !s.Forest)
	network.fit(parent, s.Variance, func(x, y []float64) regression { return s.regress(x, y) })
	return network.rule(train, s.Priors), nil
}

// addGains adds to gain[i], for each variable i, what the edge from parent to i adds to the
// log-likelihood of a class. class has the columns of its rows.
func (s *SigmoidTAN) addGains(ctx context.Context, gain []float64, class [][]float64, parent int) error {
	x := class[parent]
	if !s.fitsCurves(x) {
		return ctx.Err() // a constant regression gains nothing
	}
	var children []int
	var columns [][]float64 // of the children
	for i, y := range class {
		if i != parent && stat.PopVariance(y, nil) > s.Variance {
			children = append(children, i)
			columns = append(columns, y)
		}
	}
	curves, err := sigmoid.FitAll(ctx, x, columns, s.slope(x))
	if err != nil {
		return err
	}
	m, least, greatest := float64(len(x)), slices.Min(x), slices.Max(x)
	for k, y := range columns {
		residual := squaredResiduals(curve{curves[k], least, greatest}, x, y) / m
		gain[children[k]] += m / 2 * math.Log(stat.PopVariance(y, nil)/max(residual, s.Variance))
	}
	return nil
}

// fitsCurves reports whether curves are fitted to a parent with the values x. They need more rows
// than the four parameters of a curve, and values that differ.
func (s *SigmoidTAN) fitsCurves(x []float64) bool { return len(x) >= 5 && varies(x) }

// slope returns the steepest slope allowed to curves of x.
func (s *SigmoidTAN) slope(x []float64) float64 { return s.Slope / stat.PopStdDev(x, nil) }

// regress returns the least-squares curve of y on x, or the mean of y if no curve is fitted.
func (s *SigmoidTAN) regress(x, y []float64) regression {
	if !s.fitsCurves(x) {
		return line{a: stat.Mean(y, nil)}
	}
	return curve{sigmoid.Fit(x, y, s.slope(x)), slices.Min(x), slices.Max(x)}
}

// curve is a sigmoid that is constant outside the range of the values that it was fitted to.
type curve struct {
	sigmoid.Curve
	least, greatest float64
}

func (c curve) at(x float64) float64 { return c.At(min(max(x, c.least), c.greatest)) }
