package classics

import (
	"context"
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

// QDA is quadratic discriminant analysis as in R's MASS::qda. It models each class c by a normal
// distribution with its own mean m_c and covariance S_c. The divisor of S_c is n_c - 1 for n_c rows
// of the class. |S_c| is its determinant, and prior_c is the prior probability of the class. The
// score of class c is
//
//	log prior_c - log|S_c|/2 - (x-m_c)' S_c^-1 (x-m_c) / 2
//
// up to a constant that all classes share.
//
// The parameter shrink = g, a number from 0 to 1, makes the covariances more similar. The matrix
// (1-g) S_c + g S then replaces each S_c. Here S is the covariance of the deviations of all rows
// from their class means. Its divisor is n - C for n rows and C classes.
//
// This is the first parameter of Friedman's regularised discriminant analysis (JASA 84:165, 1989),
// but with unbiased divisors. With g = 1, QDA is the same as LDA with its defaults. If S is
// nonsingular, any g > 0 allows classes with fewer rows than columns.
//
// If a covariance is singular, the fit raises g and gives a warning. The new g is the first of
// 0.01, 0.02, 0.05, 0.1, 0.2 and 0.5 that is larger and makes all covariances nonsingular, or 1 if
// there is none.
//
// If a column is constant in a class, its standard deviation there is 0. The fit replaces it with
// the smallest difference between distinct values of the column, or with 1e-6 of the range if this
// is larger.
//
// With n rows, d columns and C classes, a fit takes O(n d^2 + C d^3) operations. A prediction takes
// O(C d^2) for each row.
type QDA struct {
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
	// weight of the pooled within-class covariance in the covariance of each class
	Shrink float64 `param:"shrink" range:"[0,1]"`
	// largest ratio of standard deviations at which a covariance counts as singular. Each column is
	// regressed on the earlier columns. The ratio is the standard deviation of the residual divided
	// by the standard deviation of the column
	Tolerance float64 `param:"tolerance" range:"(0,1)"`
}

// NewQDA returns a QDA with MASS's defaults.
func NewQDA() *QDA { return &QDA{Priors: method.TrainingPriors, Shrink: 0, Tolerance: 1e-7} }

// Fit implements method.Classifier.
func (s *QDA) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	if s.Shrink == 1 {
		return s.linear(ctx, train, rng)
	}
	if err := checkTwoRows(train); err != nil {
		return nil, err
	}
	// Standardising the columns adds the same number to the scores of all classes.
	prepared := method.Prepare(train, columns.Standardise)
	x := prepared.X
	means := classMeans(x, train)
	covariances := classCovariances(x, train, means)
	warnings := widenConstants(x, train, means, covariances) // raises variances of 0, which have no density
	normals, shrink, err := s.normals(ctx, train, means, covariances)
	if err != nil {
		return nil, err
	}
	if shrink != s.Shrink {
		warnings = append(warnings, fmt.Sprintf(
			"a class's covariance is singular: shrink is %g instead of %g", shrink, s.Shrink))
	}
	if shrink == 1 { // with every smaller value, some covariance is singular
		rule, err := s.linear(ctx, train, rng)
		if err != nil {
			return nil, err
		}
		rule.Warnings = append(warnings, rule.Warnings...)
		return rule, nil
	}
	prior := method.LogPriors(train, s.Priors)
	scores := func(z *mat.Dense) *mat.Dense { return gaussianScores(z, normals, prior) }
	return prepared.Rule(scores, warnings...).WithProbabilities(method.Posteriors), nil
}

func checkTwoRows(train *dataset.Set) error {
	for c, n := range train.Counts() {
		if n < 2 {
			return fmt.Errorf("class %q has only one training row, but a covariance needs two: "+
				"drop the class, draw more rows or set shrink to 1", train.Classes[c])
		}
	}
	return nil
}

// WeightsPriors implements method.PriorWeighted.
func (s *QDA) WeightsPriors() {}

// linear fits LDA with the priors of s. LDA is QDA with Shrink 1.
func (s *QDA) linear(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	lda := NewLDA()
	lda.Priors = s.Priors
	return lda.Fit(ctx, train, rng)
}

// shrinkages lists the values of shrink to try, in this order, if a covariance is singular.
var shrinkages = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5}

