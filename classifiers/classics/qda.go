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

// QDA is quadratic discriminant analysis as in R's MASS::qda. Classes are normal with their own
// means m_c and covariances S_c, divisor n_c - 1. Class c scores
//
//	log prior_c - log|S_c|/2 - (x-m_c)' S_c^-1 (x-m_c) / 2
//
// up to a constant that all classes share.
//
// With shrink g each S_c is replaced by (1-g) S_c + g S, where S is the covariance of all rows
// about the means of their classes, divisor n - C. This is the first parameter of Friedman's
// regularised discriminant analysis (JASA 84:165, 1989) with unbiased divisors. g = 1 is LDA with
// its defaults, for any number of rows. Any g > 0 allows classes with fewer rows than columns. If
// a covariance is singular, the smallest sufficient g among 0.01, 0.02, 0.05, 0.1, 0.2, 0.5 and 1
// is used, with a warning. If a column is constant in a class, its standard deviation there is the
// resolution of its values.
//
// A fit takes O(n d^2 + C d^3), and scoring a row takes O(C d^2).
type QDA struct {
	Priors    string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
	Shrink    float64 `param:"shrink" doc:"weight of the common covariance in the covariance of each class" range:"[0,1]"`
	Tolerance float64 `param:"tolerance" doc:"smallest share of the standard deviation of a column that the columns before it leave unexplained; a smaller share counts as singular" range:"(0,1)"`
}

// NewQDA returns MASS's defaults.
func NewQDA() *QDA { return &QDA{Priors: method.TrainingPriors, Shrink: 0, Tolerance: 1e-7} }

// Fit estimates means and covariances of the standardised columns. Units add the same number to
// the scores of all classes.
func (s *QDA) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	if s.Shrink == 1 {
		return s.linear(ctx, train, rng)
	}
	p := method.Prepare(train, true)
	for c, n := range train.Counts() {
		if n < 2 {
			return nil, fmt.Errorf("class %q has one row, needs two: drop the class, draw more rows or set shrink to 1",
				train.Classes[c])
		}
	}
	means, covariances := normalClasses(p.X, train)
	warnings := widenConstants(p.X, train, means, covariances)
	normals, shrink, err := s.normals(ctx, train, means, covariances) // shrink may have to be larger
	if err != nil {
		return nil, err
	}
	if shrink != s.Shrink {
		warnings = append(warnings, fmt.Sprintf(
			"a class's covariance is singular: shrink is %g instead of %g", shrink, s.Shrink))
	}
	if shrink == 1 {
		rule, err := s.linear(ctx, train, rng)
		if err != nil {
			return nil, err
		}
		rule.Warnings = append(warnings, rule.Warnings...)
		return rule, nil
	}
	prior := method.LogPriors(train, s.Priors)
	scores := func(z *mat.Dense) *mat.Dense { return gaussianScores(z, normals, prior) }
	return p.Rule(scores, warnings...).WithProbabilities(method.Posteriors), nil
}

// FitWeighted is Fit with a weight for each class, which multiplies its prior; nil: 1.
func (s *QDA) FitWeighted(
	ctx context.Context, train *dataset.Set, weights []float64, rng *rand.Rand,
) (*method.Rule, error) {
	rule, err := s.Fit(ctx, train, rng)
	if err != nil {
		return nil, err
	}
	return rule.WithPriorWeights(weights), nil
}

// linear fits LDA, which is QDA with shrink 1.
func (s *QDA) linear(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	lda := NewLDA()
	lda.Priors = s.Priors
	return lda.Fit(ctx, train, rng)
}

// shrinkages are the values of shrink that are tried in turn if a class's covariance is singular.
var shrinkages = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5}

