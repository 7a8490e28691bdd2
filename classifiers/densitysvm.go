package classifiers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/svm"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// A densitySVM is a linear support vector machine on log densities t(x): class
// 1 where w't(x) + b > 0, else class 0.
type densitySVM struct {
	t *logDensities
	w []float64 // one weight per log density, standardisation included
	b float64
}

// Scores returns -(w't + b) and w't + b, n x 2.
func (r *densitySVM) Scores(x *mat.Dense) *mat.Dense {
	t, err := r.t.Features(context.Background(), x)
	if err != nil {
		panic(err) // the background context is never done
	}
	return r.separate(t)
}

// separate returns the scores of rows with the log densities t.
func (r *densitySVM) separate(t *mat.Dense) *mat.Dense {
	n, _ := t.Dims()
	scores := mat.NewDense(n, 2, nil)
	for i := range n {
		s := floats.Dot(t.RawRowView(i), r.w) + r.b
		scores.SetRow(i, []float64{-s, s})
	}
	return scores
}

func (r *densitySVM) Predict(x *mat.Dense) []int { return argmaxRows(r.Scores(x)) }

func (r *densitySVM) predictSet(test *dataset.Set) []int {
	return argmaxRows(r.separate(r.t.featuresOf(test)))
}

// A densityMachine says how log densities are estimated and separated.
type densityMachine struct {
	bandwidth    kde.Rule
	floor        float64 // least density before the logarithm
	c, tolerance float64 // cost and KKT gap of the support vector machine
	standardised bool    // log densities have mean 0 and standard deviation 1
}

// fit estimates the densities of the entries and separates the training rows
// by their logs.
func (m densityMachine) fit(ctx context.Context, train *dataset.Set, entries []densityEntry) (*densitySVM, error) {
	densities, err := fitLogDensities(ctx, train, m.bandwidth, m.floor, entries)
	if err != nil {
		return nil, err
	}
	t, err := densities.trainingFeatures(ctx, train)
	if err != nil {
		return nil, err
	}
	return m.separate(ctx, train, densities, t)
}

// separate fits the support vector machine to t, the log densities at the
// training rows.
func (m densityMachine) separate(ctx context.Context, train *dataset.Set, densities *logDensities, t *mat.Dense) (*densitySVM, error) {
	n, p := t.Dims()
	s := unscaled(p)
	if m.standardised {
		s = standardScaling(t, head(n))
	}
	w, _, b, err := svm.SolveLinear(ctx, s.apply(t, head(n)), signs(train.Y, head(n)), m.c, m.tolerance, nil)
	if err != nil {
		return nil, err
	}
	for k := range w { // w'(t-m)/s + b = (w/s)'t + b - (w/s)'m
		w[k] *= s.factor[k]
		b -= w[k] * s.centre[k]
	}
	return &densitySVM{t: densities, w: w, b: b}, nil
}

// signs returns +1 for the given rows of class 1 and -1 for those of class 0.
func signs(y, rows []int) []float64 {
	s := make([]float64, len(rows))
	for i, r := range rows {
		s[i] = float64(2*y[r] - 1)
	}
	return s
}

// A scaling maps column k to (t_k - centre_k) factor_k.
type scaling struct{ centre, factor []float64 }

func unscaled(p int) scaling {
	s := scaling{make([]float64, p), make([]float64, p)}
	for k := range s.factor {
		s.factor[k] = 1
	}
	return s
}

// standardScaling centres the columns of t at their mean over the given rows
// and divides by their standard deviation (divisor n-1), as e1071's scale =
// TRUE. A constant column becomes zero and so plays no part; e1071 would leave
// all columns unscaled because of it.
func standardScaling(t *mat.Dense, rows []int) scaling {
	_, p := t.Dims()
	s := scaling{make([]float64, p), make([]float64, p)}
	n := float64(len(rows))
	for _, r := range rows {
		for k, v := range t.RawRowView(r) {
			s.centre[k] += v / n
		}
	}
	for _, r := range rows {
		for k, v := range t.RawRowView(r) {
			s.factor[k] += (v - s.centre[k]) * (v - s.centre[k])
		}
	}
	for k, squares := range s.factor {
		sd := math.Sqrt(squares / (n - 1))
		s.factor[k] = 0
		if sd > math.Abs(s.centre[k])*1e-12 { // above rounding
			s.factor[k] = 1 / sd
		}
	}
	return s
}

// apply returns the scaled columns of the given rows of t.
func (s scaling) apply(t *mat.Dense, rows []int) *mat.Dense { return s.applyIn(nil, t, rows) }

// applyIn is apply with the result in memory, if that is large enough.
func (s scaling) applyIn(memory []float64, t *mat.Dense, rows []int) *mat.Dense {
	_, p := t.Dims()
	z := mat.NewDense(len(rows), p, slices.Grow(memory[:0], len(rows)*p)[:len(rows)*p])
	for i, r := range rows {
		row := z.RawRowView(i)
		for k, v := range t.RawRowView(r) {
			row[k] = (v - s.centre[k]) * s.factor[k]
		}
	}
	return z
}
