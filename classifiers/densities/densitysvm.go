package densities

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// A densitySVM is a fitted linear support vector machine on log densities t(x). It predicts class 1
// where w't(x) + b > 0, else class 0.
type densitySVM struct {
	t *logdensity.Map
	w []float64 // of the log densities as they are, not standardised
	b float64
}

// rule returns the decision rule of the machine.
func (m *densitySVM) rule() *method.Rule {
	return &method.Rule{Scores: m.scores, SetScores: m.scoresOfSet, Warnings: m.t.Warnings()}
}

// scores returns -(w't + b) and w't + b of the rows of x, n x 2. It computes the log densities of
// heldRows rows at a time.
func (m *densitySVM) scores(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	scores := mat.NewDense(n, 2, nil)
	var memory []float64
	for from, rows := 0, heldRows(n, len(m.w)); from < n; from += rows {
		to := min(from+rows, n)
		t, err := m.t.FeaturesIn(context.Background(), memory, x.Slice(from, to, 0, d).(*mat.Dense))
		if err != nil {
			panic(err) // the background context is never done
		}
		memory = t.RawMatrix().Data
		scores.Slice(from, to, 0, 2).(*mat.Dense).Copy(m.separate(t))
	}
	return scores
}

// scoresOfSet returns the scores of a set. It reuses log densities that other rules have evaluated
// there, unless they do not fit in memory.
func (m *densitySVM) scoresOfSet(test *dataset.Set) *mat.Dense {
	if heldRows(test.N(), len(m.w)) < test.N() {
		return m.scores(test.X)
	}
	return m.separate(m.t.FeaturesAt(test))
}

// separate returns the scores of rows with the log densities t.
func (m *densitySVM) separate(t *mat.Dense) *mat.Dense {
	n, _ := t.Dims()
	scores := mat.NewDense(n, 2, nil)
	for i := range n {
		s := floats.Dot(t.RawRowView(i), m.w) + m.b
		scores.SetRow(i, []float64{-s, s})
	}
	return scores
}

// linearMachine holds the parameters that the linear machines on log densities share.
type linearMachine struct {
	Floor     float64 `param:"floor" doc:"lower bound on each density before its logarithm is taken; densities are for columns divided by their standard deviations in the class. 0: no bound" range:"[0,inf)"`
	C         float64 `param:"c" doc:"cost of the support vector machine" range:"(0,inf)"`
	Tolerance float64 `param:"tolerance" doc:"duality (KKT) gap at which the solver stops" range:"(0,inf)"`
}

// newLinearMachine returns e1071's cost and tolerance.
func newLinearMachine() linearMachine { return linearMachine{Floor: 1e-10, C: 1, Tolerance: 1e-3} }

// A densityMachine fits a linear machine to log densities.
type densityMachine struct {
	linearMachine
	bandwidth    kde.Rule // of the densities
	standardised bool     // scale log densities to standard deviation 1; they always get mean 0
}

// on returns the machine on log densities with a bandwidth rule, standardised or not.
func (l linearMachine) on(bandwidth string, standardised bool) densityMachine {
	return densityMachine{l, kde.Rule(bandwidth), standardised}
}

// estimate returns the densities of the entries.
func (m densityMachine) estimate(
	ctx context.Context, train *dataset.Set, entries []logdensity.Entry,
) (*logdensity.Map, error) {
	return logdensity.Fit(ctx, train, m.bandwidth, logdensity.Floor{Density: m.Floor}, entries)
}

// fit estimates the densities of the entries and separates the training rows by their logarithms.
func (m densityMachine) fit(ctx context.Context, train *dataset.Set, entries []logdensity.Entry) (*densitySVM, error) {
	densities, err := m.estimate(ctx, train, entries)
	if err != nil {
		return nil, err
	}
	return m.separate(ctx, train, densities, nil)
}

// rule returns the decision rule of fit.
func (m densityMachine) rule(
	ctx context.Context, train *dataset.Set, entries []logdensity.Entry,
) (*method.Rule, error) {
	fitted, err := m.fit(ctx, train, entries)
	if err != nil {
		return nil, err
	}
	return fitted.rule(), nil
}

// separate fits the support vector machine to t, the log densities at the training rows, and
// overwrites t. If t is nil, separate computes the log densities.
func (m densityMachine) separate(
	ctx context.Context, train *dataset.Set, densities *logdensity.Map, t *mat.Dense,
) (*densitySVM, error) {
	if t == nil && wide(train.N(), len(densities.Entries), 1) {
		return m.separateWide(ctx, train, densities)
	}
	if t == nil {
		var err error
		if t, err = densities.TrainingFeatures(ctx); err != nil {
			return nil, err
		}
	}
	all := columns.Head(train.N())
	s := m.scaling(t)
	z := s.ApplyIn(t.RawMatrix().Data, t, all)
	machine, err := new(svm.LinearSolver).Solve(ctx, z, signs(train.Y, all), m.C, m.Tolerance, nil)
	if err != nil {
		return nil, err
	}
	return newDensitySVM(densities, machine.W, machine.Bias, s), nil
}

// scaling returns the scaling of the log densities t before the machine.
func (m densityMachine) scaling(t *mat.Dense) columns.Scaling {
	n, p := t.Dims()
	s := columns.StandardScaling(t, columns.Head(n))
	if !m.standardised { // keep the means: other units of a variable shift its log densities
		s.Factor = columns.Unscaled(p).Factor
	}
	return s
}

// newDensitySVM returns the machine with weights w and constant b of log densities that were scaled
// by s. It overwrites w with the weights of unscaled log densities:
//
//	w'(t-centre) factor + b = (w factor)'t + b - (w factor)'centre.
func newDensitySVM(densities *logdensity.Map, w []float64, b float64, s columns.Scaling) *densitySVM {
	for k := range w {
		w[k] *= s.Factor[k]
		b -= w[k] * s.Centre[k]
	}
	return &densitySVM{t: densities, w: w, b: b}
}

// signs returns +1 for each of the given rows if its class y is 1, else -1.
func signs(y, rows []int) []float64 {
	s := make([]float64, len(rows))
	for i, r := range rows {
		s[i] = float64(2*y[r] - 1)
	}
	return s
}
