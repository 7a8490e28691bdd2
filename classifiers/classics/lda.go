// Package classics implements standard classifiers that papers use for comparison: discriminant
// analysis, logistic regression, nearest neighbours, random forests and boosting.
package classics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// LDA is linear discriminant analysis as in R's MASS::lda. It models each class c by a normal
// distribution with its own mean m_c and a covariance S that all classes share. S is estimated from
// the deviations of the rows from their class means. Its divisor is n - C for n rows and C classes.
// The mean of all rows is subtracted from each row x and each m_c. The score of class c is
//
//	log prior_c + (x - m_c/2)' S^-1 m_c,
//
// where prior_c is the prior probability of class c.
//
// As in MASS, each column is first divided by its standard deviation within classes. The scaled
// columns may have almost no variation in some directions: their standard deviation there is at
// most the parameter tolerance. The fit leaves out these directions and gives a warning.
type LDA struct {
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
	// largest standard deviation of the directions that are left out. Columns are first divided by
	// their standard deviations within classes
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
}

// NewLDA returns an LDA with MASS's defaults.
func NewLDA() *LDA { return &LDA{Priors: method.TrainingPriors, Tolerance: 1e-4} }

// Fit implements method.Classifier. It does not use rng.
func (s *LDA) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	if train.N() <= train.C() {
		return nil, fmt.Errorf("the classifier needs more training rows than classes: "+
			"the training set has %d rows and %d classes", train.N(), train.C())
	}
	units := columns.NewUnits(train) // factors for columns with extreme values, whose squares would overflow
	train = units.Set(train)
	means := classMeans(train.X, train)
	scale, warnings, err := withinScale(train, means) // standard deviations within classes
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sphere, err := s.sphere(withinCorrelation(train, means, scale), scale)
	if err != nil {
		return nil, err
	}
	d := train.D()
	if _, directions := sphere.Dims(); directions < d {
		warnings = append(warnings, fmt.Sprintf(
			"the columns are collinear within classes: %d of %d directions left out", d-directions, d))
	}
	scores := linearScores(units, sphere, overallMean(train), means, method.LogPriors(train, s.Priors))
	return (&method.Rule{Scores: scores, Warnings: warnings}).WithProbabilities(method.Posteriors), nil
}

// WeightsPriors implements method.PriorWeighted.
func (s *LDA) WeightsPriors() {}