// normals returns the normal density of each class and the weight of the pooled covariance. The
// weight is s.Shrink or, if a covariance is singular, the first larger one in shrinkages that makes
// all nonsingular. If there is none, it returns nil and 1.
func (s *QDA) normals(
	ctx context.Context, train *dataset.Set, means [][]float64, covariances []*mat.SymDense,
) (densities []normal, shrink float64, err error) {
	pooled := pooledCovariance(covariances, train)
	for _, shrink := range append([]float64{s.Shrink}, shrinkages...) {
		if shrink < s.Shrink {
			continue // shrink is only raised
		}
		if shrink == 0 && slices.Min(train.Counts()) <= train.D() {
			continue // the covariance of the smallest class is singular, even if rounding hides it
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if normals, ok := shrunkNormals(means, covariances, pooled, shrink, s.Tolerance); ok {
			return normals, shrink, nil
		}
	}
	return nil, 1, nil
}

// shrunkNormals returns the normal density of each class c with the covariance (1-shrink)
// covariances[c] + shrink pooled. It returns false if any of them is singular.
func shrunkNormals(
	means [][]float64, covariances []*mat.SymDense, pooled *mat.SymDense, shrink, tolerance float64,
) ([]normal, bool) {
	normals := make([]normal, len(covariances))
	for c, covariance := range covariances {
		var own, common mat.SymDense
		own.ScaleSym(1-shrink, covariance)
		common.ScaleSym(shrink, pooled)
		own.AddSym(&own, &common)
		var ok bool
		if normals[c], ok = newNormal(means[c], &own, tolerance); !ok {
			return nil, false
		}
	}
	return normals, true
}

// pooledCovariance returns the covariance of the deviations of all rows from their class means,
//
//	sum_c (n_c - 1) S_c / (n - C),
//
// where covariances[c] is S_c.
func pooledCovariance(covariances []*mat.SymDense, train *dataset.Set) *mat.SymDense {
	pooled := mat.NewSymDense(train.D(), nil)
	for c, n := range train.Counts() {
		var scaled mat.SymDense
		scaled.ScaleSym(float64(n-1)/float64(train.N()-train.C()), covariances[c])
		pooled.AddSym(pooled, &scaled)
	}
	return pooled
}

// widenConstants changes the variance of each column that is constant in a class to the square of
// columns.Resolution, and returns a warning for each.
func widenConstants(x *mat.Dense, train *dataset.Set, means [][]float64, covariances []*mat.SymDense) []string {
	var warnings []string
	for c, covariance := range covariances {
		for j, mean := range means[c] {
			if math.Sqrt(covariance.At(j, j)) > constantSpread*max(1, math.Abs(mean)) {
				continue // the column is not constant in this class
			}
			width := columns.Resolution(x, j)
			covariance.SetSym(j, j, width*width)
			warnings = append(warnings, fmt.Sprintf("column %q is constant in class %q: "+
				"its standard deviation there is taken to be the resolution of its values",
				train.Attributes[j].Name, train.Classes[c]))
		}
	}
	return warnings
}

// classCovariances returns the covariance (divisor n_c - 1) of the rows of x in each class. Row i
// of x belongs to row i of train.
func classCovariances(x *mat.Dense, train *dataset.Set, means [][]float64) []*mat.SymDense {
	covariances := make([]*mat.SymDense, len(means))
	for c, mean := range means {
		rows := train.ClassRows(c)
		centred := mat.NewDense(len(rows), len(mean), nil)
		for i, r := range rows {
			floats.SubTo(centred.RawRowView(i), x.RawRowView(r), mean)
		}
		covariances[c] = mat.NewSymDense(len(mean), nil)
		covariances[c].SymOuterK(1/float64(len(rows)-1), centred.T())
	}
	return covariances
}

// A normal is a multivariate normal density with the covariance D L L' D. D is the diagonal matrix
// of standard deviations, and L is the lower Cholesky factor of the correlation matrix.
type normal struct {
	mean, sd   []float64
	lower      *mat.TriDense
	logRootDet float64 // half of the logarithm of the determinant of the covariance
}

// newNormal returns the normal density with the given mean and covariance, or false if the
// covariance is singular (see QDA.Tolerance).
//
// The correlation matrix R has the Cholesky factor L, which v.lower contains.
func newNormal(mean []float64, covariance *mat.SymDense, tolerance float64) (normal, bool) {
	d := len(mean)
	v := normal{mean: mean, sd: make([]float64, d), lower: mat.NewTriDense(d, mat.Lower, nil)}
	for j := range d {
		v.sd[j] = math.Sqrt(covariance.At(j, j))
		if v.sd[j] <= constantSpread*max(1, math.Abs(mean[j])) {
			return v, false
		}
		unexplained := 1.0 // becomes L_jj^2, the share of the variance that columns k < j do not explain
		for k := range j {
			entry := covariance.At(j, k) / (v.sd[j] * v.sd[k]) // R_jk, becomes L_jk
			for m := range k {
				entry -= v.lower.At(j, m) * v.lower.At(k, m)
			}
			entry /= v.lower.At(k, k)
			v.lower.SetTri(j, k, entry)
			unexplained -= entry * entry
		}
		if !(unexplained > tolerance*tolerance) {
			return v, false
		}
		v.lower.SetTri(j, j, math.Sqrt(unexplained))
		v.logRootDet += math.Log(v.sd[j]) + math.Log(unexplained)/2
	}
	return v, true
}

// gaussianScores returns the n x C matrix of the log prior plus the log density, up to a constant
// that all classes share.
func gaussianScores(z *mat.Dense, normals []normal, prior []float64) *mat.Dense {
	n, d := z.Dims()
	scores, memory := mat.NewDense(n, len(normals), nil), make([]float64, d)
	for i := range n {
		row := scores.RawRowView(i)
		for c := range normals {
			distance := normals[c].squaredDistance(z.RawRowView(i), memory)
			row[c] = prior[c] - normals[c].logRootDet - distance/2
		}
	}
	return scores
}

// squaredDistance returns the squared Mahalanobis distance of x from the mean,
//
//	(x-mean)' S^-1 (x-mean) = |u|^2  with  u = L^-1 D^-1 (x-mean).
//
// S = D L L' D is the covariance (see normal). The argument u receives the vector u.
func (v *normal) squaredDistance(x, u []float64) float64 {
	for j := range x {
		sum := (x[j] - v.mean[j]) / v.sd[j]
		for k := range j {
			sum -= v.lower.At(j, k) * u[k]
		}
		u[j] = sum / v.lower.At(j, j)
	}
	return floats.Dot(u, u)
}
