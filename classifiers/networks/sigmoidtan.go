package networks

import (
	"context"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/sigmoid"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// SigmoidTAN is tree-augmented naive Bayes with sigmoid Gaussian conditionals, the nonlinear
// baseline of Elidan (2012), section 5. A variable X_i has the parent X_j in a tree. Given the
// value x of the parent, X_i is normal. Its mean is a sigmoid curve in x, and each class w has its
// own curve and standard deviation sigma_w:
//
//	X_i | X_j = x, class w  ~  N(alpha_0w + alpha_1w / (1 + exp(beta_0w + beta_1w x)), sigma_w).
//
// The tree is the same in all classes and maximises the BIC, the log likelihood minus a penalty.
// The likelihood of an edge depends on its direction, which the paper does not mention. Here the
// edges have directions, and Edmonds' algorithm (1967) computes the tree.
//
// Class w has M_w of the M rows, and |W| is the number of classes. var_w is the variance in class
// w. The edge from j to i increases the BIC by
//
//	sum_w (M_w/2) log(var_w(X_i)/sigma_w^2) - (3/2) log(M) |W|.
//
// An edge adds three parameters in each class, hence the factor 3. A variable with a parent has
// five parameters: two alpha, two beta and sigma. A variable without a parent has two: mean and
// variance.
//
// Columns are standardised first. The score of a class is its log prior plus log density, up to a
// constant that all classes share.
//
// Each curve is fitted by least squares. Its sum of squared residuals is at most 0.01 percent
// larger than the minimum. A straight line counts as a curve, because it is a limit of curves.
//
// The centre of a curve is -beta_0/beta_1. Its distance from the range of the parent's values is at
// most 10/|beta_1|. The best curve can be an exponential function, whose centre is infinitely far
// away. The limit then increases the sum of squared residuals by at most 0.1 percent.
//
// The best curve often rises steeply just outside the data. Outside the range of the parent's
// training values in the class, the curve is therefore constant.
//
// In a class with fewer than five rows, the curve is constant everywhere. In a class with one row,
// the variances are computed from the rows of all classes.
//
// With n rows and d columns, a fit takes O(n d^2) operations.
type SigmoidTAN struct {
	// leave out edges that worsen the BIC; the tree can then become a forest
	Forest bool `param:"forest"`
	// upper bound on |beta_1| times the parent's standard deviation in the class, where beta_1 is
	// the slope of the curve
	Slope float64 `param:"max_slope" range:"(0,inf)"`
	// lower bound on each conditional variance, as a fraction of the column's variance
	MinVariance float64 `param:"least_variance" range:"(0,1)"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// NewSigmoidTAN returns a SigmoidTAN with the parameters of Elidan (2012).
func NewSigmoidTAN() *SigmoidTAN {
	return &SigmoidTAN{Slope: 20, MinVariance: 1e-6, Priors: method.TrainingPriors}
}

// Fit implements method.Classifier. It does not use rng.
func (s *SigmoidTAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	scale, classes := standardisedClasses(train)
	gain := mat.NewDense(train.D(), train.D(), nil)
	for _, class := range classes {
		for parent := range class {
			if err := s.addGains(ctx, gain.RawRowView(parent), class, parent); err != nil {
				return nil, err
			}
		}
	}
	// In each class, an edge adds three parameters, each of which lowers the BIC by log(M)/2.
	penalty := 1.5 * math.Log(float64(train.N())) * float64(train.C())
	gain.Apply(func(_, _ int, v float64) float64 { return v - penalty }, gain)
	parent := spanning.Arborescence(gain, !s.Forest)
	return fitGaussNetwork(scale, classes, parent, s.MinVariance, s.regress).rule(train, s.Priors), nil
}

// addGains adds to gain[i] the increase in the log likelihood of a class due to an edge from parent
// to i,
//
//	(M/2) log(v/r).
//
// class[i] contains the M values of variable i in the class. v is their variance, and r is their
// mean squared residual from a sigmoid curve of the parent.
func (s *SigmoidTAN) addGains(ctx context.Context, gain []float64, class [][]float64, parent int) error {
	x := class[parent]
	if !s.fitsCurves(x) {
		return ctx.Err() // all curves are constant, so no edge has a gain
	}
	var children []int
	var values [][]float64 // values[k] contains the values of children[k]
	for i, y := range class {
		if i != parent && stat.PopVariance(y, nil) > s.MinVariance {
			children = append(children, i)
			values = append(values, y)
		}
	}
	curves, err := sigmoid.FitAll(ctx, x, values, s.slope(x))
	if err != nil {
		return err
	}
	m := float64(len(x))
	for k, y := range values {
		residual := squaredResiduals(curves[k].At, x, y) / m
		gain[children[k]] += m / 2 * math.Log(stat.PopVariance(y, nil)/max(residual, s.MinVariance))
	}
	return nil
}

// fitsCurves reports whether a parent has enough values for the four parameters of a curve.
func (s *SigmoidTAN) fitsCurves(x []float64) bool { return len(x) >= 5 && varies(x) }

// slope returns the upper bound on |beta_1| for the values x of a parent in one class.
func (s *SigmoidTAN) slope(x []float64) float64 { return s.Slope / stat.PopStdDev(x, nil) }

// regress returns the least-squares curve of y on x, or the mean of y if x has too few values.
func (s *SigmoidTAN) regress(x, y []float64) regression {
	if !s.fitsCurves(x) {
		return constant(y)
	}
	return bounded(sigmoid.Fit(x, y, s.slope(x)), slices.Min(x), slices.Max(x))
}

// bounded returns a sigmoid within the range of the parent's training values. It is constant
// outside this range.
func bounded(curve sigmoid.Curve, smallest, largest float64) regression {
	return func(x float64) float64 { return curve.At(min(max(x, smallest), largest)) }
}
