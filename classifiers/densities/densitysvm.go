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

// A densitySVM is a fitted linear support vector machine on log densities t(x): class 1
// where w't(x) + b > 0, else class 0.
type densitySVM struct {
	t *logdensity.Map
	w []float64 // one weight per log density, standardisation included
	b float64
}

// rule returns the decision rule of the machine.
func (m *densitySVM) rule() *method.Rule {
	return &method.Rule{Scores: m.scores, SetScores: m.scoresOfSet, Warnings: m.t.Warnings()}
}

// scores returns -(w't + b) and w't + b of the rows of x, n x 2. It holds the log
// densities of heldRows rows at a time.
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

// scoresOfSet returns the scores of a set. It reuses log densities that other rules have
// evaluated there, unless they are too many to be held.
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
	Floor     float64 `param:"floor" doc:"least density before the logarithm, of columns in units of their standard deviations in the class; 0: none" range:"[0,inf)"`
	C         float64 `param:"c" doc:"cost of the support vector machine" range:"(0,inf)"`
	Tolerance float64 `param:"tolerance" doc:"KKT gap at which its solver stops" range:"(0,inf)"`
}

// newLinearMachine returns e1071's cost and tolerance.
func newLinearMachine() linearMachine { return linearMachine{Floor: 1e-10, C: 1, Tolerance: 1e-3} }

// A densityMachine holds how log densities are estimated and separated.
type densityMachine struct {
	linearMachine
	bandwidth    kde.Rule
	standardised bool // log densities have mean 0 and standard deviation 1
}

func (l linearMachine) on(bandwidth string, standardised bool) densityMachine {
	return densityMachine{l, kde.Rule(bandwidth), standardised}
}

// estimate returns the densities of the entries.
func (m densityMachine) estimate(
	ctx context.Context,
	train *dataset.Set,
	entries []logdensity.Entry,
) (*logdensity.Map, error) {
	return logdensity.Fit(ctx, train, m.bandwidth, logdensity.Floor{Density: m.Floor}, entries)
}

// fit estimates the densities of the entries and separates the training rows
// by their logs.
func (m densityMachine) fit(ctx context.Context, train *dataset.Set, entries []logdensity.Entry) (*densitySVM, error) {
	densities, err := m.estimate(ctx, train, entries)
	if err != nil {
		return nil, err
	}
	return m.separate(ctx, train, densities, nil)
}

// rule is fit for callers that only need the decision rule.
func (m densityMachine) rule(
	ctx context.Context,
	train *dataset.Set,
	entries []logdensity.Entry,
) (*method.Rule, error) {
	fitted, err := m.fit(ctx, train, entries)
	if err != nil {
		return nil, err
	}
	return fitted.rule(), nil
}

// separate fits the support vector machine to t, the log densities at the
// training rows, which it uses up; nil: they are not known yet.
func (m densityMachine) separate(
	ctx context.Context,
	train *dataset.Set,
	densities *logdensity.Map,
	t *mat.Dense,
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
	n, _ := t.Dims()
	s := m.scaling(t)
	z := s.ApplyIn(t.RawMatrix().Data, t, columns.Head(n))
	machine, err := new(svm.LinearSolver).Solve(ctx, z, signs(train.Y, columns.Head(n)), m.C, m.Tolerance, nil)
	if err != nil {
		return nil, err
	}
	return newDensitySVM(densities, machine.W, machine.Bias, s), nil
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

// newDensitySVM returns the machine with weights w and constant b of scaled log
// densities.
func newDensitySVM(densities *logdensity.Map, w []float64, b float64, s columns.Scaling) *densitySVM {
	for k := range w { // w'(t-m)/s + b = (w/s)'t + b - (w/s)'m
		w[k] *= s.Factor[k]
		b -= w[k] * s.Centre[k]
	}
	return &densitySVM{t: densities, w: w, b: b}
}

// signs returns +1 for the given rows of class 1 and -1 for those of class 0.
func signs(y, rows []int) []float64 {
	s := make([]float64, len(rows))
	for i, r := range rows {
		s[i] = float64(2*y[r] - 1)
	}
	return s
}
