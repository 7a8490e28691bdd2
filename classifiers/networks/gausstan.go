package networks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/spanning"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// LinearGaussTAN is tree-augmented naive Bayes with linear Gaussian conditionals, the baseline of
// Elidan (2012), section 5. A variable X_i has the parent X_j in a tree. Given the value x of the
// parent, X_i is normal. Its mean is a linear function of x, and each class w has its own
// coefficients:
//
//	X_i | X_j = x, class w  ~  N(beta_0w + beta_1w x, sigma_w),
//
// where sigma_w is the standard deviation in class w.
//
// The tree is the same in all classes and maximises the BIC, the log likelihood minus a penalty.
// Class w has M_w of the M rows, and |W| is the number of classes. The variables of an edge have
// the correlation r_w in class w. The edge increases the BIC by
//
//	sum_w -(M_w/2) log(1 - r_w^2) - (1/2) log(M) |W|.
//
// The choice of the root does not change the densities.
//
// Columns are standardised first. The score of a class is its log prior plus log density, up to a
// constant that all classes share. Variances in class w have the divisor M_w.
//
// In a class with fewer than three rows, the variables are treated as independent. In a class with
// one row, the variances are computed from the rows of all classes.
type LinearGaussTAN struct {
	// leave out edges that worsen the BIC; the tree can then become a forest
	Forest bool `param:"forest"`
	// lower bound on each conditional variance, as a fraction of the column's variance
	Variance float64 `param:"least_variance" range:"(0,1)"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// NewLinearGaussTAN returns a LinearGaussTAN with the parameters of Elidan (2012).
func NewLinearGaussTAN() *LinearGaussTAN {
	return &LinearGaussTAN{Variance: 1e-6, Priors: method.TrainingPriors}
}

// Fit implements method.Classifier. It does not use rng.
func (s *LinearGaussTAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	scale, classes := standardisedClasses(train)
	gain := mat.NewSymDense(train.D(), nil)
	for i := range train.D() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := i + 1; j < train.D(); j++ {
			gain.SetSym(i, j, s.bicGain(classes, i, j, train.N()))
		}
	}
	parent, _ := spanning.Parents(train.D(), spanning.MaximumOf(gain, s.Forest))
	return fitGaussNetwork(scale, classes, parent, s.Variance, fitLine).rule(train, s.Priors), nil
}

// bicGain returns the increase in the BIC due to an edge between variables i and j (see
// LinearGaussTAN),
//
//	-(1/2) log(n) |W| - sum_w (M_w/2) log(1 - r_w^2).
//
// classes[w][i] contains the M_w values of variable i in class w. n is the number of all rows. 1 -
// r_w^2 is at least s.Variance.
func (s *LinearGaussTAN) bicGain(classes [][][]float64, i, j, n int) float64 {
	gain := -math.Log(float64(n)) / 2 * float64(len(classes))
	for _, z := range classes {
		r := correlation(z[i], z[j])
		gain -= float64(len(z[i])) / 2 * math.Log(max(1-r*r, s.Variance))
	}
	return gain
}

// correlation returns Pearson's correlation. It returns 0 for constant samples, and for fewer than
// three values, because two points always lie on a line.
func correlation(x, y []float64) float64 {
	if len(x) < 3 || !varies(x) || !varies(y) {
		return 0
	}
	return max(-1, min(stat.Correlation(x, y, nil), 1))
}

// varies reports whether x contains different values. Rounding can make the variance of equal
// values positive.
func varies(x []float64) bool { return slices.Max(x) > slices.Min(x) }

// A regression predicts the mean of a variable from the value x of its parent.
type regression func(x float64) float64

// constant returns the regression on no parent, which predicts the mean of y.
func constant(y []float64) regression {
	mean := stat.Mean(y, nil)
	return func(float64) float64 { return mean }
}

// fitLine returns the least-squares line of y on x.
func fitLine(x, y []float64) regression {
	if r := correlation(x, y); r != 0 {
		a, b := stat.LinearRegression(x, y, nil, false)
		return func(x float64) float64 { return a + b*x }
	}
	return constant(y)
}

// gaussNetwork is a Bayesian network of standardised columns, which are normal given at most one
// parent. The indices of mean and sd are class and variable.
type gaussNetwork struct {
	scale  *columns.Scaled
	parent []int          // parent of each variable; -1 for a root
	mean   [][]regression // regression on the parent; constant for a root
	sd     [][]float64    // standard deviation of the residuals
}

// standardisedClasses returns the scaling of train and its scaled values. classes[c][j] contains
// variable j in class c.
func standardisedClasses(train *dataset.Set) (scale *columns.Scaled, classes [][][]float64) {
	scale = columns.NewScaled(train, columns.Standardise)
	z := train.WithValues(scale.Apply(train.X))
	for c := range train.C() {
		classes = append(classes, z.Columns(z.ClassRows(c)))
	}
	return scale, classes
}

// fitGaussNetwork fits a regression of each variable j on parent[j] in each class. parent[j] is -1
// for a root. classes[c][j] contains the standardised values of variable j in class c.
func fitGaussNetwork(
	scale *columns.Scaled, classes [][][]float64, parent []int, leastVariance float64,
	regress func(x, y []float64) regression,
) *gaussNetwork {
	n := &gaussNetwork{scale: scale, parent: parent}
	for _, z := range classes {
		means, sds := make([]regression, len(z)), make([]float64, len(z))
		for j, y := range z {
			x := y // a root has no x; its constant regression ignores this value
			means[j] = constant(y)
			if parent[j] >= 0 {
				x = z[parent[j]]
				means[j] = regress(x, y)
			}
			sds[j] = residualSD(means[j], x, y, leastVariance)
		}
		n.mean = append(n.mean, means)
		n.sd = append(n.sd, sds)
	}
	return n
}

// residualSD returns the standard deviation (divisor n) of the residuals of m, but at least
// sqrt(leastVariance), or 1 for a single value.
func residualSD(m regression, x, y []float64, leastVariance float64) float64 {
	if len(y) < 2 {
		return 1
	}
	variance := squaredResiduals(m, x, y) / float64(len(y))
	return math.Sqrt(max(variance, leastVariance))
}

// squaredResiduals returns sum_i (y[i] - m(x[i]))^2.
func squaredResiduals(m regression, x, y []float64) float64 {
	sum := 0.0
	for i, v := range y {
		residual := v - m(x[i])
		sum += residual * residual
	}
	return sum
}

func (n *gaussNetwork) rule(train *dataset.Set, priors string) *method.Rule {
	warnings := n.scale.Unused()
	for c, count := range train.Counts() {
		if count < 2 {
			warnings = append(warnings, fmt.Sprintf(
				"class %q has one training row: its variances are those of all rows", train.Classes[c]))
		}
	}
	rule := method.NewBayes(method.LogPriors(train, priors), n.logDensity).After(n.scale.Apply)
	rule.Warnings = warnings
	return rule
}

// logDensity returns the log density of class c at a standardised row, up to a constant:
//
//	sum_j -(row_j - m_j)^2 / (2 sd_j^2) - log sd_j,
//
// where m_j is the expectation of variable j given its parent.
func (n *gaussNetwork) logDensity(c int, row []float64) float64 {
	sum := 0.0
	for j, v := range row {
		given := 0.0 // value of the parent; not used by the constant regression of a root
		if n.parent[j] >= 0 {
			given = row[n.parent[j]]
		}
		residual := (v - n.mean[c][j](given)) / n.sd[c][j]
		sum -= residual*residual/2 + math.Log(n.sd[c][j])
	}
	return sum
}