// normals returns the normal density of each class and the weight of the common covariance in
// it: Shrink, or the least of the larger shrinkages for which no covariance is singular. If there
// is none, it returns no densities and the weight 1.
func (s *QDA) normals(
	ctx context.Context, train *dataset.Set, means [][]float64, covariances []*mat.SymDense,
) ([]normal, float64, error) {
	pooled := pooledCovariance(covariances, train)
	for _, shrink := range append([]float64{s.Shrink}, shrinkages...) {
		if shrink < s.Shrink {
			continue
		}
		if shrink == 0 && slices.Min(train.Counts()) <= train.D() {
			continue // singular, even if rounding hides it
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

// shrunkNormals returns the normal density of each class with the covariance (1-shrink) S_c +
// shrink S; false if one of these is singular.
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

// pooledCovariance returns the covariance about the classes' means, divisor n - C.
func pooledCovariance(covariances []*mat.SymDense, train *dataset.Set) *mat.SymDense {
	pooled := mat.NewSymDense(train.D(), nil)
	for c, n := range train.Counts() {
		var scaled mat.SymDense
		scaled.ScaleSym(float64(n-1)/float64(train.N()-train.C()), covariances[c])
		pooled.AddSym(pooled, &scaled)
	}
	return pooled
}

// widenConstants changes the covariances of columns that are constant in a class: their standard
// deviation becomes the resolution of their values. It returns a warning for each.
func widenConstants(x *mat.Dense, train *dataset.Set, means [][]float64, covariances []*mat.SymDense) []string {
	var warnings []string
	for c, covariance := range covariances {
		for j, mean := range means[c] {
			if math.Sqrt(covariance.At(j, j)) > constantSpread*max(1, math.Abs(mean)) {
				continue
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

// normalClasses returns the mean and covariance of each class's rows of x.
func normalClasses(x *mat.Dense, train *dataset.Set) ([][]float64, []*mat.SymDense) {
	_, d := x.Dims()
	means, covariances := make([][]float64, train.C()), make([]*mat.SymDense, train.C())
	for c := range means {
		rows := train.ClassRows(c)
		means[c] = make([]float64, d)
		for _, r := range rows {
			floats.AddScaled(means[c], 1/float64(len(rows)), x.RawRowView(r))
		}
		centred := mat.NewDense(len(rows), d, nil)
		for i, r := range rows {
			floats.SubTo(centred.RawRowView(i), x.RawRowView(r), means[c])
		}
		covariances[c] = mat.NewSymDense(d, nil)
		covariances[c].SymOuterK(1/float64(len(rows)-1), centred.T())
	}
	return means, covariances
}

// A normal is a normal density. Its covariance is D L L' D, where D are the standard deviations and
// L is the lower Cholesky factor of the correlation matrix.
type normal struct {
	mean, sd []float64
	lower    *mat.TriDense
	logRoot  float64 // log of the determinant of the covariance, halved
}

// newNormal factorises the covariance by Cholesky's method. It returns false if the columns before
// a column leave too little of it unexplained: a share of its standard deviation of at most the
// tolerance.
func newNormal(mean []float64, covariance *mat.SymDense, tolerance float64) (normal, bool) {
	// Row by row, L_jk = (R_jk - sum_m<k L_jm L_km) / L_kk and L_jj^2 = 1 - sum_k L_jk^2, with R the
	// correlation matrix.
	d := len(mean)
	v := normal{mean: mean, sd: make([]float64, d), lower: mat.NewTriDense(d, mat.Lower, nil)}
	for j := range d {
		v.sd[j] = math.Sqrt(covariance.At(j, j))
		if v.sd[j] <= constantSpread*max(1, math.Abs(mean[j])) {
			return v, false
		}
		left := 1.0 // the share of the variance that the columns before leave unexplained
		for k := range j {
			sum := covariance.At(j, k) / (v.sd[j] * v.sd[k])
			for m := range k {
				sum -= v.lower.At(j, m) * v.lower.At(k, m)
			}
			sum /= v.lower.At(k, k)
			v.lower.SetTri(j, k, sum)
			left -= sum * sum
		}
		if !(left > tolerance*tolerance) {
			return v, false
		}
		v.lower.SetTri(j, j, math.Sqrt(left))
		v.logRoot += math.Log(v.sd[j]) + math.Log(left)/2
	}
	return v, true
}

// gaussianScores returns log prior + log density of each class at the rows of z, up to a constant
// that all classes share.
func gaussianScores(z *mat.Dense, normals []normal, prior []float64) *mat.Dense {
	n, d := z.Dims()
	scores, memory := mat.NewDense(n, len(normals), nil), make([]float64, d)
	for i := range n {
		row := scores.RawRowView(i)
		for c := range normals {
			distance := normals[c].squaredDistance(z.RawRowView(i), memory)
			row[c] = prior[c] - normals[c].logRoot - distance/2
		}
	}
	return scores
}

// squaredDistance returns (x-mean)' S^-1 (x-mean) = |u|^2 with u = L^-1 D^-1 (x-mean). It solves
// for u by forward substitution.
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
