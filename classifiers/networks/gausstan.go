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
	"copse/classifiers/internal/tree"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// LinearGaussTAN is tree-augmented naive Bayes with linear Gaussian conditionals, the baseline of
// Elidan (2012), section 5:
//
//	X_i | X_j = x, class w  ~  N(beta_0w + beta_1w x, sigma_w),
//
// where X_j is the parent of X_i in one tree that all classes share. The tree has the largest BIC;
// a pair contributes
//
//	sum_w -(M_w/2) log(1 - r_w^2) - (1/2) log(M) |W|
//
// with r_w the correlation in class w and M rows in all. The choice of the root does not change
// the densities. Columns are standardised first. A class scores log prior + log density, up to a
// constant that all classes share. Variances are maximum-likelihood estimates with divisor M_w. In
// a class of fewer than three rows the variables are independent. A class of one row has the
// variances of all rows.
type LinearGaussTAN struct {
	Forest   bool    `param:"forest" doc:"leave out edges that lower the BIC; the tree may then be a forest"`
	Variance float64 `param:"least_variance" doc:"smallest conditional variance, as a share of the variance of the column" range:"(0,1)"`
	Priors   string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// NewLinearGaussTAN returns the paper's setting.
func NewLinearGaussTAN() *LinearGaussTAN {
	return &LinearGaussTAN{Variance: 1e-6, Priors: method.TrainingPriors}
}

// Fit learns the tree and then its regressions by maximum likelihood.
func (s *LinearGaussTAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	network := newGaussNetwork(train)
	penalty := math.Log(float64(train.N())) / 2 * float64(train.C())
	gain := mat.NewSymDense(train.D(), nil)
	for i := range train.D() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := i + 1; j < train.D(); j++ {
			bic := -penalty
			for _, z := range network.columns {
				r := correlation(z[i], z[j])
				bic -= float64(len(z[i])) / 2 * math.Log(max(1-r*r, s.Variance))
			}
			gain.SetSym(i, j, bic)
		}
	}
	parent, _ := tree.Parents(train.D(), tree.MaximumOf(gain, s.Forest))
	network.fit(parent, s.Variance, func(x, y []float64) regression { return fitLine(x, y) })
	return network.rule(train, s.Priors), nil
}

// correlation returns Pearson's correlation of two samples. It is 0 if one is constant or they
// have fewer than three values, since two points always lie on a line.
func correlation(x, y []float64) float64 {
	if len(x) < 3 || !varies(x) || !varies(y) {
		return 0
	}
	return max(-1, min(stat.Correlation(x, y, nil), 1))
}

// varies reports whether the values of x differ. It does not use their variance, which rounding
// can make positive for equal values.
func varies(x []float64) bool { return slices.Max(x) > slices.Min(x) }

// A regression gives the expectation of a variable at a value of its parent.
type regression interface{ at(x float64) float64 }

// line is the regression a + b x.
type line struct{ a, b float64 }

func (l line) at(x float64) float64 { return l.a + l.b*x }

// fitLine returns the least-squares line of y on x, with slope 0 if they are uncorrelated.
func fitLine(x, y []float64) line {
	if r := correlation(x, y); r != 0 {
		a, b := stat.LinearRegression(x, y, nil, false)
		return line{a, b}
	}
	return line{a: stat.Mean(y, nil)}
}

// gaussNetwork is a network of Gaussian conditionals on standardised columns, in which a
// variable has at most one parent.
type gaussNetwork struct {
	scale   *columns.Scaled
	columns [][][]float64  // at [class][variable]: the training rows; nil after fit
	parent  []int          // of each variable, -1 for a root
	mean    [][]regression // at [class][variable]: on the parent, constant for a root
	sd      [][]float64    // at [class][variable]: of the residuals
}

// newGaussNetwork returns the standardised columns of the training set, before fit.
func newGaussNetwork(train *dataset.Set) *gaussNetwork {
	scale := columns.NewScaled(train, true)
	n := &gaussNetwork{scale: scale}
	z := &dataset.Set{X: scale.Apply(train.X), Y: train.Y, Attributes: train.Attributes, Classes: train.Classes}
	for c := range train.C() {
		n.columns = append(n.columns, z.Columns(z.ClassRows(c)))
	}
	return n
}

// fit estimates the conditionals of the tree by maximum likelihood. regress returns the
// regression of y on x.
func (n *gaussNetwork) fit(parent []int, leastVariance float64, regress func(x, y []float64) regression) {
	n.parent = parent
	for _, z := range n.columns {
		means, sds := make([]regression, len(z)), make([]float64, len(z))
		for j, y := range z {
			x := y // of a root, whose regression is constant
			if parent[j] < 0 {
				means[j] = line{a: stat.Mean(y, nil)}
			} else {
				x = z[parent[j]]
				means[j] = regress(x, y)
			}
			variance := squaredResiduals(means[j], x, y) / float64(len(y))
			sds[j] = math.Sqrt(max(variance, leastVariance))
			if len(y) < 2 {
				sds[j] = 1 // as all rows have
			}
		}
		n.mean, n.sd = append(n.mean, means), append(n.sd, sds)
	}
	n.columns = nil
}

// squaredResiduals returns the sum of the squared residuals of y.
func squaredResiduals(m regression, x, y []float64) float64 {
	sum := 0.0
	for i, v := range y {
		residual := v - m.at(x[i])
		sum += residual * residual
	}
	return sum
}

// rule returns Bayes' rule, with a warning for each constant column and each class of one row.
func (n *gaussNetwork) rule(train *dataset.Set, priors string) *method.Rule {
	warnings := n.scale.Unused()
	for c, count := range train.Counts() {
		if count < 2 {
			warnings = append(warnings, fmt.Sprintf(
				"class %q has one training row: its variances are those of all rows", train.Classes[c]))
		}
	}
	return method.Bayes(method.LogPriors(train, priors), n.logDensities, warnings...)
}

// logDensities returns sum_j log N(z_j; mean(z_parent), sd) of the rows of x, n x C, up to a
// constant that all classes share.
func (n *gaussNetwork) logDensities(x *mat.Dense) *mat.Dense {
	z := n.scale.Apply(x)
	rows, _ := x.Dims()
	logs := mat.NewDense(rows, len(n.mean), nil)
	for c := range n.mean {
		for i := range rows {
			logs.Set(i, c, n.logDensity(c, z.RawRowView(i)))
		}
	}
	return logs
}

// logDensity returns the log density of class c at one standardised row.
func (n *gaussNetwork) logDensity(c int, row []float64) float64 {
	sum := 0.0
	for j, v := range row {
		given := 0.0 // a root's regression is constant
		if n.parent[j] >= 0 {
			given = row[n.parent[j]]
		}
		residual := (v - n.mean[c][j].at(given)) / n.sd[c][j]
		sum -= residual*residual/2 + math.Log(n.sd[c][j])
	}
	return sum
}