// sphere returns a d x r matrix W such that the covariance of W'x within classes is the identity
// matrix.
//
// Each column of W belongs to an eigenvalue l_k of correlation and its unit eigenvector e_k:
//
//	W_jk = e_kj / (scale_j sqrt(l_k)).
//
// Directions with sqrt(l_k) <= s.Tolerance are left out, except the direction with the largest l_k.
func (s *LDA) sphere(correlation *mat.SymDense, scale []float64) (*mat.Dense, error) {
	var eigen mat.EigenSym
	if !eigen.Factorize(correlation, true) {
		return nil, errors.New("the eigenvalues of the covariance matrix cannot be computed")
	}
	d := len(scale)
	variances := eigen.Values(nil) // the eigenvalues l_k, ascending
	// Directions before index first have too little variance and are dropped.
	first := slices.IndexFunc(variances, func(v float64) bool { return v > s.Tolerance*s.Tolerance })
	if first < 0 {
		first = d - 1 // the variances sum to d, so the largest is at least 1 except for rounding, and Tolerance < 1
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	w := mat.NewDense(d, d-first, nil)
	w.Apply(func(j, k int, _ float64) float64 {
		return vectors.At(j, first+k) / (scale[j] * math.Sqrt(variances[first+k]))
	}, w)
	return w, nil
}

// classMeans returns the mean of the rows of x in each class. Row i of x belongs to row i of train.
func classMeans(x *mat.Dense, train *dataset.Set) [][]float64 {
	means := make([][]float64, train.C())
	_, d := x.Dims()
	for c := range means {
		means[c] = make([]float64, d)
	}
	counts := train.Counts()
	for i, c := range train.Y {
		floats.AddScaled(means[c], 1/float64(counts[c]), x.RawRowView(i))
	}
	return means
}

func overallMean(train *dataset.Set) []float64 {
	mean := make([]float64, train.D())
	for i := range train.N() {
		floats.AddScaled(mean, 1/float64(train.N()), train.X.RawRowView(i))
	}
	return mean
}

// withinScale returns the standard deviation of each column within classes (divisor n - C) or, for
// a constant column, columns.Resolution and a warning. It fails if a sum of squares overflows.
func withinScale(train *dataset.Set, means [][]float64) (scale []float64, warnings []string, err error) {
	squares := make([]float64, train.D())
	for i, c := range train.Y {
		for j, v := range train.X.RawRowView(i) {
			squares[j] += (v - means[c][j]) * (v - means[c][j])
		}
	}
	scale = make([]float64, train.D())
	for j := range scale {
		scale[j] = math.Sqrt(squares[j] / float64(train.N()-train.C()))
		name := train.Attributes[j].Name
		if math.IsInf(scale[j], 0) {
			return nil, nil, fmt.Errorf("the squares of the values of column %q overflow: rescale the column", name)
		}
		// Rounding errors can give a constant column a positive standard deviation.
		isConstant := scale[j] <= largestMean(means, j)*constantSpread
		if isConstant {
			scale[j] = columns.Resolution(train.X, j)
			warnings = append(warnings, fmt.Sprintf("column %q is constant within classes: "+
				"its standard deviation is taken to be the resolution of its values", name))
		}
	}
	return scale, warnings, nil
}

func largestMean(means [][]float64, j int) float64 {
	largest := 0.0
	for _, mean := range means {
		largest = max(largest, math.Abs(mean[j]))
	}
	return largest
}

// constantSpread is the largest standard deviation that rounding errors can give a constant column,
// as a fraction of its mean.
const constantSpread = 1e-12

// withinCorrelation returns the pooled correlation matrix of the columns within classes. scale[j] > 0
// is the standard deviation of column j, or another unit if the column is constant (see withinScale).
// Constant columns have correlation 0 with all others.
func withinCorrelation(train *dataset.Set, means [][]float64, scale []float64) *mat.SymDense {
	residuals := mat.NewDense(train.N(), train.D(), nil)
	for i, c := range train.Y {
		for j, v := range train.X.RawRowView(i) {
			residuals.Set(i, j, (v-means[c][j])/scale[j])
		}
	}
	var r mat.SymDense
	r.SymOuterK(1/float64(train.N()-train.C()), residuals.T())
	for j := range scale {
		isConstant := r.At(j, j) < 0.5 // 0 for a constant column, 1 for others, up to rounding
		if isConstant {
			r.SetSym(j, j, 1)
		}
	}
	return &r
}

// linearScores returns a function that computes the score of each class at each row of a matrix. It
// overwrites means and logPriors.
//
// For a row x, the score of class c is
//
//	z' v_c - |v_c|^2/2 + log prior_c,  z = W'(x - centre),  v_c = W'(m_c - centre).
//
// The arguments are:
//
//   - units contains a factor for each column of x. sphere, centre and means refer to columns that
//     are multiplied by these factors.
//   - sphere is a d x r matrix W. The covariance of W'x within classes is the identity matrix.
//   - centre is the mean of all training rows.
func linearScores(
	units columns.Units, sphere *mat.Dense, centre []float64, means [][]float64, logPriors []float64,
) func(x *mat.Dense) *mat.Dense {
	d, classes := len(centre), len(means)
	// The score of class c is offset[c] + (x - centre)' times column c of slopes.
	slopes, offset := mat.NewDense(d, classes, nil), logPriors
	for c, mean := range means {
		var v, slope mat.VecDense
		floats.Sub(mean, centre)
		v.MulVec(sphere.T(), mat.NewVecDense(d, mean))
		slope.MulVec(sphere, &v)
		slopes.SetCol(c, slope.RawVector().Data)
		offset[c] -= mat.Dot(&v, &v) / 2
	}
	return func(x *mat.Dense) *mat.Dense {
		columns.Check(x, d, columns.NoMissing)
		x = units.Apply(x)
		n, _ := x.Dims()
		scores := mat.NewDense(n, classes, nil)
		centred := mat.NewVecDense(d, nil)
		for i := range n {
			floats.SubTo(centred.RawVector().Data, x.RawRowView(i), centre)
			row := mat.NewVecDense(classes, scores.RawRowView(i))
			row.MulVec(slopes.T(), centred)
			floats.Add(scores.RawRowView(i), offset)
		}
		return scores
	}
}
