package densities

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/svm"
	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// A densitySVM is a fitted linear support vector machine on log densities t(x). It predicts class 1
// if w't(x) + b > 0, and class 0 otherwise.
type densitySVM struct {
	t *logdensity.Map
	w []float64 // weights of the log densities, which are not standardised
	b float64
}

func (m *densitySVM) rule() *method.Rule {
	return &method.Rule{Scores: m.scores, SetScores: m.scoresOfSet, Warnings: m.t.Warnings()}
}

// scores returns the n x 2 matrix of the scores -(w't + b) and w't + b. To save memory, it computes the log
// densities t of a few rows at a time.
func (m *densitySVM) scores(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	scores := mat.NewDense(n, 2, nil)
	var memory []float64
	for from, rows := 0, rowsInMemory(n, len(m.w)); from < n; from += rows {
		to := min(from+rows, n)
		t := m.t.Values(memory, x.Slice(from, to, 0, d).(*mat.Dense))
		memory = t.RawMatrix().Data
		scores.Slice(from, to, 0, 2).(*mat.Dense).Copy(m.separate(t))
	}
	return scores
}

// scoresOfSet returns the scores of the rows of a set. It reuses log densities of other rules if
// the log densities of all rows fit into memory.
func (m *densitySVM) scoresOfSet(test *dataset.Set) *mat.Dense {
	if rowsInMemory(test.N(), len(m.w)) < test.N() {
		return m.scores(test.X)
	}
	return m.separate(m.t.FeaturesAt(test))
}

// separate returns the n x 2 matrix of scores for the log densities t of the rows.
func (m *densitySVM) separate(t *mat.Dense) *mat.Dense {
	n, _ := t.Dims()
	scores := mat.NewDense(n, 2, nil)
	for i := range n {
		s := floats.Dot(t.RawRowView(i), m.w) + m.b
		scores.SetRow(i, []float64{-s, s})
	}
	return scores
}

// linearMachine holds the parameters that all linear machines on log densities share.
type linearMachine struct {
	method.Revision
	// lower bound on each density before its logarithm is taken. Columns are first divided by their
	// standard deviations in the class. 0 means no bound
	Floor float64 `param:"floor" range:"[0,inf)"`
	// cost of a unit of slack in the support vector machine
	C float64 `param:"c" range:"(0,inf)"`
	// the solver stops when its duality (KKT) gap falls below this value
	Tolerance float64 `param:"tolerance" range:"(0,inf)"`
}

// newLinearMachine returns the default parameters of a machine.
//
// C has the default of R's e1071. Tolerance is smaller than in e1071. With the tolerance of e1071,
// rounding errors could change where the solver stops, and so the order of the scores.
func newLinearMachine() linearMachine { return linearMachine{Floor: 1e-10, C: 1, Tolerance: 1e-8} }

// Pin selects an older version of the classifier. Older versions have the default Tolerance of
// e1071.
func (l *linearMachine) Pin(version int) {
	l.Revision.Pin(version)
	l.Tolerance = 1e-3
}

// A densityMachine fits a linear support vector machine to log densities.
type densityMachine struct {
	linearMachine
	bandwidth    kde.Rule // rule that chooses the bandwidths of the densities
	standardised bool     // scale log densities to standard deviation 1; their mean is always set to 0
}

func (l linearMachine) machine(bandwidth string, standardised bool) densityMachine {
	return densityMachine{l, kde.Rule(bandwidth), standardised}
}

func (m densityMachine) estimate(
	ctx context.Context, train *dataset.Set, entries []logdensity.Entry,
) (*logdensity.Map, error) {
	return logdensity.Fit(ctx, train, logdensity.Options{Rule: m.bandwidth, Floor: m.Floor}, entries)
}

// rule estimates the density of each entry and returns the decision rule of a machine fitted to
// their logarithms.
func (m densityMachine) rule(
	ctx context.Context, train *dataset.Set, entries []logdensity.Entry,
) (*method.Rule, error) {
	densities, err := m.estimate(ctx, train, entries)
	if err != nil {
		return nil, err
	}
	fitted, err := m.fit(ctx, train, densities, nil)
	if err != nil {
		return nil, err
	}
	return fitted.rule(), nil
}

// fit fits the machine to t, the log densities at the training rows, and overwrites t. If t is nil,
// fit computes the log densities.
func (m densityMachine) fit(
	ctx context.Context, train *dataset.Set, densities *logdensity.Map, t *mat.Dense,
) (*densitySVM, error) {
	if t == nil {
		if prefersProducts(train.N(), len(densities.Entries), oneMatrix) {
			return m.fitWide(ctx, train, densities) // does not need t, which would take more memory
		}
		var err error
		if t, err = densities.TrainingFeatures(ctx); err != nil {
			return nil, err
		}
	}
	allRows := stats.Indices(train.N())
	scaling := m.scaling(t)
	z := scaling.ApplyIn(t.RawMatrix().Data, t, allRows)
	machine, err := new(svm.LinearSolver).Solve(ctx, z, signs(train.Y, allRows), m.C, m.Tolerance, nil)
	if err != nil {
		return nil, err
	}
	return newDensitySVM(densities, machine.W, machine.Bias, scaling), nil
}

// scaling returns the scaling for the log densities t. It subtracts means and, if m.standardised,
// divides by standard deviations.
func (m densityMachine) scaling(t *mat.Dense) columns.Scaling {
	n, p := t.Dims()
	s := columns.StandardScaling(t, stats.Indices(n))
	if !m.standardised { // still subtract means: a change of units adds a constant to log densities
		s.Factor = columns.Unscaled(p).Factor
	}
	return s
}

// newDensitySVM overwrites w and returns a machine for unscaled log densities t. w and b are the
// weights and the constant for log densities scaled by s:
//
//	w'((t-centre) factor) + b = (w factor)'t + b - (w factor)'centre.
func newDensitySVM(densities *logdensity.Map, w []float64, b float64, s columns.Scaling) *densitySVM {
	for k := range w {
		w[k] *= s.Factor[k]
		b -= w[k] * s.Centre[k]
	}
	return &densitySVM{t: densities, w: w, b: b}
}

// signs returns +1 for each given row of class 1, and -1 for each given row of class 0. y[r] is the
// class of row r.
func signs(y, rows []int) []float64 {
	s := make([]float64, len(rows))
	for i, r := range rows {
		s[i] = float64(2*y[r] - 1)
	}
	return s
}
