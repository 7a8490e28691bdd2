package classifiers

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// newDensitySVM returns the rule of a linear support vector machine on log densities
// t(x) with one weight each, standardisation included: class 1 where w't(x) + b > 0,
// else class 0. Scores are -(w't + b) and w't + b.
func newDensitySVM(t *logdensity.Map, w []float64, b float64) *Rule {
	separate := func(t *mat.Dense) *mat.Dense {
		n, _ := t.Dims()
		scores := mat.NewDense(n, 2, nil)
		for i := range n {
			s := floats.Dot(t.RawRowView(i), w) + b
			scores.SetRow(i, []float64{-s, s})
		}
		return scores
	}
	byRows := func(x *mat.Dense) *mat.Dense {
		n, d := x.Dims()
		scores := mat.NewDense(n, 2, nil)
		var memory []float64
		for from, rows := 0, heldRows(n, len(w)); from < n; from += rows {
			to := min(from+rows, n)
			logs, err := t.FeaturesIn(context.Background(), memory, x.Slice(from, to, 0, d).(*mat.Dense))
			if err != nil {
				panic(err) // the background context is never done
			}
			memory = logs.RawMatrix().Data
			scores.Slice(from, to, 0, 2).(*mat.Dense).Copy(separate(logs))
		}
		return scores
	}
	return &Rule{Scores: byRows, model: append(w[:len(w):len(w)], b), onSet: func(test *dataset.Set) *mat.Dense {
		if heldRows(test.N(), len(w)) < test.N() {
			return byRows(test.X)
		}
		return separate(t.FeaturesAt(test))
	}}
}

// A densityMachine says how log densities are estimated and separated.
type densityMachine struct {
	bandwidth    kde.Rule
	floor        float64 // as in logdensity.Floor
	c, tolerance float64 // cost and KKT gap of the support vector machine
	standardised bool    // log densities have mean 0 and standard deviation 1
}

// fit estimates the densities of the entries and separates the training rows
// by their logs.
func (m densityMachine) fit(ctx context.Context, train *dataset.Set, entries []logdensity.Entry) (*Rule, error) {
	densities, err := logdensity.Fit(ctx, train, m.bandwidth, logdensity.Floor{Density: m.floor}, entries)
	if err != nil {
		return nil, err
	}
	return m.separate(ctx, train, densities, nil)
}

// separate fits the support vector machine to t, the log densities at the
// training rows, which it uses up; nil: they are not known yet.
func (m densityMachine) separate(ctx context.Context, train *dataset.Set, densities *logdensity.Map, t *mat.Dense) (*Rule, error) {
	if t == nil && wide(train.N(), len(densities.Entries), 1) {
		return m.separateWide(ctx, train, densities)
	}
	if t == nil {
		var err error
		if t, err = densities.TrainingFeatures(ctx); err != nil {
			return nil, err
		}
	}
	n, _ := t.Dims()
	s := m.scaling(t)
	machine, err := new(svm.LinearSolver).Solve(ctx, s.ApplyIn(t.RawMatrix().Data, t, columns.Head(n)), signs(train.Y, columns.Head(n)), m.c, m.tolerance, nil)
	if err != nil {
		return nil, err
	}
	return scaledDensitySVM(densities, machine.W, machine.Bias, s), nil
}

// scaling is what the machine's log densities go through.
func (m densityMachine) scaling(t *mat.Dense) columns.Scaling {
	n, p := t.Dims()
	s := columns.StandardScaling(t, columns.Head(n))
	if !m.standardised { // centred none the less: other units shift log densities
		s.Factor = columns.Unscaled(p).Factor
	}
	return s
}

// scaledDensitySVM takes the weights of scaled log densities.
func scaledDensitySVM(densities *logdensity.Map, w []float64, b float64, s columns.Scaling) *Rule {
	for k := range w { // w'(t-m)/s + b = (w/s)'t + b - (w/s)'m
		w[k] *= s.Factor[k]
		b -= w[k] * s.Centre[k]
	}
	return newDensitySVM(densities, w, b)
}

// signs returns +1 for the given rows of class 1 and -1 for those of class 0.
func signs(y, rows []int) []float64 {
	s := make([]float64, len(rows))
	for i, r := range rows {
		s[i] = float64(2*y[r] - 1)
	}
	return s
}
