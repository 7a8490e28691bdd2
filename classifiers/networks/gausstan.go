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
// where X_j is the parent of X_i in one tree that all classes share. It is the tree of largest BIC,
// to which a pair contributes
//
//	sum_w -(M_w/2) log(1 - r_w^2) - (1/2) log(M) |W|
//
// with r_w the correlation in class w and M rows in all. The choice of the root does not change the
// densities. Columns are standardised first, and a class scores log prior + log density up to a
// constant that all share. Variances are maximum-likelihood estimates with divisor M_w. In a class
// of fewer than three rows the variables are independent; a class of one row has the variances of
// all rows.
type LinearGaussTAN struct {
	Forest   bool    `param:"forest" doc:"leave out pairs that lower the BIC, so that the tree may be a forest"`
	Variance float64 `param:"least_variance" doc:"least conditional variance, in units of the column's variance" range:"(0,1)"`
	Priors   string  `param:"priors" doc:"class probabilities: training proportions, or equal" enum:"training,equal"`
}

// NewLinearGaussTAN returns the paper's setting.
func NewLinearGaussTAN() *LinearGaussTAN {
	return &LinearGaussTAN{Variance: 1e-6, Priors: method.TrainingPriors}
}

// Fit learns the tree and then its regressions by maximum likelihood.
func (s *LinearGaussTAN) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	network := newGaussNetwork(train)
	gain := mat.NewSymDense(train.D(), nil)
	for i := range train.D() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j := i + 1; j < train.D(); j++ {
			sum := -math.Log(float64(train.N())) / 2 * float64(train.C())
			for _, z := range network.columns {
				r := correlation(z[i], z[j])
				sum -= float64(len(z[i])) / 2 * math.Log(max(1-r*r, s.Variance))
			}
			gain.SetSym(i, j, sum)
		}
	}
	parent, _ := tree.Parents(train.D(), tree.MaximumOf(gain, s.Forest))
	network.fit(parent, s.Variance, func(x, y []float64) mean { return fitLine(x, y) })
	return network.rule(train, s.Priors), nil
}

// correlation returns Pearson's correlation, 0 when a sample is constant or has
// fewer than three values, of which two are always on a line.
func correlation(x, y []float64) float64 {
	if len(x) < 3 || !varies(x) || !varies(y) {
		return 0
	}
	return max(-1, min(stat.Correlation(x, y, nil), 1))
}

// varies reports whether the values of x differ. The variance of equal values may
// be positive by rounding.
func varies(x []float64) bool { return slices.Max(x) > slices.Min(x) }

// A mean is the expectation of a variable given its parent's value.
type mean interface{ at(x float64) float64 }

// line is a + b x.
type line struct{ a, b float64 }

func (l line) at(x float64) float64 { return l.a + l.b*x }

// fitLine returns the least-squares line, level where x says nothing.
func fitLine(x, y []float64) line {
	if r := correlation(x, y); r != 0 {
		a, b := stat.LinearRegression(x, y, nil, false)
		return line{a, b}
	}
	return line{a: stat.Mean(y, nil)}
}

// gaussNetwork is a network of Gaussian conditionals with one parent at most,
// on standardised columns.
type gaussNetwork struct {
	scale   *columns.Scaled
	columns [][][]float64 // [class][variable][row] of the training set
	parent  []int         // -1 for a root
	mean    [][]mean      // [class][variable]
	sd      [][]float64
}

func newGaussNetwork(train *dataset.Set) *gaussNetwork {
	scale := columns.NewScaled(train, true)
	n := &gaussNetwork{scale: scale}
	z := &dataset.Set{X: scale.Apply(train.X), Y: train.Y, Attributes: train.Attributes, Classes: train.Classes}
	for c := range train.C() {
		n.columns = append(n.columns, z.Columns(z.ClassRows(c)))
	}
	return n
}

// fit estimates the conditionals of the tree by maximum likelihood.
func (n *gaussNetwork) fit(parent []int, leastVariance float64, regression func(x, y []float64) mean) {
	n.parent = parent
	for _, z := range n.columns {
		means, sds := make([]mean, len(z)), make([]float64, len(z))
		for j, y := range z {
			x := y
			if parent[j] < 0 {
				means[j] = line{a: stat.Mean(y, nil)}
			} else {
				x = z[parent[j]]
				means[j] = regression(x, y)
			}
			sds[j] = math.Sqrt(max(squares(means[j], x, y)/float64(len(y)), leastVariance))
			if len(y) < 2 {
				sds[j] = 1
			}
		}
		n.mean, n.sd = append(n.mean, means), append(n.sd, sds)
	}
	n.columns = nil
}

// rule returns Bayes' rule; constant columns and classes of one row are noted.
func (n *gaussNetwork) rule(train *dataset.Set, priors string) *method.Rule {
	warnings := n.scale.Unused()
	for c, count := range train.Counts() {
		if count < 2 {
			warnings = append(
				warnings,
				fmt.Sprintf("class %q has one training row: its variances are those of all rows", train.Classes[c]),
			)
		}
	}
	return method.Bayes(method.LogPriors(train, priors), n.logDensities, warnings...)
}

// logDensities returns sum_j log N(z_j; mean(z_parent), sd) of the rows of x,
// up to a constant, n x C.
func (n *gaussNetwork) logDensities(x *mat.Dense) *mat.Dense {
	z := n.scale.Apply(x)
	rows, _ := x.Dims()
	out := mat.NewDense(rows, len(n.mean), nil)
	for c := range n.mean {
		for i := range rows {
			row := z.RawRowView(i)
			sum := 0.0
			for j, v := range row {
				given := 0.0
				if n.parent[j] >= 0 {
					given = row[n.parent[j]]
				}
				residual := (v - n.mean[c][j].at(given)) / n.sd[c][j]
				sum -= residual*residual/2 + math.Log(n.sd[c][j])
			}
			out.Set(i, c, sum)
		}
	}
	return out
}
